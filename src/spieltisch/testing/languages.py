"""Checks of the four languages: title, rules page and catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable

from spieltisch.core.game import Game
from spieltisch.core.words import LANGUAGES
from spieltisch.testing.contract import require


def check_languages(game: Game) -> None:
    """Check that title and rules page exist in all four languages, with every rule, and catalogues for all or for none.

    Raise ContractBroken, which names the missing languages.
    """
    _complete((language for language in LANGUAGES if game.title.text(language)), "the title has no text in")
    folder = game.folder / "pages"
    pages = {language: folder / f"rules.{language}.md" for language in LANGUAGES}
    _complete((language for language, page in pages.items() if page.exists()), f"{folder}: there is no rules page in")
    rules = {language: re.findall(r"\*\*([A-Z]\d+)\*\*", page.read_text("utf-8")) for language, page in pages.items()}
    for rule in game.rule_names.values():
        _complete(
            (language for language in LANGUAGES if rule in rules[language]), f"{rule} is not on the rules page in"
        )
    catalogues = game.folder / "locale"
    if catalogues.is_dir():
        present = (language for language in LANGUAGES if (catalogues / f"{language}.po").exists())
        _complete(("en", *present), f"{catalogues}: there is no catalogue in")


def _complete(present: Iterable[str], subject: str) -> None:
    present_languages = set(present)
    missing = [language for language in LANGUAGES if language not in present_languages]
    require(not missing, f"{subject} {', '.join(missing)}")
