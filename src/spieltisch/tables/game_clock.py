"""How the time of a running game stands: whose time runs, how much of it is used, until when it lasts.

All of it comes from the events and their times. Between two events the time of one seat runs, or nobody's; what the
server was away for is an event, too (`ClockStood`), and counts for nobody. So time is the same on every replay, never
negative, and never more than what the server was there for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, TypeVar

import msgspec

from spieltisch.tables import events as e
from spieltisch.tables.table_settings import TableSettings, zone_of

if TYPE_CHECKING:
    from spieltisch.tables.table import Table

T = TypeVar("T")
Span = tuple[float, float]
"""From when until when, in UTC seconds."""


class ClockState(msgspec.Struct, frozen=True):
    """The time of a game after an event, in seconds. By seat: `banks`, what is left beside the time for each turn;
    `holidays`; `bots`, who plays for an absent person until they are back ("": nobody).

    `used` is what the turn under way has taken; `up`: its time was up, and everybody was told; `plays`: the bot that
    plays this turn. `before`: the banks at the beginning of the turn of each move that stands.
    """

    banks: tuple[float, ...]
    substitutes: tuple[str, ...]
    holidays: tuple[tuple[Span, ...], ...]
    turn_used: float = 0.0
    timed_out: bool = False
    turn_substitute: str = ""
    banks_by_move: tuple[tuple[float, ...], ...] = ()


class Deadline(msgspec.Struct, frozen=True):
    """Who is to decide until when: a seat, its person's id, UTC seconds. It holds as long as the server is there."""

    seat: int
    person: str
    until: float


def deadline(table: Table) -> Deadline | None:
    """Whose time runs at a table, and until when; None where nobody's does, or it was up already."""
    seat, timing = running_seat(table), table.clock
    if seat is None or timing is None or timing.timed_out:
        return None
    left = time_left(table, seat)
    until = _until(table.opened.settings, timing.holidays[seat], table.changed_at, left)
    return Deadline(seat, table.seats[seat].person, until)


def running_seat(table: Table) -> int | None:
    """The seat whose time runs: of a person who is to decide, and for whom no bot plays."""
    seat, timing = table.to_decide, table.clock
    if seat is None or timing is None or table.seats[seat].kind != "person" or substitute(table, seat):
        return None
    return seat


def substitute(table: Table, seat: int) -> str:
    """The bot that plays for the person in this seat, whose time was up; "" for none."""
    timing = table.clock
    if timing is None or table.seats[seat].kind != "person":
        return ""
    return timing.substitutes[seat] or (timing.turn_substitute if seat == table.to_decide else "")


def time_left(table: Table, seat: int) -> float:
    """What is left of this seat's time: of its turn and its bank when it is to decide, else of its bank."""
    timing, charter = table.clock, table.opened.settings
    if timing is None:
        return inf
    return (
        max(0.0, charter.turn_time + timing.banks[seat] - timing.turn_used)
        if seat == table.to_decide
        else timing.banks[seat]
    )


def advance_clock(before: Table, after: Table, written: e.RecordedEvent) -> ClockState | None:
    """The time after an event that has made `after` of `before`.

    A turn's time is taken from the bank when the decision goes on. Who takes moves of the turn under way back has no
    time back; when a turn that had ended is taken back, everybody has what they had when it began.
    """
    charter, event = after.opened.settings, written.event
    if not charter.clock or after.position is None or after.status == "frozen":
        return before.clock
    if before.clock is None:
        seats = len(after.seats)
        return ClockState((float(charter.time_bank),) * seats, ("",) * seats, ((),) * seats)
    timing = _spent(before, before.clock, written)
    if isinstance(event, e.Moved):
        timing = msgspec.structs.replace(timing, banks_by_move=(*timing.banks_by_move, timing.banks))
        return _next_turn(timing, event.seat, charter) if after.moves[-1].ended_decision else timing
    if isinstance(event, e.Undone):
        kept = msgspec.structs.replace(timing, banks_by_move=timing.banks_by_move[: event.move_count])
        ended = any(play.ended_decision for play in before.moves[event.move_count :])
        return (
            msgspec.structs.replace(
                kept, banks=timing.banks_by_move[event.move_count], turn_used=0.0, timed_out=False, turn_substitute=""
            )
            if ended
            else kept
        )
    if isinstance(event, e.TimeUp):
        bots = _with(timing.substitutes, event.seat, event.bot) if event.until_return else timing.substitutes
        return msgspec.structs.replace(
            timing, timed_out=True, turn_substitute="" if event.until_return else event.bot, substitutes=bots
        )
    if isinstance(event, e.PlayerReturned | e.Seated | e.Left | e.Replaced):
        plays = "" if event.seat == after.to_decide else timing.turn_substitute
        return msgspec.structs.replace(
            timing, substitutes=_with(timing.substitutes, event.seat, ""), turn_substitute=plays
        )
    if isinstance(event, e.HolidayTaken):
        own = (*timing.holidays[event.seat], (event.since, event.until))
        return msgspec.structs.replace(timing, holidays=_with(timing.holidays, event.seat, own))
    return timing


