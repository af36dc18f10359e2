"""How deep and how long a TOML text may be, looked at in one pass before it is parsed.

`tomllib` takes time with the square of a key's dots, and calls itself for every bracket. A file that is brought is read
in a process that may be ended (`spieltisch.live.component_library`); these bounds are for the stored ones, which the
server reads itself, and which may have come with a database from elsewhere.
"""

from __future__ import annotations

import re
from typing import Final

from spieltisch.core.words import Message, message

LARGEST: Final = 1 << 18
"""The most bytes a component file may have."""

LONGEST_LINE: Final = 1000
"""The most letters a line may have."""

LONGEST_TEXT: Final = 4000
"""The most letters a text over several lines may have: it may become part of a path, and that of every finding."""

MAX_DEPTH: Final = 8
"""The most steps a key may have, and the most lists and tables inside each other."""

_PIECE: Final = re.compile(
    r"\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|(?P<sign>[\[\]{}=,.\n])|(?P<open>[\"'])"
)
_END: Final = {
    '"""': re.compile(rf"(?:[^\\]|\\.){{0,{LONGEST_TEXT}}}?\"{{3,5}}", re.DOTALL),
    "'''": re.compile(rf".{{0,{LONGEST_TEXT}}}?'{{3,5}}", re.DOTALL),
}


def first_violation(text: str) -> Message | None:
    """Say how, and in which line first, a text goes beyond these bounds; None for one that keeps them.

    A text that is not TOML is looked at up to the string that does not end: no parser goes on from there.

    >>> str(first_violation("[harbour]\\na.b.c.d.e.f.g.h.i = 1"))
    'Line 2: a key has more than 8 steps.'
    """
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        return message("The file is larger than {count} bytes.", count=LARGEST)
    for number, letters in enumerate(map(len, text.split("\n")), start=1):
        if letters > LONGEST_LINE:
            return message("Line {line} is longer than {count} letters.", line=str(number), count=LONGEST_LINE)
    return _too_deep(text)


def _too_deep(text: str) -> Message | None:
    at = dots = brackets = 0
    while (piece := _PIECE.search(text, at)) is not None and piece["open"] is None:
        at = piece.end()
        if (end := _END.get(piece[0])) is not None:
            closed = end.match(text, at)
            if closed is None and text.find(piece[0], at) < 0:
                return None
            if closed is None:
                return message(
                    "Line {line}: a text is longer than {count} letters.", line=_line(text, at), count=LONGEST_TEXT
                )
            at = closed.end()
        elif piece["sign"] == ".":
            dots += 1
        elif piece["sign"] is not None:
            dots = 0
            brackets += (piece["sign"] in "[{") - (piece["sign"] in "]}")
        if dots >= MAX_DEPTH:
            return message("Line {line}: a key has more than {count} steps.", line=_line(text, at), count=MAX_DEPTH)
        if brackets > MAX_DEPTH:
            return message("Line {line}: lists stand too deep inside each other.", line=_line(text, at))
    return None


def _line(text: str, at: int) -> str:
    return str(text.count("\n", 0, at) + 1)
