"""The ids of people at a table, and the names that they choose."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, Protocol

from spieltisch.core.words import guest_names, message
from spieltisch.tables.confusables import confusable_with, has_invisible, mixed_scripts
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal

MAX_NAME_LENGTH: Final = 80
"""The maximum length of a name, for which the pages are made. A server may set a lower one."""


class Participant(Protocol):
    """A person who takes a seat."""

    @property
    def id(self) -> str:
        """The person's id."""

    @property
    def name(self) -> str:
        """The person's name."""


def hot_seat_id(person: str, number: int) -> str:
    """Return the id of a player on another person's device, in the seat with this number. The device acts for them.

    >>> hot_seat_id("ada", 2), device_owner(hot_seat_id("ada", 2)), device_owner("ada")
    ('ada/3', 'ada', 'ada')
    """
    return f"{person}/{number + 1}"


def device_owner(person: str) -> str:
    """Return the person on whose device this person plays: themselves, unless they are a hot-seat player."""
    return person.partition("/")[0]


_INVISIBLE: Final = message("Names can’t contain control characters or invisible characters.")
_JOINERS: Final = "\u200c\u200d"
"""Invisible characters that Persian, Hindi and emoji need."""
_FLAG: Final = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)")
"""The flag of a part of a country, which is encoded by invisible tags."""
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def visible(text: str) -> str:
    r"""Return a text without invisible characters and those that change the writing direction.

    Spaces, joiners and flags stay.

    >>> visible("Ada\u202e \u200bKing\n")
    'Ada King\n'
    """
    return "".join(part if _FLAG.fullmatch(part) else "".join(filter(_is_visible, part)) for part in _FLAG.split(text))


def _is_visible(char: str) -> bool:
    return char.isspace() or char in _JOINERS or unicodedata.category(char) not in _HIDDEN


def clean_name(text: str, maximum: int = MAX_NAME_LENGTH) -> str:
    """Return a name as a person may choose it: composed (NFC), with single spaces. Markup is text like any other.

    Raise `TableRefusal` name as `normalize_name`, and for a name that could pass for another: with letters of several
    scripts, or with invisible characters.

    >>> clean_name("  Ada   <b>Lovelace</b> ")
    'Ada <b>Lovelace</b>'
    """
    name = normalize_name(text, maximum)
    if has_invisible(name):
        raise TableRefusal(RefusalCode.NAME, _INVISIBLE)
    if (letters := mixed_scripts(name)) is not None:
        first, second = letters
        words = message(
            "“{one}” and “{other}” are from different scripts. Use only one, so that names can’t be confused.",
            one=first,
            other=second,
        )
        raise TableRefusal(RefusalCode.NAME, words)
    return name


def require_distinct(name: str, others: Iterable[str]) -> None:
    """Raise `TableRefusal` name if the name looks like one of the others at the table.

    The default names of guests in all languages look alike, since each reader sees that in the own language.
    """
    others = tuple(others)
    lookalike = confusable_with(name, others)
    if lookalike is None and name in guest_names():
        lookalike = next((other for other in others if other in guest_names()), None)
    if lookalike is not None:
        words = message(
            "“{name}” looks too much like “{other}” at this table. Choose another name.", name=name, other=lookalike
        )
        raise TableRefusal(RefusalCode.NAME, words)


def normalize_name(text: str, maximum: int = MAX_NAME_LENGTH) -> str:
    """Return a name that was chosen earlier or elsewhere, under looser rules.

    Raise `TableRefusal` name for an empty name, one of more than `maximum` characters, and one with control characters,
    characters that change the writing direction, or no visible ones.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if visible(name) != name or any(char.isspace() and unicodedata.category(char) != "Zs" for char in name):
        raise TableRefusal(RefusalCode.NAME, _INVISIBLE)
    name = " ".join(name.split())
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        raise TableRefusal(RefusalCode.NAME, message("Enter a name."))
    if len(name) > maximum:
        words = message(
            "Names may have up to {count} characters; this one has {given}.", count=maximum, given=len(name)
        )
        raise TableRefusal(RefusalCode.NAME, words)
    return name


def clean_message(text: str, max_length: int) -> str:
    r"""Return a message as it is stored: composed (NFC), in one line, without invisible characters.

    Raise `TableRefusal` message for an empty message, and for one of more than `max_length` characters (0: no limit).

    >>> clean_message("  hallo \n there\u202e ", 500)
    'hallo there'
    """
    cleaned = " ".join(unicodedata.normalize("NFC", visible(text)).split())
    if not cleaned:
        raise TableRefusal(RefusalCode.MESSAGE, message("The message is empty."))
    if 0 < max_length < len(cleaned):
        words = message(
            "Messages may have up to {count} characters; this one has {given}.", count=max_length, given=len(cleaned)
        )
        raise TableRefusal(RefusalCode.MESSAGE, words)
    return cleaned
