"""A person's finished games: opponents, sources of points, ratings. Bars are numbers for an SVG."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.core.words import Value, Words
from spieltisch.live.game_history import PersonHistory
from spieltisch.store.results import Results
from spieltisch.tables import GameResult, ResultPlayer
from spieltisch.tables.person_totals import GameTotals, PersonTotals
from spieltisch.tables.ratings import START_RATING, Rating, bot_ratings
from spieltisch.web.pages.renderer import Renderer

FILTERS: Final = ("", "turn", "running", "finished")
"""The filters of the list of games, by the value of `show` in the address."""
PAGE_SIZE: Final = 20
"""Games on one page of the list."""
MAX_OPPONENTS: Final = 50
BAR_WIDTH: Final = 100
"""Maximum width of a bar."""


class Opponent(NamedTuple):
    """An opponent in a person's finished games, with the results as that person sees them.

    `name` is the opponent's latest name, or "" if it was deleted. `bot` is the kind of bot, or "" for a person.
    `wins`, `ties` and `losses` compare the person's place with the opponent's, in each game once: bots of one kind, or
    people whose names were deleted, count as one opponent, with the best of their places.
    """

    name: str
    bot: str
    games: int
    wins: int
    ties: int
    losses: int


class Row(NamedTuple):
    """A game in the list."""

    id: str
    game: str
    at: float
    me: ResultPlayer
    seats: int
    others: tuple[str, ...]


class HistoryView(msgspec.Struct, frozen=True):
    """A person's games: the variables of `history.html`.

    `shown` and `chosen` are the filter and the game, `first` the number of the first game on this page, `following` of
    the first one on the next. `in_progress` are the games in play and where more of them begin, `rows` the finished.
    """

    games: Mapping[str, Game]
    past: PersonHistory
    first: int
    shown: str
    chosen: str
    in_progress: tuple[Sequence[Markup], int | None]
    rows: Sequence[Markup]
    following: int | None
    rivals: list[Opponent]
    scales: list[dict[str, Any]]
    averages: list[dict[str, Any]]


def opponents(totals: PersonTotals) -> list[Opponent]:
    """Return the opponents who played to the end, the most frequent first."""
    frequent = sorted(totals.opponents.items(), key=lambda item: (-item[1].games, -item[1].at, item[0]))
    return [
        Opponent(
            opponent.name,
            key.partition(" ")[2] if key.startswith("bot ") else "",
            opponent.games,
            opponent.wins,
            opponent.ties,
            opponent.losses,
        )
        for key, opponent in frequent[:MAX_OPPONENTS]
    ]


def _seat(person: str, result: GameResult) -> int:
    seat = result.seat_of(person)
    assert seat is not None  # noqa: S101  # the store has given the games of this person
    return seat


def rows(
    pages: Renderer,
    language: str,
    person: str,
    games: Results,
    titles: Mapping[str, Value],
    plates: Mapping[str, str] = MappingProxyType({}),
) -> list[Markup]:
    """Return the cards of finished games, with their covers. Results never change, so each is rendered once."""
    entries = []
    for table_id, result in games:
        seat = _seat(person, result)
        others = tuple(player.name for number, player in enumerate(result.players) if number != seat)
        row = Row(table_id, result.game, result.at, result.players[seat], len(result.players), others)
        context = {"row": row, "title": titles.get(result.game), "plate": plates.get(result.game, "")}
        entries.append(pages.render_row("history_row.html", language, row, partial(dict, context)))
    return entries


def rated_games(totals: PersonTotals) -> list[tuple[str, int]]:
    """Return the games with rated results, each with its numbers of players."""
    return [(game, seats) for game, kind in sorted(totals.kinds.items()) for seats in kind.rated]


def rating_scales(own_ratings: Iterable[tuple[str, int, Rating]]) -> list[dict[str, Any]]:
    """Return a scale of people and bots for each game, strongest first, with a line for each rating and each bot."""
    return [_scale(game, list(ratings)) for game, ratings in groupby(own_ratings, key=itemgetter(0))]


def _scale(game: str, own_ratings: Sequence[tuple[str, int, Rating]]) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [
        {"bot": "", "seats": seats, "points": rating.points, "doubt": rating.doubt, "games": rating.games}
        for _, seats, rating in own_ratings
    ]
    lines += [
        {"bot": bot, "points": rating.rating, "doubt": rating.doubt, "measured": rating.is_measured}
        for bot, rating in bot_ratings(game).items()
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
    """Return the bars that compare from what each player of one game got points."""
    return _bars(setup, [dict(player.sources) for player in players], words)


def average_points(game: Game, totals: GameTotals, words: Words) -> dict[str, Any]:
    """Return the average points by source of a person and of the other players at the same tables of a game."""
    groups = totals.own, totals.others
    averages = [{source: amount / group.players for source, amount in group.sources.items()} for group in groups]
    return {
        "key": game.key,
        "games": totals.games,
        "won": totals.won,
        "best": [(seats, points[0], totals.best_at[seats]) for seats, points in sorted(totals.best.items())],
        "points": [round(group.points / group.players, 1) if group.players else 0.0 for group in groups],
        "sources": _bars(game.setup(game.seats.start), averages, words),
    }


def _bars(setup: Setup, averages: Sequence[Mapping[int, float]], words: Words) -> list[dict[str, Any]]:
    """Return a line for each named source: the average of each group, with a bar that starts at zero."""
    names = {
        source: words.say(name)
        for source in sorted(set().union(*averages))
        if (name := setup.game.point_source_name(setup, source)) is not None
    }
    amounts = [average.get(source, 0.0) for average in averages for source in names]
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
                for amount in (average.get(source, 0.0) for average in averages)
            ],
        }
        for source, name in names.items()
    ]
