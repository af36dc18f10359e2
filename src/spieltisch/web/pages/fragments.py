"""The fragments sent by streams, each rendered once and shared by everyone who may see the same."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from sys import getsizeof
from typing import Final, NamedTuple

from spieltisch.core.game import Game
from spieltisch.live import Live
from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.chat import SHOWN_MESSAGES
from spieltisch.live.invitations import ANY_SEAT
from spieltisch.live.versions import next_version
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.bot_levels import suggested_step
from spieltisch.tables.chat import ChatReader
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.seating import OFFERED_KINDS
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS, ShareAddress, Visitor, devices_version, refresh_visitor
from spieltisch.web.http.stream import COMPRESSION_LEVEL, DUPLICATE, END, FINAL_VERSION, StateEvent
from spieltisch.web.pages import chat, duplicates, planning, result, table_page, unplayable
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.chat import chat_reader
from spieltisch.web.pages.component_values import ComponentValues
from spieltisch.web.pages.lobby import LOBBY, LobbyPages
from spieltisch.web.pages.perspectives import Perspective, perspective_of, topic
from spieltisch.web.pages.qr import qr_code
from spieltisch.web.pages.renderer import Renderer

MAX_FRAGMENT_BYTES: Final = 16 << 20
"""Maximum size of the rendered fragments in memory."""

MAX_CHAT_BYTES: Final = 2 << 20
"""Maximum size of the rendered chats in memory."""

MAX_VIEWERS: Final = 256
"""Maximum number of viewers of duplicates whose versions are in memory."""

DEVICES: Final = "devices"
"""The topic of the page with a person's devices."""

NEW_DEVICE: Final = "devices~new"
"""The topic, on every other page, of the notice of a new device; see `base.html`."""

CHAT: Final = "words:"
"""Prefix of the topic of a table's chat; the topic of the table follows."""

SPECTATORS: Final = "spectators:"
"""Prefix of the topic of the number of spectators at a table, for its players; the topic of the table follows."""

PLANS: Final = "plans:"
"""Prefix of the topic of a person's plans at a table; the topic of the table follows."""


class DuplicatePage(NamedTuple):
    """The page of a duplicate for one visitor.

    `has_seat_links`: it contains links to seats. `is_closed`: all of its tables are over, but it is not
    revealed yet.
    """

    version: int
    html: str
    game: Game | None
    has_seat_links: bool
    is_closed: bool


class _Audience(NamedTuple):
    """The number of spectators of a table, and the version since which it has been valid."""

    people: int = -1
    since: int = 0
    table_version: int = -1
    """The version of the table for which they were counted; -1 if pages have been opened or closed since then."""


class _Rendered(NamedTuple):
    """The newest fragment of a table, and what it depends on in addition to perspective and language."""

    version: int
    share: ShareAddress
    others: int | None
    event: StateEvent


def _topic_parts(topic_of_table: str) -> tuple[str, str, str]:
    """Return the table's id, the spectator's link and the hot-seat player of a topic.

    >>> _topic_parts("k3J~a.link"), _topic_parts("k3J!2")
    (('k3J', 'a.link', ''), ('k3J', '', '2'))
    """
    rest, _, me = topic_of_table.partition("!")
    table_id, _, link = rest.partition("~")
    return table_id, link, me


