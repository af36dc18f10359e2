"""The fragments that streams carry, each rendered once and shared by all who may see the same."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import replace
from typing import Final

from spieltisch import tables
from spieltisch.games import game, modules
from spieltisch.store import House
from spieltisch.tables import Table, TableRefusal
from spieltisch.web import bare, views
from spieltisch.web.arrivals import beside_me
from spieltisch.web.pages import Pages
from spieltisch.web.qr import qr_code
from spieltisch.web.stream import LEVEL, Event, event
from spieltisch.web.views import Perspective
from spieltisch.web.visits import Visit, devices_version

KEPT: Final = 256
"""Rendered fragments kept in memory: some megabytes at most."""

DEVICES: Final = "devices"
"""The topic of the page about one's own devices."""

JOINED: Final = "devices~new"
"""The topic of whoever is to be told, on any other page, that there is one more device; see `base.html`."""

LOBBY: Final = "lobby"
"""The topic of the lobby; a table's topic is its id."""


class Fragments:
    """Renders the living parts of table pages, once per version, perspective and language."""

    def __init__(self, house: House, pages: Pages) -> None:
        self._house = house
        self._pages = pages
        self._games = {key: game(key) for key in modules()}
        self.lobby_version = time.time_ns() // 1_000_000
        """Grows with every change at any table, also from one start of the server to the next."""
        self._kept: OrderedDict[tuple[str, int, Perspective, str], tuple[str, Event]] = OrderedDict()

    def html(self, table: Table, perspective: Perspective, language: str) -> str:
        return self._rendered(table, perspective, language)[0]

    async def event(self, topic: str, visit: Visit) -> tuple[int, Event] | None:
        """The version of a topic's table and its event as this visitor may see it; None where there is nothing for
        them to see.
        """
        if visit.person is not None and self._house.person(visit.key) is None:
            visit = replace(visit, person=None)  # signed out since the stream was opened
        if topic == LOBBY:
            return self.lobby_version, event(LOBBY, self.lobby_version, await self.lobby(visit))
        if topic in (DEVICES, JOINED):
            html = self.devices(visit) if topic == DEVICES else self.joined(visit)
            version = self.sessions_version(visit)
            return (version, event(topic, version, html, level=0)) if html else None
        rest, _, me = topic.partition("!")
        table_id, _, link = rest.partition("~")
        try:
            table = await self._house.table(table_id)
            perspective = await perspective_of(self._house, table, visit, link, me)
        except TableRefusal:
            return None
        return table.version, self._rendered(table, perspective, visit.language)[1]

    def _rendered(self, table: Table, perspective: Perspective, language: str) -> tuple[str, Event]:
        key = (table.id, table.version, perspective, language)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        links = self._links(table, perspective)
        if table.setup is None:
            html = bare.live(self._pages, table, perspective, language)
        else:
            html = views.live(self._pages, table, perspective, language, links)
        level = 0 if links else LEVEL
        made = self._kept[key] = html, event(views.topic(table, perspective), table.version, html, level=level)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    def _links(self, table: Table, perspective: Perspective) -> dict[int | None, str]:
        """What the host may hand on: a link for each seat that is free, one for spectators."""
        links: dict[int | None, str] = {}
        if perspective.host and table.status in ("open", "running"):
            for seat in table.seats:
                if seat.kind in ("open", "link", "kept", "left"):
                    links[seat.number] = self._house.seat_link(table, seat.number)
            if table.opened.watch != "off":
                links[None] = self._house.watch_link(table)
        return links

    def devices(self, visit: Visit, origin: str = "") -> str:
        """What a person is told about their devices; "" for nobody. `origin` is this site's address, for the code."""
        if visit.person is None:
            return ""
        code = self._house.code(visit.person.id)
        address = f"{origin}/device?code={code.text}" if code and origin else ""
        return self._pages.render(
            "devices_live.html",
            visit.language,
            person=visit.person,
            sessions=self._house.sessions(visit.person.id),
            code=code,
            address=address,
            drawn=qr_code(address) if address else "",
            version=self.sessions_version(visit),
        )

    def joined(self, visit: Visit) -> str:
        """What tells a person that they are on another device too; "" for one who is not."""
        several = len(self._house.sessions(visit.person_id or "")) > 1
        return self._pages.render("joined.html", visit.language) if several else ""

    def sessions_version(self, visit: Visit) -> int:
        """Grows with every new session of the person."""
        return devices_version(self._house.sessions(visit.person_id or ""))

    async def lobby(self, visit: Visit) -> str:
        """The lobby as this visitor sees it."""
        found = await self._house.lobby(visit.person_id)
        person_id = visit.person_id or ""
        return self._pages.render(
            "lobby_live.html",
            visit.language,
            lobby=found,
            games=self._games,
            person_id=person_id,
            waiting=sum(row.summary.my_turn(person_id) for row in found.mine),
            version=self.lobby_version,
        )


async def perspective_of(house: House, table: Table, visit: Visit, link: str = "", me: str = "") -> Perspective:
    """From where this visitor looks at the table; `me` is who of those on this device. Raises TableRefusal 403 for one
    who may not watch, 404 for a wrong link.
    """
    invited = False
    if link:
        invitation = await house.read_link(link)
        invited = invitation.watch and invitation.table.id == table.id
    host = visit.person_id is not None and visit.person_id == table.host
    here = tuple(seat.number for seat in table.seats_at(visit.person_id))
    if here and (len(here) > 1 or table.seat_of(visit.person_id) is None):
        return _on_one_device(table, visit, me, here, host=host)
    seat = tables.perspective(table, visit.person_id, by_link=invited)
    return Perspective(seat, host, link if invited and seat is None else "")


def _on_one_device(table: Table, visit: Visit, me: str, here: tuple[int, ...], *, host: bool) -> Perspective:
    """Several play on this device, or one who is not the person themselves: whoever says so is shown their side; before
    that, where a game has secrets to keep from one another, nobody's.
    """
    if len(here) == 1:
        return Perspective(here[0], host, here=here)
    if me:
        seat = table.seat_of(beside_me(visit.person_id or "", me))
        if seat in here:
            return Perspective(seat, host, me=me, here=here)
    if table.status in ("running", "frozen") and table.setup is not None and table.game.secrets:
        return Perspective(None, host, here=here, curtain=True)
    return Perspective(table.to_decide if table.to_decide in here else here[0], host, here=here)
