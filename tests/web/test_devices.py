"""One's seats on another device: by a code that is good once; the old device is told, and can sign the others out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Server, Visitor


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


@pytest.mark.browser
def test_the_old_device_is_told(running: tuple[str, list[Visitor]], server: Server, chromium: Browser) -> None:
    _, visitors = running
    ada = visitors[0]
    code = code_of(ada)
    context = chromium.new_context(locale="en-GB")
    context.add_cookies([{"name": c.name, "value": c.value or "", "url": server.address} for c in ada.cookies.jar])
    page = context.new_page()
    page.goto(f"{server.address}/devices")
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.get_by_text("signed in on 1 device.").first).to_be_visible()
    with Visitor(server) as telephone:
        telephone.submit("/device", code=code)
    expect(page.get_by_text("signed in on 2 devices.").first).to_be_visible()
    context.close()
