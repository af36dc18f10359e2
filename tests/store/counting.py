"""Count the instructions that SQLite executes for a query."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy import event

from spieltisch.store import Store


async def instructions(store: Store, run_query: Callable[[], Coroutine[Any, Any, object]]) -> int:
    """Return the number of instructions that SQLite executes while `run_query` runs."""
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    def count_start(connection: Any, *_: object) -> None:
        connection.set_progress_handler(tick, 1)

    def end(connection: Any, *_: object) -> None:
        connection.set_progress_handler(None, 1)

    event.listen(store.database.readers, "checkout", count_start)
    event.listen(store.database.readers, "checkin", end)
    try:
        await run_query()
    finally:
        event.remove(store.database.readers, "checkout", count_start)
        event.remove(store.database.readers, "checkin", end)
    return count
