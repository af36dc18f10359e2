"""Check pages as people use them in Chromium: the word tree, the map, reasons, previews, the stream."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES, game
from tests.sentences import sentence_after, template_after
from tests.tiers import first_alone
from tests.web.conftest import SECONDS, OpenContext
from tests.web.key_player import word_labels
from tests.web.layout_checks import too_wide
from tests.web.servers import Server
from tests.web.table_page import SIT, choose, moved_on, set_up_table, version
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser
BUILD, TRADE, STOP = (
    word_labels("paris-connection", move)[0] for move in ("build red Amiens", "trade red for 2 black", "done")
)
YOUR_TURN = sentence_after("web/pages/table_page.py", "if between else")
OTHERS_TURN = template_after("web/pages/table_page.py", "if between:", "return", "return")
ENDS_TURN = sentence_after("web/templates/move_preview_text.html", "{% elif preview.passes %}")


CUT = """() => [...document.querySelectorAll("select")].filter((list) => list.checkVisibility()).flatMap((list) => {
  const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
  return [...list.options].filter((one) => pen.measureText(one.text).width > room).map((one) => one.text);
})"""
"""A script that returns what is too wide for its list; the arrow takes 20 pixels."""


@pytest.fixture
def three_pages(open_context: OpenContext, server: Server) -> list[Page]:
    """Return the pages of three people at a running table, the deciding player first."""
    pages = [open_context().new_page() for _ in range(3)]
    address = set_up_table(pages[0], server, "me", "open", "open")
    for page, name in zip(pages[1:], ("Grace", "Mary"), strict=True):
        page.goto(address)
        page.fill("#name", name)
        page.locator(SIT).click()
    for page in pages:
        expect(page.locator("#map-drawing svg")).to_be_visible()
    deciding = next(page for page in pages if page.locator("#choices").count())
    pages.remove(deciding)
    return [deciding, *pages]


def test_a_move_chosen_word_by_word_and_its_undo_appear_in_a_second_browser(three_pages: list[Page]) -> None:
    own_page, other_page, _ = three_pages
    expect(own_page).to_have_title(re.compile(f"^● {YOUR_TURN}"))
    mover = own_page.locator("#player-list .is-own-seat .seat-name").get_attribute("title") or ""
    expect(other_page).to_have_title(re.compile(f"^{OTHERS_TURN.fill({'player': mover})}"))
    before = version(own_page)
    pieces = other_page.locator(".piece").count()
    choose(own_page, BUILD, "Ruby")
    expect(own_page.locator(".chosen-steps")).to_contain_text("Ruby")
    own_page.locator("#undo-button").click()
    choose(own_page, "Amethyst")
    leaf = own_page.locator("#choices .final-choice").first
    place = (leaf.get_attribute("aria-label") or "").removeprefix(f"{BUILD} Amethyst ").partition(" +")[0]
    leaf.click()
    moved_on(own_page, before)
    moved_on(other_page, before)
    expect(other_page.locator(".piece")).to_have_count(pieces + 1)
    expect(other_page.locator("#live-region")).to_contain_text(place)
    expect(other_page.locator(".log li").first).to_contain_text(place)
    now = version(own_page)
    undo_sentence = sentence_after("tables/log.py", "count += remaining[-1].taken_back", count=1, player=mover)
    own_page.locator("#undo-button").click()
    moved_on(own_page, now)
    expect(other_page.locator(".piece")).to_have_count(pieces)
    expect(other_page.locator(".log li").first).to_contain_text(undo_sentence)


def test_a_move_that_ends_the_turn_is_confirmed_first(three_pages: list[Page]) -> None:
    own_page, other_page, _ = three_pages
    before = version(own_page)
    own_page.locator("#choices").get_by_role("button", name=TRADE, exact=True).click()
    own_page.locator("#choices .final-choice").first.click()
    expect(own_page.locator("#notice")).to_contain_text(ENDS_TURN)
    expect(own_page.locator("#confirm-button")).to_be_focused()
    own_page.locator("#notice [data-action=dismiss]").click()
    expect(own_page.locator("#notice")).to_be_empty()
    assert version(own_page) == before
    own_page.locator("#choices .final-choice").first.click()
    own_page.locator("#confirm-button").click()
    moved_on(own_page, before)
    moved_on(other_page, before)
    expect(own_page.locator("#choices")).to_have_count(0)
    expect(own_page.locator("#notice")).to_be_empty()


def test_a_click_on_a_disabled_choice_shows_the_reason_and_its_rule(three_pages: list[Page]) -> None:
    own_page = three_pages[0]
    expect(own_page.locator("#choices > .choice-list .blocked-choice")).to_have_count(0)
    count = own_page.locator("#choices > :last-child.blocked-choices .blocked-choice").count()
    blocked = own_page.locator("#choices .blocked-choices summary")
    expect(blocked).to_contain_text(f"({count})")
    blocked.click()
    own_page.locator("#choices .blocked-choice").first.click()
    rule = own_page.locator("#notice a.rule-link")
    expect(rule).to_have_text("T11")
    with own_page.context.expect_page() as rule_page:
        rule.click()
    rules = rule_page.value
    rules.wait_for_load_state()
    assert rules.url.endswith("/games/paris-connection/rules#T11")
    expect(rules.locator("#T11")).to_be_in_viewport()
    own_page.bring_to_front()
    own_page.locator('#map-drawing [data-place="hex-13-17"], #map-drawing .is-blocked').last.click(force=True)
    expect(own_page.locator("#notice")).to_contain_text("P5")


def test_a_click_on_the_map_plays_a_move(three_pages: list[Page]) -> None:
    own_page, other_page, _ = three_pages
    before, pieces = version(own_page), own_page.locator(".piece").count()
    move_names = own_page.locator("#move-tree li[data-word-text='build'] li li").evaluate_all(
        "all => all.map((one) => one.dataset.place).find((one, at, places) => places.indexOf(one) < at)"
    )
    own_page.locator(f'#map-drawing [data-place="{move_names}"]').click()
    expect(own_page.locator("#choices .final-choice").first).to_have_accessible_name(re.compile(f"^{BUILD} "))
    assert version(own_page) == before
    own_page.keyboard.press("Escape")
    choose(own_page, BUILD, "Amethyst")
    targets = own_page.locator("#map-drawing .is-target")
    assert targets.count() == own_page.locator("#choices .final-choice").count()
    targets.first.click()
    moved_on(own_page, before)
    expect(other_page.locator(".piece")).to_have_count(pieces + 1)


def test_a_move_is_chosen_by_keyboard_alone(three_pages: list[Page]) -> None:
    own_page = three_pages[0]
    before = version(own_page)
    own_page.locator("#choices .choice").first.focus()
    for _ in range(2):
        own_page.keyboard.press("Enter")
        expect(own_page.locator("#choices .choice-list button:focus")).to_have_count(1)
    own_page.keyboard.press("Enter")
    moved_on(own_page, before)
    expect(own_page.locator("#choices button:focus")).to_have_count(1)


def test_eight_tabs_of_one_browser_share_one_stream(open_context: OpenContext, server: Server) -> None:
    context = open_context()
    page = context.new_page()
    address = set_up_table(page, server, "me", "open", "open")
    other_pages = [context.new_page() for _ in range(7)]
    for other_page in other_pages:
        other_page.goto(address)
    before = version(page)
    grace = open_context().new_page()
    grace.goto(address)
    grace.fill("#name", "Grace")
    grace.locator(SIT).click()
    for tab in (page, *other_pages):
        moved_on(tab, before)
        expect(tab.locator(".seats")).to_contain_text("Grace")
    assert len(context.pages) == 8
    streams = httpx.get(f"{server.address}/health", verify=False).json()["streams"]
    assert streams == 2, "one of Ada's browser, one of Grace's"


def test_a_lost_connection_is_shown_and_the_page_catches_up_after_reconnecting(
    open_context: OpenContext, own_server: Callable[..., Server], chromium: Browser
) -> None:
    server = own_server()
    page, other_page = open_context().new_page(), open_context().new_page()
    address = set_up_table(page, server, "me", "open", "open")
    other_page.goto(address)
    expect(page.locator("#connection-notice")).to_be_hidden()
    server.stop(signal.SIGKILL)
    expect(page.locator("#connection-notice")).to_be_visible()
    server = own_server("--port", address.split(":")[2].partition("/")[0])
    expect(page.locator("#connection-notice")).to_be_hidden()
    before = version(page)
    other_page.reload()
    other_page.fill("#name", "Grace")
    other_page.locator(SIT).click()
    moved_on(page, before)
    expect(page.locator(".seats")).to_contain_text("Grace")


UNFOLD = "for (const one of document.querySelectorAll('#choices .blocked-choices')) one.open = true"
"""A script that unfolds disabled choices, which are folded where there are many."""


@pytest.mark.parametrize("worker", [True, False])
def test_a_click_without_a_connection_shows_the_connection_notice_at_once(
    worker: bool, running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"]
    context = chromium.new_context(locale="en")  # its console tells of every request in vain
    context.set_default_timeout(SECONDS)
    if not worker:
        context.add_init_script("delete window.SharedWorker;")
    let_in(context, visitors[seat])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server.address}{path}")
    notice = page.locator("#connection-notice")
    expect(notice).to_be_hidden()
    context.set_offline(True)
    expect(notice).to_be_visible()  # the browser knows
    notice.evaluate("line => { line.hidden = true; }")  # as if it did not
    page.evaluate(UNFOLD)
    page.locator("#choices .blocked-choice").first.click()
    expect(notice).to_be_visible()
    before = version(page)
    move = visitors[seat].state(path)["moves"][0]
    assert visitors[seat].play(path, move).status_code == 200
    context.set_offline(False)
    moved_on(page, before)
    expect(notice).to_be_hidden()
    page.evaluate(UNFOLD)
    page.locator("#choices .blocked-choice").first.click()
    expect(page.locator("#notice a.rule-link").first).to_be_visible()
    assert faults == []
    context.close()


def test_without_a_script_a_move_is_chosen_and_confirmed_by_plain_forms(
    open_context: OpenContext, server: Server
) -> None:
    pages = [open_context(java_script_enabled=False).new_page() for _ in range(3)]
    address = set_up_table(pages[0], server, "me", "open", "open")
    for page, name in zip(pages[1:], ("Grace", "Mary"), strict=True):
        page.goto(address)
        page.fill("#name", name)
        page.locator(SIT).click()
    pages[0].reload()
    pages[1].reload()
    own_page = next(page for page in pages if page.locator("#move-tree").count())
    before = version(own_page)
    own_page.locator("#move-tree summary", has_text=BUILD).click()
    own_page.locator("#move-tree summary", has_text="Amethyst").first.click()
    own_page.locator("#move-tree button").first.click()
    moved_on(own_page, before)
    own_page.locator("#move-tree button", has_text=STOP).click()
    expect(own_page.locator("main")).to_contain_text(ENDS_TURN)
    own_page.locator('[formaction*="/play?confirmed="], form[action*="/play?confirmed="] button').first.click()
    own_page.wait_for_url("**/table/*")
    expect(own_page.locator("#move-tree")).to_have_count(0)


def test_a_move_does_not_scroll_the_page_away_from_the_map(three_pages: list[Page]) -> None:
    own_page = three_pages[0]
    own_page.set_viewport_size({"width": 390, "height": 844})
    choose(own_page, BUILD, "Amethyst")
    for _ in range(2):
        before = version(own_page)
        own_page.locator("#choices .final-choice").first.evaluate("button => button.click()")
        moved_on(own_page, before)
        expect(own_page.locator("#choices button:focus")).to_have_count(1)
        assert own_page.evaluate("scrollY") == 0


@pytest.mark.parametrize("screen", [(1440, 900), (390, 844)])
def test_rule_variants_are_collapsed_until_opened(
    open_context: OpenContext, server: Server, screen: tuple[int, int]
) -> None:
    page = open_context(viewport={"width": screen[0], "height": screen[1]}).new_page()
    page.goto(f"{server.address}/new/era-of-inventions")
    option = next(option for option in game("era-of-inventions").options if option.name == "limits")
    readings = page.locator("#rulings select")
    expect(readings).to_have_count(8)
    expect(page.locator("#rulings select:visible")).to_have_count(0)
    page.locator("#table-options > summary").click()
    expect(page.locator("#rulings > summary")).to_contain_text("(8)")
    page.locator("#rulings > summary").click()
    expect(page.locator("#rulings select:visible")).to_have_count(8)
    assert too_wide(page) == []
    page.locator("#option-limits").select_option("each turn")
    page.fill("#name", "Ada")
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    page.locator("#table-menu > summary").click()
    expect(page.locator("#table-menu")).to_contain_text(f"{option.label}: {dict(option.choices)['each turn']}")


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_options_of_select_lists_are_not_cut_on_a_phone(
    open_context: OpenContext, server: Server, language: str
) -> None:
    page = open_context(viewport={"width": 390, "height": 844}, locale=language).new_page()
    for key in GAMES:
        page.goto(f"{server.address}/new/{key}")
        page.locator(f'.language-and-theme button[value="{language}"]').click()
        page.locator("#table-options > summary").click()
        page.locator("#rulings > summary").click()
        page.locator("#table-settings > summary").click()
        page.select_option("#clock", "own-live")
        assert page.locator("select:visible").count() > 6
        assert page.evaluate(CUT) == [], key


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
@pytest.mark.parametrize("width", first_alone(320, (390, 320)))
def test_no_page_is_wider_than_a_phone(open_context: OpenContext, server: Server, language: str, width: int) -> None:
    settings = {"viewport": {"width": width, "height": 844}, "locale": language}
    page = open_context(**settings).new_page()
    page.goto(f"{server.address}/new/paris-connection")
    page.fill("#name", "Gräfin Donnersmarck-Hohenlohe-Öhringen")
    page.locator("#table-options > summary").click()
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    table = page.url
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(page.locator("#map-drawing svg")).to_be_visible()
    expect(page.locator("#prompt")).to_be_in_viewport()
    games = f"{server.address}/games/paris-connection"
    for address in (
        table,
        f"{table}/log",
        f"{table}/fairness",
        f"{server.address}/",
        f"{server.address}/new/paris-connection",
        f"{games}/rules",
        f"{games}/components",
        f"{server.address}/preferences",
        f"{server.address}/nowhere",
    ):
        page.goto(address)
        assert too_wide(page) == [], address
    if language == "de":
        page.goto(table)
        small = page.locator(".prompt button:visible, .prompt a.button:visible, .site-header a:visible")
        heights = [box["height"] for button in small.all() if (box := button.bounding_box())]
        assert heights
        assert min(heights) >= 44


def test_on_a_desktop_prompt_and_boards_fit_one_screen(three_pages: list[Page]) -> None:
    own_page = three_pages[0]
    for part in ("#status", "#map", "#prompt", "#log-panel", "#panel"):
        expect(own_page.locator(part)).to_be_in_viewport(ratio=0.99)
    assert own_page.evaluate("document.documentElement.scrollHeight") <= 900
