"""Standings of a group: its members' games, places and ratings in each game, and their games against each other."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from spieltisch.tables.ratings import Ladder, Rating, displayed_rating
from spieltisch.tables.results import GameResult


class Row(NamedTuple):
    """A member in the standings of a game: finished games, wins, the mean of the places, and the rating by OpenSkill.

    The rating counts only what was played in the group; None without a rated game.
    """

    person: str
    games: int
    wins: int
    place: float
    rating: Rating | None


class Pair(NamedTuple):
    """Two members who have played together: how often the first was ahead, level with and behind the second."""

    first: str
    second: str
    ahead: int
    level: int
    behind: int


def standings(results: Iterable[tuple[str, GameResult]], ranked: Collection[str]) -> Mapping[str, list[Row]]:
    """Return the standings of each game, best rating first. Only the members who are `ranked` are in them.

    All others count as opponents without a name.
    """
    by_game: dict[str, list[tuple[str, GameResult]]] = {}
    for table_id, result in results:
        by_game.setdefault(result.game, []).append((table_id, result))
    tables = {}
    for game, played in sorted(by_game.items()):
        ladder, rows = Ladder(played), []
        for person in ranked:
            places = [
                result.players[seat].place for _, result in played if (seat := result.seat_of(person)) is not None
            ]
            if places:
                stored = ladder.people.get(person)
                rating = displayed_rating(stored) if stored is not None else None
                rows.append(Row(person, len(places), places.count(1), sum(places) / len(places), rating))
        if rows:
            tables[game] = sorted(rows, key=lambda row: (-row.rating.points if row.rating else 0, row.place))
    return tables


def head_to_head(results: Iterable[tuple[str, GameResult]], ranked: Iterable[str]) -> list[Pair]:
    """Return each pair of ranked members who have played together, those of the most games first."""
    counts: dict[tuple[str, str], list[int]] = {}
    people = list(ranked)
    for _, result in results:
        places = {
            person: result.players[seat].place for person in people if (seat := result.seat_of(person)) is not None
        }
        seated = [person for person in people if person in places]
        for number, first in enumerate(seated):
            for second in seated[number + 1 :]:
                behind = places[first] - places[second]
                counts.setdefault((first, second), [0, 0, 0])[(behind > 0) - (behind < 0) + 1] += 1
    pairs = [Pair(*pair, *count) for pair, count in counts.items()]
    return sorted(pairs, key=lambda pair: -(pair.ahead + pair.level + pair.behind))
