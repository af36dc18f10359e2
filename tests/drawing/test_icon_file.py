"""Check the files of icons: well-formed SVG within the content policy, each symbol with an id of its own."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from spieltisch.core.registry import game_modules
from spieltisch.drawing.icon_file import read_icons
from spieltisch.games import game

FILES = [file for key in game_modules() if (file := game(key).folder / "icons.svg").exists()]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_symbol_of_an_icon_file_is_read(file: Path) -> None:
    root = ElementTree.parse(file).getroot()  # noqa: S314 (our own file)
    symbols = list(root)
    assert {symbol.tag for symbol in symbols} == {f"{SVG}symbol"}
    icons = read_icons(file)
    assert [symbol.get("id") for symbol in symbols] == list(icons)
    for symbol, icon in zip(symbols, icons.values(), strict=True):
        assert [part.tag for part in symbol if part.tag not in (f"{SVG}path", f"{SVG}text")] == []
        assert all(set(part.attrib) <= {"class", "d", "y", "font-size"} for part in symbol)
        content = ElementTree.fromstring(f"<symbol>{icon.content}</symbol>")  # noqa: S314 (our own text)
        assert [part.attrib for part in content] == [part.attrib for part in symbol]
        paths = symbol.findall(f"{SVG}path")
        assert icon.path == (paths[0].get("d") if len(paths) == 1 else "")


def test_two_of_the_games_have_an_icon_file() -> None:
    assert len(FILES) == 2
