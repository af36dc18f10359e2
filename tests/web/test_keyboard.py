"""By Tab and Enter alone, and by ear: a whole game, the live region, focus that stays, skip links; rest and size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris
from tests.web import key_player
from tests.web.conftest import SECONDS, Server, Visitor, let_in, trade_on
from tests.web.key_player import FIRST, FOCUSED, HIDDEN_RING, reach
from tests.web.layout_checks import draws, overlaps, too_wide
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer
from tests.web.whole_games import version

pytestmark = pytest.mark.browser
Open = Callable[..., BrowserContext]
Show = Callable[[Layout], TableWithoutServer]
START = paris.table(3, paris.start)


@pytest.fixture
def person(chromium: Browser, server: Server) -> Iterator[Open]:
    opened: list[BrowserContext] = []

    def start(visitor: Visitor | None = None, **settings: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        if visitor is not None:
            let_in(context, visitor)
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


def test_escape_closes_what_is_open_and_what_opened_it_has_the_focus(without_server: Show) -> None:
    page = without_server(START).page
    expect(page.locator(FIRST).first).to_be_focused()
    page.keyboard.press("2")
    expect(page.locator("#choices .step")).to_have_count(1)
    menu, legend = page.locator("#menu"), page.locator("#legend")
    menu.locator("summary").press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    reach(page, "Legend")
    page.keyboard.press("Enter")
    expect(legend).to_be_focused()
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    page.locator("#to-story").press("Enter")
    expect(page.locator("#say [name=text]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#to-story")).to_be_focused()
    expect(page.locator("#choices .step")).to_have_count(1)  # nothing of it was the choice
    page.keyboard.press("Escape")
    expect(page.locator("#choices .step")).to_have_count(0)
    expect(page.locator(FIRST).first).to_be_focused()


def test_digits_count_by_their_place_where_other_signs_are_typed_there(without_server: Show) -> None:
    """On a French keyboard, without shift."""
    page = without_server(START).page
    expect(page.locator(FIRST).first).to_be_focused()
    press = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }))"
    page.evaluate(press, {"key": "É", "code": "Digit2", "shiftKey": True})
    expect(page.locator("#choices .step")).to_have_count(0)
    page.evaluate(press, {"key": "é", "code": "Digit2"})
    expect(page.locator("#choices .step")).to_have_count(1)


def test_the_ring_is_whole_in_sight_and_in_front_wherever_tab_and_arrows_lead(without_server: Show) -> None:
    page = without_server(START).page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator(FIRST).first).to_be_focused()
    faults = []
    for key in (*["ArrowDown"] * 12, *["Tab"] * 60):
        page.keyboard.press(key)
        if not page.evaluate("document.activeElement === document.body || document.activeElement.matches('.hit')"):
            faults.append(page.evaluate(HIDDEN_RING))
    assert len(faults) > 50
    assert [fault for fault in faults if fault] == []


def test_done_which_stays_in_place_hides_no_choice_that_has_the_focus(without_server: Show) -> None:
    page = without_server(era.table(3, era.building_more)).page
    page.set_viewport_size({"width": 1366, "height": 650})
    choices = page.locator(FIRST).count()
    assert choices > 2
    draws(page)  # the prompt is set tighter, which moves the choices
    assert page.evaluate(HIDDEN_RING) == ""
    for key in (*["ArrowDown"] * (choices - 1), *["ArrowUp"] * (choices - 1)):
        page.keyboard.press(key)
        assert page.evaluate(HIDDEN_RING) == ""
    expect(page.locator(FIRST).first).to_be_focused()


def test_who_wants_no_motion_sees_none(without_server: Show) -> None:
    moving = """() => {
      const spent = (style) => `${style.transitionDuration} ${style.animationDuration}`.match(/[0-9.]+/g).map(Number);
      return [...document.querySelectorAll('*')].filter((one) => {
        const style = getComputedStyle(one);
        const none = style.transitionProperty === 'none' && style.animationName === 'none';
        return Math.max(...spent(style)) > 0 && !none;
      }).length;
    }"""
    page, counts = without_server(START).page, []
    wishes: list[Literal["reduce", "no-preference"]] = ["reduce", "no-preference"]
    for wish in wishes:
        page.emulate_media(reduced_motion=wish)
        page.evaluate("document.documentElement.dataset.pace = 'normal'")
        counts.append(page.evaluate(moving))
        page.evaluate("document.documentElement.dataset.pace = 'still'")
    assert counts[0] == 0
    assert counts[1] > 0


CUT_RINGS = """() => {
  const found = [];
  let many = 0;
  for (const part of document.querySelectorAll('.panel-frame > section *')) {
    if (part.tabIndex < 0 || part.closest('svg') || !part.getClientRects().length) continue;
    part.focus({ focusVisible: true });
    if (document.activeElement !== part) continue;
    many += 1;
    const style = getComputedStyle(part);
    const wide = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    const own = part.getBoundingClientRect();
    const box = part.closest('.panel-frame > section').getBoundingClientRect();
    const over = [box.left - own.left, own.right - box.right].map((one) => one + wide);
    if (style.outlineStyle === 'none' || Math.max(...over) > 1) found.push(part.outerHTML.slice(0, 120));
  }
  return [many, found];
}"""
"""The number of parts of the boards that can be focused, and those that show less than their whole ring then."""


@pytest.mark.parametrize("table", [START, inventors.layout(3, 0, inventors.beginning)])
def test_the_ring_around_what_is_focused_is_whole_on_a_phone(without_server: Show, table: Layout) -> None:
    page = without_server(table).page
    page.set_viewport_size({"width": 390, "height": 844})
    looked_at, cut_rings = page.evaluate(CUT_RINGS)
    assert looked_at > 0
    assert cut_rings == []


def trade(page: Page) -> str:
    """Trade the first share that is offered, word by word, by Tab and Enter; return the announcement."""
    before = version(page)
    reach(page, "Trade")
    moved = page.locator(f'#live:not([data-version="{before}"])')
    for _ in range(8):
        name = page.evaluate(FOCUSED)
        assert name, "what is focused has a name"
        page.keyboard.press("Enter")
        if name == "Confirm":
            break
        if re.match(r"Trade \w+ for", name):
            expect(page.locator("#confirm")).to_be_focused()
    expect(moved).to_be_attached()
    return before


def test_a_table_is_set_up_and_a_turn_played_by_tab_and_enter(person: Open, server: Server) -> None:
    page = person().new_page()
    key_player.open_table(page, server, "paris-connection", 2)
    expect(page.locator("#choices")).to_be_attached()
    trade(page)


def short(host: Visitor) -> str:
    """Open a table whose game ends after some forty moves, with few locomotives in the box; return its path."""
    address = "/games/paris-connection/components"
    text = host.get(f"{address}.toml").text
    for name, few in (("locomotives", 8), ("portfolio", 2)):
        text = re.sub(rf"(?m)^{name} = \d+$", f"{name} = {few}", text)
    host.table("me", "open", "open", name="Grace")  # component files are kept with a name
    digest = host.submit(address, text=text).headers["location"].rpartition("=")[2]
    return host.table("open", "bot:random", "bot:random", components=digest)


@pytest.mark.whole_game
def test_a_whole_game_by_tab_and_enter(person: Open, server: Server, grace: Visitor) -> None:
    page = person().new_page()
    page.goto(server.address + short(grace))
    reach(page, "Your name")
    page.keyboard.type("Ada")
    reach(page, "Sit down")
    page.keyboard.press("Enter")
    page.wait_for_load_state()

    turns = 0
    live_region = page.locator("#said")
    while True:
        expect(page.locator("#choices, #live.finished").first).to_be_attached()
        if page.locator("#live.finished").count():
            break
        if turns:
            expect(live_region).to_contain_text("It’s your turn.")
        trade(page)
        expect(live_region).not_to_have_text("")
        turns += 1
    assert turns > 1
    see_the_result(page)


def see_the_result(page: Page) -> None:
    """Hear who won at the end of the game, go to the result, and ask for a rematch."""
    expect(page.locator("#said")).to_contain_text(re.compile(r"\bwon[.!]"))
    expect(page.locator("#prompt-title")).to_have_text(re.compile(r"\bwon[.!]"))
    expect(page.locator("#to-end")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/end")
    expect(page.locator("#panel-end .is-winner").first).to_be_visible()
    reach(page, "Rematch")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: address.rpartition("/")[2] not in ("", page.url))
    expect(page.locator("#choices")).to_be_attached()


@pytest.mark.whole_game
@pytest.mark.parametrize(("game", "bots"), [("era-of-inventions", 2), ("legendary-inventors", 1)])
def test_a_whole_game_by_digits_arrows_and_enter(person: Open, quick_server: Server, game: str, bots: int) -> None:
    page = person(viewport={"width": 1366, "height": 650}).new_page()
    key_player.open_table(page, quick_server, game, bots)
    assert key_player.play(page, Random(1889)) > 20
    see_the_result(page)


def test_it_is_said_what_happened_and_whose_turn_it_is(
    running: tuple[str, list[Visitor]], person: Open, server: Server
) -> None:
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    mover, next_one, last = (visitors[(seat + step) % 3] for step in range(3))
    names = [("Ada", "Grace", "Mary")[(seat + step) % 3] for step in range(3)]
    pages = [person(visitor).new_page() for visitor in (next_one, last)]
    for page in pages:
        page.goto(server.address + path)
        expect(page.locator("#map-static svg")).to_be_visible()
        region = page.locator("#said")
        assert region.get_attribute("aria-live") == "polite"
    trade_move = next(move for move in mover.state(path)["moves"] if re.fullmatch(r"trade \w+ for 1 \w+", move))
    mover.play(path, trade_move)
    announcements = []
    for page in pages:
        expect(page.locator("#said")).to_contain_text(names[0])
        announcements.append(page.locator("#said").inner_text())
    company = mover.state(path)["log"][-1]["text"][0]
    assert announcements[0] == f"{company} It’s your turn."
    assert announcements[1] == f"{company} {names[1]} to move."


def test_focus_stays_where_it_was_when_the_board_changes(
    running: tuple[str, list[Visitor]], person: Open, server: Server
) -> None:
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    mover, last = visitors[seat], visitors[(seat + 2) % 3]
    page = person(last).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static svg")).to_be_visible()
    for name in ("Zoom in", "Map", "Full log"):
        reach(page, name)
        page.evaluate("window.kept = document.activeElement")
        before = version(page)
        deciding = next(visitor for visitor in visitors if (state := visitor.state(path))["seat"] == state["to_decide"])
        if deciding is last:
            break
        moves = deciding.state(path)["moves"]
        build = [move for move in moves if move.startswith("build")]
        deciding.play(path, (build or moves)[0])
        expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()
        assert page.evaluate("document.activeElement === window.kept && window.kept.isConnected"), name
        assert page.evaluate(FOCUSED) == name
    assert mover.state(path)["version"] > 3


def test_my_turn_takes_the_focus_but_not_from_what_is_typed(
    running: tuple[str, list[Visitor]], person: Open, server: Server
) -> None:
    path, visitors = running
    seat = (visitors[0].state(path)["to_decide"] + 2) % 3
    page = person(visitors[seat]).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static svg")).to_be_visible()
    reach(page, "Full log")
    trade_on(visitors, path, seat)
    expect(page.locator(FIRST).first).to_be_focused()
    trade_on(visitors, path, (seat + 1) % 3)
    expect(page.locator("#choices")).to_have_count(0)
    words = page.locator("#talk :is(input, textarea):visible").first
    words.press("1")
    trade_on(visitors, path, seat)
    expect(page.locator(FIRST).first).to_be_attached()
    page.keyboard.press("2")
    expect(words).to_be_focused()
    expect(words).to_have_value("12")


def test_skip_links_are_the_first_things_and_lead_past_the_head(
    running: tuple[str, list[Visitor]], person: Open, server: Server
) -> None:
    path, visitors = running
    page = person(visitors[visitors[0].state(path)["to_decide"] - 1]).new_page()  # who decides begins with a choice
    page.goto(server.address + path)
    expect(page.locator("#prompt-title")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to the content"
    expect(page.locator(".skip:focus")).to_be_in_viewport(ratio=0.9)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.reload()
    expect(page.locator("#prompt-title")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to the decision"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#prompt') !== null")


def test_a_turn_by_digits_that_is_undone_by_a_letter(
    running: tuple[str, list[Visitor]], person: Open, server: Server
) -> None:
    path, visitors = running
    page = person(visitors[visitors[0].state(path)["to_decide"]]).new_page()
    page.goto(server.address + path)
    first = page.locator("#choices > .options > .choice:not(.blocked)").first
    expect(first).to_be_focused()  # without a key
    before = version(page)

    def press(key: str) -> None:
        page.keyboard.press(key)
        expect(page.locator("#choices[aria-busy]")).to_have_count(0)

    page.keyboard.press("1")  # Build track
    expect(page.locator("#choices .asks")).to_have_text("Which company will you build for?")
    second = page.locator("#choices > .options > .choice:not(.blocked) .label").nth(1).inner_text()
    page.keyboard.press("2")
    expect(page.locator("#choices .trail .step").last).to_contain_text(second)
    page.keyboard.press("u")
    expect(page.locator("#choices .asks")).to_have_text("Which company will you build for?")
    page.keyboard.press("2")
    page.keyboard.press("1")
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()
    expect(first).to_be_focused()
    built = version(page)
    page.keyboard.press("U")
    expect(page.locator(f'#live:not([data-version="{built}"])')).to_be_attached()
    expect(page.locator("#undo")).to_be_disabled()
    # What is to be confirmed is answered by digits, too; after Confirm, the next decision has the focus.
    page.locator("#choices").get_by_role("button", name="Trade", exact=True).press("Enter")
    while not page.locator("#confirm").count():
        press("1")
    page.keyboard.press("2")
    expect(page.locator("#confirm")).to_have_count(0)
    # Where something is typed, a digit is a digit.
    words = page.locator("#talk :is(input, textarea):visible").first
    words.press("1")
    expect(words).to_have_value("1")
    expect(page.locator("#confirm")).to_have_count(0)


CONTROLS = """() => [...document.querySelectorAll(
    'a[href], button:not(.unfold, #unroll), select, input:not([type=hidden]), summary:not(#contents *)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1)
  .map((one) => one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.textContent.trim())
  .map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean)"""


UNFOLD = """() => {
  const folded = '.unfold, #unroll, :is(.chapter, #contents):not([open]) > summary';
  for (const one of document.querySelectorAll(folded)) if (one.checkVisibility()) one.click();
}"""
"""Opens what is folded where there is little room."""


def test_at_200_percent_nothing_is_lost(running: tuple[str, list[Visitor]], person: Open, server: Server) -> None:
    path, visitors = running
    decider = visitors[visitors[0].state(path)["to_decide"]]
    desk = person(decider).new_page()
    doubled = person(decider, viewport={"width": 720, "height": 450}, device_scale_factor=2).new_page()
    now = datetime.now(UTC)
    for page in (desk, doubled):
        page.clock.set_fixed_time(now)  # both say how long ago a table has changed
    for address in (path, "/", "/new/paris-connection", "/preferences", "/games/paris-connection/rules"):
        controls = []
        for page in (desk, doubled):
            page.goto(server.address + address)
            if address == path:
                expect(page.locator("#choices .choice").first).to_be_visible()
                expect(page.locator("#map-static svg")).to_be_visible()
            if page is doubled or address == path:
                page.evaluate(UNFOLD)
            controls.append(page.evaluate(CONTROLS))
        assert sorted(controls[1]) == sorted(controls[0]), address
        assert too_wide(doubled) == [], address
        assert overlaps(doubled) == [], address
