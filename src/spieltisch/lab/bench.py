"""The speed of a game's rules: random play of whole games on one thread.

Seconds are processor time of the thread, not wall time: other programs disturb the figures less.
"""

from statistics import median
from time import thread_time
from typing import Any, SupportsIndex

import msgspec

from spieltisch.core.compiled import rule
from spieltisch.core.game_loops import copy_slot
from spieltisch.core.setup import Setup
from spieltisch.lab.simulation import Simulation

ROUNDS = 7
"""The number of rounds; the median counts."""
SLOTS = 64
"""The number of states in the ring of copies."""
COPIES = 1_000_000
"""The number of copies of a round."""


class BenchResult(msgspec.Struct, frozen=True):
    """The figures of the median round.

    `state_bytes` is the size of a state, `copy_ns` the time to copy one.
    """

    game: str
    seats: int
    rounds: int
    games: int
    games_per_second: float
    moves_per_second: float
    slowest_moves_per_second: float
    fastest_moves_per_second: float
    moves_per_game: float
    ns_per_move: float
    state_bytes: int
    copy_ns: float


@rule
def copy_in_ring(pool: Any, count: int) -> None:
    """Copy each slot over the next, round and round: `count` copies, each of which depends on the one before."""
    slots = len(pool)
    for i in range(count):
        copy_slot(pool, (i + 1) % slots, i % slots)


def bench(setup: Setup, seconds: float = 5.0, seed: SupportsIndex = 1) -> BenchResult:
    """Play random games for about `seconds`, in rounds of which the median counts; compiling is not counted."""
    simulation = Simulation(setup, ["random"] * setup.seats, seed, use_library=False)
    simulation.play(1)
    games, count = 0, 64
    while (elapsed := _time(simulation, 1, count)[0]) < seconds / ROUNDS / 4:
        count *= 2
    count = max(1, round(count * seconds / ROUNDS / elapsed))
    rounds = []
    for _ in range(ROUNDS):
        elapsed, moves = _time(simulation, games + 1, count)
        games += count
        rounds.append((moves / elapsed, count / elapsed, moves))
    rates = sorted(rate for rate, _, _ in rounds)
    moves_per_second = median(rates)
    return BenchResult(
        game=setup.game.key,
        seats=setup.seats,
        rounds=ROUNDS,
        games=games,
        games_per_second=median(rate for _, rate, _ in rounds),
        moves_per_second=moves_per_second,
        slowest_moves_per_second=rates[0],
        fastest_moves_per_second=rates[-1],
        moves_per_game=sum(moves for _, _, moves in rounds) / games,
        ns_per_move=1e9 / moves_per_second,
        state_bytes=setup.game.State.itemsize,
        copy_ns=_time_copy(setup),
    )


def _time(simulation: Simulation, number: int, count: int) -> tuple[float, int]:
    """Return the processor seconds and the moves of `count` games in one call of the loop."""
    start = thread_time()
    moves = simulation.drive(number, count)
    return thread_time() - start, moves


def _time_copy(setup: Setup) -> float:
    """Return the nanoseconds that copying a state takes."""
    engine = setup.game.engine
    copies = engine.binding.bind(copy_in_ring)
    pool = engine.record_array(setup.game.State, SLOTS)
    count = COPIES if setup.game.compiled else COPIES // 1000
    copies(pool, 1)
    times = []
    for _ in range(ROUNDS):
        start = thread_time()
        copies(pool, count)
        times.append(thread_time() - start)
    return median(times) / count * 1e9
