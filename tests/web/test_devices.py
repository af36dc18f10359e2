"""Signing in on another device by a single-use code, without merging identities; the notice about it; signing out."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from spieltisch.web.pages.qr import qr_code
from tests.web.authenticator import Authenticator
from tests.web.conftest import Server, Visitor, let_in
from tests.web.test_passkeys import Device, Local


def code_of(visitor: Visitor) -> str:
    visitor.submit("/devices")
    match = re.search(r'id="code" translate="no">([^<]+)<', visitor.get("/devices").text)
    assert match
    return match.group(1)


def sign_others_out(visitor: Visitor, **changed: str) -> httpx.Response:
    """Send the form as a browser does, with some fields changed."""
    return visitor.post("/devices/sign-out", data=form_of(visitor) | changed)


def form_of(visitor: Visitor) -> dict[str, str]:
    """The fields of the page of devices as a browser sends them if nothing is touched."""
    page = visitor.get("/devices").text
    ticked = re.findall(r'type="checkbox" form="devices" name="([^"]+)" id="[^"]+" checked', page)
    shown = re.findall(r'form="devices" name="(shown-[^"]+)"', page)
    return (
        dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page))
        | dict.fromkeys(ticked, "on")
        | dict.fromkeys(shown, "")
    )


def recovery_code(visitor: Visitor) -> str:
    match = re.search(r'id="recovery" translate="no">([^<]+)<', visitor.submit("/me/recovery").text)
    assert match
    return match.group(1)


def subscribe(visitor: Visitor, topic: str) -> None:
    assert visitor.submit("/me/alert-subscriptions", kind="service", address=topic).status_code == 303


def news(visitor: Visitor) -> str:
    """What the lobby reports of the person's access."""
    match = re.search(r'<p id="joined"[^>]*>(.*?)</p>', visitor.get("/").text, re.DOTALL)
    assert match
    return match.group(1)


def sit_and_leave(visitor: Visitor, path: str) -> None:
    """Come in with a name, and have nothing."""
    assert visitor.sit(path, "Bo").status_code == 303
    assert visitor.leave(path).status_code == 303


def test_a_link_with_a_code_gives_no_seat_away(running: tuple[str, list[Visitor]], server: Server) -> None:
    """A host who sends their code as a link gains no access to the player's identity, and no identities are merged."""
    path, (ada, grace, _) = running
    code = code_of(ada)
    for link in (f"/device?code={code}", f"/device?code={code.replace(' ', '')}&merge=on"):
        page = grace.get(link).text
        assert "signed in here as Grace" in page
        assert 'name="code"' not in page
        assert 'href="/me/log-out"' in page
    before = ada.state(path)["version"]
    for fields in ({"code": code}, {"code": code, "merge": "on"}, {"code": "WRONG"}):
        refused = grace.submit("/device", **fields)
        assert refused.status_code == 409
        assert "signed in here as Grace" in refused.text
        assert 'href="/me/log-out"' in refused.text
    assert [visitor.state(path)["seat"] for visitor in (ada, grace)] == [0, 1]
    assert ada.state(path)["version"] == before
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code).status_code == 303, "nobody has used it"
        assert telephone.state(path)["seat"] == 0
    with Visitor(server) as stranger:
        page = stranger.get("/device?code=AB%22%26CD").text
        assert 'name="code"' in page
        assert "AB&#34;" not in page


