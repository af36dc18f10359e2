"""Moves and failures of bots."""

from __future__ import annotations

from spieltisch.tables import refusals
from spieltisch.tables.events import BotFailed, Event
from spieltisch.tables.playing import move_event
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotTurn

MAX_REASON_LENGTH = 300
"""The maximum length of the stored reason of a failure."""


def play_bot_move(table: Table, turn: BotTurn, move: str) -> tuple[Event, ...]:
    """Return the event of a bot's move, checked like a person's. Refusals: stale, unknown-move, illegal."""
    _require_current(table, turn)
    return (move_event(table, turn.seat, move),)


def report_bot_failure(table: Table, turn: BotTurn, reason: str) -> tuple[Event, ...]:
    """Return the event of a bot that could not move, with the reason. Refusals: stale."""
    _require_current(table, turn)
    attempt = turn.failures + 1
    return (BotFailed(seat=turn.seat, bot=turn.bot, reason=reason[:MAX_REASON_LENGTH], attempt=attempt),)


def _require_current(table: Table, turn: BotTurn) -> None:
    if table.bot_to_move() != turn:
        raise refusals.stale()
