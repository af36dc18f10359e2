"""File descriptors: each connection, file and pipe needs one, and the system limits their number."""

import os
import sys
import time
from typing import Final

import structlog

SPARE_DESCRIPTORS: Final = 128
"""Descriptors for files, bots and pipes, in addition to connections."""
MAX_DESCRIPTORS: Final = 10_240
"""Descriptors requested where the system has no limit: macOS grants no more."""
LOG_INTERVAL_SECONDS: Final = 60.0

_logger = structlog.get_logger("spieltisch.web")


class Descriptors:
    """A check whether another descriptor is available.

    Without one the event loop (libuv) closes new connections silently. So the check runs after each accepted
    connection, which may have taken the last descriptor, and every second.
    """

    def __init__(self) -> None:
        self._logged_at = -LOG_INTERVAL_SECONDS

    def look(self) -> bool:
        """Return True if a descriptor is available; if not, log an error, at most once a minute."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            if time.monotonic() - self._logged_at >= LOG_INTERVAL_SECONDS:
                self._logged_at = time.monotonic()
                _logger.error("no more file descriptors: new connections are closed", problem=str(error))
            return False
        return True


def raise_descriptor_limit(connections: int) -> int:
    """Raise the limit of this process for that many open connections (0: as many as possible); return how many fit."""
    if sys.platform == "win32":  # sockets do not count as descriptors there
        return connections
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    maximum = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard
    required = min(connections + SPARE_DESCRIPTORS, maximum) if connections else maximum
    if soft == resource.RLIM_INFINITY:
        return connections
    if soft < required:
        resource.setrlimit(resource.RLIMIT_NOFILE, (required, hard))
        soft = required
    available = max(1, soft - SPARE_DESCRIPTORS)
    return min(connections, available) if connections else available
