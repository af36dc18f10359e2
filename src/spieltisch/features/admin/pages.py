"""The contents of the page of administrators. Of a game in play it has nothing that its lobby entry does not say."""

import shutil
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, Connection, func, or_, select

from spieltisch.commit import version_text
from spieltisch.core.words import Words
from spieltisch.features.admin import rows
from spieltisch.features.admin.service import short_hash
from spieltisch.features.chat import reports
from spieltisch.live import Live
from spieltisch.live.log_counts import RECENT_PROBLEMS
from spieltisch.store import StoredTable
from spieltisch.store.dialects import database_bytes, summary_seats
from spieltisch.store.schema import LOBBY_ENTRIES, PEOPLE, SEAT_HOLDERS, SESSIONS, TABLES
from spieltisch.store.table_rows import STORED_TABLE, stored_table
from spieltisch.tables import device_owner

STATUSES: Final = ("", "open", "running", "frozen", "finished", "aborted")
SHOWN_ROWS: Final = 50
"""The rows of each list."""
SLOW_SECONDS: Final = 60.0
"""The time after which a table that waits for a bot is slow."""
MEGABYTE: Final = 1_000_000


class Choice(NamedTuple):
    """A choice of tables and people to list, as in the query string of the page.

    Tables have the `status` ("": any), an id that contains `search`, a person at them who is found by it: with such an
    id or name, or a seat of such a name. People are found also by the names under which they or others on their device
    sit at tables. `tables` and `people` are the numbers of the first ones.
    """

    status: str = ""
    search: str = ""
    tables: int = 0
    people: int = 0

    def query(self, **changes: str | int) -> str:
        """Return the query string of this choice with some changes; "" for the default.

        >>> Choice("open", tables=50).query(search="Ada & Co", tables=0)
        '?status=open&search=Ada+%26+Co'
        """
        chosen = {name: value for name, value in {**self._asdict(), **changes}.items() if value}
        return f"?{urlencode(chosen)}" if chosen else ""


class TableRow(NamedTuple):
    """A table in the list. Its size is its number of events: their bytes would tell how long secret moves are.

    `address` is the hash of the address that opened it, `problems` the number of its lines among the last problems.
    """

    id: str
    game: str
    status: str
    players: str
    changed: float
    events: int
    is_slow: bool
    problems: int
    address: str
    is_suspended: bool


class PersonRow(NamedTuple):
    """A person in the list, with the number of browsers that are signed in, and of their tables."""

    id: str
    name: str
    created: float
    browsers: int
    tables: int


class StreamRow(NamedTuple):
    """An address with open streams, by its hash, and the names of the people whose they are."""

    address: str
    pages: int
    people: str


