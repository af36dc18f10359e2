"""The pages as people use them, in Chromium: the word tree, the map, reasons, previews, the stream."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from tests.tiers import first_alone
from tests.web.conftest import SECONDS, Server, Visitor, let_in
from tests.web.layout_checks import too_wide

pytestmark = pytest.mark.browser
Open = Callable[..., BrowserContext]


@pytest.fixture
def person(chromium: Browser) -> Iterator[Open]:
    """Opens browsers of different people; whatever one of them complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(text: str) -> None:
        if not text.startswith("Failed to load resource"):  # a refusal has its status, and that is no fault
            complaints.append(text)

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: hear(message.text) if message.type in ("error", "warning") else None)

    def start(**settings: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        context.on("page", watch)
        contexts.append(context)
        return context

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


CUT = """() => [...document.querySelectorAll("select")].filter((list) => list.checkVisibility()).flatMap((list) => {
  const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
  return [...list.options].filter((one) => pen.measureText(one.text).width > room).map((one) => one.text);
})"""
"""A script that returns what is too wide for its list; the arrow takes 20 pixels."""


def open_table(page: Page, server: Server, *seats: str, name: str = "Ada") -> str:
    """Set up a table with the form; return its address."""
    page.goto(f"{server.address}/new/paris-connection")
    page.fill("#name", name)
    page.locator("#more > summary").click()
    for number, kind in enumerate(seats):
        page.select_option(f"#seat-{number}", kind)
    page.get_by_role("button", name=re.compile("Open the table|Tisch eröffnen")).click()
    page.wait_for_url("**/table/*")
    return page.url


def version(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or 0)


def moved_on(page: Page, since: int) -> None:
    expect(page.locator("#live")).not_to_have_attribute("data-version", str(since))


def choose(page: Page, *words: str) -> None:
    for word in words:
        page.locator("#choices .options").get_by_role("button", name=word, exact=True).click()


@pytest.fixture
def three(person: Open, server: Server) -> list[Page]:
    """Three people at a running table, who is to decide first."""
    pages = [person().new_page() for _ in range(3)]
    address = open_table(pages[0], server, "me", "open", "open")
    for page, name in zip(pages[1:], ("Grace", "Mary"), strict=True):
        page.goto(address)
        page.fill("#name", name)
        page.get_by_role("button", name="Sit down").click()
    for page in pages:
        expect(page.locator("#map-static svg")).to_be_visible()
    deciding = next(page for page in pages if page.locator("#choices").count())
    pages.remove(deciding)
    return [deciding, *pages]


def test_a_turn_word_by_word_with_undo_and_a_second_browser_that_sees_it(three: list[Page]) -> None:
    own_page, other, _ = three
    expect(own_page).to_have_title(re.compile("^● It’s your turn"))
    expect(other).to_have_title(re.compile(" to move"))
    before = version(own_page)
    pieces = other.locator(".piece").count()
    choose(own_page, "Build track", "Ruby")
    expect(own_page.locator(".trail")).to_contain_text("Ruby")
    own_page.locator("#undo").click()
    choose(own_page, "Amethyst")
    leaf = own_page.locator("#choices .leaf").first
    place = (leaf.get_attribute("aria-label") or "").removeprefix("Build track Amethyst ").partition(" +")[0]
    leaf.click()
    moved_on(own_page, before)
    moved_on(other, before)
    expect(other.locator(".piece")).to_have_count(pieces + 1)
    expect(other.locator("#said")).to_contain_text(place)
    expect(other.locator(".log li").first).to_contain_text(place)
    now = version(own_page)
    own_page.locator("#undo").click()
    moved_on(own_page, now)
    expect(other.locator(".piece")).to_have_count(pieces)
    expect(other.locator(".log li").first).to_contain_text("undoes 1 move")


def test_what_ends_the_turn_is_shown_first(three: list[Page]) -> None:
    own_page, other, _ = three
    before = version(own_page)
    own_page.locator("#choices").get_by_role("button", name="Trade", exact=True).click()
    own_page.locator("#choices .leaf").first.click()
    expect(own_page.locator("#notice")).to_contain_text("This ends your turn.")
    expect(own_page.locator("#confirm")).to_be_focused()
    own_page.locator("#notice").get_by_role("button", name="Back", exact=True).click()
    expect(own_page.locator("#notice")).to_be_empty()
    assert version(own_page) == before
    own_page.locator("#choices .leaf").first.click()
    own_page.locator("#confirm").click()
    moved_on(own_page, before)
    moved_on(other, before)
    expect(own_page.locator("#choices")).to_have_count(0)
    expect(own_page.locator("#notice")).to_be_empty()


def test_who_clicks_something_that_is_off_is_told_why(three: list[Page]) -> None:
    own_page = three[0]
    expect(own_page.locator("#choices > .options .blocked")).to_have_count(0)
    many = own_page.locator("#choices > :last-child.standing-back .blocked").count()
    own_page.locator("#choices .standing-back summary", has_text=f"Not possible now ({many})").click()
    own_page.locator("#choices .blocked").first.click()
    rule = own_page.locator("#notice a.rule")
    expect(rule).to_have_text("T11")
    with own_page.context.expect_page() as opened:
        rule.click()
    rules = opened.value
    rules.wait_for_load_state()
    assert rules.url.endswith("/games/paris-connection/rules#T11")
    expect(rules.locator("#T11")).to_be_in_viewport()
    own_page.bring_to_front()
    own_page.locator('#map-static [data-place="hex-13-17"], #map-static .is-blocked').last.click(force=True)
    expect(own_page.locator("#notice")).to_contain_text("P5")


def test_a_place_on_the_map_is_a_move(three: list[Page]) -> None:
    own_page, other, _ = three
    before, pieces = version(own_page), own_page.locator(".piece").count()
    several = own_page.locator("#tree li[data-text='build'] li li").evaluate_all(
        "all => all.map((one) => one.dataset.place).find((one, at, places) => places.indexOf(one) < at)"
    )
    own_page.locator(f'#map-static [data-place="{several}"]').click()
    expect(own_page.locator("#choices .leaf").first).to_have_accessible_name(re.compile("^Build track "))
    assert version(own_page) == before
    own_page.keyboard.press("Escape")
    choose(own_page, "Build track", "Amethyst")
    targets = own_page.locator("#map-static .is-target")
    assert targets.count() == own_page.locator("#choices .leaf").count()
    targets.first.click()
    moved_on(own_page, before)
    expect(other.locator(".piece")).to_have_count(pieces + 1)


def test_a_turn_by_keyboard_alone(three: list[Page]) -> None:
    own_page = three[0]
    before = version(own_page)
    own_page.locator("#choices .choice").first.focus()
    for _ in range(2):
        own_page.keyboard.press("Enter")
        expect(own_page.locator("#choices .options button:focus")).to_have_count(1)
    own_page.keyboard.press("Enter")
    moved_on(own_page, before)
    expect(own_page.locator("#choices button:focus")).to_have_count(1)


def test_eight_tabs_of_one_browser_share_one_stream(person: Open, server: Server) -> None:
    context = person()
    page = context.new_page()
    address = open_table(page, server, "me", "open", "open")
    others = [context.new_page() for _ in range(7)]
    for other in others:
        other.goto(address)
    before = version(page)
    grace = person().new_page()
    grace.goto(address)
    grace.fill("#name", "Grace")
    grace.get_by_role("button", name="Sit down").click()
    for tab in (page, *others):
        moved_on(tab, before)
        expect(tab.locator(".seats")).to_contain_text("Grace")
    assert len(context.pages) == 8
    streams = httpx.get(f"{server.address}/health", verify=False).json()["streams"]
    assert streams == 2, "one of Ada's browser, one of Grace's"


def test_a_lost_line_is_shown_and_heals_with_the_current_state(
    person: Open, own_server: Callable[..., Server], chromium: Browser
) -> None:
    server = own_server()
    page, other = person().new_page(), person().new_page()
    address = open_table(page, server, "me", "open", "open")
    other.goto(address)
    expect(page.locator("#line")).to_be_hidden()
    server.stop(signal.SIGKILL)
    expect(page.locator("#line")).to_be_visible()
    server = own_server("--port", address.split(":")[2].partition("/")[0])
    expect(page.locator("#line")).to_be_hidden()
    before = version(page)
    other.reload()
    other.fill("#name", "Grace")
    other.get_by_role("button", name="Sit down").click()
    moved_on(page, before)
    expect(page.locator(".seats")).to_contain_text("Grace")


def test_leaving_asks_in_the_prompt_and_the_lobby_leads_back(server: Server, person: Open) -> None:
    page = person().new_page()
    address = open_table(page, server, "me", "bot:random", "open")
    leave, other = page.get_by_role("button", name="Leave the table", exact=True), person().new_page()
    page.locator("#menu summary").click()
    leave.click()
    expect(page.locator("#notice")).to_contain_text("It will close.")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.locator("#notice > *")).to_have_count(0)
    page.locator("#menu summary").click()
    other.goto(address)
    other.fill("#name", "Grace")
    other.get_by_role("button", name="Sit down").click()
    expect(page.locator("#people")).to_contain_text("Grace")
    # A move of the bot would take the question away.
    expect(page.locator("#people .deciding:not(.bot)")).to_be_visible()
    leave.click()  # the menu is still unfolded
    expect(page.locator("#notice")).to_contain_text("Your seat stays open.")
    page.locator("#confirm").click()
    page.wait_for_url(f"{server.address}/")
    again = page.get_by_role("button", name="Sit down again")
    below = "(one) => one.closest('li').getBoundingClientRect().bottom - one.getBoundingClientRect().bottom"
    assert again.evaluate(below) >= 0, "the button is in the row of its table, not over what follows"
    again.click()
    page.wait_for_url(address)
    expect(page.locator("#people .own")).to_contain_text("Ada")


