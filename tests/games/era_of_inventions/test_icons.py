"""Check the icons of Era of Inventions: one for every kind, with a name, and distinguishable without colour."""

from __future__ import annotations

import base64
import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Page

import spieltisch
from spieltisch.core.words import LANGUAGES, Language, Name, Words
from spieltisch.drawing import environment
from spieltisch.games.era_of_inventions import icons
from spieltisch.games.era_of_inventions.board import GOODS, Board, board
from spieltisch.games.era_of_inventions.goods_text import amount, listed

GAME = spieltisch.game("era-of-inventions")

BOX: Board = board(GAME.components)
FOLDER = GAME.folder
CONTEXTS = {language: icons.context(BOX, Words(language, FOLDER / "locale").say) for language in LANGUAGES}
IDS = [symbol["id"] for symbol in CONTEXTS["en"]["symbols"]]
KINDS = {
    "goods": [f"good-{kind}" for kind in (*GOODS, "any")],
    "actions": [f"action-{action.id}" for action in BOX.contents.actions],
    "colours": [f"colour-{colour.id}" for colour in BOX.contents.colours],
    "inventions": [f"invention-{invention.id}" for invention in BOX.inventions],
    "start cards": [f"start-card-{card.id}" for card in BOX.contents.start_cards],
}
"""The icons that must be distinguishable at a glance."""
PIECES = list(icons.NAMES)
"""The icons that no component file names."""


def rendered(template: str, language: Language = "en") -> str:
    env = environment(FOLDER / "templates")
    env.globals.update(Words(language, FOLDER / "locale").template_functions())
    return env.get_template(template).render(icons=CONTEXTS[language], rows=[], frame=[], icon_names={})


def test_every_piece_has_an_icon() -> None:
    contents = BOX.contents
    expected_icons = [f"good-{good.id}" for good in contents.goods]
    expected_icons += [f"action-{action.id}" for action in contents.actions]
    expected_icons += [store.kind for store in contents.stores]
    expected_icons += [f"invention-{invention.id}" for invention in contents.inventions]
    expected_icons += [f"start-card-{card.id}" for card in contents.start_cards]
    expected_icons += [f"colour-{colour.id}" for colour in contents.colours]
    assert set(expected_icons) | set(PIECES) == set(IDS)
    assert len(set(IDS)) == len(IDS)
    drawn_names = {name.removeprefix("invention-") for name in icons.ICONS if name.startswith("invention-")}
    assert {invention.id for invention in contents.inventions} == drawn_names
    drawn_names = {name for name in icons.ICONS if name.startswith("start-card-")}
    assert {f"start-card-{card.id}" for card in contents.start_cards} == drawn_names


def test_all_icons_differ_and_satisfy_the_content_security_policy() -> None:
    symbols = CONTEXTS["en"]["symbols"]
    assert len({symbol["content"] for symbol in symbols}) == len(symbols)
    root = ElementTree.fromstring(f"<page>{rendered('icons.svg')}</page>")  # noqa: S314 (our own text)
    symbol_ids = [element.get("id") for element in root.iter() if element.tag.endswith("symbol")]
    assert symbol_ids == [f"icon-{identifier}" for identifier in IDS]
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in ("script", "style", "foreignObject", "image", "a")
        assert not {"style", "onclick"} & set(element.attrib)
    defined = {element.get("id") for element in root.iter()}
    assert set(re.findall(r"url\(#([^)]+)\)", rendered("icons.svg"))) <= defined


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_icon_has_a_unique_name_in_the_legend(language: Language) -> None:
    names = [symbol["name"] for symbol in CONTEXTS[language]["symbols"]]
    assert all(names)
    assert len(set(names)) == len(names)
    legend = ElementTree.fromstring(rendered("legend.html", language))  # noqa: S314 (our own text)
    assert [element.text for element in legend.iter("dt")] == [
        *names,
        *(bonus["name"] for bonus in CONTEXTS[language]["bonuses"]),
        *(icon["name"] for icon in CONTEXTS[language]["small"]),
    ]
    assert [element.get("href") for element in legend.iter("use")] == [
        f"#icon-{identifier}" for identifier in (*IDS, "patent", "invested", "capacity")
    ]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_icon_names_outside_the_component_file_are_translated(language: Language) -> None:
    with (FOLDER / "locale" / f"{language}.po").open("rb") as file:
        translations = {entry.id: entry.string for entry in read_po(file)}
    assert [name.text for name in icons.NAMES.values() if not translations.get(name.text)] == []


def test_names_in_sentences_and_words_of_moves_have_icons() -> None:
    game = spieltisch.game("era-of-inventions")
    contents, icon_marks = BOX.contents, icons.marks(BOX)
    for good in contents.goods:
        assert icon_marks[good.name] == icon_marks[good.many] == f"good-{good.id}"
    all_pieces: tuple[Any, ...] = (*contents.actions, *contents.stores, *contents.inventions, *contents.start_cards)
    assert all(item.name in icon_marks for item in (*all_pieces, *contents.factories, *contents.start_factories))
    assert set(icon_marks.values()) <= set(IDS)
    setup = game.start(seats=3, seed=1).setup
    worded = {word.icon for move in setup.moves for word in setup.words(move) if word.icon}
    assert worded <= set(IDS)
    assert worded > set(KINDS["actions"]) | set(KINDS["inventions"])
    parts = Words("de", FOLDER / "locale").say(
        listed([amount(BOX, 2, 3), amount(BOX, 4, 1)]),
        (),
        mark=lambda value, text: f"[{icon_marks[value]}]" if isinstance(value, Name) else text,
    )
    assert parts == "3 [good-metal], 1 [good-tool]"


