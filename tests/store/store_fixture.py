"""Provide a store and a summary of a finished table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from spieltisch.store import Store
from spieltisch.tables import SeatSummary, TableSummary


def seats(*people: str) -> tuple[SeatSummary, ...]:
    return tuple(SeatSummary("person", person, person) for person in people)


OVER = TableSummary("finished", seats("eve", "fay"), winners=(0,), host="eve")


def on_store(path: Path, job: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        store = await Store.open(path / "house.sqlite3")
        try:
            await job(store)
        finally:
            await store.close()

    asyncio.run(main())
