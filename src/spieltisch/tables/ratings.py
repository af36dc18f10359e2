"""How strong people play, by OpenSkill (Weng and Lin's Plackett-Luce model): from the results of games of one kind with
one number of players, and nothing else. Bots stand where `bot_ratings.toml` says.

>>> ladder = Ladder()
>>> ladder.rating("ada")
Rating(points=1500, doubt=333, games=0)
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from spieltisch.tables.results import GameResult, ResultPlayer

START_RATING: Final = 1500
POINTS_PER_UNIT: Final = 20
"""Points of a unit of OpenSkill, in whose middle, 25, everybody begins."""
MARGIN_SIGMAS: Final = 2
"""How many standard deviations a doubt is: nineteen times out of twenty the strength lies within."""


class BotRating(msgspec.Struct, frozen=True):
    """Where a bot stands, give or take, and how that is known."""

    rating: int
    doubt: int
    source: str

    @property
    def measured(self) -> bool:
        return not self.source.startswith("assumed")


FALLBACK_GAME: Final = "other games"
"""Stands for the games of which nothing was measured."""


@cache
def bot_ratings(game: str) -> dict[str, BotRating]:
    """The bots' places at a game by kind, the strongest first."""
    read = tomllib.loads((Path(__file__).parent / "bot_ratings.toml").read_text(encoding="utf-8"))
    found = {bot: BotRating(**its) for bot, its in read.get(game, read[FALLBACK_GAME]).items()}
    return dict(sorted(found.items(), key=lambda one: -one[1].rating))


class Rating(msgspec.Struct, frozen=True):
    """A strength on the scale, give or take `doubt`, from so many games."""

    points: int
    doubt: int
    games: int


class Ladder:
    """The ratings after some results. They are those of the same results in the same order, however they came."""

    def __init__(self, results: Iterable[tuple[str, GameResult]] = ()) -> None:
        self._model = PlackettLuce()
        self._people: dict[str, PlackettLuceRating] = {}
        self._games: dict[str, int] = {}
        self._last: tuple[float, str] = (float("-inf"), "")
        for table_id, result in sorted(results, key=lambda one: (one[1].at, one[0])):
            self.add(table_id, result)

    def add(self, table_id: str, result: GameResult) -> bool:
        """Count one more game. False, and nothing is changed, where it is not the latest: then all have to be counted
        anew.
        """
        now = (result.at, table_id)
        if now <= self._last:
            return False
        self._last = now
        bots = bot_ratings(result.game)
        if result.rated and all(player.person or _kind(player) in bots for player in result.players):
            before = [[self._rating(player, bots)] for player in result.players]
            after = self._model.rate(before, ranks=[float(player.place) for player in result.players])
            for player, (rating,) in zip(result.players, after, strict=True):
                if player.person:
                    self._people[player.person] = rating
                    self._games[player.person] = self._games.get(player.person, 0) + 1
        return True

    def rating(self, person: str) -> Rating:
        """The rating of a person; of who has not played yet, the widest doubt."""
        found = self._people.get(person) or self._model.rating()
        points = START_RATING + POINTS_PER_UNIT * (found.mu - 25)
        return Rating(round(points), round(POINTS_PER_UNIT * MARGIN_SIGMAS * found.sigma), self._games.get(person, 0))

    def _rating(self, player: ResultPlayer, bots: Mapping[str, BotRating]) -> PlackettLuceRating:
        if player.person:
            return self._people.get(player.person) or self._model.rating()
        strength = bots[_kind(player)]
        return self._model.rating(
            mu=25 + (strength.rating - START_RATING) / POINTS_PER_UNIT,
            sigma=strength.doubt / POINTS_PER_UNIT / MARGIN_SIGMAS,
        )


def _kind(player: ResultPlayer) -> str:
    return player.bot.partition("@")[0]
