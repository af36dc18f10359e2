"""Games looked at in the background, when somebody asks. What is found of a finished one is kept with the table. Who
plays may ask about the game so far, from what they knew: that is theirs alone, and kept while the server runs.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec
import structlog

from spieltisch import tables
from spieltisch.bots.analysis import Analysis, AnalysisJob, JudgeBudget, Question, judge, questions, questions_of
from spieltisch.bots.search import native_library
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import Store, WriteFailed, analyses
from spieltisch.tables import Table, preconditions, refusals
from spieltisch.workers import ResourceLimits, Workers, WorkFailed

SECONDS: Final = 60.0
"""After which a single decision is given up, by the clock; it takes less than one."""
PROCESSES: Final = min(2, os.cpu_count() or 1)
BOUNDS: Final = ResourceLimits(seconds=30.0, bytes=1 << 29)
"""They are there for the process to give way to all others."""
MOST: Final = 8
"""Games that wait for the process at once."""
MOST_OF_ONE: Final = 2
"""Those of them that one address has asked for: nobody fills it for all."""
MOST_KEPT: Final = 32
"""Games so far of which it is kept what somebody found; those that were looked at longest ago are forgotten first."""

AnalysisKey: TypeAlias = tuple[str, int | None]
"""A table, and the seat from which its game so far is looked at; None for a game that is over."""

ANALYSIS = msgspec.json.Decoder(Analysis)
_logger = structlog.get_logger()


@dataclass
class Progress:
    """How far it is: how many of how many decisions, and whether it has broken off; and which address asked for it."""

    address: str
    done: int = 0
    total: int = 0
    failed: bool = False


@dataclass
class PartialAnalysis:
    """What a seat found: after the move with which version; and all answers, which need not be worked out again."""

    found: Analysis
    version: int
    answers: dict[bytes, bytes] = field(default_factory=dict)

    def is_current(self, table: Table) -> bool:
        """Whether none of its moves was taken back."""
        return _version(table, self.found.moves) == self.version


def _version(table: Table, moves: int) -> int:
    return table.moves[moves - 1].version if 0 < moves <= len(table.moves) else -moves


class AnalysisWorkers:
    """A process or two that look at one decision after the other; games that several have asked for take turns."""

    def __init__(self, store: Store, live: LiveTables, limits: Limits) -> None:
        self._store = store
        self._tables = live
        self._seconds = float(limits.analysis_seconds) or None
        self._workers = Workers("analyst", judge, PROCESSES, SECONDS, BOUNDS)
        self._progress: dict[AnalysisKey, Progress] = {}
        self._so_far: OrderedDict[AnalysisKey, PartialAnalysis] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def stored(self, table: Table) -> Analysis | None:
        """What was found, if somebody had this game looked at. Raises `TableRefusal` not-over, kept-back."""
        if table.status != "finished":
            raise refusals.not_over()
        if table.withheld:
            raise refusals.withheld()
        data = await analyses.find(self._store, table.id)
        return None if data is None else ANALYSIS.decode(data)

    def partial(self, table: Table, person: str) -> Analysis | None:
        """What this person found of the game so far, maybe some moves ago. Raises `TableRefusal` as
        `tables.look_back`.
        """
        tables.request_analysis(table, person)
        kept = self._so_far.get((table.id, table.seat_of(person)))
        return kept.found if kept is not None and kept.is_current(table) else None

    def progress(self, table: Table, person: str | None = None) -> Progress | None:
        """How far it is with a game that is being looked at, or could not be; with the game so far for a `person`."""
        return self._progress.get((table.id, table.seat_of(person)))

    async def is_available(self, table: Table) -> bool:
        """Whether this server can look at the game: once what bots search with is compiled."""
        return await asyncio.to_thread(native_library.find, table.game) is not None

    async def start(self, table: Table, address: str) -> None:
        """Have a game looked at for an address, unless it was already. Raises `TableRefusal` not-over, no-analysis-yet,
        too-many-analyses.
        """
        if await self.stored(table) is not None:
            return
        if not await self.is_available(table):
            raise refusals.no_analysis_yet()
        if self._starts(look := (table.id, None), address):
            self._go(look, self._analyse(table))

    async def start_partial(self, table_id: str, person: str, address: str) -> None:
        """Have the game so far looked at for a person who plays, from what they knew, unless it is already. Where
        others play, they are told. Raises `TableRefusal` as `tables.look_back`, and as `begin`.
        """
        table = await self._tables.get(table_id)
        found = self.partial(table, person)
        if found is not None and found.moves == len(table.moves):
            return
        if not await self.is_available(table):
            raise refusals.no_analysis_yet()
        seat = preconditions.require_own_seat(table, person)
        if not self._starts(look := (table_id, seat), address):
            return
        try:
            table = await self._tables.run(table_id, tables.request_analysis, person)
        except BaseException:
            del self._progress[look]
            raise
        self._go(look, self._analyse_so_far(table, seat))

    def _starts(self, look: AnalysisKey, address: str) -> bool:
        """Take note that somebody has asked. Returns whether it is not under way already. Raises `TableRefusal`
        too-many-analyses.
        """
        before = self._progress.get(look)
        if before is not None and not before.failed:
            return False
        going = [one for one in self._progress.values() if not one.failed]
        if len(going) >= MOST or sum(one.address == address for one in going) >= MOST_OF_ONE:
            raise refusals.too_many_analyses()
        self._progress[look] = Progress(address)
        return True

    def _go(self, look: AnalysisKey, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._watched(look, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """End the process, also in the middle; what is not whole is not kept."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.stop()

    async def _watched(self, look: AnalysisKey, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except Exception as problem:
            self._progress[look].failed = True
            if not isinstance(problem, WorkFailed | WriteFailed):
                _logger.exception("a game could not be analysed", table=look[0])
        else:
            del self._progress[look]

    async def _analyse(self, table: Table) -> None:
        asked = await asyncio.to_thread(lambda: [*questions(table.position_at(0), table.moves)])
        inquiry = AnalysisJob(asked, self._seconds)
        await self._answer(inquiry, self._progress[table.id, None], {})
        found = inquiry.finish(table.position_at(len(table.moves)), table.moves)
        await analyses.keep(self._store, table.id, msgspec.json.encode(found))

    async def _analyse_so_far(self, table: Table, seat: int) -> None:
        look, moves = (table.id, seat), len(table.moves)
        asked = await asyncio.to_thread(lambda: [*questions_of(seat, table.position_at(0), table.moves)])
        inquiry, before = AnalysisJob(asked, self._seconds), self._so_far.get(look)
        answers = await self._answer(inquiry, self._progress[look], before.answers if before else {})
        self._so_far[look] = PartialAnalysis(inquiry.so_far(seat, moves), _version(table, moves), answers)
        self._so_far.move_to_end(look)
        if len(self._so_far) > MOST_KEPT:
            self._so_far.popitem(last=False)

    async def _answer(self, inquiry: AnalysisJob, progress: Progress, known: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """Have all questions answered, but for those that are known; returns the answers by what was asked."""
        answers = {}
        progress.total = inquiry.total

        async def answer(question: Question, effort: JudgeBudget) -> bytes:
            asked = f"{effort.simulations} {question.move} ".encode() + question.observation
            digest = blake2b(asked, digest_size=16).digest()
            answers[digest] = known.get(digest) or await self._workers.run(question, effort)
            return answers[digest]

        for part in (inquiry.first_pass, inquiry.second_pass):
            asked_now = part()
            for at in range(0, len(asked_now), PROCESSES):
                together = [answer(*question) for question in asked_now[at : at + PROCESSES]]
                for found in await asyncio.gather(*together):
                    inquiry.add_answer(found)
                    progress.done += 1
        return answers
