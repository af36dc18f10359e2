"""Copies of a database row by row, from SQLite or PostgreSQL to either of them."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Select, Table, delete, func, select, tuple_
from sqlalchemy.exc import DatabaseError

from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.errors import StoreDamaged, StoreExists, StoreUnsupported, WriteFailed, reason
from spieltisch.store.hooks import Hooks, StoredFeature
from spieltisch.store.migrate import migrate, revision
from spieltisch.store.schema import COPYING_KEY, HEAD, LEASES, OWNER_KEY, SETTINGS
from spieltisch.store.store import database_at

BATCH_ROWS: Final = 1000
"""The number of rows that are copied in one transaction."""


def copy_rows(
    source_place: Path | str, target_place: Path | str, features: Iterable[StoredFeature], *, is_stopped: bool
) -> Generator[tuple[int, int], None, None]:
    """Copy all rows into an empty database, or go on with such a copy; then compare the rows of both one by one.

    Yield after each step how many rows it has copied or compared, and how many there are to do in all. Until the end no
    server can open the target. The source shows its state of one moment; `is_stopped`: refuse it while a server uses
    it. Raise `StoreInUse`, `StoreExists` if the target is not empty, `StoreDamaged`, `StoreUnsupported` or
    `WriteFailed`.
    """
    hooks = Hooks(features)
    tables = [table for table in hooks.tables[::-1] if table is not LEASES]  # they are those of the source's processes
    try:
        with ExitStack() as stack:
            source = stack.enter_context(closing(database_at(source_place)))
            target = stack.enter_context(closing(database_at(target_place)))
            if is_stopped:
                stack.enter_context(source.writing.connect())  # which takes the lock
            reading = stack.enter_context(source.readers.connect().execution_options(yield_per=BATCH_ROWS))
            if revision(reading) != HEAD:
                raise StoreUnsupported(f"{source.name} has no tables of this version: start its server once")
            hooks.require_all(reading)
            writing = stack.enter_context(target.writing.connect())
            _begin(writing, target.name)
            total = 2 * sum(reading.execute(select(func.count()).select_from(table)).scalar_one() for table in tables)
            yield 0, total
            for table in tables:
                for count in _copy_table(reading, writing, table):
                    yield count, total
            written = stack.enter_context(target.readers.connect().execution_options(yield_per=BATCH_ROWS))
            for table in tables:
                number = 0
                with reading.execute(_all_rows(table)) as rows, written.execute(_all_rows(table)) as copies:
                    for number, (row, copied) in enumerate(zip_longest(rows, copies), 1):
                        if row != copied:
                            raise StoreDamaged(
                                f"{target.name} and {source.name} differ in {table.name}: one of them has changed "
                                "since the copy began. Empty the target, and begin again"
                            )
                        if number % BATCH_ROWS == 0:
                            yield BATCH_ROWS, total
                yield number % BATCH_ROWS, total
            with writing.begin():
                writing.execute(delete(SETTINGS).where(SETTINGS.c.name == COPYING_KEY))
    except DatabaseError as error:
        raise WriteFailed(f"the database could not be copied: {reason(error)}") from error


def copy_all(source: Path | str, target: Path | str, features: Iterable[StoredFeature], *, is_stopped: bool) -> None:
    """Copy all rows as `copy_rows` does."""
    for _ in copy_rows(source, target, features, is_stopped=is_stopped):
        pass


def _begin(connection: Connection, name: str) -> None:
    with connection.begin():
        if revision(connection) is None:
            migrate(connection)
            insert_or_replace(connection, SETTINGS, {"name": COPYING_KEY, "value": b""})
        elif connection.execute(select(SETTINGS.c.name).where(SETTINGS.c.name == COPYING_KEY)).first() is None:
            raise StoreExists(f"{name} is not empty, and is not overwritten")


def _copy_table(reading: Connection, writing: Connection, table: Table) -> Iterator[int]:
    """Copy the rows after the last one that the target has."""
    key = list(table.primary_key.columns)
    query = _all_rows(table)
    with writing.begin():
        if not key or table is SETTINGS:  # they are few, and begun anew
            others = [SETTINGS.c.name != COPYING_KEY] if table is SETTINGS else []
            writing.execute(delete(table).where(*others))
        elif last := writing.execute(select(*key).order_by(*(column.desc() for column in key)).limit(1)).first():
            query = query.where(tuple_(*key) > tuple_(*last))
    with reading.execute(query) as result:
        for rows in result.partitions():
            with writing.begin():
                writing.execute(table.insert(), [row._asdict() for row in rows])
            yield len(rows)


def _all_rows(table: Table) -> Select[*tuple[Any, ...]]:
    query = select(*table.columns).order_by(*(table.primary_key.columns or table.columns))
    return query.where(SETTINGS.c.name.not_in([COPYING_KEY, OWNER_KEY])) if table is SETTINGS else query
