"""One's seats on another device: by a code that is good once; the old device is told, and can sign the others out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from tests.web.conftest import Server, Visitor, let_in


def code_of(visitor: Visitor) -> str:
    visitor.submit("/devices")
    found = re.search(r'id="code" translate="no">([^<]+)<', visitor.get("/devices").text)
    assert found
    return found.group(1)


def test_a_code_takes_name_seats_and_preferences_along(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, visitors = running
    ada = visitors[0]
    ada.submit("/preferences", theme="dark")
    code = code_of(ada)
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code.lower()).status_code == 303
        assert telephone.state(path)["seat"] == ada.state(path)["seat"] == 0
        assert 'data-theme="dark"' in telephone.get("/").text
        assert "open on another device" in ada.get("/").text
        assert "open on another device" not in telephone.get("/").text
        assert "signed in on 2 devices" in ada.get("/devices").text
        assert "open on another device" not in ada.get("/").text
        ada.submit("/devices/sign-out")
        assert telephone.state(path)["seat"] is None
        assert ada.state(path)["seat"] == 0
    assert "signed in on 1 device." in ada.get("/devices").text


def test_a_code_is_good_once(running: tuple[str, list[Visitor]], server: Server) -> None:
    _, visitors = running
    code = code_of(visitors[0])
    with Visitor(server) as first, Visitor(server) as second:
        assert first.submit("/device", code=code).status_code == 303
        answer = second.submit("/device", code=code)
        assert answer.status_code == 404
        assert "used already" in answer.text
    older, newer = code_of(visitors[0]), code_of(visitors[0])
    with Visitor(server) as third:
        assert third.submit("/device", code=older).status_code == 404
        assert third.submit("/device", code=newer).status_code == 303


@pytest.mark.parametrize("code", ["", "x", "AAAAAAAA", "<b>", "A" * 4000])
def test_wrong_codes(code: str, server: Server) -> None:
    with Visitor(server) as visitor:
        assert visitor.submit("/device", code=code).status_code == 404
        assert visitor.get("/devices").status_code == 403


def test_who_guesses_codes_locks_out_nobody_else(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as eve, Visitor(server, address="127.0.0.2") as telephone:
        ada.table("me", "open", "open")
        code = code_of(ada)
        answers = [eve.submit("/device", code="WRONG").status_code for _ in range(GUESSES_OF_VISITOR + 1)]
        assert answers == [404] * GUESSES_OF_VISITOR + [429]
        answer = eve.submit("/device", code=code)
        assert answer.status_code == 429
        assert "ten minutes" in answer.text
        # Whoever makes up a new browser each time is still at the same address.
        for _ in range(GUESSES_OF_ADDRESS - GUESSES_OF_VISITOR):
            eve.cookies.clear()
            assert eve.submit("/device", code="WRONG").status_code == 404
        eve.cookies.clear()
        assert eve.submit("/device", code=code).status_code == 429
        assert telephone.submit("/device", code=code).status_code == 303


def opened(chromium: Browser, visitor: Visitor | None = None) -> BrowserContext:
    """A browser; a visitor's, with what theirs knows."""
    context = chromium.new_context(locale="en-GB")
    if visitor is not None:
        let_in(context, visitor)
    return context


@pytest.mark.browser
def test_the_old_device_is_told(running: tuple[str, list[Visitor]], server: Server, chromium: Browser) -> None:
    _, visitors = running
    ada = visitors[0]
    code = code_of(ada)
    context = opened(chromium, ada)
    page = context.new_page()
    page.goto(f"{server.address}/devices")
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.get_by_text("signed in on 1 device.").first).to_be_visible()
    with Visitor(server) as telephone:
        telephone.submit("/device", code=code)
    expect(page.get_by_text("signed in on 2 devices.").first).to_be_visible()
    context.close()


@pytest.mark.browser
def test_the_old_device_is_told_wherever_it_is(
    running: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running
    ada = visitors[0]
    old, new = opened(chromium, ada), opened(chromium)
    table, lobby = old.new_page(), old.new_page()
    table.goto(server.address + path)
    lobby.goto(f"{server.address}/")
    for page in (table, lobby):
        expect(page.locator("#joined")).to_have_role("status")
        expect(page.locator("#joined")).to_be_empty()
    telephone = new.new_page()
    telephone.goto(f"{server.address}/device?code={code_of(ada)}")
    telephone.get_by_role("button", name="Take my seats").click()
    for page in (table, lobby):
        expect(page.locator("#joined")).to_contain_text("Your seats are now also open on another device.")
    telephone.goto(server.address + path)
    expect(telephone.locator("#joined")).to_be_empty()  # it knows
    # The telephone is a stranger's: all others are signed out, and what it had open follows from outside.
    decides = visitors[ada.state(path)["to_decide"]]
    expect(telephone.locator("#people .own")).to_have_count(1)
    table.get_by_role("link", name="My devices").click()
    table.get_by_role("button", name="Sign out all other devices").click()
    expect(table.get_by_text("signed in on 1 device.").first).to_be_visible()
    assert decides.play(path, decides.state(path)["moves"][0]).status_code == 200
    expect(telephone.locator("#people .own")).to_have_count(0)
    old.close()
    new.close()
