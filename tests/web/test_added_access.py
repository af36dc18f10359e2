"""Check the notice about recovery codes, passkeys and alerts that another browser has added."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.recovery_codes import NewCode
from spieltisch.web.app import create_app
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from tests.live.live_fixture import signed_in
from tests.sentences import sentence_after
from tests.web.authenticator import Authenticator
from tests.web.device_pages import NEW_DEVICE, code_of, form_of, log_out, sign_others_out
from tests.web.passkey_visitors import Device, Local
from tests.web.servers import Server
from tests.web.visitors import Visitor

KINDS = ("session", "recovery-code", "passkey", "alerts")


def recovery_code(visitor: Visitor) -> str:
    match = re.search(r'id="recovery-code" translate="no">([^<]+)<', visitor.submit("/me/recovery").text)
    assert match
    return match.group(1)


def subscribe(visitor: Visitor, topic: str) -> None:
    assert visitor.submit("/me/alert-subscriptions", kind="service", address=topic).status_code == 303


def reported(visitor: Visitor) -> set[str]:
    """Return what the lobby reports as added to the person's access."""
    match = re.search(r'<p id="devices-notice"[^>]*>(.*?)</p>', visitor.get("/").text, re.DOTALL)
    assert match
    source = "web/templates/new_device_notice.html"
    kinds = {kind for kind in KINDS if sentence_after(source, f'"{kind}" in news') in match.group(1)}
    assert bool(kinds) == bool(match.group(1))
    return kinds


def test_access_added_by_a_copied_session_is_reported_and_can_be_removed(ada: Visitor, server: Server) -> None:
    local = Local(server.address.replace("127.0.0.1", "localhost"))
    own_table = ada.table("me", "open", "open")
    own_code = recovery_code(ada)
    assert reported(ada) == set(), "it was this browser"
    with Device(local, address="127.0.0.1") as eve, Visitor(server) as late_visitor:
        eve.cookies.set("session", ada.cookies["session"])
        eve.cookies.set("devices", ada.cookies["devices"])
        code, passkey = recovery_code(eve), Authenticator(local.address)
        assert "recovery-code" in reported(ada)
        assert eve.add(passkey, "Eve’s").status_code == 303
        assert "passkey" in reported(ada)
        subscribe(eve, "https://discord.com/api/webhooks/1/eve")
        assert "alerts" in reported(ada)
        assert reported(eve) == set()
        subscribe(ada, "https://discord.com/api/webhooks/1/ada")
        assert "passkey" in reported(ada), "until it was on the page of devices"
        before, page = form_of(ada), ada.get("/devices").text
        assert reported(ada) == set(), "it was on the page of devices"
        assert "Eve’s" in page
        assert "Discord" in page
        newer_code = recovery_code(eve)  # since the page was loaded
        remaining_cookies = {name: value for name, value in before.items() if not name.startswith("end-")}
        assert ada.post("/devices/sign-out", data=remaining_cookies).status_code == 303
        for typed in (own_code, code, newer_code):
            assert late_visitor.submit("/device", code=typed).status_code == 404
        with Device(local, address="127.0.0.1") as other_device:
            assert other_device.come_in(passkey).status_code == 303, "Ada has chosen to keep it"
        assert sign_others_out(ada).status_code == 303
        with Device(local, address="127.0.0.1") as other_device:
            assert other_device.come_in(passkey).status_code == 404
        assert '/remove"' not in ada.get("/me/alerts").text
        assert eve.submit("/me/recovery").status_code == 403
    assert ada.state(own_table)["seat"] == 0
    assert not [name for name in form_of(ada) if name.startswith("shown-")]


def test_access_added_while_signed_out_is_reported_at_the_next_sign_in(ada: Visitor, server: Server) -> None:
    local = Local(server.address.replace("127.0.0.1", "localhost"))
    ada.table("me", "open", "open")
    code, passkey = recovery_code(ada), Authenticator(local.address)
    with Device(local) as eve, Visitor(server) as by_code, Device(local) as by_passkey:
        eve.cookies.set("session", ada.cookies["session"])
        assert eve.add(passkey, "Ada’s").status_code == 200
        form_of(ada)  # it is shown
        with Visitor(server) as telephone:
            assert telephone.submit("/device", code=code_of(ada)).status_code == 303
            assert reported(telephone) == set(), "the page with the code has shown everything"
        with Visitor(server) as tablet:
            typed = code_of(ada)
            subscribe(eve, "https://discord.com/api/webhooks/1/while-it-is-typed")
            assert tablet.submit("/device", code=typed).status_code == 303
            assert "alerts" in reported(tablet), "the old device may not be used any more"
            form_of(ada)
        ada.cookies.clear()
        subscribe(eve, "https://discord.com/api/webhooks/1/eve")
        assert by_code.submit("/device", code=code).status_code == 303
        assert "passkey" in reported(by_code)
        assert "alerts" in reported(by_code)
        assert "recovery-code" not in reported(by_code)
        assert by_passkey.come_in(passkey).status_code == 303
        assert "alerts" in reported(by_passkey)
        assert "passkey" not in reported(by_passkey)
        form_of(by_code)
        assert reported(by_code) == set(), "it was on the page of devices"


