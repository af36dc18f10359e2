"""Results of finished games, computed from their events and stored; computed if missing, like the ratings.

The result of a game that ends while the server runs is computed from its table in memory. All others are replayed in a
separate process, which ends when none is missing.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import structlog

from spieltisch import tables
from spieltisch.core.components import read as read_components
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write
from spieltisch.live.leases import Leases
from spieltisch.live.records import finished, offline_library
from spieltisch.live.services import wait
from spieltisch.live.table_loading import decode_events, load_table
from spieltisch.store import LeaseEnded, NoSuchTable, Store, StoredEvent, WriteFailed, lobby, results
from spieltisch.store.leases import Lease
from spieltisch.store.results import LadderKey, Results
from spieltisch.tables import Opened, Table, TableRefusal
from spieltisch.tables.bot_levels import LADDER, opposed_level
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Ladder, Rating
from spieltisch.tables.results import GameResult, game_result
from spieltisch.workers import Workers, WorkFailed

MAX_RESULTS_PER_PAGE: Final = 20
"""The maximum number of games computed while a page waits; the others are computed in the background."""

RESULT_TIMEOUT_SECONDS: Final = 60.0
"""The time after which computing a result or a ladder is given up; a result takes less than a second."""
MAX_GAMES_IN_THREAD: Final = 200
"""The maximum number of games of which a ladder is computed in the server, which takes less than starting a process."""
MAX_ENDED_TABLES: Final = 64
"""The maximum number of tables kept until their results are computed; the others are replayed."""
LADDER_SECONDS: Final = 0.2
"""The time after which a ladder that another process computes is looked for again."""

A = TypeVar("A")
_logger = structlog.get_logger()


class PersonHistory(msgspec.Struct, frozen=True):
    """A page of a person's finished games, newest first, totals of all, and the number of games not counted yet."""

    games: Results
    totals: PersonTotals
    uncounted: int


class LevelRecord(NamedTuple):
    """The rated games of a person alone against bots of a level: how many were won, and all."""

    level: str
    won: int
    games: int


