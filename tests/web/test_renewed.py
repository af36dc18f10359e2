"""A page that was left open while the server was upgraded is loaded again, as soon as nothing typed would be lost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Person, Server, Visitor, let_in

BUILD = "() => document.documentElement.dataset.build"
OTHER = "() => { document.documentElement.dataset.build = 'earlier'; dispatchEvent(new Event('online')); }"
"""Make the page one of another build and reopen its stream, as after the restart of an upgrade."""


def test_a_page_of_another_build_reloads_unless_something_is_typed(
    person: Person, server: Server, ada: Visitor
) -> None:
    page = person()
    path = ada.table("me", "open", "open")
    let_in(page.context, ada)
    page.goto(f"{server.address}{path}")
    build = page.evaluate(BUILD)
    assert build
    with page.expect_navigation():
        page.evaluate(OTHER)
    expect(page.locator("html")).to_have_attribute("data-build", build)
    field = page.locator("#say input[name=text]")
    field.fill("half a sentence")
    with page.expect_response(lambda response: "/stream" in response.url or "/health" in response.url):
        page.evaluate(OTHER)
    expect(field).to_have_value("half a sentence")
    assert page.evaluate(BUILD) == "earlier"
    field.fill("")
    with page.expect_navigation():
        field.blur()
    expect(page.locator("html")).to_have_attribute("data-build", build)
