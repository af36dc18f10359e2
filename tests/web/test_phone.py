"""Check a phone held upright: sheets, names and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import spieltisch
from tests.sentences import sentence_after
from tests.web.conftest import Phone
from tests.web.layout_checks import too_wide
from tests.web.phone_tables import three
from tests.web.servers import Server
from tests.web.visitors import Visitor


@pytest.mark.browser
def test_a_tap_opens_the_log_or_a_section_of_the_boards_until_closed(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    for part, detail in (("#log-panel", ".log li:nth-child(2)"), ("#panel-players", "tbody tr")):
        line = page.locator(f"{part} > .expand-button")
        expect(line).to_have_attribute("aria-expanded", "false")
        expect(page.locator(f"{part} {detail}").first).to_be_hidden()
        line.tap()
        expect(page.locator(f"{part} {detail}").first).to_be_visible()
        page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:page-updated'))")
        expect(line).to_have_attribute("aria-expanded", "true")
        line.tap()
        expect(line).to_have_attribute("aria-expanded", "false")


@pytest.mark.browser
def test_back_and_escape_close_the_log_sheet_without_leaving_the_table(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + "/")
    page.goto(server.address + session_and_path[1])
    line = page.locator("#log-panel > .expand-button")
    for close_sheet in (page.go_back, lambda: page.keyboard.press("Escape"), line.tap):
        line.tap()
        expect(line).to_have_attribute("aria-expanded", "true")
        close_sheet()
        expect(line).to_have_attribute("aria-expanded", "false")
        assert page.url == server.address + session_and_path[1]
        expect(page.locator("#choices .choice").first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(server.address + "/")  # a closed sheet leaves no step behind


@pytest.mark.browser
def test_a_badge_counts_unread_messages_and_a_sheet_shows_the_messages(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    with three(server, session_and_path[0]) as (path, (host, grace, mary)):
        page = phone().new_page()
        page.goto(server.address + path)
        expect(page.locator("#map-drawing svg")).to_be_visible()
        last_line = page.locator("#log-panel .log li:visible").inner_text()
        mary.submit(f"{path}/chat", room="table", text="message 0")
        expect(page.locator("#unread-chat-count")).to_have_text("1")
        host.submit(f"{path}/chat/table/1/mute")
        expect(page.locator("#unread-chat-count")).to_have_text("")  # what is muted waits for nobody
        for number in ("1", "2"):
            grace.submit(f"{path}/chat", room="table", text=f"message {number}")
            expect(page.locator("#unread-chat-count")).to_have_text(number)
        assert page.locator("#log-panel .log li:visible").inner_text() == last_line
        assert too_wide(page) == []
        page.locator("#log-panel > .expand-button").tap()
        expect(page.locator("#unread-chat-count")).to_be_hidden()
        expect(page.locator("#message-form [name=text]")).to_be_in_viewport(ratio=1)
        expect(page.locator("#log-panel .chat-message").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#log-panel .chat-message").first).to_contain_text("message 2")
        page.locator("#message-form [name=text]").fill("thank you")
        page.locator("#message-form .small").tap()
        expect(page.locator("#log-panel .chat-message").first).to_contain_text("thank you")
        page.locator("#log-panel > .expand-button").tap()
        expect(page.locator("#message-form")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize("players", [3, 4])
def test_player_names_are_not_cut_off_on_a_phone(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str], players: int
) -> None:
    with Visitor(server) as host:
        host.cookies.update(session_and_path[0])
        path = host.table("me", *["bot:random"] * (players - 1), game="era-of-inventions")
    page = phone().new_page()
    page.goto(server.address + path)
    expect(page.locator("#player-list .seat-kind-bot .seat-name")).to_have_count(players - 1)
    page.locator("#player-list .points").evaluate_all("(all) => { for (const one of all) one.textContent = '88'; }")
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator("#player-list .seat-name").evaluate_all(cut) == []


@pytest.mark.browser
def test_the_players_shares_can_be_chosen_in_the_summary_above_the_prompt(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    own_target = page.locator("#own-summary .is-target").first
    place = own_target.get_attribute("data-place")
    own_target.tap()
    expect(page.locator(f'#own-summary [data-place="{place}"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#choices .final-choice").first).to_be_in_viewport()


@pytest.mark.browser
def test_on_a_phone_rules_are_collapsed_and_contents_and_search_stay_visible(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(f"{server.address}/games/era-of-inventions/rules")
    expect(page.locator(".chapter[open]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") < 14_600 / 3
    # A link to a rule opens its chapter; contents and search stay above it.
    page.goto(f"{server.address}/games/era-of-inventions/rules#E21")
    expect(page.locator("#E21")).to_be_in_viewport()
    expect(page.locator(".chapter[open]")).to_have_count(1)
    expect(page.locator("#rule-search")).to_be_in_viewport()
    page.locator("#table-of-contents summary").tap()
    page.locator("#table-of-contents a").last.tap()
    expect(page.locator(".chapter").last).to_have_attribute("open", "")
    expect(page.locator(".chapter h2").last).to_be_in_viewport()
    expect(page.locator("#table-of-contents a").last).to_be_hidden()
    # A word is found in all chapters, whatever its case; what does not contain it is hidden.
    page.locator("#rule-search").fill("WAREHOUSES")
    expect(page.locator("#E21")).to_be_visible()
    expect(page.locator("#E22")).to_be_hidden()
    page.locator("#rule-search").fill("zeppelin")
    expect(page.locator("#not-found-notice")).to_have_text(
        sentence_after("web/templates/rules.html", "data-no-results=")
    )
    expect(page.locator(".chapter").first).to_be_hidden()
    page.locator("#rule-search").fill("")
    expect(page.locator(".chapter").first).to_be_visible()
    expect(page.locator("#not-found-notice")).to_be_empty()
    assert too_wide(page) == []


@pytest.mark.browser
def test_on_a_phone_the_lobby_shows_the_visitors_tables_and_play_now_and_collapses_the_rest(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(f"{server.address}/")
    own_table = page.locator(f'.lobby .tables a[href="{session_and_path[1]}"]').first
    play_button = page.get_by_role("button", name=re.compile("^Play now against"))
    expect(play_button).to_have_count(3)
    tops = [(part.bounding_box() or {"y": 0})["y"] for part in (own_table, play_button.first, play_button.last)]
    assert 0 < tops[0] < tops[1] < tops[2]
    assert tops[2] - tops[1] < 844 / 2
    for part, inner_selector in (("#play-with-friends", ".preset"), ("#open-tables", ":is(.tables, .empty)")):
        line = page.locator(f"{part} > .expand-button")
        expect(line).to_have_attribute("aria-expanded", "false")
        expect(page.locator(f"{part} {inner_selector}").first).to_be_hidden()
        line.tap()
        expect(page.locator(f"{part} {inner_selector}").first).to_be_visible()
    page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:page-updated'))")
    expect(page.locator("#open-tables > .expand-button")).to_have_attribute("aria-expanded", "true")
    assert too_wide(page) == []


def test_hover_styles_apply_only_to_devices_that_can_hover() -> None:
    """On a touch screen, a hover style would remain after a tap."""
    sheets = {sheet: sheet.read_text("utf-8") for sheet in Path(spieltisch.__file__).parent.rglob("*.css")}
    assert sum("@media (hover: hover)" in sheet for sheet in sheets.values()) > 5
    hovering = r"@media \(hover: hover\) \{ [^{}]+\{[^{}]*\} \}"
    assert [path.name for path, sheet in sheets.items() if ":hover" in re.sub(hovering, "", sheet)] == []
