"""The icons of Era of Inventions: every kind has one, with a name, and they differ in more than colour."""

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
SIGNS = {language: icons.signs(BOX, Words(language, FOLDER / "locale").say) for language in LANGUAGES}
IDS = [symbol["id"] for symbol in SIGNS["en"]["symbols"]]
KINDS = {
    "goods": [f"good-{kind}" for kind in (*GOODS, "any")],
    "actions": [f"action-{action.id}" for action in BOX.contents.actions],
    "colours": [f"colour-{colour.id}" for colour in BOX.contents.colours],
    "inventions": [f"invention-{invention.id}" for invention in BOX.inventions],
    "start cards": [f"start-card-{card.id}" for card in BOX.contents.start_cards],
}
"""The signs that must be distinguishable at a glance."""
PIECES = list(icons.NAMES)
"""The signs that no component file names."""


def rendered(template: str, language: Language = "en") -> str:
    env = environment(FOLDER / "templates")
    env.globals.update(Words(language, FOLDER / "locale").template_functions())
    return env.get_template(template).render(signs=SIGNS[language], rows=[], frame=[], icon_names={})


def test_everything_has_a_sign() -> None:
    contents = BOX.contents
    wanted = [f"good-{good.id}" for good in contents.goods]
    wanted += [f"action-{action.id}" for action in contents.actions]
    wanted += [store.kind for store in contents.stores]
    wanted += [f"invention-{invention.id}" for invention in contents.inventions]
    wanted += [f"start-card-{card.id}" for card in contents.start_cards]
    wanted += [f"colour-{colour.id}" for colour in contents.colours]
    assert set(wanted) | set(PIECES) == set(IDS)
    assert len(set(IDS)) == len(IDS)
    drawn = {name.removeprefix("invention-") for name in icons.ICONS if name.startswith("invention-")}
    assert {invention.id for invention in contents.inventions} == drawn
    drawn = {name for name in icons.ICONS if name.startswith("start-card-")}
    assert {f"start-card-{card.id}" for card in contents.start_cards} == drawn


def test_all_drawings_differ_and_need_no_looser_content_policy() -> None:
    symbols = SIGNS["en"]["symbols"]
    assert len({symbol["content"] for symbol in symbols}) == len(symbols)
    root = ElementTree.fromstring(f"<page>{rendered('icons.svg')}</page>")  # noqa: S314 (our own text)
    symbol_ids = [element.get("id") for element in root.iter() if element.tag.endswith("symbol")]
    assert symbol_ids == [f"sign-{identifier}" for identifier in IDS]
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in ("script", "style", "foreignObject", "image", "a")
        assert not {"style", "onclick"} & set(element.attrib)
    defined = {element.get("id") for element in root.iter()}
    assert set(re.findall(r"url\(#([^)]+)\)", rendered("icons.svg"))) <= defined


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_has_a_name_of_its_own_in_the_legend(language: Language) -> None:
    names = [symbol["name"] for symbol in SIGNS[language]["symbols"]]
    assert all(names)
    assert len(set(names)) == len(names)
    legend = ElementTree.fromstring(rendered("legend.html", language))  # noqa: S314 (our own text)
    assert [element.text for element in legend.iter("dt")] == [
        *names,
        *(bonus["name"] for bonus in SIGNS[language]["bonuses"]),
        *(sign["name"] for sign in SIGNS[language]["small"]),
    ]
    assert [element.get("href") for element in legend.iter("use")] == [
        f"#sign-{identifier}" for identifier in (*IDS, "patent", "invested", "capacity")
    ]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_names_that_no_component_file_has_are_translated(language: Language) -> None:
    with (FOLDER / "locale" / f"{language}.po").open("rb") as file:
        translations = {entry.id: entry.string for entry in read_po(file)}
    assert [name.text for name in icons.NAMES.values() if not translations.get(name.text)] == []


def test_names_in_sentences_have_a_mark_and_so_have_the_words_of_moves() -> None:
    game = spieltisch.game("era-of-inventions")
    contents, marks = BOX.contents, icons.marks(BOX)
    for good in contents.goods:
        assert marks[good.name] == marks[good.many] == f"good-{good.id}"
    things: tuple[Any, ...] = (*contents.actions, *contents.stores, *contents.inventions, *contents.start_cards)
    assert all(item.name in marks for item in (*things, *contents.factories, *contents.start_factories))
    assert set(marks.values()) <= set(IDS)
    setup = game.start(seats=3, seed=1).setup
    worded = {word.icon for move in setup.moves for word in setup.words(move) if word.icon}
    assert worded <= set(IDS)
    assert worded > set(KINDS["actions"]) | set(KINDS["inventions"])
    parts = Words("de", FOLDER / "locale").say(
        listed([amount(BOX, 2, 3), amount(BOX, 4, 1)]),
        (),
        mark=lambda value, text: f"[{marks[value]}]" if isinstance(value, Name) else text,
    )
    assert parts == "3 [good-metal], 1 [good-tool]"