def _spent(before: Table, timing: ClockState, written: e.RecordedEvent) -> ClockState:
    """The time with what has passed since the last event."""
    seat = running_seat(before)
    if seat is None:
        return timing
    until = written.event.since if isinstance(written.event, e.ClockPaused) else written.at
    passed = counted_seconds(before.opened.settings, timing.holidays[seat], before.changed_at, until)
    return msgspec.structs.replace(timing, turn_used=timing.turn_used + passed)


def _next_turn(timing: ClockState, seat: int, charter: TableSettings) -> ClockState:
    bank = max(0.0, timing.banks[seat] - max(0.0, timing.turn_used - charter.turn_time))
    banks = _with(timing.banks, seat, bank)
    return msgspec.structs.replace(timing, banks=banks, turn_used=0.0, timed_out=False, turn_substitute="")


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def counted_seconds(charter: TableSettings, holidays: Sequence[Span], start: float, end: float) -> float:
    """How many of the seconds from `start` to `end` count."""
    total = 0.0
    for opens, closes in _spans(charter, holidays, start):
        if opens >= end:
            break
        total += min(closes, end) - opens
    return total


def _until(charter: TableSettings, holidays: Sequence[Span], start: float, seconds: float) -> float:
    """When so many seconds that count have passed since `start`."""
    for opens, closes in _spans(charter, holidays, start):
        if closes - opens >= seconds:
            return opens + seconds
        seconds -= closes - opens
    raise AssertionError("time goes on")


def _spans(charter: TableSettings, holidays: Sequence[Span], start: float) -> Iterator[Span]:
    """The stretches in which time runs, from `start` on, in their order, without end."""
    if charter.clock != "days" or (charter.day_start, charter.day_end) == (0, 24):
        yield from _without(holidays, start, inf)
        return
    day = datetime.fromtimestamp(start, zone_of(charter)).date() - timedelta(days=1)
    while True:
        opens, closes = _window(charter, day)
        if closes > start:
            yield from _without(holidays, max(opens, start), closes)
        day += timedelta(days=1)


def _without(holidays: Sequence[Span], opens: float, closes: float) -> Iterator[Span]:
    for since, until in sorted(holidays):
        if since < closes and until > opens:
            if since > opens:
                yield opens, since
            opens = until
    if opens < closes:
        yield opens, closes


@lru_cache(maxsize=4096)
def _window(charter: TableSettings, day: date) -> Span:
    """When time runs on a day of the charter's zone; a window that ends before it begins ends on the next day."""
    later = day + timedelta(days=charter.day_end <= charter.day_start or charter.day_end == 24)
    return midnight(charter, day, charter.day_start), midnight(charter, later, charter.day_end % 24)


def midnight(charter: TableSettings, day: date, hour: int = 0) -> float:
    """When a day begins in the charter's zone, or an hour of it, in UTC seconds."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_of(charter)).timestamp()


def days_of(charter: TableSettings, since: float, until: float) -> tuple[date, date]:
    """The first and the last day of a holiday, in the charter's zone."""
    zone = zone_of(charter)
    return datetime.fromtimestamp(since, zone).date(), datetime.fromtimestamp(until - 1, zone).date()
