"""What was, as pages show it: against whom, where points came from, how strong. Bars are numbers for an SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.core.words import Words, removed_person_number
from spieltisch.store.results import Results
from spieltisch.tables import GameResult, ResultPlayer
from spieltisch.tables.ratings import START_RATING, Rating, bot_ratings

PAGE: Final = 50
"""Games on one page of the list."""
MOST_RIVALS: Final = 50
BAR_WIDTH: Final = 100
"""How wide a bar can be."""


class Opponent(NamedTuple):
    """Somebody one has played against: a person's latest `name` here, or a `bot`'s kind; games, and how they went."""

    name: str
    bot: str
    games: int
    wins: int
    ties: int
    losses: int


def opponents(person: str, games: Results) -> list[Opponent]:
    """Who sat across from this person, to the end, the most frequent first. Those whose names are gone count as one."""
    names: dict[tuple[str, str], str] = {}
    counts: Counter[tuple[str, str]] = Counter()
    went: Counter[tuple[tuple[str, str], str]] = Counter()
    for _, result in games:
        mine = _seat(person, result)
        for number, player in enumerate(result.players):
            if number == mine or player.kind == "left":
                continue
            key = _who(player)
            names.setdefault(key, "" if key[0] == "guest" else player.name)
            counts[key] += 1
            me = result.players[mine].place
            went[key, "ahead" if me < player.place else "behind" if me > player.place else "level"] += 1
    return [
        Opponent(names[key], key[1] if key[0] == "bot" else "", many, *(went[key, how] for how in Opponent._fields[3:]))
        for key, many in counts.most_common(MOST_RIVALS)
    ]


def _who(player: ResultPlayer) -> tuple[str, str]:
    if player.kind == "bot":
        return "bot", player.bot.partition("@")[0]
    if removed_person_number(player.name) is not None:
        return "guest", ""
    return "person", player.person if "/" not in player.person else player.name


def _seat(person: str, result: GameResult) -> int:
    seat = result.seat_of(person)
    assert seat is not None  # noqa: S101  # the store has given the games of this person
    return seat


def rows(person: str, games: Results) -> list[dict[str, Any]]:
    """The lines of the list."""
    found = []
    for table_id, result in games:
        seat = _seat(person, result)
        found.append(
            {
                "id": table_id,
                "game": result.game,
                "at": result.at,
                "me": result.players[seat],
                "seats": len(result.players),
                "others": [one.name for number, one in enumerate(result.players) if number != seat],
                "rated": result.rated,
            }
        )
    return found


def rated_games(games: Results) -> list[tuple[str, int]]:
    """The games that were rated at least once, each with its numbers of players."""
    return sorted({(result.game, len(result.players)) for _, result in games if result.rated})


def rating_scales(mine: Iterable[tuple[str, int, Rating]]) -> list[dict[str, Any]]:
    """For each game people and bots on one scale, the strongest first: a line for each of my ratings, one for each
    bot.
    """
    return [_scale(game, list(ratings)) for game, ratings in groupby(mine, key=itemgetter(0))]


def _scale(game: str, mine: Sequence[tuple[str, int, Rating]]) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [
        {"bot": "", "seats": seats, "points": one.points, "doubt": one.doubt, "games": one.games}
        for _, seats, one in mine
    ]
    lines += [
        {"bot": bot, "points": one.rating, "doubt": one.doubt, "measured": one.measured}
        for bot, one in bot_ratings(game).items()
    ]
    low = min(line["points"] - line["doubt"] for line in lines)
    high = max(line["points"] + line["doubt"] for line in lines)
    for line in lines:
        line["from"], line["to"], line["at"] = (
            round(BAR_WIDTH * (points - low) / (high - low), 1)
            for points in (line["points"] - line["doubt"], line["points"] + line["doubt"], line["points"])
        )
    return {
        "game": game,
        "lines": sorted(lines, key=lambda line: -line["points"]),
        "middle": round(BAR_WIDTH * (START_RATING - low) / (high - low)),
    }


def points_by_source(setup: Setup, players: Sequence[ResultPlayer], words: Words) -> list[dict[str, Any]]:
    """What brought the points of each player, source by source."""
    return _bars(setup, [[one] for one in players], words)


def average_points(person: str, game: Game, games: Results, words: Words) -> dict[str, Any]:
    """Where this person's points come from at a game, and where those of the others at the same tables do, a game."""
    results = [result for _, result in games if result.game == game.key]
    mine = [result.players[_seat(person, result)] for result in results]
    others = [one for result in results for n, one in enumerate(result.players) if n != _seat(person, result)]
    setup = game.setup(game.seats.start)
    return {
        "key": game.key,
        "games": len(results),
        "won": sum(one.place == 1 for one in mine),
        "points": [_mean(one.points for one in group) for group in (mine, others)],
        "sources": _bars(setup, [mine, others], words),
    }


def _bars(setup: Setup, groups: Sequence[Sequence[ResultPlayer]], words: Words) -> list[dict[str, Any]]:
    """A line for each source that has a name: what it brought to each group on average, with a bar from nothing."""
    of_groups: list[Mapping[int, float]] = []
    for group in groups:
        sums: Counter[int] = Counter()
        for player in group:
            sums.update(dict(player.sources))
        of_groups.append({source: amount / len(group) for source, amount in sums.items()})
    names = {
        source: words.say(name)
        for source in sorted({one for amounts in of_groups for one in amounts})
        if (name := setup.game.point_source_name(setup, source)) is not None
    }
    amounts = [of_group.get(source, 0.0) for of_group in of_groups for source in names]
    low, high = min([0.0, *amounts]), max([0.0, *amounts])
    span = (high - low) or 1.0
    return [
        {
            "name": name,
            "bars": [
                {
                    "amount": round(amount, 1),
                    "x": round(BAR_WIDTH * (min(amount, 0.0) - low) / span, 1),
                    "wide": round(BAR_WIDTH * abs(amount) / span, 1),
                    "zero": round(BAR_WIDTH * -low / span, 1),
                }
                for amount in (of_group.get(source, 0.0) for of_group in of_groups)
            ],
        }
        for source, name in names.items()
    ]


def _mean(values: Iterable[int]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 1) if found else 0.0
