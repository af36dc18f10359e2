"""How much one visitor may ask of the server: bounds that friends never meet, and that keep a careless script from
spoiling the evening for the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final


class BadLimit(ValueError):
    """A `--limit` that cannot be one."""


@dataclass(frozen=True)
class Limits:
    """The bounds; 0 is none (`away`: people are always asked)."""

    requests: int = 1200
    """per minute from one address"""
    connections: int = 250
    """open at once to one address"""
    all_connections: int = 4000
    """open at once in all"""
    streams: int = 200
    """open at once to one address (a browser has one, however many tabs are open)"""
    away: int = 24
    """hours without a person, after which their seat in a running game may be handed out unasked"""
    names: int = 120
    """new names an hour from one address"""
    seats: int = 100
    """that one person holds at tables that are not over"""
    hosted: int = 40
    """tables that are not over, opened by one person"""
    address_tables: int = 100
    """tables that are not over, opened from one address"""
    tables: int = 2000
    """tables that are not over, in all"""
    openings: int = 120
    """new tables an hour from one address"""
    waiting: int = 7
    """days for which a table waits for its game to begin, counted from the last thing that happened there"""
    letters: int = 40
    """in a name; no name has more than `LONGEST_NAME`, which is what the pages are made for"""
    messages: int = 30
    """things said, or signs given, in a minute by one person"""
    message_letters: int = 500
    """in what is said at once"""
    messages_kept: int = 1000
    """things said by one person at one table"""
    plans: int = 6
    """for the next turn of one person at one table"""
    planning: int = 120
    """pages of planning in a minute for one person"""
    sets: int = 50
    """component files kept for one person"""
    address_sets: int = 100
    """component files kept for those who brought them from one address"""
    ways: int = 8
    """in which one person is told that it is their turn"""
    passkeys: int = 12
    """by which one person comes in"""
    tries: int = 12
    """messages an hour that one person sends themselves to see whether they arrive, and all from one address"""
    analysis: int = 110
    """seconds of processor, of two at once, for the analysis of a game, about; a long one tries fewer games"""
    form: int = 64
    """kilobytes in a form"""
    upload: int = 1024
    """kilobytes in the form with a component file, where signs may take three bytes each"""

    @classmethod
    def read(cls, settings: Iterable[str]) -> Limits:
        """From words such as "requests=600". Raises `BadLimit`.

        >>> Limits.read(["streams=0", "tables=10"]).tables
        10
        """
        known = {field.name for field in fields(cls)}
        found: dict[str, int] = {}
        for setting in settings:
            name, _, number = setting.partition("=")
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
