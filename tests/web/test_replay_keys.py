"""The script of the replay: by keys, faster than the line and without one. Its steps are of this file; on those of
tables it is tested in `test_replay.py`.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.web.script_page import ScriptPage

pytestmark = pytest.mark.browser
LAST = 16
TURN_ENDS = (5, 7, 12, 16)
PACE = 1400
"""Milliseconds between two moves that are played by themselves."""


def step(at: int) -> str:
    """Return the elements of a step that the script needs."""
    back = max([0, *(end for end in TURN_ENDS if end < at)])
    on = min(end for end in (*TURN_ENDS, LAST) if end > at or end == LAST)
    speeds = "".join(f'<button id="speed-{speed}" data-speed="{speed}">{speed}×</button>' for speed in (1, 2, 4))
    return f"""<div id="live" data-at="{at}" data-first="0" data-last="{LAST}" data-announce="Move {at} of {LAST}.">
<p id="happened">Ada builds.</p>
<a id="turn-back" data-step="{back}" href="/replay?at={back}">Previous turn</a>
<a id="turn-on" data-step="{on}" href="/replay?at={on}">Next turn</a>
<button id="play" data-play="Play" data-pause="Pause">Play</button>{speeds}
<input type="range" id="scrub" min="0" max="{LAST}" value="{at}">
<section id="story" data-turn-ends="{" ".join(map(str, TURN_ENDS))}"></section>
</div>"""


PAGE = """<!doctype html><html lang="en"><title>Replay</title>
<script src="/static/vendor/htmx-4.0.1.min.js"></script>
<script type="module" src="/static/js/replay.js"></script>
<p id="line" hidden>Connection lost. Reconnecting…</p><p id="said"></p>
{}
<p id="caption" hidden></p></html>"""


def document(request: Request) -> str:
    """The page at a step, or the step alone, for who has the page."""
    shown = step(int(request.url.rpartition("=")[2]))
    return shown if "hx-request" in request.headers else PAGE.format(shown)


@pytest.fixture
def replay(script_page: ScriptPage) -> Page:
    """The beginning of a game of 16 moves; its clock goes on by itself, and can be put on."""
    script_page.document = document
    script_page.page.clock.install()
    return script_page.open("/replay?at=0")


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


def test_with_shift_a_key_counts_a_turn(replay: Page) -> None:
    ends = [int(end) for end in (replay.locator("#story").get_attribute("data-turn-ends") or "").split()]
    replay.keyboard.press("Shift+ArrowRight")
    at(replay, ends[0])
    replay.get_by_role("link", name="Next turn").click()
    at(replay, ends[1])
    replay.keyboard.press("ArrowRight")
    at(replay, ends[1] + 1)
    replay.keyboard.press("Shift+ArrowLeft")
    at(replay, ends[1])
    for _ in range(3):
        replay.keyboard.press("Shift+ArrowLeft")
    at(replay, 0)


def test_the_browser_remembers_the_speed(replay: Page) -> None:
    quick, plain = replay.get_by_role("button", name="4×"), replay.get_by_role("button", name="1×")
    expect(plain).to_have_attribute("aria-pressed", "true")
    quick.click()
    press(replay, "ArrowRight")
    at(replay, 1)
    expect(quick).to_have_attribute("aria-pressed", "true")
    replay.reload()
    expect(quick).to_have_attribute("aria-pressed", "true")
    replay.locator("#play").click()
    replay.clock.run_for(360)  # a quarter of 1400 ms
    at(replay, 2)
    press(replay, "2")
    replay.clock.run_for(360)
    expect(replay.get_by_role("button", name="2×")).to_have_attribute("aria-pressed", "true")
    at(replay, 2)
    replay.clock.run_for(360)
    at(replay, 3)
    expect(plain).to_have_attribute("aria-pressed", "false")


def test_on_a_cut_line_replay_stops_and_says_so(script_page: ScriptPage, replay: Page) -> None:
    notice, play = replay.locator("#line"), replay.locator("#play")
    expect(notice).to_be_hidden()
    press(replay, "ArrowRight", "ArrowRight")
    at(replay, 2)
    script_page.is_cut = True
    press(replay, "End")
    expect(notice).to_be_visible()
    at(replay, 2)
    expect(replay.locator("#scrub")).to_have_value("2")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    replay.clock.run_for(PACE)
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(notice).to_be_visible()
    script_page.is_cut = False
    press(replay, "End")
    at(replay, 16)
    expect(notice).to_be_hidden()
    script_page.is_cut = True
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
    for step_shown in (14, 15, 16):
        replay.clock.run_for(PACE)
        at(replay, step_shown)
    replay.clock.run_for(PACE)
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
        held[0].fallback()
    answer.value.finished()
    press(replay, "ArrowLeft")  # what was kept is shown after the late answer was read
    at(replay, 1)
    expect(replay.locator("#line")).to_be_visible()
