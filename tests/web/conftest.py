"""Provide servers, visitors, and pages of Chromium as fixtures."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from spieltisch.bots.search import native_library
from spieltisch.games import GAMES
from tests.browsers import Browsers
from tests.tiers import WHOLE
from tests.web.layout_checks import DESK
from tests.web.prepared_tables import Layout, prepare_tables
from tests.web.script_page import ScriptPage
from tests.web.servers import IN_NETWORK, PUBLIC, QUICK, SERVE, SERVE_LONGEST_WORDS, Server, running_server
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import SHORT, Visitor, table_of_three, trade_on

SECONDS = 60_000
"""The time for which a browser waits for something, in milliseconds: other tests may keep the machine busy."""
expect.set_options(timeout=SECONDS)
Person = Callable[..., Page]
Phone = Callable[..., BrowserContext]
OpenContext = Callable[..., BrowserContext]


def wait_for_true(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a function of the page, async or not, returns true, and fail if it does not in time."""
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


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the server of all tests that do not stop or change it."""
    with running_server(tmp_path_factory.mktemp("data")) as started_server:
        yield started_server


@pytest.fixture(scope="session")
def proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server behind an https proxy for all tests that do not stop or change it."""
    with running_server(tmp_path_factory.mktemp("proxied"), "--public-url", PUBLIC) as started_server:
        yield started_server


@pytest.fixture(scope="session")
def network_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for the network for all tests that do not stop or change it."""
    with running_server(tmp_path_factory.mktemp("network"), *IN_NETWORK) as started_server:
        yield started_server


@pytest.fixture(scope="session")
def uncompiled_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server whose searches are not compiled yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPIELTISCH_CACHE", str(tmp_path_factory.mktemp("empty")))
        starting = Server(tmp_path_factory.mktemp("uncompiled"))
    yield starting
    assert starting.stop() == 0, starting.log


@pytest.fixture(scope="session")
def toy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with the toy games and the game of the tutorial."""
    root = Path(__file__).parent.parent.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPIELTISCH_GAMES", "tests.toy_game,tests.toy_bids,goofspiel")
        patch.setenv("PYTHONPATH", f"{root}{os.pathsep}{root / 'examples' / 'goofspiel'}", prepend=os.pathsep)
        starting = Server(tmp_path_factory.mktemp("toy"))
    yield starting
    assert starting.stop() == 0, starting.log


@pytest.fixture(scope="module")
def compiled() -> None:
    """Compile the searches of all games."""
    for key in GAMES:
        native_library.build(key)


@pytest.fixture(scope="session")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for whole games whose bots do not wait between moves."""
    with running_server(tmp_path_factory.mktemp("quick"), command=QUICK) as started_server:
        yield started_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Return a function that starts a server for one test and stops it afterwards."""
    started_servers: list[Server] = []

    def start(*options: str, command: Sequence[str] = SERVE, forked: bool = True) -> Server:
        started_server = Server(tmp_path / "data", *options, command=command, forked=forked)
        started_servers.append(started_server)
        return started_server

    yield start
    for started_server in started_servers:
        if started_server.is_running:
            started_server.stop(signal.SIGKILL)


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
def running_table(ada: Visitor, grace: Visitor, mary: Visitor) -> tuple[str, list[Visitor]]:
    """Return a running table of three people and its visitors in the order of the seats."""
    return table_of_three(ada, grace, mary)


@pytest.fixture
def short_game(ada: Visitor, grace: Visitor, mary: Visitor) -> tuple[str, list[Visitor]]:
    """Return a running table of three people whose game ends after nine one-for-one trades."""
    return table_of_three(ada, grace, mary, **SHORT)


@pytest.fixture
def shared_device_table(ada: Visitor) -> str:
    """Return the path of a running table of Ada, Ben and Cleo, all on Ada's device."""
    return ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Person]:
    """Return a function that opens a browser for another person; errors of its pages fail the test."""
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
def open_context(chromium: Browser) -> Iterator[OpenContext]:
    """Return a function that opens browsers for different people; errors of their pages fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(text: str) -> None:
        if not text.startswith("Failed to load resource"):  # a refusal has its status, and that is no fault
            complaints.append(text)

    def watch_console(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: hear(message.text) if message.type in ("error", "warning") else None)

    def start(**settings: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        context.on("page", watch_console)
        contexts.append(context)
        return context

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def session_and_path(server: Server) -> Iterator[tuple[dict[str, str], str]]:
    """Return a session and the path of a table at which its person is to decide."""
    with Visitor(server) as host, Visitor(server) as grace, Visitor(server) as mary:
        path = host.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        trade_on([host, grace, mary], path, 0)
        yield dict(host.cookies), path


@pytest.fixture
def phone(chromium: Browser, server: Server, session_and_path: tuple[dict[str, str], str]) -> Iterator[Phone]:
    """Return a function that opens the host's phone."""
    contexts: list[BrowserContext] = []

    def start(width: int = 390, **settings: Any) -> BrowserContext:
        size = {"width": width, "height": 844}
        context = chromium.new_context(**{"viewport": size, "has_touch": True, "is_mobile": True, **settings})
        cookies = session_and_path[0]
        context.add_cookies([{"name": name, "value": value, "url": server.address} for name, value in cookies.items()])
        context.set_default_timeout(SECONDS)
        contexts.append(context)
        return context

    yield start
    for context in contexts:
        context.close()


