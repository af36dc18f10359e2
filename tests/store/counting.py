"""Count the instructions that SQLite's machine executes for a query."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy import event

from spieltisch.store import Store


async def instructions(store: Store, ask: Callable[[], Coroutine[Any, Any, object]]) -> int:
    """Return the number of instructions that the database runs for what is asked."""
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    def begin(connection: Any, *_: object) -> None:
        connection.set_progress_handler(tick, 1)

    def end(connection: Any, *_: object) -> None:
        connection.set_progress_handler(None, 1)

    event.listen(store._readers, "checkout", begin)
    event.listen(store._readers, "checkin", end)
    try:
        await ask()
    finally:
        event.remove(store._readers, "checkout", begin)
        event.remove(store._readers, "checkin", end)
    return count
