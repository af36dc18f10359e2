"""What can go wrong with the database file. Each error's text is fit for the person who runs the server.

```
StoreError
├── StoreInUse      another server works on this file
├── StoreTooNew     written by a newer Spieltisch
├── StoreDamaged    not a database, or a broken one
├── StoreExists     something is where a copy should go
├── StoreClosed     the server is stopping
├── StoreLost       the file, or the lock on it, is no longer where it was
├── WriteFailed     could not be written (disk full, ...): nothing was changed
├── NoSuchTable     no table with this id
└── StaleVersion    somebody else was faster
```
"""

from __future__ import annotations


class StoreError(Exception):
    """Any trouble with the database file."""


class StoreInUse(StoreError):
    """Another server has the file open."""


class StoreTooNew(StoreError):
    """The file was written by a newer version of Spieltisch."""


class StoreDamaged(StoreError):
    """The file is no database, or its contents cannot be read."""


class StoreExists(StoreError):
    """There is something where a copy of a database should go."""


class StoreClosed(StoreError):
    """The store was closed: nothing can be written any more."""


class StoreLost(StoreError):
    """The database file or its lock was deleted, or another one is in its place."""


class WriteFailed(StoreError):
    """The database could not write; nothing of the write is there."""


class NoSuchTable(StoreError):
    """No table with this id is stored."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id

    def __str__(self) -> str:
        return f"there is no table {self.table_id!r}"


class StaleVersion(StoreError):
    """Events were to be appended after `expected` events, but the table has `version`."""

    def __init__(self, table_id: str, expected: int, version: int) -> None:
        super().__init__(table_id, expected, version)
        self.table_id = table_id
        self.expected = expected
        self.version = version

    def __str__(self) -> str:
        return f"table {self.table_id!r} is at version {self.version}, not {self.expected}"
