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
from spieltisch.tables.charter import Charter, zone_of

if TYPE_CHECKING:
    from spieltisch.tables.table import Table

T = TypeVar("T")
Span = tuple[float, float]
"""From when until when, in UTC seconds."""


class Timing(msgspec.Struct, frozen=True):
    """The time of a game after an event, in seconds. By seat: `banks`, what is left beside the time for each turn;
    `holidays`; `bots`, who plays for an absent person until they are back ("": nobody).

    `used` is what the turn under way has taken; `up`: its time was up, and everybody was told; `plays`: the bot that
    plays this turn. `before`: the banks at the beginning of the turn of each move that stands.
    """

    banks: tuple[float, ...]
    bots: tuple[str, ...]
    holidays: tuple[tuple[Span, ...], ...]
    used: float = 0.0
    up: bool = False
    plays: str = ""
    before: tuple[tuple[float, ...], ...] = ()


class Due(msgspec.Struct, frozen=True):
    """Who is to decide until when: a seat, its person's id, UTC seconds. It holds as long as the server is there."""

    seat: int
    person: str
    until: float


def due(table: Table) -> Due | None:
    """Whose time runs at a table, and until when; None where nobody's does, or it was up already."""
    seat, timing = running(table), table.timing
    if seat is None or timing is None or timing.up:
        return None
    left = left_of(table, seat)
    until = _until(table.opened.charter, timing.holidays[seat], table.changed_at, left)
    return Due(seat, table.seats[seat].person, until)


def running(table: Table) -> int | None:
    """The seat whose time runs: of a person who is to decide, and for whom no bot plays."""
    seat, timing = table.to_decide, table.timing
    if seat is None or timing is None or table.seats[seat].kind != "person" or stands_in(table, seat):
        return None
    return seat


def stands_in(table: Table, seat: int) -> str:
    """The bot that plays for the person in this seat, whose time was up; "" for none."""
    timing = table.timing
    if timing is None or table.seats[seat].kind != "person":
        return ""
    return timing.bots[seat] or (timing.plays if seat == table.to_decide else "")


def left_of(table: Table, seat: int) -> float:
    """What is left of this seat's time: of its turn and its bank when it is to decide, else of its bank."""
    timing, charter = table.timing, table.opened.charter
    if timing is None:
        return inf
    return max(0.0, charter.turn + timing.banks[seat] - timing.used) if seat == table.to_decide else timing.banks[seat]


def follow(before: Table, after: Table, written: e.Written) -> Timing | None:
    """The time after an event that has made `after` of `before`.

    A turn's time is taken from the bank when the decision goes on. Who takes moves of the turn under way back has no
    time back; when a turn that had ended is taken back, everybody has what they had when it began.
    """
    charter, event = after.opened.charter, written.event
    if not charter.clock or after.position is None or after.status == "frozen":
        return before.timing
    if before.timing is None:
        seats = len(after.seats)
        return Timing((float(charter.bank),) * seats, ("",) * seats, ((),) * seats)
    timing = _spent(before, before.timing, written)
    if isinstance(event, e.Moved):
        timing = msgspec.structs.replace(timing, before=(*timing.before, timing.banks))
        return _next_turn(timing, event.seat, charter) if after.plays[-1].passed else timing
    if isinstance(event, e.Undone):
        kept = msgspec.structs.replace(timing, before=timing.before[: event.to])
        ended = any(play.passed for play in before.plays[event.to :])
        return (
            msgspec.structs.replace(kept, banks=timing.before[event.to], used=0.0, up=False, plays="")
            if ended
            else kept
        )
    if isinstance(event, e.TimeUp):
        bots = _with(timing.bots, event.seat, event.bot) if event.stays else timing.bots
        return msgspec.structs.replace(timing, up=True, plays="" if event.stays else event.bot, bots=bots)
    if isinstance(event, e.CameBack | e.Seated | e.Left | e.Replaced):
        plays = "" if event.seat == after.to_decide else timing.plays
        return msgspec.structs.replace(timing, bots=_with(timing.bots, event.seat, ""), plays=plays)
    if isinstance(event, e.HolidayTaken):
        own = (*timing.holidays[event.seat], (event.since, event.until))
        return msgspec.structs.replace(timing, holidays=_with(timing.holidays, event.seat, own))
    return timing


def _spent(before: Table, timing: Timing, written: e.Written) -> Timing:
    """The time with what has passed since the last event."""
    seat = running(before)
    if seat is None:
        return timing
    until = written.event.since if isinstance(written.event, e.ClockStood) else written.at
    passed = counted(before.opened.charter, timing.holidays[seat], before.changed_at, until)
    return msgspec.structs.replace(timing, used=timing.used + passed)


def _next_turn(timing: Timing, seat: int, charter: Charter) -> Timing:
    bank = max(0.0, timing.banks[seat] - max(0.0, timing.used - charter.turn))
    banks = _with(timing.banks, seat, bank)
    return msgspec.structs.replace(timing, banks=banks, used=0.0, up=False, plays="")


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def counted(charter: Charter, holidays: Sequence[Span], start: float, end: float) -> float:
    """How many of the seconds from `start` to `end` count."""
    total = 0.0
    for opens, closes in _spans(charter, holidays, start):
        if opens >= end:
            break
        total += min(closes, end) - opens
    return total


def _until(charter: Charter, holidays: Sequence[Span], start: float, seconds: float) -> float:
    """When so many seconds that count have passed since `start`."""
    for opens, closes in _spans(charter, holidays, start):
        if closes - opens >= seconds:
            return opens + seconds
        seconds -= closes - opens
    raise AssertionError("time goes on")


def _spans(charter: Charter, holidays: Sequence[Span], start: float) -> Iterator[Span]:
    """The stretches in which time runs, from `start` on, in their order, without end."""
    if charter.clock != "days" or (charter.opens, charter.closes) == (0, 24):
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
def _window(charter: Charter, day: date) -> Span:
    """When time runs on a day of the charter's zone; a window that ends before it begins ends on the next day."""
    later = day + timedelta(days=charter.closes <= charter.opens or charter.closes == 24)
    return midnight(charter, day, charter.opens), midnight(charter, later, charter.closes % 24)


def midnight(charter: Charter, day: date, hour: int = 0) -> float:
    """When a day begins in the charter's zone, or an hour of it, in UTC seconds."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_of(charter)).timestamp()


def days_of(charter: Charter, since: float, until: float) -> tuple[date, date]:
    """The first and the last day of a holiday, in the charter's zone."""
    zone = zone_of(charter)
    return datetime.fromtimestamp(since, zone).date(), datetime.fromtimestamp(until - 1, zone).date()
