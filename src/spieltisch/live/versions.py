"""The versions of what pages show besides a table: chat, plans, lists."""

import time

_start = (time.time_ns() - time.monotonic_ns()) // 1_000_000


def next_version(previous: int = 0) -> int:
    """Return a version greater than `previous`, and than those before the last start of the server.

    It is the time in milliseconds, so that it counts nothing that happened elsewhere: a reader could learn from a
    counter shared with others how much they did.
    """
    return max(_start + time.monotonic_ns() // 1_000_000, previous + 1)


def follow_clock(now: int) -> None:
    """Count from this time in milliseconds, that of a clock which several processes share."""
    global _start
    _start = now - time.monotonic_ns() // 1_000_000
