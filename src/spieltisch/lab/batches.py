"""Batches of simulated games, a few at a time, that any process can play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from spieltisch.bots.search import native_library
from spieltisch.core.setup import Setup
from spieltisch.lab import python_loops
from spieltisch.lab.parallel import Parallel, map_in_order
from spieltisch.lab.result_rows import Row, rows
from spieltisch.lab.simulation import BATCH_SIZE, MAX_MOVES, GameOutcome, Simulation, library_of, record_of


class Batch(NamedTuple):
    """A batch of games of a simulation: `many`, from the one with number `first` on, of at most `max_moves` moves.

    Rows are made with the text `duel` (None: no rows), and records if `records` is true.
    """

    setup: Setup
    bots: tuple[str, ...]
    seed: int
    first: int
    many: int = 1
    duel: str | None = None
    records: bool = False
    max_moves: int = MAX_MOVES


class BatchResult(NamedTuple):
    """The results of a batch, by game."""

    results: tuple[GameOutcome, ...]
    rows: tuple[tuple[Row, ...], ...] = ()
    records: tuple[str, ...] = ()


def play_batch(piece: Batch) -> BatchResult:
    """Play a batch. Equal batches give equal results in any process."""
    simulation = _simulation(piece.setup, piece.bots, piece.seed, piece.max_moves)
    if piece.duel is None and not piece.records:
        return BatchResult(simulation.results(piece.first, piece.many))
    numbers = range(piece.first, piece.first + piece.many)
    games = [simulation.game(number) for number in numbers]
    return BatchResult(
        tuple(simulation.result(played) for played in games),
        ()
        if piece.duel is None
        else tuple(rows(simulation, n, played, piece.duel) for n, played in zip(numbers, games, strict=True)),
        tuple(record_of(simulation, played).text for played in games) if piece.records else (),
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
) -> Iterator[tuple[Batch, BatchResult]]:
    """Play all games of a simulation in batches, in the order of their numbers.

    Raise whatever `map_in_order` raises, and BotFailed.
    """
    size = 1 if python_loops.needs_python(setup, bots) else BATCH_SIZE
    pieces = (
        Batch(setup, tuple(bots), seed, at, min(size, games + 1 - at), "" if rows else None, records, max_moves)
        for at in range(1, games + 1, size)
    )
    yield from map_in_order(cores, play_batch, pieces)


@lru_cache(maxsize=32)
def _simulation(setup: Setup, bots: tuple[str, ...], seed: int, max_moves: int) -> Simulation:
    return Simulation(setup, bots, seed, library_of(setup), max_moves=max_moves)


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
