"""Commands to take and leave seats, and to put bots into empty ones.

Each command checks and returns the events that would happen, and changes nothing. It raises `TableRefusal`.
"""

from collections.abc import Callable, Collection
from typing import Final

from spieltisch.bots import BOTS
from spieltisch.tables import events, preconditions, refusals
from spieltisch.tables.bot_characters import pick_name, style_of
from spieltisch.tables.fold import apply
from spieltisch.tables.names import Participant, device_owner, require_distinct
from spieltisch.tables.opening import require_bot
from spieltisch.tables.summary import FREE_KINDS
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import Seat

NAMED_KINDS: Final = ("person", "reserved", "left")
"""The kinds of seats that have a person's name."""

OFFERED_KINDS: Final = ("open", "link")
"""The kinds of seats that the link to a table gives, first come, first served."""


def sit(
    table: Table, person: Participant, seat: int | None = None, *, by_link: bool = False
) -> tuple[events.Event, ...]:
    """Take the given seat, or the first one that this person may take. The game starts when the last seat is taken.

    In a running game a seat that was left can be taken by a link to it, or again by the people who left or lost it.
    `by_link`: the person has a valid link to the seat, or, without a `seat`, to the table. A link to the table gives no
    seat that is reserved for, or was left by, another person. Refusals: not-invited, seat-taken, already-seated, over,
    frozen, seat; name if theirs could be confused with another at the table, unless they return to their own seat under
    their own name.
    """
    preconditions.require_not_over(table)
    if table.seat_of(person.id) is not None:
        raise refusals.already_seated()
    if seat is None:
        free = [candidate for candidate in table.seats if candidate.kind in FREE_KINDS]
        offered = (seat for seat in free if _may_take(seat, person, by_link and seat.kind in OFFERED_KINDS))
        allowed = sorted(offered, key=lambda candidate: not _is_reserved_for(candidate, person))
        if not allowed:
            raise refusals.not_invited() if free else refusals.no_free_seat()
        seat = allowed[0].number
    chosen = preconditions.require_seat(table, seat)
    if chosen.kind not in FREE_KINDS:
        raise refusals.seat_taken()
    if not _may_take(chosen, person, by_link):
        raise refusals.not_invited()
    own_seats = [(kind, person.id, person.name) for kind in ("reserved", "left")]
    if (chosen.kind, chosen.person, chosen.name) not in own_seats:
        require_distinct(
            person.name,
            (candidate.name for candidate in table.seats if candidate.kind in NAMED_KINDS and candidate.number != seat),
        )
    return _take_seat(table, events.Seated(seat=seat, person=person.id, name=person.name))


def _may_take(seat: Seat, person: Participant, by_link: bool) -> bool:
    return by_link or seat.kind == "open" or _is_reserved_for(seat, person)


def _is_reserved_for(seat: Seat, person: Participant) -> bool:
    owners = (seat.person, *(former.person for former in seat.given_away_from))
    return seat.kind in ("reserved", "left") and person.id in owners


def leave(table: Table, person: str) -> tuple[events.Event, ...]:
    """Leave the table. Before the game the seat is free again; in a running game it waits for a bot or another person.

    A person without a seat declines those that are reserved for them, and those that the host has given away. The table
    is closed if it has neither people nor a host any longer. A request to which only this person had not responded is
    settled. Refusals: not-your-seat, over, frozen.
    """
    preconditions.require_not_over(table)
    seat = table.seat_of(person)
    return decline(table, person) if seat is None else _leave(table, events.Left(seat=seat))


def decline(table: Table, person: str) -> tuple[events.Event, ...]:
    """Decline the seats that are reserved for people of this device, and those that the host has given away.

    A seat that the person has taken stays theirs. Refusals: not-your-seat, over, frozen.
    """
    preconditions.require_not_over(table)
    claims = table.claims_of(person)
    if not claims:
        raise refusals.not_your_seat()
    return tuple(events.Declined(seat=number, person=player) for number, player in claims)


def reclaim_seat(
    table: Table, person: str, seat: int, is_here: Callable[[str, float], bool]
) -> tuple[events.Event, ...]:
    """Take back, as the host, the seat of a person who has lost access to it, to issue a new link.

    In a running game a person is asked first who `is_here` on their own device, or was less than the hours ago that the
    table chose, because the next player of the seat sees its secrets. All links to the seat issued so far are revoked.
    A person who was not asked can return to it whenever it is free; one who agreed, until it is taken. Refusals:
    not-host, own-seat, seat-empty, already-asked, over, frozen, seat.
    """
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    chosen = preconditions.require_seat(table, seat)
    if chosen.kind != "person":
        raise refusals.not_taken()
    if chosen.person == person:
        raise refusals.own_seat()
    device = device_owner(chosen.person)
    if table.status == "open" or device == person or not is_here(device, table.opened.settings.away_hours):
        return _reclaim(table, seat)
    if chosen.reclaim_requested:
        raise refusals.already_asked()
    return (events.ReclaimRequested(seat=seat),)


def accept_reclaim(table: Table, person: str) -> tuple[events.Event, ...]:
    """Give up one's seat at the host's request. Refusals: not-your-seat, nothing-asked, over, frozen."""
    seat = _require_reclaim_requested(table, preconditions.require_own_seat(table, person))
    return _reclaim(table, seat, agreed=True)


