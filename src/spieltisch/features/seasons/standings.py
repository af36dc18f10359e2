"""Standings of a season or an evening: points for the places at each table, and the stated ways to break a tie."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import mean
from typing import Final, NamedTuple

from spieltisch.features.seasons.rows import Season, SeasonMember
from spieltisch.tables import device_owner
from spieltisch.tables.results import GameResult
from spieltisch.tables.summary import TableSummary

WIN: Final = 100
"""The points for a first place. The last place has none, the places between have the same distance."""
ABORTED_PLACE: Final = 2
"""The place of all at an aborted table: the middle, and no win."""


class Game(NamedTuple):
    """A game that is over: its players, for each seat who sat there at the end ("": a bot) and the place.

    `points` has none if the game was aborted, `against` the points less the mean of the seat at other tables of a deal.
    """

    round: int
    players: tuple[int, ...]
    people: tuple[str, ...]
    places: tuple[int, ...]
    points: tuple[int, ...] = ()
    against: tuple[Fraction, ...] = ()


class Row(NamedTuple):
    """The standing of a person: the mean of their points, and the share of their games that they have won.

    A game that they `missed` brought nothing. At an evening, the sum of the places says the same as the mean of the
    points, and `against` is the sum of the points against the same deals.
    """

    member: SeasonMember
    rank: int
    games: int
    missed: int
    points: Fraction
    wins: Fraction
    places: Fraction
    against: Fraction


def game_of(number_of_round: int, players: Sequence[int], result: GameResult) -> Game:
    """Return the part of a result that the standings need."""
    people = tuple(device_owner(player.person) if player.kind == "person" else "" for player in result.players)
    places, points = zip(*((player.place, player.points) for player in result.players), strict=True)
    return Game(number_of_round, tuple(players), people, places, points)


def aborted_game(number_of_round: int, players: Sequence[int], table: TableSummary) -> Game:
    """Return an aborted game as one in which all who sat there together are level; one who was alone has missed it."""
    people = tuple(device_owner(seat.person) if seat.kind == "person" else "" for seat in table.seats)
    is_together = len({*people} - {""}) > 1
    return Game(
        number_of_round, tuple(players), people if is_together else ("",) * len(people), (ABORTED_PLACE,) * len(people)
    )


def against_deal(games: Sequence[Game]) -> list[Game]:
    """Return games of one deal with the points of each seat less its mean at the other tables; 0 without a result."""
    compared = []
    for game in games:
        others = [other.points for other in games if other is not game and other.points]
        means = [mean(map(Fraction, of_seat)) for of_seat in zip(*others, strict=True)]
        beyond = (own - each for own, each in zip(game.points, means, strict=False))  # none if either has no points
        compared.append(game._replace(against=tuple(beyond)))
    return compared


def points_for(place: int, places: Sequence[int]) -> Fraction:
    """Return the points for a place among the places of all at the table. Equal places share theirs.

    >>> [float(points_for(place, (1, 2, 2, 4))) for place in (1, 2, 4)]
    [100.0, 50.0, 0.0]
    """
    behind, level = sum(other > place for other in places), places.count(place) - 1
    return Fraction(WIN * (2 * behind + level), 2 * (len(places) - 1))


def standings(season: Season, games: Sequence[Game]) -> list[Row]:
    """Return the standings: by points, then by the share of wins, by the games of those who are level, by presence.

    At an evening the points against the same deals come before the wins, and a deal before someone came is missed.
    People who are level in all of these share the rank.
    """
    rows = [row for member in season.members if (row := _row(season, member, games)) is not None]
    keys = {}
    for row in rows:
        measured = (row.points, row.against, row.wins)
        rivals = [rival.member for rival in rows if (rival.points, rival.against, rival.wins) == measured]
        direct = sum(_lead(row.member, rival, games) for rival in rivals if rival != row.member)
        keys[row.member] = (-row.points, -row.against, -row.wins, -direct, row.missed)
    ordered = sorted(rows, key=lambda row: (keys[row.member], row.member.number))
    return [row._replace(rank=1 + sum(key < keys[row.member] for key in keys.values())) for row in ordered]


def _row(season: Season, member: SeasonMember, games: Sequence[Game]) -> Row | None:
    """Return the row of a person, without the rank; None without a game."""
    total, against, wins = Fraction(0), Fraction(0), 0
    earlier = {game.round for game in games if game.round < member.since} if season.rules.is_evening else ()
    count = missed = len(earlier)
    for game in games:
        if (seat := _seat(member, game)) is None:
            continue
        count += 1
        if game.people[seat] == member.id:
            total += points_for(game.places[seat], game.places)
            wins += game.places[seat] == 1
            against += game.against[seat] if game.against else 0
        else:
            missed += 1
    if not count:
        return None
    size = len(games[0].players)
    places = count * size - total * (size - 1) / WIN
    return Row(member, 0, count, missed, total / count, Fraction(wins, count), places, against)


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
