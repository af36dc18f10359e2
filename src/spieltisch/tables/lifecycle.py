"""Commands to end a table before its game is over, and to play a rematch at another one."""

from collections.abc import Sequence
from typing import Final

from spieltisch.core.words import removed_person_number
from spieltisch.tables import events, permissions, preconditions, refusals
from spieltisch.tables.bot_levels import shift_level
from spieltisch.tables.names import device_owner
from spieltisch.tables.opening import NewTable
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table
from spieltisch.tables.table_settings import DAY

MAX_EVENTS: Final = 10_000
"""The number of events with which a table ends: more would take seconds to load, and no game comes near it."""


def end_if_full(table: Table, new_events: Sequence[events.Event]) -> Sequence[events.Event]:
    """Return new events of a table, and after them its end without a result if it has `MAX_EVENTS` then."""
    if not new_events or table.version + len(new_events) < MAX_EVENTS:
        return new_events
    after = after_events(table, *new_events)
    return new_events if after.is_over or after.status == "frozen" else (*new_events, events.Aborted(full=True))


def expire(table: Table, waited: float, days: int) -> tuple[events.Event, ...]:
    """Close a table whose game has not begun if it has `waited` for a change for more seconds than these `days`.

    Return no event for any other table.
    """
    expired = table.status == "open" and waited > days * DAY
    return (events.Aborted(waited=days),) if expired else ()


def suspend(table: Table) -> tuple[events.Event, ...]:
    """Freeze a table until it is resumed, as the operator of the server. Refusals: over, frozen."""
    preconditions.require_not_over(table)
    return (events.Suspended(),)


def resume(table: Table) -> tuple[events.Event, ...]:
    """Thaw a table that was suspended. Refusals: not-suspended."""
    if not table.is_suspended:
        raise refusals.not_suspended()
    return (events.Resumed(),)


def close(table: Table) -> tuple[events.Event, ...]:
    """End a table without a result, as the operator of the server. Refusals: over, frozen."""
    resumed = resume(table) if table.is_suspended else ()
    if not resumed:
        preconditions.require_not_over(table)
    return *resumed, events.Aborted(by_operator=True)


def ask_abort(table: Table, person: str) -> tuple[events.Event, ...]:
    """Propose to end the game without a result. If there is no one to ask, it ends immediately.

    The host alone can close a table whose game has not begun, or at which only bots play. Refusals: not-your-seat,
    not-host, already-asked, over, frozen.
    """
    preconditions.require_not_over(table)
    if person == permissions.acting_host(table) and (table.status == "open" or not table.people):
        return (events.Aborted(),)
    if table.status == "open":
        raise refusals.not_host()
    seat = preconditions.require_own_seat(table, person)
    if table.abort_asked is not None:
        raise refusals.already_asked()
    return _settle_abort(table, events.AbortRequested(seat=seat))


def agree_abort(table: Table, person: str) -> tuple[events.Event, ...]:
    """Agree to end the game; it ends when the last person agrees.

    Refusals: not-your-seat, nothing-asked, over, frozen.
    """
    preconditions.require_not_over(table)
    seat = preconditions.require_own_seat(table, person)
    if table.abort_asked is None or seat not in table.awaiting_consent(table.abort_asked):
        raise refusals.nothing_asked()
    return _settle_abort(table, events.AbortAgreed(seat=seat))


def refuse_abort(table: Table, person: str) -> tuple[events.Event, ...]:
    """Refuse to end the game, or withdraw one's own proposal. Refusals: not-your-seat, nothing-asked, over, frozen."""
    preconditions.require_not_over(table)
    seat = preconditions.require_own_seat(table, person)
    if table.abort_asked is None:
        raise refusals.nothing_asked()
    return (events.AbortRefused(seat=seat),)


def rematch_plan(table: Table, person: str, step: int = 0) -> tuple[NewTable, dict[int, events.SeatOffer]]:
    """Return a table for the same people and bots, and the seat offers of the seats reserved for people.

    These are the arguments of `open_table`. The players on the person's device are seated immediately; the seats of the
    others are reserved for them. The bots are `step` levels stronger. Refusals: not-your-seat, not-over, frozen.
    """
    preconditions.require_over(table)
    if table.setup is None:
        raise refusals.frozen()
    own_number = table.seat_of(person)
    if not table.seats_on_device(person):
        raise refusals.not_your_seat()
    seats = []
    reserved_offers = {}
    for seat in table.seats:
        if seat.number == own_number:
            seats.append("me")
        elif seat.kind == "person" and device_owner(seat.person) == device_owner(person):
            seats.append(f"here:{seat.name}")
        elif seat.kind == "person" and removed_person_number(seat.name) is None:
            seats.append("reserved")
            reserved_offers[seat.number] = events.SeatOffer("reserved", seat.person, seat.name)
        elif seat.kind == "bot":
            seats.append(f"bot:{shift_level(seat.bot, step)}")
        else:
            seats.append("link")
    opened = table.opened
    return NewTable(
        opened.game, tuple(seats), dict(table.setup.options), opened.spectators, opened.components, opened.settings
    ), reserved_offers


def rematch_opened(table: Table, table_id: str) -> tuple[events.Event, ...]:
    """Link to the table of the rematch. Refusals: not-over."""
    preconditions.require_over(table)
    return (events.RematchOpened(table=table_id),)


def _settle_abort(table: Table, event: events.AbortRequested | events.AbortAgreed) -> tuple[events.Event, ...]:
    after = after_events(table, event)
    if after.abort_asked is not None and not after.awaiting_consent(after.abort_asked):
        return event, events.Aborted()
    return (event,)


def report_lost_events(table: Table, noted: int) -> tuple[events.Event, ...]:
    """Return the events that report a loss if the table once had version `noted`; nothing if it has none.

    There is nothing to report either if the loss has been reported, since the version is newer then.

    >>> from types import SimpleNamespace
    >>> [event.count for event in report_lost_events(SimpleNamespace(version=7), 9)]
    [2, 0, 0]
    """
    lost = noted - table.version
    return (events.EventsLost(count=lost), *[events.EventsLost()] * lost) if lost > 0 else ()
