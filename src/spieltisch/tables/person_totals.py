"""Totals over a person's finished games, kept up to date game by game."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from spieltisch.core.words import removed_person_number
from spieltisch.tables.bot_levels import beaten_level, opposed_level
from spieltisch.tables.results import GameResult, ResultPlayer

DELETED = "guest"
"""The key of all opponents whose names were deleted."""


class OpponentTotals(msgspec.Struct, omit_defaults=True):
    """The games against an opponent, by the person's rank compared with theirs; `name` is the latest, from time `at`.

    Bots of one kind, or people whose names were deleted, count as one opponent, with the best of their ranks.
    """

    name: str = ""
    at: float = float("-inf")
    games: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0


class GroupTotals(msgspec.Struct, omit_defaults=True):
    """The points of some players in all games, and their sources by number."""

    players: int = 0
    points: int = 0
    sources: dict[int, int] = {}

    def add(self, players: Iterable[ResultPlayer]) -> None:
        """Count the players of one more game."""
        sums = Counter(self.sources)
        for player in players:
            self.players += 1
            self.points += player.points
            sums.update(dict(player.sources))
        self.sources = dict(sums)


class GameTotals(msgspec.Struct, omit_defaults=True):
    """The person's games of one kind; `rated` has the numbers of seats of the rated ones.

    `beaten` has the levels of bots against which the person has won alone, with the number of these games. `best` has
    the person's two best results in rated games, in points, by the number of seats, and `best_at` the time of the best.
    `opposed` has the number of all games alone against bots of a level.
    """

    games: int = 0
    won: int = 0
    own: GroupTotals = msgspec.field(default_factory=GroupTotals)
    others: GroupTotals = msgspec.field(default_factory=GroupTotals)
    rated: list[int] = []
    beaten: dict[str, int] = {}
    best: dict[int, tuple[int, ...]] = {}
    best_at: dict[int, float] = {}
    opposed: dict[str, int] = {}


class PersonTotals(msgspec.Struct, omit_defaults=True):
    """The totals of a person: all games, opponents by `opponent_key`, and kinds of game by key.

    They do not depend on the order in which games are added.
    """

    games: int = 0
    opponents: dict[str, OpponentTotals] = {}
    kinds: dict[str, GameTotals] = {}

    def add(self, person: str, result: GameResult) -> None:
        """Count one more game, in which this person had a seat at the end."""
        seat = result.seat_of(person)
        assert seat is not None  # noqa: S101  # only such games are counted
        player, others = result.players[seat], [other for n, other in enumerate(result.players) if n != seat]
        self.games += 1
        best: dict[str, ResultPlayer] = {}
        for other in sorted(others, key=lambda player: player.place):
            if other.kind != "left":
                best.setdefault(opponent_key(other), other)
        for key, opponent in best.items():
            self._add_opponent(key, player.place - opponent.place, opponent.name, result.at)
        kind = self.kinds.setdefault(result.game, GameTotals())
        kind.games += 1
        kind.won += player.place == 1
        kind.own.add([player])
        kind.others.add(others)
        if result.is_rated:
            seats = len(result.players)
            kind.rated = sorted({*kind.rated, seats})
            earlier = kind.best.get(seats, ())
            if not earlier or (player.points, -result.at) > (earlier[0], -kind.best_at[seats]):
                kind.best_at = {**kind.best_at, seats: result.at}
            points = sorted((*earlier, player.points), reverse=True)
            kind.best = {**kind.best, seats: tuple(points[:2])}
        if level := opposed_level(result, person):
            kind.opposed = {**kind.opposed, level: kind.opposed.get(level, 0) + 1}
        if level := beaten_level(result, person):
            kind.beaten = {**kind.beaten, level: kind.beaten.get(level, 0) + 1}

    def _add_opponent(self, key: str, behind: int, name: str, at: float) -> None:
        opponent = self.opponents.setdefault(key, OpponentTotals())
        if at >= opponent.at:
            opponent.at, opponent.name = at, "" if key == DELETED else name
        opponent.games += 1
        opponent.wins += behind < 0
        opponent.ties += behind == 0
        opponent.losses += behind > 0


def opponent_key(player: ResultPlayer) -> str:
    """Return the key of an opponent: "bot KIND", "person ID-OR-NAME", or `DELETED`.

    People whose names were deleted count as one.
    """
    if player.kind == "bot":
        return f"bot {player.bot.partition('@')[0]}"
    if removed_person_number(player.name) is not None:
        return DELETED
    return f"person {player.person if '/' not in player.person else player.name}"
