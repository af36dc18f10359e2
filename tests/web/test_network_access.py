"""Access to the server from its own machine only, or from the network too. Invitations say which."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Sequence

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.web.pages.qr import qr_code
from tests.web.conftest import Person, Server, ServerEnded, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.test_network import elsewhere

Start = Callable[..., Server]
LOCAL_ONLY = {
    "en": "Only this computer can reach the server",
    "de": "Der Server ist nur von diesem Computer aus erreichbar",
    "fr": "Le serveur n’est accessible que depuis cet ordinateur",
    "nl": "De server is alleen op deze computer bereikbaar",
}


def outside(server: Server) -> str:
    """Return the address at which a friend in the network finds this server once it is open."""
    return f"http://{elsewhere()}:{server.address.rpartition(':')[2]}"


def reaches(address: str) -> bool:
    """Return True if a friend can connect."""
    try:
        return httpx.get(f"{address}/health", timeout=10, verify=False).status_code == 200
    except httpx.ConnectError:
        return False


def links(visitor: Visitor, path: str) -> list[str]:
    return re.findall(r'href="([^"]*/join/[^"]+)"', visitor.get(path).text)


@pytest.fixture
def start(own_server: Start) -> Start:
    """Starts servers for the network, whose address is `elsewhere()` also where the machine has none."""
    return lambda *options: own_server("--network", "--network-address", elsewhere(), *options)


@pytest.mark.parametrize("language", LOCAL_ONLY)
def test_an_invitation_says_that_it_leads_nowhere_and_what_changes_that(server: Server, language: str) -> None:
    with Visitor(server, language) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = ada.get(path).text
        assert LOCAL_ONLY[language] in page
        assert ">spieltisch serve --network</code>" in page
        seat = links(ada, path)[-1]
        assert seat.startswith("/join/")
        assert ada.get(f"{seat}/qr").text == qr_code(server.address + seat)
        assert not reaches(outside(server))


def test_an_invitation_bears_the_address_of_the_network(start: Start) -> None:
    server = start()
    address = outside(server)
    assert reaches(address)
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = ada.get(path).text
        assert LOCAL_ONLY["en"] not in page
        assert len(links(ada, path)) == 4, "to watch, to the table, to each seat"
        assert all(link.startswith(f"{address}/join/") for link in links(ada, path))
        seat = links(ada, path)[-1].removeprefix(address)
        assert f'data-copy="{address}{seat}"' in page
        assert f'data-share="{address}{seat}"' in page
        assert ada.get(f"{seat}/qr").text == qr_code(address + seat)
        ada.submit("/devices")
        assert f"{address}/device" in ada.get("/devices").text
        server.address = address  # as a friend has it
        with Visitor(server) as ben:
            assert ben.submit(seat, name="Ben").status_code == 303
    server.stop()
    assert f"In the same network: {address}/" in server.log


@pytest.mark.parametrize("network", [False, True])
def test_a_seat_that_somebody_left_and_a_step_of_the_replay_say_so_too(
    server: Server, start: Start, network: bool
) -> None:
    server = start() if network else server
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", "bot:random")
        ben.sit(path, "Ben")
        ben.leave(path)
        page = ada.get(path).text
        link = re.search(r'id="seat-1".*?data-copy="([^"]+)"', page, re.S)
        assert link
        assert ("works only on this computer" in page, link.group(1).startswith("/join/")) == (not network,) * 2
        assert 'popovertarget="qr-1"' in page
        base = outside(server) if network else ""
        assert f'data-copy="{base}{path}/replay?at=0"' in ada.get(f"{path}/replay?at=0").text


@pytest.mark.parametrize("host", ["[", "x" * 2000], ids=("bracket", "long"))
def test_links_never_bear_a_host_that_no_browser_sends(server: Server, host: str) -> None:
    with Visitor(server, Host=host) as ada:
        ada.headers["Origin"] = f"http://{host}"
        path = ada.table("me", "link", "link")
        seat = links(ada, path)[-1]
        assert ada.get(f"{seat}/qr").text == qr_code(server.address + seat)


def test_no_request_opens_the_network(server: Server) -> None:
    with Visitor(server) as ada:
        for path in ("/network/open", "/network/close"):
            assert ada.submit(path).status_code == 404


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--network", "--public-url", "https://games.example.org"], "leave one of them out"),
        (["--network-address", "192.0.2.7"], "--network-address needs --network"),
        (["--network", "--network-address", "nowhere"], "give an address of this machine"),
        (["--network", "--network-address", "::"], "name the addresses"),
    ],
)
def test_what_cannot_be_together_is_refused(own_server: Start, options: Sequence[str], why: str) -> None:
    with pytest.raises(ServerEnded, match=why):
        own_server(*options)


def test_the_door_holds_there_too(start: Start) -> None:
    server = start("--limit", "connections_per_address=2", "--limit", "total_connections=3")
    host, _, port = outside(server).removeprefix("http://").rpartition(":")
    outer, local = (host, int(port)), ("127.0.0.1", int(port))
    with socket.create_connection(outer) as first, socket.create_connection(outer) as second:
        for line in (first, second):  # these are let in: they are asked what they want, and say it
            line.sendall(f"GET /health HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            assert line.recv(12) == b"HTTP/1.1 200"
        with socket.create_connection(outer) as third_connection:
            assert third_connection.recv(12) == b"HTTP/1.1 429"
        second.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 60_000)
        assert b"HTTP/1.1 431" in _everything(second)
        with socket.create_connection(outer) as two_again, socket.create_connection(local) as third:
            for line in (two_again, third):
                line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                assert line.recv(12) == b"HTTP/1.1 200"
            with socket.create_connection(local) as fourth:
                assert fourth.recv(12) == b"HTTP/1.1 503", "it counts all together"


def _everything(line: socket.socket) -> bytes:
    received = b""
    try:
        while more := line.recv(65536):
            received += more
    except ConnectionResetError:
        pass  # more was sent than was read
    return received


def test_where_the_address_is_public_invitations_bear_it(own_server: Start) -> None:
    public = "https://games.example.org"
    with Visitor(own_server("--public-url", public), Origin=public) as ada:
        ada.headers["Cookie"] = ada.get("/").headers["set-cookie"].partition(";")[0]
        fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "link", "seat-2": "link"}
        answer = ada.post("/new/paris-connection", data=fields)
        ada.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        assert all(link.startswith(f"{public}/join/") for link in links(ada, answer.headers["location"]))


def test_a_port_that_is_taken_in_the_network_is_named(start: Start) -> None:
    with socket.create_server((elsewhere(), 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerEnded, match=re.escape(f"{elsewhere()}:{port}")):
            start("--port", str(port))


OFFLINE = [
    sys.executable,
    "-c",
    "import sys, pathlib; from spieltisch.web import server;"
    "server.local_addresses = lambda: [];"
    "server.serve(port=0, data=pathlib.Path(sys.argv[1]), open_browser=False, compile_search=False, network=True)",
]


def test_a_machine_without_a_network_says_so(own_server: Start) -> None:
    server = own_server(command=OFFLINE)
    with Visitor(server) as ada:
        assert LOCAL_ONLY["en"] in ada.get(ada.table("me", "link", "link")).text
    server.stop()
    assert "This machine has no address in a network: nobody else can reach it now." in server.log


# --- What people see. ---


@pytest.mark.browser
def test_a_picture_stands_beside_every_invitation(server: Server, person: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = person(viewport=DESK, bypass_csp=True)
        let_in(page.context, ada)
        page.goto(server.address + path)
        page.locator("#seat-links > summary").click()
        page.locator("#menu summary").click()
        for name in ("watch", "table", "1", "2"):
            page.locator(f"[popovertarget=qr-{name}]").first.click()
            shown = page.locator(f"#qr-{name}")
            expect(shown.locator("img")).to_have_js_property("complete", True)
            assert shown.locator("img").evaluate("(image) => image.naturalWidth") > 0
            expect(shown).to_contain_text("/join/")
            for screen in on_screens(page, DESK, *PHONES):
                assert (screen, [*findings(page, f"#qr-{name}"), *overlaps(page), *too_wide(page)]) == (screen, [])
            shown.get_by_role("button", name="Close").click()
            expect(shown).to_be_hidden()
            if name == "watch":
                page.locator("#menu summary").click()  # on a phone it lies over the seats


def opened(person: Person, ada: Visitor, path: str, script: str = "", **settings: bool) -> Page:
    page = person(**settings)
    let_in(page.context, ada)
    page.add_init_script(script)
    page.goto(str(ada.base_url.join(path)))
    return page


@pytest.mark.browser
def test_the_system_is_asked_to_share_where_it_can(server: Server, person: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link")
        page = opened(person, ada, path, "delete Navigator.prototype.share")
        page.locator("#seat-links > summary").click()
        expect(page.locator("#seat-links [data-do=copy]").first).to_be_visible()
        expect(page.locator("#seat-links [data-do=share]").first).to_be_hidden()
        page = opened(
            person, ada, path, "window.shared = []; navigator.share = async (what) => window.shared.push(what.url)"
        )
        page.locator("#seat-links > summary").click()
        page.locator("#seat-links [data-do=share]").first.click()
        assert page.evaluate("window.shared") == [server.address + links(ada, path)[2]]
        ada.submit("/devices")
        page.goto(f"{server.address}/devices")
        page.locator("[data-do=share]").click()
        assert page.evaluate("window.shared")[-1] == f"{server.address}/device"


@pytest.mark.browser
def test_without_script_there_are_pictures(server: Server, person: Person) -> None:
    with Visitor(server) as ada:
        page = opened(person, ada, ada.table("me", "link", "link"), java_script_enabled=False)
        page.locator("#seat-links > summary").click()
        for dead in ("copy", "share", "invite"):
            expect(page.locator(f"#prompt [data-do={dead}]").first).to_be_hidden()
        expect(page.locator("#invite").get_by_role("link", name="Invite link")).to_be_visible()
        page.locator("[popovertarget=qr-1]").first.click()
        expect(page.locator("#qr-1 img")).to_be_visible()
        expect(page.locator("#prompt .local-only").first).to_contain_text("spieltisch serve --network")
