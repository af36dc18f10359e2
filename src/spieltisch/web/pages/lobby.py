"""The lobby: its public part is rendered once for everyone, each person's own tables separately."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.games import game, game_modules
from spieltisch.live import Live
from spieltisch.live.game_history import LevelRecord
from spieltisch.store import StoredTable, lobby, results
from spieltisch.tables import device_owner
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.stream_events import StateEvent
from spieltisch.web.pages.puzzles import days
from spieltisch.web.pages.renderer import Renderer

LOBBY: Final = "lobby"
"""The topic of the lobby."""
MAX_PEOPLE: Final = 256
"""Maximum number of people whose rendered tables are cached."""
MAX_KNOWN_PEOPLE: Final = 10_000
"""Maximum number of people of whom it is known since when they have been shown the same tables."""
MAX_CACHED_GAME_CARDS: Final = 64
"""Maximum number of languages and choices of levels for which the cards of games are cached, of about 20 kB each."""
LISTS: Final = ("mine", "open", "finished", "imported")
"""The lists of the lobby, each with pages of its own."""


class PublicRows(NamedTuple):
    """Rows shown to everyone.

    Open and running tables come with the people at them, who see them among their own tables instead.
    """

    open: Sequence[tuple[frozenset[str], Markup]]
    running: Sequence[tuple[frozenset[str], Markup]]
    imported: Sequence[Markup]
    following: Mapping[str, int | None]
    """The beginning of the next page of each list."""


class OwnRows(NamedTuple):
    """Rows of own tables: in the first `waiting` it is the person's turn, the next `kept_seats` are kept for them."""

    waiting: int = 0
    kept_seats: int = 0
    unfinished: Sequence[Markup] = ()
    finished: Sequence[Markup] = ()
    following: Mapping[str, int | None] = MappingProxyType({})


class _Own(NamedTuple):
    """The rows of a person at a version of their own tables, which have been the same since an earlier one."""

    version: int = 0
    since: int = 0
    rows: OwnRows = OwnRows()


class _Public:
    """One version of the public part, read once, with its renderings by language."""

    def __init__(self, version: int, reading: asyncio.Future[lobby.PublicTables]) -> None:
        self.version = version
        self.reading = reading
        self.rows: dict[str, PublicRows] = {}
        self.states: dict[str, StateEvent] = {}

    @property
    def has_failed(self) -> bool:
        return self.reading.done() and (self.reading.cancelled() or self.reading.exception() is not None)


def quick_opponents(game: Game) -> int:
    """Return the number of bots at a table that is opened with one click: three if the game allows as many."""
    return min(3, game.seats.stop - 2)


class LobbyView(msgspec.Struct, frozen=True):
    """The live part of the lobby: the variables of `lobby_live.html`.

    In the first `waiting` of the `unfinished` tables it is the visitor's turn; the next `kept_seats` keep a seat for
    them. `following` is for each list the number of the first table after it, None without one. `sections` and
    `game_cards` are empty in a push, which keeps those of the page.
    """

    waiting: int
    kept_seats: int
    unfinished: Sequence[Markup]
    open: Sequence[Markup]
    running: Sequence[Markup]
    finished: Sequence[Markup]
    imported: Sequence[Markup]
    following: Mapping[str, int | None]
    version: int
    game_cards: str
    sections: Sequence[Markup]


