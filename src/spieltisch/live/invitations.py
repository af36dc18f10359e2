"""Links that invite to a seat, or to look on.

A link is signed with a key of this database (itsdangerous) and says everything itself: the table, the seat, and how
often the seat's links, or those for spectators, were renewed. Nothing is stored for it: so it can be shown again
whenever the host comes back to the page, which a stored hash could not, and renewing makes all older links void,
because they carry a smaller number.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch.tables import Table, TableRefusal, refusals

ANY_SEAT: Final = -1
WATCH: Final = -2


class Invitation(msgspec.Struct, frozen=True, rename={"spectator": "watch"}):
    """What a link is for: a table, and a `seat`, any free seat (None), or only to `watch`."""

    table: Table
    seat: int | None
    spectator: bool


class Invitations:
    """Makes and reads links with the key of a database. `find` finds the table with an id."""

    def __init__(self, key: bytes, find: Callable[[str], Awaitable[Table]]) -> None:
        self._signed = URLSafeSerializer(key, salt="spieltisch link")
        self._find = find

    def seat_link(self, table: Table, seat: int | None) -> str:
        """The token of a link to a seat, or (None) to any seat that is free: letters, digits, `-`, `_` and `.`.

        Raises `TableRefusal` seat.
        """
        if seat is not None and not 0 <= seat < len(table.seats):
            raise refusals.no_seat()
        return self._make(table, ANY_SEAT if seat is None else seat)

    def spectator_link(self, table: Table) -> str:
        """The token of a link for spectators."""
        return self._make(table, WATCH)

    async def read(self, token: str) -> Invitation:
        """What a link is for. Raises `TableRefusal` no-link when it is void or was not made here."""
        table_id, place, renewed = self._read(token)
        table = await self._find(table_id)
        if place >= len(table.seats) or renewed != _renewed(table, place):
            raise refusals.no_link()
        return Invitation(table, place if place >= 0 else None, place == WATCH)

    def is_for(self, token: str, table: Table) -> bool:
        """Whether a link was made for this table, void or not: whoever has one has known of the table."""
        try:
            return self._read(token)[0] == table.id
        except TableRefusal:
            return False

    def _make(self, table: Table, place: int) -> str:
        return str(self._signed.dumps([table.id, place, _renewed(table, place)]))

    def _read(self, token: str) -> tuple[str, int, int]:
        try:
            return msgspec.convert(self._signed.loads(token), tuple[str, int, int])
        except (BadSignature, msgspec.ValidationError, ValueError) as problem:
            raise refusals.no_link() from problem


def _renewed(table: Table, place: int) -> int:
    if place == WATCH:
        return table.spectator_link_version
    if place == ANY_SEAT:
        return sum(seat.link_version for seat in table.seats)
    return table.seats[place].link_version
