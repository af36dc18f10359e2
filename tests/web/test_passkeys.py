"""Check passkeys from outside, with replayed and forged answers, and in Chromium with a virtual authenticator."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import CDPSession, Page, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.live.device_codes import GUESSES_OF_VISITOR
from spieltisch.live.limits import DEFAULT
from tests.sentences import sentence_after, template_after
from tests.web.authenticator import Authenticator, content
from tests.web.conftest import Person
from tests.web.passkey_visitors import Device, Local
from tests.web.servers import PUBLIC, Server
from tests.web.visitors import let_in

NOT_USED = sentence_after("web/templates/passkeys.html", ", time=moment(passkey.used)) }}{% else %}")
LAST_USED = template_after("web/templates/passkeys.html", "{% if passkey.used %}").text.partition("{time}")[0]
NOT_RECOGNISED = sentence_after("live/passkeys.py", "def no_passkey")

FAR = "127.0.0.7"
"""From where wrong answers come: they are counted, and others guess from nearer."""


@pytest.fixture
def localhost_server(server: Server) -> Local:
    return Local(server.address.replace("127.0.0.1", "localhost"))


@pytest.fixture
def ada(localhost_server: Local) -> Iterator[Device]:
    """Yield a visitor with a table."""
    with Device(localhost_server) as visitor:
        yield visitor


def test_a_passkey_signs_in_any_device_until_it_is_removed(localhost_server: Local, ada: Device) -> None:
    path = ada.table("me", "open", "open")
    passkey = Authenticator(localhost_server.address)
    options = ada.request_options("/me/passkeys/offer")
    assert options["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }
    assert ada.add(passkey, "  Ada’s <b>telephone</b> ").status_code == 303
    page = ada.get("/me/passkeys").text
    assert "Ada’s &lt;b&gt;telephone&lt;/b&gt;" in page
    assert NOT_USED in page
    excluded_passkeys = ada.request_options("/me/passkeys/offer")["excludeCredentials"]
    assert [content(credential["id"]) for credential in excluded_passkeys] == [passkey.id]
    with Device(localhost_server) as telephone:
        assert telephone.come_in(passkey).status_code == 303
        assert telephone.state(path)["seat"] == ada.state(path)["seat"] == 0
    assert LAST_USED in ada.get("/me/passkeys").text
    exported_passkeys = ada.get("/me/export").json()["passkeys"]
    assert [entry["name"] for entry in exported_passkeys] == ["Ada’s <b>telephone</b>"]
    match = re.search(r'name="passkey" value="([^"]+)"', ada.get("/me/passkeys").text)
    assert match
    with Device(localhost_server) as eve:
        eve.table("me", "open", "open", name="Eve")
        assert eve.submit("/me/passkeys/remove", passkey=match.group(1)).status_code == 404, "hers it is not"
    assert ada.submit("/me/passkeys/remove", passkey=match.group(1)).status_code == 303
    with Device(localhost_server) as telephone:
        assert telephone.come_in(passkey).status_code == 404
        assert telephone.state(path)["seat"] is None


def test_a_passkey_never_merges_two_identities(localhost_server: Local, ada: Device) -> None:
    path = ada.table("me", "open", "open")
    desk = Authenticator(localhost_server.address)
    ada.add(desk)
    with Device(localhost_server) as telephone:
        own_table = telephone.table("me", "open", "bot:random", name="Bo")
        refusal = telephone.come_in(desk, merge="on")
        assert refusal.status_code == 409
        assert "signed in here as Bo" in refusal.text
        assert "data-passkey-method=" not in telephone.get("/device").text
        assert telephone.state(path)["seat"] is None
        assert ada.state(own_table)["seat"] is None


def test_a_signed_passkey_challenge_is_accepted_once_on_this_site_in_this_session(
    localhost_server: Local, ada: Device
) -> None:
    path = ada.table("me", "open", "open")
    passkey = Authenticator(localhost_server.address)
    ada.add(passkey)

    def expect_refusal(eve: Device, answer: str) -> None:
        answer_page = eve.submit("/device", passkey=answer)
        assert answer_page.status_code == 404
        assert NOT_RECOGNISED in answer_page.text
        assert eve.state(path)["seat"] is None

    with Device(localhost_server, address=FAR) as eve, Device(localhost_server, address=FAR) as other_device:
        used_passkey = passkey.sign(eve.request_options("/device/passkey"))
        expect_refusal(other_device, used_passkey)  # it was asked for by another session
        other_device.request_options("/device/passkey")
        expect_refusal(other_device, used_passkey)
        assert eve.submit("/device", passkey=used_passkey).status_code == 303
    with Device(localhost_server, address=FAR) as eve:
        expect_refusal(eve, used_passkey)  # replayed
        eve.request_options("/device/passkey")
        expect_refusal(eve, used_passkey)
    with Device(localhost_server, address=FAR) as eve:
        passkey.count = 0
        expect_refusal(eve, passkey.sign(eve.request_options("/device/passkey")))  # a copy has signed less often
        passkey.count += 10
        for origin, name in (
            ("https://elsewhere.example", "localhost"),
            (localhost_server.address, "elsewhere.example"),
            (localhost_server.address.replace("localhost", "127.0.0.1"), "localhost"),
        ):
            passkey.origin, passkey.name = origin, name
            expect_refusal(eve, passkey.sign(eve.request_options("/device/passkey")))
        stranger = Authenticator(localhost_server.address)
        expect_refusal(eve, stranger.sign(eve.request_options("/device/passkey")))
        stranger.id = passkey.id  # another's name under one's own signature
        expect_refusal(eve, stranger.sign(eve.request_options("/device/passkey")))


def test_a_passkey_made_for_another_site_or_person_is_not_stored(localhost_server: Local, ada: Device) -> None:
    ada.table("me", "open", "open")
    for origin, name in (("https://elsewhere.example", "localhost"), (localhost_server.address, "elsewhere.example")):
        assert ada.add(Authenticator(origin, name)).status_code == 422
    passkey = Authenticator(localhost_server.address)
    credential = passkey.make(ada.request_options("/me/passkeys/offer"))
    assert ada.submit("/me/passkeys", name=" ", passkey=credential).status_code == 422
    assert ada.submit("/me/passkeys", name="Telephone", passkey=credential).status_code == 303
    assert ada.submit("/me/passkeys", name="Telephone", passkey=credential).status_code == 422, "once"
    with Device(localhost_server) as eve:
        eve.table("me", "open", "open", name="Eve")
        assert eve.add(passkey).status_code == 422, "a credential is one person's"
        foreign = Authenticator(localhost_server.address).make(ada.request_options("/me/passkeys/offer"))
        assert eve.submit("/me/passkeys", name="Telephone", passkey=foreign).status_code == 422


def test_passkey_guesses_and_stored_passkeys_are_limited(localhost_server: Local) -> None:
    with (
        Device(localhost_server) as ada,
        Device(localhost_server, address="127.0.0.8") as eve,
        Device(localhost_server) as telephone,
    ):
        ada.table("me", "open", "open")
        passkeys = [Authenticator(localhost_server.address) for _ in range(DEFAULT.passkeys)]
        assert [ada.add(passkey).status_code for passkey in passkeys] == [303] * DEFAULT.passkeys
        assert ada.submit("/me/passkeys/offer").status_code == 409
        wrong_responses = [
            eve.come_in(Authenticator(localhost_server.address)).status_code for _ in range(GUESSES_OF_VISITOR + 1)
        ]
        assert wrong_responses == [404] * GUESSES_OF_VISITOR + [429]
        assert eve.come_in(passkeys[0]).status_code == 429
        assert telephone.come_in(passkeys[0]).status_code == 303


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_where_browsers_store_no_passkeys(server: Server, language: str) -> None:
    """Browsers store no passkeys for plain http or for a numeric address."""
    with Device(server, language) as ada, Device(server, language) as stranger:
        ada.table("me", "open", "open")
        for visitor, path in ((ada, "/me/passkeys"), (stranger, "/device")):
            page = html.unescape(visitor.get(path).text)
            assert "http://localhost" in page
            assert "data-passkey-method=" not in page
        for path in ("/me/passkeys/offer", "/device/passkey", "/me/passkeys"):
            assert ada.submit(path, passkey="x", name="x").status_code == 409
        assert stranger.submit("/device", passkey="x").status_code == 409


def by_https(visitor: Device) -> None:
    """Send the secure session cookie with every request, as through the proxy."""
    visitor.headers["Cookie"] = f"__Host-session={visitor.cookies['__Host-session']}"


def test_behind_a_proxy_passkeys_belong_to_the_public_host_name(proxied_server: Server) -> None:
    passkey = Authenticator(PUBLIC, "games.example.org")
    with Device(proxied_server, Origin=PUBLIC) as ada, Device(proxied_server, Origin=PUBLIC) as telephone:
        for visitor in (ada, telephone):
            visitor.get("/")
            by_https(visitor)
        ada.table("me", "open", "open")
        by_https(ada)
        assert ada.request_options("/device/passkey")["rpId"] == "games.example.org"
        assert ada.add(passkey).status_code == 303
        assert telephone.come_in(passkey).status_code == 303
        assert ada.add(Authenticator(proxied_server.address, "127.0.0.1")).status_code == 422


def device(page: Page) -> tuple[CDPSession, str]:
    """Add a virtual authenticator to the browser, and return its session and id."""
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
def test_a_passkey_made_on_a_desktop_signs_in_on_a_phone(
    open_page: Person, localhost_server: Local, ada: Device
) -> None:
    """The passkey is copied to all devices of its owner, as browsers do."""
    ada.table("me", "open", "open")
    desk, telephone = open_page(), open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    on_desk, on_telephone = device(desk), device(telephone)
    let_in(desk.context, ada)
    desk.goto(f"{localhost_server.address}/preferences")
    desk.locator('main a[href="/me/passkeys"]').click()
    expect(desk.locator("[data-failed-text]")).to_be_hidden()
    desk.locator('[data-passkey-method="create"]').click()
    desk.locator("main input[name=name]").fill("All my devices")
    desk.locator('[data-passkey-method="create"]').click()
    expect(desk.get_by_text("All my devices")).to_be_visible()
    (credential,) = on_desk[0].send("WebAuthn.getCredentials", {"authenticatorId": on_desk[1]})["credentials"]
    assert credential["isResidentCredential"]
    on_telephone[0].send("WebAuthn.addCredential", {"authenticatorId": on_telephone[1], "credential": credential})

    telephone.goto(f"{localhost_server.address}/device")
    telephone.locator('[data-passkey-method="get"]').click()
    expect(telephone.get_by_role("link", name="Ada", exact=True)).to_be_visible()


@pytest.mark.browser
def test_a_device_without_a_passkey_gets_a_message_and_can_use_a_code(
    open_page: Person, localhost_server: Local
) -> None:
    page = open_page()
    device(page)
    page.goto(f"{localhost_server.address}/device")
    page.locator('[data-passkey-method="get"]').click()
    expect(page.get_by_text(sentence_after("web/templates/passkey_hint.html", "data-failed-text="))).to_be_visible()
    expect(page.locator("main input[name=code]")).to_be_visible()
