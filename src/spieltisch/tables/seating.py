"""Who sits where: sitting down, leaving, bots in empty seats.

Each command checks and returns the events that would happen, and changes nothing. It raises `TableRefusal`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from spieltisch.bots import BOTS
from spieltisch.tables import checks, refusals
from spieltisch.tables.cast import name_of
from spieltisch.tables.events import (
    Aborted,
    BotSeated,
    Event,
    HandOutAsked,
    HandOutRefused,
    Left,
    LinksRenewed,
    Replaced,
    Seated,
    Started,
    Undone,
    WatchLinksRenewed,
    Written,
)
from spieltisch.tables.fold import then
from spieltisch.tables.names import Sitter, check_apart, device_of
from spieltisch.tables.opening import check_bot
from spieltisch.tables.parts import Seat
from spieltisch.tables.summary import VACANT
from spieltisch.tables.table import Table

NAMED: Final = ("person", "kept", "left")
"""The kinds of seats that bear a person's name."""


def sit(table: Table, person: Sitter, seat: int | None = None, *, by_link: bool = False) -> tuple[Event, ...]:
    """Sit down, in the given seat or the first that this person may take; the last one to sit down starts the game.

    In a running game a seat that was left can be taken by link, or again by who left it. `by_link`: the person has a
    valid link to the seat. Refused: not-invited, seat-taken, already-seated, over, frozen, seat; name for one that
    cannot be told apart from another at the table, but for who comes back to their own seat under their own name.
    """
    checks.alive(table)
    if table.seat_of(person.id) is not None:
        raise refusals.already_seated()
    if seat is None:
        free = [one for one in table.seats if one.kind in VACANT]
        mine = sorted((one for one in free if _admits(one, person, by_link)), key=lambda one: one.person != person.id)
        if not mine:
            raise refusals.not_invited() if free else refusals.no_free_seat()
        seat = mine[0].number
    chosen = checks.seat_numbered(table, seat)
    if chosen.kind not in VACANT:
        raise refusals.seat_taken()
    if not _admits(chosen, person, by_link):
        raise refusals.not_invited()
    if (chosen.kind, chosen.person, chosen.name) not in [(kind, person.id, person.name) for kind in ("kept", "left")]:
        check_apart(person.name, (one.name for one in table.seats if one.kind in NAMED and one.number != seat))
    return _starting(table, Seated(seat=seat, person=person.id, name=person.name))


def _admits(seat: Seat, person: Sitter, by_link: bool) -> bool:
    return by_link or seat.kind == "open" or (seat.kind in ("kept", "left") and seat.person == person.id)


def leave(table: Table, person: str) -> tuple[Event, ...]:
    """Get up. While nothing has begun the seat is free again; in a running game it waits for a bot or another person.

    The table is closed when nobody is left, at it or as its host. A question that only this person had not answered
    is settled. Refused: not-your-seat, over, frozen.
    """
    checks.alive(table)
    seat = table.seat_of(person)
    if seat is None:
        raise refusals.not_your_seat()
    return _without(table, Left(seat=seat))


def hand_out(table: Table, person: str, seat: int, is_here: Callable[[str], bool]) -> tuple[Event, ...]:
    """The host takes back the seat of a person who has lost their way in, to give them a new link to it.

    In a running game a person who `is_here` on a device of their own is asked first: whoever takes the seat sees what
    it keeps secret. All links to it that were handed out are void. Until somebody takes it, that person can also sit
    down again. Refused: not-host, own-seat, not-taken, already-asked, over, frozen, seat.
    """
    checks.alive(table)
    checks.is_host(table, person)
    chosen = checks.seat_numbered(table, seat)
    if chosen.kind != "person":
        raise refusals.not_taken()
    if chosen.person == person:
        raise refusals.own_seat()
    device = device_of(chosen.person)
    if table.status == "open" or device == person or not is_here(device):
        return _handed_out(table, seat)
    if chosen.asked:
        raise refusals.already_asked()
    return (HandOutAsked(seat=seat),)


def agree_hand_out(table: Table, person: str) -> tuple[Event, ...]:
    """Give one's seat up, as the host asks. Refused: not-your-seat, nothing-asked, over, frozen."""
    return _handed_out(table, _asked(table, checks.seat_of(table, person)))


def refuse_hand_out(table: Table, person: str) -> tuple[Event, ...]:
    """Keep one's seat. Refused: not-your-seat, nothing-asked, over, frozen."""
    return (HandOutRefused(seat=_asked(table, checks.seat_of(table, person))),)


