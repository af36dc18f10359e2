"""Over the network: devices on the local network by http, all others by https through a proxy."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import segno
from playwright.sync_api import Browser, BrowserContext, Page, expect

from spieltisch.web.http.addresses import BadAddress, local_addresses, public_address, startup_lines
from tests.browsers import launch
from tests.web.conftest import SERVE, Server, ServerEnded, Visitor, comes_true
from tests.web.tls_proxy import Terminator

Start = Callable[..., Server]
NAME = "spieltisch.test"
"""A name that Chromium is told to find on this machine: no browser trusts it as it trusts "localhost"."""
SHOWN = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
"""The two modules of a QR code that a half block shows, where 1 is dark."""


def elsewhere() -> str:
    """An address of this machine that is not "localhost": its own in its network, or, without a network, the second
    one of the loopback.
    """
    return next(iter(local_addresses()), "127.0.0.2")


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
def test_a_public_address_is_what_browsers_send(typed: str, origin: str) -> None:
    assert public_address(typed) == origin


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("games.example.org", "must begin with"),
        ("ftp://games.example.org", "must begin with"),
        ("https://", "must begin with"),
        ("https://games.example.org/spieltisch", "without a path"),
        ("https://games.example.org/?a=1", "without a path"),
        ("https://ada:secret@games.example.org", "no names or passwords"),
        ("https://games.example.org:123456", "Port out of range"),
        ("https://games..org", "give an address such as"),
    ],
)
def test_a_public_address_that_cannot_be_one_is_refused(own_server: Start, typed: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why):
        public_address(typed)


def test_a_server_does_not_start_under_such_an_address(own_server: Start) -> None:
    with pytest.raises(ServerEnded, match=r"^spieltisch: --public-url games.example.org: it must begin with"):
        own_server("--public-url", "games.example.org")


def test_what_is_said_about_the_address() -> None:
    local, network, public = "http://127.0.0.1:8889", "http://192.0.2.7:8889", "https://games.example.org"
    first = f"Spieltisch is at {local}/"
    how = "Friends on your network: start with spieltisch serve --network"
    assert startup_lines(local, "", "", wide=False) == ([first, how], "")
    for name in ("http://localhost:8889", "http://[::1]:8889"):
        assert startup_lines(name, "", "", wide=False) == ([f"Spieltisch is at {name}/", how], "")
    assert startup_lines(local, network, "", wide=True) == ([first, f"In the same network: {network}/"], f"{network}/")
    assert startup_lines(network, "", "", wide=False) == ([f"Spieltisch is at {network}/"], f"{network}/")
    lines, shared = startup_lines(local, "", public, wide=False)
    assert (lines, shared) == ([f"Spieltisch is at {public}/", f"It listens on {local}/"], f"{public}/")
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
        while more := os.read(terminal, 65536):
            output += more
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
def test_a_terminal_shows_the_address_as_a_qr_code(tmp_path: Path) -> None:
    text = on_a_terminal(str(tmp_path), "--public-url", "https://games.example.org")
    lines = re.findall("\x1b\\[97;40m(.*?)\x1b\\[0m", text)
    shown = [[SHOWN[letter][half] for letter in line] for line in lines for half in (0, 1)]
    code = segno.make("https://games.example.org/", micro=False)
    border = code.default_border_size
    wanted = [list(row) for row in code.matrix]
    width = len(wanted)
    assert [row[border : border + width] for row in shown[border : border + width]] == wanted
    assert not any(sum(row[:border]) for row in shown[:width]), "a quiet edge around it"


def test_a_log_shows_no_qr_code(own_server: Start) -> None:
    server = own_server("--host", "0.0.0.0")  # noqa: S104  # as a person does
    server.stop()
    assert "In the same network: http://" in server.log or "nobody else can reach it" in server.log
    assert "█" not in server.log


@pytest.fixture
def house(own_server: Start) -> Server:
    """A server for the whole house, under an address that is not localhost."""
    server = own_server("--host", "0.0.0.0")  # noqa: S104  # as a person does
    server.address = server.address.replace("127.0.0.1", elsewhere())
    return server


def test_friends_in_the_same_house_play_by_http(house: Server) -> None:
    with Visitor(house) as ada, Visitor(house) as ben, Visitor(house) as cid:
        path = ada.table("me", "open", "open")
        assert [ben.sit(path, "Ben").status_code, cid.sit(path, "Cid").status_code] == [303, 303]
        assert ada.cookies.get("session")
        before = ada.state(path)
        watched = {"watch": f"{path.rpartition('/')[2]}@{before['version']}"}
        with ThreadPoolExecutor(1) as pool, ben.stream("GET", "/stream", params=watched) as stream:
            assert stream.headers["x-accel-buffering"] == "no"
            lines = stream.iter_lines()
            seen = pool.submit(lambda: next(line for line in lines if line.startswith("id: ")))
            decides = [ada, ben, cid][before["to_decide"]]
            assert decides.play(path, decides.state(path)["moves"][0]).status_code == 200
            assert seen.result(timeout=30) == f"id: {path.rpartition('/')[2]}@{before['version'] + 1}"
        form = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
        answer = ada.post("/new/paris-connection", data=form, headers={"Origin": "http://elsewhere.example"})
        assert answer.status_code == 403


@pytest.fixture
def stranger(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that finds `NAME` on this machine, and does not mind who vouches for it; it must not complain."""
    started = launch(chromium.browser_type, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")
    context = started.new_context(ignore_https_errors=True, locale="en")
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
    started.close()
    assert complaints == []


def play_a_move(page: Page, address: str) -> None:
    """Open a table with two bots, choose a move on its page, and see it pushed."""
    page.goto(f"{address}/new/paris-connection")
    page.fill("#name", "Ada")
    page.locator("#more > summary").click()
    for number, kind in enumerate(("me", "bot:random", "bot:random")):
        page.select_option(f"#seat-{number}", kind)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    option = page.locator("#choices .options button:not(.blocked)").first
    expect(option).to_be_visible(timeout=30_000)  # the bots may begin, and are pushed
    before = int(page.locator("#live").get_attribute("data-version") or 0)
    while page.locator("#live").get_attribute("data-version") == str(before):
        chosen = page.locator("#choices .options button:not(.blocked), #confirm button").first
        chosen.click()
        comes_true(
            page,
            """before => Number(document.getElementById('live').dataset.version) > before
                || document.querySelector('#choices .options button:not(.blocked), #confirm button')""",
            before,
        )


@pytest.mark.browser
def test_a_browser_in_the_same_house_plays_by_http(own_server: Start, stranger: BrowserContext) -> None:
    port = own_server("--host", "0.0.0.0").address.rpartition(":")[2]  # noqa: S104  # as a person does
    page = stranger.new_page()
    play_a_move(page, f"http://{NAME}:{port}")
    assert page.evaluate("window.isSecureContext") is False
    assert [(cookie["name"], cookie["secure"]) for cookie in stranger.cookies()] == [
        ("session", False),
        ("level-paris-connection", False),
    ]


@pytest.mark.browser
def test_a_browser_far_away_plays_by_https(own_server: Start, stranger: BrowserContext) -> None:
    with Terminator() as proxy:
        address = f"https://{NAME}:{proxy.port}"
        proxy.leads_to = int(own_server("--public-url", address).address.rpartition(":")[2])
        page = stranger.new_page()
        play_a_move(page, address)
        assert page.evaluate("window.isSecureContext") is True
        cookies = stranger.cookies()
        assert [(cookie["name"], cookie["secure"]) for cookie in cookies] == [
            ("__Host-session", True),
            ("__Host-level-paris-connection", True),
        ]
        stranger.close()


PROXIED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "games.example.org"}


