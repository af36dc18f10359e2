"""Turns of bots.

The tables show whose turn it is, so a bot's turn is not a stored job: at the start and after each event the tables are
checked for a bot that must move. It thinks in a worker process, and the moves of its answer are appended like any
other, all in one step, so that a page shows them as one change. Errors are logged, shown at the table, and tried again
after growing pauses. If more bots must move than may think at a time, games that someone is viewing come first, and no
address delays another one.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, TypeAlias

import structlog

from spieltisch import bots, tables
from spieltisch.bots.external import ANSWER_SECONDS
from spieltisch.bots.turns import Answer
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import StoreClosed
from spieltisch.tables import BotTurn, Table, TableRefusal, refusals
from spieltisch.tables.names import device_owner
from spieltisch.tables.refusal_codes import STORAGE_CODES, RefusalCode
from spieltisch.workers import Workers, WorkFailed

Choose: TypeAlias = Callable[[str, bytes, int], Answer]
"""A bot's decision: takes its name, the bytes of its observation and a seed, and returns its answer.

It must be a function of a module.
"""

MOVE_INTERVAL_SECONDS: Final = 0.4
"""The minimum time between two answers of bots, slow enough to be seen."""
MIN_BACKOFF_SECONDS: Final = 1.0
"""The pause after the first failure of a bot; it doubles with each further one."""
MAX_BACKOFF_SECONDS: Final = 600.0
"""The longest pause between two attempts."""

_logger = structlog.get_logger()


class BotTurns:
    """The loop that lets bots move.

    `workers` is the number of processes that think; `choose` is what they run; `is_watched` returns True if a person is
    viewing a page.
    """

    def __init__(
        self,
        live: LiveTables,
        workers: int = 1,
        *,
        choose: Choose = bots.choose_turn,
        is_watched: Callable[[str], bool] = lambda person: True,
        pace: float = MOVE_INTERVAL_SECONDS,
        first_pause: float = MIN_BACKOFF_SECONDS,
        seconds_to_think: float = ANSWER_SECONDS,
    ) -> None:
        self._tables = live
        self._pace = pace
        self._first_pause = first_pause
        self._is_watched = is_watched
        self._queue = FairQueue(workers)
        self.workers = Workers("bot", choose, workers, seconds_to_think)
        self._turns: dict[str, asyncio.Task[None]] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._beginning: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to watch the tables; processes start and running tables are checked in the background."""
        self._leave = self._tables.subscribe(None, self._look)
        self._beginning = asyncio.create_task(self._begin())

    async def stop(self) -> None:
        """Stop all bots; a move that was not appended is chosen again after the next start."""
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
            except OSError as error:  # the first request tries again
                _logger.warning("no process for bots could be started yet", problem=str(error))
            for table_id in await self._tables.with_bot_to_move():
                try:
                    self._look(await self._tables.get(table_id))
                except TableRefusal as error:
                    _logger.warning("no bot can play at a table", table=table_id, why=str(error))
        except Exception:
            _logger.exception("bots could not begin")
            raise

    def _look(self, table: Table) -> None:
        """Start the turn of a bot if a new or changed table waits for one."""
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
                except TableRefusal as error:
                    if error.code == RefusalCode.STALE:
                        continue  # the table has changed while the bot was thinking: check again
                    await self._fail(
                        table_id, turn, "" if error.code in STORAGE_CODES else "its move was refused", error
                    )
                except WorkFailed as error:
                    await self._fail(table_id, turn, str(error), error)
                except Exception as error:
                    _logger.exception("a bot's turn could not be taken", table=table_id)
                    await self._fail(table_id, turn, "something went wrong", error)
        finally:
            # Nothing is awaited between the last check of the table and here, so no change is missed.
            del self._turns[table_id], self._changed[table_id]

    async def _take_turn(self, table: Table, turn: BotTurn, earliest: float) -> None:
        assert table.position is not None  # noqa: S101  # a bot must move there
        observation = table.position.observe(turn.seat).bytes
        name = self._tables.bots.get(turn.bot)
        if name is None:  # the host may have admitted it earlier
            raise WorkFailed("it may not play here")
        if style := tables.style_of(table.seats[turn.seat]):
            name = f"{name}+{style}"
        owner = await self._tables.origin(table.id) or table.host
        people = {table.host, *(device_owner(seat.person) for seat in table.people)}
        async with self._queue.slot(owner, first=any(map(self._is_watched, people))):
            if not self._is_same_turn(await self._tables.get(table.id), turn):
                raise refusals.stale()
            seed = table.bot_seed(turn)
            move, *following = await self.workers.run(name, observation, secrets.randbits(63) if seed is None else seed)
        await asyncio.sleep(max(0.0, earliest - asyncio.get_running_loop().time()))
        await self._tables.run(table.id, tables.play_bot_move, turn, move.move, following)

    async def _fail(self, table_id: str, turn: BotTurn, reason: str, error: Exception) -> None:
        """Report the failure at the table, then wait, longer each time, while it is still this bot's turn."""
        pause = min(self._first_pause * 2**turn.failures, MAX_BACKOFF_SECONDS)
        _logger.warning(
            "a bot could not move",
            table=table_id,
            seat=turn.seat,
            bot=turn.bot,
            attempt=turn.failures + 1,
            pause=pause,
            why=str(error),
        )
        if reason:
            try:
                await self._tables.run(table_id, tables.report_bot_failure, turn, reason)
            except TableRefusal as refusal:
                if refusal.code == RefusalCode.STALE:
                    return
                _logger.warning("a bot's failure could not be stored", table=table_id, why=str(refusal))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + pause
        while loop.time() < deadline and self._is_same_turn(await self._tables.get(table_id), turn):
            changed = self._changed[table_id]
            changed.clear()
            try:
                await asyncio.wait_for(changed.wait(), deadline - loop.time())
            except TimeoutError:
                return

    @staticmethod
    def _is_same_turn(table: Table, turn: BotTurn) -> bool:
        current = table.bot_to_move()
        return current is not None and (current.seat, current.bot, current.version) == (
            turn.seat,
            turn.bot,
            turn.version,
        )
