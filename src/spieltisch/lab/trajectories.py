"""Trajectories: every decision of a game as numbers for learning, in Parquet files.

A row is one decision: what its seat saw, which moves were legal, which one it played, and what came of it. All rows of
a file belong to one game (the rules, not their components or options) and have arrays of equal lengths.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from spieltisch.core.components import Components
from spieltisch.core.errors import RecordError
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.core.setup import Setup
from spieltisch.lab.engines import on_plain_python
from spieltisch.lab.result_rows import import_pyarrow
from spieltisch.lab.simulation import GameOutcome, PlayedGame

METADATA: Final = b"spieltisch"
"""The key of a file's `Source` in its metadata."""


class Source(msgspec.Struct, frozen=True):
    """The games in a file, for a simulation that continues and for readers. Equal sources give equal rows.

    `bots` and `seed` are those of the simulation and `first` the number of its first game here; games from records have
    no bots. `max_moves` is the number of moves after which a game was stopped.
    """

    game: str
    components: str
    version: str
    seats: int
    options: dict[str, str | bool | int]
    bots: tuple[str, ...] = ()
    seed: int = 0
    first: int = 1
    games: int = 1
    max_moves: int = 0


class _Metadata(msgspec.Struct, frozen=True):
    source: Source
    outcomes: tuple[GameOutcome, ...] = ()


_METADATA_DECODER = msgspec.json.Decoder(_Metadata)


class Step(msgspec.Struct, frozen=True):
    """One decision.

    - `number`, `step`: the number of its game, and of the move in the game, from 1
    - `seat`: the seat that decided, from 0
    - `observation`: all that the seat knew, as `Observation.vector`
    - `mask`: for each number of the move space, whether the move was legal
    - `action`: the number of the move that was played
    - `reward`: the points that the seat gained from here to its next decision, or to the end
    - `total`: the points that it gained from here to the end, the sum of its rewards from here on: the return
    - `won`: its share of the win
    """

    number: int
    step: int
    seat: int
    observation: NDArray[np.int16]
    mask: NDArray[np.bool_]
    action: int
    reward: int
    total: int
    won: float


def simulated_steps(setup: Setup, played: PlayedGame, number: int) -> list[Step]:
    """Return the decisions of a simulated game. It is played once more, in Python."""
    moves = [move for _, move, _ in played.steps]

    def positions() -> Iterator[Position]:
        position = Position.start(on_plain_python(setup), seed=played.seed)
        yield position
        for move in moves:
            position.play(move)
            yield position

    return _steps(positions(), moves, number)


def recorded_steps(record: Record, number: int, components: Components[Any] | None = None) -> list[Step]:
    """Return the decisions of a recorded game. Raise RecordError if it is not over or cannot be replayed."""
    if record.result is None:
        raise RecordError("result: the game is not over, so nobody has won it")
    setup = record.setup(components)
    return _steps(record.positions(components), [setup.move(play.move).number for play in record.moves], number)


def _steps(positions: Iterator[Position], moves: Sequence[int], number: int) -> list[Step]:
    """Return the decisions of a game, from the positions before, between and after its moves."""
    begun: list[tuple[int, NDArray[np.int16], NDArray[np.bool_], int]] = []
    for position in islice(positions, len(moves)):
        seat = position.seat
        assert seat is not None  # noqa: S101  # a move follows
        seen = position.observe(seat).vector
        begun.append((seat, seen, position.legal_moves.mask, position.scores[seat]))
    end = next(positions)
    winners = range(end.seats) if end.outcome is None else end.outcome.winners
    later, steps = list(end.scores), []
    for at in reversed(range(len(moves))):
        seat, seen, mask, points = begun[at]
        won = 1 / len(winners) if seat in winners else 0.0
        total = end.scores[seat] - points
        steps.append(Step(number, at + 1, seat, seen, mask, moves[at], later[seat] - points, total, won))
        later[seat] = points
    return steps[::-1]


def parquet_bytes(
    game: Game, source: Source, games: Iterable[Sequence[Step]], outcomes: Sequence[GameOutcome] = ()
) -> bytes:
    """Return a Parquet file with the decisions of games. Raise RuntimeError if pyarrow is missing."""
    import_pyarrow()
    import pyarrow
    from pyarrow import parquet

    observed = pyarrow.list_(pyarrow.from_numpy_dtype(game.observation_spec.dtype), game.observation_spec.size)
    schema = pyarrow.schema(
        [
            ("number", pyarrow.int64()),
            ("step", pyarrow.int32()),
            ("seat", pyarrow.int8()),
            ("observation", observed),
            ("mask", pyarrow.list_(pyarrow.bool_(), game.moves)),
            ("action", pyarrow.int32()),
            ("reward", pyarrow.int32()),
            ("return", pyarrow.int32()),
            ("won", pyarrow.float32()),
        ],
        metadata={METADATA: msgspec.json.encode(_Metadata(source, tuple(outcomes)))},
    )
    file = io.BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as table:
        for steps in games:
            table.write_table(_table(steps, schema))
    return file.getvalue()


def _table(steps: Sequence[Step], schema: Any) -> Any:
    import pyarrow

    def lists(field: str, values: Iterable[NDArray[Any]]) -> Any:
        kind = schema.field(field).type
        flat = np.concatenate([*values]) if steps else np.zeros(0)
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(flat, kind.value_type), kind.list_size)

    columns: list[Any] = [
        [step.number for step in steps],
        [step.step for step in steps],
        [step.seat for step in steps],
        lists("observation", (step.observation for step in steps)),
        lists("mask", (step.mask for step in steps)),
        [step.action for step in steps],
        [step.reward for step in steps],
        [step.total for step in steps],
        [step.won for step in steps],
    ]
    arrays = [
        pyarrow.array(c, field.type) if isinstance(c, list) else c for c, field in zip(columns, schema, strict=True)
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def steps_path(folder: Path, source: Source) -> Path:
    """Return the path of the file with these simulated games."""
    return folder / f"{source.game}-{source.seed}-{source.first:09}.parquet"


def written_outcomes(folder: Path, source: Source) -> tuple[GameOutcome, ...] | None:
    """Return the outcomes of games whose decisions a folder contains; None if their file is not there yet.

    Raise ValueError if the file contains other games, or RuntimeError if pyarrow is missing.
    """
    path = steps_path(folder, source)
    if not path.exists():
        return None
    import_pyarrow()
    from pyarrow import ArrowException, parquet

    try:
        metadata = _METADATA_DECODER.decode((parquet.read_schema(path).metadata or {})[METADATA])
    except (ArrowException, KeyError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{path}: no file of decisions ({error})") from error
    if metadata.source != source:
        raise ValueError(f"{path}: decisions of other games; choose another folder")
    return metadata.outcomes
