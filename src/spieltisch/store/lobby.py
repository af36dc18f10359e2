"""Lists of the lobby, read page by page from the summaries that are stored with each event."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Select, func, select, text

from spieltisch.store.schema import HAS_FREE_SEATS, HAS_NO_HOST, LOBBY_ENTRIES, SEAT_HOLDERS, TABLES
from spieltisch.store.store import STORED_TABLE, UPLOADED_PREFIX, Store, StoredTable, stored_table
from spieltisch.tables.summary import Section

MAX_ROWS: Final = 25
"""The maximum number of tables on one page of a list."""
MAX_OFFLINE_ROWS: Final = 100
"""The maximum number of tables on the page that browsers keep."""


class TablePage(msgspec.Struct, frozen=True):
    """A page of a list, and the number of the table with which the next page begins; None on the last one."""

    tables: tuple[StoredTable, ...]
    following: int | None


class PublicTables(msgspec.Struct, frozen=True):
    """The tables that the lobby shows to every visitor: tables with a seat open to anyone, and imported games."""

    open: TablePage
    imported: TablePage


class OwnTables(msgspec.Struct, frozen=True):
    """A person's unfinished tables (those where it is their turn first) and finished tables.

    `turns` is the number of tables where it is their turn.
    """

    turns: int
    unfinished: TablePage
    finished: TablePage


async def public_tables(store: Store) -> PublicTables:
    """Return the lists that are the same for every visitor."""
    return PublicTables(await open_tables(store), await imported_tables(store))


async def own_tables(store: Store, person: str) -> OwnTables:
    """Return the lists of a person."""
    turns = await count_turns(store, person)
    return OwnTables(turns, await unfinished_tables(store, person), await finished_tables(store, person))


async def open_tables(store: Store, first: int = 0) -> TablePage:
    """Return the tables with a seat open to anyone, from the `first` on, last changed first."""
    query = select(*STORED_TABLE).where(HAS_FREE_SEATS).order_by(TABLES.c.changed.desc(), TABLES.c.id)
    return await _page(store, query.limit(MAX_ROWS + 1).offset(first), first)


async def imported_tables(store: Store, first: int = 0) -> TablePage:
    """Return the games imported by the host, last changed first."""
    seated = select(SEAT_HOLDERS.c.table_id).where(SEAT_HOLDERS.c.table_id == TABLES.c.id).exists()
    finished = text("+status = 'finished'")  # the sign keeps SQLite from the index of all finished tables
    conditions = finished, TABLES.c.id.not_like(f"{UPLOADED_PREFIX}%"), ~seated
    query = select(*STORED_TABLE).where(HAS_NO_HOST, *conditions).order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
    return await _page(store, query.limit(MAX_ROWS + 1).offset(first), first)


async def unfinished_tables(store: Store, person: str, first: int = 0, rows: int = MAX_ROWS) -> TablePage:
    """Return the unfinished tables of a person: first those where it is their turn, then last changed first."""
    return await _page(store, _own(person, Section.TURN, Section.UNFINISHED, first, rows), first, rows)


async def finished_tables(store: Store, person: str, first: int = 0) -> TablePage:
    """Return the tables of a person that are over, last changed first."""
    return await _page(store, _own(person, Section.OVER, Section.OVER, first, MAX_ROWS), first)


async def count_turns(store: Store, person: str) -> int:
    """Return the number of tables at which it is this person's turn."""
    entries = LOBBY_ENTRIES.c.person == person, LOBBY_ENTRIES.c.section == Section.TURN
    query = select(func.count()).select_from(LOBBY_ENTRIES).where(*entries)
    return await store.read(lambda connection: connection.execute(query).scalar_one())


def _own(person: str, lowest: Section, highest: Section, first: int, rows: int) -> Select[tuple[object, ...]]:
    order = "section", "recency", "table_id"
    own = LOBBY_ENTRIES.c.person == person, LOBBY_ENTRIES.c.section >= lowest, LOBBY_ENTRIES.c.section <= highest
    entries = select(*(LOBBY_ENTRIES.c[name] for name in order)).where(*own)
    page = entries.order_by(*(LOBBY_ENTRIES.c[name] for name in order)).limit(rows + 1).offset(first).subquery()
    newest_first = (page.c[name] for name in order)
    return select(*STORED_TABLE).join(page, page.c.table_id == TABLES.c.id).order_by(*newest_first)


async def _page(store: Store, query: Select[tuple[object, ...]], first: int, rows: int = MAX_ROWS) -> TablePage:
    tables = await store.read(lambda connection: tuple(map(stored_table, connection.execute(query))))
    return TablePage(tables[:rows], first + rows if len(tables) > rows else None)
