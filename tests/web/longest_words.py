"""A server that says every message and every name in the language in which it is longest: what has room for it has room
for all of them. `SERVE_LONGEST_WORDS` in `tests/web/conftest.py` starts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from spieltisch.core import words
from spieltisch.core.words import Message, Name

OTHERS: Final = ("de", "fr", "nl")
_read: Final = words._read
_text: Final = Name.text


class _Longest:
    """The catalogues of a folder, as one."""

    def __init__(self, folder: Path) -> None:
        files = [folder / f"{language}.po" for language in OTHERS]
        self._catalogues = [_read(file, file.stat().st_mtime_ns) for file in files]

    def find(self, what: Message) -> str:
        """The longest translation, or "" if there is none, or the English is longer."""
        english = what.plural if what.plural and what.count != 1 else what.text
        longest = max((catalogue.find(what) for catalogue in self._catalogues), key=len)
        return longest if len(longest) > len(english) else ""


def speak() -> None:
    """Show the longest words of all languages to readers of German from now on."""
    patched: Any = words
    patched._read = lambda file, changed: _Longest(file.parent)
    Name.text = lambda self, language: max((_text(self, code) for code in ("en", *OTHERS)), key=len)  # type: ignore[method-assign]  # it speaks one language
