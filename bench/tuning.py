"""Parameters of the search, found by games: halving a grid of them, at equal numbers of trial games or, with
`--seconds`, at equal times.

    python -m bench.tuning paris-connection --games 12 --jobs 2
    python -m bench.tuning legendary-inventors --seconds 0.1 --games 12 --jobs 2

Each candidate of `GRID` sits in half of the seats; in the others sits, turn by turn, somebody of the pool: the search
with the present parameters (`Game.search`), the same with the tastes of the game's styles, and `greedy`. All candidates
play the same deals against the same opponents. The better half goes on, with twice as many games, until one is left
(Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013). That one then plays the present
parameters alone, at other deals: it was chosen for what may have been luck, and there it has none. `--only` goes
straight to that. Equal seeds give equal figures, whatever the number of jobs, unless time is what is equal: it has to
be where trial games are cut (`length`), for a short one costs less.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

import msgspec

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.lab.arena import interval, seatings
from spieltisch.lab.parallel import Parallel, map_in_order

GRID: Final[dict[str, tuple[float, ...]]] = {"temperature": (0.7, 2.0), "scale": (3.0, 8.0, 25.0)}
"""Which values of `Style` are tried, each with each; at equal times also these:"""
TIMED: Final[dict[str, tuple[float, ...]]] = {"max_playout": (12, 1000)}
SEATS: Final = 4
FINAL: Final = 1 << 20
"""The number of the first game of the final."""


class Duel(NamedTuple):
    """A game: the candidate and who of the pool sits in the other seats, the budget of a decision, the number."""

    game: str
    one: SearchParams
    other: str
    budget: Budget
    seed: int
    number: int


def pool(game: spieltisch.Game) -> tuple[str, ...]:
    """Who candidates play against: the present parameters, the same with tastes, and a bot that does not search."""
    return ("", *game.styles, "greedy")


def played(duel: Duel) -> float:
    """Which part of the win the candidate's seats had."""
    game, ways = spieltisch.game(duel.game), seatings(SEATS)
    sits = ways[duel.number % len(ways)]
    seed = (duel.seed << 32) + duel.number
    position, budget, present = game.start(SEATS, seed=seed), duel.budget, levels.search_params_of(game)
    while (seat := position.seat) is not None:
        legal, chance = position.legal_moves, seed + position.number
        if len(legal) == 1:
            position.play(legal[0])
        elif sits[seat]:
            position.play(levels.search(position.observe(seat), chance, budget, duel.one).move)
        elif duel.other == "greedy":
            position.play(bots.decide("greedy", position.observe(seat), chance))
        else:
            likes = game.styles.get(duel.other)
            position.play(levels.search(position.observe(seat), chance, budget, present, likes).move)
    assert position.outcome is not None
    winners = position.outcome.winners
    return sum(sits[seat] for seat in winners) / len(winners)


def rated(cores: Parallel, candidates: Sequence[SearchParams], games: Sequence[Duel]) -> list[float]:
    """Which part of their games each of them won; the games' own candidate is replaced by each."""
    duels = [game._replace(one=style) for style in candidates for game in games]
    won = [part for _, part in map_in_order(cores, played, duels)]
    return [sum(won[at : at + len(games)]) / len(games) for at in range(0, len(won), len(games))]


def halved(cores: Parallel, candidates: Sequence[SearchParams], first: Duel, games: int) -> SearchParams:
    """The candidate that is left of all."""
    left, opponents, number = list(candidates), pool(spieltisch.game(first.game)), 0
    while len(left) > 1:
        duels = [first._replace(other=opponents[n % len(opponents)], number=n) for n in range(number, number + games)]
        shares = rated(cores, left, duels)
        order = sorted(range(len(left)), key=lambda at: -shares[at])
        for at in order:
            print(f"{games:5} games  {shares[at]:4.0%}  {told(left[at])}", flush=True)
        print(flush=True)
        left, number, games = [left[at] for at in order[: (len(left) + 1) // 2]], number + games, 2 * games
    return left[0]


def told(style: SearchParams) -> str:
    """What differs from the values that `Style` has by itself."""
    own, usual = msgspec.structs.asdict(style), msgspec.structs.asdict(SearchParams())
    return ", ".join(f"{name} {value:g}" for name, value in own.items() if value != usual[name]) or "as usual"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=12, help="of each candidate in the first round")
    parser.add_argument("--final", type=int, default=96, help="games against the present parameters")
    parser.add_argument("--simulations", type=int, default=60, help="trial games of a decision")
    parser.add_argument("--seconds", type=float, help="of a decision, instead")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="NAME=VALUE,...: no halving, this candidate alone")
    given = parser.parse_args()
    native_library.build(given.game)
    present = levels.search_params_of(spieltisch.game(given.game))
    budget = Budget(given.simulations) if given.seconds is None else Budget(seconds=given.seconds)
    cores, first = Parallel(given.jobs), Duel(given.game, present, "", budget, given.seed, 0)
    if given.only:
        values = dict(one.split("=") for one in given.only.split(","))
        best = msgspec.structs.replace(
            present, **{name: type(getattr(present, name))(value) for name, value in values.items()}
        )
    else:
        tried = GRID if given.seconds is None else GRID | TIMED
        grid = [dict(zip(tried, values, strict=True)) for values in product(*tried.values())]
        best = halved(cores, [msgspec.structs.replace(present, **one) for one in grid], first, given.games)
    print(f"Left: {told(best)}; present: {told(present)}", flush=True)
    [share] = rated(cores, [best], [first._replace(number=FINAL + n) for n in range(given.final)])
    low, high = interval(share * given.final, given.final)
    print(f"Against the present parameters it won {share:.0%} of {given.final} games ({low:.0%} to {high:.0%}).")


if __name__ == "__main__":
    main()
