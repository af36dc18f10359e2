"""Waiting for what is awaited, in tests that are not."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def wait(job: Coroutine[Any, Any, T]) -> T:
    """What an awaited call returns: on a thread of its own, since where Playwright runs a loop runs already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, job).result()
