"""Check keyboard and screen reader: whole games, live region, focus, skip links, reduced motion and zoom."""

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
from tests.sentences import sentence_after, template_after
from tests.web import key_player
from tests.web.conftest import SECONDS
from tests.web.key_player import FIRST, FOCUSED, HIDDEN_RING, reach, reach_element, word_labels, word_questions
from tests.web.layout_checks import draws, overlaps, too_wide
from tests.web.prepared_tables import Layout
from tests.web.servers import Server
from tests.web.short_games import open_short_game
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import Visitor, let_in, trade_on
from tests.web.whole_games import version

pytestmark = pytest.mark.browser
Open = Callable[..., BrowserContext]
Show = Callable[[Layout], TableWithoutServer]
TRADE, _, FOR_TWO, _ = word_labels("paris-connection", "trade red for 2 black")
FOR_ONE = word_labels("paris-connection", "trade red for 1 black")[2]
_, WHICH_COMPANY, _ = word_questions("paris-connection", "build red Amiens")
YOUR_TURN = sentence_after("web/pages/table_page.py", "if between else")
WON = re.compile(
    re.escape(sentence_after("web/pages/result.py", "if seats == (seat,)"))
    + "|"
    + re.escape(template_after("web/pages/result.py", "def winners_sentence", "messages(").text).replace(
        re.escape("{player}"), ".+"
    )
)
"""The announcement of the winner at the end of a game."""
START = paris.layout_at(3, paris.stop_at_start)


@pytest.fixture
def open_context(chromium: Browser, server: Server) -> Iterator[Open]:
    contexts: list[BrowserContext] = []

    def start(visitor: Visitor | None = None, **settings: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        if visitor is not None:
            let_in(context, visitor)
        contexts.append(context)
        return context

    yield start
    for context in contexts:
        context.close()


def test_escape_closes_an_open_menu_or_panel_and_returns_the_focus(without_server: Show) -> None:
    page = without_server(START).page
    expect(page.locator(FIRST).first).to_be_focused()
    page.keyboard.press("2")
    expect(page.locator("#choices .chosen-step")).to_have_count(1)
    menu, legend = page.locator("#table-menu"), page.locator("#symbol-legend")
    menu.locator("summary").press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    reach_element(page, 'button[popovertarget="symbol-legend"]')
    page.keyboard.press("Enter")
    expect(legend).to_be_focused()
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    page.locator("#log-button").press("Enter")
    expect(page.locator("#message-form [name=text]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#log-button")).to_be_focused()
    expect(page.locator("#choices .chosen-step")).to_have_count(1)  # nothing of it was the choice
    page.keyboard.press("Escape")
    expect(page.locator("#choices .chosen-step")).to_have_count(0)
    expect(page.locator(FIRST).first).to_be_focused()


def test_digit_keys_choose_on_keyboards_whose_digit_keys_type_other_characters(without_server: Show) -> None:
    """On the French keyboard of this test, digit keys type digits only together with Shift, which is not pressed."""
    page = without_server(START).page
    expect(page.locator(FIRST).first).to_be_focused()
    press_script = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }))"
    page.evaluate(press_script, {"key": "É", "code": "Digit2", "shiftKey": True})
    expect(page.locator("#choices .chosen-step")).to_have_count(0)
    page.evaluate(press_script, {"key": "é", "code": "Digit2"})
    expect(page.locator("#choices .chosen-step")).to_have_count(1)


def test_the_focus_ring_is_fully_visible_at_every_element_reached_by_keys(without_server: Show) -> None:
    page = without_server(START).page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator(FIRST).first).to_be_focused()
    faults = []
    for key in (*["ArrowDown"] * 12, *["Tab"] * 60):
        page.keyboard.press(key)
        if not page.evaluate("document.activeElement === document.body || document.activeElement.matches('.hit-area')"):
            faults.append(page.evaluate(HIDDEN_RING))
    assert len(faults) > 50
    assert [fault for fault in faults if fault] == []


