"""Errors of the database file; their texts are written for the person who runs the server.

```
StoreError
├── StoreInUse          another server uses this file
├── StoreUnsupported    written by a newer Spieltisch, or before 0.1.0
├── StoreDamaged        not a database, or a corrupt one
├── StoreExists         the target of a copy exists already
├── StoreClosed         the server is stopping
├── WriteFailed         could not be written (disk full, ...): nothing was changed
│   └── StoreLost       the file, or the lock on it, is no longer where it was
├── NoSuchTable         no table with this id
├── SignedOut           the session, or what a new one rests on, has ended
└── StaleVersion        another command was faster
```
"""


class StoreError(Exception):
    """Base class of all errors of the database file."""


class StoreInUse(StoreError):
    """Another server has the file open."""


class StoreUnsupported(StoreError):
    """The file was written by a newer version of Spieltisch, or by one before 0.1.0."""


class StoreDamaged(StoreError):
    """The file is not a database, or its contents cannot be read."""


class StoreExists(StoreError):
    """The target of a copy of a database exists already."""


class StoreClosed(StoreError):
    """The store is closed and no longer accepts writes."""


class WriteFailed(StoreError):
    """The database could not write; nothing of the write was stored."""


class StoreLost(WriteFailed):
    """The database file, its write-ahead log or its lock was deleted or replaced: a write would be in no file."""


class NoSuchTable(StoreError):
    """No table with this id is stored."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id

    def __str__(self) -> str:
        return f"there is no table {self.table_id!r}"


class SignedOut(StoreError):
    """The session that wants to write, or the credential that a new session rests on, has ended in the meantime."""


class StaleVersion(StoreError):
    """Events were to be appended after `expected` events, but the table has `version`."""

    def __init__(self, table_id: str, expected: int, version: int) -> None:
        super().__init__(table_id, expected, version)
        self.table_id = table_id
        self.expected = expected
        self.version = version

    def __str__(self) -> str:
        return f"table {self.table_id!r} is at version {self.version}, not {self.expected}"
