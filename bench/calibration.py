"""The calibration of the chances that a hint shows: predicted and actual results, in games of several kinds of bots.

    python -m bench.calibration paris-connection --games 200 --seed 1

In each game the seats are drawn from `BOTS`. At intervals the seat that decides plays the best move of the advice, and
the predicted chance is stored with the final result. From these pairs comes the table of `Game.calibration`: for the
number of moves that each seat has made, the share of the distance from an even chance that remains (least squares,
never decreasing later in the game). The Brier score is the mean square of prediction minus result. It is printed for
the chances of the search, for even chances, and for calibrated ones, where each half of the games uses the table of the
other half.
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

BOTS = ("beginner", "easy", "medium")
"""The bots of the seats."""
SEATS = (3, 4)
"""The numbers of players."""
SIMULATIONS = 300
"""The simulations of a decision: about as many as for a hint, so that the chances have the same error."""
MOVES_BETWEEN_PREDICTIONS = 16
"""The interval of moves between two predictions."""
PARTS = 6
"""The number of parts into which a game is divided."""


class Prediction(NamedTuple):
    """A predicted chance and its result.

    `moves` is the number of moves that each seat had made, `even` the even chance, `won` the share of the win.
    """

    game: int
    moves: int
    even: float
    chance: float
    won: float


def predict_game(game: spieltisch.Game, seed: int) -> list[Prediction]:
    """Return the predictions of one game."""
    seats, rng = SEATS[seed % len(SEATS)], random.Random(seed)
    bots_by_seat, phase = [rng.choice(BOTS) for _ in range(seats)], rng.randrange(MOVES_BETWEEN_PREDICTIONS)
    position, turns = game.start(seats, seed=seed), bots.Turns()
    predictions: list[tuple[int, int, float]] = []
    while (seat := position.seat) is not None:
        legal = position.legal_moves
        if len(legal) == 1:
            position.play(legal[0])
            continue
        seen = position.observe(seat)
        if position.number % MOVES_BETWEEN_PREDICTIONS != phase:
            position.play(turns.decide(bots_by_seat[seat], seen, lambda: position.number))
            continue
        best = levels.search(seen, seed, Budget(SIMULATIONS)).candidates[0]
        predictions.append((position.number, seat, best.won(seat)))
        position.play(best.move)
    assert position.outcome is not None
    winners = position.outcome.winners
    return [
        Prediction(seed, number // seats, 1 / seats, chance, 1 / len(winners) if seat in winners else 0.0)
        for number, seat, chance in predictions
    ]


def fit_shrinkage(rows: Sequence[Prediction]) -> ShrinkageTable:
    """Return the table for these rows: parts of equal size, weights that never decrease."""
    moves = sorted(row.moves for row in rows)
    starts = sorted({0, *(moves[len(moves) * part // PARTS] for part in range(1, PARTS))})
    groups: list[tuple[list[int], float, float]] = []
    for start, end in zip(starts, [*starts[1:], moves[-1] + 1], strict=True):
        own = [row for row in rows if start <= row.moves < end]
        numerator = sum((row.chance - row.even) * (row.won - row.even) for row in own)
        denominator = sum((row.chance - row.even) ** 2 for row in own)
        groups.append(([start], numerator, denominator))
        while len(groups) > 1 and groups[-2][1] * groups[-1][2] >= groups[-1][1] * groups[-2][2]:
            later, before = groups.pop(), groups.pop()
            groups.append((before[0] + later[0], before[1] + later[1], before[2] + later[2]))
    parts = [
        (at[0], round(min(1.0, max(0.0, numerator / denominator if denominator else 0.0)), 2))
        for at, numerator, denominator in groups
    ]
    return tuple(
        part for part, previous in zip(parts, [None, *parts], strict=False) if previous is None or part[1] > previous[1]
    )


def brier_score(rows: Sequence[Prediction], trust: ShrinkageTable) -> float:
    """Return the Brier score: the mean square of prediction minus result."""
    return sum((calibrated(trust, row.moves, row.even, row.chance) - row.won) ** 2 for row in rows) / len(rows)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    native_library.build(arguments.game)
    game = spieltisch.game(arguments.game)
    rows = [row for number in range(arguments.games) for row in predict_game(game, (arguments.seed << 32) + number)]
    halves = [[row for row in rows if row.game % 4 // 2 == half] for half in (0, 1)]
    print(f"{arguments.game}: {len(rows)} chances in {arguments.games} games")
    print(f"trust = {fit_shrinkage(rows)}")
    even = brier_score(rows, ((0, 0.0),))
    crossed = [brier_score(halves[n], fit_shrinkage(halves[1 - n])) * len(halves[n]) for n in (0, 1)]
    print(
        f"Brier score: as found {brier_score(rows, ()):.4f}, even {even:.4f}, calibrated {sum(crossed) / len(rows):.4f}"
    )
    for low in range(0, 100, 20):
        own = [(calibrated(fit_shrinkage(rows), row.moves, row.even, row.chance), row.won, row.chance) for row in rows]
        for name, at in (("as found", 2), ("calibrated", 0)):
            part = [row for row in own if low <= 100 * row[at] < low + 20 + (low == 80)]
            if part:
                mean, actual = (sum(row[i] for row in part) / len(part) for i in (at, 1))
                print(
                    f"  {name}, said {low} to {low + 20} %: {len(part)} times, {mean:.0%} on average, seen {actual:.0%}"
                )


if __name__ == "__main__":
    main()
