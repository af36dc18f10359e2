"""Turns of bots.

The tables show whose turn it is, so a bot's turn is not a stored job: at the start and after each event the tables are
checked for a bot that must move. It thinks in a worker process, and the moves of its answer are appended like any
other, all in one step, so that a page shows them as one change. Errors are logged, shown at the table, and tried again
after growing pauses. If more bots must move than may think at a time, games that someone is viewing come first, and no
address delays another one.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final, TypeAlias

import structlog

from spieltisch import bots, tables
from spieltisch.bots.external import ANSWER_SECONDS
from spieltisch.bots.turns import Answer
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.live import Live
from spieltisch.live.services import Tasks, running, wait
from spieltisch.store import StoreClosed, StoreError
from spieltisch.store.leases import TERM_SECONDS, Lease
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
OFFER: Final = "bot"
"""The kind of the notice that a table's bot waits, because all processes of bots here are busy."""

_logger = structlog.get_logger()


class BotTurns:
    """The loop that lets bots move.

    `workers` is the number of processes that think; `choose` is what they run; `is_watched` returns True if a person is
    viewing a page.
    """

    def __init__(
        self,
        live: Live,
        workers: int = 1,
        *,
        choose: Choose = bots.choose_turn,
        is_watched: Callable[[str], bool] = lambda person: True,
        pace: float = MOVE_INTERVAL_SECONDS,
        first_pause: float = MIN_BACKOFF_SECONDS,
        seconds_to_think: float = ANSWER_SECONDS,
    ) -> None:
        self._tables = live.tables
        self._leases = live.leases
        self._notices = live.notices
        self._pace = pace
        self._first_pause = first_pause
        self._is_watched = is_watched
        self._queue = FairQueue(workers)
        self.workers = Workers("bot", choose, workers, seconds_to_think)
        self.playing = Tasks[str]()
        """For each table the task that plays its bots' turns; a change of the table wakes it."""
        self._is_running = False
        live.notices.on(OFFER, self._on_offered)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        """Let bots move until the context ends; a move that was not appended is chosen again after the next start.

        Yield the task that starts the processes and finds the tables at which a bot is to move.
        """
        self._is_running = True
        try:
            with self._tables.listening(self._on_table_changed):
                async with running("bots", partial(self._leases.after_each_end, self._begin)) as beginning:
                    yield beginning
        finally:
            self._is_running = False
            # At the same time, so that no process is started for a turn that has been cancelled.
            await asyncio.gather(self.playing.end(), self.workers.stop())

    async def _begin(self) -> None:
        try:
            await self.workers.start()
        except OSError as error:  # the first request tries again
            _logger.warning("no process for bots could be started yet", problem=str(error))
        for table_id in await self._tables.with_bot_to_move():
            try:
                self._on_table_changed(await self._tables.get(table_id))
            except TableRefusal as error:
                _logger.warning("no bot can play at a table", table=table_id, why=str(error))

    def _on_table_changed(self, table: Table) -> None:
        """Start the turn of a bot if a new or changed table waits for one."""
        if not self.playing.wake(table.id) and table.bot_to_move() is not None:
            self.playing.start(table.id, self._take_turns, table.id)

    def _on_offered(self, _notice: int, table_id: str) -> None:
        """Let a turn that waits in another process wait here, too: the one that has a free slot first plays it."""
        if self._is_running and table_id not in self.playing:
            self.playing.start(table_id, self._take_turns, table_id)

    async def _take_turns(self, table_id: str) -> None:
        loop = asyncio.get_running_loop()
        earliest = loop.time()
        while (turn := (table := await self._tables.get(table_id)).bot_to_move()) is not None:
            async with AsyncExitStack() as stack:  # of the lease, which the turn has in the pause after a failure, too
                try:
                    if await self._take_turn(table, turn, earliest, stack):
                        earliest = loop.time() + self._pace
                    else:
                        await wait(self.playing.woken[table_id], TERM_SECONDS)
                except StoreClosed:
                    return
                except StoreError as error:
                    await self._fail(table_id, turn, "", error)
                except TableRefusal as error:
                    if error.code == RefusalCode.NO_TABLE:
                        return  # it was removed while the bot was thinking
                    if error.code == RefusalCode.STALE:
                        continue  # the table has changed while the bot was thinking: check again
                    reason = "" if error.code in STORAGE_CODES else "its move was refused"
                    await self._fail(table_id, turn, reason, error)
                except WorkFailed as error:
                    await self._fail(table_id, turn, str(error), error)
                except Exception as error:
                    _logger.exception("a bot's turn could not be taken", table=table_id)
                    await self._fail(table_id, turn, "something went wrong", error)

    async def _take_turn(self, table: Table, turn: BotTurn, earliest: float, stack: AsyncExitStack) -> bool:
        """Let a bot think and move, under a lease until `stack` is closed; return False if another process does."""
        assert table.position is not None  # noqa: S101  # a bot must move there
        observation = table.position.observe(turn.seat).bytes
        name = self._tables.bots.get(turn.bot)
        if name is None:  # the host may have admitted it earlier
            raise WorkFailed("it may not play here")
        if style := table.seats[turn.seat].style:
            name = f"{name}+{style}"
        owner = await self._tables.origin(table.id) or table.host
        people = {table.host, *(device_owner(seat.person) for seat in table.people)}
        if self._queue.is_full:
            self._notices.announce(OFFER, table.id)
        async with self._queue.slot(owner, first=any(map(self._is_watched, people))):
            if not await stack.enter_async_context(self._leases.held(Lease("bot", table.id))):
                return False
            if not self._is_same_turn(await self._tables.get_newest(table.id), turn):
                raise refusals.stale()
            seed = table.bot_seed(turn)
            move, *following = await self.workers.run(name, observation, secrets.randbits(63) if seed is None else seed)
        await asyncio.sleep(max(0.0, earliest - asyncio.get_running_loop().time()))
        await self._tables.run(table.id, tables.play_bot_move, turn, move.move, following)
        return True

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
            await wait(self.playing.woken[table_id], deadline - loop.time())

    @staticmethod
    def _is_same_turn(table: Table, turn: BotTurn) -> bool:
        current = table.bot_to_move()
        return current is not None and (current.seat, current.bot, current.version) == (
            turn.seat,
            turn.bot,
            turn.version,
        )