def test_what_a_file_names_otherwise_has_a_sign_too() -> None:
    text = GAME.components.text
    other = (
        text.replace('"car"', '"airship"')
        .replace('id = "blue"', 'id = "red"')
        .replace('colour = "blue"', 'colour = "red"')
    )
    other = other.replace('of = "colours.blue"', 'of = "colours.red"').replace(
        '"inventions.car.', '"inventions.airship.'
    )
    other = other.replace('"umbrella"', '"kaleidoscope"').replace(
        '"start_cards.umbrella.', '"start_cards.kaleidoscope.'
    )
    symbols = {symbol["id"]: symbol for symbol in icons.signs(board(GAME.read_components(other)), str)["symbols"]}
    assert symbols["invention-airship"]["content"] == icons.ICONS["inventions"].content
    assert symbols["start-card-kaleidoscope"]["content"] == icons.ICONS["start-card"].content
    assert 'fill="url(#ink-red)"' in symbols["colour-red"]["content"]


# Seen by Chromium


SIDE = 16
"""Pixels of a sign's side, the smallest at which they are shown."""
MIN_SILHOUETTE = 0.1
"""The least part of the frame in which two outlines differ."""
MIN_SEEN = 12.0
"""The least mean difference of two signs, of 255."""
PIXELS = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  return [image.width, ...canvas.getImageData(0, 0, image.width, image.height).data];
}"""
OUTLINES = """[class^="s-"] { fill: #000 !important; stroke: none !important; } .s-letter, .s-cut { display: none; }"""
PAGE = (FOLDER.parents[1] / "web" / "static" / "css" / "base.css").read_text("utf-8")


def pictures(page: Page, ids: list[str], style: str = "") -> dict[str, np.ndarray[Any, Any]]:
    """Return a picture of each sign, as RGB."""
    row = "".join(
        f'<svg class="sign" width="{SIDE}" height="{SIDE}" viewBox="0 0 24 24"><use href="#sign-{identifier}"/></svg>'
        for identifier in ids
    )
    shown = f"<!doctype html><style>{PAGE}{rendered('icons.css')}.row {{ display: flex }}{style}</style>"
    page.set_content(f'{shown}{rendered("icons.svg")}<div class="row">{row}</div>')
    clip = page.locator(".row").bounding_box()
    assert clip is not None
    shot = page.screenshot(clip={**clip, "width": SIDE * len(ids)})
    width, *values = page.evaluate(PIXELS, base64.b64encode(shot).decode())
    seen = np.array(values, float).reshape(-1, width, 4)[:SIDE, :, :3]
    return {identifier: seen[:, n * SIDE : (n + 1) * SIDE] for n, identifier in enumerate(ids)}


@pytest.mark.browser
def test_goods_have_outlines_of_their_own(chromium: Browser) -> None:
    page = chromium.new_page(color_scheme="light")
    images = pictures(page, KINDS["goods"], OUTLINES)
    page.close()
    inside = {name: seen.mean(axis=2) < 128 for name, seen in images.items()}
    apart = {f"{first} {second}": (inside[first] ^ inside[second]).mean() for first, second in combinations(inside, 2)}
    assert {which: part for which, part in apart.items() if part < MIN_SILHOUETTE} == {}


@pytest.mark.browser
def test_players_have_patterns_of_their_own(chromium: Browser) -> None:
    """Without colour, and without the letters."""
    page = chromium.new_page(color_scheme="light")
    images = pictures(page, KINDS["colours"], '[class^="ink-"] { fill: #444 !important; } .s-letter { display: none; }')
    page.close()
    apart = {
        f"{first} {second}": np.abs(images[first] - images[second]).mean() for first, second in combinations(images, 2)
    }
    assert {which: much for which, much in apart.items() if much < MIN_SEEN} == {}


@pytest.mark.screens
@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("eyes", ["none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia"])
def test_signs_are_told_apart_at_16_pixels(chromium: Browser, eyes: str, scheme: Any) -> None:
    page = chromium.new_page(color_scheme=scheme)
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    for ids in KINDS.values():
        images = pictures(page, ids)
        apart = {
            f"{first} {second}": np.abs(images[first] - images[second]).mean()
            for first, second in combinations(images, 2)
        }
        assert {which: much for which, much in apart.items() if much < MIN_SEEN} == {}
    page.close()
