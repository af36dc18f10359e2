"""Check a page whose stream is held back on the way, or whose shared worker is broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.conftest import SECONDS, wait_for_true
from tests.web.holding_proxy import HoldingProxy
from tests.web.servers import Server
from tests.web.table_page import moved_on, version
from tests.web.visitors import Visitor, let_in

COLLECT_NOTICES = """() => {
  window.notices = [];
  for (const id of ['slow-notice', 'connection-notice']) {
    const notice = document.getElementById(id);
    new MutationObserver(() => { if (!notice.hidden) window.notices.push(id); }).observe(notice, { attributes: true });
  }
}"""
"""A script that collects the notices about the connection that are shown from now on."""


BROKEN_WORKER = """window.SharedWorker = class {
  constructor() {
    const port = this.port = { postMessage({ topics, ping }) {
      if (answers) queueMicrotask(() => port.onmessage({ data: topics ? { status: 'lost' } : { pong: true } }));
    }, close() {} };
  }
};"""
"""A script with a worker that has lost its connection for good and, unless it `answers`, has itself ended."""


class Players:
    """A running table of three people, with browsers for the deciding player and another."""

    def __init__(self, path: str, visitors: list[Visitor], chromium: Browser) -> None:
        self.path = path
        self.to_decide = visitors[visitors[0].state(path)["to_decide"]]
        self.other = next(visitor for visitor in visitors if visitor is not self.to_decide)
        self._chromium = chromium
        self._contexts: list[BrowserContext] = []

    def page(self, visitor: Visitor, at: HoldingProxy | Server, script: str = "") -> Page:
        """Open the table in a visitor's browser."""
        context = self._chromium.new_context(locale="en", viewport={"width": 1440, "height": 900})
        self._contexts.append(context)
        context.set_default_timeout(SECONDS)
        context.add_init_script(script)
        let_in(context, visitor)
        page = context.new_page()
        page.goto(f"{at.address}{self.path}")
        return page

    def move(self) -> None:
        """Make a move by other means."""
        move = self.to_decide.state(self.path)["moves"][0]
        assert self.to_decide.play(self.path, move).status_code == 200

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def players(running_table: tuple[str, list[Visitor]], chromium: Browser) -> Iterator[Players]:
    table = Players(*running_table, chromium)
    yield table
    table.close()


@pytest.mark.parametrize("held_part", ["body", "all"])
def test_a_page_whose_stream_is_held_back_requests_changes_and_shows_a_notice(
    held_part: Literal["body", "all"], players: Players, server: Server
) -> None:
    with HoldingProxy(server.address, held_part, "/stream") as proxy:
        page = players.page(players.other, proxy)
        expect(page.locator("#slow-notice")).to_be_visible()
        expect(page.locator("#connection-notice")).to_be_hidden()
        before = version(page)
        players.move()
        moved_on(page, before)
        proxy.release()
        expect(page.locator("#slow-notice")).to_be_hidden()
        expect(page.locator("#connection-notice")).to_be_hidden()


def test_the_response_to_a_move_updates_the_page_without_a_stream(players: Players, server: Server) -> None:
    with HoldingProxy(server.address, "all", "/stream", "/changes") as proxy:
        page = players.page(players.to_decide, proxy)
        for _ in range(2):  # the second answer holds only what has changed since the first
            before = version(page)
            page.locator("#move-tree button[value^=build]").first.dispatch_event("click")
            moved_on(page, before)
            page.locator("#undo-button").click()
            moved_on(page, before + 1)
        assert proxy.answers


def test_a_stream_that_is_cut_repeatedly_updates_the_page_without_a_notice(players: Players, server: Server) -> None:
    with HoldingProxy(server.address, "cut", "/stream") as proxy:
        page = players.page(players.other, proxy)
        page.evaluate(COLLECT_NOTICES)
        wait_for_true(page, "() => performance.now() > 8000")
        assert proxy.answers > 1
        before = version(page)
        players.move()
        moved_on(page, before)
        assert page.evaluate("window.notices") == []


@pytest.mark.parametrize("answers", [False, True], ids=["ended", "without a network"])
def test_a_page_with_a_broken_shared_worker_opens_a_separate_stream(
    answers: bool, players: Players, server: Server
) -> None:
    script = f"const answers = {str(answers).lower()}; {BROKEN_WORKER}"
    page = players.page(players.other, server, script)
    before = version(page)
    players.move()
    moved_on(page, before)
    expect(page.locator("#connection-notice")).to_be_hidden()


def test_a_request_for_changes_gets_newer_content_or_nothing(players: Players, mary: Visitor) -> None:
    table_number = players.path.removeprefix("/table/")

    def changes(version: int) -> httpx.Response:
        return players.other.get(
            "/changes", params={"watch": [f"{table_number}@{version}", "devices~new@9999999999999"]}
        )

    before = players.other.state(players.path)["version"]
    assert changes(before).status_code == 204
    players.move()
    (change,) = changes(before).json()
    assert (change["topic"], change["version"]) == (table_number, before + 1)
    assert change["html"] in players.other.get(players.path).text.replace("\r", "")
    assert changes(before + 1).status_code == 204


def test_the_response_to_a_move_on_a_shared_device_is_for_the_player_who_made_it(
    shared_device_table: str, ada: Visitor
) -> None:
    views = {hot_seat: ada.state(f"{shared_device_table}?me={hot_seat}") for hot_seat in ("0", "2", "3")}
    hot_seat, before = next((hot_seat, view) for hot_seat, view in views.items() if view["seat"] == view["to_decide"])
    fields = {"move": before["moves"][0], "version": str(before["version"]), "me": hot_seat, "token": ada.token()}
    answer = ada.post(
        f"{shared_device_table}/play?confirmed={before['version']}", data=fields, headers={"HX-Request": "true"}
    )
    assert (
        answer.headers["State-Id"]
        == f"{shared_device_table.removeprefix('/table/')}!{hot_seat}@{before['version'] + 1}"
    )
