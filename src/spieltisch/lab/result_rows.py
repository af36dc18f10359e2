"""Rows of results: one for each seat of each played game, in a CSV or Parquet file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from spieltisch.core.position import Position
from spieltisch.core.replaced_files import open_replaced
from spieltisch.lab.simulation import PlayedGame, Simulation, ending, on_plain_python

DEALT: Final = "dealt"
"""The source of points that a seat had before the first move."""

ROW_GROUP: Final = 4096
"""The number of rows that are written to a Parquet file at a time."""


class Row(msgspec.Struct, frozen=True):
    """One seat in one game.

    - `duel`: the duel of an arena ("engineer greedy", otherwise "")
    - `number`, `seed`, `options`: the game's number, its seed and its options by name
    - `seat`: the seat, from 0
    - `turn`: its place in turn order, from 1; 0 if it made no move
    - `bot`: the bot in the seat
    - `points`, `sources`: its points, and its points by source
    - `place`: its rank; shared ranks have the same number
    - `won`: its share of the win
    - `ended_by`, `moves`: the rule that ended the game (`MOVE_LIMIT` if it was stopped), and the number of moves
    """

    duel: str
    number: int
    seed: int
    options: dict[str, str | bool | int]
    seat: int
    turn: int
    bot: str
    points: int
    sources: dict[str, int]
    place: int
    won: float
    ended_by: str
    moves: int


FIELDS: Final = Row.__struct_fields__
"""The columns."""
JSON_COLUMNS: Final = ("options", "sources")
"""The columns whose cells are JSON."""


def rows(simulation: Simulation, number: int, played: PlayedGame, duel: str = "") -> tuple[Row, ...]:
    """Return the rows of a simulated game, by seat.

    >>> import spieltisch
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> [row.points == sum(row.sources.values()) for row in rows(simulation, 2, simulation.game(2))]
    [True, True, True]
    """
    end = simulation.end(played)
    points, (winners, ended_by) = end.scores, ending(end)
    first = list(dict.fromkeys(seat for seat, _, _ in played.steps))
    by_source = points_by_source(simulation, played)
    return tuple(
        Row(
            duel=duel,
            number=number,
            seed=played.seed,
            options=simulation.setup.options,
            seat=seat,
            turn=first.index(seat) + 1 if seat in first else 0,
            bot=bot,
            points=points[seat],
            sources=by_source[seat],
            place=1 if seat in winners else 1 + sum(other > points[seat] for other in points),
            won=1 / len(winners) if seat in winners else 0.0,
            ended_by=ended_by,
            moves=len(played.steps),
        )
        for seat, bot in enumerate(played.players)
    )


def points_by_source(simulation: Simulation, played: PlayedGame) -> list[dict[str, int]]:
    """Return each seat's points by source, from the events of the moves. The game is played once more."""
    position = Position.start(on_plain_python(simulation.setup), seed=played.seed)
    names = position.setup.game.point_source_ids(position.setup)
    sources: list[dict[str, int]] = [{DEALT: points} if points else {} for points in position.scores]
    for _, move, _ in played.steps:
        for event in position.play(move, collect_events=True).events:
            if event.kind == "points" and event.seat is not None:
                amount, source = event.numbers[:2]
                name, own = names[source] if source < len(names) else str(source), sources[event.seat]
                own[name] = own.get(name, 0) + amount
    if [sum(own.values()) for own in sources] != position.scores:
        raise RuntimeError(f"the events of the game with seed {played.seed} do not come to {position.scores} points")
    return sources


@contextmanager
def row_writer(file: Path) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Open a file for rows and yield a function that writes the rows of a game.

    The format is Parquet if the file name ends in .parquet, otherwise CSV. The file is replaced only when all rows are
    written (see `open_replaced`). Raise OSError, or RuntimeError if pyarrow is missing.
    """
    with open_replaced(file) as opened, (_parquet if _is_parquet(file) else _csv)(opened) as add:
        yield add


def write(file: Path, games: Iterable[Sequence[Row]]) -> None:
    """Write all games to a file; raises as `row_writer`."""
    with row_writer(file) as add:
        for game in games:
            add(game)


def read(file: Path) -> Iterator[tuple[Row, ...]]:
    """Yield the games in a file of rows, except those that are incomplete.

    Raise ValueError with the line number, or RuntimeError if pyarrow is missing.
    """
    games: dict[tuple[str, int], list[Row]] = {}
    for number, cells in _cells(file):
        try:
            row = msgspec.convert(cells, Row, strict=False)
        except msgspec.ValidationError as error:
            raise ValueError(f"{file}: line {number}: {error}") from error
        games.setdefault((row.duel, row.number), []).append(row)
    maximum = max((len(own) for own in games.values()), default=0)
    yield from (tuple(own) for own in games.values() if len(own) == maximum)


def _cells(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    numbered: Iterable[tuple[int, dict[str, Any]]]
    if _is_parquet(file):
        import_pyarrow()
        from pyarrow import ArrowException, parquet

        try:
            records = parquet.read_table(file).to_pylist()
        except ArrowException as error:
            raise ValueError(f"{file}: {error}") from error
        numbered = enumerate(records, 1)
    else:
        with file.open(newline="", encoding="utf-8-sig") as text:  # spreadsheets write a mark of the byte order
            lines = csv.DictReader(text)
            if tuple(lines.fieldnames or ()) != FIELDS:
                raise ValueError(f"{file}: line 1: not the columns {', '.join(FIELDS)}")
            numbered = [(number, dict(line)) for number, line in enumerate(lines, 2)]
    for number, cells in numbered:
        try:
            yield number, cells | {name: msgspec.json.decode(cells[name] or "") for name in JSON_COLUMNS}
        except (KeyError, msgspec.DecodeError) as error:
            raise ValueError(f"{file}: line {number}: {error}") from error


def _is_parquet(file: Path) -> bool:
    return file.suffix == ".parquet"


def _shown(row: Row) -> dict[str, Any]:
    cells = msgspec.structs.asdict(row)
    return cells | {name: msgspec.json.encode(cells[name]).decode() for name in JSON_COLUMNS}


@contextmanager
def _csv(file: BinaryIO) -> Iterator[Callable[[Sequence[Row]], None]]:
    text = io.TextIOWrapper(file, newline="", encoding="utf-8")
    lines = csv.DictWriter(text, FIELDS)
    lines.writeheader()
    yield lambda game: lines.writerows(map(_shown, game))
    text.detach()


@contextmanager
def _parquet(file: BinaryIO) -> Iterator[Callable[[Sequence[Row]], None]]:
    import_pyarrow()
    import pyarrow
    from pyarrow import parquet

    types = {"str": pyarrow.string(), "int": pyarrow.int64(), "float": pyarrow.float64()}
    schema = pyarrow.schema([(name, types.get(kind, pyarrow.string())) for name, kind in Row.__annotations__.items()])
    pending: list[dict[str, Any]] = []

    def flush() -> None:
        table.write_table(pyarrow.Table.from_pylist(pending, schema))
        pending.clear()

    def add(game: Sequence[Row]) -> None:
        pending.extend(map(_shown, game))
        if len(pending) >= ROW_GROUP:
            flush()

    with parquet.ParquetWriter(file, schema) as table:
        yield add
        flush()


def import_pyarrow() -> None:
    """Import pyarrow. Raise RuntimeError with installation advice if it is missing."""
    try:
        import pyarrow  # noqa: F401  # only its presence matters
    except ImportError as error:
        raise RuntimeError(f"Parquet needs more: pip install 'spieltisch[parquet]' ({error})") from error
