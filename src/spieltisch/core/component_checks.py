"""Checks of component files that all games share: types of text, ranges, and unique values.

The range of a single value is declared with its field, as `Annotated[int, Meta(ge=1, le=9)]`, and checked by
`spieltisch.core.toml_validation`. A game checks several fields together with functions that use these where possible.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from spieltisch.core.words import LANGUAGES, Message, Name, Sentence, message, sentence

Steps: TypeAlias = tuple[str | int, ...]
"""The address of a value in a file: keys of tables, and indices of lists from 0."""

Problem: TypeAlias = tuple[Steps, Message]
"""The steps to a value of a file, and the message about it. If a value is missing, its place."""

Problems: TypeAlias = Iterator[Problem]
"""The problems that a check found."""

SENTENCE: Final = "sentence"
"""The key in `extra` of a `Meta` for the message about a text that does not match its pattern."""


def error_text(pattern_error: Sentence) -> dict[str, Any]:
    """Return the `extra` of a `Meta` with the message about a text that does not match.

    It may contain {path}, {text} and {example}.
    """
    return {SENTENCE: pattern_error}


Id: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9-]+$",
        extra=error_text(sentence("{text} may only contain lowercase letters a to z, digits and hyphens.")),
    ),
]
Letter: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Z]$", extra=error_text(sentence("{path} must be one capital letter from A to Z.")))
]
HexColour: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^#[0-9a-fA-F]{6}$", examples=["#a7373a"], extra=error_text(sentence("Write colours like {example}."))
    ),
]
Pattern: TypeAlias = Literal["solid", "stripes", "dots", "chevrons", "grid", "waves"]
"""The patterns that distinguish pieces for players who cannot see their colours."""


def check_range(steps: Steps, number: int, minimum: int, maximum: int) -> Problems:
    """Yield a problem if a number is out of a range that depends on other values.

    >>> [str(what) for _, what in check_range(("players", 0, "limit"), 12, 1, 9)]
    ['12 is not between 1 and 9.']
    """
    if not minimum <= number <= maximum:
        yield steps, message("{number} is not between {least} and {most}.", number=number, least=minimum, most=maximum)


def check_player_counts(players: Sequence[Any], seats: Sequence[int]) -> Problems:
    """Yield a problem for each number of players that the table `players` lacks."""
    for number in seats:
        if all(count.players != number for count in players):
            yield ("players",), message("The values for {seats} players are missing.", seats=number)


def check_distinct(table: str, items: Sequence[Any], *fields: str) -> Problems:
    """Yield a problem for each pair of items in a table with the same text in a field, or the same name in a language.

    Case is ignored.
    """
    for field in fields:
        owners: dict[Steps, str] = {}
        for index, item in enumerate(items):
            value = getattr(item, field)
            texts = {(lang,): value.text(lang) for lang in LANGUAGES} if isinstance(value, Name) else {(): value}
            for language, text in texts.items():
                owner = owners.setdefault((*language, text.casefold()), item.id)
                if owner != item.id:
                    yield (
                        (table, index, field, *language),
                        message("{path} already has {mark}.", path=f"{table}.{owner}", mark=text),
                    )
