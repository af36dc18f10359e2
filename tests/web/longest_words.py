"""Run a server that shows every message and every name in the language in which it is longest.

A page with room for these words has room for those of all languages. `SERVE_LONGEST_WORDS` in `tests/web/servers.py`
starts this server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from spieltisch.core import words
from spieltisch.core.catalogue import read_catalogue
from spieltisch.core.words import Message, Name

OTHERS: Final = ("de", "fr", "nl")
_text: Final = Name.text


class _Longest:
    """All catalogues of a folder, combined into one catalogue of the longest translations."""

    def __init__(self, folder: Path) -> None:
        files = [folder / f"{language}.po" for language in OTHERS]
        self._catalogues = [read_catalogue(file, file.stat().st_mtime_ns) for file in files]

    def find(self, wanted_message: Message) -> str:
        """Return the longest translation, or "" if the English sentence is longer or has none."""
        english = wanted_message.plural if wanted_message.plural and wanted_message.count != 1 else wanted_message.text
        longest = max((catalogue.find(wanted_message) for catalogue in self._catalogues), key=len)
        return longest if len(longest) > len(english) else ""


def show_longest_words() -> None:
    """Show the longest words of all languages to readers of German from now on."""
    patched: Any = words
    patched.read_catalogue = lambda file, changed: _Longest(file.parent)
    Name.text = lambda self, language: max((_text(self, code) for code in ("en", *OTHERS)), key=len)  # type: ignore[method-assign]  # it speaks one language
