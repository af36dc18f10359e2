"""Sound and notification announce the player's turn according to their preferences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import Person, Server, Visitor, let_in

NextTurn = tuple[str, Visitor, Callable[[], None]]
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
ANDROID = """
window.Notification = class {
  static permission = 'granted';
  constructor() { throw new TypeError('Illegal constructor.'); }
};
"""
WORKER = """
navigator.serviceWorker.getRegistration = async () => ({
  async showNotification(title, options) { window.heard.push(`worker: ${title} ${options.tag}`); },
});
"""
UNTOUCHED = "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } });"
"""Playwright touches a page whenever it evaluates something there."""
RING = """
window.over = new Promise((so) => {
  const close = AudioContext.prototype.close;
  AudioContext.prototype.close = async function () { await close.call(this); so(0); };
});
"""


def wish(me: Visitor, *wishes: str) -> None:
    me.submit("/preferences", **{f"{wish}-shown": "1" for wish in wishes}, **dict.fromkeys(wishes, "on"))


def comes(page: Page, promise: str) -> Any:
    """Return the value of a promise of the page; Playwright itself would wait for ever."""
    late = "new Promise((_, no) => setTimeout(no, 30000, new Error('it has not come')))"
    return page.evaluate(f"Promise.race([window.{promise}, {late}])")


def listen_for_turns(page: Page) -> None:
    # Awaited as a promise: to wait for a function Playwright evaluates a string in the page, which its policy forbids.
    page.evaluate(
        """window.turned = new Promise((so) => {
          document.addEventListener('spieltisch:turn', ({ detail }) => so(detail.rings));
        }); 0"""
    )


@pytest.fixture
def next_turn(running: tuple[str, list[Visitor]]) -> NextTurn:
    """The path of a table, who comes next there, and what ends the turn before."""
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]

    def end_turn() -> None:
        trade = next(move for move in visitors[seat].state(path)["moves"] if move.startswith("trade"))
        assert visitors[seat].play(path, trade).status_code == 200

    return path, visitors[(seat + 1) % 3], end_turn


@pytest.mark.browser
@pytest.mark.parametrize("wished", [True, False])
def test_my_turn(wished: bool, next_turn: NextTurn, server: Server, chromium: Browser) -> None:
    path, me, end_turn = next_turn
    if wished:
        wish(me, "sound", "notify")
    context = chromium.new_context(locale="en-GB")
    let_in(context, me)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(f"{server.address}{path}")
    listen_for_turns(page)
    end_turn()
    assert comes(page, "turned") is wished
    signals = page.evaluate("window.heard")
    assert signals == ([f"notified: It’s your turn. – Paris Connection {path}", "rang", "rang"] if wished else [])
    context.close()


@pytest.mark.browser
def test_a_bell_rings_out_in_peace(next_turn: NextTurn, server: Server, person: Person) -> None:
    path, me, end_turn = next_turn
    wish(me, "sound")
    page = person(locale="en-GB")
    let_in(page.context, me)
    page.add_init_script(RING)
    page.goto(f"{server.address}{path}")
    page.locator("#head").click()  # before it is touched, a page may make no sound
    end_turn()
    comes(page, "over")


@pytest.mark.browser
@pytest.mark.parametrize("touched", [{0, 1, 2}, {1}, set()])
def test_one_tab_rings_and_it_may(touched: set[int], next_turn: NextTurn, server: Server, person: Person) -> None:
    path, me, end_turn = next_turn
    wish(me, "sound")
    first = person(locale="en-GB")
    let_in(first.context, me)
    tabs = [first, first.context.new_page(), first.context.new_page()]
    for number, tab in enumerate(tabs):
        if number not in touched:
            tab.add_init_script(UNTOUCHED)
        tab.goto(f"{server.address}{path}")
        listen_for_turns(tab)
    end_turn()
    rang = [number for number, tab in enumerate(tabs) if comes(tab, "turned")]
    assert len(rang) == 1
    assert touched >= set(rang) or not touched


@pytest.mark.browser
@pytest.mark.parametrize("worker", [True, False])
def test_where_a_page_may_not_notify(worker: bool, next_turn: NextTurn, server: Server, person: Person) -> None:
    path, me, end_turn = next_turn
    wish(me, "sound", "notify")
    page = person(locale="en-GB")
    let_in(page.context, me)
    for script in (LISTEN, ANDROID, *([WORKER] if worker else [])):
        page.add_init_script(script)
    page.goto(f"{server.address}{path}")
    listen_for_turns(page)
    end_turn()
    assert comes(page, "turned") is True
    notifications = [f"worker: It’s your turn. – Paris Connection {path}"] if worker else []
    assert sorted(page.evaluate("window.heard")) == ["rang", "rang", *notifications]
