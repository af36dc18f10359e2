"""Check the proxies of `docs/hosting.md`, with its own lines: pages, live streams, https, and limits for each visitor.

Also that what it warns of does break a stream.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from spieltisch.web.http.security import HSTS
from spieltisch.web.http.stream import HEARTBEAT_SECONDS
from tests.browsers import launch
from tests.web.below_path import BelowPath
from tests.web.conftest import SECONDS
from tests.web.reverse_proxies import HOST, PROGRAMS, Proxy, documented_changes, documented_lines, running_proxy
from tests.web.servers import PUBLIC, SERVE_DEFAULT_LIMITS, Server, running_server
from tests.web.table_page import moved_on, version
from tests.web.visitors import MANY_ADDRESSES, Visitor, let_in, table_of_three

pytestmark = [pytest.mark.tools, MANY_ADDRESSES]
PER_MINUTE = 60
BELOW = "/board"
HOSTS = count(2)
"""The last number of the next visitor's address."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--public-url", PUBLIC, "--limit", f"requests_per_minute={PER_MINUTE}")
    with running_server(tmp_path_factory.mktemp("data"), *options, command=SERVE_DEFAULT_LIMITS) as started_server:
        yield started_server


@pytest.fixture(scope="module", params=PROGRAMS)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[Proxy]:
    with running_proxy(request.param, tmp_path_factory.mktemp(request.param), server) as started_proxy:
        yield started_proxy


@pytest.fixture
def visitor() -> Iterator[Callable[[Proxy], Visitor]]:
    """Return a function that lets a visitor come through a proxy from an address of their own."""
    with ExitStack() as opened:
        yield lambda proxy: opened.enter_context(Visitor(proxy, address=proxy.transport(f"127.0.7.{next(HOSTS)}")))


@contextmanager
def followed(
    watcher: Visitor, topic: str, encoding: str = "identity", seconds: float = SECONDS / 1000
) -> Iterator[Iterator[str]]:
    """Yield the lines of a stream, from its first heartbeat on; each may take so many seconds."""
    params, headers = {"watch": topic}, {"Accept-Encoding": encoding}
    with watcher.stream("GET", "/stream", params=params, headers=headers, timeout=seconds) as answer:
        assert answer.status_code == 200
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith("event: ")) == "event: heartbeat"
        yield lines


def move(path: str, people: Sequence[Visitor]) -> int:
    """Make a move; return the version of the table after it."""
    state = people[0].state(path)
    player = people[state["to_decide"]]
    answer = player.play(path, player.state(path)["moves"][0], state["version"])
    assert answer.status_code == 200, answer.text
    return int(player.state(path)["version"])


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_stream_through_each_documented_proxy_has_each_move_before_the_next(
    proxy: Proxy, visitor: Callable[[Proxy], Visitor], encoding: str
) -> None:
    path, people = table_of_three(*(visitor(proxy) for _ in range(3)))
    topic = f"{path.rpartition('/')[2]}@{people[0].state(path)['version']}"
    with followed(people[0], topic, encoding) as lines:
        for _ in range(3):
            newest = move(path, people)
            next(line for line in lines if line.startswith("id: ") and line.endswith(f"@{newest}"))


def test_a_browser_follows_a_table_through_each_documented_proxy(
    proxy: Proxy, visitor: Callable[[Proxy], Visitor], chromium: Browser
) -> None:
    path, people = table_of_three(*(visitor(proxy) for _ in range(3)))
    browser = launch(chromium.browser_type, f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{proxy.port}")
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(SECONDS)
    let_in(context, people[0])
    page = context.new_page()
    page.goto(f"{PUBLIC}{path}")
    protocol = page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
    before = version(page)
    move(path, people)
    moved_on(page, before)
    browser.close()
    assert protocol == ("http/1.1" if proxy.name == "apache" else "h2")


def test_each_documented_proxy_passes_on_pages_that_demand_https_from_then_on(
    proxy: Proxy, visitor: Callable[[Proxy], Visitor]
) -> None:
    ada = visitor(proxy)
    page = ada.get("/")
    assert (page.status_code, page.headers["strict-transport-security"]) == (200, HSTS)
    ada.table("me", "open", "open")
    assert {(cookie.name, cookie.secure) for cookie in ada.cookies.jar} == {("__Host-session", True)}


def test_visitors_cannot_choose_the_address_for_which_their_limit_counts(
    proxy: Proxy, visitor: Callable[[Proxy], Visitor]
) -> None:
    eve, ada = visitor(proxy), visitor(proxy)
    answers = (eve.get("/health", headers={"X-Forwarded-For": f"192.0.2.{n % 250}"}) for n in range(3000))
    assert any(answer.status_code == 429 for answer in answers)
    assert ada.get("/health").status_code == 200


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_table_is_played_below_a_path_through_each_documented_proxy(name: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path / "data", "--public-url", f"{PUBLIC}{BELOW}"))
        folder = tmp_path / "proxy"
        folder.mkdir()
        proxy = stack.enter_context(running_proxy(name, folder, server, *documented_changes(name)))
        reached = proxy._replace(address=f"{PUBLIC}{BELOW}")
        ways = [reached.transport(f"127.0.8.{number}") for number in range(1, 4)]
        people = [stack.enter_context(BelowPath(reached, BELOW, address=way)) for way in ways]
        path, _ = table_of_three(*people)
        assert {(cookie.name, cookie.secure) for cookie in people[0].cookies.jar} == {("__Secure-session!board", True)}
        with followed(people[0], f"{path.rpartition('/')[2]}@{people[0].state(path)['version']}") as lines:
            newest = move(path, people)
            next(line for line in lines if line.startswith("id: ") and line.endswith(f"@{newest}"))


def test_the_documented_time_limits_are_longer_than_the_time_between_heartbeats() -> None:
    limits = [
        (name, int(limit))
        for name in PROGRAMS
        for limit in re.findall(r"timeout[ =](?:client |server )?(\d+)", documented_lines(name))
    ]
    assert [name for name, limit in limits if limit > HEARTBEAT_SECONDS] == ["nginx", "haproxy", "haproxy", "apache"]


@pytest.mark.parametrize(
    ("name", "limit"), [("nginx", "timeout 120s"), ("haproxy", "server 120s"), ("apache", "timeout=120")]
)
def test_a_shorter_time_limit_of_a_proxy_cuts_the_stream_before_the_next_heartbeat(
    name: str, limit: str, tmp_path: Path, server: Server, visitor: Callable[[Proxy], Visitor]
) -> None:
    with running_proxy(name, tmp_path, server, (limit, limit.replace("120", "3"))) as proxy:
        heard: list[str] = []
        with followed(visitor(proxy), "lobby@0") as lines, suppress(httpx.RemoteProtocolError):
            heard += lines
        assert "event: heartbeat" not in heard


def test_nginx_holds_a_stream_back_if_told_to_ignore_the_header_against_it(
    tmp_path: Path, server: Server, visitor: Callable[[Proxy], Visitor]
) -> None:
    line = "proxy_set_header Host $host;"
    change = (line, f"{line} proxy_ignore_headers X-Accel-Buffering;")
    with (
        running_proxy("nginx", tmp_path, server, change) as proxy,
        pytest.raises(httpx.ReadTimeout),
        followed(visitor(proxy), "lobby@0", seconds=2),
    ):
        pass
