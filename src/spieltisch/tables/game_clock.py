"""The clock of a running game: whose time runs, how much of it is used, and when it ends.

All of it is derived from the events and their times. Between two events the time of one seat runs, or of none. When the
server was down is also an event (`ClockPaused`), and counts for no seat. So the time is the same on every replay, never
negative, and never more than the time during which the server ran.
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
"""A start and an end, in UTC seconds."""


class ClockState(msgspec.Struct, frozen=True):
    """The clock of a game after an event. All times are in seconds.

    By seat: `banks` is the time left in addition to that of each turn; `holidays` are those taken; `substitutes` are
    the bots that play for absent people until they are back ("": none).

    For the current turn: `turn_used` is the time used; `has_timed_out`: its time was up, and all were notified;
    `turn_substitute` is the bot that plays it. `banks_by_move` are the banks at the beginning of the turn of each move
    that has not been undone.
    """

    banks: tuple[float, ...]
    substitutes: tuple[str, ...]
    holidays: tuple[tuple[Span, ...], ...]
    turn_used: float = 0.0
    has_timed_out: bool = False
    turn_substitute: str = ""
    banks_by_move: tuple[tuple[float, ...], ...] = ()


class Deadline(msgspec.Struct, frozen=True):
    """The end of the time of the seat to decide, in UTC seconds, and its person's id.

    It holds as long as the server runs.
    """

    seat: int
    person: str
    until: float


def deadline(table: Table) -> Deadline | None:
    """Return the deadline of the seat whose time runs; None if none runs, or if the time was up already."""
    seat, clock = running_seat(table), table.clock
    if seat is None or clock is None or clock.has_timed_out:
        return None
    left = time_left(table, seat)
    until = _end_of_counted(table.opened.settings, clock.holidays[seat], table.changed_at, left)
    return Deadline(seat, table.seats[seat].person, until)


def running_seat(table: Table) -> int | None:
    """Return the seat whose time runs: that of a person who is to decide and for whom no bot plays."""
    seat, clock = table.to_decide, table.clock
    if seat is None or clock is None or table.seats[seat].kind != "person" or substitute(table, seat):
        return None
    return seat


def substitute(table: Table, seat: int) -> str:
    """Return the bot that plays for the person in this seat because their time was up; "" if there is none."""
    clock = table.clock
    if clock is None or table.seats[seat].kind != "person":
        return ""
    return clock.substitutes[seat] or (clock.turn_substitute if seat == table.to_decide else "")


def time_left(table: Table, seat: int) -> float:
    """Return the time left to this seat: of its turn and its bank if it is to decide, else of its bank."""
    clock, settings = table.clock, table.opened.settings
    if clock is None:
        return inf
    return (
        max(0.0, settings.turn_time + clock.banks[seat] - clock.turn_used)
        if seat == table.to_decide
        else clock.banks[seat]
    )


def advance_clock(before: Table, after: Table, recorded: e.RecordedEvent) -> ClockState | None:
    """Return the clock after an event that turned `before` into `after`.

    The time of a turn beyond the limit is taken from the bank when the decision passes on. Undoing moves of the current
    turn returns no time. When a turn that had ended is undone, all seats have the time that they had when it began.
    """
    settings, event = after.opened.settings, recorded.event
    if not settings.clock or after.position is None or (after.status == "frozen" and not after.is_suspended):
        return before.clock
    if before.clock is None:
        seats = len(after.seats)
        return ClockState((float(settings.time_bank),) * seats, ("",) * seats, ((),) * seats)
    clock = _add_elapsed(before, before.clock, recorded)
    if isinstance(event, e.Moved):
        clock = msgspec.structs.replace(clock, banks_by_move=(*clock.banks_by_move, clock.banks))
        return _next_turn(clock, event.seat, settings) if after.moves[-1].ended_decision else clock
    if isinstance(event, e.Undone):
        restored = msgspec.structs.replace(clock, banks_by_move=clock.banks_by_move[: event.move_count])
        ended = any(play.ended_decision for play in before.moves[event.move_count :])
        return (
            msgspec.structs.replace(
                restored,
                banks=clock.banks_by_move[event.move_count],
                turn_used=0.0,
                has_timed_out=False,
                turn_substitute="",
            )
            if ended
            else restored
        )
    if isinstance(event, e.TimeUp):
        substitutes = _replace_at(clock.substitutes, event.seat, event.bot) if event.until_return else clock.substitutes
        return msgspec.structs.replace(
            clock, has_timed_out=True, turn_substitute="" if event.until_return else event.bot, substitutes=substitutes
        )
    if isinstance(event, e.PlayerReturned | e.Seated | e.Left | e.Replaced):
        turn_substitute = "" if event.seat == after.to_decide else clock.turn_substitute
        return msgspec.structs.replace(
            clock, substitutes=_replace_at(clock.substitutes, event.seat, ""), turn_substitute=turn_substitute
        )
    if isinstance(event, e.HolidayTaken):
        holidays = (*clock.holidays[event.seat], (event.since, event.until))
        return msgspec.structs.replace(clock, holidays=_replace_at(clock.holidays, event.seat, holidays))
    return clock


def _add_elapsed(before: Table, clock: ClockState, recorded: e.RecordedEvent) -> ClockState:
    """Return the clock with the time since the last event added."""
    seat = running_seat(before)
    if seat is None:
        return clock
    until = recorded.event.since if isinstance(recorded.event, e.ClockPaused) else recorded.at
    passed = counted_seconds(before.opened.settings, clock.holidays[seat], before.changed_at, until)
    return msgspec.structs.replace(clock, turn_used=clock.turn_used + passed)


def _next_turn(clock: ClockState, seat: int, settings: TableSettings) -> ClockState:
    bank = max(0.0, clock.banks[seat] - max(0.0, clock.turn_used - settings.turn_time))
    banks = _replace_at(clock.banks, seat, bank)
    return msgspec.structs.replace(clock, banks=banks, turn_used=0.0, has_timed_out=False, turn_substitute="")


def _replace_at(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def counted_seconds(settings: TableSettings, holidays: Sequence[Span], start: float, end: float) -> float:
    """Return the number of seconds from `start` to `end` that count."""
    total = 0.0
    for opens, closes in _spans(settings, holidays, start):
        if opens >= end:
            break
        total += min(closes, end) - opens
    return total


def _end_of_counted(settings: TableSettings, holidays: Sequence[Span], start: float, seconds: float) -> float:
    """Return the time (UTC seconds) at which `seconds` counted seconds have passed since `start`."""
    for opens, closes in _spans(settings, holidays, start):
        if closes - opens >= seconds:
            return opens + seconds
        seconds -= closes - opens
    raise AssertionError("time goes on")


def _spans(settings: TableSettings, holidays: Sequence[Span], start: float) -> Iterator[Span]:
    """Yield the spans in which time runs, from `start` on, in their order, without end."""
    if settings.clock != "days" or (settings.day_start, settings.day_end) == (0, 24):
        yield from _outside_holidays(holidays, start, inf)
        return
    day = datetime.fromtimestamp(start, zone_of(settings)).date() - timedelta(days=1)
    while True:
        opens, closes = _day_span(settings, day)
        if closes > start:
            yield from _outside_holidays(holidays, max(opens, start), closes)
        day += timedelta(days=1)


def _outside_holidays(holidays: Sequence[Span], opens: float, closes: float) -> Iterator[Span]:
    for since, until in sorted(holidays):
        if since < closes and until > opens:
            if since > opens:
                yield opens, since
            opens = until
    if opens < closes:
        yield opens, closes


@lru_cache(maxsize=4096)
def _day_span(settings: TableSettings, day: date) -> Span:
    """Return the span in which time runs on a day of the table's time zone.

    A span whose end is not after its beginning ends on the next day.
    """
    later = day + timedelta(days=settings.day_end <= settings.day_start or settings.day_end == 24)
    return midnight(settings, day, settings.day_start), midnight(settings, later, settings.day_end % 24)


def midnight(settings: TableSettings, day: date, hour: int = 0) -> float:
    """Return the beginning of a day, or of an hour of it, in the table's time zone, in UTC seconds."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_of(settings)).timestamp()


def days_of(settings: TableSettings, since: float, until: float) -> tuple[date, date]:
    """Return the first and the last day of a holiday in the table's time zone."""
    zone = zone_of(settings)
    return datetime.fromtimestamp(since, zone).date(), datetime.fromtimestamp(until - 1, zone).date()
