"""Use the page of a table as a person does in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.servers import Server

SIT = 'form[action$="/sit"] button'
"""The button with which a visitor takes a free seat."""


def open_table(page: Page, address: str) -> None:
    """Open a table and wait until a choice is shown or its game is over."""
    page.goto(address)
    expect(page.locator("#choices .choice, #live-part.status-finished").first).to_be_visible()


def set_up_table(page: Page, server: Server, *seats: str, name: str = "Ada") -> str:
    """Set up a table with the form; return its address."""
    page.goto(f"{server.address}/new/paris-connection")
    page.fill("#name", name)
    page.locator("#table-options > summary").click()
    for number, kind in enumerate(seats):
        page.select_option(f"#seat-{number}", kind)
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    return page.url


def version(page: Page) -> int:
    return int(page.locator("#live-part").get_attribute("data-version") or 0)


def moved_on(page: Page, earlier_version: int) -> None:
    expect(page.locator("#live-part")).not_to_have_attribute("data-version", str(earlier_version))


def choose(page: Page, *words: str) -> None:
    for word in words:
        name = re.compile(f"^{re.escape(word)}( –|$)")  # after the dash a note
        page.locator("#choices .choice-list").get_by_role("button", name=name).click()
