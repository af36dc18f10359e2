"""A bell and a notification say that it is one's turn, as the person likes it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.conftest import Person, Server, Visitor, let_in

LISTEN = """
window.heard = [];
Object.defineProperty(document, 'hidden', { get: () => true });
window.Notification = class {
  static permission = 'granted';
  constructor(title, options) { window.heard.push(`notified: ${title} ${options.tag}`); }
};
const tone = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.heard.push('rang'); return tone.call(this); };
"""

RING = """
window.over = new Promise((so) => {
  const close = AudioContext.prototype.close;
  AudioContext.prototype.close = async function () { await close.call(this); so(0); };
});
"""


def wish_for_sound(me: Visitor) -> None:
    me.submit("/preferences", **{"sound-shown": "1", "sound": "on"})


def end_turn(path: str, mover: Visitor) -> None:
    trade = next(move for move in mover.state(path)["moves"] if move.startswith("trade"))
    assert mover.play(path, trade).status_code == 200


@pytest.mark.browser
@pytest.mark.parametrize("wished", [True, False])
def test_my_turn(wished: bool, running: tuple[str, list[Visitor]], server: Server, chromium: Browser) -> None:
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    mover, me = visitors[seat], visitors[(seat + 1) % 3]
    if wished:
        me.submit("/preferences", **{"sound-shown": "1", "sound": "on", "notify-shown": "1", "notify": "on"})
    context = chromium.new_context(locale="en-GB")
    let_in(context, me)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(f"{server.address}{path}")
    # Awaited as a promise: to wait for a function Playwright evaluates a string in the page, which its policy forbids.
    page.evaluate("window.turned = new Promise((so) => document.addEventListener('spieltisch:turn', so)); 0")
    end_turn(path, mover)
    page.evaluate("window.turned.then(() => 0)")
    heard = page.evaluate("window.heard")
    assert heard == (["rang", "rang", f"notified: It is your turn. – Paris Connection {path}"] if wished else [])
    context.close()


@pytest.mark.browser
def test_a_bell_rings_out_in_peace(running: tuple[str, list[Visitor]], server: Server, person: Person) -> None:
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    me = visitors[(seat + 1) % 3]
    wish_for_sound(me)
    page = person(locale="en-GB")
    let_in(page.context, me)
    page.add_init_script(RING)
    page.goto(f"{server.address}{path}")
    page.locator("#head").click()  # before it is touched, a page may make no sound
    end_turn(path, visitors[seat])
    page.evaluate("window.over")
