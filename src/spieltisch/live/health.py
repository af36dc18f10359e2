"""Whether the store can still be written to and read."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog

from spieltisch.store import Store, StoreError, StoreLost, WriteFailed

SECONDS: Final = 1.0
"""How long what was found is good: whoever asks more often costs no more."""
TIMEOUT_SECONDS: Final = 5.0
"""Seconds after which a store that has not answered is not well."""

_logger = structlog.get_logger()


class StoreHealth:
    """Asks the store, once for all who want to know at the same time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[str] | None = None
        self._asked = 0.0
        self._known = ""

    async def problem_code(self) -> str:
        """What is wrong, in a word: `lost` (the file or its lock is gone), `not-written`, `not-read`, `slow`; "" when
        all is well. The log has it in full, once.
        """
        if self._asking is None or (self._asking.done() and time.monotonic() - self._asked >= SECONDS):
            self._asked = time.monotonic()
            self._asking = asyncio.get_running_loop().create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.check()
        except StoreLost as problem:
            return self._found("lost", problem)
        except WriteFailed as problem:
            return self._found("not-written", problem)
        except StoreError as problem:
            return self._found("not-read", problem)
        except TimeoutError as problem:
            return self._found("slow", problem)
        return self._found("", None)

    def _found(self, fault: str, problem: Exception | None) -> str:
        if fault and fault != self._known:
            _logger.error("the store is not well", fault=fault, problem=str(problem))
        elif self._known and not fault:
            _logger.warning("the store is well again")
        self._known = fault
        return fault
