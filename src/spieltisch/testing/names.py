"""Checks of names and languages: fields of a state, moves and draws; title, rules page and catalogues."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from spieltisch.core.game import Game
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.testing.contract import require


def check_names(game: Game) -> None:
    """Check the names of fields and moves.

    Fields must not clash with the methods of an array, texts and numbers must correspond one to one, and labels must
    exist in four languages. Raise ContractBroken.

    >>> import spieltisch
    >>> check_names(spieltisch.game("paris-connection"))
    """
    for dtype in (game.State, game.View, game.Params, game.Work):
        clash = set(_field_names(dtype)) & set(dir(np.record))
        require(not clash, f"field names that are methods of an array: {', '.join(sorted(clash))}")
    for count in game.seats:
        setup = game.setup(count)
        for move in setup.moves:
            words = setup.words(move)
            require(
                setup.move(move.text) == move and setup.move(move.number) == move, f"{move.text!r} does not parse back"
            )
            require(" ".join(word.text for word in words) == move.text, f"{move.text!r} is not its words")
            for phrasing in game.alternative_phrasings(setup, move.number):
                same = sorted(word.text for word in phrasing) == sorted(word.text for word in words)
                require(same, f"{' '.join(word.text for word in phrasing)!r} has other words than {move.text!r}")
        numbered = [number for number in range(game.moves) if game.words(setup, number)]
        require([move.number for move in setup.moves] == numbered, "two moves have the same text")
        for earlier, later in pairwise(
            sorted(tuple(word.text for word in words) for move in setup.moves for words in setup.phrasings(move))
        ):
            require(
                later[: len(earlier)] != earlier,
                f"{' '.join(earlier)!r} is the beginning of {' '.join(later)!r}: half a sentence is no move",
            )
        codes = game.draw_texts(setup)
        require(len(set(codes)) == len(codes), "two draws have the same text")
    for language in LANGUAGES:
        Words(language, game.folder / "locale").say(game.title)


def check_languages(game: Game) -> tuple[str, ...]:
    """Check that title and rules page exist in all four languages, with every rule, and catalogues for all or for none.

    A game in English alone is accepted; return what it lacks. Raise ContractBroken, which names the missing languages.
    """
    _complete((language for language in LANGUAGES if game.title.text(language)), "the title has no text in")
    folder = game.folder / "pages"
    pages = {language: folder / f"rules.{language}.md" for language in LANGUAGES}
    written = [language for language, page in pages.items() if page.exists()]
    catalogues = game.folder / "locale"
    is_english = written == ["en"] and not catalogues.is_dir()
    if not is_english:
        _complete(written, f"{folder}: there is no rules page in")
    rules = {language: re.findall(r"\*\*([A-Z]\d+)\*\*", pages[language].read_text("utf-8")) for language in written}
    for rule in game.rule_names.values():
        lacking = [language for language in written if rule not in rules[language]]
        require(not lacking, f"{rule} is not on the rules page in {', '.join(lacking)}")
    if catalogues.is_dir():
        present = (language for language in LANGUAGES if (catalogues / f"{language}.po").exists())
        _complete(("en", *present), f"{catalogues}: there is no catalogue in")
    others = ", ".join(language for language in LANGUAGES if language != "en")
    return (f"rules page: {others}", f"catalogue: {others}") if is_english else ()


def _field_names(dtype: Any) -> Iterator[str]:
    for name in dtype.names or ():
        yield name
        yield from _field_names(dtype[name].base)


def _complete(present: Iterable[str], subject: str) -> None:
    present_languages = set(present)
    missing = [language for language in LANGUAGES if language not in present_languages]
    require(not missing, f"{subject} {', '.join(missing)}")
