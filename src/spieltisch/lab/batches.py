"""Batches of simulated games, a few at a time, that any process can play."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from spieltisch.bots.search import native_library
from spieltisch.core.setup import Setup
from spieltisch.lab import python_loops
from spieltisch.lab.engines import library_of
from spieltisch.lab.move_rows import MoveRow, move_rows
from spieltisch.lab.parallel import Parallel, map_in_order
from spieltisch.lab.result_rows import Row, rows
from spieltisch.lab.simulation import BATCH_SIZE, MAX_MOVES, GameOutcome, Simulation, record_of
from spieltisch.lab.trajectories import Source, parquet_bytes, simulated_steps, written_outcomes


class Batch(NamedTuple):
    """A batch of games of a simulation: `games`, from the one with number `first` on, of at most `max_moves` moves.

    Rows are made with the text `duel` (None: no rows), records if `records` is true, decisions if `steps` is true, and
    rows of moves if `moves` is true.
    """

    setup: Setup
    bots: tuple[str, ...]
    seed: int
    first: int
    games: int = 1
    duel: str | None = None
    records: bool = False
    max_moves: int = MAX_MOVES
    steps: bool = False
    moves: bool = False

    @property
    def source(self) -> Source:
        """The description of these games in a file of decisions."""
        setup = self.setup
        return Source(
            setup.game.key,
            setup.components.digest,
            version("spieltisch"),
            setup.seats,
            setup.options,
            self.bots,
            self.seed,
            self.first,
            self.games,
            self.max_moves,
        )


class BatchResult(NamedTuple):
    """The results of a batch, by game. `steps` is a Parquet file of all its decisions."""

    results: tuple[GameOutcome, ...]
    rows: tuple[tuple[Row, ...], ...] = ()
    records: tuple[str, ...] = ()
    steps: bytes = b""
    moves: tuple[tuple[MoveRow, ...], ...] = ()


def play_batch(piece: Batch) -> BatchResult:
    """Play a batch. Equal batches give equal results in any process."""
    simulation = _simulation(piece.setup, piece.bots, piece.seed, piece.max_moves)
    if piece.duel is None and not piece.records and not piece.steps and not piece.moves:
        return BatchResult(simulation.results(piece.first, piece.games))
    numbers = range(piece.first, piece.first + piece.games)
    games = [simulation.game(number) for number in numbers]
    results = tuple(simulation.result(played) for played in games)
    steps = (simulated_steps(piece.setup, played, n) for n, played in zip(numbers, games, strict=True))
    return BatchResult(
        results,
        ()
        if piece.duel is None
        else tuple(rows(simulation, n, played, piece.duel) for n, played in zip(numbers, games, strict=True)),
        tuple(record_of(simulation, played).text for played in games) if piece.records else (),
        parquet_bytes(piece.setup.game, piece.source, steps, results) if piece.steps else b"",
        tuple(move_rows(simulation, n, played) for n, played in zip(numbers, games, strict=True))
        if piece.moves
        else (),
    )


def play_all(
    setup: Setup,
    bots: Sequence[str],
    seed: int,
    games: int,
    cores: Parallel,
    *,
    rows: bool,
    records: bool,
    max_moves: int = MAX_MOVES,
    steps: Path | None = None,
    moves: bool = False,
) -> Iterator[tuple[Batch, BatchResult]]:
    """Play all games of a simulation in batches, in the order of their numbers.

    Games whose decisions are in the folder `steps` are counted and not played again, unless rows, records or rows of
    moves are made.
    Raise ValueError if it contains decisions of other games; whatever `map_in_order` raises, and BotFailed.
    """
    size = 1 if python_loops.needs_python(setup, bots) else BATCH_SIZE
    duel = "" if rows else None

    def pieces() -> Iterator[Batch]:
        for at in range(1, games + 1, size):
            count = min(size, games + 1 - at)
            yield Batch(setup, tuple(bots), seed, at, count, duel, records, max_moves, steps is not None, moves)

    written: dict[int, tuple[GameOutcome, ...]] = {}
    if steps is not None and not (rows or records or moves):
        for piece in pieces():
            if (outcomes := written_outcomes(steps, piece.source)) is not None:
                written[piece.first] = outcomes
    played = map_in_order(cores, play_batch, (piece for piece in pieces() if piece.first not in written))
    for piece in pieces():
        yield (piece, BatchResult(written[piece.first])) if piece.first in written else next(played)


@lru_cache(maxsize=32)
def _simulation(setup: Setup, bots: tuple[str, ...], seed: int, max_moves: int) -> Simulation:
    return Simulation(setup, bots, seed, max_moves=max_moves, use_library=library_of(setup) is not None)


def make_quick(setup: Setup, bots: Sequence[str], say: Callable[[], None]) -> None:
    """Build the library that plays games of these bots if it does not exist and can be built.

    `say` is called before anything is compiled.
    """
    game = setup.game
    if (
        python_loops.needs_python(setup, bots)
        or native_library.find(game, native_library.GAMES) is not None
        or native_library.problem()
    ):
        return
    say()
    native_library.build(game.key, what=native_library.GAMES)
