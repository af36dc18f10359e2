"""How fast a game's rules are: random play of whole games on one thread.

Seconds are those the thread had a processor, not those on the wall: other programs disturb the figures less.
"""

from __future__ import annotations

from statistics import median
from time import thread_time
from typing import Any, SupportsIndex

import msgspec

from spieltisch.core.compiled import rule
from spieltisch.core.game_loops import copy_slot
from spieltisch.core.setup import Setup
from spieltisch.lab.simulation import Simulation

ROUNDS = 7
SLOTS = 64
COPIES = 1_000_000


class BenchResult(msgspec.Struct, frozen=True):
    """The median round's figures. `state_bytes` is a state's size, `copy_ns` what copying one costs."""

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
def copy_in_ring(pool: Any, many: int) -> None:
    """Copy each slot over the next, round and round: `many` copies that all depend on the one before."""
    slots = len(pool)
    for i in range(many):
        copy_slot(pool, (i + 1) % slots, i % slots)


def bench(setup: Setup, seconds: float = 5.0, seed: SupportsIndex = 1) -> BenchResult:
    """Random play for about so many seconds, in rounds of which the median counts; compiling is not counted."""
    simulation = Simulation(setup, ["random"] * setup.seats, seed)
    simulation.play(1)
    games, many = 0, 64
    while (took := _time(simulation, 1, many)[0]) < seconds / ROUNDS / 4:
        many *= 2
    many = max(1, round(many * seconds / ROUNDS / took))
    rounds = []
    for _ in range(ROUNDS):
        took, moves = _time(simulation, games + 1, many)
        games += many
        rounds.append((moves / took, many / took, moves))
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
        copy_ns=_copying(setup),
    )


def _time(simulation: Simulation, number: int, many: int) -> tuple[float, int]:
    """Processor seconds and moves of so many games in one call of the driver."""
    begun = thread_time()
    moves = simulation.drive(number, many)
    return thread_time() - begun, moves


def _copying(setup: Setup) -> float:
    engine = setup.game.engine
    copies = engine.binding.bind(copy_in_ring)
    pool = engine.record_array(setup.game.State, SLOTS)
    many = COPIES if setup.game.compiled else COPIES // 1000
    copies(pool, 1)
    took = []
    for _ in range(ROUNDS):
        begun = thread_time()
        copies(pool, many)
        took.append(thread_time() - begun)
    return median(took) / many * 1e9
