"""Companies are told apart by letter and pattern: also by people who see two colours, or none."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Server, Visitor

pytestmark = pytest.mark.browser
EYES = ["none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia"]
SIDE = 48
"""Pixels of a picture's side when two are compared."""
APART = 6.0
"""The least mean difference of two pictures, of 255: what a letter makes on the same ground is above it."""
PIXELS = """async ([picture, side]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(side, side).getContext('2d');
  canvas.drawImage(image, 0, 0, side, side);
  return [...canvas.getImageData(0, 0, side, side).data];
}"""


@pytest.fixture(params=["light", "dark"])
def page(
    request: pytest.FixtureRequest, running: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> Iterator[Page]:
    path, visitors = running
    context = chromium.new_context(
        locale="en-GB", viewport={"width": 1440, "height": 900}, device_scale_factor=2, color_scheme=request.param
    )
    kept = [{"name": one.name, "value": one.value or "", "url": server.address} for one in visitors[0].cookies.jar]
    context.add_cookies(kept)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static svg")).to_be_visible()
    yield page
    context.close()


def pictures(page: Page, reader: Page, selector: str) -> dict[str, np.ndarray[Any, Any]]:
    """What is seen of each element, by its id, as RGB; elements are shown one by one on the same ground."""
    found = {}
    for element in page.locator(selector).all():
        shot = base64.b64encode(element.screenshot()).decode()
        pixels = np.array(reader.evaluate(PIXELS, [shot, SIDE]), float).reshape(SIDE, SIDE, 4)
        name = element.evaluate("one => one.closest('[id]').id")
        found[name] = pixels[:, :, :3]
    return found


def least(found: dict[str, np.ndarray[Any, Any]]) -> tuple[float, str]:
    """The least difference between two of them, and which two."""
    return min(
        (float(np.abs(found[one] - found[other]).mean()), f"{one} {other}") for one, other in combinations(found, 2)
    )


@pytest.mark.parametrize("eyes", EYES)
def test_all_companies_are_told_apart(page: Page, eyes: str) -> None:
    reader = page.context.new_page()
    page.bring_to_front()
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    signs = pictures(page, reader, "#panel-companies .chip .sign")
    assert len(signs) == 6
    pieces = pictures(page, reader, "#map .piece")
    assert len(pieces) >= 6
    for found in (signs, dict(list(pieces.items())[:6])):
        difference, which = least(found)
        assert difference > APART, which


def test_players_are_told_apart_by_their_names(page: Page) -> None:
    names = page.locator("#people .name").all_inner_texts()
    assert sorted(names) == ["Ada", "Grace", "Mary"]
    assert sorted(page.locator("#panel-players tbody th").all_inner_texts()) == sorted(names)
