"""Finished games out of a database as record files, and records into it as tables to look at: by the host's command, or
uploaded by visitors.
"""

from __future__ import annotations

import asyncio
import hashlib
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
import structlog

from spieltisch import tables
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.record import Record
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import READ_LIMITS, READ_TIMEOUT_SECONDS, ComponentLibrary
from spieltisch.live.disk_errors import await_write as on_disk
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.quotas import Quotas
from spieltisch.live.table_loading import load_table
from spieltisch.store import UPLOADED_PREFIX, ComponentSet, Store, StoredTable, component_sets, removal
from spieltisch.tables import TableSummary, refusals
from spieltisch.workers import Workers, WorkFailed

MOST = 1 << 31
MAX_UPLOADED: Final = 500
"""Games of uploaded records that are kept."""

_logger = structlog.get_logger()


class AlreadyImported(Exception):
    """The game of a record is in the database: `table_id`."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id

    def __str__(self) -> str:
        return f"this game is there already, at table {self.table_id}"


async def finished(store: Store) -> tuple[StoredTable, ...]:
    """The tables whose games came to their end, but not what visitors brought along."""
    return tuple(one for one in await store.tables("finished", limit=MOST) if not one.id.startswith(UPLOADED_PREFIX))


async def export(
    store: Store, games: Callable[[str], Game], folder: Path
) -> AsyncIterator[tuple[StoredTable, Path | None, str]]:
    """Write the record of each finished game into a folder that is there, table by table.

    Yields the table, its file, and why there is none ("" when there is one). A file that is there is left alone. Own
    component files that games were played with are written beside them. Raises `OSError`.
    """
    own = offline_library(store, games, 0.0)
    for stored in await finished(store):
        try:
            table = await load_table(store, own, stored.id)
            if table.frozen is not None:
                yield stored, None, str(table.frozen)
                continue
            record = table.record(None)
        except (ValueError, tables.TableRefusal) as problem:
            yield stored, None, str(problem)
            continue
        if table.game.components.digest != record.components_digest:
            text = await own.text(record.components_digest)
            _write(folder / f"components-{record.components_digest[:12]}.toml", text)
        file = folder / f"{stored.game}-{stored.id}.record"
        _write(file, record.text)
        yield stored, file, ""


class PreparedImport(msgspec.Struct, frozen=True):
    """A finished game's record as the table that it becomes: all that is stored of it."""

    table_id: str
    game: str
    secret: bytes
    events: list[tuple[float, bytes]]
    summary: TableSummary


def prepare_import(
    game: Game, record: Record, components: Components[Any], at: float, sign: str = ""
) -> PreparedImport:
    """Play a record again, as a table whose id begins with a `sign`. The same record makes the same table, so that it
    is read in once. Raises `ValueError` for one that cannot be read in.
    """
    written = [
        tables.RecordedEvent(version, at, event)
        for version, event in enumerate(tables.import_record(record, components), 1)
    ]
    table_id = sign + urlsafe_b64encode(hashlib.sha256(record.text.encode()).digest()[:9]).decode()
    secret = bytes.fromhex(record.secret or "")

    def setup(opened: tables.Opened) -> Setup:
        return game.setup(len(opened.seat_offers), components, **opened.options)

    table = tables.fold(table_id, secret, written, setup)
    if table.status != "finished":
        raise ValueError(f"it comes out differently: {table.frozen}")
    events = [(one.at, tables.encode(one.event)) for one in written]
    return PreparedImport(table_id, game.key, secret, events, table.summary())


async def import_game(
    store: Store, games: Callable[[str], Game], record: Record, own: Components[Any] | None, at: float
) -> str:
    """Make a table of a finished game's record, verified, and return its id. `at`: UTC seconds; `own`: the components,
    where they are neither the game's nor in the database.

    Raises `ValueError` for a record that cannot be imported, `AlreadyThere`, `WriteFailed`.
    """
    game = games(record.game)
    components = own if own is not None and own.digest == record.components_digest else None
    if components is None:
        try:
            _, components = await offline_library(store, games, at).find(record.game, record.components_digest)
        except tables.TableRefusal as problem:
            missing = f"components: played with {record.components!r} ({record.components_digest[:12]})"
            raise ValueError(f"{missing}, which must be given") from problem
    prepared = prepare_import(game, record, components, at)
    there = await find_imported(store, prepared)
    if there is not None:
        raise AlreadyImported(there)
    await component_sets.add(store, ComponentSet.of(components, at))
    await save_import(store, prepared)
    return prepared.table_id


