"""Names that pass for other names: letters of two scripts in one, invisible signs, two that look the same.

The table of letters is our own, a few kilobytes of Unicode's list: what can be had as a library brings a megabyte of
it, and does not reduce a name to its looks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""What is written together in Japan, Korea and Taiwan, as the "highly restrictive" level of UTS 39 has it."""

JOINING: Final = frozenset(
    {
        *("ARABIC", "BENGALI", "CJK", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "MALAYALAM"),
        *("MYANMAR", "ORIYA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN"),
    }
)
"""Scripts whose letters change their form by a sign that is not seen itself."""

_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that cannot be seen."""


def _look() -> Iterator[tuple[int, str]]:
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    for line in lines:
        if not line.startswith("#"):
            yield from ((ord(letter), line[0]) for letter in line)
    yield from {ord("m"): "rn", ord("w"): "vv"}.items()


_LOOKS: Final = dict(_look())


def looks(name: str) -> str:
    """What is left of a name for the eye: two that leave the same cannot be told apart.

    >>> looks("Adam") == looks("Аdаrn"), looks("Zoë") == looks("Zoe")
    (True, False)
    """
    seen = unicodedata.normalize("NFKD", name.translate(_LOOKS)).translate(_LOOKS)
    return "".join(sign for sign in seen if sign not in _BLANK and not _is_carried(sign)).casefold()


def two_scripts(name: str) -> tuple[str, str] | None:
    """A letter, and the first after it that is of another script; None where all may stand together.

    >>> two_scripts("Аda"), two_scripts("Борис"), two_scripts("李雷 Li Lei")
    (('А', 'd'), None, None)
    """
    first: dict[str, str] = {}
    for letter in unicodedata.normalize("NFKC", name):
        if (script := script_of(letter)) and script not in first:
            if first and not any(kinds >= {*first, script} for kinds in TOGETHER):
                return next(iter(first.values())), letter
            first[script] = letter
    return None


def script_of(sign: str) -> str:
    """The script of a letter or digit, "" for what belongs to all: ASCII digits, marks, punctuation.

    Unicode's name of a letter begins with its script; Python knows the names, and no table of scripts.

    >>> script_of("ж"), script_of("7"), script_of("々")
    ('CYRILLIC', '', 'CJK')
    """
    kind = unicodedata.category(sign)
    if (kind[0] != "L" and kind != "Nd") or sign in "0123456789":
        return ""
    first = unicodedata.name(sign, "").partition(" ")[0].partition("-")[0]
    return {"IDEOGRAPHIC": "CJK", "MODIFIER": ""}.get(first, first)


def unseen(name: str) -> bool:
    """Whether something in the name cannot be seen, and does not change how the sign before it is drawn."""
    base = ""
    for sign in name:
        if sign in _BLANK or (_is_carried(sign) and not (base and _carries(base))):
            return True
        if unicodedata.category(sign)[0] != "M" and not _is_carried(sign):
            base = sign
    return False


def _is_carried(sign: str) -> bool:
    """Joiners, and the selectors of a variant."""
    return sign in "\u200c\u200d" or "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"


def _carries(base: str) -> bool:
    return unicodedata.category(base) in ("So", "Sk") or script_of(base) in JOINING


def same_looks(name: str, others: Iterable[str]) -> str | None:
    """The first of the others that cannot be told apart from this name."""
    return next((other for other in others if looks(other) == looks(name)), None)
