"""The fragments that streams carry, each rendered once and shared by all who may see the same."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from markupsafe import Markup

from spieltisch.games import game, modules
from spieltisch.live import Live
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.cast import CAST
from spieltisch.web.http.reach import NOWHERE, Place
from spieltisch.web.http.sessions import Visitor, devices_version, still
from spieltisch.web.http.stream import END, LAST, LEVEL, Event, event
from spieltisch.web.pages import ending, unplayable, views
from spieltisch.web.pages.perspectives import Perspective, perspective_of, topic
from spieltisch.web.pages.qr import qr_code
from spieltisch.web.pages.templates import Pages

KEPT: Final = 256
"""Rendered fragments kept in memory: some megabytes at most."""

DEVICES: Final = "devices"
"""The topic of the page about one's own devices."""

JOINED: Final = "devices~new"
"""The topic of whoever is to be told, on any other page, that there is one more device; see `base.html`."""

REACH: Final = "reach"
"""The topic of pages with invitations: they are loaded again when the network is let in or out."""

LOBBY: Final = "lobby"
"""The topic of the lobby; a table's topic is its id."""


class Fragments:
    """Renders the living parts of table pages, once per version, perspective and language."""

    def __init__(self, live: Live, pages: Pages) -> None:
        self._live = live
        self._pages = pages
        self._games = {key: game(key) for key in modules()}
        self.lobby_version = time.time_ns() // 1_000_000
        """Grows with every change at any table, also from one start of the server to the next."""
        self._kept: OrderedDict[tuple[str, int, Perspective, str, Place], tuple[str, Event]] = OrderedDict()

    def html(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        return self._rendered(table, perspective, visitor)[0]

    async def event(self, about: str, visitor: Visitor) -> tuple[int, Event] | None:
        """The version of a topic's table and its event as this visitor may see it; None where there is nothing for
        them to see.
        """
        visitor = await still(visitor, self._live.people)  # a stream may have been open for days
        if about == LOBBY:
            return self.lobby_version, event(LOBBY, self.lobby_version, await self.lobby(visitor))
        if about == REACH:
            version = visitor.reach.version
            return version, event(REACH, version, visitor.place.address)
        if about in (DEVICES, JOINED):
            html = self.devices(visitor) if about == DEVICES else self.joined(visitor)
            version = devices_version(visitor.sessions)
            return (version, event(about, version, html, level=0)) if html else None
        rest, _, me = about.removeprefix(END).partition("!")
        table_id, _, link = rest.partition("~")
        try:
            table = await self._live.tables.get(table_id)
            perspective = await perspective_of(self._live, table, visitor.person_id, link, me)
        except TableRefusal as refusal:
            return (LAST, self._void(about, visitor.language, refusal)) if refusal.code == "no-link" else None
        if about.startswith(END):
            return table.version, event(about, table.version, self.end(table, perspective, visitor.language))
        return table.version, self._rendered(table, perspective, visitor)[1]

    def end(self, table: Table, perspective: Perspective, language: str) -> str:
        """The living part of the page about a table's end: it changes when somebody asks for another game."""
        return ending.fragment(self._pages, table, perspective, language)

    def _void(self, about: str, language: str, refusal: TableRefusal) -> Event:
        """What takes the place of a table, for good, where the link to it is void."""
        return event(about, LAST, self._pages.render("void.html", language, what=refusal.message, version=LAST))

    def _rendered(self, table: Table, perspective: Perspective, visitor: Visitor) -> tuple[str, Event]:
        language, place = visitor.language, visitor.place if perspective.host else NOWHERE
        key = (table.id, table.version, perspective, language, place)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        links = self._links(table, perspective)
        if table.setup is None:
            html = unplayable.fragment(self._pages, table, perspective, language)
        else:
            hours = self._live.presence.hours
            html = views.fragment(self._pages, table, perspective, language, links, place, hours)
        level = 0 if links else LEVEL
        made = self._kept[key] = html, event(topic(table, perspective), table.version, html, level=level)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    def _links(self, table: Table, perspective: Perspective) -> dict[int | None, str]:
        """What the host may hand on: a link for each seat that is free, one for spectators."""
        links: dict[int | None, str] = {}
        if perspective.host and table.status in ("open", "running"):
            for seat in table.seats:
                if seat.kind in ("open", "link", "kept", "left"):
                    links[seat.number] = self._live.invitations.to_seat(table, seat.number)
            if table.opened.watch != "off":
                links[None] = self._live.invitations.to_watch(table)
        return links

    def devices(self, visitor: Visitor) -> str:
        """What a person is told about their devices; "" for nobody."""
        if visitor.person is None:
            return ""
        code = self._live.people.code(visitor.person.id)
        place = visitor.place
        address = f"{place.address}/device?code={code.text}" if code else ""
        return self._pages.render(
            "devices_live.html",
            visitor.language,
            person=visitor.person,
            sessions=visitor.sessions,
            code=code,
            place=place,
            address=address,
            drawn=qr_code(address) if address else "",
            version=devices_version(visitor.sessions),
        )

    def joined(self, visitor: Visitor) -> str:
        """What tells a person that they are on another device too; "" for one who is not."""
        return self._pages.render("joined.html", visitor.language) if len(visitor.sessions) > 1 else ""

    async def lobby(self, visitor: Visitor, *, doors: bool = False) -> str:
        """The lobby as this visitor sees it; with the `doors` into games, which are never pushed, for its page."""
        found = await self._live.lobby(visitor.person_id)
        person_id = visitor.person_id or ""
        return self._pages.render(
            "lobby_live.html",
            visitor.language,
            lobby=found,
            games=self._games,
            plates={key: self._pages.plate(one) for key, one in self._games.items()},
            person_id=person_id,
            waiting=sum(row.summary.my_turn(person_id) for row in found.mine),
            version=self.lobby_version,
            doors=self._doors(visitor.language) if doors else "",
        )

    def _doors(self, language: str) -> Markup:
        cards = [
            self._pages.part("game_card.html", language, one, plate=self._pages.plate(one))
            for one in self._games.values()
        ]
        return self._pages.part("doors.html", language, games=self._games, cards=cards, cast=CAST)
