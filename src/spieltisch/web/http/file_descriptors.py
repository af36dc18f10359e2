"""File descriptors: every connection, file and pipe of the server needs one, and the system grants so many."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

import structlog

SPARE_DESCRIPTORS: Final = 128
"""For files, bots and pipes, beside the connections."""
MOST_DESCRIPTORS: Final = 10_240
"""What is asked for where the system names no bound: macOS grants no more."""
SECONDS_BETWEEN_LINES: Final = 60.0

_logger = structlog.get_logger("spieltisch.web")


class Descriptors:
    """Looks whether one more descriptor can be had. The loop (libuv) hangs up on whoever comes while there is none, and
    tells nobody; so this looks with every connection that was let in, which may have taken the last, and every second.
    """

    def __init__(self) -> None:
        self._said = -SECONDS_BETWEEN_LINES

    def look(self) -> bool:
        """Whether one can be had; when not, the log says so, once a minute."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as problem:
            if time.monotonic() - self._said >= SECONDS_BETWEEN_LINES:
                self._said = time.monotonic()
                _logger.error("no more file descriptors: whoever comes is hung up on", problem=str(problem))
            return False
        return True


def have_descriptors(connections: int) -> int:
    """Let this process have that many connections open (0: as many as it may); returns how many it can have."""
    if sys.platform == "win32":  # whose sockets are not counted
        return connections
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = MOST_DESCRIPTORS if most == resource.RLIM_INFINITY else most
    wanted = min(connections + SPARE_DESCRIPTORS, highest) if connections else highest
    if now == resource.RLIM_INFINITY:
        return connections
    if now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        now = wanted
    can = max(1, now - SPARE_DESCRIPTORS)
    return min(connections, can) if connections else can
