"""Return of memory to the system by a server that has dropped what no one asks for."""

import ctypes
import gc
import sys
from functools import lru_cache
from typing import Any


class IdleMemory:
    """Makes memory that is no longer used free for other programs. Created after the application.

    Litestar keeps up to a thousand addresses of requests in its caches. Each is small, but lies between the objects of
    the table that was loaded for it, and Python returns memory only in pieces of a megabyte that are empty: without
    the tables of 600 requests, the addresses kept 40 MB.
    """

    def __init__(self) -> None:
        kind = type(
            lru_cache(str)
        )  # compared, for `isinstance` asks the object behind a weak reference, which may be gone
        caches = [cached for cached in gc.get_objects() if type(cached) is kind]
        self.caches: list[Any] = [
            cached for cached in caches if getattr(cached, "__module__", "").partition(".")[0] == "litestar"
        ]

    def give_back(self) -> None:
        """Empty the caches, collect garbage, and return free memory to the system."""
        for cached in self.caches:
            cached.cache_clear()
        gc.collect()  # an idle process would not
        if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):  # musl has none
            libc.malloc_trim(0)
