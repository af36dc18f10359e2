"""Analyses of games, computed in the background: of games that have just ended, and on request.

The analysis of a finished game is stored with its table. Players may also analyse the game so far, from what they knew:
such an analysis is theirs alone and kept for a day. Other processes on the database know of the progress of all. That
of a finished game which a restart has interrupted begins again as soon as someone looks at it.
"""

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Final

import msgspec
import structlog

from spieltisch import tables
from spieltisch.bots.analysis import SCHEME, Analysis
from spieltisch.bots.judging import AnalysisJob, JudgeBudget, Question, judge, questions, questions_of
from spieltisch.bots.search import native_library
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.process_states import ProcessStates
from spieltisch.live.requested_analyses import AnalysisKey, RequestedAnalyses
from spieltisch.live.services import Tasks
from spieltisch.store import Store, WriteFailed, analyses
from spieltisch.tables import Table, TableRefusal, preconditions, refusals
from spieltisch.workers import ResourceLimits, Workers, WorkFailed

DECISION_TIMEOUT_SECONDS: Final = 60.0
"""The time after which a single turn is given up; it takes a few seconds."""
PROCESSES: Final = min(2, os.cpu_count() or 1)
"""The number of processes that analyse."""
WORKER_LIMITS: Final = ResourceLimits(seconds=30.0, bytes=1 << 29)
"""The limits of a process, so that it yields to all others."""
MAX_QUEUED_ANALYSES: Final = 16
"""The maximum number of games that wait for an analysis at the same time."""
MAX_QUEUED_PER_REQUESTER: Final = 2
"""The maximum number of waiting games of one person, and from one address, so that no one takes all places."""
MAX_PARTIAL_ANALYSES: Final = 32
"""The maximum number of partial analyses whose answers are in memory, those that were computed last."""
AUTOMATIC: Final = ""
"""In place of an address: all analyses that no one asked for have one share of the time."""
SECONDS_OF_HOUR: Final = 3600.0
"""The time in which `Limits.automatic_analyses_per_hour` counts."""
FAILED: Final = "failed"
"""The notice to other processes of a failed analysis; that of a running one has its turns, done and in total."""

_logger = structlog.get_logger()


@dataclass
class Progress:
    """Progress of an analysis: turns done and in total, whether it failed, the address and person requesting it.

    `is_resumed`: it began again after a restart, which only the process that runs it knows.
    """

    address: str
    person: str | None
    done: int = 0
    total: int = 0
    has_failed: bool = False
    is_resumed: bool = False


class AnalysisSoFar(msgspec.Struct, frozen=True):
    """The analysis of a game so far for one seat, as it is stored; `version` is that of the last move in it."""

    analysis: Analysis
    version: int

    def is_current(self, table: Table) -> bool:
        """Return True if it is of this kind of analysis, and none of its moves was undone."""
        return self.analysis.scheme == SCHEME and _version(table, self.analysis.moves) == self.version


ANALYSIS = msgspec.json.Decoder(Analysis)
SO_FAR = msgspec.json.Decoder(AnalysisSoFar)
BEGUN_SCHEME: Final = -1
BEGUN: Final = msgspec.json.encode(Analysis(0, (), (), scheme=BEGUN_SCHEME))
"""Stored in place of an analysis as long as it runs, so that a restart does not end it."""


def _is_whole(data: bytes) -> bool:
    return ANALYSIS.decode(data).scheme == SCHEME


def _version(table: Table, moves: int) -> int:
    return table.moves[moves - 1].version if 0 < moves <= len(table.moves) else -moves


