"""Check signing in on another device by a single-use code, and signing out other devices."""

from __future__ import annotations

import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from spieltisch.tables.refusals import logged_in, no_code, too_many_codes
from spieltisch.web.pages.qr import qr_code
from tests.sentences import sentence_after
from tests.web.device_pages import NEW_DEVICE, code_of, form_of, log_out, sign_others_out
from tests.web.servers import Server
from tests.web.visitors import MANY_ADDRESSES, Visitor, let_in


def other_devices(count: int) -> str:
    """Return the text in the menu of a table about this number of other devices."""
    return sentence_after("web/templates/elsewhere.html", "{{ _n(" if count else "if count else", count=count)


def menu_link(count: int) -> str:
    """Return the end of the link in the menu of a table about this number of other devices."""
    return f'id="other-devices">{other_devices(count)}</a>'


def own_devices(count: int) -> str:
    """Return the text on the devices page about this number of devices."""
    return sentence_after("web/templates/devices_live.html", "<strong>", count=count)


def sit_and_leave(visitor: Visitor, path: str) -> None:
    """Sit down with a name and leave again, which leaves a visitor with a name who owns nothing."""
    assert visitor.sit(path, "Bo").status_code == 303
    assert visitor.leave(path).status_code == 303


def test_a_link_with_a_device_code_merges_no_identities(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    """A host who sends a link with their own device code gets no access to the identity of the person who opens it."""
    path, (ada, grace, _) = running_table
    code = code_of(ada)
    for link in (f"/device?code={code}", f"/device?code={code.replace(' ', '')}&merge=on"):
        page = grace.get(link).text
        assert str(logged_in("Grace").message) in page
        assert 'name="code"' not in page
        assert 'href="/me/log-out"' in page
    before = ada.state(path)["version"]
    for fields in ({"code": code}, {"code": code, "merge": "on"}, {"code": "WRONG"}):
        refusal = grace.submit("/device", **fields)
        assert refusal.status_code == 409
        assert str(logged_in("Grace").message) in refusal.text
        assert 'href="/me/log-out"' in refusal.text
    assert [visitor.state(path)["seat"] for visitor in (ada, grace)] == [0, 1]
    assert ada.state(path)["version"] == before
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code).status_code == 303, "nobody has used it"
        assert telephone.state(path)["seat"] == 0
    with Visitor(server) as stranger:
        page = stranger.get("/device?code=AB%22%26CD").text
        assert 'name="code"' in page
        assert "AB&#34;" not in page


def test_neither_the_address_nor_the_qr_code_contains_the_device_code(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    code = code_of(ada)
    page = ada.get("/devices").text
    assert page.count(code) == 1
    assert code.replace(" ", "") not in page
    assert str(qr_code(f"{ada.base_url.copy_with(path='/device')}")) in page


@pytest.mark.parametrize("has", ["seat", "host", "left", "over", "components"])
def test_a_visitor_with_games_or_files_must_sign_out_before_using_a_device_code(
    has: str, server: Server, ada: Visitor
) -> None:
    own_table = ada.table("me", "open", "open")
    with Visitor(server) as bo:
        if has == "components":
            sit_and_leave(bo, own_table)
            text = bo.get("/games/paris-connection/components.toml").text.replace('name = "', 'name = "my-', 1)
            assert bo.submit("/games/paris-connection/components", text=text).status_code == 303
        elif has == "host":
            bo.table("open", "open", "open", name="Bo")
        else:
            path = bo.table("me", "bot:random", "bot:random", name="Bo")
            if has == "left":
                assert bo.leave(path).status_code == 303
            if has == "over":
                assert bo.submit(f"{path}/consent/ask-abort?confirmed=0").status_code == 303
        assert bo.submit("/device", code=code_of(ada)).status_code == 409
        assert bo.state(own_table)["seat"] is None
        assert str(logged_in("Bo").message) in bo.get("/device").text


@pytest.mark.parametrize(
    ("header", "is_read"),
    [
        ({}, True),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty"}, False),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "document"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}, False),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document", "Sec-Purpose": "prefetch;prerender"}, False),
    ],
)
def test_news_of_devices_are_read_only_on_a_page_that_a_person_has_opened(
    ada: Visitor, header: dict[str, str], is_read: bool
) -> None:
    ada.table("me", "open", "open")
    answer = ada.get("/devices", headers=header)
    assert (answer.status_code, "devices" in answer.cookies) == (200, is_read)


