"""The one thread that writes. Writes that arrive while the disk is busy share the next commit, each in its own
savepoint.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine

from spieltisch.store.errors import StoreClosed, StoreError, WriteFailed
from spieltisch.store.journal import Journal

T = TypeVar("T")
MOST_IN_A_COMMIT: Final = 256
SYNC_SECONDS: Final = 1.0
"""Between two syncs of the journal."""


class _Write:
    """A job and the promise of its result. `fulfil` is called once, after the commit."""

    def __init__(self, job: Callable[[Connection], Any], future: Future[Any], table: str | None) -> None:
        self.job = job
        self.future = future
        self.table = table
        self.result: Any = None
        self.problem: BaseException | None = None

    def resolve(self) -> None:
        if self.problem is not None:
            self.future.set_exception(self.problem)
        else:
            self.future.set_result(self.result)


class Writer:
    """Runs jobs on one connection of `engine`, one after the other; each is over when its commit is on disk, and noted
    in the `journal`.
    """

    def __init__(self, engine: Engine, journal: Journal) -> None:
        self._engine = engine
        self._journal = journal
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        # A daemon: a program that dies of an error ends, though it has not closed its store. What was not
        # acknowledged may be lost.
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self.commits = 0
        self._synced = time.monotonic()
        self._thread.start()

    def submit(self, job: Callable[[Connection], T], table: str | None = None) -> Future[T]:
        """Run `job` in a savepoint. The future has its result once the commit is on disk. Of a job on a `table` that is
        the table's new version (0: it is removed).

        The future raises what the job raised (a `StoreError`), or `WriteFailed` when the database could not write; in
        either case nothing of the job is in the database. Raises `StoreClosed` after `close`.
        """
        future: Future[T] = Future()
        with self._closing:
            if self._closed:
                raise StoreClosed("the store is closed")
            self._queue.put(_Write(job, future, table))
        return future

    def close(self) -> None:
        """Write what was asked for until now, then end the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        with self._engine.connect() as connection, closing(self._journal):
            while (first := self._next()) is not None:
                batch = [first]
                last = False
                while len(batch) < MOST_IN_A_COMMIT and not last:
                    try:
                        write = self._queue.get_nowait()
                    except queue.Empty:
                        break
                    if write is None:
                        last = True
                    else:
                        batch.append(write)
                self._commit(connection, [write for write in batch if write.future.set_running_or_notify_cancel()])
                if last:
                    return

    def _next(self) -> _Write | None:
        """What is to be written next. Meanwhile, once a second at most, the journal is synced."""
        if self._journal.unsynced:
            wait = self._synced + SYNC_SECONDS - time.monotonic()
            try:
                if wait > 0:
                    return self._queue.get(timeout=wait)
            except queue.Empty:
                pass
            self._journal.sync()
            self._synced = time.monotonic()
        return self._queue.get()

    def _commit(self, connection: Connection, batch: list[_Write]) -> None:
        try:
            with connection.begin():
                for write in batch:
                    self._run(connection, write)
            self.commits += 1
            self._journal.note((write.table, write.result) for write in batch if write.table and not write.problem)
        except Exception as problem:  # the whole commit failed: every write in it has to hear of it
            for write in batch:
                write.problem = _failed(problem)
        for write in batch:
            write.resolve()

    def _run(self, connection: Connection, write: _Write) -> None:
        try:
            with connection.begin_nested():
                write.result = write.job(connection)
        except Exception as problem:
            # SQLite ends the whole transaction for some errors (a full disk): then the others' work is gone too, and
            # the next savepoint or the commit fails for all. Otherwise only this write is undone.
            write.problem = problem if isinstance(problem, StoreError) else _failed(problem)
            if connection.connection.dbapi_connection is None or not _in_transaction(connection):
                raise


def _in_transaction(connection: Connection) -> bool:
    return bool(getattr(connection.connection.dbapi_connection, "in_transaction", False))


def _failed(problem: Exception) -> WriteFailed:
    first: BaseException = problem
    while (before := first.__cause__ or first.__context__) is not None:
        first = before  # a full disk comes first; that the savepoint is gone too only follows from it
    failed = WriteFailed(f"the database could not be written: {first}")
    failed.__cause__ = problem
    return failed
