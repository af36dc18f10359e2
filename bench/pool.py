"""The expert bot against a pool of ways to play, at equal times: which wins most at mixed tables.

    python -m bench.pool paris-connection --games 40 --jobs 2

An expert bot sits at every table of four, with three players drawn from the pool: the same search with other playouts
or none, with the tastes of the game's styles, a miser (who takes the most points immediately), `easy` and `random`. So
all of the pool are measured at similar tables, and one as strong as the expert wins as large a share of its seats.
Equal seeds give the same deals and tables; moves depend on how far a search gets in its time.
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
from spieltisch.bots import levels, styles
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, MoveBonus, SearchParams
from spieltisch.bots.turns import Answer, single
from spieltisch.core.observation import Observation
from spieltisch.lab.arena import interval
from spieltisch.lab.parallel import Parallel, map_in_order

SEATS: Final = 4
"""The number of players of a table."""
EXPERT: Final = "expert"
"""The bot that is compared."""

Strategy = Callable[[Observation, int, Budget], Answer]
"""A way to play: the answer, from what the seat sees, a seed and the budget of a turn."""


class MixedTable(NamedTuple):
    """A game: the players by seat, the budget of a turn, and the seed of the deal."""

    game: str
    players: tuple[str, ...]
    budget: Budget
    seed: int


def strategies(game: spieltisch.Game) -> Mapping[str, Strategy]:
    """Return all ways to play a game, by their names; the expert is the first."""
    own = levels.search_params_of(game)
    searching = {
        EXPERT: own,
        "forecast, no trial games": replace(own, max_playout=0),
        "trial games by chance": replace(own, random_share=1.0),
        "trial games as easy": replace(own, random_share=0.0, sampled_share=0.0),
    }
    return {
        **{name: partial(_searches, style, None) for name, style in searching.items()},
        **{name: partial(_searches, own, styles.bonus_of(game, name)) for name in game.styles},
        "miser": play_greedily,
        "easy": partial(_plays, "easy"),
        "random": partial(_plays, "random"),
    }


def _searches(style: SearchParams, bonus: MoveBonus | None, seen: Observation, seed: int, budget: Budget) -> Answer:
    return levels.turn(seen, seed, budget, style, bonus)


def _plays(name: str, seen: Observation, seed: int, budget: Budget) -> Answer:
    return bots.answer(name, seen, seed)


def play_greedily(seen: Observation, seed: int, budget: Budget) -> Answer:
    """Return the move after which the seat has the most points; a random one if several are equal."""
    position, seat = seen.imagine(seed), seen.seat or 0
    moves = list(position.legal_moves.numbers)
    random.Random(seed).shuffle(moves)

    def points(move: int) -> int:
        tried = position.copy()
        tried.play(move)
        return tried.scores[seat]

    return single(seen, max(moves, key=points))


def draw_table(game: spieltisch.Game, budget: Budget, seed: int, number: int) -> MixedTable:
    """Return the table with this number: the expert moves up a seat from one to the next."""
    others = [name for name in strategies(game) if name != EXPERT]
    players = random.Random(f"{seed} {number}").sample(others, SEATS - 1)
    players.insert(number % SEATS, EXPERT)
    return MixedTable(game.key, tuple(players), budget, (seed << 32) + number)


def play_game(sitting: MixedTable) -> tuple[float, ...]:
    """Return each seat's share of the win."""
    game = spieltisch.game(sitting.game)
    position, turns, known = game.start(SEATS, seed=sitting.seed), bots.Turns(), strategies(game)

    def answer(seen: Observation, seed: int) -> Answer:
        return known[sitting.players[seen.seat or 0]](seen, seed, sitting.budget)

    while (seat := position.seat) is not None:
        position.play(turns.decide(answer, position.observe(seat), lambda: sitting.seed + position.number))
    assert position.outcome is not None
    winners = position.outcome.winners
    return tuple((seat in winners) / len(winners) for seat in range(SEATS))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.1, help="seconds of a turn, for all searching players")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    native_library.build(arguments.game)
    game = spieltisch.game(arguments.game)
    tables = [
        draw_table(game, Budget(seconds=arguments.seconds), arguments.seed, number) for number in range(arguments.games)
    ]
    seats, won = Counter[str](), dict.fromkeys(strategies(game), 0.0)
    for sitting, shares in map_in_order(Parallel(arguments.jobs), play_game, tables):
        seats.update(sitting.players)
        for name, share in zip(sitting.players, shares, strict=True):
            won[name] += share
    for name in sorted(won, key=lambda name: -won[name] / max(1, seats[name])):
        low, high = interval(won[name], seats[name])
        print(f"{won[name] / max(1, seats[name]):4.0%} of {seats[name]:3} ({low:.0%} to {high:.0%})  {name}")


if __name__ == "__main__":
    main()
