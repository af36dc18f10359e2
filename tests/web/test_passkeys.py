"""Passkeys, from outside: adding, signing in, replayed and forged answers, removal; and in Chromium with a virtual
authenticator.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import CDPSession, Page, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.live.device_codes import GUESSES_OF_VISITOR
from spieltisch.live.limits import DEFAULT
from tests.web.authenticator import Authenticator, content
from tests.web.conftest import Person, Server, Visitor, let_in

FAR = "127.0.0.7"
"""From where wrong answers come: they are counted, and others guess from nearer."""


class Local(NamedTuple):
    """A server under the name by which browsers on its machine keep passkeys for it."""

    address: str


class Device(Visitor):
    """A visitor whose browser can add passkeys and sign in with them."""

    def request_options(self, path: str) -> dict[str, Any]:
        answer = self.submit(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        options: dict[str, Any] = answer.json()
        return options

    def add(self, passkey: Authenticator, name: str = "Telephone") -> httpx.Response:
        credential = passkey.make(self.request_options("/me/passkeys/offer"))
        return self.submit("/me/passkeys", name=name, passkey=credential)

    def come_in(self, passkey: Authenticator, **fields: str) -> httpx.Response:
        return self.submit("/device", passkey=passkey.sign(self.request_options("/device/passkey")), **fields)


@pytest.fixture
def local(server: Server) -> Local:
    return Local(server.address.replace("127.0.0.1", "localhost"))


@pytest.fixture
def ada(local: Local) -> Iterator[Device]:
    """Yield a visitor with a table."""
    with Device(local) as visitor:
        yield visitor


def test_a_passkey_makes_any_device_oneself_until_it_is_removed(local: Local, ada: Device) -> None:
    path = ada.table("me", "open", "open")
    passkey = Authenticator(local.address)
    options = ada.request_options("/me/passkeys/offer")
    assert options["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }
    assert ada.add(passkey, "  Ada’s <b>telephone</b> ").status_code == 303
    page = ada.get("/me/passkeys").text
    assert "Ada’s &lt;b&gt;telephone&lt;/b&gt;" in page
    assert "Not used yet." in page
    again = ada.request_options("/me/passkeys/offer")["excludeCredentials"]
    assert [content(credential["id"]) for credential in again] == [passkey.id]
    with Device(local) as telephone:
        assert telephone.come_in(passkey).status_code == 303
        assert telephone.state(path)["seat"] == ada.state(path)["seat"] == 0
    assert "Last used" in ada.get("/me/passkeys").text
    kept = ada.get("/me/export").json()["passkeys"]
    assert [entry["name"] for entry in kept] == ["Ada’s <b>telephone</b>"]
    match = re.search(r'name="passkey" value="([^"]+)"', ada.get("/me/passkeys").text)
    assert match
    with Device(local) as eve:
        eve.table("me", "open", "open", name="Eve")
        assert eve.submit("/me/passkeys/remove", passkey=match.group(1)).status_code == 404, "hers it is not"
    assert ada.submit("/me/passkeys/remove", passkey=match.group(1)).status_code == 303
    with Device(local) as telephone:
        assert telephone.come_in(passkey).status_code == 404
        assert telephone.state(path)["seat"] is None


def test_a_passkey_merges_nobody(local: Local, ada: Device) -> None:
    path = ada.table("me", "open", "open")
    desk = Authenticator(local.address)
    ada.add(desk)
    with Device(local) as telephone:
        own = telephone.table("me", "open", "bot:random", name="Bo")
        refused = telephone.come_in(desk, merge="on")
        assert refused.status_code == 409
        assert "signed in here as Bo" in refused.text
        assert "data-passkey=" not in telephone.get("/device").text
        assert telephone.state(path)["seat"] is None
        assert ada.state(own)["seat"] is None


def test_what_was_signed_is_good_once_here_and_for_this_session(local: Local, ada: Device) -> None:
    path = ada.table("me", "open", "open")
    passkey = Authenticator(local.address)
    ada.add(passkey)

    def refused(eve: Device, answer: str) -> None:
        answer_page = eve.submit("/device", passkey=answer)
        assert answer_page.status_code == 404
        assert "Passkey not recognised" in answer_page.text
        assert eve.state(path)["seat"] is None

    with Device(local, address=FAR) as eve, Device(local, address=FAR) as other:
        used = passkey.sign(eve.request_options("/device/passkey"))
        refused(other, used)  # it was asked for by another session
        other.request_options("/device/passkey")
        refused(other, used)
        assert eve.submit("/device", passkey=used).status_code == 303
    with Device(local, address=FAR) as eve:
        refused(eve, used)  # replayed
        options = eve.request_options("/device/passkey")
        refused(eve, used)
        refused(eve, passkey.sign(options))  # its challenge went with the try before
        older = eve.request_options("/device/passkey")
        eve.request_options("/device/passkey")
        refused(eve, passkey.sign(older))
    with Device(local, address=FAR) as eve:
        passkey.count = 0
        refused(eve, passkey.sign(eve.request_options("/device/passkey")))  # a copy has signed less often
        passkey.count += 10
        for origin, name in (
            ("https://elsewhere.example", "localhost"),
            (local.address, "elsewhere.example"),
            (local.address.replace("localhost", "127.0.0.1"), "localhost"),
        ):
            passkey.origin, passkey.name = origin, name
            refused(eve, passkey.sign(eve.request_options("/device/passkey")))
        stranger = Authenticator(local.address)
        refused(eve, stranger.sign(eve.request_options("/device/passkey")))
        stranger.id = passkey.id  # another's name under one's own signature
        refused(eve, stranger.sign(eve.request_options("/device/passkey")))


def test_nothing_is_kept_that_was_not_made_here_for_this_person(local: Local, ada: Device) -> None:
    ada.table("me", "open", "open")
    for origin, name in (("https://elsewhere.example", "localhost"), (local.address, "elsewhere.example")):
        assert ada.add(Authenticator(origin, name)).status_code == 422
    passkey = Authenticator(local.address)
    credential = passkey.make(ada.request_options("/me/passkeys/offer"))
    assert ada.submit("/me/passkeys", name=" ", passkey=credential).status_code == 422
    assert ada.submit("/me/passkeys", name="Telephone", passkey=credential).status_code == 303
    assert ada.submit("/me/passkeys", name="Telephone", passkey=credential).status_code == 422, "once"
    with Device(local) as eve:
        eve.table("me", "open", "open", name="Eve")
        assert eve.add(passkey).status_code == 422, "a credential is one person's"
        foreign = Authenticator(local.address).make(ada.request_options("/me/passkeys/offer"))
        assert eve.submit("/me/passkeys", name="Telephone", passkey=foreign).status_code == 422


def test_who_guesses_is_heard_no_more_and_nobody_keeps_more_than_the_default_limit(
    own_server: Callable[..., Server],
) -> None:
    local = Local(own_server().address.replace("127.0.0.1", "localhost"))
    with Device(local) as ada, Device(local) as eve, Device(local) as telephone:
        ada.table("me", "open", "open")
        passkeys = [Authenticator(local.address) for _ in range(DEFAULT.passkeys)]
        assert [ada.add(passkey).status_code for passkey in passkeys] == [303] * DEFAULT.passkeys
        assert ada.submit("/me/passkeys/offer").status_code == 409
        wrong = [eve.come_in(Authenticator(local.address)).status_code for _ in range(GUESSES_OF_VISITOR + 1)]
        assert wrong == [404] * GUESSES_OF_VISITOR + [429]
        assert eve.come_in(passkeys[0]).status_code == 429
        assert telephone.come_in(passkeys[0]).status_code == 303


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_browsers_keep_no_passkeys_the_page_says_so(server: Server, language: str) -> None:
    """By plain http under a number."""
    with Device(server, language) as ada, Device(server, language) as stranger:
        ada.table("me", "open", "open")
        for visitor, path in ((ada, "/me/passkeys"), (stranger, "/device")):
            page = html.unescape(visitor.get(path).text)
            assert "http://localhost" in page
            assert "data-passkey=" not in page
        for path in ("/me/passkeys/offer", "/device/passkey", "/me/passkeys"):
            assert ada.submit(path, passkey="x", name="x").status_code == 409
        assert stranger.submit("/device", passkey="x").status_code == 409


def by_https(visitor: Device) -> None:
    """A cookie that goes by https alone, taken along by the proxy."""
    visitor.headers["Cookie"] = f"__Host-session={visitor.cookies['__Host-session']}"


def test_behind_a_proxy_devices_know_the_public_name(own_server: Callable[..., Server]) -> None:
    server = own_server("--public-url", "https://games.example.org")
    origin = "https://games.example.org"
    passkey = Authenticator(origin, "games.example.org")
    with Device(server, Origin=origin) as ada, Device(server, Origin=origin) as telephone:
        for visitor in (ada, telephone):
            visitor.get("/")
            by_https(visitor)
        ada.table("me", "open", "open")
        by_https(ada)
        assert ada.request_options("/device/passkey")["rpId"] == "games.example.org"
        assert ada.add(passkey).status_code == 303
        assert telephone.come_in(passkey).status_code == 303
        assert ada.add(Authenticator(server.address, "127.0.0.1")).status_code == 422


def device(page: Page) -> tuple[CDPSession, str]:
    """A device beside a browser, which does whatever it is asked to."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    authenticator = cdp.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return cdp, authenticator["authenticatorId"]


