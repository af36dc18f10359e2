"""Export of finished games as record files, and import of records as tables.

Records are imported by the host's command, or uploaded by visitors.
"""

import asyncio
import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import structlog

from spieltisch import tables
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.record import Record
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import READ_LIMITS, READ_TIMEOUT_SECONDS, ComponentLibrary
from spieltisch.live.disk_errors import await_write
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.quotas import Quotas
from spieltisch.live.table_loading import load_table
from spieltisch.store import (
    UPLOADED_PREFIX,
    ComponentSet,
    ExtraWrite,
    Store,
    StoredTable,
    component_sets,
    removal,
    uploads,
)
from spieltisch.store.uploads import Upload
from spieltisch.tables import TableSummary, refusals
from spieltisch.workers import Workers, WorkFailed

_logger = structlog.get_logger()


class AlreadyImported(Exception):
    """The game of a record is already in the database, at table `table_id`."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id

    def __str__(self) -> str:
        return f"this game is there already, at table {self.table_id}"


async def finished(store: Store) -> tuple[StoredTable, ...]:
    """Return the finished tables, except those uploaded by visitors."""
    return tuple(table for table in await store.tables("finished") if not table.id.startswith(UPLOADED_PREFIX))


async def export(
    store: Store, games: Callable[[str], Game], folder: Path
) -> AsyncIterator[tuple[StoredTable, Path | None, str]]:
    """Write the record of each finished game into an existing folder, table by table.

    Yield the table, its file, and the reason if there is none ("" otherwise). Existing files are left unchanged. Custom
    component files of these games are written next to them. Raise `OSError`.
    """
    library = offline_library(store, games, 0.0)
    for stored in await finished(store):
        try:
            table = await load_table(store, library, stored.id)
            if table.frozen is not None:
                yield stored, None, str(table.frozen)
                continue
            record = table.record(None)
        except (ValueError, tables.TableRefusal) as error:
            yield stored, None, str(error)
            continue
        if table.game.components.digest != record.components_digest:
            text = await library.text(record.components_digest)
            _write(folder / f"components-{record.components_digest[:12]}.toml", text)
        file = folder / f"{stored.game}-{stored.id}.record"
        _write(file, record.text)
        yield stored, file, ""


class PreparedImport(msgspec.Struct, frozen=True):
    """A finished game's record as the table that it becomes, with all that is stored of it."""

    table_id: str
    game: str
    secret: bytes
    events: list[tuple[float, bytes]]
    summary: TableSummary


def prepare_import(game: Game, record: Record, components: Components[Any], at: float) -> PreparedImport:
    """Replay a record as a table.

    The same record makes the same table, so that it is imported once. Raise ValueError if it cannot be imported.
    """
    recorded_events = [
        tables.RecordedEvent(version, at, event)
        for version, event in enumerate(tables.import_record(record, components), 1)
    ]
    table_id = urlsafe_b64encode(hashlib.sha256(record.text.encode()).digest()[:9]).decode()
    secret = bytes.fromhex(record.secret or "")

    def setup(opened: tables.Opened) -> Setup:
        return game.setup(len(opened.seat_offers), components, **opened.options)

    table = tables.fold(table_id, secret, recorded_events, setup)
    if table.status != "finished":
        raise ValueError(f"it comes out differently: {table.frozen}")
    events = [(recorded.at, tables.encode(recorded.event)) for recorded in recorded_events]
    return PreparedImport(table_id, game.key, secret, events, table.summary())


async def import_game(
    store: Store, games: Callable[[str], Game], record: Record, custom: Components[Any] | None, at: float
) -> str:
    """Verify the record of a finished game, store it as a table, and return the table's id.

    `at` is in UTC seconds; `custom` are the components if they are neither the game's nor in the database. Raise
    ValueError for a record that cannot be imported, `AlreadyImported` or `WriteFailed`.
    """
    game = games(record.game)
    components = custom if custom is not None and custom.digest == record.components_digest else None
    if components is None:
        try:
            _, components = await offline_library(store, games, at).find(record.game, record.components_digest)
        except tables.TableRefusal as error:
            missing = f"components: played with {record.components!r} ({record.components_digest[:12]})"
            raise ValueError(f"{missing}, which must be given") from error
    prepared = prepare_import(game, record, components, at)
    existing = await find_imported(store, prepared)
    if existing is not None:
        raise AlreadyImported(existing)
    await component_sets.add(store, ComponentSet.of(components, at))
    await save_import(store, prepared)
    return prepared.table_id


async def find_imported(store: Store, prepared: PreparedImport) -> str | None:
    """Return the id of the table with this game, or None."""
    for table_id in await store.tables_with_secret(prepared.secret) if prepared.secret else ():
        if _moves_not_undone(stored.data for stored in await store.events(table_id)) == _moves_not_undone(
            data for _, data in prepared.events
        ):
            return table_id
    return next((stored.id for stored in await store.tables(table_id=prepared.table_id)), None)