def refuse_reclaim(table: Table, person: str) -> tuple[events.Event, ...]:
    """Keep one's seat. Refusals: not-your-seat, nothing-asked, over, frozen."""
    return (
        events.ReclaimRefused(seat=_require_reclaim_requested(table, preconditions.require_own_seat(table, person))),
    )


def cancel_reclaim(table: Table, person: str, seat: int) -> tuple[events.Event, ...]:
    """Withdraw the host's request for a seat. Refusals: not-host, nothing-asked, over, frozen, seat."""
    preconditions.require_host(table, person)
    return (
        events.ReclaimRefused(
            seat=_require_reclaim_requested(table, preconditions.require_seat(table, seat).number), withdrawn=True
        ),
    )


def _require_reclaim_requested(table: Table, seat: int) -> int:
    preconditions.require_not_over(table)
    if not table.seats[seat].reclaim_requested:
        raise refusals.nothing_asked()
    return seat


def _reclaim(table: Table, seat: int, *, agreed: bool = False) -> tuple[events.Event, ...]:
    return events.SeatLinksRenewed(seat=seat), *_leave(table, events.Left(seat=seat, reclaimed=True, agreed=agreed))


def _leave(table: Table, left_event: events.Left) -> tuple[events.Event, ...]:
    """Return the event of leaving and those that follow.

    A request to which only this person had not responded is settled.
    """
    after = after_events(table, left_event)
    if not after.people and not after.host:
        return left_event, events.Aborted()
    if after.abort_asked is not None and not after.awaiting_consent(after.abort_asked):
        return left_event, events.Aborted()
    if after.undo_asked is not None and not after.awaiting_consent(after.undo_asked):
        return left_event, events.Undone(seat=after.undo_asked.seat, move_count=after.undo_asked.undo_to)
    return (left_event,)


def replace_with_bot(
    table: Table, person: str, seat: int, bot: str, bots: Collection[str] = BOTS
) -> tuple[events.Event, ...]:
    """Put one of `bots` into a seat that is empty, was left, or whose bot cannot move; for the host.

    Refusals: not-host, seat-taken, over, frozen, seat, bot.
    """
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    chosen = preconditions.require_seat(table, seat)
    bot_fails = chosen.kind == "bot" and table.bot_trouble is not None and table.bot_trouble.seat == seat
    if chosen.kind not in FREE_KINDS and not bot_fails:
        raise refusals.seat_taken()
    return seat_bot(table, seat, bot, bots)


def seat_bot(table: Table, seat: int, bot: str, bots: Collection[str] = BOTS) -> tuple[events.Event, ...]:
    """Put one of `bots` into a seat in place of who had it. Refusals: bot."""
    name = pick_name(require_bot(bot, bots), seat, (other.name for other in table.seats if other.number != seat))
    if table.status == "running":
        return (events.Replaced(seat=seat, bot=bot, name=name, style=style_of(bot, seat)),)
    return _take_seat(table, events.BotSeated(seat=seat, bot=bot, name=name, style=style_of(bot, seat)))


def renew_links(table: Table, person: str, seat: int) -> tuple[events.Event, ...]:
    """Revoke, as the host, the links to a seat issued so far. Refusals: not-host, over, frozen, seat."""
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    return (events.SeatLinksRenewed(seat=preconditions.require_seat(table, seat).number),)


def renew_table_links(table: Table, person: str) -> tuple[events.Event, ...]:
    """Revoke, as the host, the links to any open seat issued so far. Refusals: not-host, over, frozen."""
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    return (events.TableLinksRenewed(),)


def renew_spectator_links(table: Table, person: str) -> tuple[events.Event, ...]:
    """Revoke, as the host, the links for spectators issued so far. Refusals: not-host, over, frozen."""
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    return (events.SpectatorLinksRenewed(),)


def seat_of_viewer(table: Table, person: str | None, *, by_link: bool = False) -> int | None:
    """Return the seat from which this person views the table; None for a spectator. `by_link`: has a link to it.

    Refusals: no-table, as if it did not exist; withheld for spectators, from the first move of a table to the last of
    all tables with the same deal. A person who has left their seat may still view it, since they could take it again.
    """
    seat = table.seat_of(person)
    if seat is not None:
        return seat
    _require_may_watch(table, person, by_link)
    if table.is_withheld and table.status != "open" and not table.seats_reserved_for(person):
        raise refusals.withheld()
    return None


def _require_may_watch(table: Table, person: str | None, by_link: bool) -> None:
    known = person is not None and (
        person == table.host or bool(table.seats_reserved_for(person)) or bool(table.claims_of(person))
    )
    inviting = table.status == "open" and any(seat.kind == "open" for seat in table.seats)
    linked = by_link and (table.opened.spectators == "link" or table.status == "open")
    if not (known or inviting or table.opened.spectators == "open" or linked):
        raise refusals.no_table()


def after_events(table: Table, *following: events.Event) -> Table:
    """Return the table as it would be after these events."""
    return apply(
        table,
        (events.RecordedEvent(table.version + n, table.changed_at, event) for n, event in enumerate(following, 1)),
    )


def _take_seat(table: Table, seat_event: events.Event) -> tuple[events.Event, ...]:
    """Return the event of taking a seat; if it was the last one, start the game."""
    after = after_events(table, seat_event)
    if table.status != "open" or any(seat.kind in FREE_KINDS for seat in after.seats):
        return (seat_event,)
    return seat_event, start(after)


def start(table: Table) -> events.Started:
    """Return the event that starts this table's game."""
    return events.Started(setup_draws=table.deal().setup_draws)
