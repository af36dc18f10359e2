"""Check the script of the replay: by keys, with quick key presses, and without a connection.

The steps are made up here; `test_replay.py` checks the script with the steps of tables.
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
    previous_end = max([0, *(end for end in TURN_ENDS if end < at)])
    next_end = min(end for end in (*TURN_ENDS, LAST) if end > at or end == LAST)
    speeds = "".join(f'<button id="speed-{speed}" data-speed="{speed}">{speed}×</button>' for speed in (1, 2, 4))
    steps = f'data-current-step="{at}" data-first-step="0" data-last-step="{LAST}"'
    return f"""<div id="live-part" {steps} data-announcement="Step {at}/{LAST}.">
<p id="last-move">Ada builds.</p>
<a id="previous-turn-link" data-step="{previous_end}" href="/replay?at={previous_end}">Previous turn</a>
<a id="next-turn-link" data-step="{next_end}" href="/replay?at={next_end}">Next turn</a>
<button id="play-button" data-play-label="Play" data-pause-label="Pause">Play</button>{speeds}
<input type="range" id="step-slider" min="0" max="{LAST}" value="{at}">
<section id="log-panel" data-turn-ends="{" ".join(map(str, TURN_ENDS))}"></section>
</div>"""


PAGE = """<!doctype html><html lang="en"><title>Replay</title>
<script src="/static/vendor/htmx-4.0.1.min.js"></script>
<script type="module" src="/static/js/replay.js"></script>
<p id="connection-notice" hidden>Offline.</p><p id="live-region"></p>
{}
<p id="move-caption" hidden></p></html>"""


def document(request: Request) -> str:
    """Return the page at a step, or only the step for a script's request."""
    shown_step = step(int(request.url.rpartition("=")[2]))
    return shown_step if "hx-request" in request.headers else PAGE.format(shown_step)


@pytest.fixture
def replay_page(script_page: ScriptPage) -> Page:
    """Return the start of a replay of 16 moves with a controlled clock."""
    script_page.document = document
    script_page.page.clock.install()
    return script_page.open("/replay?at=0")


def press(page: Page, *keys: str) -> None:
    """Press keys before any response arrives."""
    page.evaluate(
        """keys => {
          for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }""",
        list(keys),
    )


def at(page: Page, step: int) -> None:
    expect(page.locator("#live-part")).to_have_attribute("data-current-step", str(step))


def test_each_key_press_moves_the_replay_by_one_step(replay_page: Page) -> None:
    press(replay_page, *["ArrowRight"] * 12)
    at(replay_page, 12)
    for _ in range(12):
        replay_page.keyboard.press("ArrowLeft")
    at(replay_page, 0)
    press(replay_page, "End", "ArrowLeft", "ArrowLeft", "ArrowRight")
    at(replay_page, 15)
    assert "at=15" in replay_page.url
    expect(replay_page.locator("#step-slider")).to_have_value("15")


def test_shift_with_an_arrow_key_moves_the_replay_by_a_whole_turn(replay_page: Page) -> None:
    turn_ends = [int(end) for end in (replay_page.locator("#log-panel").get_attribute("data-turn-ends") or "").split()]
    replay_page.keyboard.press("Shift+ArrowRight")
    at(replay_page, turn_ends[0])
    replay_page.get_by_role("link", name="Next turn").click()
    at(replay_page, turn_ends[1])
    replay_page.keyboard.press("ArrowRight")
    at(replay_page, turn_ends[1] + 1)
    replay_page.keyboard.press("Shift+ArrowLeft")
    at(replay_page, turn_ends[1])
    for _ in range(3):
        replay_page.keyboard.press("Shift+ArrowLeft")
    at(replay_page, 0)


def test_the_browser_remembers_the_speed_of_the_replay(replay_page: Page) -> None:
    quick, plain_speed = replay_page.get_by_role("button", name="4×"), replay_page.get_by_role("button", name="1×")
    expect(plain_speed).to_have_attribute("aria-pressed", "true")
    quick.click()
    press(replay_page, "ArrowRight")
    at(replay_page, 1)
    expect(quick).to_have_attribute("aria-pressed", "true")
    replay_page.reload()
    expect(quick).to_have_attribute("aria-pressed", "true")
    replay_page.locator("#play-button").click()
    replay_page.clock.run_for(360)  # a quarter of 1400 ms
    at(replay_page, 2)
    press(replay_page, "2")
    replay_page.clock.run_for(360)
    expect(replay_page.get_by_role("button", name="2×")).to_have_attribute("aria-pressed", "true")
    at(replay_page, 2)
    replay_page.clock.run_for(360)
    at(replay_page, 3)
    expect(plain_speed).to_have_attribute("aria-pressed", "false")


def test_the_replay_stops_with_a_message_when_the_connection_is_lost(
    script_page: ScriptPage, replay_page: Page
) -> None:
    notice, play_button = replay_page.locator("#connection-notice"), replay_page.locator("#play-button")
    expect(notice).to_be_hidden()
    press(replay_page, "ArrowRight", "ArrowRight")
    at(replay_page, 2)
    script_page.is_cut = True
    press(replay_page, "End")
    expect(notice).to_be_visible()
    at(replay_page, 2)
    expect(replay_page.locator("#step-slider")).to_have_value("2")
    play_button.click()
    expect(play_button).to_have_attribute("aria-pressed", "true")
    replay_page.clock.run_for(PACE)
    expect(play_button).to_have_attribute("aria-pressed", "false")
    expect(notice).to_be_visible()
    script_page.is_cut = False
    press(replay_page, "End")
    at(replay_page, 16)
    expect(notice).to_be_hidden()
    script_page.is_cut = True
    press(replay_page, *["ArrowLeft"] * 14)
    at(replay_page, 2)  # it was kept


def test_the_automatic_replay_shows_every_step(replay_page: Page) -> None:
    press(replay_page, *["ArrowRight"] * 13)
    at(replay_page, 13)
    replay_page.evaluate(
        """() => {
          window.seen = [];
          const note = () => seen.push(document.getElementById('live-part').dataset.currentStep);
          document.addEventListener('spieltisch:page-updated', note);
        }"""
    )
    replay_page.locator("#play-button").click()
    for step_shown in (14, 15, 16):
        replay_page.clock.run_for(PACE)
        at(replay_page, step_shown)
    replay_page.clock.run_for(PACE)
    expect(replay_page.locator("#play-button")).to_have_attribute("aria-pressed", "false")
    assert replay_page.evaluate("window.seen") == ["14", "15", "16"]


def test_a_late_response_does_not_hide_the_notice_of_a_lost_connection(replay_page: Page) -> None:
    held_routes: list[Route] = []
    replay_page.route("**/replay?at=3", lambda route: held_routes.append(route))
    replay_page.route("**/replay?at=16", lambda route: route.abort())
    press(replay_page, "ArrowRight", "ArrowRight")
    at(replay_page, 2)
    press(replay_page, "End")
    expect(replay_page.locator("#connection-notice")).to_be_visible()
    with replay_page.expect_response("**/replay?at=3") as answer:
        held_routes[0].fallback()
    answer.value.finished()
    press(replay_page, "ArrowLeft")  # what was kept is shown after the late answer was read
    at(replay_page, 1)
    expect(replay_page.locator("#connection-notice")).to_be_visible()
