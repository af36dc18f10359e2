"""Find untranslated words on a page rendered in the pseudo-locale `[!! ļïķé ţĥïš !!]`."""

import re
from html.parser import HTMLParser

SPOKEN = {"alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title"}
SILENT = {"script", "style", "template"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def escaped(page: str) -> list[str]:
    """Return the texts and spoken attributes of an HTML page that have letters outside `[!! !!]`.

    Text that needs no translation (a player's name, a move's text form) is in an element with `translate="no"`. The
    name of the software needs no translation.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[tuple[str, bool]] = []  # the open elements, and whether their text counts
        self._depth = 0  # a sentence may hold elements, so this goes on from text to text

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        counts = (
            (not self._inside or self._inside[-1][1]) and tag not in SILENT and ("translate", "no") not in attributes
        )
        for name, value in attributes:
            if counts and (name in SPOKEN or (tag == "input" and name == "value" and ("type", "submit") in attributes)):
                self._look(value or "", 0)
        if tag not in VOID:
            self._inside.append((tag, counts))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self._inside.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self._depth = self._look(data, self._depth, not self._inside or self._inside[-1][1])

    def _look(self, text: str, depth: int, counts: bool = True) -> int:
        for part in re.split(r"(\[!!|!!\])", text):
            if part == "[!!":
                depth += 1
            elif part == "!!]":
                depth -= 1
            elif counts and not depth and re.search(r"[^\W\d_]{2}", part.replace("Spieltisch", "")):
                self.found.append(" ".join(part.split()))
        return depth
