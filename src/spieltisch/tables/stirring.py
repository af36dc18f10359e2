"""Adding to chance: before the game begins, who sits at the table may add a text to what its draws are made from."""

from __future__ import annotations

import unicodedata
from typing import Final

from spieltisch.core.words import message
from spieltisch.tables import checks, refusals
from spieltisch.tables.events import Event, Stirred
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table import Table

LONGEST_TEXT: Final = 80


def stir(table: Table, person: str, text: str) -> tuple[Event, ...]:
    """Add a text to chance, once, while seats are free. Refused: begun, not-your-seat, already-added, text, over,
    frozen.
    """
    checks.alive(table)
    if not table.stirs:
        raise refusals.begun()
    seat = checks.seat_of(table, person)
    if table.seats[seat].text:
        raise refusals.already_added()
    return (Stirred(seat=seat, text=check_text(text)),)


def check_text(text: str) -> str:
    """The text as it is kept and hashed: composed (NFC), single spaces.

    Raises `TableRefusal` text for an empty one, one of more than 80 characters, and one with characters that cannot be
    seen: everybody must be able to type it again.

    >>> check_text("  seven   of nine ")
    'seven of nine'
    """
    kept = " ".join(unicodedata.normalize("NFC", text).split())
    if not kept or len(kept) > LONGEST_TEXT or not kept.isprintable():
        words = message("What is added to chance has 1 to {count} characters that can be seen.", count=LONGEST_TEXT)
        raise TableRefusal(RefusalCode.TEXT, words)
    return kept