def withdraw_hand_out(table: Table, person: str, seat: int) -> tuple[Event, ...]:
    """The host no longer asks for a seat. Refused: not-host, nothing-asked, over, frozen, seat."""
    checks.is_host(table, person)
    return (HandOutRefused(seat=_asked(table, checks.seat_numbered(table, seat).number), withdrawn=True),)


def _asked(table: Table, seat: int) -> int:
    checks.alive(table)
    if not table.seats[seat].asked:
        raise refusals.nothing_asked()
    return seat


def _handed_out(table: Table, seat: int) -> tuple[Event, ...]:
    return LinksRenewed(seat=seat), *_without(table, Left(seat=seat, handed_out=True))


def _without(table: Table, left: Left) -> tuple[Event, ...]:
    """A person leaves, and what follows from it: a question that only they had not answered is settled."""
    after = would_be(table, left)
    if not after.people and not after.host:
        return left, Aborted()
    if after.abort_asked is not None and not after.waiting(after.abort_asked):
        return left, Aborted()
    if after.undo_asked is not None and not after.waiting(after.undo_asked):
        return left, Undone(seat=after.undo_asked.by, to=after.undo_asked.to)
    return (left,)


def replace(table: Table, person: str, seat: int, bot: str, bots: Collection[str] = BOTS) -> tuple[Event, ...]:
    """The host puts a bot, one of `bots`, into a seat: one that nobody has, that was left, or whose bot cannot move.

    Refused: not-host, seat-taken, over, frozen, seat, bot.
    """
    checks.alive(table)
    checks.is_host(table, person)
    chosen = checks.seat_numbered(table, seat)
    failing = chosen.kind == "bot" and table.bot_trouble is not None and table.bot_trouble.seat == seat
    if chosen.kind not in VACANT and not failing:
        raise refusals.seat_taken()
    name = name_of(check_bot(bot, bots), seat, (one.name for one in table.seats if one.number != seat))
    if table.status == "running":
        return (Replaced(seat=seat, bot=bot, name=name),)
    return _starting(table, BotSeated(seat=seat, bot=bot, name=name))


def renew_links(table: Table, person: str, seat: int) -> tuple[Event, ...]:
    """The host makes the links to a seat void that were handed out until now. Refused: not-host, seat."""
    checks.alive(table)
    checks.is_host(table, person)
    return (LinksRenewed(seat=checks.seat_numbered(table, seat).number),)


def renew_watch_links(table: Table, person: str) -> tuple[Event, ...]:
    """The host makes the links for spectators void that were handed out until now. Refused: not-host, over, frozen."""
    checks.alive(table)
    checks.is_host(table, person)
    return (WatchLinksRenewed(),)


def perspective(table: Table, person: str | None, *, by_link: bool = False) -> int | None:
    """From which seat this person looks at the table; None: as a spectator. `by_link`: has a link to the table.

    Refused: no-table, as where there is none; kept-back for who else might look on, from the first move of a table to
    the last of all that share its deal. Who has left their seat there may still look, as they could sit down again.
    """
    seat = table.seat_of(person)
    if seat is not None:
        return seat
    _may_look_on(table, person, by_link)
    if table.kept_back and table.status != "open" and not table.kept_at(person):
        raise refusals.kept_back()
    return None


def _may_look_on(table: Table, person: str | None, by_link: bool) -> None:
    known = person is not None and (person == table.host or bool(table.kept_at(person)))
    inviting = table.status == "open" and any(one.kind == "open" for one in table.seats)
    linked = by_link and (table.opened.watch == "link" or table.status == "open")
    if not (known or inviting or table.opened.watch == "open" or linked):
        raise refusals.no_table()


def would_be(table: Table, *events: Event) -> Table:
    """The table as it would be after these events."""
    return then(table, (Written(table.version + n, table.changed_at, event) for n, event in enumerate(events, 1)))


def _starting(table: Table, taken: Event) -> tuple[Event, ...]:
    """A seat is taken; when it was the last one, the game starts."""
    after = would_be(table, taken)
    if table.status != "open" or any(seat.kind in VACANT for seat in after.seats):
        return (taken,)
    return taken, start(after)


def start(table: Table) -> Started:
    """The event that starts this table's game."""
    return Started(dealt=table.deal().dealt)
