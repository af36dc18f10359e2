"""The only thread that writes.

Writes that arrive while the disk is busy share the next commit, each in its own savepoint.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, nullcontext
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine

from spieltisch.store.errors import StoreClosed, StoreError, WriteFailed, is_deadlock, reason
from spieltisch.store.journal import Journal
from spieltisch.store.notices import Subject
from spieltisch.tables.refusals import TableRefusal

T = TypeVar("T")
MAX_WRITES_PER_COMMIT: Final = 256
"""The maximum number of writes in one commit."""
DEADLOCK_TRIES: Final = 4
"""The number of attempts for a write that is in a deadlock with another process."""
SYNC_SECONDS: Final = 1.0
"""The time between two syncs of the journal."""


def order_of(table_id: str) -> str:
    """Return the `order` of a write that locks the row of a table."""
    return f"0{table_id}"


class RemovedTables(tuple[str, ...]):
    """The result of a job without a table that has removed these tables."""


class _Write:
    """A job and the future of its result. `resolve` is called once, after the commit."""

    def __init__(
        self,
        job: Callable[[Connection], Any],
        future: Future[Any],
        table: str | None,
        notices: Sequence[Subject],
        order: str,
    ) -> None:
        self.job = job
        self.future = future
        self.table = table
        self.order = order or order_of(table or "")
        self._notices = notices
        self.result: Any = None
        self.error: BaseException | None = None

    @property
    def versions(self) -> list[tuple[str, int]]:
        """The new versions of the tables that this write has changed; 0 if it has removed them."""
        if self.error is None and isinstance(self.result, RemovedTables):
            return [(table, 0) for table in self.result]
        return [(self.table, self.result)] if self.table and self.error is None else []

    @property
    def notices(self) -> list[Subject]:
        """The notices of this write to other processes."""
        changed = [("table", table, str(version)) for table, version in self.versions]
        return [] if self.error else [*changed, *self._notices]

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class Writer:
    """A thread that runs jobs on one connection of `engine`, one after the other.

    A job is done when its commit is on disk and recorded in the `journal`, if there is one. `require_ours` is called
    before each commit and raises `StoreLost` if the database is no longer that of this server. In a database that is
    shared, `announce` tells the other processes what has changed.
    """

    def __init__(
        self,
        engine: Engine,
        journal: Journal | None,
        require_ours: Callable[[], None],
        announce: Callable[[Connection, Sequence[Subject]], None] | None = None,
    ) -> None:
        self._engine = engine
        self._announce = announce
        self._require_ours = require_ours
        self._journal = journal
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        # A daemon, so that a program that fails without closing its store can end. Writes that were not
        # acknowledged may be lost.
        self._thread = threading.Thread(target=self._run_writes, name="store-writer", daemon=True)
        self.commits = 0
        self.is_failing = False
        """True if the last write could not be stored."""
        self._synced = time.monotonic()
        self._thread.start()

    def submit(
        self,
        job: Callable[[Connection], T],
        table: str | None = None,
        notices: Sequence[Subject] = (),
        order: str = "",
    ) -> Future[T]:
        """Run `job` in a savepoint and return a future of its result, which is set when the commit is on disk.

        The result of a job on a `table` is the table's new version (0: it is removed), which the other processes are
        told, as they are of `RemovedTables` and the `notices`. In a shared database those with the first `order` of a
        commit come first, then those without a table, then those with one. The future raises the job's error (a
        `StoreError`), or `WriteFailed` if the database could not write; in both cases nothing of the job is in the
        database. Raise `StoreClosed` after `close`.
        """
        future: Future[T] = Future()
        with self._closing:
            if self._closed:
                raise StoreClosed("the store is closed")
            self._queue.put(_Write(job, future, table, notices, order))
        return future

    def close(self) -> None:
        """Finish the writes submitted so far, then end the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run_writes(self) -> None:
        with self._engine.connect() as connection, closing(self._journal) if self._journal else nullcontext():
            while (first := self._next_write()) is not None:
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

    def _next_write(self) -> _Write | None:
        """Return the next write; while waiting, sync the journal at most once a second."""
        if self._journal is not None and self._journal.unsynced:
            wait = self._synced + SYNC_SECONDS - time.monotonic()
            try:
                if wait > 0:
                    return self._queue.get(timeout=wait)
            except queue.Empty:
                pass
            self._journal.sync()
            self._synced = time.monotonic()
        return self._queue.get()

    def _commit(self, connection: Connection, batch: list[_Write], tries: int = DEADLOCK_TRIES) -> None:
        if self._announce is not None:
            batch.sort(key=lambda write: write.order)  # or two processes could wait for each other's rows
        try:
            with connection.begin():
                for write in batch:
                    self._run(connection, write)
                if self._announce is not None and (notices := [each for write in batch for each in write.notices]):
                    self._announce(connection, notices)
                self._require_ours()  # last, so that nothing is acknowledged that is in no file
                self._note(batch, are_removed=True)  # or a kill after the commit would be reported as a loss
            self.commits += 1
            self._note(batch, are_removed=False)
        except Exception as error:  # the whole commit failed, and so did every write in it
            if is_deadlock(error) and tries > 1:  # other processes go on now; each write alone locks less
                for write in batch:
                    write.error = None
                    self._commit(connection, [write], tries - 1)
                return
            for write in batch:
                write.error = error if isinstance(error, StoreError | TableRefusal) else _write_failure(error)
        self.is_failing = any(isinstance(write.error, WriteFailed) for write in batch)
        for write in batch:
            write.resolve()

    def _note(self, batch: Sequence[_Write], *, are_removed: bool) -> None:
        """Record the new versions of tables, or only the tables that are removed."""
        if self._journal is not None:
            written = (each for write in batch for each in write.versions)
            self._journal.note((table, version) for table, version in written if (version == 0) is are_removed)

    def _run(self, connection: Connection, write: _Write) -> None:
        try:
            with connection.begin_nested():
                write.result = write.job(connection)
        except Exception as error:
            # SQLite ends the whole transaction for some errors (a full disk), and PostgreSQL if the connection is lost:
            # then the other writes are lost too, and the next savepoint or the commit fails for all. Otherwise only
            # this write is undone. A deadlock leaves the locks of the others, so all begin again.
            write.error = error if isinstance(error, StoreError | TableRefusal) else _write_failure(error)
            if connection.invalidated or not _in_transaction(connection) or is_deadlock(error):
                raise


def _in_transaction(connection: Connection) -> bool:
    return bool(getattr(connection.connection.dbapi_connection, "in_transaction", True))


def _write_failure(error: Exception) -> WriteFailed:
    root: BaseException = error
    while (cause := root.__cause__ or root.__context__) is not None:
        root = cause  # the root cause (a full disk), not the lost savepoint that follows from it
    failed = WriteFailed(f"the database could not be written: {reason(root)}")
    failed.__cause__ = error
    return failed
