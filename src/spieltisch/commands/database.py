"""A server's database, opened by a command: a copy to read, or the file itself to change it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from spieltisch.commands import data_folder
from spieltisch.commands.output import fail

if TYPE_CHECKING:
    import asyncio

    from spieltisch.store.store import Store

NO_LIMIT = 1 << 31
"""A limit that no number of tables reaches."""
ID_ARGUMENTS = {"ignore_unknown_options": True}
"""The settings of a command that takes ids, which may begin with a dash."""


@contextmanager
def open_database(
    data: Path | None, *, change: bool = False, create: bool = False
) -> Iterator[tuple[Store, asyncio.Runner]]:
    """Open a server's database, and yield its store and a runner for its calls.

    The store has the current data, even while the server runs; to `change` it the server must be stopped. If there is
    no database and none is to be created (`create`), or it cannot be opened, the command ends.
    """
    import asyncio
    from contextlib import nullcontext

    from spieltisch.store.backup import snapshot
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    database = data_folder(data) / DATABASE
    if not create and not database.exists():
        raise fail(f"{database} does not exist: there are no tables")
    try:
        with nullcontext(database) if change else snapshot(database) as file, asyncio.Runner() as runner:
            store = runner.run(Store.open(file))
            try:
                yield store, runner
            finally:
                runner.run(store.close())
    except (StoreError, OSError) as error:
        raise fail(f"{error}") from error
