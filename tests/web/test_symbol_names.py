"""Check that every symbol shows its name and value on hover, on focus, and under a resting finger."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser
TIPS = """() => {
  const tip = document.getElementById('symbol-tip');
  const seen = [...document.querySelectorAll('#panel svg, #own-summary svg, #prompt svg')].filter((one) =>
    one.querySelector('use[href^="#icon-"], use[href^="#shape-"]') && one.checkVisibility());
  return seen.map((one) => {
    one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    const icon = one.querySelector('use').getAttribute('href').slice(1);
    const listed = document.querySelector(`#icon-names [data-icon-id="${icon}"]`)?.textContent ?? '';
    const said = tip.hidden ? '' : tip.textContent;
    document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    return [icon, listed, said];
  });
}"""
"""A script that returns, for each visible symbol, its icon, the name of the icon, and the text shown on hovering."""


@pytest.mark.parametrize(
    ("key", "max_symbols"), [("paris-connection", 18), ("era-of-inventions", 150), ("legendary-inventors", 40)]
)
def test_every_symbol_shows_its_name_on_hover(server: Server, open_page: Person, key: str, max_symbols: int) -> None:
    page = open_page(locale="en", viewport={"width": 1440, "height": 900})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game=key)
        let_in(page.context, host)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked-choice)").first).to_be_visible()
    named_symbols = page.evaluate(TIPS)
    assert len(named_symbols) >= max_symbols
    wordless = {icon for icon, _, text in named_symbols if not any(letter.isalpha() for letter in text)}
    assert wordless == set()
    unnamed = {icon: text for icon, listed_text, text in named_symbols if listed_text.casefold() not in text.casefold()}
    assert unnamed == {}
    expect(page.locator("#symbol-tip")).to_be_hidden()


def test_keyboard_focus_and_a_resting_finger_show_the_name_of_a_place(server: Server, open_page: Person) -> None:
    page = open_page(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="paris-connection")
        let_in(page.context, host)
    page.goto(server.address + path)
    share = page.locator("#own-summary .is-target").first
    expect(share).to_be_visible()
    name, tip = share.locator(".visually-hidden").inner_text(), page.locator("#symbol-tip")
    box = share.locator("svg").bounding_box()
    assert box is not None
    line = page.context.new_cdp_session(page)
    tap_point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [tap_point]})
    expect(tip).to_contain_text(name)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#own-summary .is-chosen")).to_have_count(0)
    tip_box = tip.bounding_box()
    assert tip_box is not None
    assert tip_box["y"] + tip_box["height"] <= box["y"] + 2 or tip_box["y"] >= box["y"] + box["height"] - 2
    page.locator("#prompt-title").tap()
    expect(tip).to_be_hidden()
    own_points = page.locator("#table-head .is-own-seat .points")
    points = own_points.bounding_box()
    assert points is not None
    tap_point = {"x": points["x"] + points["width"] / 2, "y": points["y"] + points["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [tap_point]})
    expect(tip).to_have_text(f"points: {own_points.inner_text()}")
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator("#prompt-title").tap()
    expect(tip).to_be_hidden()
    page.keyboard.press("Shift")
    page.locator('#own-summary .is-target[tabindex="0"]').focus()
    expect(tip).to_contain_text(page.locator("#own-summary .is-target").first.locator(".visually-hidden").inner_text())
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_the_legend_names_every_icon_and_covers_neither_boards_nor_prompt(
    server: Server, open_page: Person, key: str
) -> None:
    page = open_page(locale="en", viewport={"width": 1366, "height": 650})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game=key)
        let_in(page.context, host)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked-choice)").first).to_be_visible()
    page.locator("#table-menu > summary").click()
    page.locator('#table-menu [popovertarget="symbol-legend"]').click()
    legend = page.locator("#symbol-legend")
    expect(legend).to_be_visible()
    expect(page.locator("#table-menu")).not_to_have_attribute("open", "")
    assert page.evaluate(MISSING) == []
    assert page.evaluate(COVERED) == []
    assert legend.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#table-menu > summary").click()
    page.locator('#table-menu [popovertarget="symbol-legend"]').click()
    expect(legend).to_be_visible()
    assert page.evaluate(COVERED) in (
        [],
        ["panel"],
        ["map-frame"],
        ["map-frame", "panel"],
    )  # a phone has no other place
    close_button = legend.get_by_role("button", name="Close")
    box = close_button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    legend.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    close_button.click()
    expect(legend).to_be_hidden()
    expect(page.locator("#table-menu > summary")).to_be_focused()


def test_a_card_shows_its_name_once_and_cost_and_yield_separately(server: Server, open_page: Person) -> None:
    page = open_page(locale="en", viewport={"width": 1440, "height": 900})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="era-of-inventions")
        let_in(page.context, host)
    page.goto(server.address + path)
    card = page.locator("#era-invention-row .card-frame.is-start").first
    card.locator(".card-picture svg").first.hover()
    tip = page.locator("#symbol-tip")
    expect(tip).to_contain_text(" · ")
    name, cost, gain, *_ = tip.inner_text().split(" · ")
    assert name == card.locator("h3").get_attribute("title")
    assert gain.endswith(card.locator(".card-yield .visually-hidden").last.inner_text().strip())
    assert cost.endswith(card.locator(".cost .visually-hidden").last.inner_text().strip())


def test_a_symbol_that_appears_under_a_resting_mouse_shows_no_name(server: Server, open_page: Person) -> None:
    """After a click the next choices appear under the mouse, where the name of a symbol would cover their text."""
    page = open_page(locale="en", viewport={"width": 1366, "height": 650})
    page.goto(f"{server.address}/games/legendary-inventors/first-round")
    tip, symbol = page.locator("#symbol-tip"), page.locator("#choices svg:has([href^='#icon-field'])").first
    expect(symbol).to_be_visible()
    box = page.locator("#lesson h2").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    moved_there = {"bubbles": True, "pointerType": "mouse", "clientX": box["x"] + 5, "clientY": box["y"] + 5}
    symbol.dispatch_event("pointerover", moved_there)
    expect(tip).to_be_hidden()
    symbol.hover()
    expect(tip).to_contain_text("mathematics")


def test_the_share_offered_in_a_trade_is_marked_around_its_letter(server: Server, open_page: Person) -> None:
    page = open_page(locale="en", viewport={"width": 1366, "height": 650})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="paris-connection")
        let_in(page.context, host)
    page.goto(server.address + path)
    page.locator("#choices .choice", has_text="Trade").first.click()
    page.locator("#choices table button:not(.blocked-choice)").first.hover()
    pointed = page.locator("#own-summary .is-pointed")
    expect(pointed).to_have_count(1)
    assert pointed.locator("svg").evaluate("one => getComputedStyle(one).stroke") == "none"
    assert pointed.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


def test_the_legend_of_a_lesson_is_high_enough_to_read_although_its_log_is_low(
    server: Server, open_page: Person
) -> None:
    page = open_page(locale="en", viewport={"width": 1366, "height": 650})
    page.goto(f"{server.address}/games/era-of-inventions/first-round")
    page.locator(".era-legend").click()
    legend = page.locator("#symbol-legend")
    expect(legend.get_by_text("coal", exact=True)).to_be_in_viewport(ratio=1)
    assert legend.evaluate("one => [one.clientHeight >= 130, one.scrollWidth <= one.clientWidth]") == [True, True]
    assert not {"map-frame", "panel"} & set(page.evaluate(COVERED))


def test_each_space_of_the_influence_track_shows_its_number_and_gain(server: Server, open_page: Person) -> None:
    """Each side is one drawing, and names appear on hover, on focus and under a resting finger."""
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="era-of-inventions")
        page = open_page(locale="en", viewport={"width": 1440, "height": 900})
        let_in(page.context, host)
        page.goto(server.address + path)
        tip, top, left = (
            page.locator("#symbol-tip"),
            page.locator(".track-side.is-top"),
            page.locator(".track-side.is-left"),
        )
        for side, distance_along, name in ((top, 30.5 / 34, "space 30: 1 tool"), (left, 1.5 / 16, "space 98: 1 coal")):
            box = side.bounding_box()
            assert box is not None
            is_wide = box["width"] > box["height"]
            page.mouse.move(
                box["x"] + box["width"] * (distance_along if is_wide else 0.5),
                box["y"] + box["height"] * (0.5 if is_wide else distance_along),
            )
            expect(tip).to_have_text(name)
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 2.5 / 16)  # within the same drawing
        expect(tip).to_have_text("space 97")
        page.locator("#era-track .pawn").filter(visible=True).last.locator("use").hover()
        expect(tip).to_contain_text("0 influence points")
        page.keyboard.press("Shift")
        page.locator("#era-track").focus()
        expect(tip).to_have_text("space 0")
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        expect(tip).to_have_text("space 2: 1 coal")
        page.locator("#era-track").blur()
        expect(tip).to_be_hidden()
        phone = open_page(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        let_in(phone.context, host)
    phone.goto(server.address + path)
    phone.locator("#era-track .expand-button").tap()
    row = phone.locator("#era-track .influence-track > use").nth(1)
    row.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = row.bounding_box()
    assert box is not None
    tap_point = {"x": box["x"] + box["width"] * 18.5 / 20, "y": box["y"] + box["height"] / 2}
    phone.context.new_cdp_session(phone).send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [tap_point]}
    )
    expect(phone.locator("#symbol-tip")).to_have_text("space 38: 1 coal")


MISSING = """() => [...document.querySelectorAll('#icon-names li')].map((one) => one.dataset.iconId)
  .filter((icon) => !document.querySelector(`#symbol-legend dd use[href="#${icon}"]`))"""
COVERED = """() => {
  const own = document.getElementById('symbol-legend').getBoundingClientRect();
  return ['map-frame', 'panel', 'prompt'].filter((id) => {
    const its = document.getElementById(id)?.getBoundingClientRect();
    return its && its.width && Math.min(own.right, its.right) - Math.max(own.left, its.left) > 1
      && Math.min(own.bottom, its.bottom) - Math.max(own.top, its.top) > 1;
  });
}"""
