"""Names that could pass for others, after UTS 39: mixed scripts, invisible characters, confusable characters.

The confusable characters are listed in `confusables.txt`, which `scripts/confusables` makes from Unicode's list.
Libraries contain a megabyte of that list, but compute no skeletons.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

SCRIPTS_WRITTEN_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""Scripts written together in Japan, Korea and Taiwan, as in the "highly restrictive" level of UTS 39."""

JOINING_SCRIPTS: Final = frozenset(
    {
        *("ARABIC", "BENGALI", "CJK", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "MALAYALAM"),
        *("MYANMAR", "ORIYA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN"),
    }
)
"""Scripts in which an invisible character can change the form of letters."""

_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that are invisible."""


def _prototypes() -> Iterator[tuple[int, str]]:
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        prototype, _, alike = line.partition(" < ")
        if alike:
            text = "".join(chr(int(point, 16)) for point in prototype.split())
            yield from ((int(point, 16), text) for point in alike.split())


_PROTOTYPES: Final = dict(_prototypes())
_EXTRA_PROTOTYPES: Final = str.maketrans({"l": "1", "w": "vv"})
"""Changes to Unicode's list: it maps I, l and 1 to l, which must differ from L when case is folded, and lacks vv."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name, equal for names that look alike.

    A mark counts once on its letter, and a dot not at all on a letter that has one.

    >>> skeleton("Adam") == skeleton("Аdаrn"), skeleton("Zoë") == skeleton("Zoe")
    (True, False)
    """
    text = unicodedata.normalize("NFKD", name).translate(_PROTOTYPES)
    text = unicodedata.normalize("NFKD", text).translate(_EXTRA_PROTOTYPES)
    visible, base, marks = [], "", set[str]()
    for char in text:
        if char in _BLANKS or _is_carried(char):
            continue
        if unicodedata.category(char)[0] != "M":
            base, marks = char, set()
        elif char in marks or (char == "\u0307" and base in ("i", "j")):
            continue
        else:
            marks.add(char)
        visible.append(char)
    return "".join(visible).casefold()


def confusable_with(name: str, others: Iterable[str]) -> str | None:
    """Return the first other name that looks like this one, as written or without case; None if there is none."""
    own = skeleton(name), skeleton(name.casefold())
    return next((other for other in others if skeleton(other) == own[0] or skeleton(other.casefold()) == own[1]), None)


def mixed_scripts(name: str) -> tuple[str, str] | None:
    """Return a letter, and the first one after it in a script that must not be mixed with its; None if there is none.

    >>> mixed_scripts("Аda"), mixed_scripts("Борис"), mixed_scripts("李雷 Li Lei")
    (('А', 'd'), None, None)
    """
    first_letters: dict[str, str] = {}
    for letter in unicodedata.normalize("NFKC", name):
        if (script := script_of(letter)) and script not in first_letters:
            if first_letters and not any(scripts >= {*first_letters, script} for scripts in SCRIPTS_WRITTEN_TOGETHER):
                return next(iter(first_letters.values())), letter
            first_letters[script] = letter
    return None


def script_of(char: str) -> str:
    """Return the script of a letter or digit; "" for characters common to all: ASCII digits, marks, punctuation.

    Unicode's name of a letter begins with its script. Python knows these names, but has no table of scripts.

    >>> script_of("ж"), script_of("7"), script_of("々")
    ('CYRILLIC', '', 'CJK')
    """
    category = unicodedata.category(char)
    if (category[0] != "L" and category != "Nd") or char in "0123456789":
        return ""
    script = unicodedata.name(char, "").partition(" ")[0].partition("-")[0]
    return {"IDEOGRAPHIC": "CJK", "MODIFIER": ""}.get(script, script)


def has_invisible(name: str) -> bool:
    """Return True if a name contains an invisible character that does not change the one before it."""
    base = ""
    for char in name:
        if char in _BLANKS or (_is_carried(char) and not (base and _can_carry_mark(base))):
            return True
        if unicodedata.category(char)[0] != "M" and not _is_carried(char):
            base = char
    return False


def _is_carried(char: str) -> bool:
    """Return True for a joiner or a variation selector."""
    return char in "\u200c\u200d" or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _can_carry_mark(base: str) -> bool:
    return unicodedata.category(base) in ("So", "Sk") or script_of(base) in JOINING_SCRIPTS