def test_pieces_renamed_in_a_component_file_have_icons() -> None:
    text = GAME.components.text
    other_mark = (
        text.replace('"car"', '"airship"')
        .replace('id = "blue"', 'id = "red"')
        .replace('colour = "blue"', 'colour = "red"')
    )
    other_mark = other_mark.replace('of = "colours.blue"', 'of = "colours.red"').replace(
        '"inventions.car.', '"inventions.airship.'
    )
    other_mark = other_mark.replace('"umbrella"', '"kaleidoscope"').replace(
        '"start_cards.umbrella.', '"start_cards.kaleidoscope.'
    )
    symbols = {
        symbol["id"]: symbol for symbol in icons.context(board(GAME.read_components(other_mark)), str)["symbols"]
    }
    assert symbols["invention-airship"]["content"] == icons.ICONS["inventions"].content
    assert symbols["start-card-kaleidoscope"]["content"] == icons.ICONS["start-card"].content
    assert 'fill="url(#ink-red)"' in symbols["colour-red"]["content"]


# Seen by Chromium


SIDE = 16
"""Pixels of an icon's side, the smallest at which they are shown."""
MIN_SILHOUETTE = 0.1
"""The least part of the frame in which two outlines differ."""
MIN_SEEN = 12.0
"""The least mean difference of two icons, of 255."""
PIXELS = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  return [image.width, ...canvas.getImageData(0, 0, image.width, image.height).data];
}"""
OUTLINES = """[class^="symbol-"] { fill: #000 !important; stroke: none !important; }
.symbol-letter, .symbol-cut { display: none; }"""
PAGE = (FOLDER.parents[1] / "web" / "static" / "css" / "base.css").read_text("utf-8")


def pictures(page: Page, ids: list[str], style: str = "") -> dict[str, np.ndarray[Any, Any]]:
    """Return a picture of each icon, as RGB."""
    row = "".join(
        f'<svg class="icon" width="{SIDE}" height="{SIDE}" viewBox="0 0 24 24"><use href="#icon-{identifier}"/></svg>'
        for identifier in ids
    )
    picture_page = f"<!doctype html><style>{PAGE}{rendered('icons.css')}.row {{ display: flex }}{style}</style>"
    page.set_content(f'{picture_page}{rendered("icons.svg")}<div class="row">{row}</div>')
    clip = page.locator(".row").bounding_box()
    assert clip is not None
    shot = page.screenshot(clip={**clip, "width": SIDE * len(ids)})
    width, *values = page.evaluate(PIXELS, base64.b64encode(shot).decode())
    pixels = np.array(values, float).reshape(-1, width, 4)[:SIDE, :, :3]
    return {identifier: pixels[:, n * SIDE : (n + 1) * SIDE] for n, identifier in enumerate(ids)}


@pytest.mark.browser
def test_each_kind_of_goods_has_a_different_outline(chromium: Browser) -> None:
    page = chromium.new_page(color_scheme="light")
    images = pictures(page, KINDS["goods"], OUTLINES)
    page.close()
    dark_pixels = {name: pixels.mean(axis=2) < 128 for name, pixels in images.items()}
    differences = {
        f"{first} {second}": (dark_pixels[first] ^ dark_pixels[second]).mean()
        for first, second in combinations(dark_pixels, 2)
    }
    assert {pair_name: part for pair_name, part in differences.items() if part < MIN_SILHOUETTE} == {}


@pytest.mark.browser
def test_each_player_has_a_different_pattern(chromium: Browser) -> None:
    """The patterns must differ without colours and letters."""
    page = chromium.new_page(color_scheme="light")
    images = pictures(
        page, KINDS["colours"], '[class^="ink-"] { fill: #444 !important; } .symbol-letter { display: none; }'
    )
    page.close()
    differences = {
        f"{first} {second}": np.abs(images[first] - images[second]).mean() for first, second in combinations(images, 2)
    }
    assert {
        pair_name: visible_share for pair_name, visible_share in differences.items() if visible_share < MIN_SEEN
    } == {}


@pytest.mark.screens
@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("eyes", ["none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia"])
def test_icons_are_distinguishable_at_16_pixels(chromium: Browser, eyes: str, scheme: Any) -> None:
    page = chromium.new_page(color_scheme=scheme)
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    for ids in KINDS.values():
        images = pictures(page, ids)
        differences = {
            f"{first} {second}": np.abs(images[first] - images[second]).mean()
            for first, second in combinations(images, 2)
        }
        assert {
            pair_name: visible_share for pair_name, visible_share in differences.items() if visible_share < MIN_SEEN
        } == {}
    page.close()
