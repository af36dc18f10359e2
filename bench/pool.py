"""The master against a pool of ways to play, at equal times: who wins most where all kinds sit?

    python -m bench.pool paris-connection --games 40 --jobs 2

A master sits at every table of four, three drawn from the pool in the other seats: the same search with other trial
games or none, with the tastes of the game's styles, a miser (who takes the most points at once), `greedy` and `random`.
So all of the pool are measured at like tables, and one as strong as the master wins as large a part of its seats.
Equal seeds give the same deals and tables; moves depend on how much a search comes to in its time.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, MovePredicate, SearchParams
from spieltisch.core.observation import Observation
from spieltisch.lab.arena import interval
from spieltisch.lab.parallel import Parallel, map_in_order

SEATS: Final = 4
MASTER: Final = "master"

Decide = Callable[[Observation, int, Budget], int]
"""A way to play: the number of the move, from what the seat sees, a seed and the budget of a decision."""


class Sitting(NamedTuple):
    """A game: who plays in which seat, the budget of a decision, and the seed of the deal."""

    game: str
    who: tuple[str, ...]
    budget: Budget
    seed: int


def ways(game: spieltisch.Game) -> Mapping[str, Decide]:
    """All ways to play a game, by their names; the master is the first."""
    own = levels.search_params_of(game)
    searching = {
        MASTER: own,
        "forecast, no trial games": replace(own, max_playout=0),
        "trial games by chance": replace(own, random_share=1.0),
        "trial games as greedy": replace(own, random_share=0.0, sampled_share=0.0),
    }
    return {
        **{name: partial(_searches, style, None) for name, style in searching.items()},
        **{name: partial(_searches, own, likes) for name, likes in game.styles.items()},
        "miser": miser,
        "greedy": partial(_plays, "greedy"),
        "random": partial(_plays, "random"),
    }


def _searches(style: SearchParams, likes: MovePredicate | None, seen: Observation, seed: int, budget: Budget) -> int:
    return levels.search(seen, seed, budget, style, likes).move


def _plays(name: str, seen: Observation, seed: int, budget: Budget) -> int:
    return bots.decide(name, seen, seed)


def miser(seen: Observation, seed: int, budget: Budget) -> int:
    """The move after which the seat has the most points; of equal ones any."""
    position, seat = seen.imagine(seed), seen.seat or 0
    moves = list(position.legal_moves.numbers)
    random.Random(seed).shuffle(moves)

    def points(move: int) -> int:
        tried = position.copy()
        tried.play(move)
        return tried.scores[seat]

    return int(max(moves, key=points))


def drawn(game: spieltisch.Game, budget: Budget, seed: int, number: int) -> Sitting:
    """The table with this number: the master moves up a seat from one to the next."""
    others = [name for name in ways(game) if name != MASTER]
    who = random.Random(f"{seed} {number}").sample(others, SEATS - 1)
    who.insert(number % SEATS, MASTER)
    return Sitting(game.key, tuple(who), budget, (seed << 32) + number)


def played(sitting: Sitting) -> tuple[float, ...]:
    """Which part of the win each seat has."""
    game = spieltisch.game(sitting.game)
    position, decide = game.start(SEATS, seed=sitting.seed), ways(game)
    while (seat := position.seat) is not None:
        moves = position.legal_moves.numbers
        move, chance = int(moves[0]), sitting.seed + position.number
        if len(moves) > 1:
            move = decide[sitting.who[seat]](position.observe(seat), chance, sitting.budget)
        position.play(move)
    assert position.outcome is not None
    winners = position.outcome.winners
    return tuple((seat in winners) / len(winners) for seat in range(SEATS))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a decision, for all who search")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    native_library.build(given.game)
    game = spieltisch.game(given.game)
    tables = [drawn(game, Budget(seconds=given.seconds), given.seed, number) for number in range(given.games)]
    sat, won = Counter[str](), dict.fromkeys(ways(game), 0.0)
    for sitting, parts in map_in_order(Parallel(given.jobs), played, tables):
        sat.update(sitting.who)
        for name, part in zip(sitting.who, parts, strict=True):
            won[name] += part
    for name in sorted(won, key=lambda name: -won[name] / max(1, sat[name])):
        low, high = interval(won[name], sat[name])
        print(f"{won[name] / max(1, sat[name]):4.0%} of {sat[name]:3} ({low:.0%} to {high:.0%})  {name}")


if __name__ == "__main__":
    main()
