"""Bring a database file to the shape this version works with, in one transaction: all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from spieltisch.store.errors import StoreDamaged, StoreTooNew
from spieltisch.store.schema import HEAD

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """The last migration that was run on this file; None for an empty one. Raises `StoreDamaged` for somebody else's
    database.
    """
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        if names:
            holds = ", ".join(sorted(names)[:5])
            raise StoreDamaged(f"this is a database, but not one of Spieltisch: it holds {holds}")
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def known_revisions() -> frozenset[str]:
    """The migrations that this version knows. Their files bear their names, so that nothing has to be imported."""
    return frozenset(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the connection's open transaction.

    Raises `StoreTooNew` when the file has seen a migration that this version does not know, `StoreDamaged` as
    `revision`.
    """
    found = revision(connection)
    if found == HEAD:
        return
    if found is not None and found not in known_revisions():
        raise StoreTooNew(f"the database was written by a newer Spieltisch (its shape is {found!r}); upgrade this one")
    # Imported here because most starts end above, and Alembic takes a noticeable part of a start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
