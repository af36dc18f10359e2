"""Check access from this machine only or from the network, and what invitations say about it."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Sequence

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.web.pages.qr import qr_code
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.servers import IN_NETWORK, PUBLIC, Server, ServerEnded, network_host
from tests.web.visitors import Visitor, let_in

Start = Callable[..., Server]
LOCAL_ONLY_NOTICE = sentence_after("web/templates/share_macros.html", "{% macro local_only() %}", command="")
LOCAL_ONLY_TAG = sentence_after("web/templates/replaceable_seats.html", "{%- if share.is_local_only %}")
LOCAL_ONLY = {
    "en": LOCAL_ONLY_NOTICE.partition(",")[0],
    "de": "Der Server ist nur von diesem Computer aus erreichbar",
    "fr": "Le serveur n’est accessible que depuis cet ordinateur",
    "nl": "De server is alleen op deze computer bereikbaar",
}


def outside(server: Server) -> str:
    """Return the network address of a server that is open to the network."""
    return f"http://{network_host()}:{server.address.rpartition(':')[2]}"


def reaches(address: str) -> bool:
    """Return True if another device can connect."""
    try:
        return httpx.get(f"{address}/health", timeout=10, verify=False).status_code == 200
    except httpx.ConnectError:
        return False


def links(visitor: Visitor, path: str) -> list[str]:
    return re.findall(r'href="([^"]*/join/[^"]+)"', visitor.get(path).text)


@pytest.mark.parametrize("language", LOCAL_ONLY)
def test_an_invitation_warns_that_its_link_works_only_on_this_computer(server: Server, language: str) -> None:
    with Visitor(server, language) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = ada.get(path).text
        assert LOCAL_ONLY[language] in page
        assert ">spieltisch serve --network</code>" in page
        seat = links(ada, path)[-1]
        assert seat.startswith("/join/")
        assert ada.get(f"{seat}/qr").text == qr_code(server.address + seat)
        assert not reaches(outside(server))


def test_an_invitation_uses_the_network_address(network_server: Server) -> None:
    address = outside(network_server)
    assert reaches(address)
    with Visitor(network_server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = ada.get(path).text
        assert LOCAL_ONLY["en"] not in page
        assert len(links(ada, path)) == 4, "to watch, to the table, to each seat"
        assert all(link.startswith(f"{address}/join/") for link in links(ada, path))
        seat = links(ada, path)[-1].removeprefix(address)
        assert f'data-copy-url="{address}{seat}"' in page
        assert f'data-share-url="{address}{seat}"' in page
        assert ada.get(f"{seat}/qr").text == qr_code(address + seat)
        ada.submit("/devices")
        assert f"{address}/device" in ada.get("/devices").text
        with Visitor(network_server) as ben:
            ben.base_url = ben.headers["Origin"] = address  # as a friend has it
            assert ben.submit(seat, name="Ben").status_code == 303
    assert f"In the same network: {address}/" in network_server.log


@pytest.mark.parametrize("network", [False, True])
def test_links_to_a_vacated_seat_and_a_replay_step_also_warn_that_they_work_only_on_this_computer(
    server: Server, network_server: Server, network: bool
) -> None:
    server = network_server if network else server
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", "bot:random")
        ben.sit(path, "Ben")
        ben.leave(path)
        page = ada.get(path).text
        link = re.search(r'id="seat-1".*?data-copy-url="([^"]+)"', page, re.S)
        assert link
        assert (LOCAL_ONLY_TAG in page, link.group(1).startswith("/join/")) == (not network,) * 2
        assert 'popovertarget="qr-1"' in page
        base = outside(server) if network else ""
        assert f'data-copy-url="{base}{path}/replay?at=0"' in ada.get(f"{path}/replay?at=0").text


@pytest.mark.parametrize("host", ["[", "x" * 2000], ids=("bracket", "long"))
def test_links_never_contain_an_invalid_host_header(server: Server, host: str) -> None:
    with Visitor(server, Host=host) as ada:
        ada.headers["Origin"] = f"http://{host}"
        path = ada.table("me", "link", "link")
        seat = links(ada, path)[-1]
        assert ada.get(f"{seat}/qr").text == qr_code(server.address + seat)


def test_no_request_can_change_the_network_access_of_the_server(server: Server) -> None:
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
def test_contradictory_network_options_are_refused(own_server: Start, options: Sequence[str], why: str) -> None:
    with pytest.raises(ServerEnded, match=why):
        own_server(*options)


def test_connection_limits_also_apply_on_the_network_address(own_server: Start) -> None:
    server = own_server(*IN_NETWORK, "--limit", "connections_per_address=2", "--limit", "total_connections=3")
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
        while received_bytes := line.recv(65536):
            received += received_bytes
    except ConnectionResetError:
        pass  # more was sent than was read
    return received


def test_invitations_use_the_public_url(proxied_server: Server) -> None:
    with Visitor(proxied_server, Origin=PUBLIC) as ada:
        ada.headers["Cookie"] = ada.get("/").headers["set-cookie"].partition(";")[0]
        fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "link", "seat-2": "link"}
        answer = ada.post("/new/paris-connection", data=fields)
        ada.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        assert all(link.startswith(f"{PUBLIC}/join/") for link in links(ada, answer.headers["location"]))


def test_a_network_port_in_use_is_named_in_the_error(own_server: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as own_socket:  # a port that is free there
        port = own_socket.getsockname()[1]
        taken_socket = socket.create_server((network_host(), port))
    with taken_socket, pytest.raises(ServerEnded, match=re.escape(f"{network_host()}:{port}")):
        own_server(*IN_NETWORK, "--port", str(port))


OFFLINE = [
    sys.executable,
    "-c",
    "import sys, pathlib; from spieltisch.web import server;"
    "server.local_addresses = lambda: [];"
    "server.serve(port=0, database=pathlib.Path(sys.argv[1], 'spieltisch.sqlite3'), "
    "open_browser=False, compile_search=False, network=True)",
]


def test_a_server_on_a_machine_without_a_network_logs_that_no_other_device_can_reach_it(own_server: Start) -> None:
    server = own_server(command=OFFLINE)
    with Visitor(server) as ada:
        assert LOCAL_ONLY["en"] in ada.get(ada.table("me", "link", "link")).text
    server.stop()
    assert "This machine has no address in a network: nobody else can reach it now." in server.log


# --- What people see. ---


@pytest.mark.browser
def test_every_invitation_has_a_qr_code(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = open_page(viewport=DESK, bypass_csp=True)
        let_in(page.context, ada)
        page.goto(server.address + path)
        page.locator("#seat-links > summary").click()
        page.locator("#table-menu summary").click()
        for name in ("watch", "table", "1", "2"):
            page.locator(f"[popovertarget=qr-{name}]").first.click()
            qr_code = page.locator(f"#qr-{name}")
            expect(qr_code.locator("img")).to_have_js_property("complete", True)
            assert qr_code.locator("img").evaluate("(image) => image.naturalWidth") > 0
            expect(qr_code).to_contain_text("/join/")
            for screen in on_screens(page, DESK, *PHONES):
                assert (screen, [*findings(page, f"#qr-{name}"), *overlaps(page), *too_wide(page)]) == (screen, [])
            qr_code.get_by_role("button", name="Close").click()
            expect(qr_code).to_be_hidden()
            if name == "watch":
                page.locator("#table-menu summary").click()  # on a phone it lies over the seats


def opened(person: Person, ada: Visitor, path: str, script: str = "", **settings: bool) -> Page:
    page = person(**settings)
    let_in(page.context, ada)
    page.add_init_script(script)
    page.goto(str(ada.base_url.join(path)))
    return page


@pytest.mark.browser
def test_the_system_share_sheet_is_used_where_available(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link")
        page = opened(open_page, ada, path, "delete Navigator.prototype.share")
        page.locator("#seat-links > summary").click()
        expect(page.locator("#seat-links [data-action=copy]").first).to_be_visible()
        expect(page.locator("#seat-links [data-action=share]").first).to_be_hidden()
        page = opened(
            open_page, ada, path, "window.shared = []; navigator.share = async (what) => window.shared.push(what.url)"
        )
        page.locator("#seat-links > summary").click()
        page.locator("#seat-links [data-action=share]").first.click()
        assert page.evaluate("window.shared") == [server.address + links(ada, path)[2]]
        ada.submit("/devices")
        page.goto(f"{server.address}/devices")
        page.locator("[data-action=share]").click()
        assert page.evaluate("window.shared")[-1] == f"{server.address}/device"


@pytest.mark.browser
def test_qr_codes_are_shown_without_a_script(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada:
        page = opened(open_page, ada, ada.table("me", "link", "link"), java_script_enabled=False)
        page.locator("#seat-links > summary").click()
        for dead in ("copy", "share", "invite"):
            expect(page.locator(f"#prompt [data-action={dead}]").first).to_be_hidden()
        expect(page.locator("#invite-links").get_by_role("link", name="Invite link")).to_be_visible()
        page.locator("[popovertarget=qr-1]").first.click()
        expect(page.locator("#qr-1 img")).to_be_visible()
        expect(page.locator("#prompt .local-only-warning").first).to_contain_text("spieltisch serve --network")
