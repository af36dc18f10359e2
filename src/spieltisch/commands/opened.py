"""The database of a server, opened by a command: a copy to read, or the file itself to change it."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from spieltisch.commands import data_folder, fail

if TYPE_CHECKING:
    from spieltisch.store.store import Store

T = TypeVar("T")
MOST = 1 << 31
"""As many tables as there are."""


class Run(Protocol):
    """Runs what is awaited, and returns what it comes to."""

    def __call__(self, job: Coroutine[Any, Any, T], /) -> T: ...


@contextmanager
def opened(data: Path | None, *, change: bool = False) -> Iterator[tuple[Store, Run]]:
    """A server's tables and people: as they are now, also while it runs; to `change` them the server must be stopped.

    Without them, and when they cannot be opened, the command ends.
    """
    import asyncio
    from contextlib import nullcontext

    from spieltisch.store.backup import snapshot
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    database = data_folder(data) / DATABASE
    if not database.exists():
        raise fail(f"{database} is not there: there are no tables")
    try:
        with nullcontext(database) if change else snapshot(database) as file, asyncio.Runner() as runner:
            store = runner.run(Store.open(file))
            try:
                yield store, runner.run
            finally:
                runner.run(store.close())
    except (StoreError, OSError) as problem:
        raise fail(f"{problem}") from problem