def test_no_address_or_picture_holds_the_code(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    code = code_of(ada)
    page = ada.get("/devices").text
    assert page.count(code) == 1
    assert code.replace(" ", "") not in page
    assert str(qr_code(f"{ada.base_url.copy_with(path='/device')}")) in page


@pytest.mark.parametrize("has", ["seat", "host", "left", "over", "components"])
def test_whoever_has_something_logs_out_first(has: str, server: Server, ada: Visitor) -> None:
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
        assert "signed in here as Bo" in bo.get("/device").text


def test_whoever_has_nothing_becomes_the_other_one(server: Server, ada: Visitor) -> None:
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


def test_logging_out_shows_the_way_back_first(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, (ada, *_) = running
    assert ada.submit("/me/log-out").headers["location"] == "/me/log-out"
    assert ada.state(path)["seat"] == 0, "without a recovery code nobody logs out"
    page = ada.get("/me/log-out").text
    assert "signed in here as Ada" in page
    assert 'action="/me/log-out"' not in page
    shown = ada.submit("/me/log-out/code")
    assert shown.headers["cache-control"] == "no-store"
    match = re.search(r'id="recovery" translate="no">([^<]+)<', shown.text)
    assert match
    assert 'action="/me/log-out"' in shown.text
    with Visitor(server) as eve:
        assert eve.post("/me/log-out", data={"token": eve.token()}).status_code == 403
        assert ada.post("/me/log-out", data={"token": eve.token()}).status_code == 403
    assert ada.state(path)["seat"] == 0
    assert ada.submit("/me/log-out").headers["location"] == "/device"
    assert ada.state(path)["seat"] is None
    assert ada.submit("/device", code=match.group(1)).status_code == 303
    assert ada.state(path)["seat"] == 0
    again = ada.get("/me/log-out").text
    assert match.group(1) not in again
    assert 'action="/me/log-out"' in again, "there is a code already"


def test_logging_out_other_devices_voids_open_codes(ada: Visitor, server: Server) -> None:
    ada.table("me", "open", "open")
    code = code_of(ada)
    assert sign_others_out(ada).status_code == 303
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code).status_code == 404
    assert code not in ada.get("/devices").text


@pytest.mark.parametrize("is_copy", [True, False])
def test_a_session_that_keeps_asking_for_codes_is_out_for_good(
    running: tuple[str, list[Visitor]], server: Server, is_copy: bool
) -> None:
    """Whether it is a copy of the session that signs the others out, or that of another device."""
    path, (ada, *_) = running
    with ExitStack() as opened:
        eve = opened.enter_context(Visitor(server, address="127.0.0.6"))
        if is_copy:
            eve.cookies.update(ada.cookies)
        else:
            eve.submit("/device", code=code_of(ada))
        in_between: list[Visitor] = []
        codes: list[str] = []
        is_in = threading.Event()

        def ask() -> None:
            token = eve.token()
            try:
                while eve.post("/devices", data={"token": token}).status_code == 303:
                    page = eve.get("/devices")
                    codes.extend(re.findall(r'id="code" translate="no">([^<]+)<', page.text))
                    if len(in_between) < 5:
                        in_between.append(opened.enter_context(Visitor(server, address="127.0.0.6")))
                        in_between[-1].submit("/device", code=codes[-1])
                    is_in.set()
            finally:
                is_in.set()

        with ThreadPoolExecutor(1) as thread:
            asking = thread.submit(ask)
            is_in.wait()
            assert sign_others_out(ada).status_code == 303
            asking.result()
        assert ada.state(path)["seat"] == 0
        with Visitor(server, address="127.0.0.6") as late:
            assert {late.submit("/device", code=code).status_code for code in codes[-3:]} == {404}
        for visitor in (eve, *in_between):
            assert visitor.get("/devices").status_code == 403
            assert visitor.state(path)["seat"] is None
        assert 'id="code"' not in ada.get("/devices").text


def test_what_a_copied_session_has_made_is_told_and_ends(ada: Visitor, server: Server) -> None:
    local = Local(server.address.replace("127.0.0.1", "localhost"))
    own_table = ada.table("me", "open", "open")
    own = recovery_code(ada)
    assert news(ada) == "", "it was this browser"
    with Device(local, address="127.0.0.1") as eve, Visitor(server) as late:
        eve.cookies.set("session", ada.cookies["session"])
        eve.cookies.set("devices", ada.cookies["devices"])
        code, passkey = recovery_code(eve), Authenticator(local.address)
        assert "recovery code" in news(ada)
        assert eve.add(passkey, "Eve’s").status_code == 303
        assert "passkey" in news(ada)
        subscribe(eve, "https://discord.com/api/webhooks/1/eve")
        assert "alerts" in news(ada)
        assert news(eve) == ""
        subscribe(ada, "https://discord.com/api/webhooks/1/ada")
        assert "passkey" in news(ada), "until it was on the page of devices"
        before, page = form_of(ada), ada.get("/devices").text
        assert news(ada) == "", "it was on the page of devices"
        assert "Eve’s" in page
        assert "Discord" in page
        another = recovery_code(eve)  # since the page was loaded
        kept = {name: value for name, value in before.items() if not name.startswith("end-")}
        assert ada.post("/devices/sign-out", data=kept).status_code == 303
        for typed in (own, code, another):
            assert late.submit("/device", code=typed).status_code == 404
        with Device(local, address="127.0.0.1") as again:
            assert again.come_in(passkey).status_code == 303, "Ada has chosen to keep it"
        assert sign_others_out(ada).status_code == 303
        with Device(local, address="127.0.0.1") as again:
            assert again.come_in(passkey).status_code == 404
        assert '/remove"' not in ada.get("/me/alerts").text
        assert eve.submit("/me/recovery").status_code == 403
    assert ada.state(own_table)["seat"] == 0
    assert not [name for name in form_of(ada) if name.startswith("shown-")]


def test_the_settings_say_when_the_recovery_code_was_changed(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    pages = "/preferences", "/me/recovery", "/me/log-out"
    assert not [path for path in pages if "Last changed" in ada.get(path).text]
    recovery_code(ada)
    assert not [path for path in pages if "Last changed" not in ada.get(path).text]


def test_the_streams_of_a_session_end_with_it(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, (ada, *_) = running
    table = path.removeprefix("/table/")
    with Visitor(server) as eve:
        eve.cookies.update(ada.cookies)
        with eve.stream("GET", "/stream", params={"watch": f"{table}@0"}) as stream:
            events = (line for line in stream.iter_lines() if line.startswith("event:"))
            assert [next(events), next(events)] == ["event: beat", "event: state"]
            assert sign_others_out(ada).status_code == 303
            assert list(zip(events, range(1), strict=False)) == [], "neither a state nor a heartbeat comes"


@pytest.mark.parametrize("act", ["leave?outcome=closes", "chat", "me"])
def test_a_form_that_was_under_way_has_no_effect_after_signing_out(act: str, ada: Visitor) -> None:
    """A copied session sends all of a form but its last byte, and that after the person has signed it out."""
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
        assert b" 403 " in answers.read()
    assert ada.state(path)["seat"] == 0
    assert "from the thief" not in ada.get(f"{path}/chat").text


def test_a_lost_answer_locks_nobody_out(ada: Visitor) -> None:
    """The browser has not got the key of the new session; it sends the form again, as when the page is loaded anew."""
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


def test_the_menu_of_a_table_says_on_how_many_other_devices_one_is(
    running: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, grace, _) = running
    assert "Not signed in on any other device" in ada.get(path).text
    with Visitor(server) as telephone, Visitor(server) as stranger:
        telephone.submit("/device", code=code_of(ada))
        for device in (ada, telephone):
            assert "Signed in on 1 other device" in device.get(path).text
        assert "Not signed in on any other device" in grace.get(path).text
        assert "igned in on" not in stranger.get(path).text
        sign_others_out(ada)
        assert "Not signed in on any other device" in ada.get(path).text


def test_a_code_takes_name_seats_and_preferences_along(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, visitors = running
    ada = visitors[0]
    ada.submit("/preferences", theme="dark")
    code = code_of(ada)
    with Visitor(server) as telephone:
        assert telephone.submit("/device", code=code.lower()).status_code == 303
        assert telephone.state(path)["seat"] == ada.state(path)["seat"] == 0
        assert 'data-theme="dark"' in telephone.get("/").text
        assert "signed in on another device" in ada.get("/").text
        assert "signed in on another device" not in telephone.get("/").text
        assert "signed in on 2 devices" in ada.get("/devices").text
        assert "signed in on another device" not in ada.get("/").text
        sign_others_out(ada)
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
        assert "already been used" in answer.text
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
    telephone.goto(f"{server.address}/device")
    telephone.get_by_label("Code").fill(code_of(ada))
    telephone.get_by_role("button", name="Sign in").click()
    for page in (table, lobby):
        expect(page.locator("#joined")).to_contain_text("You’re now also signed in on another device.")
    expect(table.locator("#other-devices")).to_have_text("Signed in on 1 other device")
    telephone.goto(server.address + path)
    expect(telephone.locator("#joined")).to_be_empty()  # it knows
    # The telephone is a stranger's: all others are signed out, and what it had open follows from outside.
    decides = visitors[ada.state(path)["to_decide"]]
    expect(telephone.locator("#people .own")).to_have_count(1)
    table.get_by_role("link", name="My devices").click()
    table.get_by_role("button", name="Sign out other devices").click()
    expect(table.get_by_text("signed in on 1 device.").first).to_be_visible()
    renewed = {cookie["name"]: cookie["value"] for cookie in old.cookies()}
    ada.cookies.clear()
    ada.cookies.update(renewed)  # the browser's session has a new key
    assert decides.play(path, decides.state(path)["moves"][0]).status_code == 200
    expect(telephone.locator("#people .own")).to_have_count(0)
    old.close()
    new.close()


@pytest.mark.browser
def test_in_two_browsers_a_link_with_a_code_gives_no_seat_away(
    running: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, (ada, grace, _) = running
    host, player = opened(chromium, ada), opened(chromium, grace)
    code, link = host.new_page(), player.new_page()
    code.goto(f"{server.address}/devices")
    code.get_by_role("button", name="Create new code").click()
    given = code.locator("#code").inner_text()
    link.goto(f"{server.address}/device?code={given.replace(' ', '')}")
    expect(link.get_by_text("signed in here as Grace")).to_be_visible()
    expect(link.get_by_label("Code")).to_have_count(0)
    expect(link.locator("main form")).to_have_count(0)
    expect(link.locator("main").get_by_role("link", name="Sign out")).to_be_visible()
    link.goto(server.address + path)
    expect(link.locator("#other-devices")).to_have_text("Not signed in on any other device")
    expect(link.locator("#people .own")).to_contain_text("Grace")
    code.goto(server.address + path)
    expect(code.locator("#people .own")).to_have_count(1)
    expect(code.locator("#people .own")).to_contain_text("Ada")
    # Logged out, with the recovery code in hand, Grace logs in as Ada on purpose, and comes back.
    link.goto(f"{server.address}/device")
    link.locator("main").get_by_role("link", name="Sign out").click()
    link.get_by_role("button", name="Create new code").click()
    back = link.locator("#recovery").inner_text()
    link.get_by_role("button", name="Sign out", exact=True).click()
    expect(link).to_have_url(f"{server.address}/device")
    link.get_by_label("Code").fill(back)
    link.get_by_role("button", name="Sign in").click()
    expect(link.get_by_role("link", name="Grace", exact=True)).to_be_visible()
    host.close()
    player.close()
