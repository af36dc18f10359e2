"""French elision: "de" before "Élodie" is "d’Élodie", before "Hugo" it stays.

A sentence of the catalogue says "de {player}"; `Words` puts the name in, and only then is it known which form is right.

>>> elide("La place de ", "Élodie"), elide("La place de ", "Hugo"), elide("La place de ", "Hélène")
('La place d’', 'La place de ', 'La place d’')
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ELIDED: Final = re.compile(r"(?<![\w’])((?:[lL]ors|[pP]uis|[jJ]us|[qQ]uoi)?[qQ]u|[dDlLnNjJsSmMtT])(?:e|(?<=[lL])a) $")
"""The words that lose their vowel, at the end of what stands before a value."""

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
"""How names and words with a mute h begin; any other h is heard, as that of Hugo and of foreign names mostly is."""


def ends_with_elidable_word(literal: str) -> bool:
    """Whether the last word is one that loses its vowel before another."""
    return _ELIDED.search(literal) is not None


def elide(literal: str, text: str) -> str:
    """The literal as it stands before this text."""
    return _ELIDED.sub(r"\1’", literal) if starts_with_vowel_sound(text) else literal


def starts_with_vowel_sound(text: str) -> bool:
    """Whether the text begins with the sound of a vowel: a mute h does, as does a y before a consonant (Yves), and a
    letter of another script does not. Tags before it do not count.
    """
    base = unicodedata.normalize("NFKD", re.sub("<[^>]*>", "", text).casefold())
    letters = "".join(one for one in base if not unicodedata.combining(one))
    if letters.startswith(("y", "h")):
        return letters.startswith(_MUTE) or re.match(r"y[^aeiouy\W]", letters) is not None
    return letters[:1] in tuple("aeiouœæøı") and not re.match(r"(onz|oui\b|uhlan)", letters)