def test_the_fixed_done_button_covers_no_focused_choice(without_server: Show) -> None:
    page = without_server(era.layout_at(3, era.can_build_more)).page
    page.set_viewport_size({"width": 1366, "height": 650})
    choices = page.locator(FIRST).count()
    assert choices > 2
    draws(page)  # the prompt is set tighter, which moves the choices
    assert page.evaluate(HIDDEN_RING) == ""
    for key in (*["ArrowDown"] * (choices - 1), *["ArrowUp"] * (choices - 1)):
        page.keyboard.press(key)
        assert page.evaluate(HIDDEN_RING) == ""
    expect(page.locator(FIRST).first).to_be_focused()


def test_reduced_motion_turns_off_all_animations(without_server: Show) -> None:
    moving = """() => {
      const spent = (style) => `${style.transitionDuration} ${style.animationDuration}`.match(/[0-9.]+/g).map(Number);
      return [...document.querySelectorAll('*')].filter((one) => {
        const style = getComputedStyle(one);
        const none = style.transitionProperty === 'none' && style.animationName === 'none';
        return Math.max(...spent(style)) > 0 && !none;
      }).length;
    }"""
    page, counts = without_server(START).page, []
    motions: list[Literal["reduce", "no-preference"]] = ["reduce", "no-preference"]
    for motion in motions:
        page.emulate_media(reduced_motion=motion)
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


@pytest.mark.parametrize("table", [START, inventors.layout_at(3, 0, inventors.is_start)])
def test_focus_rings_are_not_cut_on_a_phone(without_server: Show, table: Layout) -> None:
    page = without_server(table).page
    page.set_viewport_size({"width": 390, "height": 844})
    element_count, cut_rings = page.evaluate(CUT_RINGS)
    assert element_count > 0
    assert cut_rings == []


def trade(page: Page) -> str:
    """Trade the first offered share word by word with Tab and Enter, and return the announcement."""
    before = version(page)
    reach(page, TRADE)
    moved_page = page.locator(f'#live-part:not([data-version="{before}"])')
    for _ in range(8):
        name = page.evaluate(FOCUSED)
        assert name, "what is focused has a name"
        is_confirmed = page.evaluate("document.activeElement.id === 'confirm-button'")
        page.keyboard.press("Enter")
        if is_confirmed:
            break
        if re.match(rf"{TRADE} \w+ ({FOR_ONE}|{FOR_TWO})", name):
            expect(page.locator("#confirm-button")).to_be_focused()
    expect(moved_page).to_be_attached()
    return before


def test_a_table_is_created_and_a_turn_played_with_tab_and_enter(open_context: Open, server: Server) -> None:
    page = open_context().new_page()
    key_player.open_table(page, server, "paris-connection", 2)
    expect(page.locator("#choices")).to_be_attached()
    trade(page)


@pytest.mark.whole_game
def test_a_whole_game_is_played_with_tab_and_enter(open_context: Open, server: Server, grace: Visitor) -> None:
    page = open_context().new_page()
    page.goto(server.address + open_short_game(grace))
    reach_element(page, "#name")
    page.keyboard.type("Ada")
    reach_element(page, "#seat-form .primary")
    page.keyboard.press("Enter")
    page.wait_for_load_state()

    turns = 0
    live_region = page.locator("#live-region")
    while True:
        expect(page.locator("#choices, #live-part.status-finished").first).to_be_attached()
        if page.locator("#live-part.status-finished").count():
            break
        if turns:
            expect(live_region).to_contain_text(YOUR_TURN)
        trade(page)
        expect(live_region).not_to_have_text("")
        turns += 1
    assert turns > 1
    hear_result_and_request_rematch(page)


def hear_result_and_request_rematch(page: Page) -> None:
    """Read the announced winner at the end, go to the result, and request a rematch."""
    expect(page.locator("#live-region")).to_contain_text(WON)
    expect(page.locator("#prompt-title")).to_have_text(WON)
    expect(page.locator("#result-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/end(#|$)"))
    expect(page.locator("#panel-end .is-winner").first).to_be_visible()
    reach_element(page, '[formaction$="/rematch"]:not([name])')
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: address.rpartition("/")[2] not in ("", page.url))
    expect(page.locator("#choices")).to_be_attached()