def test_forwarded_requests_are_held_to_the_public_address(own_server: Start) -> None:
    public = "https://games.example.org"
    server = own_server("--public-url", public)
    # A proxy may keep the Host that the browser sent, or put its own name for the server there.
    for host in ("games.example.org", "127.0.0.1:8889"):
        with Visitor(server, **PROXIED, Host=host, Origin=public) as ada:
            page = ada.get("/")
            name, _, rest = page.headers["set-cookie"].partition("=")
            assert name == "__Host-session"
            assert "Domain" not in rest, "else the browser would not take it"
            ada.headers["Cookie"] = f"{name}={rest.partition(';')[0]}"
            assert server.address not in page.text
            fields = {"token": ada.token(), "name": "Ada", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
            answer = ada.post("/new/paris-connection", data=fields)
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/table/")
            for origin in ("http://games.example.org", server.address, "https://games.example.org:8443", "null"):
                refused = ada.post("/new/paris-connection", data=fields, headers={"Origin": origin})
                assert refused.status_code == 403, origin
            stream = ada.stream("GET", "/stream", params={"watch": "lobby@0"})
            with stream as lines:
                assert lines.headers["x-accel-buffering"] == "no"
                assert lines.headers["cache-control"] == "no-store"
                assert "content-length" not in lines.headers


def test_without_a_public_address_forwarded_headers_mean_nothing(house: Server) -> None:
    with Visitor(house, **PROXIED) as ada:
        assert ada.get("/").headers["set-cookie"].startswith("session=")
        assert ada.table("me", "open", "open").startswith("/table/")
        answer = ada.post(
            "/new/paris-connection", data={"token": ada.token()}, headers={"Origin": "https://games.example.org"}
        )
        assert answer.status_code == 403
