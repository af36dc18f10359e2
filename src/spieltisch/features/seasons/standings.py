"""Standings of a season: points for the places at each table, and the stated ways to break a tie."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from spieltisch.features.seasons.rows import Season, SeasonMember
from spieltisch.tables import device_owner
from spieltisch.tables.results import GameResult

WIN: Final = 100
"""The points for a first place. The last place has none, the places between have the same distance."""


class Game(NamedTuple):
    """A finished game: its players, for each seat who sat there at the end ("": a bot) and the place."""

    round: int
    players: tuple[int, ...]
    people: tuple[str, ...]
    places: tuple[int, ...]


class Row(NamedTuple):
    """The standing of a person: the mean of their points, and the share of their games that they have won.

    A game that they `missed` brought nothing.
    """

    member: SeasonMember
    rank: int
    games: int
    missed: int
    points: Fraction
    wins: Fraction


def game_of(number_of_round: int, players: Sequence[int], result: GameResult) -> Game:
    """Return the part of a result that the standings need."""
    people = tuple(device_owner(player.person) if player.kind == "person" else "" for player in result.players)
    return Game(number_of_round, tuple(players), people, tuple(player.place for player in result.players))


def points_for(place: int, places: Sequence[int]) -> Fraction:
    """Return the points for a place among the places of all at the table. Equal places share theirs.

    >>> [float(points_for(place, (1, 2, 2, 4))) for place in (1, 2, 4)]
    [100.0, 50.0, 0.0]
    """
    behind, level = sum(other > place for other in places), places.count(place) - 1
    return Fraction(WIN * (2 * behind + level), 2 * (len(places) - 1))


def standings(season: Season, games: Sequence[Game]) -> list[Row]:
    """Return the standings: by points, then by the share of wins, by the games of those who are level, by presence.

    People who are level in all of these share the rank.
    """
    rows = [row for member in season.members if (row := _row(member, games)) is not None]
    keys = {}
    for row in rows:
        rivals = [rival.member for rival in rows if (rival.points, rival.wins) == (row.points, row.wins)]
        direct = sum(_lead(row.member, rival, games) for rival in rivals if rival != row.member)
        keys[row.member] = (-row.points, -row.wins, -direct, row.missed)
    ordered = sorted(rows, key=lambda row: (keys[row.member], row.member.number))
    return [row._replace(rank=1 + sum(key < keys[row.member] for key in keys.values())) for row in ordered]


def _row(member: SeasonMember, games: Iterable[Game]) -> Row | None:
    """Return the row of a person, without the rank; None without a finished game."""
    total, count, wins, missed = Fraction(0), 0, 0, 0
    for game in games:
        if (seat := _seat(member, game)) is None:
            continue
        count += 1
        if game.people[seat] == member.id:
            total += points_for(game.places[seat], game.places)
            wins += game.places[seat] == 1
        else:
            missed += 1
    return Row(member, 0, count, missed, total / count, Fraction(wins, count)) if count else None


def _seat(member: SeasonMember, game: Game) -> int | None:
    is_theirs = member.number in game.players and member.since <= game.round
    return game.players.index(member.number) if is_theirs else None


def _lead(member: SeasonMember, rival: SeasonMember, games: Iterable[Game]) -> int:
    """Return in how many more games a person was ahead of another than behind."""
    lead = 0
    for game in games:
        own, other = _seat(member, game), _seat(rival, game)
        if own is not None and other is not None and (game.people[own], game.people[other]) == (member.id, rival.id):
            lead += (game.places[own] < game.places[other]) - (game.places[own] > game.places[other])
    return lead
