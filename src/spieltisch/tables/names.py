"""Who people are at a table: their ids and the names that they give themselves."""

from __future__ import annotations

import unicodedata
from typing import Final, Protocol

from spieltisch.core.words import message
from spieltisch.tables.refusals import TableRefusal

LONGEST_NAME: Final = 80
"""What the pages are made for; a server may draw the line earlier."""


class Sitter(Protocol):
    """A person who sits down."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


def beside(person: str, number: int) -> str:
    """The id of somebody who plays on a person's device, in the seat with this number; the device speaks for them.

    >>> beside("ada", 2), device_of(beside("ada", 2)), device_of("ada")
    ('ada/3', 'ada', 'ada')
    """
    return f"{person}/{number + 1}"


def device_of(person: str) -> str:
    """The person on whose device somebody plays: themselves, unless they sit beside somebody."""
    return person.partition("/")[0]


_JOINERS: Final = "\u200c\u200d"
"""Invisible characters that Persian, Hindi and emoji cannot do without."""


def check_name(text: str) -> str:
    """The name as it is kept: composed (NFC), single spaces. Markup is text like any other.

    Raises `TableRefusal` name for an empty name, one of more than 80 characters, and one with control
    characters, characters that turn the direction of writing, or none that can be seen.

    >>> check_name("  Ada   <b>Lovelace</b> ")
    'Ada <b>Lovelace</b>'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if any(unicodedata.category(ch) in _REFUSED and ch not in _JOINERS for ch in name):
        raise TableRefusal("name", message("A name cannot hold control characters or invisible characters."))
    name = " ".join(name.split())
    if not any(unicodedata.category(ch)[0] in "LNPS" for ch in name):
        raise TableRefusal("name", message("Please give a name."))
    if len(name) > LONGEST_NAME:
        words = message(
            "A name has at most {count} characters; this one has {given}.", count=LONGEST_NAME, given=len(name)
        )
        raise TableRefusal("name", words)
    return name


_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
