"""Check that sound and notification announce the player's turn according to their preferences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

NextTurn = tuple[str, Visitor, Callable[[], None]]
YOUR_TURN = sentence_after("web/pages/table_page.py", "if between else")
LISTEN = """
window.signals = [];
Object.defineProperty(document, 'hidden', { get: () => true });
window.Notification = class {
  static permission = 'granted';
  constructor(title, options) { window.signals.push(`notified: ${title} ${options.tag}`); }
};
const tone = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.signals.push('rang'); return tone.call(this); };
"""
ANDROID = """
window.Notification = class {
  static permission = 'granted';
  constructor() { throw new TypeError('Illegal constructor.'); }
};
"""
WORKER = """
navigator.serviceWorker.getRegistration = async () => ({
  async showNotification(title, options) { window.signals.push(`worker: ${title} ${options.tag}`); },
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


def choose_signals(own_visitor: Visitor, *signals: str) -> None:
    own_visitor.submit("/preferences", **{f"{signal}-shown": "1" for signal in signals}, **dict.fromkeys(signals, "on"))


def await_promise(page: Page, promise: str) -> Any:
    """Return the value of a promise of the page; Playwright itself would wait for ever."""
    late_promise = "new Promise((_, no) => setTimeout(no, 30000, new Error('it has not come')))"
    return page.evaluate(f"Promise.race([window.{promise}, {late_promise}])")


def listen_for_turns(page: Page) -> None:
    # Awaited as a promise: to wait for a function Playwright evaluates a string in the page, which its policy forbids.
    page.evaluate(
        """window.turned = new Promise((so) => {
          document.addEventListener('spieltisch:turn-announced', ({ detail }) => so(detail.isRinging));
        }); 0"""
    )


@pytest.fixture
def next_turn(running_table: tuple[str, list[Visitor]]) -> NextTurn:
    """Return the path of a table, its next player, and a function that ends the turn before."""
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"]

    def end_turn() -> None:
        trade = next(move for move in visitors[seat].state(path)["moves"] if move.startswith("trade"))
        assert visitors[seat].play(path, trade).status_code == 200

    return path, visitors[(seat + 1) % 3], end_turn


@pytest.mark.browser
@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_beginning_of_a_players_turn_rings_and_notifies_if_the_player_chose_so(
    is_chosen: bool, next_turn: NextTurn, server: Server, chromium: Browser
) -> None:
    path, own_visitor, end_turn = next_turn
    if is_chosen:
        choose_signals(own_visitor, "sound", "notify")
    context = chromium.new_context(locale="en-GB")
    let_in(context, own_visitor)
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(f"{server.address}{path}")
    listen_for_turns(page)
    end_turn()
    assert await_promise(page, "turned") is is_chosen
    signals = page.evaluate("window.signals")
    assert signals == ([f"notified: {YOUR_TURN} – Paris Connection {path}", "rang", "rang"] if is_chosen else [])
    context.close()


@pytest.mark.browser
def test_the_sound_of_the_bell_is_played_to_its_end(next_turn: NextTurn, server: Server, open_page: Person) -> None:
    path, own_visitor, end_turn = next_turn
    choose_signals(own_visitor, "sound")
    page = open_page(locale="en-GB")
    let_in(page.context, own_visitor)
    page.add_init_script(RING)
    page.goto(f"{server.address}{path}")
    page.locator("#table-head").click()  # before it is touched, a page may make no sound
    end_turn()
    await_promise(page, "over")


@pytest.mark.browser
@pytest.mark.parametrize("touched", [{0, 1, 2}, {1}, set()])
def test_only_one_tab_that_may_play_sound_rings(
    touched: set[int], next_turn: NextTurn, server: Server, open_page: Person
) -> None:
    path, own_visitor, end_turn = next_turn
    choose_signals(own_visitor, "sound")
    first = open_page(locale="en-GB")
    let_in(first.context, own_visitor)
    tabs = [first, first.context.new_page(), first.context.new_page()]
    for number, tab in enumerate(tabs):
        if number not in touched:
            tab.add_init_script(UNTOUCHED)
        tab.goto(f"{server.address}{path}")
        listen_for_turns(tab)
    end_turn()
    rang = [number for number, tab in enumerate(tabs) if await_promise(tab, "turned")]
    assert len(rang) == 1
    assert touched >= set(rang) or not touched


@pytest.mark.browser
@pytest.mark.parametrize("worker", [True, False])
def test_a_page_that_cannot_create_notifications_uses_its_service_worker(
    worker: bool, next_turn: NextTurn, server: Server, open_page: Person
) -> None:
    path, own_visitor, end_turn = next_turn
    choose_signals(own_visitor, "sound", "notify")
    page = open_page(locale="en-GB")
    let_in(page.context, own_visitor)
    for script in (LISTEN, ANDROID, *([WORKER] if worker else [])):
        page.add_init_script(script)
    page.goto(f"{server.address}{path}")
    listen_for_turns(page)
    end_turn()
    assert await_promise(page, "turned") is True
    notifications = [f"worker: {YOUR_TURN} – Paris Connection {path}"] if worker else []
    assert sorted(page.evaluate("window.signals")) == ["rang", "rang", *notifications]
