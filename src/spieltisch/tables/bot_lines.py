"""The lines that bots say at a table: at few moments, and only from what everyone at the table sees.

A line follows from the moves so far, as its entry in the log does. So no line is stored, every process and every replay
has the same ones, and an undo takes them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final
from zlib import crc32

import msgspec

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message
from spieltisch.tables.bot_characters import character_named
from spieltisch.tables.bot_line_texts import LINES_AT_END, LINES_OF_STYLES
from spieltisch.tables.events import Moved

if TYPE_CHECKING:
    from spieltisch.tables.table import Table
    from spieltisch.tables.table_state import Seat

MOST_DURING_GAME: Final = 2
"""The number of lines that a bot says before the end, where it may say one more."""
ROUNDS_APART: Final = 2
"""The number of rounds between two lines at a table, and for which a leader must have led to be overtaken."""


class BotLine(msgspec.Struct, frozen=True):
    """A line that the bot in a seat says at a moment: one of `LINES_OF_STYLES`, "won" or "lost"."""

    seat: int
    moment: str
    words: Message


def line_after(table: Table, after: Observation, seat: int, move: Move | None) -> BotLine | None:
    """Return what a bot says after a move of a seat: at most one bot, one line.

    `table` is that before the move, `after` what spectators see then. `move` is None if not everyone may know it.
    """
    if not any(seat.kind == "bot" for seat in table.seats):
        return None
    said = tuple(entry.line for entry in table.log_entries if entry.line is not None)
    if after.is_over:
        return _at_end(table, after, said)
    if _rounds_since_line(table) < ROUNDS_APART:
        return None
    moments = (*_moments_of_game(table, after, seat, move), *_moments_of_points(table, after, seat))
    lines = (_line(table.seats[speaker], moment, said) for speaker, moment in moments)
    return next((line for line in lines if line is not None), None)


def _moments_of_game(table: Table, after: Observation, seat: int, move: Move | None) -> Iterable[tuple[int, str]]:
    """Yield the moments that the game declares (`Game.remarks`), which are those of the bot that moved."""
    if move is None or table.position is None or table.seats[seat].kind != "bot":
        return
    before = table.position.observe(None)
    for moment, concerned in before.setup.game.remarks.items():
        other = concerned(before, after, move)
        if other is not None and (moment != "wanted" or table.seats[other].kind == "person"):
            yield seat, moment


def _moments_of_points(table: Table, after: Observation, seat: int) -> Iterable[tuple[int, str]]:
    """Yield that a bot has overtaken the leader, or has been overtaken as the leader."""
    leader = _leader(after.scores)
    overtaken = None if leader is None else _long_leader(table, leader)
    if leader is not None and overtaken is not None:
        if leader == seat:
            yield leader, "overtakes"
        yield overtaken, "overtaken"


def _at_end(table: Table, after: Observation, said: Sequence[BotLine]) -> BotLine | None:
    """Return the line of a bot that has won, otherwise of the best bot."""
    points = [score or 0 for score in after.scores]
    winners = after.setup.game.winners(points, after)
    bots = sorted((seat for seat in table.seats if seat.kind == "bot"), key=lambda seat: -points[seat.number])
    won = [bot for bot in bots if bot.number in winners]
    lines = (_line(bot, "won" if won else "lost", said) for bot in won or bots)
    return next((line for line in lines if line is not None), None)


def _line(seat: Seat, moment: str, said: Sequence[BotLine]) -> BotLine | None:
    """Return the line of a seat for a moment; None if it is not a character, or has said enough."""
    character = character_named(seat.name)
    if seat.kind != "bot" or character is None:
        return None
    if moment in LINES_AT_END:
        lines = LINES_AT_END[moment]["smile" if "smile" in character.face_parts.split() else "firm"]
        return BotLine(seat.number, moment, lines[crc32(character.name.encode()) % len(lines)])
    own = [line for line in said if line.seat == seat.number]
    words = LINES_OF_STYLES[moment][seat.style or character.style]
    if len(own) >= MOST_DURING_GAME or moment in (line.moment for line in own) or words in (x.words for x in said):
        return None
    return BotLine(seat.number, moment, words)


def _rounds_since_line(table: Table) -> float:
    """Return the number of rounds since the last line; infinity if there was none."""
    last = max((entry.version for entry in table.log_entries if entry.line is not None), default=None)
    if last is None:
        return float("inf")
    return sum(play.ended_decision for play in table.moves if play.version > last) / len(table.seats)


def _long_leader(table: Table, leader: int) -> int | None:
    """Return the seat that had been ahead for some rounds before `leader` was; None if there was none.

    While two are level, the one who was ahead before still counts as ahead.
    """
    turns, led = 0, None
    for play in reversed(table.moves):
        event = table.events[play.version - 1].event
        ahead = _leader(event.points) if isinstance(event, Moved) else None
        if ahead == leader or (led is not None and ahead not in (None, led)):
            return None
        led = ahead if led is None else led
        turns += play.ended_decision
        if led is not None and turns >= ROUNDS_APART * len(table.seats):
            return led
    return None


def _leader(points: Sequence[int | None]) -> int | None:
    """Return the seat with more points than all others; None if there is none, or points are hidden."""
    known = [point for point in points if point is not None]
    if len(known) < len(points) or known.count(max(known)) > 1:
        return None
    return known.index(max(known))