UNFOLD = "for (const one of document.querySelectorAll('#choices .standing-back')) one.open = true"
"""A script that unfolds disabled choices, which are folded where there are many."""


@pytest.mark.parametrize("worker", [True, False])
def test_a_click_on_a_cut_line_says_so_at_once(
    worker: bool, running: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running
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
    notice = page.locator("#line")
    expect(notice).to_be_hidden()
    context.set_offline(True)
    expect(notice).to_be_visible()  # the browser knows
    notice.evaluate("line => { line.hidden = true; }")  # as if it did not
    page.evaluate(UNFOLD)
    page.locator("#choices .blocked").first.click()
    expect(notice).to_be_visible()
    before = version(page)
    move = visitors[seat].state(path)["moves"][0]
    assert visitors[seat].play(path, move).status_code == 200
    context.set_offline(False)
    moved_on(page, before)
    expect(notice).to_be_hidden()
    page.evaluate(UNFOLD)
    page.locator("#choices .blocked").first.click()
    expect(page.locator("#notice a.rule").first).to_be_visible()
    assert faults == []
    context.close()


def test_the_game_is_broken_off_in_two_steps_and_the_question_is_in_sight(
    person: Open, server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
    context = person()
    let_in(context, ada)
    page = context.new_page()
    page.goto(f"{server.address}{path}?me=2")
    page.locator("#menu summary").click()
    page.get_by_role("button", name="Abort the game").click()
    expect(page.locator("#notice")).to_contain_text("The game will end")
    expect(page.locator("#menu .menu-list")).to_be_hidden()
    expect(page.locator("#confirm")).to_be_in_viewport()
    expect(page.locator("#confirm")).to_be_focused()
    assert ada.state(path)["status"] == "running"
    page.locator("#confirm").click()
    expect(page.locator("#status")).to_have_text("The game was aborted.")


def test_without_a_script_a_move_is_a_plain_form(person: Open, server: Server) -> None:
    pages = [person(java_script_enabled=False).new_page() for _ in range(3)]
    address = open_table(pages[0], server, "me", "open", "open")
    for page, name in zip(pages[1:], ("Grace", "Mary"), strict=True):
        page.goto(address)
        page.fill("#name", name)
        page.get_by_role("button", name="Sit down").click()
    pages[0].reload()
    pages[1].reload()
    own_page = next(page for page in pages if page.locator("#tree").count())
    before = version(own_page)
    own_page.locator("#tree summary", has_text="Build track").click()
    own_page.locator("#tree summary", has_text="Amethyst").first.click()
    own_page.locator("#tree button").first.click()
    moved_on(own_page, before)
    own_page.locator("#tree button", has_text="Stop building").click()
    expect(own_page.locator("main")).to_contain_text("This ends your turn.")
    own_page.get_by_role("button", name="Confirm").click()
    own_page.wait_for_url("**/table/*")
    expect(own_page.locator("#tree")).to_have_count(0)


def test_a_move_does_not_scroll_the_page_away_from_the_map(three: list[Page]) -> None:
    own_page = three[0]
    own_page.set_viewport_size({"width": 390, "height": 844})
    choose(own_page, "Build track", "Amethyst")
    for _ in range(2):
        before = version(own_page)
        own_page.locator("#choices .leaf").first.evaluate("button => button.click()")
        moved_on(own_page, before)
        expect(own_page.locator("#choices button:focus")).to_have_count(1)
        assert own_page.evaluate("scrollY") == 0


@pytest.mark.parametrize("screen", [(1440, 900), (390, 844)])
def test_readings_of_the_rules_lie_together_until_they_are_asked_for(
    person: Open, server: Server, screen: tuple[int, int]
) -> None:
    page = person(viewport={"width": screen[0], "height": screen[1]}).new_page()
    page.goto(f"{server.address}/new/era-of-inventions")
    readings = page.locator("#rulings select")
    expect(readings).to_have_count(8)
    expect(page.locator("#rulings select:visible")).to_have_count(0)
    page.locator("#more > summary").click()
    page.get_by_text("Rule variants (8)").click()
    expect(page.locator("#rulings select:visible")).to_have_count(8)
    assert too_wide(page) == []
    page.get_by_label("Action limits").select_option("each turn")
    page.fill("#name", "Ada")
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    page.locator("#menu > summary").click()
    expect(page.locator("#menu")).to_contain_text("Action limits: per turn, bonus disc included")


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_what_can_be_chosen_is_whole_on_a_phone(person: Open, server: Server, language: str) -> None:
    page = person(viewport={"width": 390, "height": 844}, locale=language).new_page()
    for key in GAMES:
        page.goto(f"{server.address}/new/{key}")
        page.locator(f'.switches button[value="{language}"]').click()
        page.locator("#more > summary").click()
        page.locator("#rulings > summary").click()
        page.locator("#charter > summary").click()
        page.select_option("#clock", "own-live")
        assert page.locator("select:visible").count() > 6
        assert page.evaluate(CUT) == [], key


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
@pytest.mark.parametrize("width", first_alone(320, (390, 320)))
def test_nothing_is_wider_than_a_phone(person: Open, server: Server, language: str, width: int) -> None:
    settings = {"viewport": {"width": width, "height": 844}, "locale": language}
    page = person(**settings).new_page()
    page.goto(f"{server.address}/new/paris-connection")
    page.fill("#name", "Gräfin Donnersmarck-Hohenlohe-Öhringen")
    page.locator("#more > summary").click()
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    table = page.url
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(page.locator("#map-static svg")).to_be_visible()
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


def test_at_a_desk_everything_that_matters_is_on_one_screen(three: list[Page]) -> None:
    own_page = three[0]
    for part in ("#status", "#map", "#prompt", "#story", "#panel"):
        expect(own_page.locator(part)).to_be_in_viewport(ratio=0.99)
    assert own_page.evaluate("document.documentElement.scrollHeight") <= 900
