"""Check that each letter or icon on a screen has one meaning."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.words import LANGUAGES
from spieltisch.drawing.text_fitting import initials
from spieltisch.games import game_modules
from tests.games import drawing_helpers
from tests.games.drawing_helpers import parse, play_some_move, render, scene_context, words

SYMBOLS = re.compile(r"[+−→↷↑×✓=?/▸#*†•]")
"""The symbols to find in texts: anything but words, numbers and punctuation."""
NAMES = [
    ["Ada", "Grace", "Mary"],
    ["Mathilda", "Matthew", "Maths"],
    ["Anna", "Albert", "Bot", "Bob", "Ben"],
    ["m", "M"],
]


def written_symbols(game: Game, language: str) -> list[tuple[str, str]]:
    assert game.drawing is not None
    return list(game.drawing.symbol_meanings(game.setup(game.seats[-1]), words(game, language)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", game_modules())
def test_no_letter_or_symbol_on_a_screen_has_two_meanings(key: str, language: str) -> None:
    game = spieltisch.game(key)
    declared = written_symbols(game, language)
    assert [symbol for symbol, count in Counter(symbol for symbol, _ in declared).items() if count > 1] == []
    assert [meaning for meaning, count in Counter(meaning for _, meaning in declared).items() if count > 1] == []
    assert all(symbol and meaning for symbol, meaning in declared)
    if "initial" not in render_all(game, language):
        return
    taken_symbols = {symbol for symbol, _ in declared}
    assert [symbol for symbol in taken_symbols if len(symbol) == 1 and symbol.isupper()] == []
    for names in NAMES:
        plates = initials(names, taken_symbols)
        assert len(set(plates)) == len(names)
        assert not taken_symbols & set(plates)


def render_all(game: Game, language: str) -> str:
    assert game.drawing is not None
    folder = game.drawing.templates
    return "".join(path.read_text("utf-8") for path in folder.glob("*.html"))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", game_modules())
def test_every_letter_and_symbol_on_the_boards_is_declared(key: str, language: str) -> None:
    game = spieltisch.game(key)
    assert game.drawing is not None
    position, count = game.start(seats=game.seats[-1], seed=5), 0
    meanings = written_symbols(game, language)
    declared = {symbol for symbol, _ in meanings}
    static = game.drawing.static_context(position.setup, words(game, language))
    static_names = {**static, "icon_names": {}, "symbol_meanings": meanings}  # these names are visually hidden
    while not position.is_over:
        play_some_move(position)
        if position.number % 40:
            continue
        context = scene_context(position.observe(0), language)
        letters = {player["initial"] for player in context["players"]}
        page = parse(
            render(game, "icons.svg", dict(static_names), language) + render(game, "panel.html", context, language)
        )
        for element in page.iter():
            if "visually-hidden" in (element.get("class") or "").split() or element.get("translate") == "no":
                element.clear()
        for element in page.iter():
            if element.tag.rpartition("}")[2] == "text":
                text = (element.text or "").strip()
                assert text in declared | letters or re.fullmatch(r"×?\d+", text), text
        for text in page.itertext():
            for name in drawing_helpers.NAMES:
                text = text.replace(name, "")
            assert set(SYMBOLS.findall(text)) <= declared, text
            count += bool(SYMBOLS.search(text))
    assert count
