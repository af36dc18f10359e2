"""A server's database, opened by a command: a copy to read, or the file itself to change it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from spieltisch.commands import database_place
from spieltisch.commands.output import fail

if TYPE_CHECKING:
    import asyncio

    from spieltisch.store.store import Store

ID_ARGUMENTS = {"ignore_unknown_options": True}
"""The settings of a command that takes ids, which may begin with a dash."""


@contextmanager
def open_database(
    data: Path | None, url: str, *, change: bool = False, create: bool = False
) -> Iterator[tuple[Store, asyncio.Runner]]:
    """Open a server's database, of a folder or a URL, and yield its store and a runner for its calls.

    The store has the current data, even while the server runs; to `change` it the server must be stopped. If there is
    no database and none is to be created (`create`), or it cannot be opened, the command ends.
    """
    import asyncio
    from contextlib import nullcontext

    from spieltisch.features import FEATURES
    from spieltisch.store.backup import snapshot
    from spieltisch.store.errors import StoreError
    from spieltisch.store.store import Store

    database = database_place(data, url)
    if not create and isinstance(database, Path) and not database.exists():
        raise fail(f"{database} does not exist: there are no tables")
    try:
        with nullcontext(database) if change else snapshot(database, FEATURES) as file, asyncio.Runner() as runner:
            store = runner.run(Store.open(file, FEATURES))
            try:
                yield store, runner
            finally:
                runner.run(store.close())
    except (StoreError, OSError) as error:
        raise fail(f"{error}") from error
