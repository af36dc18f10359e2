"""What was: the results of finished games, worked out from their events, and the ratings that follow from them.

Results are kept in the file, and worked out where they are missing; ratings are kept in memory alone.
"""

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
from spieltisch.tables.ratings import Ladder, Rating
from spieltisch.tables.results import GameResult, game_result

MOST_AT_ONCE: Final = 20
"""Games that somebody's page waits for; more of them are worked out while the server has nothing better to do."""
MOST_LADDERS: Final = 64

_logger = structlog.get_logger()


class PersonHistory(msgspec.Struct, frozen=True):
    """A person's finished games, the newest first, and how many are still to be counted."""

    games: Results
    uncounted: int


class GameHistory:
    """See the module. In the asyncio loop."""

    def __init__(self, store: Store, own: ComponentLibrary) -> None:
        self._store = store
        self._library = own
        self._ladders: dict[tuple[str, int], Ladder] = {}
        self._finished = asyncio.Event()
        self._failed: set[str] = set()
        """Tables whose results cannot be worked out; the log says why, once."""
        self.lock = asyncio.Lock()
        """Held while results are worked out and kept; whoever writes events anew holds it as well."""

    async def of(self, person: str) -> PersonHistory:
        """What this person has played to the end. Raises `TableRefusal` not-written."""
        for table_id in (await self._missing(person))[:MOST_AT_ONCE]:
            await self.add_result(table_id)
        return PersonHistory(await results.of_person(self._store, person), len(await self._missing(person)))

    async def of_tables(self, found: Sequence[Table]) -> dict[str, GameResult]:
        """The results of those of these tables that are finished, by their ids. Raises `TableRefusal` not-written."""
        finished = [table.id for table in found if table.status == "finished"]
        for table_id in finished:
            await self.add_result(table_id)
        return await results.of_tables(self._store, finished)

    async def rating(self, game: str, seats: int, person: str) -> Rating:
        """How strong this person is at a game with so many players."""
        key = (game, seats)
        async with self.lock:
            if key not in self._ladders:
                found = await results.of_game(self._store, game, seats)
                if len(self._ladders) >= MOST_LADDERS:
                    self._ladders.clear()
                self._ladders[key] = await asyncio.to_thread(Ladder, found)
            return self._ladders[key].rating(person)

    async def add_result(self, table_id: str) -> None:
        """Work out the result of a finished table, and keep it, unless it is known."""
        async with self.lock:
            if not await results.uncounted(self._store, table_id=table_id):
                return
            result = await _worked_out(self._store, self._library, table_id)
            if not isinstance(result, GameResult):
                self._failed.add(table_id)
                _logger.warning("a finished game is not in anybody's history", table=table_id, why=result)
                return
            await await_write(results.save(self._store, table_id, result))
            key = (result.game, len(result.players))
            if key in self._ladders and not self._ladders[key].add(table_id, result):
                del self._ladders[key]

    async def catch_up(self) -> None:
        """Count what is not counted, as after an upgrade, and every game when it is finished. To be cancelled; what
        cannot be kept is logged, and tried again after the next game.
        """
        while True:
            self._finished.clear()
            try:
                for table_id in await self._missing():
                    await self.add_result(table_id)
            except StoreClosed:
                return
            except TableRefusal as problem:
                _logger.error("finished games could not be counted", problem=str(problem))
            await self._finished.wait()

    def changed(self, table: Table) -> None:
        """A listener of tables."""
        if table.status == "finished":
            self._finished.set()
        elif table.status == "frozen":
            self._ladders.clear()  # it may have counted

    def forget(self) -> None:
        """Events were written anew: the ratings that followed from them hold no more, and results may be missing. To be
        called while `still` is held.
        """
        self._ladders.clear()
        self._finished.set()

    async def _missing(self, person: str | None = None) -> Sequence[str]:
        return [one for one in await results.uncounted(self._store, person=person) if one not in self._failed]


async def _worked_out(store: Store, own: ComponentLibrary, table_id: str) -> GameResult | str:
    """The result of a finished table, or why there is none."""
    try:
        table = await load_table(store, own, table_id)
    except (NoSuchTable, ValueError) as problem:
        return str(problem)
    if table.frozen is not None:
        return str(table.frozen)
    return await asyncio.to_thread(game_result, table) or f"the table is {table.status}"


async def rebuild(store: Store, games: Callable[[str], Game], *, check: bool) -> AsyncIterator[tuple[str, str]]:
    """Work out all results anew. Yields each finished table, and each of which something else was kept, with what was
    wrong: "" (nothing), "missing", "different", "not finished", or why nothing can be worked out; it is put right,
    unless it is only a `check`. Raises `WriteFailed`.
    """
    own = offline_library(store, games, 0.0)
    known = dict(await results.all_results(store))
    there = [table.id for table in await finished(store)]
    for table_id in there:
        before, now = known.pop(table_id, None), await _worked_out(store, own, table_id)
        if isinstance(now, GameResult):
            wrong = "" if now == before else "missing" if before is None else "different"
            if wrong and not check:
                await results.save(store, table_id, now)
        else:
            wrong = now
            if before is not None and not check:
                await results.drop(store, table_id)
        yield table_id, wrong
    for table_id in sorted(known):
        if not check:
            await results.drop(store, table_id)
        yield table_id, "not finished"
