"""Threads for what takes long to compute for a visitor, shared between addresses: nobody waits for another's queue."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, ParamSpec, TypeVar

from spieltisch.live.fair_queue import FairQueue

P = ParamSpec("P")
T = TypeVar("T")

THREADS: Final = 2
"""The number of threads. They share one processor with the event loop, so more would only slow it down."""
CLIENT: Final[ContextVar[str]] = ContextVar("client", default="")
"""The address of the present request; "" outside of requests."""

_QUEUE: Final = FairQueue(THREADS)


async def run_in_thread(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread, when it is the turn of the address of the present request."""
    async with _QUEUE.slot(CLIENT.get(), first=False):
        return await asyncio.to_thread(job, *args, **kwargs)
