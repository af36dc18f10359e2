"""Links that invite to a seat, or to watch.

A link is signed with a key of this database (itsdangerous) and contains everything: the table, the seat, how often the
links of the seat, or those for spectators, were renewed, and how often the seat was taken. Nothing is stored for it. So
a link can be shown again whenever the host returns to the page, which a stored hash could not, and renewing revokes all
older links, because they carry a smaller number. A link to a seat gives it once.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.seating import OFFERED_KINDS

ANY_SEAT: Final = -1
"""The number in a link to a table: it gives the first seat that is open, none that is kept or was left."""
WATCH: Final = -2
"""The number in a link for spectators."""


class Invitation(msgspec.Struct, frozen=True):
    """The target of a link: a table, and a `seat`, any open seat (None), or only the role of a spectator.

    `is_used`: someone has taken the seat since the link was made, so it gives the seat to no one.
    """

    table: Table
    seat: int | None
    is_for_spectator: bool
    is_used: bool


class Invitations:
    """Links of a database, made and read with its `key`. `find` returns the table with an id."""

    def __init__(self, key: bytes, find: Callable[[str], Awaitable[Table]]) -> None:
        self._signed = URLSafeSerializer(key, salt="spieltisch link")
        self._find = find

    def seat_link(self, table: Table, seat: int | None) -> str:
        """Return the token of a link to a seat, or (None) to any open seat: letters, digits, `-`, `_` and `.`.

        Raise `TableRefusal` `seat` if there is no such seat.
        """
        if seat is not None and not 0 <= seat < len(table.seats):
            raise refusals.no_seat()
        return self._make(table, ANY_SEAT if seat is None else seat)

    def spectator_link(self, table: Table) -> str:
        """Return the token of a link for spectators."""
        return self._make(table, WATCH)

    def links_of(self, table: Table) -> dict[int | None, str]:
        """Return the links that the host may share: for each free seat, for spectators (None) and for any open seat."""
        links: dict[int | None, str] = {}
        if table.status in ("open", "running"):
            for seat in table.seats:
                if seat.kind in ("open", "link", "reserved", "left"):
                    links[seat.number] = self.seat_link(table, seat.number)
            if table.status == "open" and any(seat.kind in OFFERED_KINDS for seat in table.seats):
                links[ANY_SEAT] = self.seat_link(table, None)
            if table.opened.spectators != "off":
                links[None] = self.spectator_link(table)
        return links

    async def read(self, token: str) -> Invitation:
        """Return the target of a link.

        Raise `TableRefusal` `no-link` if it is revoked or was not made here.
        """
        return self.target(token, await self._find(self._read(token)[0]))

    def target(self, token: str, table: Table) -> Invitation:
        """Return the target of a link at its table as it is now. Raise as `read`, also for a link to another table."""
        table_id, seat, link_version, times_taken = self._read(token)
        if table_id != table.id or seat >= len(table.seats) or link_version != _link_version(table, seat):
            raise refusals.no_link()
        is_used = seat >= 0 and times_taken != table.seats[seat].times_taken
        return Invitation(table, seat if seat >= 0 else None, seat == WATCH, is_used)

    def require_unchanged(self, token: str, invitation: Invitation, table: Table) -> None:
        """Raise `TableRefusal` `no-link` if a link was renewed or used since the `invitation` was read from it."""
        if self.target(token, table).is_used != invitation.is_used:
            raise refusals.no_link()

    def is_for(self, token: str, table: Table) -> bool:
        """Return True if a link was made for this table, revoked or not.

        Anyone with such a link has known of the table.
        """
        try:
            return self._read(token)[0] == table.id
        except TableRefusal:
            return False

    def _make(self, table: Table, seat: int) -> str:
        times_taken = table.seats[seat].times_taken if seat >= 0 else 0
        return str(self._signed.dumps([table.id, seat, _link_version(table, seat), times_taken]))

    def _read(self, token: str) -> tuple[str, int, int, int]:
        try:
            return msgspec.convert(self._signed.loads(token), tuple[str, int, int, int])
        except (BadSignature, msgspec.ValidationError, ValueError) as error:
            raise refusals.no_link() from error


def _link_version(table: Table, number: int) -> int:
    if number == WATCH:
        return table.spectator_link_version
    if number == ANY_SEAT:
        return table.table_link_version + sum(seat.link_version for seat in table.seats)
    return table.seats[number].link_version
