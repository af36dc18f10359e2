"""The ratings of the bots, from duels of the arena: `src/spieltisch/tables/bot_ratings.toml`.

    spieltisch arena paris-connection --bots medium,easy --json > duel.json
    python -m bench.bot_ratings duel.json ... > src/spieltisch/tables/bot_ratings.toml

Each duel gives the distance between its two bots. A bot's distance from easy, the middle of the scale, is the sum of
the distances on the path of duels to it; the squares of their margins add up, too. A bot without measurements in a game
is estimated to have its mean distance from the same opponent in the other games.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from math import hypot, log, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from spieltisch.tables.ratings import FALLBACK_GAME, POINTS_PER_UNIT, START_RATING

BETA = 25 / 6
"""The amount of chance in one game, in units of OpenSkill."""
HEADER = """\
# Where the bots stand on the scale of ratings, game by game. They stay there, and hold it: people move, by their games
# with them and with each other. Every figure has its source; made by `python -m bench.bot_ratings`, which says how.
#
# From the share w of duels in pairs of seats that one bot won, at tables of n seats, the distance is
# log(w / (1 - w)) * sqrt(n) * 25 / 6 units of OpenSkill, 20 points each. A doubt is half of the interval of 95 %.
"""
"""The head of the file."""


class Skill(NamedTuple):
    """A bot's place on the scale."""

    rating: float
    """The rating."""
    doubt: float
    """The margin of the rating: half of the 95 % interval."""
    source: str
    """The source of the figures."""
    other: str
    """The bot against which it was measured."""
    far: float
    """Its distance above that bot."""


def skill_distance(share: float, seats: int) -> float:
    """Return the distance for a share of wins, in points of the scale."""
    return log(share / (1 - share)) * sqrt(seats) * BETA * POINTS_PER_UNIT


def measure_duel(duel: dict[str, Any], seats: int) -> tuple[float, float]:
    """Return the distance of the first bot above the second, and its margin.

    Half a game is added for each side: a bot that has won all games is not infinitely better.
    """
    games = duel["games"]
    between = [(share * games + 0.5) / (games + 1) for share in (duel["from"], duel["share"], duel["to"])]
    low, middle, high = (skill_distance(share, seats) for share in between)
    return middle, (high - low) / 2


def place_bots(duels: dict[tuple[str, str], tuple[dict[str, Any], int]]) -> dict[str, Skill]:
    """Return the places of all bots that duels connect to easy, each by the shortest path."""
    placed = {"easy": Skill(START_RATING, 60, "by definition: the middle of the scale", "", 0)}
    reached = ["easy"]
    for base in reached:
        for (first, second), (duel, seats) in duels.items():
            if base not in (first, second) or {first, second} <= placed.keys():
                continue
            difference, doubt = measure_duel(duel, seats)
            new, sign = (first, 1) if base == second else (second, -1)
            base_place = placed[base]
            base_margin = 0.0 if base == "easy" else base_place.doubt
            won = duel["share"] if new == first else 1 - duel["share"]
            source = f"measured: won {won:.0%} of {duel['games']} games, two against two {base}"
            placed[new] = Skill(
                base_place.rating + sign * difference, hypot(base_margin, doubt), source, base, sign * difference
            )
            reached.append(new)
    return placed


def render_table(game: str, by_bot: dict[str, Skill]) -> str:
    """Return the TOML table of a game."""
    lines = [
        f'{bot} = {{ rating = {round(rated.rating)}, doubt = {round(rated.doubt)}, source = "{rated.source}" }}'
        for bot, rated in sorted(by_bot.items(), key=lambda place: place[1].rating)
    ]
    name = game if game.replace("-", "").isalnum() else f'"{game}"'
    return "\n".join([f"\n[{name}]", *lines])


def main() -> None:
    """Print the file for the duels named on the command line."""
    duels: dict[str, dict[tuple[str, str], tuple[dict[str, Any], int]]] = {}
    for path in sys.argv[1:]:
        arena = json.loads(Path(path).read_text(encoding="utf-8"))
        for duel in arena["duels"]:
            duels.setdefault(arena["game"], {})[duel["one"], duel["other"]] = duel, arena["seats"]
    games = {game: place_bots(placed) for game, placed in sorted(duels.items())}
    print(HEADER, end="")
    for game, placed in games.items():
        print(render_table(game, estimate_ratings(placed, games.values())))
    print(render_table(FALLBACK_GAME, estimate_ratings({"easy": place_bots({})["easy"]}, games.values())))


def estimate_ratings(by_bot: dict[str, Skill], games: Iterable[dict[str, Skill]]) -> dict[str, Skill]:
    """Return the places with those of bots that were only measured in other games; nearest to easy first."""
    complete = dict(by_bot)
    for bot in dict.fromkeys(bot for game in games for bot in game):
        placed = [game[bot] for game in games if bot in game]
        if bot not in complete:
            base, mean = complete[placed[0].other], fmean(place.far for place in placed)
            spread = max(abs(place.far - mean) for place in placed)
            source = f"estimated: as far from {placed[0].other} as at other games"
            complete[bot] = Skill(base.rating + mean, hypot(base.doubt, 200, spread), source, placed[0].other, mean)
    return complete


if __name__ == "__main__":
    main()
