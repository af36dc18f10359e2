"""A catalogue of translations, as read from its .po file."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.pofile import PoFileError, read_po

from spieltisch.core.names import WordsError, tie_punctuation

if TYPE_CHECKING:
    from spieltisch.core.words import Message


class Catalogue:
    """The translations in a .po file. Fuzzy entries are left out because no one has confirmed them."""

    def __init__(self, file: Path) -> None:
        try:
            with file.open("rb") as opened:
                catalogue = read_po(opened, abort_invalid=True)
            self._form: Callable[[int], int] = gettext.c2py(catalogue.plural_expr)
        except (PoFileError, ValueError) as error:
            raise WordsError(f"{file}: {error}") from error
        typeset: Callable[[str], str] = tie_punctuation if file.stem == "fr" else str
        self._one: dict[str, str] = {}
        self._several: dict[tuple[str, str], tuple[str, ...]] = {}
        for entry in catalogue:
            if not entry.id or entry.fuzzy or not entry.string:
                continue
            if isinstance(entry.id, str):
                self._one[entry.id] = typeset(str(entry.string))
            else:
                self._several[entry.id[0], entry.id[1]] = tuple(map(typeset, entry.string))

    def find(self, what: Message) -> str:
        """Return the translated sentence, or "" if there is none."""
        if not what.plural:
            return self._one.get(what.text, "")
        forms = self._several.get((what.text, what.plural))
        return forms[self._form(abs(what.count))] if forms else ""


@lru_cache(maxsize=64)
def read_catalogue(file: Path, changed: int) -> Catalogue:
    """Return the catalogue in a file. `changed`, its time stamp, makes an edited file a new entry of the cache."""
    return Catalogue(file)
