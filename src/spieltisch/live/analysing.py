"""Finished games looked at in the background, when somebody asks; what is found is kept with the table."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from spieltisch.bots.analysis import Analysis, Inquiry, judge, questions
from spieltisch.bots.search import library
from spieltisch.live.limits import Limits
from spieltisch.live.workers import Bounds, Workers, WorkFailed
from spieltisch.store import Store, WriteFailed, analyses
from spieltisch.tables import Table, refusals

SECONDS: Final = 60.0
"""After which a single decision is given up, by the clock; it takes less than one."""
PROCESSES: Final = min(2, os.cpu_count() or 1)
BOUNDS: Final = Bounds(seconds=30.0, bytes=1 << 29)
"""They are there for the process to give way to all others."""
MOST: Final = 8
"""Games that wait for the process at once."""
MOST_OF_ONE: Final = 2
"""Those of them that one address has asked for: nobody fills it for all."""

_logger = structlog.get_logger()


@dataclass
class Progress:
    """How far it is: how many of how many decisions, and whether it has broken off; and which address asked for it."""

    address: str
    done: int = 0
    total: int = 0
    failed: bool = False


class Analysts:
    """A process or two that look at one decision after the other; games that several have asked for take turns."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._seconds = float(limits.analysis) or None
        self._workers = Workers("analyst", judge, PROCESSES, SECONDS, BOUNDS)
        self._progress: dict[str, Progress] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def kept(self, table: Table) -> Analysis | None:
        """What was found, if somebody had this game looked at. Raises `TableRefusal` not-over."""
        if table.status != "finished":
            raise refusals.not_over()
        data = await analyses.find(self._store, table.id)
        return None if data is None else msgspec.json.decode(data, type=Analysis)

    def progress(self, table: Table) -> Progress | None:
        """How far it is with a game that is being looked at, or could not be."""
        return self._progress.get(table.id)

    async def can(self, table: Table) -> bool:
        """Whether this server can look at the game: once what bots search with is compiled."""
        return await asyncio.to_thread(library.find, table.game) is not None

    async def begin(self, table: Table, address: str) -> None:
        """Have a game looked at for an address, unless it was already. Raises `TableRefusal` not-over, no-analysis-yet,
        too-many-analyses.
        """
        if await self.kept(table) is not None:
            return
        if not await self.can(table):
            raise refusals.no_analysis_yet()
        before = self.progress(table)
        if before is not None and not before.failed:
            return
        going = [one for one in self._progress.values() if not one.failed]
        if len(going) >= MOST or sum(one.address == address for one in going) >= MOST_OF_ONE:
            raise refusals.too_many_analyses()
        progress = self._progress[table.id] = Progress(address)
        task = asyncio.get_running_loop().create_task(self._analyse(table, progress))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """End the process, also in the middle; what is not whole is not kept."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.stop()

    async def _analyse(self, table: Table, progress: Progress) -> None:
        try:
            asked = await asyncio.to_thread(lambda: [*questions(table.position_at(0), table.plays)])
            inquiry = Inquiry(asked, self._seconds)
            progress.total = inquiry.total
            for part in (inquiry.first, inquiry.then):
                asked_now = part()
                for at in range(0, len(asked_now), PROCESSES):
                    together = [self._workers.ask(*question) for question in asked_now[at : at + PROCESSES]]
                    for answer in await asyncio.gather(*together):
                        inquiry.take(answer)
                        progress.done += 1
            found = inquiry.conclude(table.position_at(len(table.plays)), table.plays)
            await analyses.keep(self._store, table.id, msgspec.json.encode(found))
        except Exception as problem:
            progress.failed = True
            if not isinstance(problem, WorkFailed | WriteFailed):
                _logger.exception("a game could not be analysed", table=table.id)
        else:
            del self._progress[table.id]
