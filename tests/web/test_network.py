"""Check access over the network: by http locally, and by https through a proxy."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
import segno
from playwright.sync_api import Browser, BrowserContext, Page, expect

from spieltisch.commit import version_text
from spieltisch.web.http.addresses import BadAddress, public_address, startup_lines
from tests.browsers import launch
from tests.web.conftest import wait_for_true
from tests.web.servers import PUBLIC, SERVE, Server, ServerEnded, network_host
from tests.web.tls_proxy import Terminator
from tests.web.visitors import Visitor

Start = Callable[..., Server]
NAME = "spieltisch.test"
"""A name that Chromium is told to find on this machine: no browser trusts it as it trusts "localhost"."""
SHOWN = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
"""The two modules of a QR code that a half block shows, where 1 is dark."""


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("", ""),
        ("https://games.example.org", "https://games.example.org"),
        ("HTTPS://Games.Example.ORG/", "https://games.example.org"),
        ("https://games.example.org:443", "https://games.example.org"),
        ("http://games.example.org:80/", "http://games.example.org"),
        ("https://games.example.org:8443", "https://games.example.org:8443"),
        ("http://[::1]:8889/", "http://[::1]:8889"),
        ("https://spieltisch-köln.example", "https://xn--spieltisch-kln-6pb.example"),
    ],
)
def test_a_public_url_is_normalised_to_the_origin_that_browsers_send(typed: str, origin: str) -> None:
    assert public_address(typed) == origin


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("games.example.org", "it must begin with https:// or http://"),
        ("ftp://games.example.org", "it must begin with https:// or http://"),
        ("https://", "it must begin with https:// or http://"),
        ("https://games.example.org/?a=1", "end with its path"),
        ("https://ada:secret@games.example.org", "no names or passwords"),
        ("https://games.example.org:123456", "Port out of range"),
        ("https://games..org", "give an address such as"),
    ],
)
def test_an_invalid_public_url_is_refused(typed: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why):
        public_address(typed)


def test_the_server_does_not_start_with_an_invalid_public_url(own_server: Start) -> None:
    with pytest.raises(ServerEnded, match=r"^spieltisch: --public-url games.example.org: it must begin with"):
        own_server("--public-url", "games.example.org")


def test_the_start_message_lists_the_addresses_of_the_server() -> None:
    local, network, public = "http://127.0.0.1:8889", "http://192.0.2.7:8889", "https://games.example.org"
    start = f"Spieltisch {version_text()} is at"
    first = f"{start} {local}/"
    network_hint = "Friends on your network: start with spieltisch serve --network"
    assert startup_lines(local, "", "", wide=False) == ([first, network_hint], "")
    for name in ("http://localhost:8889", "http://[::1]:8889"):
        assert startup_lines(name, "", "", wide=False) == ([f"{start} {name}/", network_hint], "")
    assert startup_lines(local, network, "", wide=True) == ([first, f"In the same network: {network}/"], f"{network}/")
    assert startup_lines(network, "", "", wide=False) == (
        [f"{start} {network}/"],
        f"{network}/",
    )
    lines, shared = startup_lines(local, "", public, wide=False)
    assert (lines, shared) == (
        [f"{start} {public}/", f"It listens on {local}/"],
        f"{public}/",
    )
    lines, shared = startup_lines(local, "", "", wide=True)
    assert "nobody else can reach it" in lines[1]
    assert shared == ""


def on_a_terminal(*words: str) -> str:
    """Return the output of `spieltisch` on a terminal, until it is complete."""
    terminal, its_end = os.openpty()
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen([*SERVE, *words], stdin=its_end, stdout=its_end, stderr=its_end, env=environment)
    os.close(its_end)
    output = b""
    while output.count(b"\x1b[0m") < 4 or not output.endswith(b"\x1b[0m\r\n") or output.count("▀".encode()) < 33:
        output += os.read(terminal, 65536)
    process.terminate()
    try:
        while received_bytes := os.read(terminal, 65536):
            output += received_bytes
    except OSError:
        pass  # a terminal whose other side is closed says so in this way
    os.close(terminal)
    assert process.wait(timeout=30) == 0
    return output.decode()


def has_pseudo_terminals() -> bool:
    try:
        for side in os.openpty():
            os.close(side)
    except (AttributeError, OSError):  # Windows has no such call, a bare root no devices
        return False
    return True


@pytest.mark.skipif(not has_pseudo_terminals(), reason="this machine has no pseudo-terminals")
def test_the_start_message_in_a_terminal_has_a_qr_code(tmp_path: Path) -> None:
    text = on_a_terminal(str(tmp_path), "--public-url", "https://games.example.org")
    lines = re.findall("\x1b\\[97;40m(.*?)\x1b\\[0m", text)
    shown_matrix = [[SHOWN[letter][half_of_block] for letter in line] for line in lines for half_of_block in (0, 1)]
    code = segno.make("https://games.example.org/", micro=False)
    border = code.default_border_size
    expected_matrix = [list(row) for row in code.matrix]
    width = len(expected_matrix)
    assert [row[border : border + width] for row in shown_matrix[border : border + width]] == expected_matrix
    assert not any(sum(row[:border]) for row in shown_matrix[:width]), "a quiet edge around it"


def test_the_start_message_in_a_log_has_no_qr_code(network_server: Server) -> None:
    assert "In the same network: http://" in network_server.log
    assert "█" not in network_server.log


class NetworkAddress(NamedTuple):
    """A server under its address in the network."""

    address: str


@pytest.fixture
def network_address(network_server: Server) -> NetworkAddress:
    return NetworkAddress(network_server.address.replace("127.0.0.1", network_host()))


def test_devices_on_the_local_network_can_play_over_http(network_address: NetworkAddress) -> None:
    with Visitor(network_address) as ada, Visitor(network_address) as ben, Visitor(network_address) as cid:
        path = ada.table("me", "open", "open")
        assert [ben.sit(path, "Ben").status_code, cid.sit(path, "Cid").status_code] == [303, 303]
        assert ada.cookies.get("session")
        before = ada.state(path)
        watch_query = {"watch": f"{path.rpartition('/')[2]}@{before['version']}"}
        with ThreadPoolExecutor(1) as pool, ben.stream("GET", "/stream", params=watch_query) as stream:
            assert stream.headers["x-accel-buffering"] == "no"
            lines = stream.iter_lines()
            first_event = pool.submit(lambda: next(line for line in lines if line.startswith("id: ")))
            deciding_visitor = [ada, ben, cid][before["to_decide"]]
            assert deciding_visitor.play(path, deciding_visitor.state(path)["moves"][0]).status_code == 200
            assert first_event.result(timeout=30) == f"id: {path.rpartition('/')[2]}@{before['version'] + 1}"
        form = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
        answer = ada.post("/new/paris-connection", data=form, headers={"Origin": "http://elsewhere.example"})
        assert answer.status_code == 403


@pytest.fixture
def network_browser(chromium: Browser) -> Iterator[BrowserContext]:
    """Launch a browser that resolves `NAME` as this machine and accepts its certificate."""
    started_browser = launch(chromium.browser_type, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")
    context = started_browser.new_context(ignore_https_errors=True, locale="en")
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    # Chromium remarks by http that it leaves this header out of account, as it should.
    context.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type == "error" and not message.text.startswith("The Cross-Origin-Opener-Policy header")
            else None
        ),
    )
    yield context
    started_browser.close()
    assert complaints == []


def play_a_move(page: Page, address: str) -> None:
    """Open a table with two bots, play a move, and wait until the page shows it."""
    page.goto(f"{address}/new/paris-connection")
    page.fill("#name", "Ada")
    page.locator("#table-options > summary").click()
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.locator("main .actions .button.primary").click()
    page.wait_for_url("**/table/*")
    option = page.locator("#choices .choice-list button:not(.blocked-choice)").first
    expect(option).to_be_visible(timeout=30_000)  # the bots may begin, and are pushed
    before = int(page.locator("#live-part").get_attribute("data-version") or 0)
    while page.locator("#live-part").get_attribute("data-version") == str(before):
        chosen_button = page.locator("#choices .choice-list button:not(.blocked-choice), #confirm-button button").first
        chosen_button.click()
        wait_for_true(
            page,
            """before => Number(document.getElementById('live-part').dataset.version) > before
                || document.querySelector(
                    '#choices .choice-list button:not(.blocked-choice), #confirm-button button')""",
            before,
        )


@pytest.mark.browser
def test_a_browser_on_the_local_network_plays_over_http(own_server: Start, network_browser: BrowserContext) -> None:
    port = own_server("--host", "0.0.0.0").address.rpartition(":")[2]  # noqa: S104  # as a person does
    page = network_browser.new_page()
    play_a_move(page, f"http://{NAME}:{port}")
    assert page.evaluate("window.isSecureContext") is False
    assert [(cookie["name"], cookie["secure"]) for cookie in network_browser.cookies()] == [
        ("session", False),
        ("level-paris-connection", False),
    ]


@pytest.mark.browser
def test_a_remote_browser_plays_over_https_through_a_proxy(own_server: Start, network_browser: BrowserContext) -> None:
    with Terminator() as proxy:
        address = f"https://{NAME}:{proxy.port}"
        proxy.leads_to = int(own_server("--public-url", address).address.rpartition(":")[2])
        page = network_browser.new_page()
        play_a_move(page, address)
        assert page.evaluate("window.isSecureContext") is True
        cookies = network_browser.cookies()
        assert [(cookie["name"], cookie["secure"]) for cookie in cookies] == [
            ("__Host-session", True),
            ("__Host-level-paris-connection", True),
        ]
        network_browser.close()


PROXIED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "games.example.org"}


def test_forwarded_requests_must_match_the_public_url(proxied_server: Server) -> None:
    # A proxy may keep the Host that the browser sent, or put its own name for the server there.
    for host in ("games.example.org", "127.0.0.1:8889"):
        with Visitor(proxied_server, **PROXIED, Host=host, Origin=PUBLIC) as ada:
            page = ada.get("/")
            name, _, text_after = page.headers["set-cookie"].partition("=")
            assert name == "__Host-session"
            assert "Domain" not in text_after, "else the browser would not take it"
            ada.headers["Cookie"] = f"{name}={text_after.partition(';')[0]}"
            assert proxied_server.address not in page.text
            fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
            answer = ada.post("/new/paris-connection", data=fields)
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/table/")
            for origin in (
                "http://games.example.org",
                proxied_server.address,
                "https://games.example.org:8443",
                "null",
            ):
                refusal = ada.post("/new/paris-connection", data=fields, headers={"Origin": origin})
                assert refusal.status_code == 403, origin
            stream = ada.stream("GET", "/stream", params={"watch": "lobby@0"})
            with stream as lines:
                assert lines.headers["x-accel-buffering"] == "no"
                assert lines.headers["cache-control"] == "no-store"
                assert "content-length" not in lines.headers


def test_forwarded_headers_are_ignored_without_a_public_url(network_address: NetworkAddress) -> None:
    with Visitor(network_address, **PROXIED) as ada:
        assert ada.get("/").headers["set-cookie"].startswith("session=")
        assert ada.table("me", "open", "open").startswith("/table/")
        answer = ada.post(
            "/new/paris-connection", data={"token": ada.token()}, headers={"Origin": "https://games.example.org"}
        )
        assert answer.status_code == 403
