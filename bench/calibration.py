"""How far the chances that a hint tells hold: said, and what came of it, in games of several kinds of bots.

    python -m bench.calibration paris-connection --games 200 --seed 1

In each game the seats are drawn from `POOL`. Every so often the seat that decides plays what the advice holds to be
best, and what was said of it is kept with who won in the end. From that comes the table of `Game.trust`: by how many
moves a seat the game had, how much of the distance from an even chance is left (least squares, never less later on).
The Brier score is the mean square of said less seen; it is told for chances as the search has them, for even chances,
and for calibrated ones, each half of the games with the table that the other half makes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from typing import NamedTuple

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.core.calibration import ShrinkageTable, calibrated

POOL = ("apprentice", "greedy", "engineer")
SEATS = (3, 4)
SIMULATIONS = 300
"""About as many as a hint makes, so the chances have the doubt of a hint."""
EVERY = 16
PARTS = 6


class Said(NamedTuple):
    """A chance that was said, after how many moves a seat, at how many seats, and which part of the win it became."""

    game: int
    moves: int
    even: float
    chance: float
    won: float


def played(game: spieltisch.Game, seed: int) -> list[Said]:
    """What was said in one game."""
    seats, drawn = SEATS[seed % len(SEATS)], random.Random(seed)
    who, phase = [drawn.choice(POOL) for _ in range(seats)], drawn.randrange(EVERY)
    position = game.start(seats, seed=seed)
    said: list[tuple[int, int, float]] = []
    while (seat := position.seat) is not None:
        legal = position.legal_moves
        if len(legal) == 1:
            position.play(legal[0])
            continue
        seen = position.observe(seat)
        if position.number % EVERY != phase:
            position.play(bots.decide(who[seat], seen, position.number))
            continue
        best = levels.search(seen, seed, Budget(SIMULATIONS)).candidates[0]
        said.append((position.number, seat, best.won(seat)))
        position.play(best.move)
    assert position.outcome is not None
    winners = position.outcome.winners
    return [
        Said(seed, number // seats, 1 / seats, chance, 1 / len(winners) if seat in winners else 0.0)
        for number, seat, chance in said
    ]


def fitted(rows: Sequence[Said]) -> ShrinkageTable:
    """The table for these rows: parts of equal size, weights that never fall."""
    moves = sorted(row.moves for row in rows)
    starts = sorted({0, *(moves[len(moves) * part // PARTS] for part in range(1, PARTS))})
    groups: list[tuple[list[int], float, float]] = []
    for start, end in zip(starts, [*starts[1:], moves[-1] + 1], strict=True):
        own = [row for row in rows if start <= row.moves < end]
        over = sum((row.chance - row.even) * (row.won - row.even) for row in own)
        under = sum((row.chance - row.even) ** 2 for row in own)
        groups.append(([start], over, under))
        while len(groups) > 1 and groups[-2][1] * groups[-1][2] >= groups[-1][1] * groups[-2][2]:
            later, before = groups.pop(), groups.pop()
            groups.append((before[0] + later[0], before[1] + later[1], before[2] + later[2]))
    parts = [(at[0], round(min(1.0, max(0.0, over / under if under else 0.0)), 2)) for at, over, under in groups]
    return tuple(
        one for one, before in zip(parts, [None, *parts], strict=False) if before is None or one[1] > before[1]
    )


def brier(rows: Sequence[Said], trust: ShrinkageTable) -> float:
    """The mean square of said less seen."""
    return sum((calibrated(trust, row.moves, row.even, row.chance) - row.won) ** 2 for row in rows) / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    native_library.build(given.game)
    game = spieltisch.game(given.game)
    rows = [row for number in range(given.games) for row in played(game, (given.seed << 32) + number)]
    halves = [[row for row in rows if row.game % 4 // 2 == half] for half in (0, 1)]
    print(f"{given.game}: {len(rows)} chances in {given.games} games")
    print(f"trust = {fitted(rows)}")
    even = brier(rows, ((0, 0.0),))
    crossed = [brier(halves[one], fitted(halves[1 - one])) * len(halves[one]) for one in (0, 1)]
    print(f"Brier score: as found {brier(rows, ()):.4f}, even {even:.4f}, calibrated {sum(crossed) / len(rows):.4f}")
    for low in range(0, 100, 20):
        own = [(calibrated(fitted(rows), row.moves, row.even, row.chance), row.won, row.chance) for row in rows]
        for name, at in (("as found", 2), ("calibrated", 0)):
            part = [one for one in own if low <= 100 * one[at] < low + 20 + (low == 80)]
            if part:
                said, seen = (sum(one[i] for one in part) / len(part) for i in (at, 1))
                print(
                    f"  {name}, said {low} to {low + 20} %: {len(part)} times, {said:.0%} on average, seen {seen:.0%}"
                )


if __name__ == "__main__":
    main()