class GameHistory:
    """Results and ratings of a running server, used in its event loop."""

    def __init__(self, store: Store, games: Callable[[str], Game], own: ComponentLibrary, leases: Leases) -> None:
        self._store = store
        self._games = games
        self._library = own
        self._leases = leases
        self._finished = asyncio.Event()
        leases.on_ended.append(self._finished.set)
        self._ended: OrderedDict[str, Table] = OrderedDict()
        self._workers: Workers[[Callable[[], Any]], Any] | None = None
        self._failed: set[str] = set()
        """The tables whose results cannot be computed; the log gives the reason once."""
        self.lock = asyncio.Lock()
        """A lock held while results are computed and stored, and while events are rewritten."""

    async def of(self, person: str, first: int = 0, count: int = results.ALL, game: str = "") -> PersonHistory:
        """Return `count` finished games of a person from the `first` on, by default all; of a `game` unless it is "".

        Raise `TableRefusal` `not-written`.
        """
        uncounted, games, totals = await results.history(self._store, person, first, count, game)
        if missing := self._without_failed(uncounted):
            for table_id in missing[:MAX_RESULTS_PER_PAGE]:
                await self.add_result(table_id)
            uncounted, games, totals = await results.history(self._store, person, first, count, game)
        if totals is None:
            totals = await await_write(results.totals_of(self._store, person))
        return PersonHistory(games, totals, len(self._without_failed(uncounted)))

    async def level_records(self, person: str) -> dict[str, tuple[LevelRecord, ...]]:
        """Return the records of a person alone against bots, weakest level first, by the key of the game.

        Return none if the totals are missing and cannot be stored: the lobby is shown all the same.
        """
        try:
            kinds = (await await_write(results.totals_of(self._store, person))).kinds
        except TableRefusal:
            return {}
        return {
            key: tuple(
                LevelRecord(level, kind.beaten.get(level, 0), kind.opposed[level])
                for level in LADDER
                if level in kind.opposed
            )
            for key, kind in kinds.items()
        }

    async def record_against(self, person: str, result: GameResult) -> LevelRecord | None:
        """Return a person's record against the bots of this game; None if it does not count for one."""
        level = opposed_level(result, person)
        records = (await self.level_records(person)).get(result.game, ()) if level else ()
        return next((record for record in records if record.level == level), None)

    async def find_result(self, person: str, table_id: str) -> GameResult | None:
        """Return the result of a game, if this person had a seat at its end.

        Raise `TableRefusal` `not-written`.
        """
        if table_id in await self._missing_results(person, table_id):
            await self.add_result(table_id)
        result = (await results.of_tables(self._store, [table_id])).get(table_id)
        return result if result is not None and result.seat_of(person) is not None else None

    async def surpassed_best(self, person: str, result: GameResult) -> int | None:
        """Return a person's best points before this rated game if it is their best of the kind; None if it is not.

        Raise `TableRefusal` `not-written`.
        """
        totals, seat = await await_write(results.totals_of(self._store, person)), result.seat_of(person)
        best = totals.kinds[result.game].best.get(len(result.players), ()) if result.game in totals.kinds else ()
        is_best = result.is_rated and seat is not None and best[:1] == (result.players[seat].points,)
        return best[1] if is_best and len({*best}) > 1 else None

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
        return await await_write(results.ratings_of(self._store, person, kinds, self._build_ladder))

    async def add_result(self, table_id: str) -> None:
        """Compute and store the result of a finished table, unless it is known."""
        async with self.lock:
            if not await results.uncounted(self._store, table_id=table_id):
                return
            result = await self._compute(table_id)
            if not isinstance(result, GameResult):
                self._failed.add(table_id)
                _logger.warning("a finished game is not in anybody's history", table=table_id, why=result)
                return
            await await_write(results.save(self._store, table_id, result), table_id)

    async def repair(self) -> None:
        """Find results that were deleted manually, so that they are computed again."""
        try:
            await results.repair(self._store)
        except WriteFailed as error:
            _logger.error("finished games could not be counted", problem=str(error))

    async def catch_up(self) -> None:
        """Compute all missing results and ladders, and the result of each game when it is finished, until cancelled.

        Results are missing after an upgrade, for example. Raise `TableRefusal` `not-written`.
        """
        while True:
            for table_id in await self._missing_results():
                async with self._leases.held(Lease("result", table_id)) as is_ours:
                    if is_ours:
                        await self.add_result(table_id)
            for kind in await results.missing_ladders(self._store):
                await await_write(self._build_ladder(kind))
            await self.close()
            await wait(self._finished)

    def changed(self, table: Table) -> None:
        """Listen to a changed table."""
        if table.status == "finished":
            self._ended[table.id] = table
            if len(self._ended) > MAX_ENDED_TABLES:
                self._ended.popitem(last=False)
            self._finished.set()

    def look(self) -> None:
        """Look for missing results, for example after events were rewritten."""
        self._ended.clear()
        self._finished.set()

    async def close(self) -> None:
        """End the process that computes results; the next missing one starts another."""
        async with self.lock:
            workers, self._workers = self._workers, None
            if workers is not None:
                await workers.stop()

    async def _compute(self, table_id: str) -> GameResult | str:
        """Return the result of a finished table, or the reason why there is none."""
        table = self._ended.pop(table_id, None)
        if table is not None:
            summaries = await lobby.summaries(self._store, [table_id])
            if summaries.get(table_id) == (table.version, table.summary()):  # or it names a person removed elsewhere
                return await asyncio.to_thread(_result_of, table)
        try:
            stored = await _read_game(self._store, self._library, table_id)
            return await self._run(partial(replay_result, self._games, stored))
        except (NoSuchTable, ValueError, WorkFailed) as error:
            return str(error)

    async def _build_ladder(self, kind: LadderKey) -> None:
        """Compute and store a ladder, unless it is there, or wait a moment while another process does."""
        lease = Lease("ladder", "{} {}".format(*kind))
        async with self.lock, self._leases.held(lease) as is_ours:
            if is_ours:
                if await results.missing_ladders(self._store, [kind]):
                    with suppress(LeaseEnded):
                        await results.build_ladder(self._leases.fence(lease), kind, self._run_ladder)
                return
        await asyncio.sleep(LADDER_SECONDS)

    async def _run_ladder(self, job: Callable[[], Ladder], games: int) -> Ladder:
        if games <= MAX_GAMES_IN_THREAD:
            return await asyncio.to_thread(job)
        try:
            return await self._run(job)
        except WorkFailed as error:
            _logger.warning("ratings are computed in the server", reason=str(error))
            return await asyncio.to_thread(job)

    async def _run(self, job: Callable[[], A]) -> A:
        """Return the result of a job that runs in the separate process. Raise WorkFailed."""
        if self._workers is None:
            self._workers = Workers("counter of results", _call_in_worker, 1, RESULT_TIMEOUT_SECONDS)
        result: A = await self._workers.run(job)
        return result

    async def _missing_results(self, person: str | None = None, table_id: str | None = None) -> Sequence[str]:
        return self._without_failed(await results.uncounted(self._store, person=person, table_id=table_id))

    def _without_failed(self, table_ids: Sequence[str]) -> Sequence[str]:
        return [table_id for table_id in table_ids if table_id not in self._failed]


