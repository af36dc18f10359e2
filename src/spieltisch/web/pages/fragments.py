"""The fragments sent by streams, each rendered once and shared by everyone who may see the same."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar, cast
from weakref import ReferenceType, ref

from markupsafe import Markup

from spieltisch.live import Live
from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.requested_analyses import REQUESTED_ANALYSES
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.content_encoding import COMPRESSION_LEVEL
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS, ShareAddress, Visitor, refresh_visitor
from spieltisch.web.http.stream import DUPLICATE, END, FINAL_VERSION
from spieltisch.web.http.stream_events import StateEvent
from spieltisch.web.pages import table_page, unplayable
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.component_values import ComponentValues
from spieltisch.web.pages.devices import DEVICES, NEW_DEVICE, DevicePages, NewDeviceNotice
from spieltisch.web.pages.duplicates import DuplicatePages
from spieltisch.web.pages.lobby import LOBBY, LobbyPages
from spieltisch.web.pages.perspectives import Perspective, topic, view_of
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.requested_analyses import RequestedAnalysesNotice
from spieltisch.web.pages.result import ResultPages
from spieltisch.web.pages.shared_replay import LED, SharedReplays
from spieltisch.web.pages.table_viewers import VIEWERS, TableViewers
from spieltisch.web.pages.topics import (
    MakeLobbySection,
    MakeSiteTopic,
    MakeTableSection,
    MakeTableTopic,
    TopicState,
    parts_of,
    prefix_of,
)

T = TypeVar("T")

TABLE_TOPICS: Final[Mapping[str, MakeTableTopic]] = {END: ResultPages, VIEWERS: TableViewers, LED: SharedReplays}
SITE_TOPICS: Final[Mapping[str, MakeSiteTopic]] = {
    DUPLICATE: DuplicatePages,
    DEVICES: DevicePages,
    NEW_DEVICE: NewDeviceNotice,
    REQUESTED_ANALYSES: RequestedAnalysesNotice,
}
"""Classes that render topics, by their prefix; `Fragments` itself renders the page of a table and the lobby."""

MAX_FRAGMENT_BYTES: Final = 16 << 20
"""Maximum size of the rendered fragments in memory."""


class _Rendered(NamedTuple):
    """The newest fragment of a table, and what it depends on in addition to perspective and language.

    The table itself and not its version, which stays the same when a removed person gets another name there.
    """

    table: ReferenceType[Table]
    share: ShareAddress
    others: int | None
    event: StateEvent


class Fragments:
    """Renders the live parts of pages, once per version, perspective and language; the newest version is cached.

    `topics` render what features show of a table, by the prefix of the topic, `sections` those on its page;
    `site_topics` and `lobby_sections` what they show on any page and in the lobby.
    """

    def __init__(
        self,
        live: Live,
        pages: Renderer,
        topics: Mapping[str, MakeTableTopic],
        sections: Sequence[MakeTableSection] = (),
        site_topics: Mapping[str, MakeSiteTopic] = MappingProxyType({}),
        lobby_sections: Sequence[MakeLobbySection] = (),
    ) -> None:
        self._live = live
        self._pages = pages
        self._topics = {**TABLE_TOPICS, **topics}
        self._site_topics = {**SITE_TOPICS, **site_topics}
        self._lobby_sections = lobby_sections
        self._sections = sections
        self._parts: dict[Callable[[Live, Renderer], object], Any] = {}
        self.lobby = LobbyPages(live, pages)
        self.pictures = BoardPictures(pages)
        self.component_values = ComponentValues(pages)
        self._tables: ByteCache[tuple[str, Perspective, str], _Rendered] = ByteCache(
            MAX_FRAGMENT_BYTES, lambda rendered: rendered.event.size
        )
        live.releases += [self._tables.release, self.pictures.release, self.component_values.release]

    def part(self, make: Callable[[Live, Renderer], T]) -> T:
        """Return what renders a kind of page or topic; it is made when it is first asked for."""
        if make not in self._parts:
            self._parts[make] = make(self._live, self._pages)
        return cast(T, self._parts[make])

    def html(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the live part of the table page."""
        return self._render_table(table, perspective, visitor).html

    def public_parts(self, html: str, table: Table, perspective: Perspective) -> list[str]:
        """Return the pieces of the live part between the links in it: a host's to share, or that of a spectator."""
        links = self._live.invitations.links_of(table) if perspective.is_host else {}
        secrets = [re.escape(link) for link in (*links.values(), perspective.link) if link]
        return re.split("|".join(secrets), html) if secrets else [html]

    async def sections(self, table: Table, perspective: Perspective, visitor: Visitor) -> list[Markup]:
        """Return what features show on the page of a table, below the table."""
        sections = [await self.part(make).section(table, perspective, visitor) for make in self._sections]
        return list(map(Markup, sections))

    async def lobby_sections(self, visitor: Visitor, address: str) -> list[Markup]:
        """Return what features show at the beginning of the lobby, to a visitor at an address."""
        sections = [await self.part(make).lobby_section(visitor, address) for make in self._lobby_sections]
        return list(map(Markup, sections))

    async def event(self, about: str, known: int, visitor: Visitor) -> tuple[int, StateEvent] | None:
        """Return version and event of a topic as this visitor may see it.

        None if there is nothing that they may see, or nothing newer than the version `known`.
        """
        if about == LOBBY and self.lobby.version(visitor) <= known:
            return None
        visitor = await refresh_visitor(visitor, self._live.people)  # a stream may have been open for days
        if about == LOBBY:
            return await self.lobby.state(visitor, known)
        prefix = prefix_of(about)
        if (make_site_topic := self._site_topics.get(prefix or about)) is not None:
            return _event(about, await self.part(make_site_topic).state(about.removeprefix(prefix), visitor, known))
        make = self._topics.get(prefix)
        if prefix and make is None:
            return None
        table_id, link, me = parts_of(about.removeprefix(prefix))
        try:
            table = await self._live.tables.get(table_id)
            table, perspective = await view_of(self._live, table, visitor.person_id, link, me)
        except TableRefusal as refusal:
            if refusal.code not in (RefusalCode.NO_LINK, RefusalCode.WITHHELD):
                return None
            notice = self._pages.render("stream_refused.html", visitor.language, refused=refusal, version=FINAL_VERSION)
            return _event(about, TopicState(FINAL_VERSION, notice if prefix in ("", END) else "\n"))
        if make is not None:
            return _event(about, await self.part(make).state(table, perspective, visitor, known))
        return None if table.version <= known else (table.version, self._render_table(table, perspective, visitor))

    def _render_table(self, table: Table, perspective: Perspective, visitor: Visitor) -> StateEvent:
        language, share = visitor.language, visitor.share_address if perspective.is_host else NO_SHARE_ADDRESS
        plays = perspective.seat is not None or perspective.device_seats or perspective.is_host
        others = len(visitor.access.sessions) - 1 if plays else None
        key = (table.id, perspective, language)
        cached = self._tables.get(key)
        if cached is not None and cached.table() is table and cached[1:3] == (share, others):
            return cached.event
        links = self._live.invitations.links_of(table) if perspective.is_host else {}
        if table.setup is None:
            html = unplayable.fragment(self._pages, table, perspective, language)
        else:
            hours = self._live.presence.hours_at(table.opened.settings.away_hours)
            html = table_page.fragment(self._pages, table, perspective, language, links, share, hours, others)
        level = 0 if links else COMPRESSION_LEVEL
        event = StateEvent(f"{topic(table, perspective)}@{table.version}", html, level=level)
        self._tables.put(key, _Rendered(ref(table), share, others, event))
        return event


def _event(about: str, state: TopicState | None) -> tuple[int, StateEvent] | None:
    if state is None:
        return None
    return state.version, StateEvent(f"{about}@{state.version}", state.html, level=state.level)
