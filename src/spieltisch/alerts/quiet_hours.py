"""Hours in which nobody wants to be told anything."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

DAY: Final = 24 * 60
"""Minutes."""


@cache
def zones() -> tuple[str, ...]:
    """The time zones that there are, by their names in the IANA database."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


def quiet_until(now: float, zone: str, begins: int, ends: int) -> float | None:
    """When quiet hours end (UTC seconds) that are now, between two minutes of the day in a zone; None outside them.

    >>> night = quiet_until(0.0, "UTC", 22 * 60, 7 * 60)
    >>> night, quiet_until(8 * 3600.0, "UTC", 22 * 60, 7 * 60)
    (25200.0, None)
    """
    here = datetime.fromtimestamp(now, ZoneInfo(zone))
    minute = here.hour * 60 + here.minute
    quiet = begins <= minute < ends if begins <= ends else not ends <= minute < begins
    if not quiet:
        return None
    day = here.replace(hour=ends // 60, minute=ends % 60, second=0, microsecond=0, fold=0)
    end = day if ends > minute else day + timedelta(days=1)
    return max(end.timestamp(), now + 60)
