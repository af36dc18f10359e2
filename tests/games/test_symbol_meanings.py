"""Each letter or icon has one meaning on a screen, and capital letters on plates are initials of players."""

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
from tests.games.drawing_helpers import go_on, parse, render, scene, words

SIGNS = re.compile(r"[+−→↷↑×✓=?/▸#*†•]")
"""The signs to find in texts: anything but words, numbers and punctuation."""
NAMES = [
    ["Ada", "Grace", "Mary"],
    ["Mathilda", "Matthew", "Maths"],
    ["Anna", "Albert", "Bot", "Bob", "Ben"],
    ["m", "M"],
]


def written(game: Game, language: str) -> list[tuple[str, str]]:
    assert game.drawing is not None
    return list(game.drawing.symbol_meanings(game.setup(game.seats[-1]), words(game, language)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", game_modules())
def test_no_letter_or_sign_has_two_meanings(key: str, language: str) -> None:
    game = spieltisch.game(key)
    declared = written(game, language)
    assert [sign for sign, many in Counter(sign for sign, _ in declared).items() if many > 1] == []
    assert [meaning for meaning, many in Counter(meaning for _, meaning in declared).items() if many > 1] == []
    assert all(sign and meaning for sign, meaning in declared)
    if "initial" not in render_all(game, language):
        return
    taken = {sign for sign, _ in declared}
    assert [sign for sign in taken if len(sign) == 1 and sign.isupper()] == []
    for names in NAMES:
        plates = initials(names, taken)
        assert len(set(plates)) == len(names)
        assert not taken & set(plates)


def render_all(game: Game, language: str) -> str:
    assert game.drawing is not None
    folder = game.drawing.templates
    return "".join(path.read_text("utf-8") for path in folder.glob("*.html"))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", game_modules())
def test_all_that_is_written_on_the_boards_is_declared(key: str, language: str) -> None:
    game = spieltisch.game(key)
    assert game.drawing is not None
    position, many = game.start(seats=game.seats[-1], seed=5), 0
    meanings = written(game, language)
    declared = {sign for sign, _ in meanings}
    static = game.drawing.static_context(position.setup, words(game, language))
    once = {**static, "icon_names": {}, "symbol_meanings": meanings}  # names are unseen
    while not position.is_over:
        go_on(position)
        if position.number % 40:
            continue
        context = scene(position.observe(0), language)
        letters = {player["initial"] for player in context["players"]}
        page = parse(render(game, "icons.svg", dict(once), language) + render(game, "panel.html", context, language))
        for element in page.iter():
            if "unseen" in (element.get("class") or "").split() or element.get("translate") == "no":
                element.clear()
        for element in page.iter():
            if element.tag.rpartition("}")[2] == "text":
                text = (element.text or "").strip()
                assert text in declared | letters or re.fullmatch(r"×?\d+", text), text
        for text in page.itertext():
            for name in drawing_helpers.NAMES:
                text = text.replace(name, "")
            assert set(SIGNS.findall(text)) <= declared, text
            many += bool(SIGNS.search(text))
    assert many