async def overview(live: Live, words: Words, chosen: Choice, streams: list[tuple[str | None, str]]) -> dict[str, Any]:
    """Return what the page shows: the chosen tables and people, the server.

    `streams` has the person and the address of each open stream.
    """
    waiting = set(await live.tables.with_bot_to_move())
    bans = await rows.bans(live.store)
    log, reported = await rows.log_entries(live.store, SHOWN_ROWS), await reports.newest(live.store, SHOWN_ROWS)
    people = {person for person, _ in streams} | {ban.person for ban in bans}
    people |= {each for entry in log for each in (entry.actor, entry.subject)}
    people |= {device_owner(each) for report in reported for each in (report.person, report.author)}
    names = await rows.names(live.store, {person for person in people if person})
    size = await live.store.read(database_bytes)
    tables, found_people = await _tables(live, words, chosen, waiting), await _people(live, chosen)
    return {
        "tables": tables[:SHOWN_ROWS],
        "following_table": chosen.tables + SHOWN_ROWS if tables[SHOWN_ROWS:] else 0,
        "people": found_people[:SHOWN_ROWS],
        "following_person": chosen.people + SHOWN_ROWS if found_people[SHOWN_ROWS:] else 0,
        "streams": _streams(live, streams, names),
        "stream_count": len(streams),
        "waiting": len(waiting),
        "problems": list(RECENT_PROBLEMS)[: -SHOWN_ROWS - 1 : -1],
        "reports": reported,
        "device_owner": device_owner,
        "bans": bans,
        "log": log,
        "names_by_id": names,
        "short_hash": short_hash,
        "statuses": STATUSES,
        "chosen": chosen,
        "database_megabytes": max(1, size // MEGABYTE),
        "free_megabytes": _free_bytes(live) // MEGABYTE,
        "version": version_text(),
    }


async def _tables(live: Live, words: Words, chosen: Choice, waiting: set[str]) -> list[TableRow]:
    """Return the rows of a page, and one more if another page follows."""
    people = select(LOBBY_ENTRIES.c.table_id).join(PEOPLE, PEOPLE.c.id == LOBBY_ENTRIES.c.person)
    found = (
        select(*STORED_TABLE)
        .where(*([TABLES.c.status == chosen.status] if chosen.status else []))
        .order_by(TABLES.c.changed.desc(), TABLES.c.id)
        .offset(chosen.tables)
        .limit(SHOWN_ROWS + 1)
    )

    def read(connection: Connection) -> list[StoredTable]:
        if not chosen.search:
            return [*map(stored_table, connection.execute(found))]
        seats = summary_seats(connection, TABLES.c.summary)
        is_named = select(1).select_from(seats.rows).where(_contains(seats.name, chosen.search)).correlate(TABLES)
        is_found = TABLES.c.id.in_(people.where(_is_found(chosen.search)))
        condition = or_(_contains(TABLES.c.id, chosen.search), is_found, is_named.exists())
        return [*map(stored_table, connection.execute(found.where(condition)))]

    stored = await live.store.read(read)
    problems = Counter(problem["table"] for problem in RECENT_PROBLEMS if "table" in problem)
    return [
        TableRow(
            table.id,
            table.game,
            table.status,
            _players(table, words),
            table.changed,
            table.version,
            table.id in waiting and live.clock.seconds_since(table.changed) > SLOW_SECONDS,
            problems[table.id],
            (table.address_hash or b"").hex(),
            table.summary.is_suspended,
        )
        for table in stored
    ]


def _is_found(search: str) -> ColumnElement[bool]:
    return or_(_contains(PEOPLE.c.id, search), _contains(PEOPLE.c.name, search))


def _contains(text: ColumnElement[str], search: str) -> ColumnElement[bool]:
    return text.icontains(search, autoescape=True)


def _players(table: StoredTable, words: Words) -> str:
    return ", ".join(words.say(seat.name) for seat in table.summary.seats if seat.kind in ("person", "bot"))


async def _people(live: Live, chosen: Choice) -> list[PersonRow]:
    """Return the rows of a page, and one more if another page follows."""
    browsers = select(func.count()).where(SESSIONS.c.person == PEOPLE.c.id).scalar_subquery()
    tables = select(func.count()).where(LOBBY_ENTRIES.c.person == PEOPLE.c.id).scalar_subquery()
    query = (
        select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.created, browsers, tables)
        .order_by(PEOPLE.c.created.desc(), PEOPLE.c.id)
        .offset(chosen.people)
        .limit(SHOWN_ROWS + 1)
    )

    def read(connection: Connection) -> list[PersonRow]:
        if not chosen.search:
            return [PersonRow(*row) for row in connection.execute(query)]
        seats = summary_seats(connection, TABLES.c.summary)
        on_their_devices = (
            select(SEAT_HOLDERS.c.person)
            .join(TABLES, TABLES.c.id == SEAT_HOLDERS.c.table_id)
            .join(seats.rows, seats.number == SEAT_HOLDERS.c.seat)
            .where(_contains(seats.name, chosen.search))
        )
        is_found = or_(_is_found(chosen.search), PEOPLE.c.id.in_(on_their_devices))
        return [PersonRow(*row) for row in connection.execute(query.where(is_found))]

    return await live.store.read(read)


def _streams(live: Live, streams: list[tuple[str | None, str]], names: dict[str, str]) -> list[StreamRow]:
    people = defaultdict[str, list[str | None]](list)
    for person, address in streams:
        people[(live.quotas.hash_address(address) or b"").hex()].append(person)
    found = [
        StreamRow(address, len(owners), ", ".join(sorted({names[owner] for owner in owners if owner in names})))
        for address, owners in people.items()
    ]
    return sorted(found, key=lambda row: (-row.pages, row.address))[:SHOWN_ROWS]


def _free_bytes(live: Live) -> int:
    """Return the bytes that are free where the database is; 0 if that is on another machine."""
    if live.store.database.readers.dialect.name != "sqlite":
        return 0
    return shutil.disk_usage(Path(live.store.database.name).parent).free
