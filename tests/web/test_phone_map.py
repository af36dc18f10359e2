"""Check the map on a phone: zoom with two fingers, and choice of places."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.web.conftest import Phone, wait_for_true
from tests.web.layout_checks import too_wide
from tests.web.phone_tables import BUILD, table_to_decide
from tests.web.servers import Server

BESIDE = """() => {
  const targets = [...document.querySelectorAll('#map-drawing .is-target')];
  const several = (one) => document.querySelectorAll(`#move-tree li[data-place="${one.dataset.place}"]`).length > 1;
  const boxes = targets.map((one) => [one, one.getBoundingClientRect()]);
  const away = (box, x, y) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  for (const [, box] of boxes.filter(([one]) => several(one))) {
    for (let turn = 0; turn < 12; turn++) {
      const x = box.left + box.width / 2 + (box.width / 2 + 6) * Math.cos(turn * Math.PI / 6);
      const y = box.top + box.height / 2 + (box.height / 2 + 6) * Math.sin(turn * Math.PI / 6);
      const there = document.elementFromPoint(x, y);
      if (!there?.closest('#map-drawing') || there.closest('.is-target')) continue;
      const near = boxes.map(([one, its]) => [away(its, x, y), one.dataset.place]).sort((a, b) => a[0] - b[0]);
      const alone = near.length < 2 || near[1][0] - near[0][0] > 2;
      if (!several(document.querySelector(`[data-place="${near[0][1]}"]`))) continue;
      if (near[0][0] > 0 && near[0][0] < 20 && alone) return [x, y, near[0][1]];
    }
  }
  return null;
}"""
"""A point of the map in no legal place, and the legal one that is nearest to it, for several companies."""


def touch(line: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touch_points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touch_points})


def zoom_factor(page: Page) -> float:
    return float(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--zoom') || 1"))


@pytest.mark.browser
def test_pinching_zooms_the_map_at_the_fingers(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    expect(page.locator("#map-drawing svg")).to_be_visible()
    frame = page.locator("#map-frame").bounding_box()
    assert frame is not None
    x, y = frame["x"] + frame["width"] * 0.6, frame["y"] + frame["height"] * 0.4
    place_under_finger = """([x, y]) => {
        const box = document.querySelector('.map-sheet').getBoundingClientRect();
        return [(x - box.left) / box.width, (y - box.top) / box.height];
    }"""
    before = page.evaluate(place_under_finger, [x, y])
    line = page.context.new_cdp_session(page)
    touch(line, "touchStart", (x - 20, y), (x + 20, y))
    for finger_distance in range(20, 51, 5):
        touch(line, "touchMove", (x - finger_distance, y), (x + finger_distance, y))
    touch(line, "touchEnd")
    assert zoom_factor(page) == pytest.approx(2.5, abs=0.01)
    assert page.evaluate(place_under_finger, [x, y]) == pytest.approx(before, abs=0.01)
    assert page.evaluate("visualViewport.scale") == 1
    version = page.locator("#live-part").get_attribute("data-version")
    page.locator('[data-action="zoom-out"]').tap()
    assert zoom_factor(page) == 2
    page.locator('[data-action="zoom-in"]').tap()
    assert zoom_factor(page) == 3
    assert page.locator("#live-part").get_attribute("data-version") == version
    assert too_wide(page) == []
    touch(line, "touchStart", (x - 60, y), (x + 60, y))
    for finger_distance in range(60, 5, -5):
        touch(line, "touchMove", (x - finger_distance, y), (x + finger_distance, y))
    touch(line, "touchEnd")
    assert zoom_factor(page) == 1


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 320])
def test_places_on_the_zoomed_map_are_large_enough_for_a_finger(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str], width: int
) -> None:
    page = phone(width).new_page()
    page.goto(server.address + session_and_path[1])
    expect(page.locator("#map-drawing svg")).to_be_visible()
    smallest_place_script = """() => Math.min(...[...document.querySelectorAll('#map-drawing [data-place]')]
        .map((place) => place.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]))"""
    assert page.evaluate(smallest_place_script) < 44
    page.locator('[data-action="zoom-in"]').tap()
    assert page.evaluate(smallest_place_script) >= 43.9
    assert too_wide(page) == []


@pytest.mark.browser
def test_the_mouse_wheel_with_ctrl_zooms_the_map(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone(1440, is_mobile=False, has_touch=False).new_page()
    page.goto(server.address + session_and_path[1])
    expect(page.locator("#map-drawing svg")).to_be_visible()
    page.locator("#map-frame").hover()
    page.mouse.wheel(0, -200)
    assert zoom_factor(page) == 1
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    wait_for_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') > 1.5")
    page.mouse.wheel(0, 2000)
    wait_for_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') == 1")


@pytest.mark.browser
def test_a_tap_beside_a_place_chooses_the_nearest_legal_place(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    aim = page.evaluate(BESIDE)
    assert aim is not None
    x, y, place = aim
    page.touchscreen.tap(x, y)
    expect(page.locator(f'#map-drawing [data-place="{place}"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#choices .final-choice").first).to_be_in_viewport()


@pytest.mark.browser
def test_a_tapped_hex_shows_its_name_and_gain_before_the_move_is_played(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    path = table_to_decide(server, session_and_path[0])
    page = phone().new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    buttons_with_gain = page.locator("#move-tree li[data-word-text='build'] button:has(.points-gain)")
    company, place, gain = buttons_with_gain.first.evaluate(
        """(move) => [
          move.closest('details').querySelector('.move-label').textContent,
          move.closest('li').dataset.place,
          move.querySelector('.points-gain').textContent,
        ]"""
    )
    points = page.locator("#player-list .is-own-seat .points").inner_text()
    page.locator("#choices .choice", has_text=BUILD).tap()
    page.locator("#choices .choice", has_text=company).tap()
    version = int(page.locator("#live-part").get_attribute("data-version") or 0)
    page.locator(f'#map-drawing [data-place="{place}"]').tap()
    expect(page.locator("#choices .final-choice")).to_have_count(1)
    expect(page.locator("#choices .final-choice .points-gain")).to_have_text(gain)
    name = page.locator(f'#map-drawing [data-place="{place}"] > title').text_content()
    expect(page.locator("#choices .final-choice .move-label").last).to_contain_text((name or "?").partition(":")[0])
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(version))
    expect(page.locator("#map-drawing .repeat-mark")).to_have_count(1)
    # A second tap there, which is no double tap, counts.
    page.locator(f'#map-drawing [data-place="{place}"]').dispatch_event("click")
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(version + 1))
    expect(page.locator("#player-list .is-own-seat .points")).to_have_text(str(int(points) + int(gain)))
