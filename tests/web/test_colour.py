"""Check that companies, teams, fields, tokens and goods are distinguishable without colours."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import combinations
from string import digits
from typing import Any, Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch import game
from spieltisch.games import game_modules
from tests.tiers import first_alone
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

Theme = Literal["light", "dark"]
pytestmark = pytest.mark.browser
EYES = ["none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia"]
SIDE = 48
"""Pixels of a picture's side when two are compared."""
APART = 6.0
"""The least mean difference of two pictures, of 255: what a letter makes on the same ground is above it."""
CLEAR = 64.0
"""By how much, of 255, a pixel has to differ to be seen as different."""
MANY = SIDE * SIDE // 10
"""In how many pixels two icons have to differ."""
FEW = 20
"""In how many at least, where they differ by a number alone: a digit is made of few pixels."""
PIXELS = """async ([picture, wide, high]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(wide, high).getContext('2d');
  canvas.drawImage(image, 0, 0, wide, high);
  const { data } = canvas.getImageData(0, 0, wide, high);
  let bytes = '';
  for (let at = 0; at < data.length; at += 8192) bytes += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(bytes);
}"""


GRID = """() => {
  const icons = [...document.querySelectorAll('symbol[id^="icon-"]')].map((one) => one.id);
  const grid = document.createElement('div');
  grid.id = 'grid';
  for (const id of icons) {
    grid.insertAdjacentHTML('beforeend', `<svg viewBox="0 0 24 24"><use href="#${id}" width="24" height="24"/></svg>`);
  }
  document.body.replaceChildren(document.querySelector('svg.icons'), grid);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`#grid { display: flex; flex-direction: column; width: 24px; background: var(--sheet); }
    #grid svg { width: 24px; height: 24px; } body { min-height: 0; }`);
  document.adoptedStyleSheets.push(sheet);
  return icons;
}"""
"""Puts all icons of the page under each other, each as large as in a sentence, and names them."""


def has_icons(key: str) -> bool:
    drawing = game(key).drawing
    return drawing is not None and (drawing.templates / "icons.svg").exists()


@pytest.fixture(params=["light", "dark"])
def page(
    request: pytest.FixtureRequest, running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> Iterator[Page]:
    path, visitors = running_table
    context = chromium.new_context(
        locale="en-GB", viewport={"width": 1440, "height": 900}, device_scale_factor=2, color_scheme=request.param
    )
    let_in(context, visitors[0])
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    yield page
    context.close()


def pixels(reader: Page, shot: bytes, high: int = SIDE) -> np.ndarray[Any, Any]:
    """Return a picture as RGB, one square of `SIDE` pixels below the other."""
    data = base64.b64decode(reader.evaluate(PIXELS, [base64.b64encode(shot).decode(), SIDE, high]))
    return np.frombuffer(data, np.uint8).astype(float).reshape(-1, SIDE, SIDE, 4)[..., :3]


def pictures(page: Page, reader: Page, selector: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return a picture of each element as RGB, by its id, on the same background."""
    images = {}
    for element in page.locator(selector).all():
        name = element.evaluate("one => one.closest('[id]').id")
        (images[name],) = pixels(reader, element.screenshot())
    return images


def kinds(ids: list[str]) -> dict[str, list[str]]:
    """Return icons by kind, which is the second word of their id."""
    names_by_kind: dict[str, list[str]] = {}
    for name in ids:
        names_by_kind.setdefault(name.split("-")[1], []).append(name)
    return names_by_kind


def nearest(images: dict[str, np.ndarray[Any, Any]]) -> tuple[float, str]:
    """Return the smallest difference between two pictures, and the ids of the two."""
    return min(
        (float(np.abs(images[first] - images[second]).mean()), f"{first} {second}")
        for first, second in combinations(images, 2)
    )


@pytest.mark.parametrize("eyes", first_alone("achromatopsia", EYES))
def test_companies_are_distinguishable_without_colour_by_icon_and_piece(page: Page, eyes: str) -> None:
    reader = page.context.new_page()
    page.bring_to_front()
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    icons = pictures(page, reader, "#panel-companies .chip .icon")
    assert len(icons) == 6
    pieces = pictures(page, reader, "#map .piece")
    assert len(pieces) >= 6
    for images in (icons, dict(list(pieces.items())[:6])):
        difference, nearest_pair = nearest(images)
        assert difference > APART, nearest_pair


def test_players_are_distinguishable_without_colour_by_their_names(page: Page) -> None:
    names = page.locator("#player-list .seat-name").evaluate_all("(all) => all.map((one) => one.title)")
    assert sorted(names) == ["Ada", "Grace", "Mary"]
    assert sorted(page.locator("#panel-players tbody th").all_inner_texts()) == sorted(names)


@pytest.mark.parametrize("theme", first_alone("light", ["light", "dark"]))
@pytest.mark.parametrize("key", [key for key in game_modules() if has_icons(key)])
def test_all_icons_of_a_game_are_distinguishable_without_colour(
    key: str, theme: Theme, server: Server, chromium: Browser
) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", *["bot:random"] * (game(key).seats[0] - 1), game=key)
        context = chromium.new_context(device_scale_factor=2, color_scheme=theme)
        let_in(context, ada)
        page, reader = context.new_page(), context.new_page()
        page.goto(f"{server.address}{path}/log")
        icons = page.evaluate(GRID)
        assert len(icons) > 5
        page.bring_to_front()
        line = context.new_cdp_session(page)
        for eyes in EYES:
            line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
            icon_pixels = pixels(reader, page.locator("#grid").screenshot(), SIDE * len(icons))
            pictures = dict(zip(icons, icon_pixels, strict=True))
            for kind, ids in kinds(icons).items():
                for first, second in combinations(ids, 2):
                    differs = np.abs(pictures[first] - pictures[second]).mean(axis=2) >= CLEAR
                    min_difference = FEW if first.rstrip(digits) == second.rstrip(digits) else MANY
                    assert differs.sum() >= min_difference, (eyes, kind, first, second)
        context.close()
