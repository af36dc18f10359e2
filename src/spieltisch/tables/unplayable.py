"""A table whose game cannot be had any more: it is not installed, or its component file can no longer be read.

Nothing of it can be played, but what happened stands in its events, moves as they were written. Draws of a game that
had not ended are withheld, and moves that were secret when they were played: who may know them is known to the game
alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spieltisch.core.record import HIDDEN, Record, RecordedMove
from spieltisch.core.words import Message, SeatName, message
from spieltisch.tables import events as e
from spieltisch.tables import refusals

if TYPE_CHECKING:
    from spieltisch.tables.table import Table
    from spieltisch.tables.table_state import PlayedMove

UNKNOWN_TEXT: Final = "unknown"
"""What stands in a record where nobody knows."""


def move_text(table: Table, play: PlayedMove) -> Message:
    """A move as it was written."""
    return message("{player}: {move}", player=SeatName(play.seat), move=_known(play, _is_over(table)).move)


def unplayable_record(table: Table) -> Record:
    """What there is of the game, as a record: it can be replayed where the game can be had. Raises `TableRefusal`
    not-running before the first move.
    """
    started = next((one.event for one in table.events if isinstance(one.event, e.Started)), None)
    if started is None:
        raise refusals.not_running()
    over = _is_over(table)
    opened = table.opened
    return Record(
        game=opened.game,
        version=opened.rules_version or UNKNOWN_TEXT,
        components=UNKNOWN_TEXT,
        components_digest=opened.components,
        seats=len(table.seats),
        options=dict(opened.options),
        players=table.names_in_record,
        secret=table._secret.hex() or None if over else None,
        commitment=opened.commitment or None,
        scheme=opened.chance_scheme,
        texts=table.entropy_texts if any(table.entropy_texts) else (),
        viewer=None if over else "spectator",
        drew=_shown(started.setup_draws, over),
        moves=tuple(_known(play, over) for play in table.moves),
        what_if=None if opened.what_if is None else opened.what_if.origin,
        state=None if opened.what_if is None or not over else opened.what_if.state,
    )


def _is_over(table: Table) -> bool:
    """Whether the game had come to its end, or was broken off, and so had all of its deal."""
    if table.withheld:
        return False
    kinds = (e.Moved, e.Undone, e.Aborted)
    last = next((one.event for one in reversed(table.events) if isinstance(one.event, kinds)), None)
    return isinstance(last, e.Aborted) or (isinstance(last, e.Moved) and last.next_seat is None)


def _known(play: PlayedMove, over: bool) -> RecordedMove:
    """A move as everybody may know it."""
    if play.secret and not over:
        return RecordedMove(play.seat, HIDDEN)
    return RecordedMove(play.seat, play.move, _shown(play.drew, over))


def _shown(drew: tuple[str, ...], over: bool) -> tuple[str, ...]:
    return drew if over else (HIDDEN,) * len(drew)
