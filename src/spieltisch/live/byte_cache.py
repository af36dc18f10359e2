"""A cache bounded by bytes, of which entries are dropped that no one has asked for in some minutes."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

IDLE_SECONDS: Final = 300.0
"""The time after which an entry that no one has asked for is dropped."""
RELEASE_INTERVAL_SECONDS: Final = 60.0
"""The time between two searches for such entries."""


class ByteCache(Generic[K, V]):
    """Values of which the least recently used are dropped when all together exceed `max_bytes`.

    `size` estimates the bytes of a value. A value may grow while it is in use, so those used since the last `put` are
    measured again by the next.

    >>> cache = ByteCache(max_bytes=5, size=len)
    >>> cache.put("a", "12")
    >>> cache.put("b", "123")
    >>> cache.get("a")
    '12'
    >>> cache.put("c", "1")
    >>> cache.get("b"), cache.total_bytes
    (None, 3)
    """

    def __init__(
        self, max_bytes: int, size: Callable[[V], int], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.total_bytes = 0
        """The estimated size of all values."""
        self._max_bytes = max_bytes
        self._size = size
        self._clock = clock
        self._values: OrderedDict[K, V] = OrderedDict()
        self._sizes: dict[K, int] = {}
        self._used: dict[K, float] = {}
        self._touched: set[K] = set()

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> tuple[V, ...]:
        """Return all values, the least recently used first."""
        return tuple(self._values.values())

    def get(self, key: K) -> V | None:
        """Return a value and mark it as used; None if there is none."""
        value = self._values.get(key)
        if value is not None:
            self._touch(key)
        return value

    def peek(self, key: K) -> V | None:
        """Return a value without marking it as used; None if there is none."""
        return self._values.get(key)

    def replace(self, key: K, value: V) -> None:
        """Replace a value by a newer one, without marking it as used."""
        self._values[key] = value
        self._touched.add(key)

    def put(self, key: K, value: V) -> None:
        """Store a value, replacing an earlier one; drop others if there are too many bytes."""
        self._values[key] = value
        self._touch(key)
        for touched in self._touched:
            size = self._size(self._values[touched])
            self.total_bytes += size - self._sizes.get(touched, 0)
            self._sizes[touched] = size
        self._touched = {key}
        while self.total_bytes > self._max_bytes and len(self._values) > 1:
            self.pop(next(iter(self._values)))

    def pop(self, key: K) -> V | None:
        """Drop a value and return it; None if there is none."""
        self._touched.discard(key)
        self._used.pop(key, None)
        self.total_bytes -= self._sizes.pop(key, 0)
        return self._values.pop(key, None)

    def release(self) -> bool:
        """Drop the values that no one has asked for in some minutes; return True if there were any."""
        before = self._clock() - IDLE_SECONDS
        idle = [key for key, used in self._used.items() if used < before]
        for key in idle:
            self.pop(key)
        return bool(idle)

    def _touch(self, key: K) -> None:
        self._values.move_to_end(key)
        self._used[key] = self._clock()
        self._touched.add(key)


async def release_all(releases: Iterable[Callable[[], bool]], return_memory: Callable[[], object]) -> None:
    """Call the functions, then `return_memory` if one of them has dropped anything."""
    if True in [release() for release in releases]:  # all are called
        return_memory()
