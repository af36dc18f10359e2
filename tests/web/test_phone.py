"""A phone held upright: fingers on the map, the prompt in reach; and an app of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import SECONDS, Server, Visitor, comes_true, trade_on
from tests.web.screens import too_wide

BESIDE = """() => {
  const targets = [...document.querySelectorAll('#map-static .is-target')];
  const several = (one) => document.querySelectorAll(`#tree li[data-place="${one.dataset.place}"]`).length > 1;
  const boxes = targets.map((one) => [one, one.getBoundingClientRect()]);
  const away = (box, x, y) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  for (const [, box] of boxes.filter(([one]) => several(one))) {
    for (let turn = 0; turn < 12; turn++) {
      const x = box.left + box.width / 2 + (box.width / 2 + 6) * Math.cos(turn * Math.PI / 6);
      const y = box.top + box.height / 2 + (box.height / 2 + 6) * Math.sin(turn * Math.PI / 6);
      const there = document.elementFromPoint(x, y);
      if (!there?.closest('#map-static') || there.closest('.is-target')) continue;
      const near = boxes.map(([one, its]) => [away(its, x, y), one.dataset.place]).sort((a, b) => a[0] - b[0]);
      const alone = near.length < 2 || near[1][0] - near[0][0] > 2;
      if (!several(document.querySelector(`[data-place="${near[0][1]}"]`))) continue;
      if (near[0][0] > 0 && near[0][0] < 20 && alone) return [x, y, near[0][1]];
    }
  }
  return null;
}"""
"""A point of the map in no legal place, and the legal one that is nearest to it, for several companies."""


@pytest.fixture(scope="module")
def table(server: Server) -> Iterator[tuple[dict[str, str], str]]:
    """A session, and the path of a table where it is theirs to decide."""
    with Visitor(server) as host, Visitor(server) as grace, Visitor(server) as mary:
        path = host.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        trade_on([host, grace, mary], path, 0)
        yield dict(host.cookies), path


Open = Callable[..., BrowserContext]


@pytest.fixture
def phone(chromium: Browser, server: Server, table: tuple[dict[str, str], str]) -> Iterator[Open]:
    """Opens the host's phone."""
    opened: list[BrowserContext] = []

    def start(width: int = 390, **settings: Any) -> BrowserContext:
        size = {"width": width, "height": 844}
        context = chromium.new_context(**{"viewport": size, "has_touch": True, "is_mobile": True, **settings})
        cookies = table[0]
        context.add_cookies([{"name": name, "value": value, "url": server.address} for name, value in cookies.items()])
        context.set_default_timeout(SECONDS)
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


def touch(line: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def zoomed(page: Page) -> float:
    return float(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--zoom') || 1"))


@pytest.mark.browser
def test_two_fingers_make_the_map_larger_where_they_are(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static svg")).to_be_visible()
    frame = page.locator("#map-frame").bounding_box()
    assert frame is not None
    x, y = frame["x"] + frame["width"] * 0.6, frame["y"] + frame["height"] * 0.4
    under = """([x, y]) => {
        const box = document.querySelector('.map-sheet').getBoundingClientRect();
        return [(x - box.left) / box.width, (y - box.top) / box.height];
    }"""
    before = page.evaluate(under, [x, y])
    line = page.context.new_cdp_session(page)
    touch(line, "touchStart", (x - 20, y), (x + 20, y))
    for apart in range(20, 51, 5):
        touch(line, "touchMove", (x - apart, y), (x + apart, y))
    touch(line, "touchEnd")
    assert zoomed(page) == pytest.approx(2.5, abs=0.01)
    assert page.evaluate(under, [x, y]) == pytest.approx(before, abs=0.01)
    assert page.evaluate("visualViewport.scale") == 1
    version = page.locator("#live").get_attribute("data-version")
    page.locator('[data-do="zoom-out"]').tap()
    assert zoomed(page) == 2
    page.locator('[data-do="zoom-in"]').tap()
    assert zoomed(page) == 3
    assert page.locator("#live").get_attribute("data-version") == version
    assert too_wide(page) == []
    touch(line, "touchStart", (x - 60, y), (x + 60, y))
    for apart in range(60, 5, -5):
        touch(line, "touchMove", (x - apart, y), (x + apart, y))
    touch(line, "touchEnd")
    assert zoomed(page) == 1


@pytest.mark.browser
def test_the_wheel_with_ctrl_makes_the_map_larger(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone(1440, is_mobile=False, has_touch=False).new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static svg")).to_be_visible()
    page.locator("#map-frame").hover()
    page.mouse.wheel(0, -200)
    assert zoomed(page) == 1
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    comes_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') > 1.5")
    page.mouse.wheel(0, 2000)
    comes_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') == 1")


@pytest.mark.browser
def test_a_tap_beside_a_place_takes_the_nearest_legal_one(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    aim = page.evaluate(BESIDE)
    assert aim is not None
    x, y, place = aim
    page.touchscreen.tap(x, y)
    expect(page.locator(f'#map-static [data-place="{place}"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#choices.at-place .leaf").first).to_be_in_viewport()


@pytest.mark.browser
def test_prompt_and_choices_are_in_reach_wherever_the_page_is_scrolled(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    for place in ("0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        expect(page.locator("#prompt-title")).to_be_in_viewport()
        expect(page.locator("#choices .choice").first).to_be_in_viewport()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_kept_among_the_apps(server: Server, language: str) -> None:
    with Visitor(server, language) as visitor:
        page = visitor.get("/").text
        link = re.search(r'<link rel="manifest" href="([^"]+)"', page)
        assert link is not None
        answer = visitor.get(link.group(1))
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(answer.text)
        assert (manifest["lang"], manifest["start_url"], manifest["display"]) == (language, "/", "standalone")
        sizes = {}
        for icon in manifest["icons"]:
            content = visitor.get(icon["src"])
            assert content.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":  # width and height stand in the first chunk
                width, height = (int.from_bytes(content.content[at : at + 4]) for at in (16, 20))
                sizes[f"{width}x{height}"] = icon["sizes"]
        assert sizes == {"192x192": "192x192", "512x512": "512x512"}


@pytest.mark.browser
def test_chromium_would_install_it(phone: Open, server: Server) -> None:
    page = phone().new_page()
    page.goto(f"{server.address}/")
    line = page.context.new_cdp_session(page)
    found = line.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []
    assert [fault["errorId"] for fault in line.send("Page.getInstallabilityErrors")["installabilityErrors"]] in (
        [],
        ["in-incognito"],
    )
