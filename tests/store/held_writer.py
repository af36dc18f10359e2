"""Hold back the writes of a store."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Connection

from spieltisch.store import Store


@asynccontextmanager
async def hold_writer(store: Store) -> AsyncIterator[None]:
    """Hold back all writes of a store until the end of the block, and then run them in order."""
    has_begun, may_end = threading.Event(), threading.Event()

    def job(connection: Connection) -> None:
        has_begun.set()
        may_end.wait()

    holding = asyncio.create_task(store.write(job))
    await asyncio.to_thread(has_begun.wait)
    try:
        yield
    finally:
        may_end.set()
        await holding
