"""Notices of changes, by which PostgreSQL tells all processes on a database, in the order of the commits.

A notice names what has changed, and whoever hears it reads the database. Some say more: the states of
`live.process_states`, which are not stored, and the few words of a ban or an announcement.
"""

import select
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import msgspec
import structlog
from sqlalchemy import Connection, Engine

from spieltisch.store.errors import reason

if TYPE_CHECKING:
    import psycopg

CHANNEL: Final = "'spieltisch ' || hashtext(current_schema())"
"""The channel of a schema, in SQL."""
NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
"""The time of PostgreSQL's clock in milliseconds, in SQL."""
LOOK_SECONDS: Final = 5.0
"""The time after which a silent connection is checked."""
RECONNECT_SECONDS: Final = 0.5
"""The time between two attempts to connect."""
CHANGED: Final = "person"
"""The kind of a notice of a person whose name, preferences or access have changed."""
ENDED: Final = "ended"
"""The kind of a notice of a person one of whose sessions has ended."""
BANNED: Final = "banned"
UNBANNED: Final = "unbanned"
"""The kinds of notices of a ban that begins or ends: of a person (or ""), or of an address by its hash (or "")."""
ANNOUNCED: Final = "announced"
"""The kind of a notice of the text that all pages show ("": none)."""
Subject: TypeAlias = tuple[str, ...]
"""The subject of a change: a kind, such as "table", and what identifies it, such as its id and version."""

_logger = structlog.get_logger("spieltisch.store")


class Notice(NamedTuple):
    """A change of a subject, with its version: the time in milliseconds by the clock that all processes share."""

    version: int
    subject: Subject


_DECODER: Final = msgspec.json.Decoder(Subject)


def announce(connection: Connection, subjects: Sequence[Subject]) -> None:
    """Send notices to all listeners when the transaction is committed."""
    connection.exec_driver_sql(
        f"SELECT pg_notify({CHANNEL}, {NOW} || ' ' || subject) FROM unnest(%s::text[]) AS subject",  # noqa: S608  # constants
        ([msgspec.json.encode(subject).decode() for subject in subjects],),
    )


class Listener:
    """A thread that hears notices on a connection of its own.

    `heard` is called with each notice. `began` is called with PostgreSQL's time in milliseconds when it begins to
    listen, at first or again: what was said before may have been missed. Both are called on the thread.
    """

    def __init__(self, engine: Engine, heard: Callable[[Notice], None], began: Callable[[int], None]) -> None:
        self._engine = engine
        self._heard = heard
        self._began = began
        self._waking, self._woken = socket.socketpair()
        self.is_listening = False
        """True while the connection is known to be there."""
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._is_closed.set()
        self._waking.send(b"\0")
        self._thread.join()
        self._waking.close()
        self._woken.close()

    def _run(self) -> None:
        while not self._is_closed.is_set():
            try:
                pooled = self._engine.raw_connection()
                connection = cast("psycopg.Connection", pooled.driver_connection)
                pooled.detach()  # it stays open for long
                with closing(connection):
                    self._listen(connection)
            except Exception as error:  # the database is away, or whatever else: without notices all goes on
                if self.is_listening:
                    _logger.warning("changes by other processes are not heard for a moment", problem=reason(error))
            self.is_listening = False
            self._is_closed.wait(RECONNECT_SECONDS)

    def _listen(self, connection: "psycopg.Connection") -> None:
        connection.rollback()  # of what prepared it
        connection.autocommit = True
        (channel,) = connection.execute(f"SELECT {CHANNEL}".encode()).fetchone() or ("",)
        connection.execute(f'LISTEN "{channel}"'.encode())
        (now,) = connection.execute(f"SELECT {NOW}".encode()).fetchone() or (0,)
        self.is_listening = True
        self._began(now)
        while True:
            sources: list[psycopg.Connection | socket.socket] = [connection, self._woken]
            readable, _, _ = select.select(sources, [], [], LOOK_SECONDS)
            if self._woken in readable:
                return
            if not readable:
                connection.execute("SELECT 1")
            for notify in connection.notifies(timeout=0):
                version, _, subject = notify.payload.partition(" ")
                self._heard(Notice(int(version), _DECODER.decode(subject)))
