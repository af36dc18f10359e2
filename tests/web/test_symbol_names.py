"""Every symbol shows its name and value next to it: under the pointer, with the focus, and under a resting finger."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Person, Server, Visitor, let_in

pytestmark = pytest.mark.browser
TIPS = """() => {
  const tip = document.getElementById('symbol-tip');
  const seen = [...document.querySelectorAll('#panel svg, #strip svg, #prompt svg')].filter((one) =>
    one.querySelector('use[href^="#sign-"], use[href^="#shape-"], use[href^="#attribute-"]') && one.checkVisibility());
  return seen.map((one) => {
    one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    const sign = one.querySelector('use').getAttribute('href').slice(1);
    const listed = document.querySelector(`#sign-names [data-sign="${sign}"]`)?.textContent ?? '';
    const said = tip.hidden ? '' : tip.textContent;
    document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    return [sign, listed, said];
  });
}"""
"""A script that returns, for each visible symbol, its sign, the name of the sign, and the text shown on hovering."""


@pytest.mark.parametrize(
    ("key", "most"), [("paris-connection", 18), ("era-of-inventions", 150), ("legendary-inventors", 40)]
)
def test_every_symbol_can_be_named_from_the_screen_alone(server: Server, person: Person, key: str, most: int) -> None:
    page = person(locale="en", viewport={"width": 1440, "height": 900})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game=key)
        let_in(page.context, host)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked)").first).to_be_visible()
    named = page.evaluate(TIPS)
    assert len(named) >= most
    wordless = {sign for sign, _, text in named if not any(letter.isalpha() for letter in text)}
    assert wordless == set()
    unnamed = {sign: text for sign, listed, text in named if listed.casefold() not in text.casefold()}
    assert unnamed == {}
    expect(page.locator("#symbol-tip")).to_be_hidden()


def test_a_place_with_the_focus_and_a_finger_that_rests_are_told(server: Server, person: Person) -> None:
    page = person(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="paris-connection")
        let_in(page.context, host)
    page.goto(server.address + path)
    share = page.locator("#strip .is-target").first
    expect(share).to_be_visible()
    name, tip = share.locator(".visually-hidden").inner_text(), page.locator("#symbol-tip")
    box = share.locator("svg").bounding_box()
    assert box is not None
    line = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(tip).to_contain_text(name)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#strip .is-chosen")).to_have_count(0)
    shown = tip.bounding_box()
    assert shown is not None
    assert shown["y"] + shown["height"] <= box["y"] + 2 or shown["y"] >= box["y"] + box["height"] - 2
    page.locator("#prompt-title").tap()
    expect(tip).to_be_hidden()
    own_points = page.locator("#head .own .points")
    points = own_points.bounding_box()
    assert points is not None
    at = {"x": points["x"] + points["width"] / 2, "y": points["y"] + points["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(tip).to_have_text(f"points: {own_points.inner_text()}")
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator("#prompt-title").tap()
    expect(tip).to_be_hidden()
    page.keyboard.press("Shift")
    page.locator('#strip .is-target[tabindex="0"]').focus()
    expect(tip).to_contain_text(page.locator("#strip .is-target").first.locator(".visually-hidden").inner_text())
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_the_legend_names_every_sign_and_covers_neither_boards_nor_prompt(
    server: Server, person: Person, key: str
) -> None:
    page = person(locale="en", viewport={"width": 1366, "height": 650})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game=key)
        let_in(page.context, host)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked)").first).to_be_visible()
    page.locator("#menu > summary").click()
    page.locator('#menu [popovertarget="legend"]').click()
    legend = page.locator("#legend")
    expect(legend).to_be_visible()
    expect(page.locator("#menu")).not_to_have_attribute("open", "")
    assert page.evaluate(MISSING) == []
    assert page.evaluate(COVERED) == []
    assert legend.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#menu > summary").click()
    page.locator('#menu [popovertarget="legend"]').click()
    expect(legend).to_be_visible()
    assert page.evaluate(COVERED) in (
        [],
        ["panel"],
        ["map-frame"],
        ["map-frame", "panel"],
    )  # a phone has no other place
    close = legend.get_by_role("button", name="Close")
    box = close.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    legend.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    close.click()
    expect(legend).to_be_hidden()
    expect(page.locator("#menu > summary")).to_be_focused()


def test_a_card_says_its_name_once_and_apart_what_it_yields_and_costs(server: Server, person: Person) -> None:
    page = person(locale="en", viewport={"width": 1440, "height": 900})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="era-of-inventions")
        let_in(page.context, host)
    page.goto(server.address + path)
    card = page.locator("#era-row .card-of.is-start").first
    card.locator(".engraving svg").first.hover()
    name, gain, cost, *_ = page.locator("#symbol-tip").inner_text().split(" · ")
    assert name == card.locator("h3").get_attribute("title")
    assert gain.endswith(card.locator(".gain .visually-hidden").last.inner_text().strip())
    assert cost.endswith(card.locator(".cost .visually-hidden").last.inner_text().strip())


def test_a_symbol_that_comes_to_lie_under_a_mouse_at_rest_says_nothing(server: Server, person: Person) -> None:
    """A click brings the next choices under the pointer; a name over them would hide what they are called."""
    page = person(locale="en", viewport={"width": 1366, "height": 650})
    page.goto(f"{server.address}/games/legendary-inventors/first-round")
    tip, symbol = page.locator("#symbol-tip"), page.locator("#choices svg").first
    expect(symbol).to_be_visible()
    box = page.locator("#lesson h2").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    moved_there = {"bubbles": True, "pointerType": "mouse", "clientX": box["x"] + 5, "clientY": box["y"] + 5}
    symbol.dispatch_event("pointerover", moved_there)
    expect(tip).to_be_hidden()
    symbol.hover()
    expect(tip).to_contain_text("mathematics")


def test_the_share_that_a_trade_would_give_is_marked_round_its_letter_not_over_it(
    server: Server, person: Person
) -> None:
    page = person(locale="en", viewport={"width": 1366, "height": 650})
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="paris-connection")
        let_in(page.context, host)
    page.goto(server.address + path)
    page.locator("#choices .choice", has_text="Trade").first.click()
    page.locator("#choices table button:not(.blocked)").first.hover()
    pointed = page.locator("#strip .is-pointed")
    expect(pointed).to_have_count(1)
    assert pointed.locator("svg").evaluate("one => getComputedStyle(one).stroke") == "none"
    assert pointed.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


def test_the_legend_of_a_lesson_can_be_read_though_its_log_is_low(server: Server, person: Person) -> None:
    page = person(locale="en", viewport={"width": 1366, "height": 650})
    page.goto(f"{server.address}/games/era-of-inventions/first-round")
    page.locator(".era-legend").click()
    legend = page.locator("#legend")
    expect(legend.get_by_text("coal", exact=True)).to_be_in_viewport(ratio=1)
    assert legend.evaluate("one => [one.clientHeight >= 130, one.scrollWidth <= one.clientWidth]") == [True, True]
    assert not {"map-frame", "panel"} & set(page.evaluate(COVERED))


def test_each_space_of_the_influence_track_says_its_number_and_what_it_gives(server: Server, person: Person) -> None:
    """Though all spaces of a side are one drawing: under the pointer, with the focus, and under a resting finger."""
    with Visitor(server) as host:
        path = host.table("me", "bot:random", "bot:random", game="era-of-inventions")
        page = person(locale="en", viewport={"width": 1440, "height": 900})
        let_in(page.context, host)
        page.goto(server.address + path)
        tip, top, left = page.locator("#symbol-tip"), page.locator(".side.is-top"), page.locator(".side.is-left")
        for side, along, name in ((top, 30.5 / 34, "space 30: 1 tool"), (left, 1.5 / 16, "space 98: 1 coal")):
            box = side.bounding_box()
            assert box is not None
            across = box["width"] > box["height"]
            page.mouse.move(
                box["x"] + box["width"] * (along if across else 0.5),
                box["y"] + box["height"] * (0.5 if across else along),
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
        phone = person(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        let_in(phone.context, host)
    phone.goto(server.address + path)
    phone.locator("#era-track .unfold").tap()
    row = phone.locator("#era-track .track > use").nth(1)
    row.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = row.bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] * 18.5 / 20, "y": box["y"] + box["height"] / 2}
    phone.context.new_cdp_session(phone).send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(phone.locator("#symbol-tip")).to_have_text("space 38: 1 coal")


MISSING = """() => [...document.querySelectorAll('#sign-names li')].map((one) => one.dataset.sign)
  .filter((sign) => !document.querySelector(`#legend dd use[href="#${sign}"]`))"""
COVERED = """() => {
  const own = document.getElementById('legend').getBoundingClientRect();
  return ['map-frame', 'panel', 'prompt'].filter((id) => {
    const its = document.getElementById(id)?.getBoundingClientRect();
    return its && its.width && Math.min(own.right, its.right) - Math.max(own.left, its.left) > 1
      && Math.min(own.bottom, its.bottom) - Math.max(own.top, its.top) > 1;
  });
}"""
