"""Lists of the lobby, read page by page from the summaries that are stored with each event."""

from collections.abc import Collection, Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, bindparam, case, func, select

from spieltisch.store.dialects import contains
from spieltisch.store.result_rows import WITHHELD
from spieltisch.store.schema import HAS_FREE_SEATS, HAS_NO_HOST, LOBBY_ENTRIES, SEAT_HOLDERS, TABLES
from spieltisch.store.store import Store
from spieltisch.store.table_rows import STORED_TABLE, SUMMARY, UPLOADED_PREFIX, StoredTable, stored_table
from spieltisch.tables.summary import Section, TableSummary

MAX_ROWS: Final = 25
"""The maximum number of tables on one page of a list."""
PUBLIC, NO_DELAY = '"is_public":true', '"watch_delay":0'
"""Parts of the JSON of a summary, as `WITHHELD`."""
MAX_IDS: Final = 10_000
"""The maximum number of ids in a query: databases take some ten thousand values."""
MAX_WATCHED: Final = 10
"""The maximum number of running games that everyone is shown."""
MAX_OFFLINE_ROWS: Final = 100
"""The maximum number of tables on the page that browsers keep."""
TURN: Final = (Section.TURN, Section.TURN)
UNFINISHED: Final = (Section.TURN, Section.UNFINISHED)
OVER: Final = (Section.OVER, Section.OVER)


class TablePage(msgspec.Struct, frozen=True):
    """A page of a list, and the number of the table with which the next page begins; None on the last one."""

    tables: tuple[StoredTable, ...]
    following: int | None


class PublicTables(msgspec.Struct, frozen=True):
    """The tables that the lobby shows to every visitor: those with a seat open to anyone, and imported games.

    `running` are the latest games of public tables, which everyone may watch.
    """

    open: TablePage
    running: tuple[StoredTable, ...]
    imported: TablePage


class OwnTables(msgspec.Struct, frozen=True):
    """A person's unfinished tables (those where it is their turn first) and finished tables.

    `turns` is the number of tables where it is their turn.
    """

    turns: int
    unfinished: TablePage
    finished: TablePage


async def summaries(store: Store, table_ids: Collection[str]) -> dict[str, tuple[int, TableSummary]]:
    """Return the versions and summaries of those of these tables that are there."""
    ids, columns = list(table_ids), (TABLES.c.id, TABLES.c.version, TABLES.c.summary)

    def read(connection: Connection) -> dict[str, tuple[int, TableSummary]]:
        found: dict[str, tuple[int, TableSummary]] = {}
        for first in range(0, len(ids), MAX_IDS):
            query = select(*columns).where(TABLES.c.id.in_(ids[first : first + MAX_IDS]))
            found |= {row.id: (row.version, SUMMARY.decode(row.summary)) for row in connection.execute(query)}
        return found

    return await store.read(read)


async def public_tables(store: Store) -> PublicTables:
    """Return the lists that are the same for every visitor."""
    return PublicTables(await open_tables(store), await running_tables(store), await imported_tables(store))


async def own_tables(store: Store, person: str) -> OwnTables:
    """Return the lists of a person."""

    def read(connection: Connection) -> OwnTables:
        return OwnTables(
            _count_turns(connection, person),
            _own_page(connection, person, UNFINISHED),
            _own_page(connection, person, OVER),
        )

    return await store.read(read)


async def open_tables(store: Store, first: int = 0) -> TablePage:
    """Return the tables with a seat open to anyone, from the `first` on, last changed first."""
    query = select(*STORED_TABLE).where(HAS_FREE_SEATS).order_by(TABLES.c.changed.desc(), TABLES.c.id)
    return await _page(store, query.limit(MAX_ROWS + 1).offset(first), first)


async def running_tables(store: Store) -> tuple[StoredTable, ...]:
    """Return the public tables with a running game, last changed first; last opened where no one is to see changes.

    The database picks them: if it returned some of all running ones, private tables could displace public ones.
    """
    is_running, summary = TABLES.c.status == "running", TABLES.c.summary

    def read(connection: Connection) -> tuple[StoredTable, ...]:
        is_public = contains(connection, summary, PUBLIC) & ~contains(connection, summary, WITHHELD)
        query = select(*STORED_TABLE).where(is_running, is_public)
        query = query.order_by(known_change(connection).desc(), TABLES.c.id)
        tables = map(stored_table, connection.execute(query.limit(MAX_WATCHED)))
        return tuple(table for table in tables if table.summary.watched_seats)

    return await store.read(read)


