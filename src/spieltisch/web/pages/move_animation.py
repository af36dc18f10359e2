"""Data for animating moves on the board: where each move was, which pieces it moved from where to where.

Also the net changes for each player since the viewer's last turn. All of it comes from the lines of the log that the
viewer may read, and from their events.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.net_changes import net_changes
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, Name
from spieltisch.tables import LogLine, Table, turns
from spieltisch.web.pages.perspectives import Perspective

MAX_ANIMATIONS: Final = 12
"""Maximum number of recent moves that a page can animate in turn; the replay shows earlier ones."""


class MoveAnimation(NamedTuple):
    """A move on the board: its seat, the element that it names ("" for none), its piece animations for the script."""

    seat: int
    place: str
    travels: str


class SeatChanges(NamedTuple):
    """The net changes for a seat: the amount of each, and its text without a sign."""

    seat: int
    changes: list[tuple[int, Message | Name]]


def move_animation(
    observation: Observation, seat: int | None, move: Move | None, events: Sequence[GameEvent]
) -> MoveAnimation:
    """Return where to animate a move of a seat and its events on the boards of an observation.

    Without a move, or with one that is hidden, it has no element.
    """
    setup, drawing = observation.setup, observation.setup.game.drawing
    places = [word.element_id for word in setup.words(move) if word.element_id] if move is not None else []
    animations = drawing.animations(observation, events) if drawing is not None else ()
    return MoveAnimation(
        -1 if seat is None else seat,
        places[-1] if places else "",
        " ".join(f"{icon},{count},{start},{end}" for icon, count, start, end in animations),
    )


def last_animations(lines: Sequence[LogLine], observation: Observation | None) -> dict[int, MoveAnimation]:
    """Return the animations of the last moves among these lines, by version."""
    if observation is None:
        return {}
    moves = [line for line in lines if line.number is not None][-MAX_ANIMATIONS:]
    return {line.version: move_animation(observation, line.seat, line.move, line.events) for line in moves}


def changes_since_turn(table: Table, perspective: Perspective) -> list[SeatChanges]:
    """Return the net changes from other players' moves since this viewer's last turn, by seat, the viewer's own last.

    Empty if there were none, or if the viewer has no seat.
    """
    own_seat, setup = perspective.seat, table.setup
    if own_seat is None or setup is None or perspective.is_shared_page:
        return []
    move_numbers = {
        play.number
        for play in takewhile(
            lambda play: play.seat != own_seat or turns.between_turns(table, play.number),
            turns.moves_since_turn(table, own_seat),
        )
    }
    lines = [line for line in table.log(own_seat) if line.number in move_numbers]
    if all(line.seat == own_seat for line in lines):
        return []
    changes = net_changes(setup, (event for line in lines for event in line.events))
    seats = [(own_seat + n) % setup.seats for n in range(1, setup.seats + 1)]
    accounts = [SeatChanges(seat, changes.texts(setup, seat)) for seat in seats]
    return [account for account in accounts if account.seat != own_seat or account.changes]
