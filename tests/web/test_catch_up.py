"""The board never lags far behind: many moves at once are shown for less or left out, and all else follows at once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.test_move_animation import TRADE, WATCH, Running, deciding, play

LATEST = 1500
"""Milliseconds after which a state is on the board."""
SHORTEST = 250
"""Milliseconds for which a move is held at least."""
FED = """
window.SharedWorker = class {
  constructor() { this.port = window.feed = { postMessage() {} }; }
};
"""
"""A page to which a test brings what the stream brings."""
KEPT = """async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  const { dataset, outerHTML } = page.getElementById('live');
  window.states = [...window.states ?? [], { topic: dataset.topic, version: Number(dataset.version), html: outerHTML }];
  return dataset.title;
}"""
"""Keep the state as it is now, to be brought later."""
BRING = "() => { for (const data of window.states) window.feed.onmessage({ data }); }"
"""Bring all states in one go."""
ON_BOARD = """() => {
  const newest = new DOMParser().parseFromString(window.states.at(-1).html, 'text/html');
  return ['#map .pieces', '#panel'].every((part) => {
    const [now, then] = [document, newest].map((page) => page.querySelector(part));
    const [shown, drawn] = [now, then].map((board) => [board.textContent, board.querySelectorAll('use').length]);
    return shown.join() === drawn.join();
  });
}"""
"""Tests that the boards are those of the newest state."""
SCHEDULE = """async ([every, wished, count]) => {
  const address = document.querySelector('script[src*="/js/"]').src.replace(/[^/]+$/, 'catch-up.js');
  const { holdTime, surplus } = await import(address);
  const arrivals = Array.from({ length: count }, (_, n) => n * every);
  const shown = [];
  let [now, next] = [0, 0];
  let waiting = [];
  const arrive = (until) => { while (next < count && arrivals[next] <= until) waiting.push(next++); };
  while (next < count || waiting.length) {
    if (!waiting.length) now = Math.max(now, arrivals[next]);
    arrive(now);
    waiting.splice(0, surplus(waiting.map((n) => arrivals[n]), now));
    shown.push([waiting.shift(), now]);
    let left = wished;
    while (left > 1e-6) {
      left = holdTime(left, waiting.map((n) => arrivals[n]), now);
      const stop = Math.min(now + left, arrivals[next] ?? Infinity);
      left -= stop - now;
      now = stop;
      arrive(now);
    }
  }
  return shown;
}"""
"""Computes when each state is shown if one comes every so many milliseconds; the clock is a number."""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("every", "wished"), [(0, 1000), (400, 1000), (400, 2000), (300, 450), (100, 2000), (1400, 2000)]
)
def test_the_schedule_is_at_most_one_and_a_half_seconds_behind(
    every: int, wished: int, running: Running, server: Server, person: Person
) -> None:
    page = person()
    page.goto(server.address + running[0])
    shown: list[tuple[int, float]] = page.evaluate(SCHEDULE, [every, wished, 75])
    assert shown[-1][0] == 74, "the newest is shown in the end"
    held = [end - start for (_, start), (_, end) in pairwise(shown)]
    assert min(held) >= SHORTEST - 1e-6
    for (before, _), (state, start) in pairwise(shown):
        assert start <= (before + 1) * every + LATEST + 1e-6, state
    assert (len(shown) == 75) is (every >= SHORTEST)


@pytest.fixture
def fed(server: Server, person: Person) -> Any:
    """Opens a table for a visitor, in a browser whose clock and stream are the test's."""

    def start(path: str, visitor: Visitor) -> Page:
        page = person(locale="en-GB", viewport={"width": 1440, "height": 900})
        let_in(page.context, visitor)
        page.add_init_script(WATCH + FED)
        page.clock.install()
        page.goto(server.address + path)
        expect(page.locator("#map-static svg")).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
        return page

    return start


def run(page: Page, milliseconds: int) -> None:
    """Let the page's clock run, in steps between which a change of the boards is completed."""
    for _ in range(milliseconds // 50):
        page.clock.run_for(50)


@pytest.mark.browser
def test_all_but_the_board_is_of_the_newest_state_at_once(running: Running, fed: Any) -> None:
    path, (mover, other, _) = deciding(running)
    other.submit("/preferences", **{"sounds-shown": "1", "sounds": "on"})
    page, said, title = fed(path, other), [], ""
    for wish in ["build"] * 4 + ["done|build"]:
        said += play(path, mover, wish)
        title = page.evaluate(KEPT)
    assert title.startswith("●")
    page.evaluate(BRING)
    expect(page.locator("#live")).to_have_attribute("data-version", str(other.state(path)["version"]))
    expect(page).to_have_title(title)
    expect(page.locator("#choices .choice").first).to_be_visible()
    assert "turn" in page.evaluate("window.sounds")
    expect(page.locator("#stage-skip")).to_be_visible()
    assert page.evaluate("window.captions") == said[:1]
    assert not page.evaluate(ON_BOARD)
    expect(page.locator("#map .is-target")).to_have_count(0)  # nothing can be chosen on what is past
    run(page, LATEST)
    assert page.evaluate("window.captions") == said
    assert page.evaluate(ON_BOARD)
    expect(page.locator("#stage")).to_be_hidden()
    assert page.locator("#map .is-target").count() > 0


@pytest.mark.browser
def test_a_watcher_sees_the_last_of_many_moves_in_time(running: Running, fed: Any, server: Server) -> None:
    path, visitors = running
    with Visitor(server) as watcher:
        page, title = fed(path, watcher), ""
        for _ in range(20):
            mover = visitors[visitors[0].state(path)["to_decide"]]
            play(path, mover, f"build|{TRADE}")
            title = page.evaluate(KEPT)
        newest = str(watcher.state(path)["version"])
    page.evaluate(BRING)
    expect(page.locator("#live")).to_have_attribute("data-version", newest)
    expect(page).to_have_title(title)
    assert not page.evaluate(ON_BOARD)
    run(page, LATEST)
    assert page.evaluate(ON_BOARD)
    expect(page.locator("#stage-skip")).to_be_hidden()
    assert 3 <= len(page.evaluate("window.captions")) <= 1 + LATEST / SHORTEST
    assert page.evaluate("window.captions.at(-1)") == page.locator(".log li[data-theirs]").first.inner_text().strip()


@pytest.mark.browser
def test_the_time_of_a_pause_is_not_counted_and_a_click_on_the_board_ends_all(running: Running, fed: Any) -> None:
    path, (mover, other, _) = deciding(running)
    page, said = fed(path, other), []
    for wish in ["build"] * 4 + ["done|build"]:
        said += play(path, mover, wish)
        page.evaluate(KEPT)
    page.evaluate(BRING)
    page.locator("#stage-pause").click()
    run(page, 2 * LATEST)
    assert page.evaluate("window.captions") == said[:1]
    page.locator("#stage-pause").click()
    run(page, LATEST // 2)
    shown = page.evaluate("window.captions.length")
    assert 1 < shown < len(said)
    page.locator("#map").click(position={"x": 200, "y": 200})
    expect(page.locator("#stage")).to_be_hidden()
    assert page.evaluate(ON_BOARD)
    assert page.evaluate("window.captions.length") == shown
    expect(page.locator("#notice")).to_be_empty()
