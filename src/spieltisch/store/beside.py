"""A write of a command into a database that a server may be using at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DatabaseError

from spieltisch.store.errors import StoreUnsupported, WriteFailed, reason
from spieltisch.store.migrate import revision
from spieltisch.store.postgres_database import name_of, parse_url
from spieltisch.store.schema import HEAD
from spieltisch.store.sqlite_database import create_sqlite_engine


@contextmanager
def write_beside(place: Path | str) -> Iterator[Connection]:
    """Yield a connection to an existing file, or to the database of a URL, in a transaction that ends with the context.

    It must change nothing of which the server has a copy in memory, such as tables and people. Raise `StoreDamaged`,
    `StoreUnsupported` if the database is not of this version, or `WriteFailed`.
    """
    if isinstance(place, Path):
        engine, name = create_sqlite_engine(place, query_only=False), str(place)
    else:
        url = parse_url(place)
        engine, name = create_engine(url, hide_parameters=True), name_of(url)
    try:
        with engine.begin() as connection:
            if revision(connection) != HEAD:
                raise StoreUnsupported(f"{name} is not of this version: start its server once")
            yield connection
    except DatabaseError as error:
        raise WriteFailed(f"{name} could not be written: {reason(error)}") from error
    finally:
        engine.dispose()