class LobbyPages:
    """Renders the lobby. Rows of `PublicRows` are rendered for an unknown visitor, so none of them is personal."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages
        self._games = {key: game(key) for key in game_modules()}
        self._public: _Public | None = None
        self._own: OrderedDict[tuple[str, str], _Own] = OrderedDict()
        self._since: OrderedDict[str, tuple[bytes, int]] = OrderedDict()
        """For each person a digest of their own tables, and the version since which they have been the same."""
        self._cached_game_cards: OrderedDict[tuple[Any, ...], Markup] = OrderedDict()

    def version(self, visitor: Visitor) -> int:
        """Return the version of the lobby that this visitor sees."""
        return self._live.tables.lobby.of(visitor.person_id)

    async def page(
        self,
        visitor: Visitor,
        levels: Mapping[str, str],
        records: Mapping[str, tuple[LevelRecord, ...]],
        sections: Sequence[Markup] = (),
    ) -> str:
        """Return the lobby for its page: with the cards of games, which are never pushed, and own tables read again.

        `levels` are the bots that this browser last played against, by game; `records` how the visitor played alone
        against each level; `sections` those of features.
        """
        public, game_cards = self._live.tables.lobby.public, self._game_cards(visitor.language, levels, records)
        own = await self._own_tables(visitor, is_read_again=True)
        return await self._html(visitor, max(public, own.since), own.rows, game_cards, sections)

    async def state(self, visitor: Visitor, known: int) -> tuple[int, StateEvent] | None:
        """Return the version and the event for a stream; visitors without a name share one for each language.

        None if a person is shown the same as at the version `known`: what has changed may be hidden from them.
        """
        public = self._live.tables.lobby.public  # before reading, so that a later change is sent next
        own = await self._own_tables(visitor)
        if (version := max(public, own.since)) <= known:
            return None
        states = (await self._read()).states if visitor.person_id is None else {}
        if visitor.language not in states:
            html = await self._html(visitor, version, own.rows)
            states.setdefault(visitor.language, StateEvent(f"{LOBBY}@{version}", html))
        return version, states[visitor.language]

    async def _html(
        self, visitor: Visitor, version: int, own: OwnRows, game_cards: str = "", sections: Sequence[Markup] = ()
    ) -> str:
        person, public = visitor.person_id, await self._public_rows(visitor.language)
        view = LobbyView(
            waiting=own.waiting,
            kept_seats=own.kept_seats,
            unfinished=own.unfinished,
            open=[row for people, row in public.open if person not in people],
            running=[row for people, row in public.running if person not in people],
            finished=own.finished,
            imported=public.imported,
            following={**public.following, **own.following},
            version=version,
            game_cards=game_cards,
            sections=sections,
        )
        return self._pages.render("lobby_live.html", visitor.language, **msgspec.structs.asdict(view))

    async def _read(self) -> _Public:
        version = self._live.tables.lobby.public
        public = self._public
        if public is None or public.version != version or public.has_failed:
            reading = asyncio.ensure_future(lobby.public_tables(self._live.store))
            public = self._public = _Public(version, reading)
        await asyncio.shield(public.reading)  # a visitor who disconnects must not cancel it for others
        return public

    async def _public_rows(self, language: str) -> PublicRows:
        public = await self._read()
        if language not in public.rows:
            tables = public.reading.result()
            public.rows[language] = PublicRows(
                [(_people_listing(table), self._row(table, language)) for table in tables.open.tables],
                [(table.summary.people, self._watch_row(table, language)) for table in tables.running],
                [self._row(table, language) for table in tables.imported.tables],
                {"open": tables.open.following, "imported": tables.imported.following},
            )
        return public.rows[language]

    async def _own_tables(self, visitor: Visitor, *, is_read_again: bool = False) -> _Own:
        """Return the rows of a visitor, none without a name; they may be read again although no table has changed."""
        if (person := visitor.person_id) is None:
            return _Own()
        key, version = (person, visitor.language), self._live.tables.lobby.own(person)
        own = self._own.get(key)
        if is_read_again or own is None or own.version != version:
            tables = await lobby.own_tables(self._live.store, person)
            self._live.tables.update_deadlines(tables.unfinished.tables)
            turns, unfinished = min(tables.turns, len(tables.unfinished.tables)), tables.unfinished.tables
            kept = [
                table for table in unfinished[turns:] if table.status == "open" and table.summary.keeps_seat_of(person)
            ]
            others = [table for table in unfinished[turns:] if table not in kept]
            ranks = await self._ranks(person, tables.finished.tables)
            rows = OwnRows(
                tables.turns,
                len(kept),
                self._rows((*unfinished[:turns], *kept, *others), visitor.language, person),
                self._rows(tables.finished.tables, visitor.language, person, ranks),
                {"mine": tables.unfinished.following, "finished": tables.finished.following},
            )
            own = self._own[key] = _Own(version, self._same_since(person, tables, version), rows)
            if len(self._own) > MAX_PEOPLE:
                self._own.popitem(last=False)
        return own

    async def _ranks(self, person: str, finished: Sequence[StoredTable]) -> Mapping[str, int]:
        """Return the rank of a person at their finished tables, by table; some results may not be stored yet."""
        found = await results.of_tables(self._live.store, [table.id for table in finished])
        seats = {table_id: result.seat_of(person) for table_id, result in found.items()}
        return {table_id: found[table_id].players[seat].place for table_id, seat in seats.items() if seat is not None}

    def _same_since(self, person: str, tables: lobby.OwnTables, version: int) -> int:
        """Return the version since which a person has been shown these tables, in whatever language."""
        pages = (tables.unfinished, tables.finished)
        seen = [(page.following, [table.seen_by(person) for table in page.tables]) for page in pages]
        digest = blake2b(msgspec.json.encode((tables.turns, seen)), digest_size=16).digest()
        known_digest, since = self._since.pop(person, (b"", version))
        self._since[person] = digest, since if digest == known_digest else version
        if len(self._since) > MAX_KNOWN_PEOPLE:
            self._since.popitem(last=False)
        return self._since[person][1]

    async def further(self, name: str, first: int, visitor: Visitor) -> tuple[Sequence[Markup], int | None]:
        """Return the rows of a list from the `first` on, and the beginning of the page after them, if there is one."""
        store, person = self._live.store, visitor.person_id
        if name == "open":
            tables = await lobby.open_tables(store, first)
            shown = [
                self._row(table, visitor.language) for table in tables.tables if person not in _people_listing(table)
            ]
            return shown, tables.following
        if name == "imported":
            tables = await lobby.imported_tables(store, first)
        elif person is None:
            return (), None
        else:
            tables = await (lobby.unfinished_tables if name == "mine" else lobby.finished_tables)(store, person, first)
        ranks = await self._ranks(person, tables.tables) if person is not None and name == "finished" else {}
        return self._rows(tables.tables, visitor.language, person or "", ranks), tables.following

    async def in_progress(
        self, person: str, language: str, game_key: str, first: int, *, is_turn: bool
    ) -> tuple[Sequence[Markup], int | None]:
        """Return a person's unfinished tables like `further`; see `unfinished_of_game` for the choice of tables."""
        tables = await lobby.unfinished_of_game(self._live.store, person, game_key, first, is_turn=is_turn)
        return self._rows(tables.tables, language, person), tables.following

    def _rows(
        self, tables: Sequence[StoredTable], language: str, person: str, ranks: Mapping[str, int] = MappingProxyType({})
    ) -> list[Markup]:
        seen = [stored.seen_by(person) for stored in tables]
        summaries = [stored.summary for stored in seen]
        seated = {
            summary.duplicate for summary in summaries if summary.duplicate and summary.seat_of(person) is not None
        }
        return [
            self._row(stored, language, person, stored.summary.duplicate in seated, ranks.get(stored.id, 0))
            for stored in seen
        ]

    def _row(
        self, table: StoredTable, language: str, person: str = "", is_seated: bool = False, rank: int = 0
    ) -> Markup:
        def context() -> dict[str, Any]:
            game_of_table = self._games.get(table.game)
            is_own = person in _people_listing(table) or table.summary.keeps_seat_of(person)
            is_pictured = person and table.status in ("open", "running") and is_own
            is_drawn = table.status == "running" and not table.summary.is_hidden_duplicate(person)
            return {
                "row": table,
                "title": game_of_table.title if game_of_table is not None else None,
                "plate": self._pages.cover(game_of_table) if game_of_table is not None and is_pictured else "",
                "has_picture": game_of_table is not None and is_drawn and self._pages.has_picture(game_of_table),
                "person_id": person,
                "seated": is_seated,
                "rank": rank,
            }

        return self._pages.render_row("lobby_row.html", language, (table, person, is_seated, rank), context)

    def _watch_row(self, table: StoredTable, language: str) -> Markup:
        game_of_table = self._games.get(table.game)

        def context() -> dict[str, Any]:
            return {
                "row": table,
                "title": game_of_table.title if game_of_table is not None else None,
                "plate": self._pages.cover(game_of_table) if game_of_table is not None else "",
                "has_picture": game_of_table is not None and self._pages.has_picture(game_of_table),
            }

        return self._pages.render_row("watch_row.html", language, (table.id, table.summary.watched_seats), context)

    def _game_cards(
        self, language: str, levels: Mapping[str, str], records: Mapping[str, tuple[LevelRecord, ...]]
    ) -> Markup:
        """Return the cards of games, rendered once a day for each language, choice of levels and record of wins."""
        _ = [*map(self._pages.cover, self._games.values())]  # keeps the pictures in memory
        key = (language, days(1)[0].isoformat(), *(tuple(sorted(by_game.items())) for by_game in (levels, records)))
        game_cards = self._cached_game_cards.pop(key, None)
        self._cached_game_cards[key] = game_cards or self._render_game_cards(language, levels, records)
        if len(self._cached_game_cards) > MAX_CACHED_GAME_CARDS:
            self._cached_game_cards.popitem(last=False)
        return self._cached_game_cards[key]

    def _render_game_cards(
        self, language: str, levels: Mapping[str, str], records: Mapping[str, tuple[LevelRecord, ...]]
    ) -> Markup:
        cards = [
            self._pages.render_part(
                "game_card.html",
                language,
                game,
                opponents=quick_opponents(game),
                level=levels[key],
                records=records.get(key, ()),
            )
            for key, game in self._games.items()
        ]
        used = set(levels.values())
        level = used.pop() if len(used) == 1 else ""
        return self._pages.render_part(
            "quick_start.html",
            language,
            games=self._games,
            cards=cards,
            cast=BOT_CHARACTERS,
            level="" if level == "random" else level,
            today=days(1)[0].isoformat(),
        )


def _people_listing(table: StoredTable) -> frozenset[str]:
    """Return the people who see this open table among their own: its players and its host."""
    players = (device_owner(seat.person) for seat in table.summary.seats if seat.kind == "person")
    return frozenset({table.host, *players})