def _moves_not_undone(events: Iterable[bytes]) -> list[str]:
    """Return the moves that were not undone.

    Tables of one duplicate have the same secret and differ only by their moves.
    """
    moves: list[str] = []
    for event in map(tables.decode, events):
        if isinstance(event, tables.Moved):
            moves.append(event.move)
        elif isinstance(event, tables.Undone):
            del moves[event.move_count :]
    return moves


async def save_import(store: Store, prepared: PreparedImport, *also: ExtraWrite) -> None:
    """Store a prepared import as a table; the writes in `also` run in the same transaction.

    Raise `WriteFailed`.
    """
    await store.create(
        prepared.table_id, prepared.game, prepared.secret, prepared.events, prepared.summary, None, *also
    )


def offline_library(store: Store, games: Callable[[str], Game], at: float) -> ComponentLibrary:
    """Return the component files of a database that no server uses; added files get the time `at`."""
    return ComponentLibrary(store, games, Quotas(store, UNLIMITED, b""), lambda: at)


class MissingComponents(msgspec.Struct, frozen=True):
    """A result of `read`: the record needs a component file with this digest."""

    digest: str


def read(
    games: Callable[[str], Game], text: str, files: dict[str, str], at: float
) -> PreparedImport | MissingComponents | str:
    """Return the import of a record, the components it lacks, or its error. Runs in a separate process.

    `files` are further component files by digest.
    """
    try:
        record = Record.parse(text)
        game = games(record.game)
        digest = record.components_digest
        if digest == game.components.digest:
            return prepare_import(game, record, game.components, at)
        if digest not in files:
            return MissingComponents(digest)
        return prepare_import(game, record, game.read_components(files[digest]), at)
    except ValueError as error:
        return str(error)


class UploadedRecords:
    """Records of games played elsewhere, uploaded by visitors to replay, export or analyse them.

    They become tables, but are listed nowhere: anyone with the link sees them. Their number is limited, in total and
    for each person and address; the newest replaces the oldest (`Quotas.surplus_uploads`), whose uploader still has the
    record. The links are keyed, and each uploader has their own, so that nobody learns whether others have uploaded a
    record, or comes to their table with it. Records are read in a process with the same limits as for component files.
    """

    def __init__(
        self,
        store: Store,
        games: Callable[[str], Game],
        live: LiveTables,
        quotas: Quotas,
        clock: Callable[[], float],
        key: bytes,
    ) -> None:
        self._store = store
        self._key = key
        self._games = games
        self._tables = live
        self._quotas = quotas
        self._clock = clock
        self._readers = Workers("reader of records", read, 1, READ_TIMEOUT_SECONDS, READ_LIMITS)
        self._adding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._storing = asyncio.Lock()

    async def close(self) -> None:
        """Stop reading records."""
        await self._readers.stop()

    async def add(self, text: str, address: str = "", person: str | None = None) -> str:
        """Return the id of the table with a record's game; it is the same for the same record of the same uploader.

        That is the person, or the address of one without a name.

        Raise `TableRefusal` `record` or `not-written`.
        """
        async with self._adding.setdefault(address, asyncio.Lock()):  # one record at a time from one address
            result = await self._read(text, {})
            if isinstance(result, MissingComponents):
                # Only their own files, or a record would show whether anybody has one.
                file = await component_sets.find_owned(self._store, person or "", result.digest)
                if file is None:
                    raise refusals.unknown_components_of_record(result.digest[:12])
                result = await self._read(text, {file.digest: file.text})
            if not isinstance(result, PreparedImport):
                raise refusals.bad_record(str(result))
            keyed = hmac.digest(self._key, f"{person or address} {result.table_id}".encode(), "sha256")[:9]
            result = msgspec.structs.replace(result, table_id=UPLOADED_PREFIX + urlsafe_b64encode(keyed).decode())
            async with self._storing:
                if not await self._store.tables(table_id=result.table_id):
                    upload = Upload(result.table_id, person, self._quotas.hash_address(address))
                    await await_write(save_import(self._store, result, uploads.record(upload)))
                    await self._clear()
            return result.table_id

    async def _read(self, text: str, files: dict[str, str]) -> PreparedImport | MissingComponents | str:
        try:
            return await self._readers.run(self._games, text, files, self._clock())
        except WorkFailed as error:
            _logger.warning("a record could not be read", why=str(error))
            raise refusals.record_too_slow() from error

    async def _clear(self) -> None:
        for table_id in self._quotas.surplus_uploads(await uploads.all_uploads(self._store)):
            await await_write(removal.remove_table(self._store, table_id), table_id)
            await self._tables.forget(table_id)


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as output:
            output.write(text)
    except FileExistsError:
        return