@pytest.fixture
def script_page(chromium: Browser) -> Iterator[ScriptPage]:
    """Yield a page for scripts that need no server; script errors fail the test."""
    page = chromium.new_page(locale="en-GB")
    page.set_default_timeout(SECONDS)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield ScriptPage(page)
    page.context.close()
    assert faults == []


@pytest.fixture(scope="module")
def pages_without_server(browsers: Browsers) -> Iterator[dict[str, TableWithoutServer]]:
    """Return the pages of `without_server` by game."""
    pages: dict[str, TableWithoutServer] = {}
    yield pages
    for context_page in pages.values():
        context_page.page.context.close()


@pytest.fixture
def without_server(
    browsers: Browsers, pages_without_server: dict[str, TableWithoutServer]
) -> Iterator[Callable[..., TableWithoutServer]]:
    """Return a function that shows a table in memory to the deciding player on a desktop, in a language."""

    def show_layout(layout: Layout, language: str = "en") -> TableWithoutServer:
        open_page = pages_without_server.get(layout.game)
        if open_page is None or open_page.page.is_closed():
            page = browsers.one().new_page(viewport=DESK, locale="en")
            page.set_default_timeout(SECONDS)
            open_page = pages_without_server[layout.game] = TableWithoutServer(page)
        elif open_page.page.viewport_size != DESK:
            open_page.page.set_viewport_size(DESK)
        open_page.show(layout, language)
        return open_page

    yield show_layout
    faults = [fault for open_page in pages_without_server.values() for fault in open_page.faults]
    if faults:
        pages_without_server.clear()
    assert faults == []


class PreparedTables(NamedTuple):
    """Tables late in their games on a server, and the session of the person with all seats."""

    server: Server
    session: str
    addresses: dict[str, str]

    def host(self) -> Visitor:
        """Return a visitor who is signed in as the owner of the device."""
        visitor = Visitor(self.server)
        visitor.cookies.set("session", self.session)
        return visitor

    def speak(self, language: str) -> None:
        """Set the language of everyone on the device."""
        with self.host() as host:
            assert host.submit("/preferences", language=language).status_code == 303


class PreparedFolder(NamedTuple):
    """Tables in a data folder before a server uses it."""

    folder: Path
    session: str
    paths: dict[str, str]

    @contextmanager
    def served(self, data: Path, command: Sequence[str] = SERVE) -> Iterator[PreparedTables]:
        """Run a server on a copy of the folder."""
        shutil.copytree(self.folder, data)
        with running_server(data, command=command) as started_server:
            yield PreparedTables(
                started_server, self.session, {name: started_server.address + path for name, path in self.paths.items()}
            )


@pytest.fixture(scope="module")
def prepared_folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., PreparedFolder]:
    """Return a function that stores tables from a module's `LAYOUTS`, hosted by the first of its `PEOPLE`."""

    @cache
    def folder(*names: str) -> PreparedFolder:
        new_folder = tmp_path_factory.mktemp("prepared")
        session, paths = prepare_tables(
            new_folder, request.module.PEOPLE[0], *(request.module.LAYOUTS[name] for name in names)
        )
        return PreparedFolder(new_folder, session, dict(zip(names, paths, strict=True)))

    return folder


@pytest.fixture(scope="module")
def prepared(
    request: pytest.FixtureRequest,
    prepared_folder: Callable[..., PreparedFolder],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[PreparedTables]:
    """Yield all prepared tables of a module by name."""
    with prepared_folder(*request.module.LAYOUTS).served(tmp_path_factory.mktemp("served") / "data") as tables:
        yield tables


@pytest.fixture(scope="module")
def prepared_in_longest_words(
    request: pytest.FixtureRequest,
    prepared_folder: Callable[..., PreparedFolder],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[PreparedTables]:
    """Yield the prepared tables in the longest words of all languages, in the first tier only `TestScreens.longest`."""
    names = request.module.LAYOUTS if WHOLE else (request.module.TestScreens.longest,)
    data = tmp_path_factory.mktemp("longest") / "data"
    with prepared_folder(*names).served(data, SERVE_LONGEST_WORDS) as tables:
        tables.speak("de")
        yield tables


@pytest.fixture
def device(chromium: Browser, prepared: PreparedTables) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the device with Playwright settings; page errors fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def start(**settings: Any) -> Page:
        context = chromium.new_context(**{"viewport": DESK, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        context.on("weberror", lambda fault: complaints.append(str(fault.error)))
        context.add_cookies([{"name": "session", "value": prepared.session, "url": prepared.server.address}])
        contexts.append(context)
        return context.new_page()

    yield start
    for context in contexts:
        context.close()
    assert complaints == []
