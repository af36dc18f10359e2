"""Rows of results: one for each seat of each played game, in a CSV or Parquet file."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from spieltisch.core.errors import UnknownGame
from spieltisch.core.position import Position
from spieltisch.core.replaced_files import open_replaced
from spieltisch.core.setup import Setup
from spieltisch.games import game as find_game
from spieltisch.lab.engines import on_plain_python
from spieltisch.lab.simulation import PlayedGame, Simulation, ending

T = TypeVar("T")

DEALT: Final = "dealt"
"""The source of points that a seat had before the first move."""
OTHER: Final = "other"
"""The source of all points in a game that does not distinguish them."""
OPTION: Final = "option_"
TRAIT: Final = "trait_"
POINTS: Final = "points_"
"""The prefixes of the names of columns: options, traits of seats, and sources of points."""

ROW_GROUP: Final = 4096
"""The number of rows that are written to a Parquet file at a time."""


class Row(msgspec.Struct, frozen=True):
    """One seat in one game.

    - `duel`: the duel of an arena ("medium easy", otherwise "")
    - `game`, `components`, `version`: the game, the digest of its components, and the version of this program
    - `seats`, `options`: the number of players, and the options by name
    - `number`, `seed`: the game's number and its seed
    - `seat`: the seat, from 0
    - `turn`: its place in turn order, from 1; 0 if it made no move
    - `bot`: the bot in the seat
    - `traits`: what else tells it apart, such as its team (`Game.seat_traits`)
    - `points`, `sources`: its points, and its points by source
    - `place`: its rank; shared ranks have the same number
    - `won`: its share of the win
    - `ended_by`, `moves`: the rule that ended the game (`MOVE_LIMIT` if it was stopped), and the number of moves
    """

    duel: str
    game: str
    components: str
    version: str
    seats: int
    options: dict[str, str | bool | int]
    number: int
    seed: int
    seat: int
    turn: int
    bot: str
    traits: dict[str, str]
    points: int
    sources: dict[str, int]
    place: int
    won: float
    ended_by: str
    moves: int


SPREAD: Final[Mapping[str, str]] = {"options": OPTION, "traits": TRAIT, "sources": POINTS}
"""The fields that have a column for each of their names, and how these columns begin."""


def columns(setup: Setup) -> dict[str, type]:
    """Return the names and types of the columns for games with this setup.

    >>> import spieltisch
    >>> list(columns(spieltisch.game("legendary-inventors").setup(3)))[5:9]
    ['option_teams', 'option_cubes', 'option_patents_in_run', 'number']
    """
    column_types: dict[str, type] = {}
    for name, kind in Row.__annotations__.items():
        if name == "options":
            column_types |= {OPTION + option: type(value) for option, value in setup.options.items()}
        elif name == "traits":
            column_types |= dict.fromkeys((TRAIT + trait for trait in setup.game.seat_traits), str)
        elif name == "sources":
            column_types |= dict.fromkeys((POINTS + source for source in source_names(setup)), int)
        else:
            column_types[name] = kind
    return column_types


def source_names(setup: Setup) -> list[str]:
    """Return the names of the sources of points in columns: the points dealt, then those of POINTS events by number."""
    return [DEALT, *(name.replace(" ", "_") for name in setup.game.point_source_ids(setup) or (OTHER,))]


def rows(simulation: Simulation, number: int, played: PlayedGame, duel: str = "") -> tuple[Row, ...]:
    """Return the rows of a simulated game, by seat.

    >>> import spieltisch
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> [row.points == sum(row.sources.values()) for row in rows(simulation, 2, simulation.game(2))]
    [True, True, True]
    """
    end = simulation.end(played)
    points, (winners, ended_by) = end.scores, ending(end)
    turns, traits = played.turns, simulation.setup.game.seat_traits
    by_source = points_by_source(simulation, played)
    return tuple(
        Row(
            duel=duel,
            game=simulation.setup.game.key,
            components=simulation.setup.components.digest,
            version=version("spieltisch"),
            seats=simulation.setup.seats,
            options=simulation.setup.options,
            number=number,
            seed=played.seed,
            seat=seat,
            turn=turns.get(seat, 0),
            bot=bot,
            traits={name: trait(simulation.setup, played.state, seat) for name, trait in traits.items()},
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
    names = source_names(position.setup)
    sources = [dict.fromkeys(names, 0) | {DEALT: points} for points in position.scores]
    for _, move, _ in played.steps:
        for event in position.play(move, collect_events=True).events:
            if event.kind == "points" and event.seat is not None:
                amount, source = event.numbers[:2]
                sources[event.seat][OTHER if OTHER in names else names[source + 1]] += amount
    if [sum(own.values()) for own in sources] != position.scores:
        raise RuntimeError(f"the events of the game with seed {played.seed} do not come to {position.scores} points")
    return sources


@contextmanager
def row_writer(file: Path, setup: Setup) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Open a file for rows of games with this setup and yield a function that writes the rows of a game.

    The format is Parquet if the file name ends in .parquet, otherwise CSV. The file is replaced only when all rows are
    written (see `open_replaced`). Raise OSError, or RuntimeError if pyarrow is missing.
    """
    writer = parquet_writer if _is_parquet(file) else _csv_writer
    with open_replaced(file) as opened, writer(opened, columns(setup), _cells_of) as add:
        yield add


