"""Tables whose game can no longer be loaded: it is not installed, or its component file cannot be read.

Nothing of the game can be played, but its events contain all moves as they were written. The draws of a game that had
not ended are withheld, and so are moves that were secret when they were played: only the game knows who may see them.
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
"""The text in a record for a value that is not known."""


def move_text(table: Table, play: PlayedMove) -> Message:
    """Return the sentence for a move as it was written."""
    return message("{player}: {move}", player=SeatName(play.seat), move=_public_move(play, _is_over(table)).move)


def unplayable_record(table: Table) -> Record:
    """Return the record of the game; it can be replayed wherever the game is available.

    Raise `TableRefusal` not-running before the first move.
    """
    started = next((recorded.event for recorded in table.events if isinstance(recorded.event, e.Started)), None)
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
        viewer=None if over else "spectator",
        drew=_public_draws(started.setup_draws, over),
        moves=tuple(_public_move(play, over) for play in table.moves),
        what_if=None if opened.what_if is None else opened.what_if.origin,
        state=None if opened.what_if is None or not over else opened.what_if.state,
    )


def _is_over(table: Table) -> bool:
    """Return True if the game had ended or was aborted, and so had all games of its deal."""
    if table.is_withheld:
        return False
    kinds = (e.Moved, e.Undone, e.Aborted)
    last = next((recorded.event for recorded in reversed(table.events) if isinstance(recorded.event, kinds)), None)
    return isinstance(last, e.Aborted) or (isinstance(last, e.Moved) and last.next_seat is None)


def _public_move(play: PlayedMove, over: bool) -> RecordedMove:
    """Return a move as all may know it."""
    if play.secret and not over:
        return RecordedMove(play.seat, HIDDEN)
    return RecordedMove(play.seat, play.move, _public_draws(play.drew, over))


def _public_draws(drew: tuple[str, ...], over: bool) -> tuple[str, ...]:
    return drew if over else (HIDDEN,) * len(drew)