@pytest.mark.browser
def test_made_on_the_desk_and_used_on_the_telephone(person: Person, local: Local, ada: Device) -> None:
    """A passkey that is on all of one's devices."""
    ada.table("me", "open", "open")
    desk, telephone = person(), person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    on_desk, on_telephone = device(desk), device(telephone)
    let_in(desk.context, ada)
    desk.goto(f"{local.address}/preferences")
    desk.get_by_role("link", name="Passkeys").click()
    expect(desk.get_by_text("Your browser doesn’t support passkeys")).to_be_hidden()
    desk.get_by_role("button", name="Add a passkey").click()
    desk.get_by_label("Name").fill("All my devices")
    desk.get_by_role("button", name="Add a passkey").click()
    expect(desk.get_by_text("All my devices")).to_be_visible()
    (credential,) = on_desk[0].send("WebAuthn.getCredentials", {"authenticatorId": on_desk[1]})["credentials"]
    assert credential["isResidentCredential"]
    on_telephone[0].send("WebAuthn.addCredential", {"authenticatorId": on_telephone[1], "credential": credential})

    telephone.goto(f"{local.address}/device")
    telephone.get_by_role("button", name="Use a passkey instead").click()
    expect(telephone.get_by_role("link", name="Ada", exact=True)).to_be_visible()


@pytest.mark.browser
def test_who_has_no_passkey_here_is_told_and_can_type_a_code(person: Person, local: Local) -> None:
    page = person()
    device(page)
    page.goto(f"{local.address}/device")
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page.get_by_text("The passkey could not be created.")).to_be_visible()
    expect(page.get_by_label("Code")).to_be_visible()
