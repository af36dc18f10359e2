"""The only thread that writes.

Writes that arrive while the disk is busy share the next commit, each in its own savepoint.
"""

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
MAX_WRITES_PER_COMMIT: Final = 256
"""The maximum number of writes in one commit."""
SYNC_SECONDS: Final = 1.0
"""The time between two syncs of the journal."""


class _Write:
    """A job and the future of its result. `resolve` is called once, after the commit."""

    def __init__(self, job: Callable[[Connection], Any], future: Future[Any], table: str | None) -> None:
        self.job = job
        self.future = future
        self.table = table
        self.result: Any = None
        self.error: BaseException | None = None

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class Writer:
    """A thread that runs jobs on one connection of `engine`, one after the other.

    A job is done when its commit is on disk and recorded in the `journal`. `require_files` is called before each commit
    and raises `StoreLost` if the database is no longer where it was.
    """

    def __init__(self, engine: Engine, journal: Journal, require_files: Callable[[], None]) -> None:
        self._engine = engine
        self._require_files = require_files
        self._journal = journal
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        # A daemon, so that a program that fails without closing its store can end. Writes that were not
        # acknowledged may be lost.
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self.commits = 0
        self.is_failing = False
        """True if the last write could not be stored."""
        self._synced = time.monotonic()
        self._thread.start()

    def submit(self, job: Callable[[Connection], T], table: str | None = None) -> Future[T]:
        """Run `job` in a savepoint and return a future of its result, which is set when the commit is on disk.

        The result of a job on a `table` is the table's new version (0: it is removed). The future raises the job's
        error (a `StoreError`), or `WriteFailed` if the database could not write; in both cases nothing of the job is in
        the database. Raise `StoreClosed` after `close`.
        """
        future: Future[T] = Future()
        with self._closing:
            if self._closed:
                raise StoreClosed("the store is closed")
            self._queue.put(_Write(job, future, table))
        return future

    def close(self) -> None:
        """Finish the writes submitted so far, then end the thread."""
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
                while len(batch) < MAX_WRITES_PER_COMMIT and not last:
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
        """Return the next write; while waiting, sync the journal at most once a second."""
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
                self._require_files()  # last, so that nothing is acknowledged that is in no file
            self.commits += 1
            self._journal.note((write.table, write.result) for write in batch if write.table and not write.error)
        except Exception as error:  # the whole commit failed, and so did every write in it
            for write in batch:
                write.error = error if isinstance(error, StoreError) else _failed(error)
        self.is_failing = any(isinstance(write.error, WriteFailed) for write in batch)
        for write in batch:
            write.resolve()

    def _run(self, connection: Connection, write: _Write) -> None:
        try:
            with connection.begin_nested():
                write.result = write.job(connection)
        except Exception as error:
            # SQLite ends the whole transaction for some errors (a full disk): then the other writes are lost too, and
            # the next savepoint or the commit fails for all. Otherwise only this write is undone.
            write.error = error if isinstance(error, StoreError) else _failed(error)
            if connection.connection.dbapi_connection is None or not _in_transaction(connection):
                raise


def _in_transaction(connection: Connection) -> bool:
    return bool(getattr(connection.connection.dbapi_connection, "in_transaction", False))


def _failed(error: Exception) -> WriteFailed:
    root: BaseException = error
    while (cause := root.__cause__ or root.__context__) is not None:
        root = cause  # the root cause (a full disk), not the lost savepoint that follows from it
    failed = WriteFailed(f"the database could not be written: {root}")
    failed.__cause__ = error
    return failed
