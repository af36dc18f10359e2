"""Names that pass for other names, after UTS 39: letters of two scripts in one, invisible signs, two that look alike.

What looks alike stands in `confusables.txt`, which `scripts/confusables` makes from Unicode's list. Libraries bring a
megabyte of that list, and no skeletons.
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


def _prototypes() -> Iterator[tuple[int, str]]:
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        prototype, _, alike = line.partition(" < ")
        if alike:
            text = "".join(chr(int(point, 16)) for point in prototype.split())
            yield from ((int(point, 16), text) for point in alike.split())


_PROTOTYPES: Final = dict(_prototypes())
_OURS: Final = str.maketrans({"l": "1", "w": "vv"})
"""Unicode's list has I, l and 1 under l, from which L must stay apart when case is folded; and it does not have vv."""


def skeleton(name: str) -> str:
    """Return what is left of a name for the eye: each mark counts once on its letter, and a dot not at all on one that
    has it.

    >>> skeleton("Adam") == skeleton("Аdаrn"), skeleton("Zoë") == skeleton("Zoe")
    (True, False)
    """
    seen = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).translate(_PROTOTYPES)).translate(_OURS)
    kept, base, marks = [], "", set[str]()
    for sign in seen:
        if sign in _BLANK or _is_carried(sign):
            continue
        if unicodedata.category(sign)[0] != "M":
            base, marks = sign, set()
        elif sign in marks or (sign == "\u0307" and base in ("i", "j")):
            continue
        else:
            marks.add(sign)
        kept.append(sign)
    return "".join(kept).casefold()


def confusable_with(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the others that this name can be taken for, as they are written or without case; None where
    there is none.
    """
    own = skeleton(name), skeleton(name.casefold())
    return next((one for one in others if skeleton(one) == own[0] or skeleton(one.casefold()) == own[1]), None)


def mixed_scripts(name: str) -> tuple[str, str] | None:
    """A letter, and the first after it that is of another script; None where all may stand together.

    >>> mixed_scripts("Аda"), mixed_scripts("Борис"), mixed_scripts("李雷 Li Lei")
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


def has_invisible(name: str) -> bool:
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