def known_change(connection: Connection) -> ColumnElement[float]:
    """Return the time of the last change of a table of which all may know: its opening while a delay hides others."""
    is_shown = contains(connection, TABLES.c.summary, NO_DELAY) | TABLES.c.status.not_in(("running", "frozen"))
    return case((is_shown, TABLES.c.changed), else_=TABLES.c.created)


async def imported_tables(store: Store, first: int = 0) -> TablePage:
    """Return the games imported by the host, last changed first."""
    seated = select(SEAT_HOLDERS.c.table_id).where(SEAT_HOLDERS.c.table_id == TABLES.c.id).exists()
    finished = TABLES.c.status.concat("") == "finished"  # this keeps SQLite from the index of all finished tables
    conditions = finished, TABLES.c.id.not_like(f"{UPLOADED_PREFIX}%"), ~seated
    query = select(*STORED_TABLE).where(HAS_NO_HOST, *conditions).order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
    return await _page(store, query.limit(MAX_ROWS + 1).offset(first), first)


async def unfinished_tables(store: Store, person: str, first: int = 0, rows: int = MAX_ROWS) -> TablePage:
    """Return the unfinished tables of a person: first those where it is their turn, then last changed first."""
    return await store.read(lambda connection: _own_page(connection, person, UNFINISHED, first, rows))


async def unfinished_of_game(store: Store, person: str, game: str, first: int, *, is_turn: bool) -> TablePage:
    """Return the unfinished tables of a person; of a `game` unless it is "", and only those where it is their turn."""
    sections = TURN if is_turn else UNFINISHED
    return await store.read(lambda connection: _own_page(connection, person, sections, first, game=game))


async def finished_tables(store: Store, person: str, first: int = 0) -> TablePage:
    """Return the tables of a person that are over, last changed first."""
    return await store.read(lambda connection: _own_page(connection, person, OVER, first))


async def count_turns(store: Store, person: str) -> int:
    """Return the number of tables at which it is this person's turn."""
    return await store.read(lambda connection: _count_turns(connection, person))


def _count_turns(connection: Connection, person: str) -> int:
    return connection.execute(TURNS, {"person": person}).scalar_one()


def _own_page(
    connection: Connection,
    person: str,
    sections: tuple[Section, Section],
    first: int = 0,
    rows: int = MAX_ROWS,
    game: str = "",
) -> TablePage:
    lowest, highest = sections
    values = {"person": person, "lowest": lowest, "highest": highest, "rows": rows + 1, "first": first}
    if game:
        return _table_page(connection.execute(OWN_TABLES_OF_GAME, {**values, "game": game}), first, rows)
    return _table_page(connection.execute(OWN_TABLES, values), first, rows)


def _own_tables_query(*, of_game: bool = False) -> Select[Any]:
    """Return the query for a page of a person's tables. It is built once, which takes longer than it runs."""
    order = [LOBBY_ENTRIES.c[name] for name in ("section", "recency", "table_id")]
    lowest, highest = (
        (LOBBY_ENTRIES.c.section >= bindparam("lowest")),
        (LOBBY_ENTRIES.c.section <= bindparam("highest")),
    )
    entries = select(*order).where(LOBBY_ENTRIES.c.person == bindparam("person"), lowest, highest).order_by(*order)
    if of_game:
        entries = entries.join(TABLES, TABLES.c.id == LOBBY_ENTRIES.c.table_id).where(
            TABLES.c.game == bindparam("game")
        )
    page = entries.limit(bindparam("rows")).offset(bindparam("first")).subquery()
    return select(*STORED_TABLE).join(page, page.c.table_id == TABLES.c.id).order_by(*page.c)


OWN_TABLES: Final = _own_tables_query()
OWN_TABLES_OF_GAME: Final = _own_tables_query(of_game=True)
TURNS: Final = (
    select(func.count())
    .select_from(LOBBY_ENTRIES)
    .where(LOBBY_ENTRIES.c.person == bindparam("person"), LOBBY_ENTRIES.c.section == Section.TURN)
)


async def _page(store: Store, query: Select[tuple[object, ...]], first: int, rows: int = MAX_ROWS) -> TablePage:
    return await store.read(lambda connection: _table_page(connection.execute(query), first, rows))


def _table_page(found_rows: Iterable[Any], first: int, rows: int) -> TablePage:
    tables = tuple(map(stored_table, found_rows))
    return TablePage(tables[:rows], first + rows if len(tables) > rows else None)
