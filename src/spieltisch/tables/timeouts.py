"""Timeouts, resuming play after a bot has stood in, and holidays that stop a player's clock."""

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
    """Return the events due if the time of the seat to decide was up by `now` (UTC seconds); none before that.

    The settings of the table determine them.
    """
    due, settings = deadline(table), table.opened.settings
    if due is None or due.until > now:
        return ()
    bot = settings.bot if settings.on_timeout in ("bot-plays", "bot-sits") else ""
    time_up = TimeUp(seat=due.seat, bot=bot, until_return=settings.on_timeout == "bot-sits")
    after = after_events(table, time_up)
    request = after.abort_asked
    return (time_up, Aborted()) if request is not None and not after.awaiting_consent(request) else (time_up,)


def resume_play(table: Table, person: str) -> tuple[Event, ...]:
    """Play again for oneself, after a bot has played. Refusals: not-your-seat, not-running, over, frozen."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    return (PlayerReturned(seat=seat),) if table.acting_bot(seat) else ()


def take_holiday(table: Table, person: str, first: str, last: str, now: float) -> tuple[Event, ...]:
    """Stop one's clock from the day `first` to the day `last` (such as 2027-12-24), in the table's time zone.

    Refusals: holiday for days that are invalid, past or already taken, or more than are left; not-your-seat,
    not-running, over, frozen.
    """
    preconditions.require_running(table)
    seat, settings = preconditions.require_own_seat(table, person), table.opened.settings
    begin, end = _parse_day(first), _parse_day(last)
    today = datetime.fromtimestamp(now, zone_of(settings)).date()
    if not today <= begin <= end <= today + timedelta(days=366):
        words = message("Choose days within the next year. The last day can’t be before the first.")
        raise TableRefusal(RefusalCode.HOLIDAY, words)
    days, remaining = (end - begin).days + 1, holidays_left(table, seat)
    if days > remaining:
        words = message(
            "You don’t have enough holiday left at this table (chosen: {days}, left: {left}).",
            days=days,
            left=remaining,
        )
        raise TableRefusal(RefusalCode.HOLIDAY, words)
    since, until = midnight(settings, begin), midnight(settings, end + timedelta(days=1))
    holidays = table.clock.holidays[seat] if table.clock is not None else ()
    if any(since < other_until and until > other_since for other_since, other_until in holidays):
        raise TableRefusal(RefusalCode.HOLIDAY, message("Some of these days are already booked."))
    return (HolidayTaken(seat=seat, since=since, until=until, days=days),)


def holidays_left(table: Table, seat: int) -> int:
    """Return the number of days of holiday that this seat may still take; 0 if the settings allow none."""
    if table.clock is None:
        return 0
    taken = sum(round((until - since) / DAY) for since, until in table.clock.holidays[seat])
    return max(0, table.opened.settings.holidays - taken)


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise TableRefusal(
            RefusalCode.HOLIDAY, message("“{text}” is not a date. Enter one like 2027-12-24.", text=text[:20])
        ) from error
