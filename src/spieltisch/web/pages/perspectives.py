"""From where a visitor looks at a table."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.tables import Table, TableRefusal


@dataclass(frozen=True)
class Perspective:
    """From where a table is looked at: a seat or none, as the host or not. `link` is the link of a spectator, ""
    without.

    Where several play on one device, `here` are their seats and `me` says who is looking, as in an address; with
    `curtain` nobody is, until somebody says who they are.
    """

    seat: int | None
    host: bool
    link: str = ""
    hot_seat: str = ""
    device_seats: tuple[int, ...] = ()
    handoff: bool = False

    @property
    def is_shared_page(self) -> bool:
        """Whether one page serves several people, none of whom has said who they are: nobody is "you" there."""
        return len(self.device_seats) > 1 and not self.hot_seat

    def url(self, path: str, **query: object) -> str:
        """The address of another page of this table, where whoever looks from here goes on looking from here."""
        return self.share_url(path, **query, **({"me": self.hot_seat} if self.hot_seat else {}))

    def share_url(self, path: str, **query: object) -> str:
        """The same to hand on: a friend may look on by the same link, but is nobody on this device."""
        if self.link:
            query["link"] = self.link
        return f"{path}?{urlencode(query)}" if query else path


def topic(table: Table, perspective: Perspective) -> str:
    """What a stream is asked for, to follow this table from here."""
    if perspective.hot_seat:
        return f"{table.id}!{perspective.hot_seat}"
    return f"{table.id}~{perspective.link}" if perspective.link else table.id


async def perspective_of(live: Live, table: Table, person_id: str | None, link: str = "", me: str = "") -> Perspective:
    """From where this person, or a visitor without a name, looks at the table; `me` is who of those on their device.

    Raises TableRefusal no-table for a table that they may know nothing of, and no-link for a wrong link otherwise.
    """
    host = person_id is not None and person_id == table.host
    here = tuple(seat.number for seat in table.seats_on_device(person_id))
    invited = False
    if link:
        try:
            invitation = await live.invitations.read(link)
        except TableRefusal:
            if not here and not live.invitations.is_for(link, table):
                tables.seat_of_viewer(table, person_id)
            raise
        invited = invitation.spectator and invitation.table.id == table.id
    if here and (len(here) > 1 or table.seat_of(person_id) is None):
        return _on_one_device(table, person_id or "", me, here, host=host)
    seat = tables.seat_of_viewer(table, person_id, by_link=invited)
    return Perspective(seat, host, link if invited and seat is None else "")


def _on_one_device(table: Table, person_id: str, me: str, here: tuple[int, ...], *, host: bool) -> Perspective:
    """Several play on this device, or one who is not the person themselves: whoever says so is shown their side; before
    that, where a game has secrets to keep from one another, nobody's.
    """
    if len(here) == 1:
        return Perspective(here[0], host, device_seats=here)
    if me:
        seat = table.seat_of(tables.hot_seat_person(person_id, me))
        if seat in here:
            return Perspective(seat, host, hot_seat=me, device_seats=here)
    if table.status in ("running", "frozen") and table.setup is not None and table.game.has_hidden_information:
        return Perspective(None, host, device_seats=here, handoff=True)
    return Perspective(table.to_decide if table.to_decide in here else here[0], host, device_seats=here)
