"""Ratings of people by OpenSkill (Weng and Lin's Plackett-Luce model).

They depend only on the results of games of one kind with one number of players. Bots have the fixed ratings in
`bot_ratings.toml`.

>>> ladder = Ladder()
>>> ladder.rating("ada")
Rating(points=1500, doubt=333, games=0)
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from spieltisch.tables.results import GameResult, ResultPlayer

START_RATING: Final = 1500
POINTS_PER_UNIT: Final = 20
"""Rating points per unit of OpenSkill, on whose scale everyone starts in the middle, 25."""
DEFAULT_MU: Final = 25.0
DEFAULT_SIGMA: Final = 25.0 / 3
"""The rating that OpenSkill gives a new player."""
MARGIN_SIGMAS: Final = 2
"""The margin of error in standard deviations: the rating is within it nineteen times out of twenty."""


class BotRating(msgspec.Struct, frozen=True):
    """The rating of a bot, its margin of error (`doubt`) and the source of both."""

    rating: int
    doubt: int
    source: str

    @property
    def is_measured(self) -> bool:
        """True if the rating was measured rather than estimated."""
        return not self.source.startswith("estimated")


FALLBACK_GAME: Final = "other games"
"""The key of the ratings for games without measurements."""


@cache
def bot_ratings(game: str) -> dict[str, BotRating]:
    """Return the ratings of the bots at a game by kind, the strongest first."""
    games = tomllib.loads((Path(__file__).parent / "bot_ratings.toml").read_text(encoding="utf-8"))
    ratings = {bot: BotRating(**values) for bot, values in games.get(game, games[FALLBACK_GAME]).items()}
    return dict(sorted(ratings.items(), key=lambda item: -item[1].rating))


class Rating(msgspec.Struct, frozen=True):
    """A rating, its margin of error (`doubt`), and the number of games."""

    points: int
    doubt: int
    games: int


class PersonRating(msgspec.Struct, frozen=True):
    """The rating of a person in the units of OpenSkill, and the number of games."""

    mu: float
    sigma: float
    games: int


def displayed_rating(stored: PersonRating | None) -> Rating:
    """Return a rating as it is shown; without games it has the widest margin of error."""
    mu, sigma, games = (DEFAULT_MU, DEFAULT_SIGMA, 0) if stored is None else msgspec.structs.astuple(stored)
    points = START_RATING + POINTS_PER_UNIT * (mu - DEFAULT_MU)
    return Rating(round(points), round(POINTS_PER_UNIT * MARGIN_SIGMAS * sigma), games)


class Ladder:
    """The ratings after some results. They depend only on the results and their order.

    `people` are the ratings after the game `last` (time, table); only those who are in further results are needed.
    """

    def __init__(
        self,
        results: Iterable[tuple[str, GameResult]] = (),
        *,
        people: Mapping[str, PersonRating] = MappingProxyType({}),
        last: tuple[float, str] = (float("-inf"), ""),
    ) -> None:
        self._model = PlackettLuce()
        self.people = dict(people)
        self.last = last
        for table_id, result in sorted(results, key=lambda item: (item[1].at, item[0])):
            self.add(table_id, result)

    def add(self, table_id: str, result: GameResult) -> bool:
        """Count one more game. Return False and change nothing if it is not the latest: then recompute all."""
        key = (result.at, table_id)
        if key <= self.last:
            return False
        self.last = key
        bots = bot_ratings(result.game)
        if result.is_rated and all(player.person or _kind(player) in bots for player in result.players):
            before = [[self._rating(player, bots)] for player in result.players]
            after = self._model.rate(before, ranks=[float(player.place) for player in result.players])
            for player, (rating,) in zip(result.players, after, strict=True):
                if player.person:
                    earlier = self.people.get(player.person)
                    games = 1 + (earlier.games if earlier is not None else 0)
                    self.people[player.person] = PersonRating(rating.mu, rating.sigma, games)
        return True

    def rating(self, person: str) -> Rating:
        """Return a rating as shown, that of a newcomer for someone who has finished no rated game."""
        return displayed_rating(self.people.get(person))

    def _rating(self, player: ResultPlayer, bots: Mapping[str, BotRating]) -> PlackettLuceRating:
        if player.person:
            earlier = self.people.get(player.person)
            return self._model.rating(mu=earlier.mu, sigma=earlier.sigma) if earlier else self._model.rating()
        bot_rating = bots[_kind(player)]
        return self._model.rating(
            mu=DEFAULT_MU + (bot_rating.rating - START_RATING) / POINTS_PER_UNIT,
            sigma=bot_rating.doubt / POINTS_PER_UNIT / MARGIN_SIGMAS,
        )


def _kind(player: ResultPlayer) -> str:
    return player.bot.partition("@")[0]
