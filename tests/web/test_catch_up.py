"""Check that the playback of many moves on the board never lags far behind."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.animations import WATCH
from tests.web.conftest import Person
from tests.web.script_page import ScriptPage
from tests.web.servers import Server
from tests.web.table_moves import Running, deciding, play
from tests.web.visitors import Visitor, let_in

Fill = Callable[[int], list[str]]
MAX_DELAY = 1500
"""Milliseconds after which a state is on the board."""
MIN_HOLD = 250
"""Milliseconds for which a move is held at least."""
FED = """
window.SharedWorker = class {
  constructor() { this.port = window.feed = { postMessage() {} }; }
};
"""
"""A page to which a test brings what the stream brings."""
KEPT = """async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  const { dataset, outerHTML } = page.getElementById('live-part');
  window.states = [...window.states ?? [], { topic: dataset.topic, version: Number(dataset.version), html: outerHTML }];
  return dataset.pageTitle;
}"""
"""Keep the state as it is now, to be brought later."""
BRING = "() => { for (const data of window.states) window.feed.onmessage({ data }); }"
"""Bring all states in one go."""
ON_BOARD = """() => {
  const newest = new DOMParser().parseFromString(window.states.at(-1).html, 'text/html');
  return ['#map .piece-layer', '#panel'].every((part) => {
    const [now, then] = [document, newest].map((page) => page.querySelector(part));
    const [shown, drawn] = [now, then].map((board) => [board.textContent, board.querySelectorAll('use').length]);
    return shown.join() === drawn.join();
  });
}"""
"""Tests that the boards are those of the newest state."""
MARK = """() => window.states.forEach((state, number) => {
  const mark = ` id="$1" data-of-state="${number}"`;
  state.html = state.html.replace(/ id="(player-list|own-summary|panel)"/g, mark);
})"""
"""Number what the players have in each state, so that it can be seen of which state it is."""
PRESENT = """(viewers) => {
  viewers.innerHTML = '<span data-present-seats="0 1 2" data-present-label="here"></span>';
}"""
"""Have all players at the page, as the stream would tell."""
STATES_SHOWN = """() => ['panel', 'own-summary', 'player-list']
  .map((id) => Number(document.getElementById(id).dataset.ofState ?? -1))"""
SCHEDULE = """async ([every, wished, count]) => {
  const { computeHoldTime, countSurplus } = await import('/static/js/catch-up.js');
  const arrivals = Array.from({ length: count }, (_, n) => n * every);
  const shown = [];
  let [now, next] = [0, 0];
  let waiting = [];
  const arrive = (until) => { while (next < count && arrivals[next] <= until) waiting.push(next++); };
  while (next < count || waiting.length) {
    if (!waiting.length) now = Math.max(now, arrivals[next]);
    arrive(now);
    waiting.splice(0, countSurplus(waiting.map((n) => arrivals[n]), now));
    shown.push([waiting.shift(), now]);
    let left = wished;
    while (left > 1e-6) {
      left = computeHoldTime(left, waiting.map((n) => arrivals[n]), now);
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
    ("interval", "wanted_interval"), [(0, 1000), (400, 1000), (400, 2000), (300, 450), (100, 2000), (1400, 2000)]
)
def test_the_playback_schedule_is_at_most_one_and_a_half_seconds_late(
    interval: int, wanted_interval: int, script_page: ScriptPage
) -> None:
    shown_moments: list[tuple[int, float]] = script_page.open().evaluate(SCHEDULE, [interval, wanted_interval, 75])
    assert shown_moments[-1][0] == 74, "the newest is shown in the end"
    delays = [end - start for (_, start), (_, end) in pairwise(shown_moments)]
    assert min(delays) >= MIN_HOLD - 1e-6
    for (before, _), (state, start) in pairwise(shown_moments):
        assert start <= (before + 1) * interval + MAX_DELAY + 1e-6, state
    assert (len(shown_moments) == 75) is (interval >= MIN_HOLD)


@pytest.fixture
def open_controlled_table(server: Server, open_page: Person) -> Any:
    """Return a function that opens a table in a browser with a controlled clock and stream."""

    def start(path: str, visitor: Visitor) -> Page:
        page = open_page(locale="en-GB", viewport={"width": 1440, "height": 900})
        let_in(page.context, visitor)
        page.add_init_script(WATCH + FED)
        page.clock.install()
        page.goto(server.address + path)
        expect(page.locator("#map-drawing svg")).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
        return page

    return start


def run(page: Page, milliseconds: int) -> None:
    """Let the page's clock run in steps between which changes of the boards are completed."""
    for _ in range(milliseconds // 50):
        page.clock.run_for(50)


@pytest.mark.browser
def test_all_parts_of_the_page_except_the_board_show_the_newest_state_at_once(
    running_table: Running, open_controlled_table: Any
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    other_visitor.submit("/preferences", **{"sounds-shown": "1", "sounds": "on"})
    page, sentences, title = open_controlled_table(path, other_visitor), [], ""
    for wanted_move in ["build"] * 4 + ["done|build"]:
        sentences += play(path, mover, wanted_move)
        title = page.evaluate(KEPT)
    assert title.startswith("●")
    page.evaluate(MARK)
    page.locator("#viewers").evaluate(PRESENT)
    page.evaluate(BRING)
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(other_visitor.state(path)["version"]))
    expect(page).to_have_title(title)
    expect(page.locator("#choices .choice").first).to_be_visible()
    assert "turn" in page.evaluate("window.sounds")
    expect(page.locator("#playback-skip")).to_be_visible()
    assert page.evaluate("window.captions") == sentences[:1]
    assert not page.evaluate(ON_BOARD)
    assert page.evaluate(STATES_SHOWN) == [0, 0, 0], "points and holdings are those of the board"
    expect(page.locator("#player-list .is-own-seat")).to_have_attribute("data-is-present", "")
    expect(page.locator("#map .is-target")).to_have_count(0)  # nothing can be chosen on what is past
    run(page, MAX_DELAY)
    assert page.evaluate("window.captions") == sentences
    assert page.evaluate(ON_BOARD)
    assert page.evaluate(STATES_SHOWN) == [4, 4, 4]
    expect(page.locator("#playback-bar")).to_be_hidden()
    assert page.locator("#map .is-target").count() > 0


QUEUED = """async (sentences) => {
  const { enqueueJob, holdMove } = await import('/static/js/playback-queue.js');
  const map = document.getElementById('map');
  for (const [at, textContent] of sentences.entries()) {
    const moved = Object.assign(document.createElement('li'), { textContent });
    moved.dataset.moveElement = 'map';
    enqueueJob(() => holdMove(moved), () => { map.dataset.position = at; });
  }
}"""
"""Queue a position for each sentence; the map tells which one it shows."""


@pytest.fixture
def queue_positions(script_page: ScriptPage) -> Fill:
    """Return a function that queues positions at once and returns the sentences of their moves."""

    def fill_queue(count: int) -> list[str]:
        page = script_page.page
        page.add_init_script(WATCH)
        page.clock.install()
        script_page.document = lambda request: (
            """<!doctype html><title>Queue</title><div class="table-head"><h1 style="width: 9em">Queue</h1></div>
<p id="map">Map</p>
<p id="playback-bar" hidden><button id="playback-pause">Pause</button><button id="playback-skip">Skip</button>
<button id="playback-close">Close</button></p><p id="move-banner" hidden></p><p id="move-caption" hidden></p>"""
        )
        script_page.open()
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
        sentences = [f"Move {number}." for number in range(1, count + 1)]
        page.evaluate(QUEUED, sentences)
        return sentences

    return fill_queue


@pytest.mark.browser
def test_the_last_of_many_queued_positions_is_shown_in_time(script_page: ScriptPage, queue_positions: Fill) -> None:
    sentences, page = queue_positions(20), script_page.page
    expect(page.locator("#map")).to_have_attribute("data-position", "0")
    expect(page.locator("#playback-skip")).to_be_visible()
    run(page, MAX_DELAY)
    expect(page.locator("#map")).to_have_attribute("data-position", "19")
    expect(page.locator("#playback-skip")).to_be_hidden()
    assert 3 <= len(page.evaluate("window.captions")) <= 1 + MAX_DELAY / MIN_HOLD
    assert page.evaluate("window.captions.at(-1)") == sentences[-1]


@pytest.mark.browser
def test_a_pause_stops_the_playback_clock_and_a_click_on_the_board_ends_the_playback(
    script_page: ScriptPage, queue_positions: Fill
) -> None:
    sentences, page = queue_positions(5), script_page.page
    page.locator("#playback-pause").click()
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    run(page, 2 * MAX_DELAY)
    assert page.evaluate("window.captions") == sentences[:1]
    page.locator("#playback-pause").click()
    run(page, MAX_DELAY // 2)
    caption_count = page.evaluate("window.captions.length")
    assert 1 < caption_count < len(sentences)
    expect(page.locator("#playback-skip")).to_be_visible()
    page.locator("#map").click()
    expect(page.locator("#playback-bar")).to_be_hidden()
    expect(page.locator("#map")).to_have_attribute("data-position", "4")
    assert page.evaluate("window.captions.length") == caption_count


@pytest.mark.browser
def test_a_second_tap_on_skip_presses_no_element_behind_the_button(
    script_page: ScriptPage, queue_positions: Fill
) -> None:
    queue_positions(5)
    page = script_page.page
    page.evaluate("""() => {
      const skip = document.getElementById('playback-skip').getBoundingClientRect();
      const leave = document.createElement('button');
      leave.style = `position: fixed; left: ${skip.left}px; top: ${skip.top}px; width: 90px; height: 40px`;
      leave.addEventListener('click', () => { window.presses = (window.presses ?? 0) + 1; });
      document.body.prepend(leave);
      document.getElementById('playback-bar').style.position = 'relative';
    }""")
    box = page.locator("#playback-skip").bounding_box()
    assert box
    centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*centre, click_count=2)
    expect(page.locator("#playback-bar")).to_be_hidden()
    assert page.evaluate("window.presses") is None
    page.mouse.click(centre[0] + 35, centre[1])
    assert page.evaluate("window.presses") == 1
