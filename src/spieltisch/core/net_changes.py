"""Gains: what a stretch of a game came to for each player, added up from the events of its moves.

>>> import spieltisch
>>> position = spieltisch.game("paris-connection").start(seats=3, seed=7)
>>> setup, seat = position.setup, position.seat
>>> events = position.play("trade red for 1 black", collect_events=True).events
>>> [(many, str(said)) for many, said in net_changes(setup, events).texts(setup, seat)]
[(-1, '1 Ruby'), (1, '1 Onyx')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from spieltisch.core.words import messages

if TYPE_CHECKING:
    from spieltisch.core.events import GameEvent
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Message, Name


class NetChanges(NamedTuple):
    """How many more things and points there are: by seat and thing, and by seat."""

    things: Counter[tuple[int, int]]
    points: Counter[int]

    def texts(self, setup: Setup, seat: int) -> list[tuple[int, Message | Name]]:
        """What has changed for a seat, losses first: how many more or fewer, and what that is in the game's words,
        without a sign.
        """
        said = []
        mine = [(many > 0, thing, many) for (whose, thing), many in self.things.items() if whose == seat and many]
        for _, thing, many in sorted(mine):
            words = setup.game.amount_text(setup, thing, abs(many))
            said += [(many, words)] if words is not None else []
        if more := self.points[seat]:
            said.append((more, messages("{count} point", "{count} points", abs(more))))
        return said


def net_changes(setup: Setup, events: Iterable[GameEvent]) -> NetChanges:
    """What these events came to."""
    things: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    first, seats = setup.game.first_hand_location, range(setup.seats)
    for event in events:
        if event.kind == "points" and event.seat is not None:
            points[event.seat] += event.numbers[0]
        elif event.kind == "moved" and first is not None:
            thing, many, source, target = event.numbers
            for place, more in ((source, -many), (target, many)):
                if place - first in seats:
                    things[place - first, thing] += more
    return NetChanges(things, points)
