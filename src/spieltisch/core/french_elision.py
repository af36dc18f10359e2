"""French elision: "de" becomes "d’" before "Élodie" and remains "de" before "Hugo".

A sentence in the catalogue contains "de {player}". Only when `Words` inserts the name is the right form known.

>>> elide("La place de ", "Élodie"), elide("La place de ", "Hugo"), elide("La place de ", "Hélène")
('La place d’', 'La place de ', 'La place d’')
"""

import re
import unicodedata
from typing import Final

_ELIDED: Final = re.compile(r"(?<![\w’])((?:[lL]ors|[pP]uis|[jJ]us|[qQ]uoi)?[qQ]u|[dDlLnNjJsSmMtT])(?:e|(?<=[lL])a) $")
"""Words that lose their vowel, at the end of the text before a value."""

_MUTE: Final = (
    *(
        "habi",
        "hadri",
        "harmon",
        "hect",
        "helen",
        "heli",
        "helo",
        "henri",
        "hera",
        "herb",
        "hercul",
        "hermes",
        "hermi",
        "herve",
    ),
    *(
        "heur",
        "hilair",
        "hildegard",
        "hippo",
        "hirond",
        "histo",
        "homer",
        "homm",
        "honor",
        "hopit",
        "horac",
        "horl",
        "horten",
    ),
    *("hospi", "hote", "hubert", "huil", "hyac", "hydr", "hyp"),
)
"""The beginnings of names and words with a mute h. Any other h is aspirated, as in Hugo and most foreign names."""


def ends_with_elidable_word(literal: str) -> bool:
    """Return True if the last word loses its vowel before a vowel sound."""
    return _ELIDED.search(literal) is not None


def elide(literal: str, text: str) -> str:
    """Return the literal in the form that it has before this text."""
    return _ELIDED.sub(r"\1’", literal) if starts_with_vowel_sound(text) else literal


def starts_with_vowel_sound(text: str) -> bool:
    """Return True if the text begins with a vowel sound.

    A mute h counts, and a y before a consonant (Yves); a letter of another script does not. Tags before the text are
    ignored.
    """
    base = unicodedata.normalize("NFKD", re.sub("<[^>]*>", "", text).casefold())
    letters = "".join(char for char in base if not unicodedata.combining(char))
    if letters.startswith(("y", "h")):
        return letters.startswith(_MUTE) or re.match(r"y[^aeiouy\W]", letters) is not None
    return letters[:1] in tuple("aeiouœæøı") and not re.match(r"(onz|oui\b|uhlan)", letters)
