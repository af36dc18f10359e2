"""What is kept of a finished game for those who look back: places, points, and what brought the points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from spieltisch.tables.events import Left, Replaced, Seated, Started
from spieltisch.tables.names import device_owner
from spieltisch.tables.table import Table


class ResultPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who was in a seat at the end: a person by their id, a bot by its kind, or who had left; under which `name`.

    `place` is 1 for winners; shared places have the same number. `sources` are pairs of a source of points, by the
    number that the game gives it (`Game.source`), and what it brought.
    """

    kind: Literal["person", "bot", "left"]
    name: str
    points: int
    place: int
    person: str = ""
    bot: str = ""
    sources: tuple[tuple[int, int], ...] = ()


class GameResult(msgspec.Struct, frozen=True):
    """A finished game: its key, when the last move was played (UTC seconds), the seats. `rated`: see `result_of`."""

    game: str
    at: float
    players: tuple[ResultPlayer, ...]
    rated: bool

    def seat_of(self, person: str) -> int | None:
        """The first seat that was played on this person's device to the end."""
        return next(
            (n for n, one in enumerate(self.players) if one.kind == "person" and device_owner(one.person) == person),
            None,
        )


def game_result(table: Table) -> GameResult | None:
    """What there is to keep of a table; None where no game came to its end, where it cannot be played any more, and for
    a study, which is nobody's game.

    A game is rated where it is known who played each seat from the deal to the end, each on a device of their own, and
    with the game's own components; not one that was read in from a record.
    """
    if table.status != "finished" or table.setup is None or table.position is None or table.what_if is not None:
        return None
    outcome = table.position.outcome
    assert outcome is not None  # noqa: S101  # the game is over
    points = table.position.scores
    places = _places(points, outcome.winners)
    sources = _sources(table)
    players = tuple(
        ResultPlayer(_kind(seat.kind), seat.name, points[n], places[n], seat.person, seat.bot, sources[n])
        for n, seat in enumerate(table.seats)
    )
    return GameResult(table.opened.game, table.moves[-1].at, players, _rated(table))


def _kind(kind: str) -> Literal["person", "bot", "left"]:
    return "person" if kind == "person" else "bot" if kind == "bot" else "left"


def _places(points: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Winners are first; the others follow by their points."""
    ranks = [(n not in winners, -one) if n not in winners else (False, 0) for n, one in enumerate(points)]
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def _sources(table: Table) -> list[tuple[tuple[int, int], ...]]:
    position = table.position_at(0)
    brought: list[Counter[int]] = [Counter() for _ in table.seats]
    for play in table.moves:
        for event in position.play(play.move, play.drew, collect_events=True).events:
            if event.kind == "points" and event.seat is not None:
                amount, source, *_ = event.numbers
                brought[event.seat][source] += amount
    return [tuple(sorted((source, amount) for source, amount in one.items() if amount)) for one in brought]


def _rated(table: Table) -> bool:
    begun = next(written.version for written in table.events if isinstance(written.event, Started))
    changed = any(
        isinstance(written.event, Left | Replaced | Seated) for written in table.events if written.version > begun
    )
    people = [seat.person for seat in table.people]
    return (
        not (changed or table.opened.imported)
        and table.opened.components == table.game.components.digest
        and bool(people)
        and all(person and device_owner(person) == person for person in people)
    )
