"""A database on a PostgreSQL server, with psycopg (the extra `spieltisch[postgres]`)."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import URL, Connection, create_engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from spieltisch.commit import version_text
from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.errors import StoreInUse, StoreLost, StoreUnsupported, WriteFailed, reason
from spieltisch.store.schema import OWNER_KEY, SETTINGS

LOCK: Final = 0x5B1E17
"""The first number of the advisory lock; the second one is that of the schema."""
LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's code of a lock for which a connection has waited too long."""
LOCK_SECONDS: Final = 10
"""The time to wait until another process that shares the database has opened it."""
CONNECT_SECONDS: Final = 10
"""The time to wait for an answer of the server, unless the URL names another one."""
IDLE_SECONDS: Final = 10
"""The time after which PostgreSQL ends a transaction that does nothing: its process may be suspended."""
READERS: Final = 4
"""The number of connections that read."""


def is_postgres(database: object) -> bool:
    """Return True if a text is the URL of a PostgreSQL database."""
    return isinstance(database, str) and database.startswith(("postgresql:", "postgres:"))


def parse_url(text: str) -> URL:
    """Return the URL of a database.

    Raise `StoreUnsupported` if it is none. The text is in no error, because a password may be in it.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreUnsupported(
            "this is no URL of a database, such as postgresql://user@host/database; "
            "signs like @ / : in a password have to be written as %40 %2F %3A"
        ) from None
    if not is_postgres(text):
        raise StoreUnsupported("the URL of a database begins with postgresql://")
    return url.set(drivername="postgresql+psycopg")


def name_of(url: URL) -> str:
    """Return the URL with *** in place of its password, and without parameters, which may have one, too."""
    return url.set(drivername="postgresql", query={}).render_as_string()


class PostgresDatabase:
    """A database, or the schema of one that is first in the `search_path`.

    The connection that writes holds an advisory lock, so that there is one server at a time. If it is lost, the next
    one takes the lock again, as soon as PostgreSQL has noticed the loss, too; until then `WriteFailed` is raised.
    `StoreLost` is raised if another server has had the lock in between.

    If it `is_shared`, all processes that say so share the lock, and the database; they must be of the same version. The
    first one has it for itself until it has opened the database.
    """

    def __init__(self, text: str, *, is_shared: bool = False) -> None:
        url = parse_url(text)
        self.name = name_of(url)
        self.is_shared = is_shared
        self.is_alone = True
        """False if other processes shared the database when this one opened it."""
        self._owner = f"shared by {version_text()}".encode() if is_shared else secrets.token_bytes(8)
        self._is_open = self._is_lost = False
        defaults = {"connect_timeout": CONNECT_SECONDS, "application_name": "spieltisch"}
        arguments = {name: value for name, value in defaults.items() if name not in url.query}
        try:
            self.readers = create_engine(
                url,
                connect_args=arguments,
                isolation_level="REPEATABLE READ",
                pool_size=READERS,
                max_overflow=0,
                hide_parameters=True,
            )
            self.writing = create_engine(url, connect_args=arguments, pool_size=1, max_overflow=0, hide_parameters=True)
        except ModuleNotFoundError as error:
            raise StoreUnsupported("PostgreSQL needs psycopg: install the extra spieltisch[postgres]") from error
        event.listen(self.readers, "connect", _read_only)
        event.listen(self.writing, "connect", self._lock)
        event.listen(self.writing, "close", _release_lock)

    def keep_copy(self) -> None:
        """Keep no copy: this server cannot make one."""

    def begin(self, connection: Connection) -> Mapping[str, int]:
        """Record that the database is this server's. No versions are recorded elsewhere: PostgreSQL loses none."""
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise StoreUnsupported(f"{self.name} has the encoding {encoding}, but needs UTF8")
        if self.is_alone:
            insert_or_replace(connection, SETTINGS, {"name": OWNER_KEY, "value": self._owner})
        elif not self._has_owner(connection.connection.driver_connection):
            raise StoreInUse(f"another version of Spieltisch is using {self.name}: stop all its servers first")
        self._is_open = True
        return {}

    def start_journal(self, _versions: Mapping[str, int]) -> None:
        """Return None: there is no journal. Let the processes in that share the database."""
        if self.is_shared and self.is_alone:
            with self.writing.begin() as connection:
                connection.exec_driver_sql(f"SELECT pg_advisory_unlock({LOCK}, hashtext(current_schema()))")

    def is_ours(self) -> bool:
        """Return False if another server has had the lock."""
        return not self._is_lost

    def require_ours(self) -> None:
        """Do nothing: a connection without the lock writes nothing."""

    def vacuum(self) -> None:
        """Rewrite all SQL tables of the schema without deleted rows. Raise `WriteFailed`."""
        try:
            with self.readers.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                quote = connection.dialect.identifier_preparer.quote
                names = ", ".join(quote(name) for name in inspect(connection).get_table_names())
                connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {names}")
        except DatabaseError as error:
            raise WriteFailed(f"{self.name} could not be rewritten: {reason(error)}") from error

    def holder(self, connection: Connection) -> str:
        """Return the process at PostgreSQL of the server that uses the database; "" for none."""
        process = connection.exec_driver_sql(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = %s AND objid::bigint = "
            "hashtext(current_schema())::bigint & 4294967295 "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            (LOCK,),
        ).scalar()
        return "" if process is None else f"process {process} of PostgreSQL"

    def close(self) -> None:
        """Close all connections, and so release the lock."""
        self.readers.dispose()
        self.writing.dispose()

    def _lock(self, connection: Any, _record: object) -> None:
        """Take the lock on a new connection that is going to write."""
        is_locked = self._share_lock(connection) if self.is_shared else _take_lock(connection)
        if self._is_open:
            self._is_lost = not self._has_owner(connection)
        connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
        connection.commit()
        if is_locked and not self._is_lost:
            return
        connection.close()
        if self._is_lost:
            raise StoreLost(f"another server has used {self.name} since: stop this one")
        if self._is_open:
            raise WriteFailed(f"PostgreSQL has not noticed yet that an earlier connection to {self.name} is lost")
        raise StoreInUse(
            f"another Spieltisch server is using {self.name}. Stop it first, give this one another database, "
            "or start all servers on it with --workers."
        )

    def _share_lock(self, connection: Any) -> bool:
        """Take the lock together with others, at first after those who open the database; return False if it is taken.

        The first one takes it for itself, too.
        """
        self.is_alone = not self._is_open and _take_lock(connection)
        connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        try:
            connection.execute(f"SELECT pg_advisory_lock_shared({LOCK}, hashtext(current_schema()))")
        except connection.OperationalError as error:  # psycopg's errors are attributes of its connections
            if error.sqlstate != LOCK_NOT_AVAILABLE:
                raise
            connection.rollback()
            return False
        return True

    def _has_owner(self, connection: Any) -> bool:
        """Return True if no one has used the database since this process, or others like it, have begun to."""
        row = connection.execute("SELECT value FROM settings WHERE name = %s", (OWNER_KEY,)).fetchone()
        return row is not None and row[0] == self._owner


def _take_lock(connection: Any) -> bool:
    """Take the lock alone; return False if another process has it."""
    return bool(connection.execute(f"SELECT pg_try_advisory_lock({LOCK}, hashtext(current_schema()))").fetchone()[0])


def _release_lock(connection: Any, _record: object) -> None:
    """Release the lock before a connection is closed: PostgreSQL may take a moment to notice that it is."""
    with suppress(connection.Error):  # a lost connection has no lock
        connection.execute("SELECT pg_advisory_unlock_all()")


def _read_only(connection: Any, _record: object) -> None:
    connection.read_only = True
