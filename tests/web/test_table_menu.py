"""Check the menu of a table and its confirmations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.sentences import sentence_after
from tests.web.conftest import OpenContext
from tests.web.servers import Server
from tests.web.table_page import SIT, set_up_table
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser
ABORTS = sentence_after("tables/confirmation.py", 'question == "ask-abort" and')


@pytest.mark.parametrize("width", [1366, 390])
def test_language_and_theme_are_chosen_from_the_menu_of_a_table(
    server: Server, open_context: OpenContext, width: int
) -> None:
    page = open_context(viewport={"width": width, "height": 650}).new_page()
    address = set_up_table(page, server, "me", "bot:random", "bot:random")
    for name, value, attribute in (("theme", "dark", "data-theme"), ("language", "de", "lang")):
        choice = page.locator(f'#look-dialog [name="{name}"][value="{value}"]')
        expect(choice).to_be_hidden()
        page.locator("#table-menu summary").click()
        page.locator('#table-menu [popovertarget="look-dialog"]').click()
        choice.click()
        expect(page.locator("html")).to_have_attribute(attribute, re.compile(f"^{value}"))
        expect(page).to_have_url(address)


def test_the_menu_of_a_table_has_three_groups_of_low_rows_and_needs_no_scrolling(
    server: Server, open_context: OpenContext
) -> None:
    page = open_context().new_page()
    set_up_table(page, server, "me", "bot:random", "bot:random")
    page.locator("#table-menu summary").click()
    expect(page.locator(".menu-list > section > h2")).to_have_count(3)
    exits = page.locator(".menu-list > section > .table-exits:last-child")
    expect(exits.locator("button")).to_have_count(2)
    expect(exits).to_have_css("border-top-style", "solid")
    color = "(one) => getComputedStyle(one).color"
    assert exits.locator("button").first.evaluate(color) != page.locator(".menu-list p > a").first.evaluate(color)
    for width, height in ((1366, 650), (1100, 600)):
        page.set_viewport_size({"width": width, "height": height})
        rows = page.locator(".menu-list :is(p > a, p > button):visible").evaluate_all(
            "(all) => all.map((one) => Math.round(one.getBoundingClientRect().height))"
        )
        assert len(rows) > 8
        assert set(rows) <= {36, 37}  # a long one has two lines
        expect(page.locator('#table-menu [formaction$="/leave"]')).to_be_in_viewport(ratio=1)
        assert page.locator(".menu-list").evaluate("(one) => one.scrollHeight - one.clientHeight") == 0


def test_leaving_from_the_menu_needs_a_confirmation_and_the_lobby_links_back(
    server: Server, open_context: OpenContext
) -> None:
    page = open_context().new_page()
    address = set_up_table(page, server, "me", "bot:random", "open")
    leave, other_page = page.locator('#table-menu [formaction$="/leave"]'), open_context().new_page()
    page.locator("#table-menu summary").click()
    leave.click()
    expect(page.locator("#confirm-button")).to_have_attribute("formaction", re.compile("outcome=closes$"))
    page.locator("#notice [data-action=dismiss]").click()
    expect(page.locator("#notice > *")).to_have_count(0)
    page.locator("#table-menu summary").click()
    other_page.goto(address)
    other_page.fill("#name", "Grace")
    other_page.locator(SIT).click()
    expect(page.locator("#player-list")).to_contain_text("Grace")
    # A move of the bot would take the question away.
    expect(page.locator("#player-list .is-deciding:not(.seat-kind-bot)")).to_be_visible()
    leave.click()  # the menu is still unfolded
    expect(page.locator("#confirm-button")).to_have_attribute("formaction", re.compile("outcome=waits$"))
    page.locator("#confirm-button").click()
    page.wait_for_url(f"{server.address}/")
    sit_again_button = page.locator(f'[formaction="{address.removeprefix(server.address)}/sit"]')
    below = "(one) => one.closest('li').getBoundingClientRect().bottom - one.getBoundingClientRect().bottom"
    assert sit_again_button.evaluate(below) >= 0, "the button is in the row of its table, not over what follows"
    sit_again_button.click()
    page.wait_for_url(address)
    expect(page.locator("#player-list .is-own-seat .seat-name")).to_have_attribute("title", "Ada")


def test_aborting_a_game_needs_a_confirmation_that_is_visible(
    open_context: OpenContext, server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
    context = open_context()
    let_in(context, ada)
    page = context.new_page()
    page.goto(f"{server.address}{path}?me=2")
    page.locator("#table-menu summary").click()
    page.locator('#table-menu [formaction$="/consent/ask-abort"]').click()
    expect(page.locator("#notice")).to_contain_text(ABORTS)
    expect(page.locator("#table-menu .menu-list")).to_be_hidden()
    expect(page.locator("#confirm-button")).to_be_in_viewport()
    expect(page.locator("#confirm-button")).to_be_focused()
    assert ada.state(path)["status"] == "running"
    page.locator("#confirm-button").click()
    expect(page.locator("#status")).to_have_text(sentence_after("web/pages/table_page.py", 'table.status == "aborted"'))
