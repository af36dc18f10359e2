"""A table whose game cannot be had any more: it is not installed, or its component file can no longer be read.

Nothing of it can be played, but what happened stands in its events, moves as they were written. Draws of a game that
had not ended are withheld, and moves that were secret when they were played: who may know them is known to the game
alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spieltisch.core.record import HIDDEN, Play, Record
from spieltisch.core.words import Message, SeatName, message
from spieltisch.tables import events as e
from spieltisch.tables import refusals

if TYPE_CHECKING:
    from spieltisch.tables.parts import PlayedMove
    from spieltisch.tables.table import Table

UNKNOWN: Final = "unknown"
"""What stands in a record where nobody knows."""


def tell(table: Table, play: PlayedMove) -> Message:
    """A move as it was written."""
    return message("{player}: {move}", player=SeatName(play.seat), move=_known(play, _is_over(table)).move)


def record(table: Table) -> Record:
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
        version=opened.rules or UNKNOWN,
        components=UNKNOWN,
        digest_of_components=opened.components,
        seats=len(table.seats),
        options=dict(opened.options),
        players=table.names_in_record,
        secret=table._secret.hex() or None if over else None,
        commitment=opened.commitment or None,
        scheme=opened.scheme,
        texts=table.texts if any(table.texts) else (),
        viewer=None if over else "spectator",
        drew=_shown(started.dealt, over),
        plays=tuple(_known(play, over) for play in table.plays),
        study=None if opened.study is None else opened.study.origin,
        state=None if opened.study is None or not over else opened.study.state,
    )


def _is_over(table: Table) -> bool:
    """Whether the game had come to its end, or was broken off, and so had all of its deal."""
    if table.kept_back:
        return False
    kinds = (e.Moved, e.Undone, e.Aborted)
    last = next((one.event for one in reversed(table.events) if isinstance(one.event, kinds)), None)
    return isinstance(last, e.Aborted) or (isinstance(last, e.Moved) and last.then is None)


def _known(play: PlayedMove, over: bool) -> Play:
    """A move as everybody may know it."""
    if play.secret and not over:
        return Play(play.seat, HIDDEN)
    return Play(play.seat, play.move, _shown(play.drew, over))


def _shown(drew: tuple[str, ...], over: bool) -> tuple[str, ...]:
    return drew if over else (HIDDEN,) * len(drew)
