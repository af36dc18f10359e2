"""Who sits where: sitting down, leaving, bots in empty seats.

Each command checks and returns the events that would happen, and changes nothing. It raises `TableRefusal`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from spieltisch.bots import BOTS
from spieltisch.tables import preconditions, refusals
from spieltisch.tables.bot_characters import pick_name
from spieltisch.tables.events import (
    Aborted,
    BotSeated,
    Event,
    Left,
    ReclaimRefused,
    ReclaimRequested,
    RecordedEvent,
    Replaced,
    Seated,
    SeatLinksRenewed,
    SpectatorLinksRenewed,
    Started,
    Undone,
)
from spieltisch.tables.fold import apply
from spieltisch.tables.names import Participant, device_owner, require_distinct
from spieltisch.tables.opening import require_bot
from spieltisch.tables.summary import FREE_KINDS
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import Seat

NAMED_KINDS: Final = ("person", "kept", "left")
"""The kinds of seats that bear a person's name."""


def sit(table: Table, person: Participant, seat: int | None = None, *, by_link: bool = False) -> tuple[Event, ...]:
    """Sit down, in the given seat or the first that this person may take; the last one to sit down starts the game.

    In a running game a seat that was left can be taken by link, or again by who left it. `by_link`: the person has a
    valid link to the seat. Refused: not-invited, seat-taken, already-seated, over, frozen, seat; name for one that
    cannot be told apart from another at the table, but for who comes back to their own seat under their own name.
    """
    preconditions.require_not_over(table)
    if table.seat_of(person.id) is not None:
        raise refusals.already_seated()
    if seat is None:
        free = [one for one in table.seats if one.kind in FREE_KINDS]
        mine = sorted((one for one in free if _admits(one, person, by_link)), key=lambda one: one.person != person.id)
        if not mine:
            raise refusals.not_invited() if free else refusals.no_free_seat()
        seat = mine[0].number
    chosen = preconditions.require_seat(table, seat)
    if chosen.kind not in FREE_KINDS:
        raise refusals.seat_taken()
    if not _admits(chosen, person, by_link):
        raise refusals.not_invited()
    if (chosen.kind, chosen.person, chosen.name) not in [(kind, person.id, person.name) for kind in ("kept", "left")]:
        require_distinct(
            person.name, (one.name for one in table.seats if one.kind in NAMED_KINDS and one.number != seat)
        )
    return _starting(table, Seated(seat=seat, person=person.id, name=person.name))


def _admits(seat: Seat, person: Participant, by_link: bool) -> bool:
    return by_link or seat.kind == "open" or (seat.kind in ("kept", "left") and seat.person == person.id)


def leave(table: Table, person: str) -> tuple[Event, ...]:
    """Get up. While nothing has begun the seat is free again; in a running game it waits for a bot or another person.

    The table is closed when nobody is left, at it or as its host. A question that only this person had not answered
    is settled. Refused: not-your-seat, over, frozen.
    """
    preconditions.require_not_over(table)
    seat = table.seat_of(person)
    if seat is None:
        raise refusals.not_your_seat()
    return _without(table, Left(seat=seat))


def reclaim_seat(table: Table, person: str, seat: int, is_here: Callable[[str], bool]) -> tuple[Event, ...]:
    """The host takes back the seat of a person who has lost their way in, to give them a new link to it.

    In a running game a person who `is_here` on a device of their own is asked first: whoever takes the seat sees what
    it keeps secret. All links to it that were handed out are void. Until somebody takes it, that person can also sit
    down again. Refused: not-host, own-seat, not-taken, already-asked, over, frozen, seat.
    """
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    chosen = preconditions.require_seat(table, seat)
    if chosen.kind != "person":
        raise refusals.not_taken()
    if chosen.person == person:
        raise refusals.own_seat()
    device = device_owner(chosen.person)
    if table.status == "open" or device == person or not is_here(device):
        return _handed_out(table, seat)
    if chosen.reclaim_requested:
        raise refusals.already_asked()
    return (ReclaimRequested(seat=seat),)


def accept_reclaim(table: Table, person: str) -> tuple[Event, ...]:
    """Give one's seat up, as the host asks. Refused: not-your-seat, nothing-asked, over, frozen."""
    return _handed_out(table, _asked(table, preconditions.require_own_seat(table, person)))


def refuse_reclaim(table: Table, person: str) -> tuple[Event, ...]:
    """Keep one's seat. Refused: not-your-seat, nothing-asked, over, frozen."""
    return (ReclaimRefused(seat=_asked(table, preconditions.require_own_seat(table, person))),)