async def find_imported(store: Store, prepared: PreparedImport) -> str | None:
    """The id of the table at which this very game stands."""
    for found in await store.tables_with_secret(prepared.secret) if prepared.secret else ():
        if _played(one.data for one in await store.events(found)) == _played(data for _, data in prepared.events):
            return found
    return next((one.id for one in await store.tables(table_id=prepared.table_id)), None)


def _played(events: Iterable[bytes]) -> list[str]:
    """The moves that stand: tables of one deal have one secret, and differ by them."""
    moves: list[str] = []
    for event in map(tables.decode, events):
        if isinstance(event, tables.Moved):
            moves.append(event.move)
        elif isinstance(event, tables.Undone):
            del moves[event.move_count :]
    return moves


async def save_import(store: Store, prepared: PreparedImport) -> None:
    """Store it as a table. Raises `WriteFailed`."""
    await store.create(prepared.table_id, prepared.game, prepared.secret, prepared.events, prepared.summary)


def offline_library(store: Store, games: Callable[[str], Game], at: float) -> ComponentLibrary:
    """The component files of a database that no server works on; `at` is what stands with a file that is added."""
    return ComponentLibrary(store, games, Quotas(store, UNLIMITED, b""), lambda: at)


class MissingComponents(msgspec.Struct, frozen=True):
    """The components of a record are not those of the game."""

    digest: str


def read(
    games: Callable[[str], Game], text: str, files: dict[str, str], at: float
) -> PreparedImport | MissingComponents | str:
    """What a record becomes; the components it lacks, which are not among the `files` by their digests; or what is
    wrong with it. Run in a process of its own.
    """
    try:
        record = Record.parse(text)
        game = games(record.game)
        wanted = record.components_digest
        if wanted == game.components.digest:
            return prepare_import(game, record, game.components, at, UPLOADED_PREFIX)
        if wanted not in files:
            return MissingComponents(wanted)
        return prepare_import(game, record, game.read_components(files[wanted]), at, UPLOADED_PREFIX)
    except ValueError as problem:
        return str(problem)


class UploadedRecords:
    """Games played elsewhere whose records visitors upload, to look at: replay, record, analysis.

    They are tables like others, but in nobody's list: who has the address sees them. Only so many are kept; the newest
    pushes out the oldest, for whoever uploaded that one still has its record. Records are read in a process that is
    bounded as that of component files is.
    """

    def __init__(
        self, store: Store, games: Callable[[str], Game], live: LiveTables, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._games = games
        self._tables = live
        self._clock = clock
        self._readers = Workers("reader of records", read, 1, READ_TIMEOUT_SECONDS, READ_LIMITS)
        self._adding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._storing = asyncio.Lock()

    async def stop(self) -> None:
        """End what is being read."""
        await self._readers.stop()

    async def add(self, text: str, address: str = "") -> str:
        """The id of the table at which a record's game can be looked at: the same one for the same record. Raises
        `TableRefusal` record, not-written.
        """
        async with self._adding.setdefault(address, asyncio.Lock()):  # nobody waits for all that one address brings
            found = await self._read(text, {})
            if isinstance(found, MissingComponents):
                kept = await component_sets.find(self._store, found.digest)
                if kept is None:
                    raise refusals.unknown_components_of_record(found.digest[:12])
                found = await self._read(text, {found.digest: kept.text})
            if not isinstance(found, PreparedImport):
                raise refusals.bad_record(str(found))
            async with self._storing:
                if not await self._store.tables(table_id=found.table_id):
                    await on_disk(save_import(self._store, found))
                    await self._clear()
            return found.table_id

    async def _read(self, text: str, files: dict[str, str]) -> PreparedImport | MissingComponents | str:
        try:
            return await self._readers.run(self._games, text, files, self._clock())
        except WorkFailed as problem:
            _logger.warning("a record could not be read", why=str(problem))
            raise refusals.record_too_slow() from problem

    async def _clear(self) -> None:
        for table_id in (await self._store.uploaded_tables())[MAX_UPLOADED:]:
            await on_disk(removal.remove_table(self._store, table_id))
            self._tables.evict(table_id)


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        return
