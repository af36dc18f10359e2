"""What happened at a table, for the script that shows it on the board: where each move was, what it moved from where to
where, and what the moves since one's last turn came to for each player.

All of it is made of the lines of the log that the viewer may read, and of the events that belong to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.net_changes import net_changes
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, Name
from spieltisch.tables import LogLine, Table
from spieltisch.web.pages.perspectives import Perspective

MOST_SHOWN: Final = 12
"""How many of the last moves a page can show one after the other: who has missed more has the replay."""


class MoveAnimation(NamedTuple):
    """A move on the board: its seat, the place it names ("" for none), its travels as `data-animations` holds them."""

    seat: int
    place: str
    travels: str


class SeatChanges(NamedTuple):
    """What has changed for a seat: how many more or fewer, and what that is in words, without a sign."""

    seat: int
    changes: list[tuple[int, Message | Name]]


def move_animation(
    seen: Observation, seat: int | None, move: Move | None, events: Sequence[GameEvent]
) -> MoveAnimation:
    """Where a move of a seat and what it did are to be shown on the boards of an observation; what is no move, or none
    that is known, has no place.
    """
    setup, drawing = seen.setup, seen.setup.game.drawing
    places = [word.element_id for word in setup.words(move) if word.element_id] if move is not None else []
    travels = drawing.animations(seen, events) if drawing is not None else ()
    return MoveAnimation(
        -1 if seat is None else seat,
        places[-1] if places else "",
        " ".join(f"{mark},{many},{start},{end}" for mark, many, start, end in travels),
    )


def last_animations(lines: Sequence[LogLine], seen: Observation | None) -> dict[int, MoveAnimation]:
    """The last moves among these lines, by version."""
    if seen is None:
        return {}
    moves = [line for line in lines if line.number is not None][-MOST_SHOWN:]
    return {line.version: move_animation(seen, line.seat, line.move, line.events) for line in moves}


def changes_since_turn(table: Table, perspective: Perspective) -> list[SeatChanges]:
    """What the moves of others since this viewer's last turn came to, by seat, theirs last; none where there were none,
    or nobody looks on from a seat.
    """
    me, setup = perspective.seat, table.setup
    if me is None or setup is None or perspective.is_shared_page:
        return []
    since = {
        play.number
        for play in takewhile(
            lambda play: play.seat != me or table.between_turns(play.number), table.moves_since_turn(me)
        )
    }
    lines = [line for line in table.log(me) if line.number in since]
    if all(line.seat == me for line in lines):
        return []
    found = net_changes(setup, (event for line in lines for event in line.events))
    around = [(me + n) % setup.seats for n in range(1, setup.seats + 1)]
    told = [SeatChanges(seat, found.texts(setup, seat)) for seat in around]
    return [account for account in told if account.seat != me or account.changes]
