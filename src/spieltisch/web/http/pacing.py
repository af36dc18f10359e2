"""Pushes for many changes, limited to one of each kind per interval."""

import asyncio
from collections.abc import Callable, Hashable
from functools import partial
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

Later = Callable[[float, Callable[[], None]], object]
"""A function that calls another after a number of seconds."""


def call_later(seconds: float, job: Callable[[], None]) -> object:
    """Call the job on the running loop after `seconds`."""
    return asyncio.get_running_loop().call_later(seconds, job)


class Pacer(Generic[T]):
    """Call `push` with each added item: immediately, or once `seconds` have passed since the same was last pushed.

    No item waits for another: its time would tell that something happened elsewhere.

    >>> timers = []
    >>> pacer = Pacer(print, 1.0, lambda seconds, job: timers.append(job))
    >>> for name in ("Ada", "Ada", "Ben", "Ada"):
    ...     pacer.add(name)
    Ada
    Ben
    >>> for end_rest in timers[:2]:
    ...     end_rest()
    Ada
    """

    def __init__(self, push: Callable[[T], None], seconds: float, later: Later = call_later) -> None:
        self._push = push
        self._seconds = seconds
        self._later = later
        self._resting: dict[T, bool] = {}
        """The items pushed in the last `seconds`; True for those to be pushed again."""

    def add(self, item: T) -> None:
        """Push an item as soon as it may be."""
        if item in self._resting:
            self._resting[item] = True
        else:
            self._run_now(item)

    def _run_now(self, item: T) -> None:
        self._resting[item] = False
        self._later(self._seconds, partial(self._end_rest, item))
        self._push(item)

    def _end_rest(self, item: T) -> None:
        if self._resting.pop(item):
            self._run_now(item)
