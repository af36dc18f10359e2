"""What a bot does at a table: move, or fail to."""

from __future__ import annotations

from spieltisch.tables import refusals
from spieltisch.tables.events import BotFailed, Event
from spieltisch.tables.playing import move_event
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotTurn

LONGEST_TROUBLE = 300


def play_bot_move(table: Table, turn: BotTurn, move: str) -> tuple[Event, ...]:
    """The move a bot has found for its turn, checked like anybody's. Refused: stale, unknown-move, illegal."""
    _still(table, turn)
    return (move_event(table, turn.seat, move),)


def report_bot_failure(table: Table, turn: BotTurn, what: str) -> tuple[Event, ...]:
    """A bot could not move: `what` happened. Refused: stale."""
    _still(table, turn)
    attempt = turn.failures + 1
    return (BotFailed(seat=turn.seat, bot=turn.bot, reason=what[:LONGEST_TROUBLE], attempt=attempt),)


def _still(table: Table, turn: BotTurn) -> None:
    if table.bot_to_move() != turn:
        raise refusals.stale()
