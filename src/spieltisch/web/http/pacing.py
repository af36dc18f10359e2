"""Pushes for many changes, limited to one per interval."""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Set
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

Later = Callable[[float, Callable[[], None]], object]
"""A function that calls another after a number of seconds."""


def call_later(seconds: float, job: Callable[[], None]) -> object:
    """Call the job on the running loop after `seconds`."""
    return asyncio.get_running_loop().call_later(seconds, job)


class Pacer(Generic[T]):
    """Call `push` with the added items: the first immediately, those of the next `seconds` together.

    >>> timers = []
    >>> pacer = Pacer(lambda names: print(sorted(names)), 1.0, lambda seconds, job: timers.append(job))
    >>> for name in ("Ada", "Ben", "Ben", "Cleo"):
    ...     pacer.add([name])
    ['Ada']
    >>> timers.pop()()
    ['Ben', 'Cleo']
    """

    def __init__(self, push: Callable[[Set[T]], None], seconds: float, later: Later = call_later) -> None:
        self._push = push
        self._seconds = seconds
        self._later = later
        self._waiting: set[T] = set()
        self._is_resting = False

    def add(self, items: Iterable[T]) -> None:
        """Add items to the next push."""
        self._waiting.update(items)
        if not self._is_resting:
            self._run_now()

    def _run_now(self) -> None:
        items, self._waiting = self._waiting, set()
        self._is_resting = bool(items)
        if items:
            self._later(self._seconds, self._run_now)
            self._push(items)