def test_another_session_that_signed_the_person_out_is_reported_at_the_next_sign_in(
    ada: Visitor, server: Server
) -> None:
    ada.table("me", "open", "open")
    own_code = recovery_code(ada)
    with Visitor(server) as eve:
        eve.cookies.set("session", ada.cookies["session"])
        keeping = {name: value for name, value in form_of(eve).items() if not name.startswith("end-")}
        assert eve.post("/devices/sign-out", data=keeping).status_code == 303
        ada.cookies.clear()
        assert ada.submit("/device", code=own_code).status_code == 303
        assert "session" in reported(ada)
        assert sign_others_out(ada).status_code == 303
        assert reported(ada) == set()
        assert eve.submit("/me/recovery").status_code == 403


@pytest.mark.parametrize("addition", ["recovery-code", "session"])
@pytest.mark.parametrize("is_new", [True, False])
def test_signing_out_is_refused_on_a_page_that_does_not_show_newly_added_access(
    ada: Visitor, server: Server, addition: str, is_new: bool
) -> None:
    """The page may have been open for long, and after signing out the person would not learn of the added access."""
    path = ada.table("me", "open", "open")
    recovery_code(ada)
    page = ada.submit("/me/log-out/code").text if is_new else ada.get("/me/log-out").text
    with Visitor(server) as eve, Visitor(server) as visitor_elsewhere:
        eve.cookies.set("session", ada.cookies["session"])
        if addition == "recovery-code":
            recovery_code(eve)
        else:
            assert visitor_elsewhere.submit("/device", code=code_of(eve)).status_code == 303
    assert log_out(ada, page).headers["location"] == "/me/log-out"
    assert ada.state(path)["seat"] == 0
    assert reported(ada) == {addition}
    assert log_out(ada, ada.get("/me/log-out").text).headers["location"] == "/device"
    assert ada.state(path)["seat"] is None


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_the_page_of_a_new_recovery_code_reports_access_stored_just_before_the_code(tmp_path: Path) -> None:
    """The person may sign out on that page, and the code is newer than the other access."""

    async def job() -> None:
        live, site = await Live.open(tmp_path / "house.sqlite3", features=FEATURES), Site(port=8080)
        transport, origin = (
            httpx.ASGITransport(app=cast(Any, create_app(live, Streams(), site))),
            {"Origin": site.local},
        )
        is_stored = threading.Event()
        try:
            ada, session = await live.people.create("Ada")
            async with httpx.AsyncClient(transport=transport, base_url=site.local, headers=origin) as browser:
                browser.cookies.set("session", session)
                token = re.search(r'name="token" value="([0-9a-f]+)"', (await browser.get("/me/log-out")).text)
                assert token
                disk = asyncio.create_task(live.store.write(lambda _: is_stored.wait(60.0)))
                await asyncio.sleep(0)
                other_creation, give_code = asyncio.create_task(signed_in(live, ada)), live.people.recovery.give
                await asyncio.sleep(0)

                def give_then_store(person: str, session: str) -> Awaitable[NewCode]:
                    asyncio.get_running_loop().call_soon(is_stored.set)
                    return give_code(person, session)

                with pytest.MonkeyPatch.context() as patched:
                    patched.setattr(live.people.recovery, "give", give_then_store)
                    page = await browser.post("/me/log-out/code", data={"token": token[1]})
                assert 'id="recovery-code"' in page.text
                assert NEW_DEVICE in page.text
                assert await asyncio.gather(disk, other_creation)
                access = await live.people.access(ada.id)
                assert access.sessions[-1] < access.recovery_code
        finally:
            is_stored.set()
            await live.close()

    asyncio.run(job())


def test_the_response_to_a_new_passkey_reports_access_added_meanwhile(server: Server) -> None:
    """A copied session could end this session before its next page, and the passkey is newer than the other access."""
    local = Local(server.address.replace("127.0.0.1", "localhost"))
    with Device(local) as ada, Device(local) as eve:
        ada.table("me", "open", "open")
        eve.cookies.set("session", ada.cookies["session"])
        new_passkey = Authenticator(local.address).make(ada.request_options("/me/passkeys/offer"))
        form = {"token": ada.token(), "name": "Ada’s", "passkey": new_passkey}
        subscribe(eve, "https://discord.com/api/webhooks/1/eve")
        answer = ada.post("/me/passkeys", data=form)
        assert sentence_after("web/templates/new_device_notice.html", '"alerts" in news') in answer.text
        assert "Ada’s" in answer.text


def test_the_settings_say_when_the_recovery_code_was_changed(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    pages = "/preferences", "/me/recovery", "/me/log-out"
    assert not [path for path in pages if "<time" in ada.get(path).text]
    recovery_code(ada)
    assert not [path for path in pages if "<time" not in ada.get(path).text]
