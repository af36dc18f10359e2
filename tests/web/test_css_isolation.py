"""Check that style sheets of the site and of games, which are used on one page, do not style each other's elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import spieltisch
from spieltisch.drawing.environment import TEMPLATES
from spieltisch.games import game, game_modules
from spieltisch.web.http.assets import STATIC

SOURCES = Path(spieltisch.__file__).parent
SHARED = {"chip", "icon", "icons", "piece", "is-target", "is-blocked", "is-chosen", "is-repeatable", "is-pointed"}
"""Classes by which the site and the games speak of the same things."""
UNSTYLED = {
    *(
        "bonus-rows",
        "farewell",
        "first-round-link",
        "hinted-moves-title",
        "invite-link",
        "level-record",
        "status-frozen",
    ),
    *("land-layer", "more-reasons", "patent-section", "rulings", "sea-layer", "study", "withheld", "words"),
}
"""Classes that only say what an element is."""


def selectors(sheet: str) -> Iterator[set[str]]:
    """Return the classes of each selector, and the beginnings of classes that it names."""
    plain_sheet = re.sub(r"/\*.*?\*/|\{[%{].*?[%}]\}", "", sheet, flags=re.DOTALL)
    for rule in re.finditer(r"([^{}]+)\{[^{}]*\}", plain_sheet):
        for selector in rule[1].split(","):
            if names := set(re.findall(r"(?:\.|\[class\*=\")([A-Za-z][\w-]*)", selector)):
                yield names


def test_the_parser_finds_the_classes_of_all_selectors() -> None:
    sheet = "/* .no */ .a, .b > .c:is(.d) { color: red; } @media print { .e { top: 0; } }"
    assert list(selectors(sheet)) == [{"a"}, {"b", "c", "d"}, {"e"}]


@pytest.mark.parametrize("key", [key for key in game_modules() if game(key).drawing])
def test_every_selector_of_a_game_names_an_element_of_that_game(key: str) -> None:
    site = set().union(*(names for file in (STATIC / "css").glob("*.css") for names in selectors(file.read_text())))
    assert len(site) > 50
    drawing = game(key).drawing
    assert drawing
    sheets = list(drawing.templates.glob("*.css"))
    assert sheets
    for file in [*sheets, *TEMPLATES.glob("*.css")]:
        for names in selectors(file.read_text("utf-8")):
            assert not names <= site or names <= SHARED, (file.name, names)


def test_every_class_of_an_element_has_a_style_or_a_script() -> None:
    pages = "".join(file.read_text("utf-8") for file in SOURCES.rglob("*") if file.suffix in (".html", ".svg"))
    sheets = "".join(file.read_text("utf-8") for file in SOURCES.rglob("*.css"))
    scripts = "".join(file.read_text("utf-8") for file in (STATIC / "js").glob("*.js"))
    attributes = re.findall(r'\bclass="((?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*)"', pages, re.DOTALL)
    text = re.sub(r"\{%.*?%\}", " ", "\n".join(attributes), flags=re.DOTALL)
    classes = set(re.sub(r"\S*(\s*\{\{-|\{\{).*?\}\}\S*", "", text, flags=re.DOTALL).split())
    assert len(classes) > 500
    quoted = re.findall(r"'([^'\n]+)'|`([^`\n]+)`", scripts)
    lists = [single for single, _ in quoted if re.fullmatch("[a-z][a-z -]*", single)]
    named_classes = re.findall(
        r"\.([a-z][\w-]*)", f"{sheets} {quoted} {re.findall('<style>.*?</style>', pages, re.DOTALL)}"
    )
    assert classes - {*named_classes, *" ".join(lists).split()} == UNSTYLED


def test_every_class_with_a_style_is_used_by_an_element() -> None:
    """Composed class names, such as `seats-` with a number, are found by their fixed part."""
    suffixes = (".html", ".svg", ".js", ".py", ".toml")
    text = "\n".join(file.read_text("utf-8") for file in SOURCES.rglob("*") if file.suffix in suffixes)
    words = set(re.findall(r"[A-Za-z][\w-]*", text))
    beginnings = set(re.findall(r"([a-z][\w-]*-)(?:\{\{|\$\{|\"|')", text))

    def is_given(name: str) -> bool:
        cuts = [cut_index + 1 for cut_index, letter in enumerate(name) if letter == "-"]
        composed = any(
            name[:cut_index] in beginnings and (name[cut_index:].isdigit() or name[cut_index:] in words)
            for cut_index in cuts
        )
        return name in words or composed

    sheets = [file.read_text("utf-8") for file in SOURCES.rglob("*.css")]
    styled = set().union(*(names for sheet in sheets for names in selectors(sheet)))
    assert len(styled) > 500
    assert sorted(name for name in styled if "--" not in name and not is_given(name)) == []