class AnalysisWorkers:
    """Processes that analyse one turn at a time.

    Several requested games take turns, and each address that requested some gets an equal share of the time.
    """

    def __init__(
        self, store: Store, live: LiveTables, limits: Limits, processes: ProcessStates, requested: RequestedAnalyses
    ) -> None:
        self.requested = requested
        self._store = store
        self._tables = live
        self._seconds = float(limits.analysis_seconds) or None
        self._workers = Workers("analyst", judge, PROCESSES, DECISION_TIMEOUT_SECONDS, WORKER_LIMITS)
        self._queue = FairQueue(PROCESSES)
        self._progress: dict[AnalysisKey, Progress] = {}
        self._processes = processes
        self._answers: OrderedDict[AnalysisKey, dict[bytes, bytes]] = OrderedDict()
        """All answers of analyses of games so far, which need not be computed again."""
        self._running = Tasks[AnalysisKey]()
        self._automatic_limit = limits.automatic_analyses_per_hour
        self._automatic_starts: deque[float] = deque()
        """The times, in the last hour, at which a game was analysed without being asked."""
        self._unfinished: set[str] = set()
        """The running games that have changed, so that their end is noticed."""
        self._starting = Tasks[str]()

    async def stored(self, table: Table) -> Analysis | None:
        """Return the stored analysis of a finished game, or None; one of an earlier kind is computed again.

        Raise `TableRefusal` `not-over` or `withheld`.
        """
        if table.status != "finished":
            raise refusals.not_over()
        if table.is_withheld:
            raise refusals.withheld()
        data = await analyses.find(self._store, table.id)
        analysis = None if data is None else ANALYSIS.decode(data)
        return analysis if analysis is not None and analysis.scheme == SCHEME else None

    async def partial(self, table: Table, person: str) -> Analysis | None:
        """Return this person's analysis of the game so far, possibly some moves old, or None.

        Raise `TableRefusal` as `tables.request_analysis`.
        """
        tables.request_analysis(table, person)
        data = await analyses.find_so_far(self._store, table.id, table.seat_of(person))
        so_far = None if data is None else SO_FAR.decode(data)
        return so_far.analysis if so_far is not None and so_far.is_current(table) else None

    def progress(self, table: Table, person: str | None = None) -> Progress | None:
        """Return the progress of a running or failed analysis; with `person`, that of their game so far.

        It ends once the analysis is stored: one who reads it before `stored` misses neither.
        """
        if person is None and table.id in self._starting:
            return Progress(AUTOMATIC, None)
        return self._progress_of((table.id, table.seat_of(person)))

    def _progress_of(self, key: AnalysisKey) -> Progress | None:
        """Return the progress in this process, or in another one; rather one that is running."""
        elsewhere = (_progress_elsewhere(text) for text in self._processes.others(_subject(key)))
        known = [progress for progress in (self._progress.get(key), *elsewhere) if progress is not None]
        return min(known, key=lambda progress: progress.has_failed, default=None)

    def _tell(self, key: AnalysisKey) -> None:
        """Tell other processes of the progress in this one."""
        progress = self._progress.get(key)
        text = "" if progress is None else FAILED if progress.has_failed else f"{progress.done} {progress.total}"
        self._processes.say(_subject(key), text)

    async def is_available(self, table: Table) -> bool:
        """Return True if this server can analyse the game, that is, its search is compiled."""
        return await asyncio.to_thread(native_library.find, table.game) is not None

    async def start(self, table: Table, address: str, person: str | None = None) -> None:
        """Start the analysis of a finished game for an address and a person, unless it is stored or running.

        Raise `TableRefusal` `not-over`, `no-analysis-yet` or `too-many-analyses`.
        """
        if await self.stored(table) is not None:
            return
        if not await self.is_available(table):
            raise refusals.no_analysis_yet()
        self._start_whole(table, Progress(address, person), person)

    async def resume(self, table: Table, person: str | None) -> Progress | None:
        """Start the analysis of a finished game again if a restart has interrupted it; return its progress, or None.

        It counts as one that no one asked for, and `person`, who looks at it, waits for it.
        """
        if self.progress(table) is None and await self.is_available(table):
            data = await analyses.find(self._store, table.id)
            if data is not None and ANALYSIS.decode(data).scheme == BEGUN_SCHEME:
                with suppress(TableRefusal):  # with too much to do, the next visit starts it
                    self._start_whole(table, Progress(AUTOMATIC, None, is_resumed=True), person)
        return self.progress(table)

    def _start_whole(self, table: Table, progress: Progress, person: str | None) -> None:
        is_new = self._register(key := (table.id, None), progress)
        self.requested.add(key, table, person)
        if is_new:
            self._running.start(key, self._watch, key, table, partial(self._analyse, table))

    def game_changed(self, table: Table) -> None:
        """Start the analysis of a game that has just ended, if a person played it and the hour has had few."""
        if table.status == "running":
            self._unfinished.add(table.id)
            return
        is_new = table.id in self._unfinished
        self._unfinished.discard(table.id)
        if is_new and table.status == "finished" and table.people and not table.is_withheld and self._take_automatic():
            self._starting.start(table.id, self._start_automatic, table)

    def _take_automatic(self) -> bool:
        """Count one more analysis that no one asked for; return False if the hour has had all."""
        now = asyncio.get_running_loop().time()
        while self._automatic_starts and self._automatic_starts[0] <= now - SECONDS_OF_HOUR:
            self._automatic_starts.popleft()
        if len(self._automatic_starts) >= self._automatic_limit:
            return False
        self._automatic_starts.append(now)
        return True

    async def _start_automatic(self, table: Table) -> None:
        with suppress(TableRefusal):  # games that were asked for come first, and a search that is not compiled has none
            await self.start(table, AUTOMATIC)

    async def start_partial(self, table_id: str, person: str, address: str) -> None:
        """Start the analysis of the game so far for a player, from what they knew, unless it is up to date or running.

        Other players are notified. Raise `TableRefusal` as `tables.request_analysis` and `start`.
        """
        table = await self._tables.get(table_id)
        earlier = await self.partial(table, person)
        if earlier is not None and earlier.moves == len(table.moves):
            return
        if not await self.is_available(table):
            raise refusals.no_analysis_yet()
        seat = preconditions.require_own_seat(table, person)
        if not self._register(key := (table_id, seat), Progress(address, person)):
            return
        try:
            table = await self._tables.run(table_id, tables.request_analysis, person)
        except BaseException:
            del self._progress[key]
            self._tell(key)
            raise
        self.requested.add(key, table, person)
        self._running.start(key, self._watch, key, table, partial(self._analyse_so_far, table, seat))

    def _register(self, key: AnalysisKey, progress: Progress) -> bool:
        """Record a request; return False if this analysis is running already, in whatever process.

        Raise `TableRefusal` `too-many-analyses`.
        """
        earlier = self._progress_of(key)
        if earlier is not None and not earlier.has_failed:
            return False
        running, person = [other for other in self._progress.values() if not other.has_failed], progress.person
        if (
            len(running) >= MAX_QUEUED_ANALYSES
            or sum(other.address == progress.address for other in running) >= MAX_QUEUED_PER_REQUESTER
            or sum(other.person == person is not None for other in running) >= MAX_QUEUED_PER_REQUESTER
        ):
            raise refusals.too_many_analyses()
        self._progress[key] = progress
        self._tell(key)
        return True

    async def close(self) -> None:
        """End the processes immediately. Analyses of finished games that are not complete can be resumed later."""
        await asyncio.gather(self._starting.end(), self._running.end(), self._workers.stop())

    async def _watch(self, key: AnalysisKey, table: Table, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            self._progress[key].has_failed = True
            self.requested.fail(key)
            if not isinstance(error, WorkFailed | WriteFailed):
                _logger.exception("a game could not be analysed", table=key[0])
        else:
            del self._progress[key]
        self._tell(key)
        if key not in self._progress:
            await self.requested.finish(key, table)

    async def _analyse(self, table: Table) -> None:
        if not await analyses.begin(self._store, table.id, BEGUN, _is_whole):  # another one has just finished
            return
        try:
            asked_questions = await asyncio.to_thread(lambda: [*questions(table.position_at(0), table.moves)])
            job = AnalysisJob(asked_questions, self._seconds)
            await self._answer(job, (table.id, None), {})
            analysis = job.finish(table.position_at(len(table.moves)), table.moves)
            await analyses.keep(self._store, table.id, msgspec.json.encode(analysis))
        except Exception:
            with suppress(WriteFailed):  # the next process tries it once more
                await analyses.forget_begun(self._store, table.id, BEGUN)
            raise

    async def _analyse_so_far(self, table: Table, seat: int) -> None:
        key, moves = (table.id, seat), len(table.moves)
        asked_questions = await asyncio.to_thread(lambda: [*questions_of(seat, table.position_at(0), table.moves)])
        job = AnalysisJob(asked_questions, self._seconds)
        self._answers[key] = await self._answer(job, key, self._answers.get(key, {}))
        self._answers.move_to_end(key)
        if len(self._answers) > MAX_PARTIAL_ANALYSES:
            self._answers.popitem(last=False)
        so_far = AnalysisSoFar(job.so_far(seat, moves), _version(table, moves))
        await analyses.keep_so_far(self._store, table.id, seat, msgspec.json.encode(so_far))

    async def _answer(self, job: AnalysisJob, key: AnalysisKey, known: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """Answer all questions that are not in `known`; return the answers by the digest of the question.

        A turn that cannot be judged again, as on a server with too much to do, keeps its first judgement.
        """
        answers, progress = {}, self._progress[key]
        progress.total = job.total
        self._tell(key)

        async def answer(question: Question, budget: JudgeBudget) -> bytes:
            digest = blake2b(msgspec.msgpack.encode((budget.simulations, question)), digest_size=16).digest()
            if (earlier := known.get(digest)) is not None:
                answers[digest] = earlier
            else:
                async with self._queue.slot(progress.address, first=True):
                    answers[digest] = await self._workers.run(question, budget)
            return answers[digest]

        for ask_part, is_needed in ((job.first_pass, True), (job.second_pass, False)):
            batch = ask_part()
            for start in range(0, len(batch), PROCESSES):
                answering = [answer(*question) for question in batch[start : start + PROCESSES]]
                for result in await asyncio.gather(*answering, return_exceptions=not is_needed):
                    if isinstance(result, bytes):
                        job.add_answer(result)
                    elif not isinstance(result, WorkFailed):
                        raise result
                    progress.done += 1
                self._tell(key)
        return answers


def _subject(key: AnalysisKey) -> str:
    """Return what processes call an analysis when they tell each other of it."""
    table_id, seat = key
    return table_id if seat is None else f"{table_id} {seat}"


def _progress_elsewhere(text: str) -> Progress:
    done, total = (0, 0) if text == FAILED else map(int, text.split())
    return Progress("", None, done, total, text == FAILED)
