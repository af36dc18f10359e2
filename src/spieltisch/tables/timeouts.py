"""When the time of a turn is up, and how people get out of its way: they come back, or go on holiday."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from spieltisch.core.words import message
from spieltisch.tables import preconditions
from spieltisch.tables.events import Aborted, Event, HolidayTaken, PlayerReturned, TimeUp
from spieltisch.tables.game_clock import deadline, midnight
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table
from spieltisch.tables.table_settings import DAY, zone_of


def time_out(table: Table, now: float) -> tuple[Event, ...]:
    """What the charter says when the time of who is to decide was up by `now` (UTC seconds); nothing before that."""
    found, charter = deadline(table), table.opened.settings
    if found is None or found.until > now:
        return ()
    plays = charter.bot if charter.on_timeout in ("bot-plays", "bot-sits") else ""
    up = TimeUp(seat=found.seat, bot=plays, until_return=charter.on_timeout == "bot-sits")
    after = after_events(table, up)
    asked = after.abort_asked
    return (up, Aborted()) if asked is not None and not after.awaiting_consent(asked) else (up,)


def resume_play(table: Table, person: str) -> tuple[Event, ...]:
    """Play oneself again, when a bot has played meanwhile. Refused: not-your-seat, not-running, over, frozen."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    return (PlayerReturned(seat=seat),) if table.acting_bot(seat) else ()


def take_holiday(table: Table, person: str, first: str, last: str, now: float) -> tuple[Event, ...]:
    """One's time does not run from the day `first` to the day `last` (such as 2027-12-24), in the zone of the charter.

    Refused: holiday for days that are none, are over, or are more than the charter leaves; not-your-seat, not-running,
    over, frozen.
    """
    preconditions.require_running(table)
    seat, charter = preconditions.require_own_seat(table, person), table.opened.settings
    begin, end = _day(first), _day(last)
    today = datetime.fromtimestamp(now, zone_of(charter)).date()
    if not today <= begin <= end <= today + timedelta(days=366):
        words = message("A holiday begins today or later, within a year, and does not end before it begins.")
        raise TableRefusal(RefusalCode.HOLIDAY, words)
    days, left = (end - begin).days + 1, holidays_left(table, seat)
    if days > left:
        words = message("These are more days ({days}) than you have left at this table ({left}).", days=days, left=left)
        raise TableRefusal(RefusalCode.HOLIDAY, words)
    since, until = midnight(charter, begin), midnight(charter, end + timedelta(days=1))
    taken = table.clock.holidays[seat] if table.clock is not None else ()
    if any(since < other_until and until > other_since for other_since, other_until in taken):
        raise TableRefusal(RefusalCode.HOLIDAY, message("You have taken some of these days already."))
    return (HolidayTaken(seat=seat, since=since, until=until, days=days),)


def holidays_left(table: Table, seat: int) -> int:
    """How many days of holiday this seat may still take; 0 where the charter knows none."""
    if table.clock is None:
        return 0
    taken = sum(round((until - since) / DAY) for since, until in table.clock.holidays[seat])
    return max(0, table.opened.settings.holidays - taken)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as problem:
        raise TableRefusal(
            RefusalCode.HOLIDAY, message("“{text}” is no day; write 2027-12-24.", text=text[:20])
        ) from problem