def test_a_visitor_without_games_or_files_signs_in_as_the_other_person(server: Server, ada: Visitor) -> None:
    own_table = ada.table("me", "open", "open")
    with Visitor(server) as bo:
        sit_and_leave(bo, own_table)
        session = bo.cookies["session"]
        assert 'name="code"' in bo.get("/device").text
        assert bo.submit("/device", code=code_of(ada)).status_code == 303
        assert bo.state(own_table)["seat"] == 0
    with Visitor(server) as before:
        before.cookies.set("session", session)
        assert before.get("/devices").status_code == 403, "the session in which it was somebody else has ended"


def test_signing_out_requires_a_recovery_code(running_table: tuple[str, list[Visitor]], server: Server) -> None:
    path, (ada, *_) = running_table
    assert ada.submit("/me/log-out").headers["location"] == "/me/log-out"
    assert ada.state(path)["seat"] == 0, "without a recovery code nobody logs out"
    page = ada.get("/me/log-out").text
    assert sentence_after("web/templates/log_out.html", "<h1>", "<p>", name="Ada") in page
    assert 'action="/me/log-out"' not in page
    code_page = ada.submit("/me/log-out/code")
    assert code_page.headers["cache-control"] == "no-store"
    match = re.search(r'id="recovery-code" translate="no">([^<]+)<', code_page.text)
    assert match
    assert 'action="/me/log-out"' in code_page.text
    with Visitor(server) as eve:
        assert eve.post("/me/log-out", data={"token": eve.token()}).status_code == 403
        assert ada.post("/me/log-out", data={"token": eve.token()}).status_code == 403
    assert ada.state(path)["seat"] == 0
    assert log_out(ada, code_page.text).headers["location"] == "/device"
    assert ada.state(path)["seat"] is None
    assert ada.submit("/device", code=match.group(1)).status_code == 303
    assert ada.state(path)["seat"] == 0
    log_out_page = ada.get("/me/log-out").text
    assert match.group(1) not in log_out_page
    assert 'action="/me/log-out"' in log_out_page, "there is a code already"


def test_signing_out_other_devices_invalidates_open_device_codes(ada: Visitor, server: Server) -> None:
    ada.table("me", "open", "open")
    code = code_of(ada)
    assert sign_others_out(ada).status_code == 303
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code).status_code == 404
    assert code not in ada.get("/devices").text


@pytest.mark.parametrize("is_copy", [True, False])
def test_a_session_that_keeps_requesting_codes_is_signed_out_for_good(
    running_table: tuple[str, list[Visitor]], server: Server, is_copy: bool
) -> None:
    """The session is a copy of the session that signs out all others, or the session of another device."""
    path, (ada, *_) = running_table
    with ExitStack() as opened:
        eve = opened.enter_context(Visitor(server, address="127.0.0.6"))
        if is_copy:
            eve.cookies.update(ada.cookies)
        else:
            eve.submit("/device", code=code_of(ada))
        visitors_meanwhile: list[Visitor] = []
        codes: list[str] = []
        is_in = threading.Event()

        def send_request() -> None:
            token = eve.token()
            try:
                while eve.post("/devices", data={"token": token}).status_code == 303:
                    page = eve.get("/devices")
                    codes.extend(re.findall(r'id="code" translate="no">([^<]+)<', page.text))
                    if len(visitors_meanwhile) < 5:
                        visitors_meanwhile.append(opened.enter_context(Visitor(server, address="127.0.0.6")))
                        visitors_meanwhile[-1].submit("/device", code=codes[-1])
                    is_in.set()
            finally:
                is_in.set()

        with ThreadPoolExecutor(1) as thread:
            asking = thread.submit(send_request)
            is_in.wait()
            assert sign_others_out(ada).status_code == 303
            asking.result()
        assert ada.state(path)["seat"] == 0
        with Visitor(server, address="127.0.0.6") as late_visitor:
            assert {late_visitor.submit("/device", code=code).status_code for code in codes[-3:]} == {404}
        for visitor in (eve, *visitors_meanwhile):
            assert visitor.get("/devices").status_code == 403
            assert visitor.state(path)["seat"] is None
        assert 'id="code"' not in ada.get("/devices").text


