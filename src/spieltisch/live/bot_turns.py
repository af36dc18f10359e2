"""Bots take their turns.

Whose turn it is stands in the tables, so a bot's turn is no stored job: at the start and after each event the tables
are asked for a bot that has to move. It thinks in a worker process, and its move is appended like anybody's. What
goes wrong is logged, shown at the table, and tried again after growing pauses. Where more bots have to move than may
think at a time, games at which somebody looks go first, and no address holds up another.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, TypeAlias

import structlog

from spieltisch import bots, tables
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import StoreClosed
from spieltisch.tables import BotTurn, Table, TableRefusal, refusals
from spieltisch.tables.names import device_owner
from spieltisch.tables.refusal_codes import STORAGE_CODES, RefusalCode
from spieltisch.workers import Workers, WorkFailed

Choose: TypeAlias = Callable[[str, bytes, int], str]
"""A bot's decision: its name, the bytes of its observation, a seed; returns the text of a move. A function of a
module.
"""

SECONDS_TO_THINK: Final = 60.0
SECONDS_BETWEEN_MOVES: Final = 0.4
"""A bot's moves follow each other slowly enough to be seen."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 600.0

_logger = structlog.get_logger()


class BotTurns:
    """The loop. `workers` processes think; `choose` is what they run; `looks` says whether a person looks at a page."""

    def __init__(
        self,
        live: LiveTables,
        workers: int = 1,
        *,
        choose: Choose = bots.choose,
        is_watched: Callable[[str], bool] = lambda person: True,
        pace: float = SECONDS_BETWEEN_MOVES,
        first_pause: float = FIRST_PAUSE,
        seconds_to_think: float = SECONDS_TO_THINK,
    ) -> None:
        self._tables = live
        self._pace = pace
        self._first_pause = first_pause
        self._looks = is_watched
        self._queue = FairQueue(workers)
        self.workers = Workers("bot", choose, workers, seconds_to_think)
        self._turns: dict[str, asyncio.Task[None]] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._beginning: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Watch the tables from now on; processes start and running tables are looked through in the background."""
        self._leave = self._tables.subscribe(None, self._look)
        self._beginning = asyncio.create_task(self._begin())

    async def stop(self) -> None:
        """End every thought. What was not appended is thought again after the next start."""
        self._leave()
        tasks = [*self._turns.values(), *([self._beginning] if self._beginning else [])]
        for task in tasks:
            task.cancel()
        await self.workers.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _begin(self) -> None:
        try:
            try:
                await self.workers.start()
            except OSError as problem:  # the first question tries again
                _logger.warning("no process for bots could be started yet", problem=str(problem))
            for table_id in await self._tables.running():
                try:
                    self._look(await self._tables.get(table_id))
                except TableRefusal as problem:
                    _logger.warning("no bot can play at a table", table=table_id, why=str(problem))
        except Exception:
            _logger.exception("bots could not begin")
            raise

    def _look(self, table: Table) -> None:
        """A table is new or has changed: is it a bot's turn?"""
        if table.id in self._changed:
            self._changed[table.id].set()
        elif table.bot_to_move() is not None:
            self._changed[table.id] = asyncio.Event()
            self._turns[table.id] = asyncio.create_task(self._take_turns(table.id))

    async def _take_turns(self, table_id: str) -> None:
        loop = asyncio.get_running_loop()
        earliest = loop.time()
        try:
            while True:
                table = await self._tables.get(table_id)
                turn = table.bot_to_move()
                if turn is None:
                    return
                try:
                    await self._take_turn(table, turn, earliest)
                    earliest = loop.time() + self._pace
                except StoreClosed:
                    return
                except TableRefusal as problem:
                    if problem.code == RefusalCode.STALE:
                        continue  # the table has changed while the bot was thinking: look again
                    await self._fail(
                        table_id, turn, "" if problem.code in STORAGE_CODES else "its move was refused", problem
                    )
                except WorkFailed as problem:
                    await self._fail(table_id, turn, str(problem), problem)
                except Exception as problem:
                    _logger.exception("a bot's turn could not be taken", table=table_id)
                    await self._fail(table_id, turn, "something went wrong", problem)
        finally:
            # Nothing is awaited between the last look at the table and here, so no change is missed.
            del self._turns[table_id], self._changed[table_id]

    async def _take_turn(self, table: Table, turn: BotTurn, earliest: float) -> None:
        assert table.position is not None  # noqa: S101  # a bot has to move there
        observation = table.position.observe(turn.seat).bytes
        name = self._tables.bots.get(turn.bot)
        if name is None:  # a host may have listed it once
            raise WorkFailed("it may not play here")
        if style := tables.style_of(table.seats[turn.seat]):
            name = f"{name}+{style}"
        whose = await self._tables.origin(table.id) or table.host
        people = {table.host, *(device_owner(seat.person) for seat in table.people)}
        async with self._queue.slot(whose, first=any(map(self._looks, people))):
            if not self._same(await self._tables.get(table.id), turn):
                raise refusals.stale()
            seed = table.bot_seed(turn)
            move = await self.workers.run(name, observation, secrets.randbits(63) if seed is None else seed)
        await asyncio.sleep(max(0.0, earliest - asyncio.get_running_loop().time()))
        await self._tables.run(table.id, tables.play_bot_move, turn, move)

    async def _fail(self, table_id: str, turn: BotTurn, what: str, problem: Exception) -> None:
        """Say so at the table, then wait, longer each time, or until it is no longer this bot's turn."""
        pause = min(self._first_pause * 2**turn.failures, LONGEST_PAUSE)
        _logger.warning(
            "a bot could not move",
            table=table_id,
            seat=turn.seat,
            bot=turn.bot,
            attempt=turn.failures + 1,
            pause=pause,
            why=str(problem),
        )
        if what:
            try:
                await self._tables.run(table_id, tables.report_bot_failure, turn, what)
            except TableRefusal as refusal:
                if refusal.code == RefusalCode.STALE:
                    return
                _logger.warning("a bot's failure could not be stored", table=table_id, why=str(refusal))
        loop = asyncio.get_running_loop()
        until = loop.time() + pause
        while loop.time() < until and self._same(await self._tables.get(table_id), turn):
            changed = self._changed[table_id]
            changed.clear()
            try:
                await asyncio.wait_for(changed.wait(), until - loop.time())
            except TimeoutError:
                return

    @staticmethod
    def _same(table: Table, turn: BotTurn) -> bool:
        now = table.bot_to_move()
        return now is not None and (now.seat, now.bot, now.version) == (turn.seat, turn.bot, turn.version)
