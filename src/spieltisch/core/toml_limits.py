"""Limits on the depth and length of a TOML text, checked in one pass before it is parsed.

`tomllib` takes time quadratic in the dots of a key, and recurses for every bracket. An uploaded file is read in a
process that may be killed (`spieltisch.live.component_library`); these limits are for stored files, which the server
reads itself and which may have come with a database from elsewhere.
"""

import re
from typing import Final

from spieltisch.core.words import Message, message

MAX_FILE_BYTES: Final = 1 << 18
"""The largest size of a component file in bytes."""

MAX_LINE_LENGTH: Final = 1000
"""The longest line, in characters."""

MAX_TEXT_LENGTH: Final = 4000
"""The longest text over several lines, in characters: it may become part of a path, and of that of every finding."""

MAX_DEPTH: Final = 8
"""The largest number of steps in a key, and of nested lists and tables."""

_PIECE: Final = re.compile(
    r"\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|(?P<mark>[\[\]{}=,.\n])|(?P<open>[\"'])"
)
_END: Final = {
    '"""': re.compile(rf"(?:[^\\]|\\.){{0,{MAX_TEXT_LENGTH}}}?\"{{3,5}}", re.DOTALL),
    "'''": re.compile(rf".{{0,{MAX_TEXT_LENGTH}}}?'{{3,5}}", re.DOTALL),
}


def first_violation(text: str) -> Message | None:
    r"""Return a message about the first line that exceeds these limits; None if there is none.

    A text that is not TOML is checked up to an unterminated string, where every parser stops.

    >>> str(first_violation("[harbour]\na.b.c.d.e.f.g.h.i = 1"))
    'Line 2: a key has more than 8 levels.'
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES:
        return message("The file is larger than {count} bytes.", count=MAX_FILE_BYTES)
    for number, length in enumerate(map(len, text.split("\n")), start=1):
        if length > MAX_LINE_LENGTH:
            return message("Line {line} is longer than {count} characters.", line=str(number), count=MAX_LINE_LENGTH)
    return _too_deep(text)


def _too_deep(text: str) -> Message | None:
    offset = dots = brackets = 0
    while (piece := _PIECE.search(text, offset)) is not None and piece["open"] is None:
        offset = piece.end()
        if (end := _END.get(piece[0])) is not None:
            closed = end.match(text, offset)
            if closed is None and text.find(piece[0], offset) < 0:
                return None
            if closed is None:
                return message(
                    "Line {line}: a text is longer than {count} characters.",
                    line=_line(text, offset),
                    count=MAX_TEXT_LENGTH,
                )
            offset = closed.end()
        elif piece["mark"] == ".":
            dots += 1
        elif piece["mark"] is not None:
            dots = 0
            brackets += (piece["mark"] in "[{") - (piece["mark"] in "]}")
        if dots >= MAX_DEPTH:
            return message(
                "Line {line}: a key has more than {count} levels.", line=_line(text, offset), count=MAX_DEPTH
            )
        if brackets > MAX_DEPTH:
            return message("Line {line}: lists are nested too deeply.", line=_line(text, offset))
    return None


def _line(text: str, offset: int) -> str:
    return str(text.count("\n", 0, offset) + 1)
