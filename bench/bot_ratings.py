"""Where bots stand on the scale of ratings, from duels of the arena: `src/spieltisch/tables/bot_ratings.toml`.

    spieltisch arena paris-connection --bots engineer,greedy --json > duel.json
    python -m bench.bot_ratings duel.json ... > src/spieltisch/tables/bot_ratings.toml

Each duel says how far its two bots are from each other; a bot stands as far from greedy, the middle of the scale, as
the duels on the way say. Distances add up, and so do the squares of their doubts. Where nobody has measured, a bot is
assumed to be as far from the same other one as on average elsewhere.
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
"""How much chance there is in one game, in units of OpenSkill."""
HEAD = """\
# Where the bots stand on the scale of ratings, game by game. They stay there, and hold it: people move, by their games
# with them and with each other. Every figure has its source; made by `python -m bench.bot_ratings`, which says how.
#
# From the share w of duels in pairs of seats that one bot won, at tables of n seats, the distance is
# log(w / (1 - w)) * sqrt(n) * 25 / 6 units of OpenSkill, 20 points each. A doubt is half of the interval of 95 %.
"""


class Place(NamedTuple):
    rating: float
    doubt: float
    source: str
    other: str
    """The bot it was measured against."""
    far: float
    """How far it stands above that one."""


def distance(share: float, seats: int) -> float:
    """In points of the scale."""
    return log(share / (1 - share)) * sqrt(seats) * BETA * POINTS_PER_UNIT


def measured(duel: dict[str, Any], seats: int) -> tuple[float, float]:
    """How far the first bot stands above the second, give or take. Half a game is added for each side: who has won all
    games is not infinitely better.
    """
    games = duel["games"]
    between = [(share * games + 0.5) / (games + 1) for share in (duel["from"], duel["share"], duel["to"])]
    low, middle, high = (distance(share, seats) for share in between)
    return middle, (high - low) / 2


def places(duels: dict[tuple[str, str], tuple[dict[str, Any], int]]) -> dict[str, Place]:
    """All bots that are tied to greedy by duels, each by the shortest way."""
    found = {"greedy": Place(START_RATING, 60, "by definition: the middle of the scale", "", 0)}
    reached = ["greedy"]
    for known in reached:
        for (one, other), (duel, seats) in duels.items():
            if known not in (one, other) or {one, other} <= found.keys():
                continue
            far, doubt = measured(duel, seats)
            new, sign = (one, 1) if known == other else (other, -1)
            before = found[known]
            own = 0.0 if known == "greedy" else before.doubt
            won = duel["share"] if new == one else 1 - duel["share"]
            source = f"measured: won {won:.0%} of {duel['games']} games, two against two {known}"
            found[new] = Place(before.rating + sign * far, hypot(own, doubt), source, known, sign * far)
            reached.append(new)
    return found


def table(game: str, found: dict[str, Place]) -> str:
    lines = [
        f'{bot} = {{ rating = {round(one.rating)}, doubt = {round(one.doubt)}, source = "{one.source}" }}'
        for bot, one in sorted(found.items(), key=lambda place: place[1].rating)
    ]
    name = game if game.replace("-", "").isalnum() else f'"{game}"'
    return "\n".join([f"\n[{name}]", *lines])


def main() -> None:
    duels: dict[str, dict[tuple[str, str], tuple[dict[str, Any], int]]] = {}
    for path in sys.argv[1:]:
        told = json.loads(Path(path).read_text(encoding="utf-8"))
        for duel in told["duels"]:
            duels.setdefault(told["game"], {})[duel["one"], duel["other"]] = duel, told["seats"]
    games = {game: places(found) for game, found in sorted(duels.items())}
    print(HEAD, end="")
    for game, found in games.items():
        print(table(game, assumed(found, games.values())))
    print(table(FALLBACK_GAME, assumed({"greedy": places({})["greedy"]}, games.values())))


def assumed(found: dict[str, Place], games: Iterable[dict[str, Place]]) -> dict[str, Place]:
    """The same with the bots that were measured at other games alone; nearer to greedy first."""
    whole = dict(found)
    for bot in dict.fromkeys(bot for game in games for bot in game):
        known = [game[bot] for game in games if bot in game]
        if bot not in whole:
            before, mean = whole[known[0].other], fmean(one.far for one in known)
            spread = max(abs(one.far - mean) for one in known)
            source = f"assumed: as far from {known[0].other} as at other games"
            whole[bot] = Place(before.rating + mean, hypot(before.doubt, 200, spread), source, known[0].other, mean)
    return whole


if __name__ == "__main__":
    main()