def test_the_streams_of_a_session_end_with_the_session(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, *_) = running_table
    table = path.removeprefix("/table/")
    with Visitor(server) as eve:
        eve.cookies.update(ada.cookies)
        with eve.stream("GET", "/stream", params={"watch": f"{table}@0"}) as stream:
            events = (line for line in stream.iter_lines() if line.startswith("event:"))
            assert [next(events), next(events)] == ["event: heartbeat", "event: state"]
            assert sign_others_out(ada).status_code == 303
            assert list(zip(events, range(1), strict=False)) == [], "neither a state nor a heartbeat comes"


@pytest.mark.parametrize("act", ["leave?outcome=closes", "chat", "me"])
def test_a_form_sent_half_before_signing_out_has_no_effect(act: str, ada: Visitor) -> None:
    """A copied session sends the last byte of the form after the person has signed the session out."""
    path = ada.table("me", "bot:random", "bot:random")
    target = "/me/leave" if act == "me" else f"{path}/{act}"
    form = urlencode({"token": ada.token(), "sure": "on", "room": "table", "text": "from the thief"}).encode()
    head = {
        "Host": ada.base_url.netloc.decode(),
        "Origin": f"http://{ada.base_url.netloc.decode()}",
        "Cookie": f"session={ada.cookies['session']}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": str(len(form)),
        "Expect": "100-continue",
        "Connection": "close",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    with socket.create_connection((ada.base_url.host, ada.base_url.port or 80), timeout=60) as thief:
        thief.sendall(f"POST {target} HTTP/1.1\r\n{lines}\r\n".encode())
        answers = thief.makefile("rb")
        assert b" 100 " in answers.readline()  # the server waits for the form
        thief.sendall(form[:-1])
        assert sign_others_out(ada).status_code == 303
        thief.sendall(form[-1:])
        status = int(answers.read().split()[1])
    assert status == (422 if act == "chat" else 403), "a visitor has no seat, but may chat under a name"
    assert ada.state(path)["seat"] == 0
    assert "from the thief" not in ada.get(f"{path}/chat").text


def test_signing_out_other_devices_can_be_repeated_after_a_lost_response(ada: Visitor) -> None:
    """The browser has not received the key of its new session, and sends the form again as after a reload."""
    ada.table("me", "open", "open")
    before = dict(ada.cookies)
    form = form_of(ada)
    assert ada.post("/devices/sign-out", data=form).status_code == 303
    ada.cookies.clear()
    ada.cookies.update(before)
    assert ada.get("/devices").status_code == 403
    assert ada.post("/devices/sign-out", data=form).status_code == 303
    assert ada.get("/devices").status_code == 200
    ada.cookies.clear()
    ada.cookies.update(before)
    for key, status in (("x" * 43, 403), ("short", 400), ("", 400)):
        assert ada.post("/devices/sign-out", data=form | {"next-session": key}).status_code == status


def test_a_signed_out_session_key_cannot_be_used_for_a_new_session(ada: Visitor, server: Server) -> None:
    """Otherwise the person's own browser would silently continue in a session that a copied session has created."""
    ada.table("me", "open", "open")
    key = ada.cookies["session"]
    with Visitor(server) as eve:
        eve.cookies.update(ada.cookies)
        assert sign_others_out(eve).status_code == 303
        assert sign_others_out(eve, **{"next-session": key}).status_code == 303
        assert eve.get("/devices").status_code == 200
        assert ada.get("/devices").status_code == 403


def test_the_table_menu_shows_the_number_of_other_devices(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, grace, _) = running_table
    assert menu_link(0) in ada.get(path).text
    with Visitor(server) as telephone, Visitor(server) as stranger:
        telephone.submit("/device", code=code_of(ada))
        for device in (ada, telephone):
            assert menu_link(1) in device.get(path).text
        assert menu_link(0) in grace.get(path).text
        assert 'id="other-devices"' not in stranger.get(path).text
        sign_others_out(ada)
        assert menu_link(0) in ada.get(path).text


def test_a_device_code_brings_name_seats_and_settings_to_another_device(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, visitors = running_table
    ada = visitors[0]
    ada.submit("/preferences", theme="dark")
    code = code_of(ada)
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code.lower()).status_code == 303
        assert telephone.state(path)["seat"] == ada.state(path)["seat"] == 0
        assert 'data-theme="dark"' in telephone.get("/").text
        assert NEW_DEVICE in ada.get("/").text
        assert NEW_DEVICE not in telephone.get("/").text
        assert own_devices(2) in ada.get("/devices").text
        assert NEW_DEVICE not in ada.get("/").text
        sign_others_out(ada)
        assert telephone.state(path)["seat"] is None
        assert ada.state(path)["seat"] == 0
    assert own_devices(1) in ada.get("/devices").text


def test_a_device_code_is_valid_once_and_until_a_newer_code_exists(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    _, visitors = running_table
    code = code_of(visitors[0])
    with Visitor(server) as first, Visitor(server) as second:
        assert first.submit("/device", code=code).status_code == 303
        answer = second.submit("/device", code=code)
        assert answer.status_code == 404
        assert str(no_code().message) in answer.text
    older, newer = code_of(visitors[0]), code_of(visitors[0])
    with Visitor(server) as third:
        assert third.submit("/device", code=older).status_code == 404
        assert third.submit("/device", code=newer).status_code == 303


@pytest.mark.parametrize("code", ["", "x", "AAAAAAAA", "<b>", "A" * 4000])
def test_wrong_device_codes_are_refused(code: str, server: Server) -> None:
    with Visitor(server) as visitor:
        assert visitor.submit("/device", code=code).status_code == 404
        assert visitor.get("/devices").status_code == 403


@MANY_ADDRESSES
def test_guessing_device_codes_locks_out_no_other_address(server: Server, ada: Visitor) -> None:
    with Visitor(server, address="127.0.0.9") as eve, Visitor(server, address="127.0.0.2") as telephone:
        ada.table("me", "open", "open")
        code = code_of(ada)
        answers = [eve.submit("/device", code="WRONG").status_code for _ in range(GUESSES_OF_VISITOR + 1)]
        assert answers == [404] * GUESSES_OF_VISITOR + [429]
        answer = eve.submit("/device", code=code)
        assert answer.status_code == 429
        assert str(too_many_codes().message) in answer.text
        # Whoever makes up a new browser each time is still at the same address.
        for _ in range(GUESSES_OF_ADDRESS - GUESSES_OF_VISITOR):
            eve.cookies.clear()
            assert eve.submit("/device", code="WRONG").status_code == 404
        eve.cookies.clear()
        assert eve.submit("/device", code=code).status_code == 429
        assert telephone.submit("/device", code=code).status_code == 303


def opened(chromium: Browser, visitor: Visitor | None = None) -> BrowserContext:
    """Open a browser, optionally with the cookies of a visitor."""
    context = chromium.new_context(locale="en-GB")
    if visitor is not None:
        let_in(context, visitor)
    return context


@pytest.mark.browser
def test_the_devices_page_shows_a_new_device_at_once(
    running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    _, visitors = running_table
    ada = visitors[0]
    code = code_of(ada)
    context = opened(chromium, ada)
    page = context.new_page()
    page.goto(f"{server.address}/devices")
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.locator("#live-part strong")).to_have_text(own_devices(1))
    with Visitor(server) as telephone:
        telephone.submit("/device", code=code)
    expect(page.locator("#live-part strong")).to_have_text(own_devices(2))
    context.close()


@pytest.mark.browser
def test_a_new_device_is_reported_on_every_page_of_the_old_device(
    running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running_table
    ada = visitors[0]
    old_page, new_page = opened(chromium, ada), opened(chromium)
    table, lobby = old_page.new_page(), old_page.new_page()
    table.goto(server.address + path)
    lobby.goto(f"{server.address}/")
    for page in (table, lobby):
        expect(page.locator("#devices-notice")).to_have_role("status")
        expect(page.locator("#devices-notice")).to_be_empty()
    telephone = new_page.new_page()
    telephone.goto(f"{server.address}/device")
    telephone.locator("#code[name=code]").fill(code_of(ada))
    telephone.locator('form[action="/device"] .primary').click()
    for page in (table, lobby):
        expect(page.locator("#devices-notice")).to_contain_text(NEW_DEVICE)
    expect(table.locator("#other-devices")).to_have_text(other_devices(1))
    telephone.goto(server.address + path)
    expect(telephone.locator("#devices-notice")).to_be_empty()  # it knows
    # The telephone is a stranger's: all others are signed out, and what it had open follows from outside.
    deciding_visitor = visitors[ada.state(path)["to_decide"]]
    expect(telephone.locator("#player-list .is-own-seat")).to_have_count(1)
    table.locator('#devices-notice a[href="/devices"]').click()
    table.locator('[formaction="/devices/sign-out"]').click()
    expect(table.locator("#live-part strong")).to_have_text(own_devices(1))
    renewed = {cookie["name"]: cookie["value"] for cookie in old_page.cookies()}
    ada.cookies.clear()
    ada.cookies.update(renewed)  # the browser's session has a new key
    assert deciding_visitor.play(path, deciding_visitor.state(path)["moves"][0]).status_code == 200
    expect(telephone.locator("#player-list .is-own-seat")).to_have_count(0)
    old_page.close()
    new_page.close()


@pytest.mark.browser
def test_in_two_browsers_a_link_with_a_device_code_merges_no_identities(
    running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, (ada, grace, _) = running_table
    host, player = opened(chromium, ada), opened(chromium, grace)
    code, link = host.new_page(), player.new_page()
    code.goto(f"{server.address}/devices")
    code.locator("#live-part button.primary[form=devices]").click()
    handed_code = code.locator("#code").inner_text()
    link.goto(f"{server.address}/device?code={handed_code.replace(' ', '')}")
    expect(link.get_by_text(str(logged_in("Grace").message))).to_be_visible()
    expect(link.locator("#code[name=code]")).to_have_count(0)
    expect(link.locator("main form")).to_have_count(0)
    expect(link.locator('main a[href="/me/log-out"]')).to_be_visible()
    link.goto(server.address + path)
    expect(link.locator("#other-devices")).to_have_text(other_devices(0))
    expect(link.locator("#player-list .is-own-seat .seat-name")).to_have_attribute("title", "Grace")
    code.goto(server.address + path)
    expect(code.locator("#player-list .is-own-seat")).to_have_count(1)
    expect(code.locator("#player-list .is-own-seat .seat-name")).to_have_attribute("title", "Ada")
    # Logged out, with the recovery code in hand, Grace logs in as Ada on purpose, and comes back.
    link.goto(f"{server.address}/device")
    link.locator('main a[href="/me/log-out"]').click()
    link.locator('form[action="/me/log-out/code"] button').click()
    recovery_link = link.locator("#recovery-code").inner_text()
    link.locator('form[action="/me/log-out"] button').click()
    expect(link).to_have_url(f"{server.address}/device")
    link.locator("#code[name=code]").fill(recovery_link)
    link.locator('form[action="/device"] .primary').click()
    expect(link.get_by_role("link", name="Grace", exact=True)).to_be_visible()
    host.close()
    player.close()
