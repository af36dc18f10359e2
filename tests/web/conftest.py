"""A real server in a process of its own, on a real file; visitors that speak plain HTTP; and Chromium."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browsers import Browsers
from tests.forked import Process
from tests.results import SERVERS, STARTED
from tests.web.layout_checks import DESK
from tests.web.prepared_tables import Layout, lay
from tests.web.script_page import ScriptPage
from tests.web.table_without_server import TableWithoutServer

OF_ADDRESS = (
    *("requests_per_minute", "waiting_requests_per_address", "connections_per_address", "streams_per_address"),
    *("new_names_per_hour", "new_tables_per_hour", "tables_per_address", "component_files_per_address"),
)
UNLIMITED = [word for name in OF_ADDRESS for word in ("--limit", f"{name}=0")]
"""All tests come from one address."""
QUIET = ["--port", "0", "--no-browser", "--no-compile-search"]
SERVE = [str(Path(sys.executable).parent / "spieltisch"), "serve", *QUIET, *UNLIMITED, "--data"]
QUICK = [
    sys.executable,
    "-c",
    "import functools; from spieltisch.live import bot_turns; from spieltisch.web import server;"
    "server.BotTurns = functools.partial(bot_turns.BotTurns, pace=0);"
    "from spieltisch.cli import app; app()",
    *SERVE[1:],
]
PSEUDO = [
    sys.executable,
    "-c",
    "import sys, pathlib; from spieltisch.web.server import serve;"
    "serve(port=0, data=pathlib.Path(sys.argv[1]), open_browser=False, compile_search=False, pseudo=True)",
]
SERVE_LONGEST_WORDS = [
    sys.executable,
    "-c",
    "from tests.web import longest_words; longest_words.speak(); from spieltisch.cli import app; app()",
    *SERVE[1:],
]
"""The commands of a server, to be followed by the folder of its data; the bots of the second do not wait between moves,
the third says all in the pseudo-locale, the last in the longest words of all languages.
"""
SECONDS = 60_000
"""The time for which a browser waits for something, in milliseconds: other tests may keep the machine busy."""
expect.set_options(timeout=SECONDS)
Person = Callable[..., Page]


class ServerEnded(Exception):
    """The server ended before it told its address; the text is what it said."""


def started(words: Sequence[str]) -> subprocess.Popen[str]:
    """A process from the command line, at the head of a process group."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(words, **pipes, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}, process_group=0)


class Server:
    """A running server, at the head of a process group: forked from a process that has imported everything, or from the
    command line. `address` has no slash at its end; `log` is what it has written, all of it once it has been stopped.
    """

    def __init__(self, data: Path, *options: str, command: Sequence[str] = SERVE, forked: bool = True) -> None:
        self.data = data
        words = [*command, str(data), *options]
        STARTED["servers"] += 1
        self.process = Process(words) if forked else started(words)
        self.log = ""
        self._silent = False
        self._heard = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.address = self.says(r"(?:is at|listens on) (http://\S+)/").group(1)
        except ServerEnded:
            self.process.wait()
            raise
        SERVERS.append(self)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in chain(lines, [""]):
                with self._heard:
                    self.log += line
                    self._silent = not line
                    self._heard.notify_all()

    def says(self, pattern: str) -> re.Match[str]:
        """Wait until it has written something. Raises ServerEnded."""
        with self._heard:
            while not (match := re.search(pattern, self.log)):
                if self._silent:
                    raise ServerEnded(self.log)
                self._heard.wait()
        return match

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def file(self) -> Path:
        return self.data / "spieltisch.sqlite3"

    @property
    def quiet_log(self) -> str:
        """The lines of a log with nothing to report."""
        how = "Friends on your network: start with spieltisch serve --network"
        return f"Spieltisch is at {self.address}/\n{how}\nSpieltisch has stopped.\n"

    def stop(self, how: int = signal.SIGTERM) -> int:
        """End the server; return its exit code."""
        if self.is_running:
            self.process.send_signal(how)
        code = self.process.wait(timeout=30)
        self._reader.join()
        return code


class Reached(Protocol):
    """A server, under one of its addresses."""

    @property
    def address(self) -> str: ...