class Fragments:
    """Renders the live parts of pages, once per version, perspective and language; the newest version is cached."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages
        self.lobby = LobbyPages(live, pages)
        self.pictures = BoardPictures(pages)
        self.component_values = ComponentValues(pages)
        self._tables: ByteCache[tuple[str, Perspective, str], _Rendered] = ByteCache(
            MAX_FRAGMENT_BYTES, lambda rendered: rendered.event.size
        )
        self.viewers: Callable[[str], Sequence[tuple[str | None, str]]] = lambda table_id: ()
        """Returns the person and the topic of each open page of a table."""
        self._audiences: OrderedDict[str, _Audience] = OrderedDict()
        self._deals: OrderedDict[tuple[str, str | None, str, ShareAddress], tuple[bytes, int]] = OrderedDict()
        """For each viewer of a duplicate a digest of the content, and the version since which it has been valid."""

        self._chats: ByteCache[tuple[str, Perspective, ChatReader, str], tuple[int, str]] = ByteCache(
            MAX_CHAT_BYTES, lambda rendered: getsizeof(rendered[1])
        )

    def release(self) -> bool:
        """Drop the fragments that no one has asked for in some minutes; return True if there were any."""
        return any(
            [self._tables.release(), self._chats.release(), self.pictures.release(), self.component_values.release()]
        )

    def html(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the live part of the table page."""
        return self._rendered(table, perspective, visitor).html

    async def event(self, about: str, known: int, visitor: Visitor) -> tuple[int, StateEvent] | None:
        """Return version and event of a topic as this visitor may see it.

        None if there is nothing that they may see, or nothing newer than the version `known`.
        """
        if about == LOBBY and self.lobby.version(visitor) <= known:
            return None
        visitor = await refresh_visitor(visitor, self._live.people)  # a stream may have been open for days
        if about == LOBBY:
            return await self.lobby.state(visitor)
        if about in (DEVICES, NEW_DEVICE):
            version = devices_version(visitor.access)
            if version <= known:
                return None
            html = await self.devices(visitor) if about == DEVICES else self.new_device_notice(visitor)
            return (version, StateEvent(f"{about}@{version}", html, level=0)) if html else None
        if about.startswith(DUPLICATE):
            try:
                page = await self.duplicate(about.removeprefix(DUPLICATE), visitor)
            except TableRefusal:
                return None
            return page.version, StateEvent(
                f"{about}@{page.version}", page.html, level=0 if page.has_seat_links else COMPRESSION_LEVEL
            )
        talks, plans = about.startswith(CHAT), about.startswith(PLANS)
        audience = about.startswith(SPECTATORS)
        topic_of_table = about.removeprefix(CHAT).removeprefix(PLANS).removeprefix(SPECTATORS).removeprefix(END)
        table_id, link, me = _topic_parts(topic_of_table)
        try:
            table = await self._live.tables.get(table_id)
            perspective = await perspective_of(self._live, table, visitor.person_id, link, me)
        except TableRefusal as refusal:
            if refusal.code not in (RefusalCode.NO_LINK, RefusalCode.WITHHELD):
                return None
            notice = self._pages.render("stream_refused.html", visitor.language, refused=refusal, version=FINAL_VERSION)
            return FINAL_VERSION, StateEvent(f"{about}@{FINAL_VERSION}", "\n" if talks or plans or audience else notice)
        if talks:
            reader = chat_reader(table, perspective, visitor.person_id)
            version = self._live.chat.version(table, reader)  # before reading, so that later messages are sent next
            if version <= known:
                return None
            html, private = await self.chat(table, perspective, visitor)
            return version, StateEvent(f"{about}@{version}", html, level=0 if private else COMPRESSION_LEVEL)
        if plans:
            shown = await self.plans(table, perspective, visitor, known)
            return None if shown is None else (shown[0], StateEvent(f"{about}@{shown[0]}", shown[1] or "\n", level=0))
        if audience:
            return await self._audience(about, table, perspective, visitor, known)
        if table.version <= known:
            return None
        if about.startswith(END):
            return table.version, StateEvent(f"{about}@{table.version}", await self.end(table, perspective, visitor))
        return table.version, self._rendered(table, perspective, visitor)

    async def _audience(
        self, about: str, table: Table, perspective: Perspective, visitor: Visitor, known: int
    ) -> tuple[int, StateEvent] | None:
        """Return version and event of the number of spectators, for those who play here or host the table."""
        if perspective.seat is None and not perspective.device_seats and not perspective.is_host:
            return None
        counted = self._audiences.get(table.id, _Audience())
        if counted.table_version != table.version:  # otherwise all pages of the players would count
            count, counted = await self._count_spectators(table), self._audiences.pop(table.id, _Audience())
            since = counted.since if counted.people == count else next_version(counted.since)
            counted = self._audiences[table.id] = _Audience(count, since, table.version)
            if len(self._audiences) > MAX_VIEWERS:
                self._audiences.popitem(last=False)
        if counted.since <= known:
            return None
        html = self._pages.render("spectators.html", visitor.language, count=counted.people)
        return counted.since, StateEvent(f"{about}@{counted.since}", html or "\n")

    def recount_spectators(self, table_id: str) -> None:
        """Count the spectators of a table again when they are next asked for: a page was opened or closed."""
        if (counted := self._audiences.get(table_id)) is not None:
            self._audiences[table_id] = counted._replace(table_version=-1)

    async def _count_spectators(self, table: Table) -> int:
        """Return the number of people without a seat who may see the table; one for each page of an unnamed visitor."""
        people: set[str | None] = set()
        unnamed = 0
        for person, topic_of_table in self.viewers(table.id):
            _, link, me = _topic_parts(topic_of_table.removeprefix(END))
            try:
                perspective = await perspective_of(self._live, table, person, link, me)
            except TableRefusal:
                continue
            if perspective.seat is None and not perspective.device_seats and not perspective.is_host:
                people.add(person)
                unnamed += person is None
        return len(people - {None}) + unnamed

    async def end(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the live part of a table's result page, which changes when a rematch is requested."""
        step = 0
        if visitor.person_id is not None and perspective.seat is not None and table.status == "finished":
            games = await self._live.game_history.last_two(visitor.person_id, table.id)
            step = suggested_step(games, visitor.person_id)
        return result.result_fragment(self._pages, table, perspective, visitor.language, step)

    def _rendered(self, table: Table, perspective: Perspective, visitor: Visitor) -> StateEvent:
        language, share = visitor.language, visitor.share_address if perspective.is_host else NO_SHARE_ADDRESS
        plays = perspective.seat is not None or perspective.device_seats or perspective.is_host
        others = len(visitor.access.sessions) - 1 if plays else None
        key = (table.id, perspective, language)
        cached = self._tables.get(key)
        if cached is not None and cached[:3] == (table.version, share, others):
            return cached.event
        links = self._links(table, perspective)
        if table.setup is None:
            html = unplayable.fragment(self._pages, table, perspective, language)
        else:
            hours = self._live.presence.hours
            html = table_page.fragment(self._pages, table, perspective, language, links, share, hours, others)
        level = 0 if links else COMPRESSION_LEVEL
        event = StateEvent(f"{topic(table, perspective)}@{table.version}", html, level=level)
        self._tables.put(key, _Rendered(table.version, share, others, event))
        return event

    def _links(self, table: Table, perspective: Perspective) -> dict[int | None, str]:
        """Return the links that the host may share: for each free seat, for spectators (None) and for any open seat."""
        links: dict[int | None, str] = {}
        if perspective.is_host and table.status in ("open", "running"):
            for seat in table.seats:
                if seat.kind in ("open", "link", "reserved", "left"):
                    links[seat.number] = self._live.invitations.seat_link(table, seat.number)
            if table.status == "open" and any(seat.kind in OFFERED_KINDS for seat in table.seats):
                links[ANY_SEAT] = self._live.invitations.seat_link(table, None)
            if table.opened.spectators != "off":
                links[None] = self._live.invitations.spectator_link(table)
        return links

    async def chat(
        self, table: Table, perspective: Perspective, visitor: Visitor, maximum: int = SHOWN_MESSAGES
    ) -> tuple[str, bool]:
        """Return the chat as far as this visitor may read it, and True if it contains their notes.

        A visitor without a name has no notes and mutes no one, so all of them share one rendering.
        """
        reader = chat_reader(table, perspective, visitor.person_id)
        version = self._live.chat.version(table, reader)
        key, shared = (table.id, perspective, reader, visitor.language), not reader.id and maximum == SHOWN_MESSAGES
        cached = self._chats.get(key) if shared else None
        if cached is not None and cached[0] == version:
            return cached[1], False
        messages = await self._live.chat.messages(table, reader, maximum)
        muted = await self._live.chat.muted(table, reader)
        html = chat.fragment(self._pages, table, perspective, reader, visitor.language, messages, muted)
        if shared:
            self._chats.put(key, (version, html))
        return html, any(chat_message.room == "note" for chat_message in messages)

    async def plans(
        self, table: Table, perspective: Perspective, visitor: Visitor, known: int = -1
    ) -> tuple[int, str] | None:
        """Return version and HTML of this visitor's plans at a table.

        None for visitors without a seat to plan for, or if they know this version.
        """
        person = planning.plan_owner(table, perspective, visitor.person_id)
        if not person:
            return None
        version = self._live.plan_runner.version(table.id, person)  # before they are read: what is new comes next
        if version <= known:
            return None
        kept = await self._live.plan_runner.plans_of(table.id, person)
        return version, planning.plans(self._pages, table, visitor.language, kept)

    async def duplicate(self, duplicate_id: str, visitor: Visitor) -> DuplicatePage:
        """Return the page of a duplicate as this visitor may see it.

        Raise TableRefusal no-table for a visitor who may not know of any of its tables.
        """
        live, language = self._live, visitor.language
        duplicate_tables = await live.tables.duplicate_tables(duplicate_id)
        if not duplicates.may_see(duplicate_tables, visitor.person_id):
            raise refusals.no_table()
        game, kept_back = unplayable.game_of(duplicate_tables[0]), any(table.is_withheld for table in duplicate_tables)
        results = {} if kept_back else await live.game_history.of_tables(duplicate_tables)
        rows = [duplicates.row(table, visitor.person_id, live.invitations) for table in duplicate_tables]
        content = self._pages.render_part(
            "duplicate_tables.html",
            language,
            game,
            duplicate=duplicate_id,
            rows=rows,
            kept_back=kept_back,
            compared=duplicates.compare(duplicate_tables, results, self._pages.words(language, game)),
            share=visitor.share_address,
        )
        version = self._duplicate_version((duplicate_id, visitor.person_id, language, visitor.share_address), content)
        html = self._pages.render(
            "duplicate_live.html",
            language,
            game,
            topic=f"{DUPLICATE}{duplicate_id}",
            version=version,
            kept_back=kept_back,
            content=content,
        )
        closed = kept_back and all(table.is_over for table in duplicate_tables)
        return DuplicatePage(version, html, game, any(row.links for row in rows), closed)

    def _duplicate_version(self, viewer: tuple[str, str | None, str, ShareAddress], content: str) -> int:
        """Return a version that grows when the content changes for this viewer, not with every event at its tables."""
        digest = blake2b(content.encode(), digest_size=16).digest()
        known_digest, version = self._deals.pop(viewer, (b"", 0))
        if known_digest != digest:
            version = next_version(version)
        self._deals[viewer] = digest, version
        if len(self._deals) > MAX_VIEWERS:
            self._deals.popitem(last=False)
        return version

    async def devices(self, visitor: Visitor) -> str:
        """Return the live part of the page with a person's devices; "" without a person."""
        if visitor.person is None:
            return ""
        people = self._live.people
        code = people.code(visitor.person.id)
        share = visitor.share_address
        address = f"{share.address}/device"
        return self._pages.render(
            "devices_live.html",
            visitor.language,
            person=visitor.person,
            sessions=visitor.access.sessions,
            code=code,
            share=share,
            address=address,
            drawn=qr_code(address),
            version=devices_version(visitor.access),
            recovery_code=await people.recovery.made(visitor.person.id),
            passkeys=await people.passkeys.of(visitor.person.id),
            subscriptions=await self._live.subscriptions.of(visitor.person.id),
        )

    def new_device_notice(self, visitor: Visitor) -> str:
        """Return the notice that another browser has added to the person's access; "" if there is nothing new."""
        if not visitor.news:
            return ""
        others = len(visitor.access.sessions) - 1
        return self._pages.render("new_device_notice.html", visitor.language, news=visitor.news, others=others)