def write(file: Path, setup: Setup, games: Iterable[Sequence[Row]]) -> None:
    """Write all games to a file; raises as `row_writer`."""
    with row_writer(file, setup) as add:
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
            if missing := [name for name in FIXED if name not in (lines.fieldnames or ())]:
                raise ValueError(f"{file}: line 1: no column {', '.join(missing)}")
            numbered = [(number, dict(line)) for number, line in enumerate(lines, 2)]
    for number, cells in numbered:
        try:
            yield number, _parse_cells(cells)
        except (KeyError, UnknownGame) as error:
            raise ValueError(f"{file}: line {number}: {error}") from error


FIXED: Final = tuple(name for name in Row.__struct_fields__ if name not in SPREAD)
"""The columns that every file of rows has."""


def _parse_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a line by field. Raise KeyError for an unknown column or option, and UnknownGame."""
    choices = {option.name: option.choices for option in find_game(cells["game"]).options}
    row: dict[str, Any] = {"options": {}, "traits": {}, "sources": {}}
    for name, cell in cells.items():
        if name.startswith(OPTION):
            option = name.removeprefix(OPTION)
            row["options"][option] = {str(value): value for value, _ in choices[option]}[str(cell)]
        elif name.startswith(TRAIT):
            row["traits"][name.removeprefix(TRAIT)] = cell
        elif name.startswith(POINTS):
            row["sources"][name.removeprefix(POINTS)] = cell
        elif name in FIXED:
            row[name] = cell
        else:
            raise KeyError(name)
    return row


def _is_parquet(file: Path) -> bool:
    return file.suffix == ".parquet"


def _cells_of(row: Row) -> dict[str, Any]:
    cells = msgspec.structs.asdict(row)
    for field, prefix in SPREAD.items():
        cells |= {prefix + name: value for name, value in cells.pop(field).items()}
    return cells


@contextmanager
def _csv_writer(
    file: BinaryIO, columns: Mapping[str, type], cells_of: Callable[[T], dict[str, Any]]
) -> Iterator[Callable[[Sequence[T]], None]]:
    text = io.TextIOWrapper(file, newline="", encoding="utf-8")
    lines = csv.DictWriter(text, tuple(columns))
    lines.writeheader()
    yield lambda game: lines.writerows(map(cells_of, game))
    text.detach()


@contextmanager
def parquet_writer(
    file: BinaryIO, columns: Mapping[str, type], cells_of: Callable[[T], dict[str, Any]]
) -> Iterator[Callable[[Sequence[T]], None]]:
    """Yield a function that adds rows to a Parquet file. Raise RuntimeError if pyarrow is missing."""
    import_pyarrow()
    import pyarrow
    from pyarrow import parquet

    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    pending: list[dict[str, Any]] = []

    def flush() -> None:
        table.write_table(pyarrow.Table.from_pylist(pending, schema))
        pending.clear()

    def add(game: Sequence[T]) -> None:
        pending.extend(map(cells_of, game))
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
