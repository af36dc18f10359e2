"""Who says what to whom at a table, apart from the game: three rooms, and who is in which.

Players talk at the `table`, for all to read who may see it. Spectators have a room of their own (`watch`), which who
plays, or has played, reads when the game is over. A `note` is read by who wrote it alone, for ever.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, Literal, get_args

import msgspec

from spieltisch.core.words import message
from spieltisch.tables.events import Seated
from spieltisch.tables.names import device_owner, visible
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal, not_your_seat
from spieltisch.tables.table import Table

Room = Literal["table", "watch", "note"]
ROOMS: Final[tuple[Room, ...]] = get_args(Room)
REACTIONS: Final = {"like": "👍", "laugh": "😄", "clap": "👏", "think": "🤔", "sad": "😢"}
"""What one can give to what was said, by its word in an address."""


class ChatReader(msgspec.Struct, frozen=True):
    """Who reads and says: an id ("" for somebody unknown, or for several on a device), a seat, whether they are the
    host, and whether they play or have played here.
    """

    id: str
    seat: int | None
    host: bool
    is_player: bool


def has_played(table: Table, person: str | None) -> bool:
    """Whether somebody on this person's device sits at the table, has sat there, or has a seat kept."""
    if person is None:
        return False
    sat = (one.event.person for one in table.events if isinstance(one.event, Seated))
    return bool(table.seats_kept_for(person)) or any(device_owner(one) == person for one in sat)


def readable_rooms(table: Table, reader: ChatReader) -> tuple[Room, ...]:
    """The rooms that somebody may read who may see the table."""
    note: tuple[Room, ...] = ("note",) if reader.id else ()
    if not table.opened.settings.chat:
        return note
    return ("table", *note) if reader.is_player and not table.over else ("table", "watch", *note)


def writable_rooms(table: Table, reader: ChatReader) -> tuple[Room, ...]:
    """The rooms in which somebody may say something."""
    if not reader.id:
        return ()
    if not table.opened.settings.chat:
        return ("note",)
    to_table: tuple[Room, ...] = ("table",) if reader.seat is not None or reader.host else ()
    return (*to_table, *(() if reader.is_player else ("watch",)), "note")


def require_room(table: Table, reader: ChatReader, room: str) -> Room:
    """The room, if this person may say something there. Raises `TableRefusal` not-your-seat, no-chat, room."""
    if not reader.id:
        raise not_your_seat()
    for known in writable_rooms(table, reader):
        if known == room:
            return known
    if room in ROOMS and not table.opened.settings.chat:
        raise TableRefusal(RefusalCode.NO_CHAT, message("Nobody chats at this table."))
    raise TableRefusal(RefusalCode.ROOM, message("You cannot say anything there."))


def mention_pattern(names: Iterable[str]) -> str:
    """What finds "@Ada" in what somebody says, as a regular expression with the group `name`; the longer name first.

    >>> re.findall(mention_pattern(["Ada", "Ada B."]), "@Ada B. is @Adam, @Ada!")
    ['Ada B.', 'Ada']
    """
    return rf"(?<!\w)@(?P<name>{'|'.join(re.escape(name) for name in sorted(names, key=len, reverse=True))})(?!\w)"


def mentioned(table: Table, room: str, speaker: str, text: str) -> frozenset[str]:
    """The ids of the players whom somebody points to, to whom it is told: of what all may read, and nobody's own."""
    seats = {str(table.names[seat.number]): seat.person for seat in table.people}
    if room != "table" or not seats:
        return frozenset()
    found = {seats[one["name"]] for one in re.finditer(mention_pattern(seats), text)}
    return frozenset(one for one in found if device_owner(one) != device_owner(speaker))


def clean_message(text: str, most: int) -> str:
    """What somebody says, as it is kept: composed (NFC), in one line, without what cannot be seen.

    Raises `TableRefusal` words for nothing, and for more than so many characters (0: any number).

    >>> clean_message("  hallo \\n there\\u202e ", 500)
    'hallo there'
    """
    kept = " ".join(unicodedata.normalize("NFC", visible(text)).split())
    if not kept:
        raise TableRefusal(RefusalCode.MESSAGE, message("There is nothing to be read in that."))
    if 0 < most < len(kept):
        words = message("What is said has at most {count} characters; this has {given}.", count=most, given=len(kept))
        raise TableRefusal(RefusalCode.MESSAGE, words)
    return kept
