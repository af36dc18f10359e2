"""The chat of a table: three rooms, and the people who may read and write in them.

Players chat in `table`, which all who may see the table can read. Spectators have their own room, `watch`, which people
who play or have played can read only when the game is over; a spectator may greet the players in theirs, once and
without words, which gives no advice. A `note` can permanently be read by its author only.
"""

import re
from collections.abc import Iterable
from typing import Final, Literal, get_args

import msgspec

from spieltisch.core.words import guest_names, message
from spieltisch.tables.events import Seated
from spieltisch.tables.names import device_owner
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal, not_your_seat
from spieltisch.tables.table import Table

Room = Literal["table", "watch", "note"]
ROOMS: Final[tuple[Room, ...]] = get_args(Room)
REACTION_SYMBOLS: Final = {"like": "👍", "laugh": "😄", "clap": "👏", "think": "🤔", "sad": "😢"}
"""Reactions to a message, by their value in a URL."""


GREETING: Final = "👋"
"""The only message of a spectator that players can read during a game."""
SPECTATOR: Final = message("A spectator")
"""The author of a greeting: it shows no name, which could be advice."""


class ChatReader(msgspec.Struct, frozen=True):
    """A person who reads and writes.

    `id` is "" if it is unknown, or if several players share the device. `seat` is theirs. `is_player` is true for those
    who play or have played here.
    """

    id: str
    seat: int | None
    is_host: bool
    is_player: bool
    is_delayed: bool = False
    """True for a spectator who sees the game with a delay: what the players write is about the game as it is now."""


def reportable_names(table: Table, person: str) -> dict[int, str]:
    """Return the names of the people in the seats of others, by seat, which a person can report."""
    seats = (seat for seat in table.seats if seat.kind == "person" and seat.person and seat.name)
    return {seat.number: str(seat.name) for seat in seats if device_owner(seat.person or "") != person}


def may_report_invitation(table: Table, person: str) -> bool:
    """Return True if the host keeps a seat for this person."""
    return bool(person) and person != table.host and bool(table.seats_reserved_for(person))


def has_played(table: Table, person: str | None) -> bool:
    """Return True if a player on this person's device sits here, has sat here, or has a seat reserved."""
    if person is None:
        return False
    players = (recorded.event.person for recorded in table.events if isinstance(recorded.event, Seated))
    return bool(table.seats_reserved_for(person)) or any(device_owner(player) == person for player in players)


def readable_rooms(table: Table, reader: ChatReader) -> tuple[Room, ...]:
    """Return the rooms that a person who may see the table may read.

    Spectators with a delay read what the players write after the game, together with everyone.
    """
    note: tuple[Room, ...] = ("note",) if reader.id else ()
    if not table.opened.settings.chat:
        return note
    if reader.is_delayed:
        return note if reader.is_player else ("watch", *note)
    return ("table", *note) if reader.is_player and not table.is_over else ("table", "watch", *note)


def writable_rooms(table: Table, reader: ChatReader) -> tuple[Room, ...]:
    """Return the rooms in which a person may write."""
    if not reader.id:
        return ()
    if not table.opened.settings.chat:
        return ("note",)
    speaks_as_host = reader.is_host and not reader.is_delayed
    to_table: tuple[Room, ...] = ("table",) if reader.seat is not None or speaks_as_host else ()
    return (*to_table, *(() if reader.is_player else ("watch",)), "note")


def may_greet(table: Table, reader: ChatReader) -> bool:
    """Return True if this person watches a game that is not over, and may greet its players."""
    return not table.is_over and not reader.is_host and "watch" in writable_rooms(table, reader)


def require_room(table: Table, reader: ChatReader, room: str, text: str = "") -> Room:
    """Return the room if this person may write this there. Raise `TableRefusal` not-your-seat, no-chat, room."""
    if not reader.id:
        raise not_your_seat()
    if room == "table" and text == GREETING and may_greet(table, reader):
        return "table"
    for writable in writable_rooms(table, reader):
        if writable == room:
            return writable
    if room in ROOMS and not table.opened.settings.chat:
        raise TableRefusal(RefusalCode.NO_CHAT, message("Chat is off at this table."))
    raise TableRefusal(RefusalCode.ROOM, message("You can’t send messages there."))


def mention_pattern(names: Iterable[str]) -> str:
    """Return a regular expression that finds mentions such as "@Ada", as the group `name`; longer names come first.

    >>> re.findall(mention_pattern(["Ada", "Ada B."]), "@Ada B. is @Adam, @Ada!")
    ['Ada B.', 'Ada']
    """
    return rf"(?<!\w)@(?P<name>{'|'.join(re.escape(name) for name in sorted(names, key=len, reverse=True))})(?!\w)"


def mentioned(table: Table, room: str, speaker: str, text: str) -> frozenset[str]:
    """Return the ids of the players that a message mentions and that must be alerted.

    Only messages in the room `table` mention anyone, and never a player on the author's own device.
    """
    seats = {str(table.names[seat.number]): seat.person for seat in table.people}
    if room != "table" or not seats:
        return frozenset()
    # Each reader sees the default name of a guest in the own language, and mentions it so.
    guests = [person for name, person in seats.items() if name in guest_names()]
    seats = {name: guests[0] for name in guest_names() if guests} | seats
    people = {seats[match["name"]] for match in re.finditer(mention_pattern(seats), text)}
    return frozenset(person for person in people if device_owner(person) != device_owner(speaker))
