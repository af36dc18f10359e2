"""Rows of moves: the decisions at which a seat could, and did, play a move of a kind, or with a card or place.

The things that are counted follow from the move space of the game (`MoveKind.countables`); nothing here knows a game.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.core.position import Position
from spieltisch.core.replaced_files import open_replaced
from spieltisch.core.setup import Setup
from spieltisch.lab.engines import on_plain_python
from spieltisch.lab.result_rows import import_pyarrow, parquet_writer
from spieltisch.lab.simulation import PlayedGame, Simulation

Countable = tuple[str, str]
"""A thing that is counted: its group, such as "build factory", and its name, such as "coal mine 1"."""


class MoveRow(msgspec.Struct, frozen=True):
    """One thing that one seat could choose in one game.

    - `number`: the game's number
    - `seat`: the seat, from 0
    - `group`, `thing`: what is counted; the group "move" has the kinds of move
    - `offered`: the number of the seat's decisions with a legal move of this kind
    - `taken`: the number of those in which it played one
    - `points`: what these moves themselves gained, before anybody else moved
    """

    number: int
    seat: int
    group: str
    thing: str
    offered: int
    taken: int
    points: int


COLUMNS: Final = dict(MoveRow.__annotations__)


def move_rows(simulation: Simulation, number: int, played: PlayedGame) -> tuple[MoveRow, ...]:
    """Return the rows of a simulated game, by seat, group and thing. It is played once more, in Python.

    >>> import spieltisch
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> rows = move_rows(simulation, 1, simulation.game(1))
    >>> sum(row.taken for row in rows if row.group == "move") == simulation.results(1, 1)[0].moves
    True
    """
    setup = on_plain_python(simulation.setup)
    countables = countables_of(setup)
    offered: Counter[tuple[int, Countable]] = Counter()
    taken: Counter[tuple[int, Countable]] = Counter()
    points: Counter[tuple[int, Countable]] = Counter()
    position = Position.start(setup, seed=played.seed)
    for seat, move, _ in played.steps:
        legal = position.legal_moves.numbers
        offered.update((seat, thing) for thing in {thing for number in legal for thing in countables[number]})
        before = position.scores[seat]
        position.play(move)
        gained = position.scores[seat] - before
        for thing in countables[move]:
            taken[seat, thing] += 1
            points[seat, thing] += gained
    return tuple(
        MoveRow(number, seat, *thing, count, taken[seat, thing], points[seat, thing])
        for (seat, thing), count in sorted(offered.items())
    )


@lru_cache(maxsize=32)
def countables_of(setup: Setup) -> dict[int, tuple[Countable, ...]]:
    """Return what is counted of each move of this board."""
    return {move.number: tuple(dict.fromkeys(setup.game.space.countables(setup, move.number))) for move in setup.moves}


@contextmanager
def move_row_writer(file: Path) -> Iterator[Callable[[Sequence[MoveRow]], None]]:
    """Open a Parquet file for rows of moves and yield a function that writes those of a game.

    The file is replaced only when all rows are written. Raise OSError, or RuntimeError if pyarrow is missing.
    """
    with open_replaced(file) as opened, parquet_writer(opened, COLUMNS, msgspec.structs.asdict) as add:
        yield add


def read_moves(file: Path) -> Iterator[tuple[MoveRow, ...]]:
    """Yield the rows of a file, game by game. Raise ValueError, OSError, or RuntimeError if pyarrow is missing."""
    import_pyarrow()
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(file) as table:
            lines = (line for batch in table.iter_batches() for line in batch.to_pylist())
            rows = (msgspec.convert(line, MoveRow) for line in lines)
            for _, game in groupby(rows, lambda row: row.number):
                yield tuple(game)
    except (ArrowException, msgspec.ValidationError) as error:
        raise ValueError(f"{file}: no file of moves ({error})") from error