class Visitor(httpx.Client):
    """A visitor with a browser that sends what browsers send, from an address of this machine."""

    def __init__(self, server: Reached, language: str = "en", *, address: str = "127.0.0.1", **headers: str) -> None:
        sent = {"Origin": server.address, "Accept-Language": language, "Accept": "text/html", **headers}
        line = httpx.HTTPTransport(local_address=address, verify=False)  # it is plain http: load no roots
        super().__init__(base_url=server.address, headers=sent, timeout=30, transport=line)

    def token(self, page: str = "/") -> str:
        """The token of this session's forms."""
        match = re.search(r'name="token" value="([0-9a-f]+)"', self.get(page).text)
        assert match, page
        return match.group(1)

    def submit(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form with this session's token."""
        return self.post(path, data={"token": self.token(), **fields})

    def table(self, *seats: str, name: str = "Ada", game: str = "paris-connection", **fields: str) -> str:
        """Open a table; return its path."""
        chosen = {f"seat-{number}": kind for number, kind in enumerate(seats)}
        answer = self.submit(f"/new/{game}", name=name, **chosen, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def sit(self, path: str, name: str) -> httpx.Response:
        """Take an open seat."""
        return self.submit(f"{path}/sit", name=name)

    def leave(self, path: str, **fields: str) -> httpx.Response:
        """Leave a table, and confirm what its page asks then."""
        (confirmed,) = re.findall(r'action="(/table/[^"]+/leave[^"]+)"', self.submit(f"{path}/leave", **fields).text)
        return self.submit(confirmed, **fields)

    def state(self, path: str) -> dict[str, Any]:
        """The table as this visitor sees it, as JSON."""
        answer = self.get(path, headers={"Accept": "application/json"})
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def play(self, path: str, move: str, version: int | None = None) -> httpx.Response:
        seen = self.state(path)["version"] if version is None else version
        return self.post(
            f"{path}/play",
            data={"token": self.token(), "move": move, "version": str(seen)},
            headers={"Accept": "application/json"},
        )


SHORT = {"option-standstill": "ends"}
"""A table of Paris Connection at which three rounds of one-for-one trades end the game (T6)."""


def trade_on(people: Sequence[Visitor], path: str, seat: int | None) -> None:
    """Trade one for one at a table of Paris Connection until `seat` is to decide or, at a `SHORT` table, the game is
    over.
    """
    while (now := people[0].state(path)["to_decide"]) not in (seat, None):
        moves = people[now].state(path)["moves"]
        people[now].play(path, next(move for move in moves if re.fullmatch(r"trade \w+ for 1 \w+", move)))


def let_in(context: BrowserContext, visitor: Visitor) -> None:
    """Give a browser what a visitor's browser keeps: it is theirs from then on."""
    for cookie in visitor.cookies.jar:
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": str(visitor.base_url)}])


def comes_true(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a function of the page, async or not, answers true; it says so if that does not come. Playwright's own
    `wait_for_function` evaluates a string in the page, which the policy of the site forbids, as soon as it is not true
    at once.
    """
    page.evaluate(
        f"""async (argument) => {{
          const end = performance.now() + {SECONDS};
          while (!await ({condition})(argument)) {{
            if (performance.now() > end) throw new Error('it has not come true');
            await new Promise((so) => setTimeout(so, 15));
          }}
        }}""",
        argument,
    )


@contextmanager
def serving(data: Path, command: Sequence[str] = SERVE) -> Iterator[Server]:
    """A server that has nothing to complain about when it is stopped."""
    running = Server(data, command=command)
    yield running
    code = running.stop()
    assert code == 0, running.log


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it alone."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for whole games, whose bots do not wait between moves."""
    with serving(tmp_path_factory.mktemp("quick"), QUICK) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test, and ends those it has left running."""
    started: list[Server] = []

    def start(*options: str, command: Sequence[str] = SERVE, forked: bool = True) -> Server:
        running = Server(tmp_path / "data", *options, command=command, forked=forked)
        started.append(running)
        return running

    yield start
    for running in started:
        if running.is_running:
            running.stop(signal.SIGKILL)


@pytest.fixture
def ada(server: Server) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def grace(server: Server) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def mary(server: Server) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def running(ada: Visitor, grace: Visitor, mary: Visitor) -> tuple[str, list[Visitor]]:
    """A running table of three people; its visitors in the order of the seats."""
    return table_of_three(ada, grace, mary)


@pytest.fixture
def short(ada: Visitor, grace: Visitor, mary: Visitor) -> tuple[str, list[Visitor]]:
    """The same, and nine one-for-one trades end the game."""
    return table_of_three(ada, grace, mary, **SHORT)


def table_of_three(ada: Visitor, grace: Visitor, mary: Visitor, **fields: str) -> tuple[str, list[Visitor]]:
    path = ada.table("me", "open", "open", **fields)
    assert grace.sit(path, "Grace").status_code == 303
    assert mary.sit(path, "Mary").status_code == 303
    return path, [ada, grace, mary]


@pytest.fixture
def shared(ada: Visitor) -> str:
    """The path of a running table of Ada, Ben and Cleo, all on Ada's device."""
    return ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})


@pytest.fixture
def person(chromium: Browser) -> Iterator[Person]:
    """Opens a browser for one more person, with the settings of a Playwright context; what a page of theirs complains
    about fails the test.
    """
    complaints: list[str] = []
    contexts = []

    def start(**settings: Any) -> Page:
        context = chromium.new_context(**settings)
        context.set_default_timeout(SECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def script_page(chromium: Browser) -> Iterator[ScriptPage]:
    """A page for scripts that need no server; what they raise fails the test."""
    page = chromium.new_page(locale="en-GB")
    page.set_default_timeout(SECONDS)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield ScriptPage(page)
    page.context.close()
    assert faults == []


@pytest.fixture(scope="module")
def pages_without_server(browsers: Browsers) -> Iterator[dict[str, TableWithoutServer]]:
    """The pages of `without_server`, by their games."""
    pages: dict[str, TableWithoutServer] = {}
    yield pages
    for one in pages.values():
        one.page.context.close()


@pytest.fixture
def without_server(
    browsers: Browsers, pages_without_server: dict[str, TableWithoutServer]
) -> Iterator[Callable[[Layout], TableWithoutServer]]:
    """Shows a table in memory to the player who is to decide, at a desk; all tables of a game in one page."""

    def show(layout: Layout) -> TableWithoutServer:
        shown = pages_without_server.get(layout.game)
        if shown is None or shown.page.is_closed():
            page = browsers.one().new_page(viewport=DESK, locale="en")
            page.set_default_timeout(SECONDS)
            shown = pages_without_server[layout.game] = TableWithoutServer(page)
        elif shown.page.viewport_size != DESK:
            shown.page.set_viewport_size(DESK)
        shown.show(layout)
        return shown

    yield show
    faults = [fault for shown in pages_without_server.values() for fault in shown.faults]
    if faults:
        pages_without_server.clear()
    assert faults == []


class Laid(NamedTuple):
    """Tables far on in their games, on a server, with the session of who has them all on one device."""

    server: Server
    session: str
    addresses: dict[str, str]

    def host(self) -> Visitor:
        """Return a visitor who is signed in as the owner of the device."""
        visitor = Visitor(self.server)
        visitor.cookies.set("session", self.session)
        return visitor

    def speak(self, language: str) -> None:
        """Set the language of all who use the device from now on."""
        with self.host() as host:
            assert host.submit("/preferences", language=language).status_code == 303


@pytest.fixture(scope="module")
def laid(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """The tables that a module has in `LAID`, by what they are; their host is the first of its `PEOPLE`."""
    folder, layouts = tmp_path_factory.mktemp("laid"), request.module.LAID
    session, paths = lay(folder, request.module.PEOPLE[0], *layouts.values())
    with serving(folder) as running:
        addresses = [running.address + path for path in paths]
        yield Laid(running, session, dict(zip(layouts, addresses, strict=True)))


@pytest.fixture(scope="module")
def longest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """Those of `TestScreens.longest` and `TestScreens.laptop`, all said in the longest words of all languages."""
    folder, screens = tmp_path_factory.mktemp("longest"), request.module.TestScreens
    names = dict.fromkeys((screens.longest, *screens.laptop))
    session, paths = lay(folder, request.module.PEOPLE[0], *(request.module.LAID[name] for name in names))
    with serving(folder, SERVE_LONGEST_WORDS) as running:
        laid = Laid(running, session, {name: running.address + path for name, path in zip(names, paths, strict=True)})
        laid.speak("de")
        yield laid


@pytest.fixture
def device(chromium: Browser, laid: Laid) -> Iterator[Callable[..., Page]]:
    """Opens that device, with the settings of a Playwright context; what a page raises fails the test."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def start(**settings: Any) -> Page:
        context = chromium.new_context(**{"viewport": DESK, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        context.on("weberror", lambda fault: complaints.append(str(fault.error)))
        context.add_cookies([{"name": "session", "value": laid.session, "url": laid.server.address}])
        opened.append(context)
        return context.new_page()

    yield start
    for context in opened:
        context.close()
    assert complaints == []
