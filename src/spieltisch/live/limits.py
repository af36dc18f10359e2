"""How much one visitor may ask of the server: bounds that friends never meet, and that keep a careless script from
spoiling the evening for the others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Final

RENAMED: Final = {
    "requests": "requests_per_minute",
    "connections": "connections_per_address",
    "all_connections": "total_connections",
    "streams": "streams_per_address",
    "away": "away_hours",
    "names": "new_names_per_hour",
    "seats": "seats_per_person",
    "hosted": "tables_per_host",
    "address_tables": "tables_per_address",
    "tables": "total_tables",
    "openings": "new_tables_per_hour",
    "waiting": "waiting_days",
    "letters": "name_length",
    "messages": "messages_per_minute",
    "message_letters": "message_length",
    "messages_kept": "messages_per_table",
    "plans": "plans_per_table",
    "planning": "plan_pages_per_minute",
    "sets": "component_files",
    "address_sets": "component_files_per_address",
    "ways": "alert_subscriptions",
    "tries": "test_alerts_per_hour",
    "analysis": "analysis_seconds",
    "form": "form_kilobytes",
    "upload": "upload_kilobytes",
}
"""Earlier names of limits, which are still accepted."""


class BadLimit(ValueError):
    """A `--limit` that cannot be one."""


@dataclass(frozen=True)
class Limits:
    """The bounds; 0 is none (`away`: people are always asked)."""

    requests_per_minute: int = 1200
    """per minute from one address"""
    connections_per_address: int = 250
    """open at once to one address"""
    total_connections: int = 4000
    """open at once in all"""
    streams_per_address: int = 200
    """open at once to one address (a browser has one, however many tabs are open)"""
    away_hours: int = 24
    """hours without a person, after which their seat in a running game may be handed out unasked"""
    new_names_per_hour: int = 120
    """new names an hour from one address"""
    seats_per_person: int = 100
    """that one person holds at tables that are not over"""
    tables_per_host: int = 40
    """tables that are not over, opened by one person"""
    tables_per_address: int = 100
    """tables that are not over, opened from one address"""
    total_tables: int = 2000
    """tables that are not over, in all"""
    new_tables_per_hour: int = 120
    """new tables an hour from one address"""
    waiting_days: int = 7
    """days for which a table waits for its game to begin, counted from the last thing that happened there"""
    name_length: int = 40
    """in a name; no name has more than `MAX_NAME_LENGTH`, which is what the pages are made for"""
    messages_per_minute: int = 30
    """things said, or signs given, in a minute by one person"""
    message_length: int = 500
    """in what is said at once"""
    messages_per_table: int = 1000
    """things said by one person at one table"""
    plans_per_table: int = 6
    """for the next turn of one person at one table"""
    plan_pages_per_minute: int = 120
    """pages of planning in a minute for one person"""
    component_files: int = 50
    """component files kept for one person"""
    component_files_per_address: int = 100
    """component files kept for those who brought them from one address"""
    alert_subscriptions: int = 8
    """in which one person is told that it is their turn"""
    passkeys: int = 12
    """by which one person comes in"""
    test_alerts_per_hour: int = 12
    """messages an hour that one person sends themselves to see whether they arrive, and all from one address"""
    analysis_seconds: int = 110
    """seconds of processor, of two at once, for the analysis of a game, about; a long one tries fewer games"""
    form_kilobytes: int = 64
    """kilobytes in a form"""
    upload_kilobytes: int = 1024
    """kilobytes in the form with a component file, where signs may take three bytes each"""

    @classmethod
    def read(cls, settings: Iterable[str], warn: Callable[[str], object] = warnings.warn) -> Limits:
        """Return the limits that words such as "total_tables=600" set; tell `warn` of earlier names. Raises BadLimit.

        >>> Limits.read(["streams_per_address=0", "total_tables=10"]).total_tables
        10
        """
        known = {field.name for field in fields(cls)}
        found: dict[str, int] = {}
        for setting in settings:
            name, _, number = setting.partition("=")
            if name in RENAMED:
                warn(f"--limit {name} is now called {RENAMED[name]}; the old name will go with the next version")
                name = RENAMED[name]
            if name not in known:
                raise BadLimit(f"--limit {setting}: there is no such limit; there are {', '.join(sorted(known))}")
            if not (number.isascii() and number.isdecimal()) or len(number) > 9:
                raise BadLimit(f"--limit {setting}: give a number, such as {name}={getattr(cls, name)}; 0 is no limit")
            found[name] = int(number)
        return cls(**found)


DEFAULT: Final = Limits()
UNLIMITED: Final = Limits(**{field.name: 0 for field in fields(Limits)})
KILOBYTE: Final = 1024
DAY: Final = 86_400
"""Seconds."""
