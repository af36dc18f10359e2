"""Work on many cores or on a cluster: items are distributed on demand, and their results returned in order.

Nothing depends on which process is faster. If a process is killed, its items are started again.
"""

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
"""The number of times in a row that items are started again after their process ended."""
QUEUED_PER_PROCESS: Final = 4
"""The number of items in progress for each process; the others can finish while one of them takes long."""
LOCAL: Final = "local"
"""The name of a Dask cluster on this machine."""


class Parallel(NamedTuple):
    """The processes that do the work.

    `jobs` is their number (0: one for each core; 1: this process itself). `dask` is the address of a cluster's
    scheduler, or `LOCAL` for a cluster of `jobs` processes on this machine that ends with the work.
    """

    jobs: int = 1
    dask: str = ""

    @property
    def process_count(self) -> int:
        """The number of processes."""
        if self.jobs:
            return self.jobs
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


IN_PROCESS: Final = Parallel()
"""Work in this process."""


def map_in_order(cores: Parallel, work: Callable[[P], R], pieces: Iterable[P]) -> Iterator[tuple[P, R]]:
    """Yield each item with the result of `work`, in the order of the items.

    `work` is a function of a module. Raise whatever it raises, RuntimeError if processes keep ending or no cluster is
    available, OSError if the cluster does not respond.

    >>> [*map_in_order(Parallel(), abs, [-1, 2])]
    [(-1, 1), (2, 2)]
    """
    waiting = iter(pieces)
    if cores.process_count == 1 and not cores.dask:
        yield from ((piece, work(piece)) for piece in waiting)
        return
    in_progress: deque[P] = deque()
    tries = 0
    while True:
        try:
            with _cluster(cores) if cores.dask else _processes(cores.process_count) as (pool, count):
                results = deque(pool.submit(work, piece) for piece in in_progress)
                while _fill(pool, work, in_progress, results, waiting, QUEUED_PER_PROCESS * count):
                    result = results.popleft().result()
                    tries = 0
                    yield in_progress.popleft(), result
                return
        except BrokenProcessPool:
            tries += 1
            if tries == MAX_TRIES:
                raise RuntimeError("processes end before their games do") from None


def _fill(
    pool: Executor,
    work: Callable[[P], R],
    in_progress: deque[P],
    results: deque[Future[R]],
    waiting: Iterator[P],
    maximum: int,
) -> bool:
    """Submit items as long as there is room; return True if any are in progress."""
    while len(results) < maximum:
        try:
            in_progress.append(next(waiting))
        except StopIteration:
            break
        results.append(pool.submit(work, in_progress[-1]))
    return bool(results)


@contextmanager
def _processes(count: int) -> Iterator[tuple[Executor, int]]:
    pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool, count
    finally:
        for process in [*(pool._processes or {}).values()]:  # if one was killed, others may never get its lock
            process.kill()
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
            count = cores.process_count
            # Any free port, or a second cluster at the same time would warn that the usual one is in use.
            address = "127.0.0.1:0"
            local = dask.LocalCluster(n_workers=count, threads_per_worker=1, processes=True, dashboard_address=address)
            with local, dask.Client(local) as client:
                yield client.get_executor(pure=False), count
        else:
            with dask.Client(cores.dask) as client:
                yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))
    except dask.KilledWorker:
        raise RuntimeError("processes of the cluster end before their games do") from None
