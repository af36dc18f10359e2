"""Migration of a database file to the current schema, in one transaction."""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from spieltisch.store.errors import StoreDamaged, StoreTooNew
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
    return frozenset(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def migrate(connection: Connection) -> None:
    """Run the missing migrations in the connection's open transaction.

    Raise `StoreTooNew` if the file has a migration that this version does not know, `StoreDamaged` as `revision`.
    """
    last_migration = revision(connection)
    if last_migration == HEAD:
        return
    if last_migration is not None and last_migration not in known_revisions():
        raise StoreTooNew(
            f"the database was written by a newer Spieltisch (its shape is {last_migration!r}); upgrade this one"
        )
    # Imported here because most starts return above, and importing Alembic takes a noticeable time.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
