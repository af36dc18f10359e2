"""What a page does while its stream is held back on the way, or the worker that holds it for all tabs is broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.conftest import SECONDS, Server, Visitor, comes_true, let_in
from tests.web.holding_proxy import HoldingProxy
from tests.web.test_browser import moved_on, version

COLLECT_NOTICES = """() => {
  window.notices = [];
  for (const id of ['slow', 'line']) {
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
    """A running table of three people: who is to decide, and another, both with a browser."""

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
def players(running: tuple[str, list[Visitor]], chromium: Browser) -> Iterator[Players]:
    table = Players(*running, chromium)
    yield table
    table.close()


@pytest.mark.parametrize("how", ["body", "all"])
def test_a_page_whose_stream_is_held_back_asks_for_changes_and_says_so(
    how: Literal["body", "all"], players: Players, server: Server
) -> None:
    with HoldingProxy(server.address, how, "/stream") as proxy:
        page = players.page(players.other, proxy)
        expect(page.locator("#slow")).to_be_visible()
        expect(page.locator("#line")).to_be_hidden()
        before = version(page)
        players.move()
        moved_on(page, before)
        proxy.release()
        expect(page.locator("#slow")).to_be_hidden()
        expect(page.locator("#line")).to_be_hidden()


def test_the_answer_to_a_move_brings_the_page_though_nothing_else_arrives(players: Players, server: Server) -> None:
    with HoldingProxy(server.address, "all", "/stream", "/changes") as proxy:
        page = players.page(players.to_decide, proxy)
        for _ in range(2):  # the second answer holds only what has changed since the first
            before = version(page)
            page.locator("#tree button[value^=build]").first.dispatch_event("click")
            moved_on(page, before)
            page.locator("#undo").click()
            moved_on(page, before + 1)
        assert proxy.answers


def test_a_stream_that_is_cut_again_and_again_brings_everything_without_a_notice(
    players: Players, server: Server
) -> None:
    with HoldingProxy(server.address, "cut", "/stream") as proxy:
        page = players.page(players.other, proxy)
        page.evaluate(COLLECT_NOTICES)
        comes_true(page, "() => performance.now() > 8000")
        assert proxy.answers > 1
        before = version(page)
        players.move()
        moved_on(page, before)
        assert page.evaluate("window.notices") == []


@pytest.mark.parametrize("answers", [False, True], ids=["ended", "without a network"])
def test_a_page_leaves_a_broken_worker_and_connects_alone(answers: bool, players: Players, server: Server) -> None:
    script = f"const answers = {str(answers).lower()}; {BROKEN_WORKER}"
    page = players.page(players.other, server, script)
    before = version(page)
    players.move()
    moved_on(page, before)
    expect(page.locator("#line")).to_be_hidden()


def test_changes_are_answered_with_what_is_newer_and_else_with_nothing(players: Players, mary: Visitor) -> None:
    watched = players.path.removeprefix("/table/")

    def changes(version: int) -> httpx.Response:
        return players.other.get("/changes", params={"watch": [f"{watched}@{version}", "devices~new@9999999999999"]})

    before = players.other.state(players.path)["version"]
    assert changes(before).status_code == 204
    players.move()
    (change,) = changes(before).json()
    assert (change["topic"], change["version"]) == (watched, before + 1)
    assert change["html"] in players.other.get(players.path).text.replace("\r", "")
    assert changes(before + 1).status_code == 204


def test_the_answer_to_a_move_on_a_shared_device_is_for_the_player_who_made_it(shared: str, ada: Visitor) -> None:
    views = {me: ada.state(f"{shared}?me={me}") for me in ("0", "2", "3")}
    me, before = next((me, view) for me, view in views.items() if view["seat"] == view["to_decide"])
    fields = {"move": before["moves"][0], "version": str(before["version"]), "me": me, "token": ada.token()}
    answer = ada.post(f"{shared}/play?confirmed={before['version']}", data=fields, headers={"HX-Request": "true"})
    assert answer.headers["State-Id"] == f"{shared.removeprefix('/table/')}!{me}@{before['version'] + 1}"
