"""A limit on lines of the log whose number others decide, so that they cannot fill the disk."""

import time
from collections import OrderedDict
from collections.abc import Callable
from math import inf
from typing import Final

LINE_SECONDS: Final = 60.0
"""The time for which a line is not logged again."""
MAX_LINES: Final = 10_000
"""The maximum number of lines remembered; the oldest one is forgotten first."""


class LogLimit:
    """Allows each line once a minute.

    >>> limit = LogLimit(lambda: 0.0)
    >>> limit.allows("one"), limit.allows("two"), limit.allows("one")
    (True, True, False)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._logged: OrderedDict[str, float] = OrderedDict()

    def allows(self, line: str) -> bool:
        """Return True, and remember the line, unless it was allowed in the last minute."""
        now = self._clock()
        if now - self._logged.get(line, -inf) < LINE_SECONDS:
            return False
        self._logged[line] = now
        self._logged.move_to_end(line)
        if len(self._logged) > MAX_LINES:
            self._logged.popitem(last=False)
        return True