@pytest.mark.whole_game
@pytest.mark.parametrize(("game", "bots"), [("era-of-inventions", 2), ("legendary-inventors", 1)])
def test_a_whole_game_is_played_with_digits_arrows_and_enter(
    open_context: Open, quick_server: Server, game: str, bots: int
) -> None:
    page = open_context(viewport={"width": 1366, "height": 650}).new_page()
    key_player.open_table(page, quick_server, game, bots)
    assert key_player.play(page, Random(1889)) > 20
    hear_result_and_request_rematch(page)


def test_a_move_and_the_next_turn_are_announced(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"]
    mover, next_one, last_visitor = (visitors[(seat + step) % 3] for step in range(3))
    names = [("Ada", "Grace", "Mary")[(seat + step) % 3] for step in range(3)]
    pages = [open_context(visitor).new_page() for visitor in (next_one, last_visitor)]
    for page in pages:
        page.goto(server.address + path)
        expect(page.locator("#map-drawing svg")).to_be_visible()
        region = page.locator("#live-region")
        assert region.get_attribute("aria-live") == "polite"
    trade_move = next(move for move in mover.state(path)["moves"] if re.fullmatch(r"trade \w+ for 1 \w+", move))
    mover.play(path, trade_move)
    announcements = []
    for page in pages:
        expect(page.locator("#live-region")).to_contain_text(names[0])
        announcements.append(page.locator("#live-region").inner_text())
    company = mover.state(path)["log"][-1]["text"][0]
    to_move_sentence = sentence_after("web/pages/table_page.py", "if between:", "return", "return", player=names[1])
    assert announcements == [f"{company} {YOUR_TURN}", f"{company} {to_move_sentence}"]


def test_focus_stays_where_it_was_when_the_board_changes(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"]
    mover, last_visitor = visitors[seat], visitors[(seat + 2) % 3]
    page = open_context(last_visitor).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    for selector in ('[data-action="zoom-in"]', "#map-frame", '#log-panel a[href$="/log"]'):
        reach_element(page, selector)
        name = page.evaluate(FOCUSED)
        page.evaluate("window.kept = document.activeElement")
        before = version(page)
        deciding = next(visitor for visitor in visitors if (state := visitor.state(path))["seat"] == state["to_decide"])
        if deciding is last_visitor:
            break
        moves = deciding.state(path)["moves"]
        build = [move for move in moves if move.startswith("build")]
        deciding.play(path, (build or moves)[0])
        expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()
        assert page.evaluate("document.activeElement === window.kept && window.kept.isConnected"), name
        assert page.evaluate(FOCUSED) == name
    assert mover.state(path)["version"] > 3


def test_the_first_choice_of_a_turn_takes_the_focus_but_not_from_a_text_field(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    seat = (visitors[0].state(path)["to_decide"] + 2) % 3
    page = open_context(visitors[seat]).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    reach_element(page, '#log-panel a[href$="/log"]')
    trade_on(visitors, path, seat)
    expect(page.locator(FIRST).first).to_be_focused()
    trade_on(visitors, path, (seat + 1) % 3)
    expect(page.locator("#choices")).to_have_count(0)
    words = page.locator("#chat :is(input, textarea):visible").first
    words.press("1")
    trade_on(visitors, path, seat)
    expect(page.locator(FIRST).first).to_be_attached()
    page.keyboard.press("2")
    expect(words).to_be_focused()
    expect(words).to_have_value("12")


def test_the_beginning_of_a_turn_does_not_move_the_focus_from_a_question_of_the_host(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"] % 2 + 1  # not the host's, and it waits
    page = open_context(visitors[seat]).new_page()
    page.goto(server.address + path)
    assert visitors[0].submit(f"{path}/reclaim/{seat}").status_code == 303
    expect(page.locator("#prompt .consent button")).to_have_count(2)
    trade_on(visitors, path, seat)
    expect(page.locator(FIRST).first).to_be_visible()
    expect(page.locator("body")).to_be_focused()


def test_skip_links_are_the_first_links_and_lead_past_the_header(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    page = open_context(
        visitors[visitors[0].state(path)["to_decide"] - 1]
    ).new_page()  # who decides begins with a choice
    page.goto(server.address + path)
    expect(page.locator("#prompt-title")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('a.skip-link[href=\"#main\"]')")
    expect(page.locator(".skip-link:focus")).to_be_in_viewport(ratio=0.9)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.reload()
    expect(page.locator("#prompt-title")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('a.skip-link[href=\"#prompt-title\"]')")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#prompt') !== null")


def test_a_turn_is_played_with_digit_keys_and_undone_with_a_letter_key(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    page = open_context(visitors[visitors[0].state(path)["to_decide"]]).new_page()
    page.goto(server.address + path)
    first = page.locator("#choices > .choice-list > .choice:not(.blocked-choice)").first
    expect(first).to_be_focused()  # without a key
    before = version(page)

    def press_key(key: str) -> None:
        page.keyboard.press(key)
        expect(page.locator("#choices[aria-busy]")).to_have_count(0)

    page.keyboard.press("1")  # Build track
    expect(page.locator("#choices .choice-question")).to_have_text(WHICH_COMPANY)
    second = page.locator("#choices > .choice-list > .choice:not(.blocked-choice) .move-label").nth(1).inner_text()
    page.keyboard.press("2")
    expect(page.locator("#choices .chosen-steps .chosen-step").last).to_contain_text(second)
    page.keyboard.press("u")
    expect(page.locator("#choices .choice-question")).to_have_text(WHICH_COMPANY)
    page.keyboard.press("2")
    page.keyboard.press("1")
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()
    expect(first).to_be_focused()
    version_after_build = version(page)
    page.keyboard.press("U")
    expect(page.locator(f'#live-part:not([data-version="{version_after_build}"])')).to_be_attached()
    expect(page.locator("#undo-button")).to_be_disabled()
    # What is to be confirmed is answered by digits, too; after Confirm, the next decision has the focus.
    page.locator("#choices").get_by_role("button", name=TRADE, exact=True).press("Enter")
    while not page.locator("#confirm-button").count():
        press_key("1")
    page.keyboard.press("2")
    expect(page.locator("#confirm-button")).to_have_count(0)
    # Where something is typed, a digit is a digit.
    words = page.locator("#chat :is(input, textarea):visible").first
    words.press("1")
    expect(words).to_have_value("1")
    expect(page.locator("#confirm-button")).to_have_count(0)


CONTROLS = """() => [...document.querySelectorAll(
    'a[href], button:not(.expand-button, #expand-prompt), select, input:not([type=hidden])'
    + ', summary:not(#table-of-contents *)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1)
  .map((one) => one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.textContent.trim())
  .map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean)"""


UNFOLD = """() => {
  const folded = '.expand-button, #expand-prompt, :is(.chapter, #table-of-contents):not([open]) > summary';
  for (const one of document.querySelectorAll(folded)) if (one.checkVisibility()) one.click();
}"""
"""Opens what is folded where there is little room."""


def test_at_200_percent_zoom_every_control_is_reachable(
    running_table: tuple[str, list[Visitor]], open_context: Open, server: Server
) -> None:
    path, visitors = running_table
    decider = visitors[visitors[0].state(path)["to_decide"]]
    desk = open_context(decider).new_page()
    doubled = open_context(decider, viewport={"width": 720, "height": 450}, device_scale_factor=2).new_page()
    now = datetime.now(UTC)
    for page in (desk, doubled):
        page.clock.set_fixed_time(now)  # both say how long ago a table has changed
    for address in (path, "/", "/new/paris-connection", "/preferences", "/games/paris-connection/rules"):
        controls = []
        for page in (desk, doubled):
            page.goto(server.address + address)
            if address == path:
                expect(page.locator("#choices .choice").first).to_be_visible()
                expect(page.locator("#map-drawing svg")).to_be_visible()
            if page is doubled or address == path:
                page.evaluate(UNFOLD)
            controls.append(page.evaluate(CONTROLS))
        assert sorted(controls[1]) == sorted(controls[0]), address
        assert too_wide(doubled) == [], address
        assert overlaps(doubled) == [], address
