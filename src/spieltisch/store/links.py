"""Links that invite to a seat, or to look on.

A link is signed with a key of this database (itsdangerous) and says everything itself: the table, the seat, and how
often the seat's links were renewed. Nothing is stored for it: so it can be shown again whenever the host comes back
to the page, which a stored hash could not, and renewing makes all older links void, because they carry a smaller
number.
"""

from __future__ import annotations

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch.tables import Table
from spieltisch.tables.refusals import no_link

ANY_SEAT = -1
WATCH = -2


class Invitation(msgspec.Struct, frozen=True):
    """What a link is for: a table, and a `seat`, any free seat (None), or only to `watch`."""

    table: Table
    seat: int | None
    watch: bool


class Links:
    """Makes and reads links with the key of a database."""

    def __init__(self, key: bytes) -> None:
        self._signed = URLSafeSerializer(key, salt="spieltisch link")

    def make(self, table: Table, place: int) -> str:
        """A link to a seat, to `ANY_SEAT` or to `WATCH`; letters, digits, `-`, `_` and `.`."""
        return str(self._signed.dumps([table.id, place, _renewed(table, place)]))

    def table_id(self, token: str) -> str:
        """Which table a link leads to. Raises `TableRefusal` for a link that was not made here."""
        return self._read(token)[0]

    def read(self, token: str, table: Table) -> Invitation:
        """What a link to this table is for. Raises `TableRefusal` when it is void or was not made here."""
        table_id, place, renewed = self._read(token)
        if table_id != table.id or place >= len(table.seats) or renewed != _renewed(table, place):
            raise no_link()
        return Invitation(table, place if place >= 0 else None, place == WATCH)

    def _read(self, token: str) -> tuple[str, int, int]:
        try:
            return msgspec.convert(self._signed.loads(token), tuple[str, int, int])
        except (BadSignature, msgspec.ValidationError, ValueError) as problem:
            raise no_link() from problem


def _renewed(table: Table, place: int) -> int:
    if place == WATCH:
        return 0
    if place == ANY_SEAT:
        return sum(seat.links for seat in table.seats)
    return table.seats[place].links
