"""Quiet hours, in which no alerts are sent."""

from datetime import datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

DAY: Final = 24 * 60
"""Minutes in a day."""


@cache
def zones() -> tuple[str, ...]:
    """Return the time zones of the IANA database that can be chosen, by name."""
    names = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(names))


def quiet_until(now: float, zone: str, begins: int, ends: int) -> float | None:
    """Return the end (UTC seconds) of the current quiet hours; None outside of them.

    They last from one minute of the day to another, in a time zone.

    >>> night = quiet_until(0.0, "UTC", 22 * 60, 7 * 60)
    >>> night, quiet_until(8 * 3600.0, "UTC", 22 * 60, 7 * 60)
    (25200.0, None)
    """
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    quiet = begins <= minute < ends if begins <= ends else not ends <= minute < begins
    if not quiet:
        return None
    end_today = local.replace(hour=ends // 60, minute=ends % 60, second=0, microsecond=0, fold=0)
    end = end_today if ends > minute else end_today + timedelta(days=1)
    return max(end.timestamp(), now + 60)
