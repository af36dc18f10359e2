"""The style sheets of the site and of the games stand in one page, and must not style each other's things."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from spieltisch.drawing.environment import TEMPLATES
from spieltisch.games import game, game_modules
from spieltisch.web.http.assets import STATIC

SHARED = {"chip", "sign", "signs", "piece", "is-target", "is-blocked", "is-chosen", "is-again", "is-pointed"}
"""Classes by which the site and the games speak of the same things."""


def selectors(sheet: str) -> Iterator[set[str]]:
    """The classes of each selector, and the beginnings of classes that it names."""
    plain = re.sub(r"/\*.*?\*/|\{[%{].*?[%}]\}", "", sheet, flags=re.DOTALL)
    for rule in re.finditer(r"([^{}]+)\{[^{}]*\}", plain):
        for selector in rule[1].split(","):
            if names := set(re.findall(r"(?:\.|\[class\*=\")([A-Za-z][\w-]*)", selector)):
                yield names


def test_classes_are_found() -> None:
    sheet = "/* .no */ .a, .b > .c:is(.d) { color: red; } @media print { .e { top: 0; } }"
    assert list(selectors(sheet)) == [{"a"}, {"b", "c", "d"}, {"e"}]


@pytest.mark.parametrize("key", [key for key in game_modules() if game(key).drawing])
def test_a_game_styles_nothing_of_the_site(key: str) -> None:
    """A selector of a game names something that only the game has."""
    site = set().union(*(names for file in (STATIC / "css").glob("*.css") for names in selectors(file.read_text())))
    assert len(site) > 50
    drawing = game(key).drawing
    assert drawing
    sheets = list(drawing.templates.glob("*.css"))
    assert sheets
    for file in [*sheets, *TEMPLATES.glob("*.css")]:
        for names in selectors(file.read_text("utf-8")):
            assert not names <= site or names <= SHARED, (file.name, names)
