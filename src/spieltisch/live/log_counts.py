"""A summary of the log since the start of the process: lines counted by level, and the last problems.

Of a problem only fields are kept that say nothing of a game in play, of a secret address or of a person.
"""

from collections import Counter, deque
from typing import Final

from structlog.typing import EventDict

LOG_COUNTS: Final = Counter[str]()
"""By level: `warning`, `error` and so on."""
SHOWN_FIELDS: Final = ("timestamp", "level", "event", "table", "game", "service", "request")
"""The fields of a problem that are kept."""
RECENT_PROBLEMS: Final = deque[dict[str, str]](maxlen=200)
"""The newest warnings and errors, oldest first."""


def count_line(_logger: object, method: str, event: EventDict) -> EventDict:
    """Count a line, and keep it if it is a problem; a processor of structlog."""
    level = event.get("level", method)
    LOG_COUNTS[level] += 1
    if level not in ("debug", "info"):
        problem = {name: str(event[name]) for name in SHOWN_FIELDS if name in event}
        if (record := event.get("_record")) is not None:  # of a library, whose words may hold anything
            problem["event"] = record.name
        RECENT_PROBLEMS.append(problem)
    return event
