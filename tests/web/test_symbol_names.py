"""Every symbol says its name and value at its place: under a pointer, with the focus, and under a finger that rests."""

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
"""Of each symbol that is seen: its sign, the name of the sign, and what it says when it is pointed at."""


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
    wordless = {sign for sign, _, said in named if not any(letter.isalpha() for letter in said)}
    assert wordless == set()
    unnamed = {sign: said for sign, listed, said in named if listed.casefold() not in said.casefold()}
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
    page.keyboard.press("Shift")
    page.locator('#strip .is-target[tabindex="0"]').focus()
    expect(tip).to_contain_text(page.locator("#strip .is-target").first.locator(".visually-hidden").inner_text())
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
