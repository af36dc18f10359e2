"""Net changes: the gains and losses of each seat, added up from the events of its moves.

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
    """Changes in the number of pieces, by seat and kind, and of points, by seat."""

    pieces: Counter[tuple[int, int]]
    points: Counter[int]

    def texts(self, setup: Setup, seat: int) -> list[tuple[int, Message | Name]]:
        """Return the changes for a seat, losses first: pairs of a signed number and its text without a sign."""
        texts = []
        changes = [
            (count > 0, piece, count) for (owner, piece), count in self.pieces.items() if owner == seat and count
        ]
        for _, piece, count in sorted(changes):
            text = setup.game.amount_text(setup, piece, abs(count))
            texts += [(count, text)] if text is not None else []
        if points := self.points[seat]:
            texts.append((points, messages("{count} point", "{count} points", abs(points))))
        return texts


def net_changes(setup: Setup, events: Iterable[GameEvent]) -> NetChanges:
    """Return the net changes that these events make."""
    pieces: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    first, seats = setup.game.first_hand_location, range(setup.seats)
    for event in events:
        if event.kind == "points" and event.seat is not None:
            points[event.seat] += event.numbers[0]
        elif event.kind == "moved" and first is not None:
            piece, count, source, target = event.numbers
            for location, change in ((source, -count), (target, count)):
                if location - first in seats:
                    pieces[location - first, piece] += change
    return NetChanges(pieces, points)
