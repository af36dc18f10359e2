"""What is asked of the component files of every game: kinds of text, bounds, and what may stand there only once.

A bound of one value stands beside its field, as `Annotated[int, Meta(ge=1, le=9)]`; `spieltisch.core.toml_validation`
looks for
it. What concerns several fields is a check of the game's, made of these where it can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from spieltisch.core.words import LANGUAGES, Message, Name, Sentence, message, sentence

Steps: TypeAlias = tuple[str | int, ...]
"""The way to a value of a file: keys of tables, and indices of lists from 0."""

Problem: TypeAlias = tuple[Steps, Message]
"""Steps to a value of a file, and what is wrong with it. Where a value is missing, they lead to where it should be."""

Problems: TypeAlias = Iterator[Problem]

SENTENCE: Final = "sentence"
"""Under this key `extra` of a `Meta` says what is told of a text that its pattern does not fit."""


def error_text(said: Sentence) -> dict[str, Any]:
    """The `extra` of a `Meta`: what is told of a text that does not fit. It may say {path}, {text} and {example}."""
    return {SENTENCE: said}


Id: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9-]+$",
        extra=error_text(sentence("{text} may hold small letters a to z, digits and hyphens only.")),
    ),
]
Letter: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Z]$", extra=error_text(sentence("{path} must be one capital letter from A to Z.")))
]
HexColour: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^#[0-9a-fA-F]{6}$",
        examples=["#a7373a"],
        extra=error_text(sentence("A colour is written like {example}.")),
    ),
]
Pattern: TypeAlias = Literal["solid", "stripes", "dots", "chevrons", "grid", "waves"]
"""What tells pieces apart for those who do not see their colours."""


def check_range(steps: Steps, number: int, least: int, most: int) -> Problems:
    """Bounds that depend on other values.

    >>> [str(what) for _, what in check_range(("players", 0, "limit"), 12, 1, 9)]
    ['12 is not from 1 to 9.']
    """
    if not least <= number <= most:
        yield steps, message("{number} is not from {least} to {most}.", number=number, least=least, most=most)


def check_player_counts(players: Sequence[Any], seats: Sequence[int]) -> Problems:
    """The table `players` says something about every number of players."""
    for number in seats:
        if all(count.players != number for count in players):
            yield ("players",), message("The numbers for {seats} players are missing.", seats=number)


def check_distinct(table: str, things: Sequence[Any], *fields: str) -> Problems:
    """No two things of a table have the same text in a field, or the same name in a language; case does not matter."""
    for field in fields:
        seen: dict[Steps, str] = {}
        for index, thing in enumerate(things):
            value = getattr(thing, field)
            texts = {(lang,): value.text(lang) for lang in LANGUAGES} if isinstance(value, Name) else {(): value}
            for language, text in texts.items():
                other = seen.setdefault((*language, text.casefold()), thing.id)
                if other != thing.id:
                    yield (
                        (table, index, field, *language),
                        message("{path} already has {mark}.", path=f"{table}.{other}", mark=text),
                    )