def _call_in_worker(job: Callable[[], A]) -> A:
    return job()


class StoredGame(msgspec.Struct, frozen=True):
    """A finished table as stored, with the text of its component file ("" for the game's own)."""

    table_id: str
    secret: bytes
    events: tuple[StoredEvent, ...]
    components: str


async def _read_game(store: Store, library: ComponentLibrary, table_id: str) -> StoredGame:
    """Return a finished table. Raise `NoSuchTable`, or ValueError if it is corrupt or its components are missing."""
    events = await store.events(table_id)
    if not events:
        raise NoSuchTable(table_id)
    opened = decode_events(events[:1])[0].event
    if not isinstance(opened, Opened):
        raise ValueError("event 1 is not the opening of a table")
    try:
        _, own = await library.find(opened.game)
        components = "" if opened.components == own.digest else await library.text(opened.components)
    except TableRefusal as error:
        raise ValueError(str(error)) from error
    return StoredGame(table_id, await store.secret(table_id), events, components)


def replay_result(games: Callable[[str], Game], stored: StoredGame) -> GameResult | str:
    """Return the result of a finished table, or the reason why there is none. Runs in a separate process."""

    def setup(opened: Opened) -> Setup:
        game = games(opened.game)
        components = read_components(stored.components, game.Contents) if stored.components else game.components
        return game.setup(len(opened.seat_offers), components, **opened.options)

    try:
        return _result_of(tables.fold(stored.table_id, stored.secret, decode_events(stored.events), setup))
    except ValueError as error:
        return str(error)


def _result_of(table: Table) -> GameResult | str:
    if table.frozen is not None:
        return str(table.frozen)
    return game_result(table) or f"the table is {table.status}"


async def _compute_result(store: Store, library: ComponentLibrary, table_id: str) -> GameResult | str:
    """Return the result of a finished table, or the reason why there is none."""
    try:
        table = await load_table(store, library, table_id)
    except (NoSuchTable, ValueError) as error:
        return str(error)
    return await asyncio.to_thread(_result_of, table)


async def rebuild(store: Store, games: Callable[[str], Game], *, check: bool) -> AsyncIterator[tuple[str, str]]:
    """Compute all results again and correct the stored ones, unless `check` is set.

    Yield each finished table, and each other table with a stored result, with its problem: "" (none), "missing",
    "different", "not finished", or the reason why the result cannot be computed. Raise `WriteFailed`.
    """
    if not check:
        await results.repair(store)
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
