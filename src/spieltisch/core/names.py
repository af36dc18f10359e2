"""Names in four languages, names of players, and the languages themselves."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, get_args

import msgspec

Language = Literal["en", "de", "fr", "nl"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
REGIONS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": ("GB", "US"),
    "de": ("DE", "AT", "CH"),
    "fr": ("FR", "BE", "CA", "CH"),
    "nl": ("NL", "BE"),
}
"""The regions whose dates, times and numbers are known, by language; readers from elsewhere get those of the first."""
_REMOVED_PREFIX: Final = "\x1a"
"""The first character of the text that replaces a removed name. No person can have such a name."""


class WordsError(ValueError):
    """A message, translation or language that cannot be used. The text names it and the reason."""


class Name(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A name in four languages, as in a component file, or in English alone, which then is the name in all of them.

    >>> Name(en="Ruby", de="Rubin", fr="Rubis", nl="Robijn").text("de"), Name("Goofspiel").text("de")
    ('Rubin', 'Goofspiel')
    """

    en: str
    de: str = ""
    fr: str = ""
    nl: str = ""

    def text(self, language: str) -> str:
        """Return the name in `language`. Raise `WordsError` if it is not one of `LANGUAGES`."""
        known = known_language(language)
        text = str(getattr(self, known)) or self.en
        return tie_punctuation(text) if known == "fr" else text

    def __str__(self) -> str:
        return self.en


class SeatName(msgspec.Struct, frozen=True, tag=True):
    """A player, by seat (from 0): the name at the table, or "Player 1" if there is none.

    >>> SeatName(0).seat
    0
    """

    seat: int


def removed_person_name(number: int) -> str:
    """Return the text that replaces the name of a removed person. It is translated like a message.

    >>> from spieltisch.core.words import Words
    >>> Words("de").say(removed_person_name(2)), Words("en").say(SeatName(0), names=[removed_person_name(1)])
    ('Gast 2', 'Guest 1')
    """
    return f"{_REMOVED_PREFIX}{number}"


def removed_person_number(name: str) -> int | None:
    """Return the number of a removed person; None for an ordinary name."""
    number = name.removeprefix(_REMOVED_PREFIX)
    return int(number) if number != name and number.isascii() and number.isdecimal() and len(number) < 5 else None


def known_language(language: str) -> Language:
    """Return the language. Raise `WordsError` if it is not one of `LANGUAGES`."""
    for known in LANGUAGES:
        if language == known:
            return known
    raise WordsError(f"no such language: {language!r}; there are {', '.join(LANGUAGES)}")


def language_tag(language: str, region: str = "") -> str:
    """Return a language with a region, as in a `lang` attribute; with the first of its `REGIONS` for any other region.

    >>> language_tag("de", "AT"), language_tag("en"), language_tag("nl", "SR")
    ('de-AT', 'en-GB', 'nl-NL')
    """
    regions = REGIONS[known_language(language)]
    return f"{language}-{region if region in regions else regions[0]}"


def base_language(tag: str) -> Language:
    """Return the language of a tag without its region. Raise `WordsError` if it is not one of `LANGUAGES`.

    >>> base_language("de-AT"), base_language("de")
    ('de', 'de')
    """
    return known_language(tag.partition("-")[0])


@lru_cache(maxsize=4096)
def tie_punctuation(text: str) -> str:
    """Return French text with no-break spaces: no line begins with a colon or ends with an opening quotation mark."""
    return re.sub(r" (?=[:;?!»%])|(?<=«) ", "\N{NO-BREAK SPACE}", text)
