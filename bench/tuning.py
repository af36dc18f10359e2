"""The tuning of search parameters by games: a grid of candidates is halved until one is left.

    python -m bench.tuning paris-connection --games 12 --jobs 2
    python -m bench.tuning legendary-inventors --seconds 0.1 --games 12 --jobs 2

All searches have equal numbers of simulations or, with `--seconds`, equal times. Each candidate of `GRID` has half of
the seats; the other seats have, in turn, an opponent from the pool: the search with the present parameters
(`Game.search_params`), the same with the tastes of the game's styles, and `easy`. All candidates play the same deals
against the same opponents. The better half continues, with twice as many games, until one is left (Karnin, Koren,
Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013). That one then plays against the present parameters
alone, with other deals, in which it does not benefit from the luck that it may have been chosen for. `--only` skips to
that final. Equal seeds give equal figures, regardless of the number of jobs, unless times are equal. To tune where
playouts are cut (`max_playout`), times must be equal, because shorter playouts cost less.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Final, NamedTuple

import msgspec

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels, styles
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.lab.arena import interval, seatings
from spieltisch.lab.parallel import Parallel, map_in_order

GRID: Final[dict[str, tuple[float, ...]]] = {"temperature": (0.7, 2.0), "scale": (3.0, 8.0, 25.0)}
"""The values of the fields of `SearchParams` that are tried, in all combinations."""
TIMED: Final[dict[str, tuple[float, ...]]] = {"max_playout": (12, 1000)}
"""The values that are also tried if times are equal."""
SEATS: Final = 4
"""The number of players of a game."""
FINAL: Final = 1 << 20
"""The number of the first game of the final."""


class Duel(NamedTuple):
    """A game: the candidate, the opponent from the pool, the budget of a turn, the number."""

    game: str
    candidate: SearchParams
    opponent: str
    budget: Budget
    seed: int
    number: int


def opponents_of(game: spieltisch.Game) -> tuple[str, ...]:
    """Return the candidates' opponents: the present parameters, the same with tastes, and a bot without a search."""
    return ("", *game.styles, "easy")


def play_duel(duel: Duel) -> float:
    """Return the share of the win of the candidate's seats."""
    game, sittings = spieltisch.game(duel.game), seatings(SEATS)
    is_candidate = sittings[duel.number % len(sittings)]
    seed = (duel.seed << 32) + duel.number
    position, turns, present = game.start(SEATS, seed=seed), bots.Turns(), levels.search_params_of(game)
    while (seat := position.seat) is not None:
        if is_candidate[seat]:
            way = partial(levels.turn, budget=duel.budget, style=duel.candidate)
        elif duel.opponent == "easy":
            way = partial(bots.answer, "easy")
        else:
            way = partial(levels.turn, budget=duel.budget, style=present, bonus=styles.bonus_of(game, duel.opponent))
        position.play(turns.decide(way, position.observe(seat), lambda: seed + position.number))
    assert position.outcome is not None
    winners = position.outcome.winners
    return sum(is_candidate[seat] for seat in winners) / len(winners)


def rate_candidates(cores: Parallel, candidates: Sequence[SearchParams], games: Sequence[Duel]) -> list[float]:
    """Return each candidate's share of wins in the games, in each of which it replaces the candidate."""
    duels = [game._replace(candidate=style) for style in candidates for game in games]
    won = [part for _, part in map_in_order(cores, play_duel, duels)]
    return [sum(won[at : at + len(games)]) / len(games) for at in range(0, len(won), len(games))]


def halve_candidates(cores: Parallel, candidates: Sequence[SearchParams], first: Duel, games: int) -> SearchParams:
    """Return the candidate that is left."""
    left, opponents, number = list(candidates), opponents_of(spieltisch.game(first.game)), 0
    while len(left) > 1:
        numbers = range(number, number + games)
        duels = [first._replace(opponent=opponents[n % len(opponents)], number=n) for n in numbers]
        shares = rate_candidates(cores, left, duels)
        order = sorted(range(len(left)), key=lambda at: -shares[at])
        for at in order:
            print(f"{games:5} games  {shares[at]:4.0%}  {describe(left[at])}", flush=True)
        print(flush=True)
        left, number, games = [left[at] for at in order[: (len(left) + 1) // 2]], number + games, 2 * games
    return left[0]


def describe(style: SearchParams) -> str:
    """Return the values that differ from the defaults of `SearchParams`, as text."""
    values, defaults = msgspec.structs.asdict(style), msgspec.structs.asdict(SearchParams())
    return ", ".join(f"{name} {value:g}" for name, value in values.items() if value != defaults[name]) or "as usual"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=12, help="games of each candidate in the first round")
    parser.add_argument("--final", type=int, default=96, help="games against the present parameters")
    parser.add_argument("--simulations", type=int, default=120, help="simulations of a turn")
    parser.add_argument("--seconds", type=float, help="seconds of a turn instead")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="NAME=VALUE,...: no halving, this candidate alone")
    arguments = parser.parse_args()
    native_library.build(arguments.game)
    present = levels.search_params_of(spieltisch.game(arguments.game))
    budget = Budget(arguments.simulations) if arguments.seconds is None else Budget(seconds=arguments.seconds)
    cores, first = Parallel(arguments.jobs), Duel(arguments.game, present, "", budget, arguments.seed, 0)
    if arguments.only:
        values = dict(pair.split("=") for pair in arguments.only.split(","))
        best = msgspec.structs.replace(
            present, **{name: type(getattr(present, name))(value) for name, value in values.items()}
        )
    else:
        grid = GRID if arguments.seconds is None else GRID | TIMED
        combinations = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
        best = halve_candidates(
            cores, [msgspec.structs.replace(present, **values) for values in combinations], first, arguments.games
        )
    print(f"Left: {describe(best)}; present: {describe(present)}", flush=True)
    [share] = rate_candidates(cores, [best], [first._replace(number=FINAL + n) for n in range(arguments.final)])
    low, high = interval(share * arguments.final, arguments.final)
    print(f"Against the present parameters it won {share:.0%} of {arguments.final} games ({low:.0%} to {high:.0%}).")


if __name__ == "__main__":
    main()
