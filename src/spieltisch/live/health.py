"""Health check of the store: whether it can be written and read."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import structlog

from spieltisch.live.services import end_tasks, repeat, running
from spieltisch.store import Store, StoreError, StoreLost, WriteFailed
from spieltisch.store.sessions import outside_session

REUSE_SECONDS: Final = 1.0
"""The time for which a result is reused, so that frequent checks cost no more."""
TIMEOUT_SECONDS: Final = 5.0
"""The time after which a store that does not respond is unhealthy."""
WATCH_SECONDS: Final = 1.0
"""The time between two looks whether something is wrong."""
UNSAVED: Final = frozenset({"lost", "not-written"})
"""The problems with which nothing can be saved."""

_logger = structlog.get_logger()


class StoreHealth:
    """A check of the store, shared by all concurrent callers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[str] | None = None
        self._asked = 0.0
        self._known = ""
        self.saving_changed: Callable[[bool], None] = lambda is_unsaved: None
        """Called when nothing can be saved any more (True), and when it can again (False)."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch the store: check it when a write has failed or its files are gone, until it is healthy again."""
        try:
            async with running("health", partial(repeat, self._check_if_failing, WATCH_SECONDS)):
                yield
        finally:
            await end_tasks([self._asking] if self._asking else [])

    async def _check_if_failing(self) -> None:
        if self._known or self._store.is_in_doubt:
            await self.problem_code()

    async def problem_code(self) -> str:
        """Return a code for the problem of the store, or "" if it is healthy.

        The codes are `lost` (the file or its lock is gone), `not-written`, `not-read` and `slow`. Each new problem is
        logged once in full.
        """
        if self._asking is None or (self._asking.done() and time.monotonic() - self._asked >= REUSE_SECONDS):
            self._asked = time.monotonic()
            with outside_session():
                self._asking = asyncio.create_task(self._check_store())
        return await asyncio.shield(self._asking)

    async def _check_store(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.check()
        except StoreLost as error:
            return self._report("lost", error)
        except WriteFailed as error:
            return self._report("not-written", error)
        except StoreError as error:
            return self._report("not-read", error)
        except TimeoutError as error:
            return self._report("slow", error)
        return self._report("", None)

    def _report(self, code: str, error: Exception | None) -> str:
        if code and code != self._known:
            _logger.error("the store is not well", fault=code, problem=str(error))
        elif self._known and not code:
            _logger.warning("the store is well again")
        was_unsaved, is_unsaved = self._known in UNSAVED, code in UNSAVED
        self._known = code
        if was_unsaved != is_unsaved:
            self.saving_changed(is_unsaved)
        return code
