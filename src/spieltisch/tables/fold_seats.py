"""Applying events about seats: who takes them, leaves them or is asked for them, and their links."""

from dataclasses import replace

import msgspec

from spieltisch.core.words import SeatName, message
from spieltisch.tables import events as e
from spieltisch.tables.fold_steps import apply_event, with_log_entry, with_seat
from spieltisch.tables.names import device_owner
from spieltisch.tables.permissions import acting_host
from spieltisch.tables.summary import FormerPlayer
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import ConsentRequest


@apply_event.register(e.Seated)
def _apply_seated(event: e.Seated, table: Table, recorded: e.RecordedEvent) -> Table:
    before = table.seats[event.seat]
    if before.kind != "left":
        words = message("{name} joins the table.", name=event.name)
    elif (event.person, event.name) == (before.person, before.name):  # a name alone is anyone's
        words = message("{name} is back.", name=event.name)
    else:
        words = message("{name} takes over {other}’s seat.", name=event.name, other=before.name)
    seated = with_seat(
        _without_claim(table, event.person),
        event.seat,
        kind="person",
        person=event.person,
        name=event.name,
        bot="",
        style="",
        times_taken=before.times_taken + 1,
    )
    return with_log_entry(seated, recorded, words)


@apply_event.register(e.BotSeated)
def _apply_bot_seated(event: e.BotSeated, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{name} (bot) joins the table.", name=event.name)
    return with_log_entry(
        with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot, style=event.style),
        recorded,
        words,
    )


@apply_event.register(e.Replaced)
def _apply_replaced(event: e.Replaced, table: Table, recorded: e.RecordedEvent) -> Table:
    other = table.seats[event.seat].name
    words = message("{name} (bot) takes over for {other}.", name=event.name, other=other)
    seated = with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot, style=event.style)
    return with_log_entry(replace(seated, bot_trouble=None), recorded, words)


@apply_event.register(e.Left)
def _apply_left(event: e.Left, table: Table, recorded: e.RecordedEvent) -> Table:
    seat = table.seats[event.seat]
    host = table.seat_of(table.host)
    if event.agreed:
        words = message("{name} has given up their seat.", name=seat.name)
    elif event.reclaimed and host is not None:
        words = message("{player} has given {name}’s seat away.", player=SeatName(host), name=seat.name)
    elif event.reclaimed:
        words = message("The host has given {name}’s seat away.", name=seat.name)
    else:
        words = message("{name} has left the table.", name=seat.name)
    if table.status == "open":
        is_declined = any(isinstance(r.event, e.Declined) and r.event.seat == event.seat for r in table.events)
        offer = e.SeatOffer("link") if is_declined else table.opened.seat_offers[event.seat]
        after = with_seat(
            table,
            event.seat,
            kind=offer.kind,
            person=offer.person,
            name=offer.name,
            bot="",
            style="",
            reclaim_requested=False,
        )
    else:
        is_taken = event.reclaimed and not event.agreed and device_owner(seat.person) != table.host
        former_player = (FormerPlayer(seat.person, seat.name),) if is_taken else ()
        after = with_seat(
            table,
            event.seat,
            kind="left",
            bot="",
            style="",
            reclaim_requested=False,
            given_away_from=(*seat.given_away_from, *former_player),
        )
    host_left = after.host == seat.person or (
        after.host == device_owner(seat.person) and _has_ever_sat(after, after.host)
    )
    if host_left and not event.reclaimed and acting_host(after) and not after.seats_on_device(after.host):
        after = replace(after, host=next((device_owner(other.person) for other in after.people), ""))
    after = replace(
        after,
        undo_asked=_without_seat(table.undo_asked, event.seat),
        abort_asked=_without_seat(table.abort_asked, event.seat),
        hints_asked=_without_seat(table.hints_asked, event.seat),
    )
    return with_log_entry(after, recorded, words)


@apply_event.register(e.Declined)
def _apply_declined(event: e.Declined, table: Table, recorded: e.RecordedEvent) -> Table:
    seat = table.seats[event.seat]
    if seat.kind != "reserved":
        return _without_claim(table, event.person)
    words = message("{name} doesn’t take the seat.", name=seat.name)
    after = with_seat(table, event.seat, kind="link", person="", name="")
    if table.opened.keeps_seats and device_owner(event.person) == table.host:
        others = (device_owner(other.person) for other in after.seats if other.kind in ("person", "reserved"))
        after = replace(after, host=next(others, table.host))
    return with_log_entry(after, recorded, words)


@apply_event.register(e.ReclaimRequested)
def _apply_reclaim_requested(event: e.ReclaimRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} has been asked to give up their seat.", player=SeatName(event.seat))
    return with_log_entry(with_seat(table, event.seat, reclaim_requested=True), recorded, words)


@apply_event.register(e.ReclaimRefused)
def _apply_reclaim_refused(event: e.ReclaimRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    if event.withdrawn:
        words = message("The host has withdrawn the request for {player}’s seat.", player=SeatName(event.seat))
    else:
        words = message("{player} keeps their seat.", player=SeatName(event.seat))
    return with_log_entry(with_seat(table, event.seat, reclaim_requested=False), recorded, words)


def _has_ever_sat(table: Table, person: str) -> bool:
    """Return True if this person ever sat at the table, rather than only hosting players on their device."""
    return any(isinstance(entry.event, e.Seated) and entry.event.person == person for entry in table.events)


@apply_event.register(e.SeatLinksRenewed)
def _apply_seat_links_renewed(event: e.SeatLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return with_seat(table, event.seat, link_version=table.seats[event.seat].link_version + 1)


@apply_event.register(e.TableLinksRenewed)
def _apply_table_links_renewed(event: e.TableLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return replace(table, table_link_version=table.table_link_version + 1)


@apply_event.register(e.SpectatorLinksRenewed)
def _apply_spectator_links_renewed(event: e.SpectatorLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return replace(table, spectator_link_version=table.spectator_link_version + 1)


def _without_claim(table: Table, person: str) -> Table:
    """Return the table without this person's claims to seats that the host has given away."""
    for seat in table.seats:
        others = tuple(former for former in seat.given_away_from if former.person != person)
        if others != seat.given_away_from:
            table = with_seat(table, seat.number, given_away_from=others)
    return table


def _without_seat(request: ConsentRequest | None, seat: int) -> ConsentRequest | None:
    """Return a request without the consent of a player who left: another one in this seat has to be asked."""
    if request is None or request.seat == seat:
        return None
    return msgspec.structs.replace(request, agreed=request.agreed - {seat})
