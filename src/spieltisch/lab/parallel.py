"""Work on many cores, or on a cluster: pieces are handed out as they are needed, and what comes of them is given back
in their order, so that nothing depends on who was quicker. A process that is killed changes nothing: its pieces are
begun anew.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

P = TypeVar("P")
R = TypeVar("R")

MAX_TRIES: Final = 3
"""How often in a row pieces are begun anew whose process ended."""
QUEUED_PER_PROCESS: Final = 4
"""Pieces under way for each process: so many may be done before one that takes long."""
LOCAL: Final = "local"


class Parallel(NamedTuple):
    """Where is worked: in so many processes (0: one for each core; 1: this very process), or on the cluster whose
    scheduler has this address (`LOCAL`: one of `jobs` processes on this machine, which ends with the work).
    """

    jobs: int = 1
    dask: str = ""

    @property
    def process_count(self) -> int:
        """How many processes that are."""
        if self.jobs:
            return self.jobs
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


IN_PROCESS: Final = Parallel()
"""In this process."""


def map_in_order(cores: Parallel, work: Callable[[P], R], pieces: Iterable[P]) -> Iterator[tuple[P, R]]:
    """Each piece with what `work`, a function of a module, returned for it, in the order of the pieces. Raises what
    `work` raises, RuntimeError when processes end again and again and where no cluster can be had, OSError where it
    does not answer.

    >>> [*map_in_order(Parallel(), abs, [-1, 2])]
    [(-1, 1), (2, 2)]
    """
    waiting = iter(pieces)
    if cores.process_count == 1 and not cores.dask:
        yield from ((piece, work(piece)) for piece in waiting)
        return
    under_way: deque[P] = deque()
    tries = 0
    while True:
        try:
            with _cluster(cores) if cores.dask else _processes(cores.process_count) as (pool, many):
                submit = _submitting(pool, work)
                results = deque(submit(piece) for piece in under_way)
                while _fill(under_way, results, submit, waiting, QUEUED_PER_PROCESS * many):
                    result = results.popleft().result()
                    tries = 0
                    yield under_way.popleft(), result
                return
        except BrokenProcessPool:
            tries += 1
            if tries == MAX_TRIES:
                raise RuntimeError("processes end before their games do") from None


def _submitting(pool: Executor, work: Callable[[P], R]) -> Callable[[P], Future[R]]:
    return lambda piece: pool.submit(work, piece)


def _fill(
    under_way: deque[P], results: deque[Future[R]], submit: Callable[[P], Future[R]], waiting: Iterator[P], most: int
) -> bool:
    """Hand out what there is room for; returns whether anything is under way."""
    while len(results) < most:
        try:
            under_way.append(next(waiting))
        except StopIteration:
            break
        results.append(submit(under_way[-1]))
    return bool(results)


@contextmanager
def _processes(many: int) -> Iterator[tuple[Executor, int]]:
    pool = ProcessPoolExecutor(many, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool, many
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _cluster(cores: Parallel) -> Iterator[tuple[Executor, int]]:
    try:
        import distributed
    except ImportError as error:
        raise RuntimeError(f"--dask needs more: pip install 'spieltisch[cluster]' ({error})") from error
    dask: Any = distributed  # in part untyped
    try:
        if cores.dask == LOCAL:
            many = cores.process_count
            local = dask.LocalCluster(n_workers=many, threads_per_worker=1, processes=True, dashboard_address=None)
            with local, dask.Client(local) as client:
                yield client.get_executor(pure=False), many
        else:
            with dask.Client(cores.dask) as client:
                yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))
    except dask.KilledWorker:
        raise RuntimeError("processes of the cluster end before their games do") from None
