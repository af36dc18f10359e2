"""The weights of a game's forecast, learned from games of bots that search.

    python -m bench.learning paris-connection --games 200 --seed 1 --jobs 2

All seats search, with so many trial games; one decision in `STRAY` is left to chance, so that there is more to see. Of
every `EVERY`th position are kept the terms of each player (`forecast.terms` of the game) and how far that player ended
ahead, both less the mean of the table. What is printed: how well the forecast tells the end in a quarter of the games,
with the weights of the others (ridge regression), by the moves that were still to come, beside the points alone; then
the weights of all games, as `forecast.WEIGHTS` has them. Equal seeds give equal weights, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import random
from importlib import import_module
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import spieltisch
from spieltisch.bots import levels
from spieltisch.bots.search import library
from spieltisch.bots.search.searcher import Budget
from spieltisch.lab.cores import Cores, in_order

Floats: TypeAlias = NDArray[np.float64]

SEATS: Final = (4, 3, 4)
STRAY: Final = 25
EVERY: Final = 5
RIDGE: Final = 5.0
THOUSANDTHS: Final = 1000
COMING: Final = ((0, 10), (10, 25), (25, 50), (50, 80), (80, 120), (120, 1000))
"""Moves still to come, by which it is said how good a forecast is."""


class Lesson(NamedTuple):
    """A game to learn from: the game, its seed, its number, and the trial games of a decision."""

    game: str
    seed: int
    number: int
    simulations: int


class Seen(NamedTuple):
    """What was seen in a game, a row for each player of each position that is kept: the terms, how far ahead that one
    ended, in points (both less the mean of the table), and how many moves were still to come.
    """

    terms: Floats
    ahead: Floats
    coming: Floats


def seen(lesson: Lesson) -> Seen:
    """Play a game, and return what there was to see. Raises ModuleNotFoundError where the game has no forecast."""
    game, chance = spieltisch.game(lesson.game), random.Random(f"{lesson.seed} {lesson.number}")
    terms = import_module(f"{type(game).__module__}.forecast").terms
    seats, seed = SEATS[lesson.number % len(SEATS)], (lesson.seed << 20) + lesson.number
    position, budget, kept, when = game.start(seats, seed=seed), Budget(lesson.simulations), [], []
    while (seat := position.seat) is not None:
        moves = position.legal_moves.numbers
        if (position.number + lesson.number) % EVERY == 0:
            rows = np.array([terms(position.state, position.setup.plain_params, p) for p in range(seats)], float)
            kept.append(rows - rows.mean(0))
            when.append(position.number)
        move = int(chance.choice(moves))
        if len(moves) > 1 and chance.randrange(STRAY):
            move = levels.search(position.observe(seat), seed + position.number, budget).move
        position.play(move)
    ends = np.array(position.scores, float)
    return Seen(
        np.concatenate(kept),
        np.tile(ends - ends.mean(), len(kept)),
        np.repeat(position.number - np.array(when, float), seats),
    )


def joined(lessons: list[Seen]) -> Seen:
    """What was seen in all of them."""
    return Seen(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def fitted(lesson: Seen) -> Floats:
    """The weights, in points, by ridge regression."""
    terms, ahead, _ = lesson
    return np.linalg.solve(terms.T @ terms + RIDGE * np.eye(terms.shape[1]), terms.T @ ahead).astype(np.float64)


def likeness(one: Floats, other: Floats) -> float:
    """The correlation."""
    return float(np.corrcoef(one, other)[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=60, help="trial games of a decision")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    library.build(given.game)
    game = spieltisch.game(given.game)
    lessons = [Lesson(given.game, given.seed, number, given.simulations) for number in range(given.games)]
    found = [one for _, one in in_order(Cores(given.jobs), seen, lessons)]
    test, weights = joined(found[::4]), fitted(joined([one for n, one in enumerate(found) if n % 4]))
    for least, most in COMING:
        at = (test.coming >= least) & (test.coming < most)
        if at.sum() > 2:
            told, points = (
                likeness(test.terms[at] @ weights, test.ahead[at]),
                likeness(test.terms[at, 0], test.ahead[at]),
            )
            print(f"{least:3} to {most:4} moves to come: {told:.2f}; the points alone: {points:.2f}", flush=True)
    names = import_module(f"{type(game).__module__}.forecast").WEIGHTS
    for name, weight in zip(names, fitted(joined(found)), strict=True):
        print(f'    "{name}": {round(float(weight) * game.point * THOUSANDTHS)},')


if __name__ == "__main__":
    main()
