"""Run coroutines from tests that are not coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def wait(job: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a separate thread, since Playwright's event loop occupies this thread; return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, job).result()
