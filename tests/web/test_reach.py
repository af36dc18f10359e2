"""How far an invitation reaches: said beside it, and changed by nobody but who sits at the machine of the server."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.web.http import reach
from spieltisch.web.http.reach import Reach
from spieltisch.web.pages.qr import qr_code
from tests.web.conftest import Person, Server, ServerEnded, Visitor, let_in
from tests.web.screens import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.terminator import Terminator
from tests.web.test_network import elsewhere

Start = Callable[..., Server]
JSON = {"Accept": "application/json"}
ONLY_HERE = {
    "en": ("This server can be reached only from this machine", "Open to my network", "Close it again"),
    "de": ("Diesen Server erreicht nur dieser Rechner", "Für mein Netz öffnen", "Wieder schließen"),
    "fr": ("Ce serveur n’est accessible que depuis cette machine", "Ouvrir à mon réseau", "Refermer"),
    "nl": ("Deze server is alleen vanaf deze computer te bereiken", "Openen voor mijn netwerk", "Weer sluiten"),
}


def outside(server: Server) -> str:
    """Where a friend in the network finds this server once it is open."""
    return f"http://{elsewhere()}:{server.address.rpartition(':')[2]}"


def reaches(address: str) -> bool:
    """Whether a friend gets through."""
    try:
        return httpx.get(f"{address}/health", timeout=10).status_code == 200
    except httpx.ConnectError:
        return False


def to_doorstep(visitor: Visitor, wish: str, back: str = "/") -> str:
    """Click; returns the address that the browser is sent to."""
    answer = visitor.submit(f"/network/{wish}", back=back)
    found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', answer.text)
    assert found, answer.text
    return found.group(1)


def click(visitor: Visitor, wish: str, back: str = "/") -> httpx.Response:
    """Click, and go where the browser is sent, with the cookies it has for this machine."""
    return httpx.get(to_doorstep(visitor, wish, back), cookies=dict(visitor.cookies), headers=JSON)


def links(visitor: Visitor, path: str) -> list[str]:
    return re.findall(r'href="([^"]*/join/[^"]+)"', visitor.get(path).text)


@pytest.fixture
def start(own_server: Start) -> Start:
    """Starts servers that find `elsewhere()` as their address in the network, also where the machine has none."""
    return lambda *options, **settings: own_server("--network-address", elsewhere(), *options, **settings)


def test_an_invitation_bears_the_address_of_the_network_while_it_is_let_in(start: Start) -> None:
    server = start()
    there = outside(server)
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        before = links(ada, path)
        assert [link[:6] for link in before] == ["/join/"] * 3
        seat = before[-1]
        assert ONLY_HERE["en"][0] in ada.get(path).text
        assert ada.get(f"{seat}/qr").text == qr_code(server.address + seat)
        assert not reaches(there)
        answer = click(ada, "open", path)
        assert (answer.status_code, answer.headers["location"]) == (303, server.address + path)
        page = ada.get(path).text
        assert ONLY_HERE["en"][0] not in page
        assert f'<b class="address" translate="no">{there}</b>' in page
        assert "the firewall of this machine must let port" in page
        assert links(ada, path) == [there + link for link in before]
        assert f'data-copy="{there}{seat}"' in page
        assert f'data-share="{there}{seat}"' in page
        assert ada.get(f"{seat}/qr").text == qr_code(there + seat)
        ada.submit("/devices")
        assert f"{there}/device?code=" in ada.get("/devices").text
        server.address = there  # as a friend has it
        with Visitor(server) as ben:
            assert ben.submit(seat, name="Ben").status_code == 303
            assert 'class="reach' not in ben.get("/").text, "who does not sit at the machine has no say"
        click(ada, "close", path)
        assert not reaches(there)
        assert links(ada, path) == before[:-1]


def test_a_seat_that_somebody_left_and_a_step_of_the_replay_say_so_too(start: Start) -> None:
    server = start()
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", "bot:random")
        ben.sit(path, "Ben")
        ben.submit(f"{path}/leave")
        said = "leads nowhere on another device"
        for wish, only_here in (("open", True), ("close", False)):
            page = ada.get(path).text
            link = re.search(r'id="seat-1".*?data-copy="([^"]+)"', page, re.S)
            assert link
            assert (said in page, link.group(1).startswith("/join/")) == (only_here, only_here)
            assert 'popovertarget="qr-1"' in page
            base = "" if only_here else outside(server)
            assert f'data-copy="{base}{path}/replay?at=0"' in ada.get(f"{path}/replay?at=0").text
            click(ada, wish)


def test_who_is_there_from_the_network_is_hung_up_on(start: Start) -> None:
    server = start()
    host, _, port = outside(server).removeprefix("http://").rpartition(":")
    with Visitor(server) as ada:
        click(ada, "open")
        with socket.create_connection((host, int(port))) as line, closing(line.makefile("rb")) as heard:
            line.sendall(f"GET /stream?watch=lobby@0 HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            assert b" 200 " in heard.readline()
            with ThreadPoolExecutor(1) as pool:
                rest = pool.submit(_to_the_end, heard.readline)
                click(ada, "close")
                rest.result(timeout=30)
        assert ada.get("/health").status_code == 200


def _to_the_end(read: Callable[[], bytes]) -> None:
    try:
        while read():
            pass
    except ConnectionResetError:
        pass  # which is an end, too


def test_a_server_is_closed_when_it_starts_again(start: Start) -> None:
    server = start()
    with Visitor(server) as ada:
        click(ada, "open")
    port = server.address.rpartition(":")[2]
    assert reaches(outside(server))
    server.stop()
    assert not reaches(outside(start("--port", port)))


def test_it_starts_open_where_that_is_asked_for(start: Start) -> None:
    server = start("--network")
    assert reaches(outside(server))
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link")
        assert links(ada, path)[0].startswith(outside(server))
        assert click(ada, "close").status_code == 303
    assert not reaches(outside(server))
    server.stop()
    assert f"In the same network: {outside(server)}/" in server.log


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--network", "--public-url", "https://games.example.org"], "leave one of them out"),
        (["--network-address", "nowhere"], "give an address of this machine"),
        (["--network-address", "::"], "name the addresses"),
    ],
)
def test_what_cannot_be_together_is_refused(own_server: Start, options: Sequence[str], why: str) -> None:
    with pytest.raises(ServerEnded, match=why):
        own_server(*options)


def test_the_door_holds_there_too(start: Start) -> None:
    server = start("--network", "--limit", "connections=2", "--limit", "all_connections=3")
    host, _, port = outside(server).removeprefix("http://").rpartition(":")
    there, here = (host, int(port)), ("127.0.0.1", int(port))
    with socket.create_connection(there) as one, socket.create_connection(there) as two:
        for line in (one, two):  # these are let in: they are asked what they want, and say it
            line.sendall(f"GET /health HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            assert line.recv(12) == b"HTTP/1.1 200"
        with socket.create_connection(there) as three:
            assert three.recv(12) == b"HTTP/1.1 429"
        two.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 60_000)
        assert b"HTTP/1.1 431" in _everything(two)
        with socket.create_connection(there) as two_again, socket.create_connection(here) as third:
            for line in (two_again, third):
                line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                assert line.recv(12) == b"HTTP/1.1 200"
            with socket.create_connection(here) as fourth:
                assert fourth.recv(12) == b"HTTP/1.1 503", "it counts all together"


def _everything(line: socket.socket) -> bytes:
    said = b""
    try:
        while more := line.recv(65536):
            said += more
    except ConnectionResetError:
        pass  # more was sent than was read
    return said


# --- Who sits at the machine. ---


@pytest.mark.parametrize(
    "forged",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Proto": "http"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "127.0.0.1"},
        {"CF-Connecting-IP": "127.0.0.1"},
        {"Host": "games.example.org"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1.games.example.org:{port}"},
        {"Host": "games.example.org:{port}"},
        {"Host": "ada@127.0.0.1:{port}"},
        {"Host": "[::ffff:127.0.0.1]:{port}"},
        {"Host": "0.0.0.0:{port}"},
        {"Host": "["},
        {"Host": "x" * 2000},
    ],
    ids=str,
)
def test_whoever_comes_in_another_way_may_not(server: Server, forged: dict[str, str]) -> None:
    """Through a proxy, or by a name that somebody else has made lead to this machine."""
    port = server.address.rpartition(":")[2]
    forged = {name: value.format(port=port) for name, value in forged.items()}
    with Visitor(server, **forged) as eve:
        eve.headers["Origin"] = f"http://{forged.get('Host', '127.0.0.1:' + port)}"
        assert "/network/" not in eve.get("/").text
        answer = eve.post("/network/open", data={"token": eve.token()}, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-here")


def test_nobody_from_the_network_may(start: Start) -> None:
    server = start("--network")
    here, server.address = server.address, outside(server)
    for host in (server.address, here, here.replace("127.0.0.1", "localhost")):
        with Visitor(server, Host=host.removeprefix("http://"), Origin=host) as eve:
            for wish in ("close", "open"):
                answer = eve.post(f"/network/{wish}", data={"token": eve.token()}, headers=JSON)
                assert (answer.status_code, answer.json()["code"]) == (403, "not-here")
    assert reaches(server.address)


def test_a_form_of_another_site_opens_nothing(server: Server) -> None:
    with Visitor(server) as ada:
        token = ada.token()
        for headers in ({"Origin": "http://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert ada.post("/network/open", data={"token": token}, headers={**JSON, **headers}).status_code == 403
        assert ada.post("/network/open", data={"token": "0" * 64}, headers=JSON).status_code == 403


def test_who_comes_through_a_tunnel_and_lies_opens_nothing(start: Start) -> None:
    """Nothing in the request tells them from a browser on this machine; but the doorstep they cannot reach."""
    server = start()
    host = server.address.removeprefix("http://")
    with Terminator(https=False) as tunnel:
        tunnel.leads_to = int(host.rpartition(":")[2])
        there, server.address = server.address, f"http://127.0.0.1:{tunnel.port}"
        with Visitor(server, Host=host, Origin=there) as eve:
            ticket = to_doorstep(eve, "open").rpartition("/")[2]
            answer = eve.get(f"/network/{ticket}", headers=JSON)
            assert (answer.status_code, answer.json()["code"]) == (404, "no-page")
    server.address = there
    assert not reaches(outside(server))


def test_a_ticket_is_good_once_and_for_who_asked(start: Start) -> None:
    server = start()
    with Visitor(server) as ada, Visitor(server) as eve:
        ada.get("/")
        step = to_doorstep(eve, "open")
        # Eve sends Ada, who sits at the machine, a link.
        assert httpx.get(step, cookies=dict(ada.cookies)).status_code == 404
        assert httpx.get(step).status_code == 404
        asked = dict(eve.cookies)
        assert httpx.get(step, cookies=asked, headers={"Host": "elsewhere.example"}).status_code == 404
        assert httpx.get(step, cookies=asked, headers={"X-Forwarded-For": "192.0.2.9"}).status_code == 404
        assert httpx.get(f"{step}x", cookies=asked).status_code == 404
        assert not reaches(outside(server))
        assert httpx.get(step, cookies=asked).status_code == 303
        assert reaches(outside(server))
        assert httpx.get(step, cookies=asked).status_code == 404


def test_where_the_address_is_public_nobody_is_asked(own_server: Start) -> None:
    public = "https://games.example.org"
    with Visitor(own_server("--public-url", public), Origin=public) as ada:
        ada.headers["Cookie"] = ada.get("/").headers["set-cookie"].partition(";")[0]
        fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "link", "seat-2": "link"}
        answer = ada.post("/new/paris-connection", data=fields)
        ada.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        path = answer.headers["location"]
        assert "/network/" not in ada.get(path).text
        assert all(link.startswith(f"{public}/join/") for link in links(ada, path))
        assert ada.post("/network/open", data={"token": ada.token()}, headers=JSON).status_code == 403


def test_a_port_that_is_taken_in_the_network_is_named(start: Start) -> None:
    server = start()
    host, _, port = outside(server).removeprefix("http://").rpartition(":")
    with Visitor(server) as ada, socket.create_server((host, int(port))):
        answer = click(ada, "open")
        assert answer.status_code == 409
        assert answer.json()["message"] == f"Port {port} cannot be used in your network."
        assert ONLY_HERE["en"][0] in ada.get("/").text
        click(ada, "close")


OFF_LINE = [
    sys.executable,
    "-c",
    "import sys, pathlib; from spieltisch.web import server; from spieltisch.web.http import reach;"
    "reach.own_addresses = lambda: [];"
    "server.serve(port=0, data=pathlib.Path(sys.argv[1]), open_browser=False, network=True)",
]


def test_a_machine_without_a_network_says_so(own_server: Start) -> None:
    server = own_server(command=OFF_LINE)
    with Visitor(server) as ada:
        page = ada.get(ada.table("me", "link", "link")).text
        assert ONLY_HERE["en"][0] in page
        assert "It has no address in a network now" in page
        assert "/network/open" not in page
        assert click(ada, "open").json()["code"] == "no-network"
    server.stop()
    assert "This machine has no address in a network: nobody else can reach it now." in server.log


def test_who_takes_the_machine_to_another_network_has_not_let_that_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listening:
        def __init__(self) -> None:
            self.hung_up: list[str] = []

        async def listen(self, host: str, port: int) -> asyncio.Server:
            return await asyncio.start_server(lambda *_: None, host, port)

        def hang_up(self, host: str) -> None:
            self.hung_up.append(host)

    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            found = Reach("127.0.0.1", listening.getsockname()[1], given=["127.0.0.2"])
            found.listener = listener = Listening()
            await found.open()
            assert not found.place(found.here, at_machine=True).only_here
            monkeypatch.setattr(reach, "_is_ours", lambda address: False)
            assert found.place(found.here, at_machine=True).only_here
            assert listener.hung_up == ["127.0.0.2"]
            with pytest.raises(OSError, match="Connect"):
                await asyncio.open_connection("127.0.0.2", listening.getsockname()[1])

    asyncio.run(main())


# --- What people see. ---


@pytest.mark.browser
@pytest.mark.parametrize("language", ONLY_HERE)
def test_one_click_opens_and_one_closes(start: Start, person: Person, language: str) -> None:
    only_here, opens, closes = ONLY_HERE[language]
    server = start()
    with Visitor(server, language) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = person(viewport=DESK, bypass_csp=True)
        let_in(page.context, ada)
        other = page.context.new_page()
        for one in (page, other):
            one.goto(server.address + path)
            expect(one.locator("#prompt .reach")).to_contain_text(only_here)
        page.locator("#prompt").get_by_role("button", name=opens).click()
        expect(page.locator("#prompt .reach")).to_contain_text(outside(server))
        assert page.url == server.address + path
        expect(page.locator("#prompt .reach")).not_to_contain_text(only_here)
        expect(other.locator("#prompt .reach"), "another tab learns of it").to_contain_text(outside(server))
        expect(page.locator(".seats a.link").first).to_have_attribute("href", re.compile(f"^{outside(server)}/join/"))
        page.locator("#prompt").get_by_role("button", name=closes).click()
        expect(page.locator("#prompt .reach")).to_contain_text(only_here)


@pytest.mark.browser
def test_a_picture_stands_beside_every_invitation(server: Server, person: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "link", "link", watch="link")
        page = person(viewport=DESK, bypass_csp=True)
        let_in(page.context, ada)
        page.goto(server.address + path)
        page.locator("#menu summary").click()
        for name in ("watch", "1", "2"):
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
        expect(page.locator(".seats [data-do=copy]").first).to_be_visible()
        expect(page.locator(".seats [data-do=share]").first).to_be_hidden()
        page = opened(
            person, ada, path, "window.shared = []; navigator.share = async (what) => window.shared.push(what.url)"
        )
        page.locator(".seats [data-do=share]").first.click()
        assert page.evaluate("window.shared") == [server.address + links(ada, path)[1]]
        ada.submit("/devices")
        page.goto(f"{server.address}/devices")
        page.locator("[data-do=share]").click()
        assert "/device?code=" in page.evaluate("window.shared")[0]


@pytest.mark.browser
def test_without_script_there_are_pictures_and_the_click(start: Start, person: Person) -> None:
    server = start()
    with Visitor(server) as ada:
        page = opened(person, ada, ada.table("me", "link", "link"), java_script_enabled=False)
        for dead in ("copy", "share"):
            expect(page.locator(f".seats [data-do={dead}]").first).to_be_hidden()
        page.locator("[popovertarget=qr-1]").first.click()
        expect(page.locator("#qr-1 img")).to_be_visible()
        page.locator("#qr-1 .button").click()
        page.locator("#prompt .reach button").click()
        expect(page.locator("#prompt .reach")).to_contain_text(outside(server))
