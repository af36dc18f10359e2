"""Who people are at a table: their ids and the names that they give themselves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, Protocol

from spieltisch.core.words import message
from spieltisch.tables.confusables import confusable_with, has_invisible, mixed_scripts
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal

LONGEST_NAME: Final = 80
"""What the pages are made for; a server may draw the line earlier."""


class Participant(Protocol):
    """A person who sits down."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


def hot_seat_id(person: str, number: int) -> str:
    """The id of somebody who plays on a person's device, in the seat with this number; the device speaks for them.

    >>> hot_seat_id("ada", 2), device_owner(hot_seat_id("ada", 2)), device_owner("ada")
    ('ada/3', 'ada', 'ada')
    """
    return f"{person}/{number + 1}"


def device_owner(person: str) -> str:
    """The person on whose device somebody plays: themselves, unless they sit beside somebody."""
    return person.partition("/")[0]


_INVISIBLE: Final = message("A name cannot hold control characters or invisible characters.")
_JOINERS: Final = "\u200c\u200d"
"""Invisible characters that Persian, Hindi and emoji cannot do without."""
_FLAG: Final = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)")
"""The flag of a part of a country, which is told by tags that cannot be seen."""
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def visible(text: str) -> str:
    """Return a text without what cannot be seen, or turns the direction of writing; space, joiners and flags stay.

    >>> visible("Ada\\u202e \\u200bKing\\n")
    'Ada King\\n'
    """
    return "".join(part if _FLAG.fullmatch(part) else "".join(filter(_is_visible, part)) for part in _FLAG.split(text))


def _is_visible(sign: str) -> bool:
    return sign.isspace() or sign in _JOINERS or unicodedata.category(sign) not in _HIDDEN


def clean_name(text: str) -> str:
    """The name as somebody may take it: composed (NFC), single spaces. Markup is text like any other.

    Raises `TableRefusal` name as `known_name`, and for one that could pass for another: with letters of several
    scripts, or with something in it that cannot be seen.

    >>> clean_name("  Ada   <b>Lovelace</b> ")
    'Ada <b>Lovelace</b>'
    """
    name = normalize_name(text)
    if has_invisible(name):
        raise TableRefusal(RefusalCode.NAME, _INVISIBLE)
    if (letters := mixed_scripts(name)) is not None:
        one, other = letters
        words = message(
            "“{one}” and “{other}” are letters of two scripts. A name has letters of one, so that it cannot be taken"
            " for somebody else’s.",
            one=one,
            other=other,
        )
        raise TableRefusal(RefusalCode.NAME, words)
    return name


def require_distinct(name: str, others: Iterable[str]) -> None:
    """Raise `TableRefusal` name where one of the others at a table looks alike."""
    if (other := confusable_with(name, others)) is not None:
        words = message(
            "The names “{name}” and “{other}” look the same: nobody at this table could tell them apart. Please take"
            " another one.",
            name=name,
            other=other,
        )
        raise TableRefusal(RefusalCode.NAME, words)


def normalize_name(text: str) -> str:
    """A name that was taken before, here or elsewhere, when more could be one.

    Raises `TableRefusal` name for an empty name, one of more than 80 characters, and one with control
    characters, characters that turn the direction of writing, or none that can be seen.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if visible(name) != name or any(sign.isspace() and unicodedata.category(sign) != "Zs" for sign in name):
        raise TableRefusal(RefusalCode.NAME, _INVISIBLE)
    name = " ".join(name.split())
    if not any(unicodedata.category(ch)[0] in "LNPS" for ch in name):
        raise TableRefusal(RefusalCode.NAME, message("Please give a name."))
    if len(name) > LONGEST_NAME:
        words = message(
            "A name has at most {count} characters; this one has {given}.", count=LONGEST_NAME, given=len(name)
        )
        raise TableRefusal(RefusalCode.NAME, words)
    return name
