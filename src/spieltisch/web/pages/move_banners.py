"""The banner shown for a moment after a move: a new round or age, goods from another player, the end of the game."""

from collections.abc import Sequence
from typing import Final

from spieltisch.core.net_changes import net_changes
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.tables import LogLine, Table
from spieltisch.web.pages.result import name_list

MAX_MOVES: Final = 3
"""Maximum number of recent moves with banners on a page: a push rarely brings more."""


def move_banners(
    table: Table, lines: Sequence[LogLine], seen: Observation | None, seat: int | None
) -> dict[int, list[Message]]:
    """Return the banners of the last moves among these lines for a seat (None: a spectator), by version."""
    if seen is None or table.setup is None:
        return {}
    moves = [line for line in lines if line.number is not None][-MAX_MOVES:]
    return {
        line.version: _end_texts(table, line) or [*_new_stage_texts(table, line, seen), *_gain_texts(table, line, seat)]
        for line in moves
    }


def _end_texts(table: Table, line: LogLine) -> list[Message]:
    """Return that the game is over, for its last move. Who won is shown once the points have been counted."""
    is_last = table.status == "finished" and line.number == len(table.moves) - 1
    return [message("The game is over.")] if is_last else []


def _gain_texts(table: Table, line: LogLine, seat: int | None) -> list[Message]:
    """Return what a seat receives by another player's move; points and what the set-up deals are no gains."""
    if seat is None or line.seat in (None, seat) or table.setup is None:
        return []
    goods = net_changes(table.setup, (event for event in line.events if event.kind != "points"))
    gains = [what for count, what in goods.texts(table.setup, seat) if count > 0]
    if not gains or _precedes_turns(table, line.number or 0):
        return []
    return [message("{player}’s move brings you {what}.", player=SeatName(line.seat or 0), what=what) for what in gains]


def _precedes_turns(table: Table, number: int) -> bool:
    """Return True if no player had a turn before this move or with it: players still choose what they start with."""
    return all(table.game.between_turns(table.position_at(at).observe(None)) for at in range(number + 1))


def _new_stage_texts(table: Table, line: LogLine, seen: Observation) -> list[Message]:
    """Return the stage of the game that begins after a move, and who leads, as far as the points may be seen."""
    number = line.number or 0
    if number + 1 > len(table.moves) or table.is_over:
        return []
    before, after = (table.position_at(at).observe(None) for at in (number, number + 1))
    heading = table.game.stage_heading(after)
    if heading is None or table.game.stage(after) == table.game.stage(before):
        return []
    points = [score for score in seen.scores if score is not None]
    if len(points) < len(table.seats) or not max(points):
        return [heading]
    leaders = [seat for seat, score in enumerate(points) if score == max(points)]
    leading = messages("{player} leads.", "{player} lead.", len(leaders), player=name_list(leaders))
    return [heading, leading]
