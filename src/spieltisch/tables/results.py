"""Results of finished games: ranks, points, and the sources of the points."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from spieltisch.tables.events import Left, Replaced, Seated, Started
from spieltisch.tables.names import device_owner
from spieltisch.tables.table import Table


class ResultPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The player in a seat at the end: a person by id, a bot by kind, or one who had left; with their name.

    `place` is the rank: 1 for winners, and the same number for shared ranks. `sources` are pairs of a source of points,
    by its number in the game (`Game.source`), and the points from it.
    """

    kind: Literal["person", "bot", "left"]
    name: str
    points: int
    place: int
    person: str = ""
    bot: str = ""
    sources: tuple[tuple[int, int], ...] = ()


class GameResult(msgspec.Struct, frozen=True):
    """A finished game: its key, the time of its last move (UTC seconds), its seats. `is_rated`: see `game_result`."""

    game: str
    at: float
    players: tuple[ResultPlayer, ...]
    is_rated: bool

    def seat_of(self, person: str) -> int | None:
        """Return the first seat that was played on this person's device to the end."""
        return next(
            (
                n
                for n, player in enumerate(self.players)
                if player.kind == "person" and device_owner(player.person) == person
            ),
            None,
        )


def game_result(table: Table) -> GameResult | None:
    """Return the result of a table; None if there is none, for what-if games, and if the game can no longer be loaded.

    A game is rated if each seat had the same player from the deal to the end, at least one of them a person, each
    person on their own device, and it was played with the game's own components. A game from an uploaded record is not
    rated.
    """
    if table.status != "finished" or table.setup is None or table.position is None or table.what_if is not None:
        return None
    outcome = table.position.outcome
    assert outcome is not None  # noqa: S101  # the game is over
    points = table.position.scores
    places = _ranks(points, outcome.winners)
    sources = _point_sources(table)
    players = tuple(
        ResultPlayer(_kind(seat.kind), seat.name, points[n], places[n], seat.person, seat.bot, sources[n])
        for n, seat in enumerate(table.seats)
    )
    return GameResult(table.opened.game, table.moves[-1].at, players, _is_rated(table))


def _kind(kind: str) -> Literal["person", "bot", "left"]:
    return "person" if kind == "person" else "bot" if kind == "bot" else "left"


def _ranks(points: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Return the ranks: winners are first, the others follow by their points."""
    ranks = [(n not in winners, -score) if n not in winners else (False, 0) for n, score in enumerate(points)]
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def _point_sources(table: Table) -> list[tuple[tuple[int, int], ...]]:
    position = table.position_at(0)
    brought: list[Counter[int]] = [Counter() for _ in table.seats]
    for play in table.moves:
        for event in position.play(play.move, play.drew, collect_events=True).events:
            if event.kind == "points" and event.seat is not None:
                amount, source, *_ = event.numbers
                brought[event.seat][source] += amount
    return [tuple(sorted((source, amount) for source, amount in points.items() if amount)) for points in brought]


def _is_rated(table: Table) -> bool:
    start = next(recorded.version for recorded in table.events if isinstance(recorded.event, Started))
    changed = any(
        isinstance(recorded.event, Left | Replaced | Seated) for recorded in table.events if recorded.version > start
    )
    people = [seat.person for seat in table.people]
    return (
        not (changed or table.opened.imported)
        and table.opened.components == table.game.components.digest
        and bool(people)
        and all(person and device_owner(person) == person for person in people)
    )
