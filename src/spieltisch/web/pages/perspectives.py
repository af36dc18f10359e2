"""The perspective from which a visitor views a table."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.tables import Table, TableRefusal, permissions


@dataclass(frozen=True)
class Perspective:
    """The perspective on a table: a seat or none, as its host or not.

    `link` is the link of a spectator, "" without one. For a hot seat `device_seats` are the seats on this device and
    `hot_seat` is the player who is viewing, as in a URL; with `needs_handoff` no one is, until a player identifies
    themselves.
    """

    seat: int | None
    is_host: bool
    link: str = ""
    hot_seat: str = ""
    device_seats: tuple[int, ...] = ()
    needs_handoff: bool = False
    is_delayed: bool = False
    """True for a spectator who sees the running game with a delay."""
    has_played: bool = False
    """True if such a spectator had a seat in the game, perhaps later than what they see of it."""

    @property
    def is_shared_page(self) -> bool:
        """True if several people share this page and none has identified themselves, so that no one is "you" on it."""
        return len(self.device_seats) > 1 and not self.hot_seat

    def url(self, path: str, **query: object) -> str:
        """Return the URL of another page of this table with the same perspective."""
        return self.share_url(path, **query, **({"me": self.hot_seat} if self.hot_seat else {}))

    def share_url(self, path: str, **query: object) -> str:
        """Return the URL to share: a friend may watch by the same link, but is no player on this device."""
        if self.link:
            query["link"] = self.link
        return f"{path}?{urlencode(query)}" if query else path


def topic(table: Table, perspective: Perspective) -> str:
    """Return the topic with which a stream follows this table from this perspective."""
    if perspective.hot_seat:
        return f"{table.id}!{perspective.hot_seat}"
    return f"{table.id}~{perspective.link}" if perspective.link else table.id


async def view_of(
    live: Live, table: Table, person_id: str | None, link: str = "", me: str = ""
) -> tuple[Table, Perspective]:
    """Return a table as this person may see it, and their perspective on it.

    It is the only place that decides whether they see the table with a delay: all pages, streams and files are made
    from what it returns. Raise as `perspective_of`.
    """
    perspective = await perspective_of(live, table, person_id, link, me)
    seen = await live.delayed_tables.seen_by(table, person_id)
    if seen is table:
        return table, perspective
    return seen, replace(perspective, is_delayed=True, has_played=person_id in tables.people_who_know(table))


async def perspective_of(live: Live, table: Table, person_id: str | None, link: str = "", me: str = "") -> Perspective:
    """Return the perspective of this person, or of a visitor without a name; `me` is the hot-seat player.

    Raise TableRefusal no-table for a table that they may not know of, and no-link for a wrong link to any other.
    """
    host = person_id is not None and person_id == permissions.acting_host(table)
    device_seats = tuple(seat.number for seat in table.seats_on_device(person_id))
    is_invited = False
    if link:
        try:
            invitation = await live.invitations.read(link)
        except TableRefusal:
            if not device_seats and not live.invitations.is_for(link, table):
                tables.seat_of_viewer(table, person_id)
            raise
        is_invited = invitation.is_for_spectator and invitation.table.id == table.id
    if device_seats and (len(device_seats) > 1 or table.seat_of(person_id) is None):
        return _on_one_device(table, person_id or "", me, device_seats, host=host)
    is_known = is_invited or (table.seat_of(person_id) is None and await live.admits(table, person_id))
    seat = tables.seat_of_viewer(table, person_id, by_link=is_known)
    return Perspective(seat, host, link if is_invited and seat is None else "")


def _on_one_device(table: Table, person_id: str, me: str, device_seats: tuple[int, ...], *, host: bool) -> Perspective:
    """Return the perspective of a device with several players, or with one who is not its owner.

    A player who has identified themselves sees their side. Before that, no secret of any side is shown if the game has
    hidden information.
    """
    if len(device_seats) == 1:
        return Perspective(device_seats[0], host, device_seats=device_seats)
    if me:
        seat = table.seat_of(tables.hot_seat_person(person_id, me))
        if seat in device_seats:
            return Perspective(seat, host, hot_seat=me, device_seats=device_seats)
    if table.position is not None and not table.is_revealed and table.game.has_hidden_information:
        return Perspective(None, host, device_seats=device_seats, needs_handoff=True)
    return Perspective(
        table.to_decide if table.to_decide in device_seats else device_seats[0], host, device_seats=device_seats
    )
