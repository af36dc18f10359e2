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
    """Check that names and rules page exist in all four languages, with every rule, and catalogues for all or for none.

    A game in English alone is accepted; return what it lacks. Raise ContractBroken, which names the missing languages.
    """
    titled = [language for language in LANGUAGES if getattr(game.title, language)]
    folder = game.folder / "pages"
    pages = {language: folder / f"rules.{language}.md" for language in LANGUAGES}
    written = [language for language, page in pages.items() if page.exists()]
    catalogues = game.folder / "locale"
    is_english = written == ["en"] and not catalogues.is_dir()
    if not is_english:
        _require_complete(written, f"{folder}: there is no rules page in")
        _check_component_names(game)
    if titled != ["en"] or not is_english:
        _require_complete(titled, "the title has no text in")
    rules = {language: re.findall(r"\*\*([A-Z]\d+)\*\*", pages[language].read_text("utf-8")) for language in written}
    for rule in game.rule_names.values():
        lacking = [language for language in written if rule not in rules[language]]
        require(not lacking, f"{rule} is not on the rules page in {', '.join(lacking)}")
    if catalogues.is_dir():
        present = (language for language in LANGUAGES if (catalogues / f"{language}.po").exists())
        _require_complete(("en", *present), f"{catalogues}: there is no catalogue in")
    others = ", ".join(language for language in LANGUAGES if language != "en")
    title = (f"title: {others}",) if titled == ["en"] else ()
    return (*title, f"rules page: {others}", f"catalogue: {others}") if is_english else ()


def _check_component_names(game: Game) -> None:
    paths = {path for path, *_ in game.components.values()}
    for name in sorted(path.removesuffix(".en") for path in paths if path.endswith(".en")):
        _require_complete(
            (language for language in LANGUAGES if f"{name}.{language}" in paths), f"{name} has no text in"
        )


def _field_names(dtype: Any) -> Iterator[str]:
    for name in dtype.names or ():
        yield name
        yield from _field_names(dtype[name].base)


def _require_complete(present: Iterable[str], subject: str) -> None:
    present_languages = set(present)
    missing = [language for language in LANGUAGES if language not in present_languages]
    require(not missing, f"{subject} {', '.join(missing)}")
