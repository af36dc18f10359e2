"""Removal of what a person has written into a component file without any effect: comments, and evidence."""

import re
from typing import Final

_PIECE: Final = re.compile(
    r"#[^\n]*"
    r"|(?P<text>\"\"\"(?:[^\\]|\\.)*?\"{3,5}|'''.*?'{3,5}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')",
    re.DOTALL,
)
_EVIDENCE_KEY: Final = re.compile(r"""\bevidence["']?[ \t]*=[ \t]*\Z""")


def without_remarks(text: str) -> str:
    r"""Return a TOML text without its comments, and with "removed" as evidence.

    >>> without_remarks('# from Ada\nof = "a#b"  # her box\nevidence = "lent by Ben"')
    '\nof = "a#b"  \nevidence = "removed"'
    """

    def replacement(piece: re.Match[str]) -> str:
        if piece["text"] is None:
            return ""
        return '"removed"' if _EVIDENCE_KEY.search(text, max(0, piece.start() - 99), piece.start()) else piece[0]

    return _PIECE.sub(replacement, text)
