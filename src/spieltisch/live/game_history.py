"""Results of finished games, computed from their events and stored; computed if missing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import msgspec
import structlog

from spieltisch.core.game import Game
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write
from spieltisch.live.records import finished, offline_library
from spieltisch.live.table_loading import load_table
from spieltisch.store import NoSuchTable, Store, StoreClosed, results
from spieltisch.store.results import Results
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Rating
from spieltisch.tables.results import GameResult, game_result

MAX_RESULTS_PER_PAGE: Final = 20
"""The maximum number of games computed while a page waits; the others are computed in the background."""

_logger = structlog.get_logger()


class PersonHistory(msgspec.Struct, frozen=True):
    """A page of a person's finished games, newest first, totals of all, and the number of games not counted yet."""

    games: Results
    totals: PersonTotals
    uncounted: int


class GameHistory:
    """Results and ratings of a running server, used in its event loop."""

    def __init__(self, store: Store, own: ComponentLibrary) -> None:
        self._store = store
        self._library = own
        self._finished = asyncio.Event()
        self._failed: set[str] = set()
        """The tables whose results cannot be computed; the log gives the reason once."""
        self.lock = asyncio.Lock()
        """A lock held while results are computed and stored, and while events are rewritten."""

    async def of(self, person: str, first: int = 0, count: int = -1) -> PersonHistory:
        """Return `count` finished games of a person from the `first` on, by default all.

        Raise `TableRefusal` `not-written`.
        """
        for table_id in (await self._missing(person))[:MAX_RESULTS_PER_PAGE]:
            await self.add_result(table_id)
        totals = await await_write(results.totals_of(self._store, person))
        games = await results.of_person(self._store, person, first, count)
        return PersonHistory(games, totals, len(await self._missing(person)))

    async def find_result(self, person: str, table_id: str) -> GameResult | None:
        """Return the result of a game, if this person had a seat at its end.

        Raise `TableRefusal` `not-written`.
        """
        if table_id in await self._missing(person, table_id):
            await self.add_result(table_id)
        result = (await results.of_tables(self._store, [table_id])).get(table_id)
        return result if result is not None and result.seat_of(person) is not None else None

    async def of_tables(self, given_tables: Sequence[Table]) -> dict[str, GameResult]:
        """Return the results of the finished ones among these tables, by id.

        Raise `TableRefusal` `not-written`.
        """
        finished_ids = [table.id for table in given_tables if table.status == "finished"]
        for table_id in finished_ids:
            await self.add_result(table_id)
        return await results.of_tables(self._store, finished_ids)

    async def ratings(self, person: str, kinds: Sequence[tuple[str, int]]) -> list[Rating]:
        """Return the ratings of a person at these games and numbers of seats.

        Raise `TableRefusal` `not-written`.
        """
        return await await_write(results.ratings_of(self._store, person, kinds))

    async def add_result(self, table_id: str) -> None:
        """Compute and store the result of a finished table, unless it is known."""
        async with self.lock:
            if not await results.uncounted(self._store, table_id=table_id):
                return
            result = await _compute_result(self._store, self._library, table_id)
            if not isinstance(result, GameResult):
                self._failed.add(table_id)
                _logger.warning("a finished game is not in anybody's history", table=table_id, why=result)
                return
            await await_write(results.save(self._store, table_id, result))

    async def catch_up(self) -> None:
        """Compute all missing results, and that of each game when it is finished, until cancelled.

        Results are missing after an upgrade, for example. Those that cannot be stored are logged, and tried again after
        the next game.
        """
        while True:
            self._finished.clear()
            try:
                for table_id in await self._missing():
                    await self.add_result(table_id)
            except StoreClosed:
                return
            except TableRefusal as error:
                _logger.error("finished games could not be counted", problem=str(error))
            await self._finished.wait()

    def changed(self, table: Table) -> None:
        """Listen to a changed table."""
        if table.status == "finished":
            self.look()

    def look(self) -> None:
        """Look for missing results, for example after events were rewritten."""
        self._finished.set()

    async def _missing(self, person: str | None = None, table_id: str | None = None) -> Sequence[str]:
        found = await results.uncounted(self._store, person=person, table_id=table_id)
        return [missing for missing in found if missing not in self._failed]


async def _compute_result(store: Store, library: ComponentLibrary, table_id: str) -> GameResult | str:
    """Return the result of a finished table, or the reason why there is none."""
    try:
        table = await load_table(store, library, table_id)
    except (NoSuchTable, ValueError) as error:
        return str(error)
    if table.frozen is not None:
        return str(table.frozen)
    return await asyncio.to_thread(game_result, table) or f"the table is {table.status}"


async def rebuild(store: Store, games: Callable[[str], Game], *, check: bool) -> AsyncIterator[tuple[str, str]]:
    """Compute all results again and correct the stored ones, unless `check` is set.

    Yield each finished table, and each other table with a stored result, with its problem: "" (none), "missing",
    "different", "not finished", or the reason why the result cannot be computed. Raise `WriteFailed`.
    """
    library = offline_library(store, games, 0.0)
    stored_results = dict(await results.all_results(store))
    finished_ids = [table.id for table in await finished(store)]
    for table_id in finished_ids:
        stored, result = stored_results.pop(table_id, None), await _compute_result(store, library, table_id)
        if isinstance(result, GameResult):
            problem = "" if result == stored else "missing" if stored is None else "different"
            if problem and not check:
                await results.save(store, table_id, result)
        else:
            problem = result
            if stored is not None and not check:
                await results.drop(store, table_id)
        yield table_id, problem
    for table_id in sorted(stored_results):
        if not check:
            await results.drop(store, table_id)
        yield table_id, "not finished"
