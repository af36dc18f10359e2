"""Errors of the database; their texts are written for the person who runs the server.

```
StoreError
├── StoreInUse          another server uses this database
├── StoreUnsupported    written by a newer Spieltisch, or before 0.1.0
├── StoreDamaged        not a database, or a corrupt one
├── StoreExists         the target of a copy exists already
├── StoreClosed         the server is stopping
├── ReadFailed          could not be read (the database is away, ...); it may be possible again
├── WriteFailed         could not be written (disk full, ...): nothing was changed
│   └── StoreLost       the file or its lock is no longer where it was, or another server has had the lock
├── LeaseEnded          another process may have begun the work for which this one had a lease
├── NoSuchTable         no table with this id
├── SignedOut           the session, or what a new one rests on, has ended
├── StillNeeded         what was to be removed is in use, or gone
└── StaleVersion        another command was faster
```
"""

from sqlalchemy.exc import DBAPIError


def reason(error: BaseException) -> str:
    """Return the reason that a database gave, without the statement, values of rows and further lines."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return (str(cause).splitlines() or [type(cause).__name__])[0]


def is_deadlock(error: BaseException) -> bool:
    """Return True if PostgreSQL ended a statement because two connections waited for each other."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == "40P01"


class StoreError(Exception):
    """Base class of all errors of the database."""


class StoreInUse(StoreError):
    """Another server has the database open."""


class StoreUnsupported(StoreError):
    """The file was written by a newer version of Spieltisch, or by one before 0.1.0."""


class StoreDamaged(StoreError):
    """The file is not a database, or its contents cannot be read."""


class StoreExists(StoreError):
    """The target of a copy of a database exists already."""


class StoreClosed(StoreError):
    """The store is closed and no longer accepts writes."""


class ReadFailed(StoreError):
    """The database could not be read, for example because its server is away; later it may be possible again."""


class WriteFailed(StoreError):
    """The database could not write; nothing of the write was stored.

    Except if the connection to PostgreSQL was lost while it committed: then the write may have been stored.
    """


class StoreLost(WriteFailed):
    """A write would be lost, or could contradict another server's.

    The database file, its write-ahead log or its lock was deleted or replaced, or another server has used the
    PostgreSQL database.
    """


class LeaseEnded(StoreError):
    """The lease for a write has ended: nothing was written, because another process may be doing the work."""


class NoSuchTable(StoreError):
    """No table with this id is stored."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id

    def __str__(self) -> str:
        return f"there is no table {self.table_id!r}"


class SignedOut(StoreError):
    """The session that wants to write, or the credential that a new session rests on, has ended in the meantime."""


class StillNeeded(StoreError):
    """Something old that was to be removed has come into use in the meantime, or another process has removed it."""


class StaleVersion(StoreError):
    """Events were to be appended after `expected` events, but the table has `version`."""

    def __init__(self, table_id: str, expected: int, version: int) -> None:
        super().__init__(table_id, expected, version)
        self.table_id = table_id
        self.expected = expected
        self.version = version

    def __str__(self) -> str:
        return f"table {self.table_id!r} is at version {self.version}, not {self.expected}"
