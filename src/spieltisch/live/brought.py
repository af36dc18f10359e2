"""Games played elsewhere that visitors bring along by their records, to look at: replay, record, analysis.

They are tables like others, but in nobody's list: who has the address sees them. Only so many are kept; the newest
pushes out the oldest, for whoever brought that one still has its record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

import structlog

from spieltisch.core.game import Game
from spieltisch.core.record import Record
from spieltisch.live.component_library import READING, SECONDS_TO_READ
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.records import Prepared, keep, prepare
from spieltisch.live.writing import written
from spieltisch.store import BROUGHT, Store, component_sets, removal
from spieltisch.tables import refusals
from spieltisch.workers import Workers, WorkFailed

MOST: Final = 500
"""Such games kept."""

_logger = structlog.get_logger()


class Missing(Exception):
    """The components of a record are not those of the game: `digest`."""

    def __init__(self, digest: str) -> None:
        super().__init__(digest)
        self.digest = digest


def read(games: Callable[[str], Game], text: str, files: dict[str, str], at: float) -> Prepared | Missing | str:
    """What a record becomes; the components it lacks, which are not among the `files` by their digests; or what is
    wrong with it. Run in a process of its own.
    """
    try:
        record = Record.parse(text)
        game = games(record.game)
        wanted = record.digest_of_components
        if wanted == game.components.digest:
            return prepare(game, record, game.components, at, BROUGHT)
        if wanted not in files:
            return Missing(wanted)
        return prepare(game, record, game.read_components(files[wanted]), at, BROUGHT)
    except ValueError as problem:
        return str(problem)


class Brought:
    """Reads records in a process that is bounded as that of component files is."""

    def __init__(
        self, store: Store, games: Callable[[str], Game], live: LiveTables, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._games = games
        self._tables = live
        self._clock = clock
        self._readers = Workers("reader of records", read, 1, SECONDS_TO_READ, READING)
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
            if isinstance(found, Missing):
                kept = await component_sets.find(self._store, found.digest)
                if kept is None:
                    raise refusals.unknown_components_of_record(found.digest[:12])
                found = await self._read(text, {found.digest: kept.text})
            if not isinstance(found, Prepared):
                raise refusals.bad_record(str(found))
            async with self._storing:
                if not await self._store.tables(table_id=found.table_id):
                    await written(keep(self._store, found))
                    await self._clear()
            return found.table_id

    async def _read(self, text: str, files: dict[str, str]) -> Prepared | Missing | str:
        try:
            return await self._readers.ask(self._games, text, files, self._clock())
        except WorkFailed as problem:
            _logger.warning("a record could not be read", why=str(problem))
            raise refusals.endless_record() from problem

    async def _clear(self) -> None:
        for table_id in (await self._store.brought())[MOST:]:
            await written(removal.remove_table(self._store, table_id))
            self._tables.forget(table_id)