def cancel_reclaim(table: Table, person: str, seat: int) -> tuple[Event, ...]:
    """The host no longer asks for a seat. Refused: not-host, nothing-asked, over, frozen, seat."""
    preconditions.require_host(table, person)
    return (ReclaimRefused(seat=_asked(table, preconditions.require_seat(table, seat).number), withdrawn=True),)


def _asked(table: Table, seat: int) -> int:
    preconditions.require_not_over(table)
    if not table.seats[seat].reclaim_requested:
        raise refusals.nothing_asked()
    return seat


def _handed_out(table: Table, seat: int) -> tuple[Event, ...]:
    return SeatLinksRenewed(seat=seat), *_without(table, Left(seat=seat, reclaimed=True))


def _without(table: Table, left: Left) -> tuple[Event, ...]:
    """A person leaves, and what follows from it: a question that only they had not answered is settled."""
    after = after_events(table, left)
    if not after.people and not after.host:
        return left, Aborted()
    if after.abort_asked is not None and not after.awaiting_consent(after.abort_asked):
        return left, Aborted()
    if after.undo_asked is not None and not after.awaiting_consent(after.undo_asked):
        return left, Undone(seat=after.undo_asked.seat, move_count=after.undo_asked.undo_to)
    return (left,)


def replace_with_bot(table: Table, person: str, seat: int, bot: str, bots: Collection[str] = BOTS) -> tuple[Event, ...]:
    """The host puts a bot, one of `bots`, into a seat: one that nobody has, that was left, or whose bot cannot move.

    Refused: not-host, seat-taken, over, frozen, seat, bot.
    """
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    chosen = preconditions.require_seat(table, seat)
    failing = chosen.kind == "bot" and table.bot_trouble is not None and table.bot_trouble.seat == seat
    if chosen.kind not in FREE_KINDS and not failing:
        raise refusals.seat_taken()
    name = pick_name(require_bot(bot, bots), seat, (one.name for one in table.seats if one.number != seat))
    if table.status == "running":
        return (Replaced(seat=seat, bot=bot, name=name),)
    return _starting(table, BotSeated(seat=seat, bot=bot, name=name))


def renew_links(table: Table, person: str, seat: int) -> tuple[Event, ...]:
    """The host makes the links to a seat void that were handed out until now. Refused: not-host, seat."""
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    return (SeatLinksRenewed(seat=preconditions.require_seat(table, seat).number),)


def renew_spectator_links(table: Table, person: str) -> tuple[Event, ...]:
    """The host makes the links for spectators void that were handed out until now. Refused: not-host, over, frozen."""
    preconditions.require_not_over(table)
    preconditions.require_host(table, person)
    return (SpectatorLinksRenewed(),)


def seat_of_viewer(table: Table, person: str | None, *, by_link: bool = False) -> int | None:
    """From which seat this person looks at the table; None: as a spectator. `by_link`: has a link to the table.

    Refused: no-table, as where there is none; kept-back for who else might look on, from the first move of a table to
    the last of all that share its deal. Who has left their seat there may still look, as they could sit down again.
    """
    seat = table.seat_of(person)
    if seat is not None:
        return seat
    _may_look_on(table, person, by_link)
    if table.withheld and table.status != "open" and not table.seats_kept_for(person):
        raise refusals.withheld()
    return None


def _may_look_on(table: Table, person: str | None, by_link: bool) -> None:
    known = person is not None and (person == table.host or bool(table.seats_kept_for(person)))
    inviting = table.status == "open" and any(one.kind == "open" for one in table.seats)
    linked = by_link and (table.opened.spectators == "link" or table.status == "open")
    if not (known or inviting or table.opened.spectators == "open" or linked):
        raise refusals.no_table()


def after_events(table: Table, *events: Event) -> Table:
    """The table as it would be after these events."""
    return apply(
        table, (RecordedEvent(table.version + n, table.changed_at, event) for n, event in enumerate(events, 1))
    )


def _starting(table: Table, taken: Event) -> tuple[Event, ...]:
    """A seat is taken; when it was the last one, the game starts."""
    after = after_events(table, taken)
    if table.status != "open" or any(seat.kind in FREE_KINDS for seat in after.seats):
        return (taken,)
    return taken, start(after)


def start(table: Table) -> Started:
    """The event that starts this table's game."""
    return Started(setup_draws=table.deal().setup_draws)
