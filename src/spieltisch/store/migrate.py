"""Migration of a database file to the current schema, in one transaction."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from spieltisch.store.errors import StoreDamaged, StoreUnsupported
from spieltisch.store.schema import HEAD

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """Return the last migration that was run on this file, or None for an empty file.

    Raise `StoreDamaged` if it is the database of another program.
    """
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        if names:
            content = ", ".join(sorted(names)[:5])
            raise StoreDamaged(f"this is a database, but not one of Spieltisch: it holds {content}")
        return None
    last_migration = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if last_migration is None else str(last_migration)


def known_revisions() -> frozenset[str]:
    """Return the migrations that this version knows.

    They are read from the file names, so that nothing has to be imported.
    """
    return frozenset(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("r[0-9]*.py"))


def require_known_revision(last_migration: str, file: str) -> None:
    """Raise `StoreUnsupported` if this version does not know the last migration of a file."""
    if last_migration in known_revisions():
        return
    if last_migration.isdecimal():
        raise StoreUnsupported(f"{file} is from before Spieltisch 0.1.0, whose databases are not supported")
    raise StoreUnsupported(
        f"{file} was written by a newer Spieltisch (its format is {last_migration!r}); upgrade this one"
    )


def migrate(connection: Connection, keep_copy: Callable[[], None] = lambda: None) -> str | None:
    """Run the missing migrations in the connection's open transaction; `keep_copy` is called before the first one.

    Return the last migration before these; None if nothing was to be done, or if the file was empty. Raise
    `StoreUnsupported` if the file has a migration that this version does not know, `StoreDamaged` as `revision`.
    """
    last_migration = revision(connection)
    if last_migration == HEAD:
        return None
    if last_migration is not None:
        require_known_revision(last_migration, "the database")
        keep_copy()
    # Imported here because most starts return above, and importing Alembic takes a noticeable time.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    return last_migration
