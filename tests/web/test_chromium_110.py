"""Check a table in the oldest supported Chromium, before and after a crash of its network process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browsers import SWITCHES, Browsers
from tests.process_tree import children_of
from tests.web.chromium_110 import chromium_110
from tests.web.conftest import SECONDS
from tests.web.servers import Server
from tests.web.table_page import moved_on, version
from tests.web.visitors import Visitor, let_in


@pytest.fixture(scope="module")
def path(pytestconfig: pytest.Config) -> str:
    path, why_not = chromium_110(Path(pytestconfig.cache.mkdir("chromium-110")))
    if why_not and os.environ.get("SPIELTISCH_BROWSER_TESTS") != "required":
        pytest.skip(why_not)
    assert path, why_not
    return path


@pytest.fixture
def chromium_110_browser(path: str, browsers: Browsers) -> Iterator[Browser]:
    browser = browsers.one().browser_type.launch(executable_path=path, args=[*SWITCHES, "--no-zygote"])
    yield browser
    browser.close()


def network_processes(parent: int, path: str) -> list[int]:
    """Return the network processes of browsers at this path below another process."""
    answer_times: list[int] = []
    for child in children_of(parent):
        words = Path(f"/proc/{child}/cmdline").read_text()
        answer_times += [child] if words.startswith(path) and "network.mojom.NetworkService" in words else []
        answer_times += network_processes(child, path)
    return answer_times


@pytest.mark.crash
def test_a_table_page_reconnects_after_the_network_process_of_chromium_has_crashed(
    running_table: tuple[str, list[Visitor]], server: Server, chromium_110_browser: Browser, path: str
) -> None:
    table, visitors = running_table
    seat = visitors[0].state(table)["to_decide"]
    context = chromium_110_browser.new_context(locale="en", viewport={"width": 1440, "height": 900})
    context.set_default_timeout(SECONDS)
    let_in(context, visitors[seat])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(f"{server.address}{table}")
    expect(page.locator(".old-browser-notice")).to_be_hidden()
    before = version(page)
    page.locator("#move-tree button[value^=build]").first.dispatch_event("click")
    moved_on(page, before)
    (network,) = network_processes(os.getpid(), path)
    os.kill(network, signal.SIGKILL)
    before = version(page)
    move = visitors[seat].state(table)["moves"][0]
    assert visitors[seat].play(table, move).status_code == 200
    moved_on(page, before)
    expect(page.locator("#connection-notice")).to_be_hidden()
    assert faults == []
