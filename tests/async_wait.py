"""Wait for a condition in tests that are not coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def wait(job: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a thread of its own and return its result: where Playwright runs, a loop runs already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, job).result()
