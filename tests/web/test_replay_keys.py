"""Replay by keys, faster than the line and without one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import SECONDS, Server, Visitor
from tests.web.test_replay import play_on

pytestmark = pytest.mark.browser


@pytest.fixture
def replay(running: tuple[str, list[Visitor]], server: Server, chromium: Browser) -> Iterator[Page]:
    """The beginning of a game of 16 moves."""
    path, visitors = running
    play_on(path, visitors, 16)
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server.address}{path}/replay?at=0")
    yield page
    context.close()
    assert faults == []


def press(page: Page, *keys: str) -> None:
    """Press keys before any answer can come."""
    page.evaluate(
        """keys => {
          for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }""",
        list(keys),
    )


def at(page: Page, step: int) -> None:
    expect(page.locator("#live")).to_have_attribute("data-at", str(step))


def test_each_press_of_a_key_counts(replay: Page) -> None:
    press(replay, *["ArrowRight"] * 12)
    at(replay, 12)
    for _ in range(12):
        replay.keyboard.press("ArrowLeft")
    at(replay, 0)
    press(replay, "End", "ArrowLeft", "ArrowLeft", "ArrowRight")
    at(replay, 15)
    assert "at=15" in replay.url
    expect(replay.locator("#scrub")).to_have_value("15")


def test_on_a_cut_line_replay_stops_and_says_so(replay: Page) -> None:
    notice, play = replay.locator("#line"), replay.locator("#play")
    expect(notice).to_be_hidden()
    press(replay, "ArrowRight", "ArrowRight")
    at(replay, 2)
    replay.context.set_offline(True)
    press(replay, "End")
    expect(notice).to_be_visible()
    at(replay, 2)
    expect(replay.locator("#scrub")).to_have_value("2")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(notice).to_be_visible()
    replay.context.set_offline(False)
    press(replay, "End")
    at(replay, 16)
    expect(notice).to_be_hidden()
    replay.context.set_offline(True)
    press(replay, *["ArrowLeft"] * 14)
    at(replay, 2)  # it was kept


def test_it_plays_every_step(replay: Page) -> None:
    press(replay, *["ArrowRight"] * 13)
    at(replay, 13)
    replay.evaluate(
        """() => {
          window.seen = [];
          document.addEventListener('spieltisch:changed', () => seen.push(document.getElementById('live').dataset.at));
        }"""
    )
    replay.locator("#play").click()
    at(replay, 16)
    expect(replay.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert replay.evaluate("window.seen") == ["14", "15", "16"]


def test_an_answer_asked_for_before_the_cut_does_not_say_that_the_line_is_back(replay: Page) -> None:
    held: list[Route] = []
    replay.route("**/replay?at=3", lambda route: held.append(route))
    replay.route("**/replay?at=16", lambda route: route.abort())
    press(replay, "ArrowRight", "ArrowRight")
    at(replay, 2)
    press(replay, "End")
    expect(replay.locator("#line")).to_be_visible()
    with replay.expect_response("**/replay?at=3") as answer:
        held[0].continue_()
    answer.value.finished()
    press(replay, "ArrowLeft")  # what was kept is shown after the late answer was read
    at(replay, 1)
    expect(replay.locator("#line")).to_be_visible()
