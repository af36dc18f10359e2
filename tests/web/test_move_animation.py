"""Animation of moves: pieces travel to their places, the moves of others get captions there one after another, and
a player who comes back sees on the board what they have missed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import SECONDS, Server, Visitor, comes_true, let_in, trade_on

Running = tuple[str, list[Visitor]]
Sees = Callable[..., Page]

WATCH = """
window.captions = [];
window.covered = [];
window.ways = [];
window.sounds = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const way = animate.apply(this, how);
  way.pause();
  window.ways.push(way);
  return way;
};
document.addEventListener('spieltisch:sound', ({ detail }) => window.sounds.push(detail));
document.addEventListener('DOMContentLoaded', () => {
  const said = document.getElementById('caption');
  if (!said) return;
  new MutationObserver(() => {
    const text = said.hidden ? '' : said.textContent.trim();
    if (text && window.captions.at(-1) !== text) window.captions.push(text);
    const own = said.getBoundingClientRect();
    for (const part of text ? document.querySelectorAll('#map-frame, #panel, #prompt, #story, #people, #stage') : []) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      if (own.left < right && own.right > left && own.top < bottom && own.bottom > top) window.covered.push(part.id);
    }
  }).observe(said, { attributes: true, childList: true });
});
"""
"""A script that records captions, moving pieces (held at their start), and announcements."""

ENDS = """async () => {
  const [way] = window.ways;
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.left + Math.min(box.width / 2, 80), box.top + Math.min(box.height / 2, 60)];
  };
  const found = [];
  for (const time of [0, way.effect.getComputedTiming().endTime]) {
    way.currentTime = time;
    found.push(middle(way.effect.target));
  }
  const [long, sign] = [way.effect.getTiming().duration, way.effect.target.querySelector('use').getAttribute('href')];
  const over = way.finished;
  way.finish();
  await over;
  await new Promise(requestAnimationFrame);
  return { found, long, sign, left: document.querySelectorAll('.travelling').length };
}"""
"""A script that returns the start, end and duration of the first moving piece, its kind, and what is left of it."""

MIDDLE = """(id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.left + Math.min(box.width / 2, 80), box.top + Math.min(box.height / 2, 60)];
}"""


@pytest.fixture
def sees(running: Running, server: Server, chromium: Browser) -> Iterator[Sees]:
    """Opens the table as one of its people sees it; whatever the page complains about fails the test."""
    path, _ = running
    contexts, complaints = [], []

    def start(visitor: Visitor, pace: str = "", table: str = path, **settings: Any) -> Page:
        if pace:
            visitor.submit("/preferences", pace=pace)
        context = chromium.new_context(**{"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, **settings})
        context.set_default_timeout(SECONDS)
        context.add_init_script(WATCH)
        let_in(context, visitor)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(server.address + table)
        expect(page.locator("#map-static svg")).to_be_visible()
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


def deciding(running: Running) -> tuple[str, list[Visitor]]:
    """The table's path and its people, who is to decide first."""
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    return path, [visitors[(seat + step) % 3] for step in range(3)]


def play(path: str, mover: Visitor, *wishes: str) -> list[str]:
    """Play moves that begin with these texts; return their sentences in the log."""
    sentences = []
    for wish in wishes:
        move = next(move for move in mover.state(path)["moves"] if re.match(wish, move))
        assert mover.play(path, move).status_code == 200
        sentences.append(" ".join(mover.state(path)["log"][-1]["text"]))
    return sentences


TRADE = r"trade \w+ for 1 \w+"


@pytest.mark.browser
def test_a_piece_travels_from_its_depot_to_its_hex_and_is_said_there_once(running: Running, sees: Sees) -> None:
    path, (mover, other, _) = deciding(running)
    page = sees(other)
    page.evaluate(
        """() => {
          window.heard = [];
          const said = document.getElementById('said');
          new MutationObserver(() => window.heard.push(said.textContent)).observe(said, { childList: true });
        }"""
    )
    move = next(move for move in mover.state(path)["moves"] if move.startswith("build red"))
    (sentence,) = play(path, mover, re.escape(move))
    comes_true(page, "() => window.captions.length")
    place = page.locator(".log li").first.get_attribute("data-move-element")
    ways = page.evaluate(ENDS)
    assert ways["sign"] == "#sign-company-red"
    assert 400 <= ways["long"] <= 600
    start, end = ways["found"]
    assert start == pytest.approx(page.evaluate(MIDDLE, "company-red"), abs=2)
    assert end == pytest.approx(page.evaluate(MIDDLE, place), abs=2)
    assert ways["left"] == 0
    assert page.evaluate("window.captions") == [sentence]
    announcements = page.evaluate("window.heard")
    assert [text.count(" ".join(sentence.split())) for text in announcements] == [1]  # with plain spaces
    assert page.evaluate("window.covered") == [], "it has a lane of its own"
    assert page.locator("#caption").get_attribute("aria-hidden") == "true"


PAUSE = """() => {
  const stage = document.getElementById('stage'), pause = document.getElementById('stage-pause');
  const changes = new MutationObserver(() => {
    if (stage.hidden || pause.hidden) return;
    changes.disconnect();
    pause.click();
  });
  changes.observe(stage, { subtree: true, attributes: true, childList: true });
}"""
"""Press Pause as soon as it is there: on a busy machine all moves may have been shown before a test comes to it."""


@pytest.mark.browser
def test_quick_moves_are_shown_one_after_the_other_can_be_paused_and_skipped(running: Running, sees: Sees) -> None:
    path, (mover, other, third) = deciding(running)
    page, skipper = sees(other, "slow"), sees(third, "slow")
    page.evaluate(PAUSE)
    sentences = play(path, mover, *["build"] * 4, "done|build")
    newest = str(mover.state(path)["version"])
    expect(page.locator("#stage-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#live")).to_have_attribute("data-version", newest)
    expect(page.locator("#choices .choice").first).to_be_visible()  # the prompt is of now, the board is not
    assert set(page.evaluate("window.captions")) < set(sentences)
    page.locator("#stage-pause").click()
    comes_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    assert page.evaluate("window.captions") == [
        sentence for sentence in sentences if sentence in page.evaluate("window.captions")
    ]
    expect(page.locator("#stage")).to_be_hidden()
    expect(skipper.locator("#live")).to_have_attribute("data-version", newest)
    play(path, other, *["build"] * 4)
    newest = str(other.state(path)["version"])
    expect(skipper.locator("#stage-skip")).to_be_visible()
    skipper.locator("#map").click(position={"x": 200, "y": 200})
    expect(skipper.locator("#live")).to_have_attribute("data-version", newest)
    expect(skipper.locator("#caption")).to_be_hidden()
    assert len(skipper.evaluate("window.captions")) < len(sentences) + 4


def bottom(part: Locator) -> float:
    return float(part.evaluate("(part) => part.getBoundingClientRect().bottom"))


LANE = """() => {
  window.lanes = [];
  const said = document.getElementById('caption');
  new MutationObserver(() => {
    if (said.hidden) return;
    const [own, line] = [said, document.getElementById('story')].map((part) => part.getBoundingClientRect());
    const across = own.left >= line.left && own.right <= line.right;
    window.lanes.push(across && own.top >= line.top && own.bottom <= line.bottom);
  }).observe(said, { attributes: true });
}"""
"""A script that records of each caption whether it lies in the line of the last move."""


@pytest.mark.browser
def test_on_a_phone_a_caption_takes_the_line_of_the_last_move_and_covers_nothing_else(
    running: Running, sees: Sees
) -> None:
    path, (mover, other, _) = deciding(running)
    page = sees(other, "slow", viewport={"width": 390, "height": 844})
    page.evaluate(LANE)
    sentences = play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#stage")).to_be_visible()
    comes_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    assert page.evaluate("new Set(window.lanes).has(true) && !window.lanes.includes(false)")
    assert set(page.evaluate("window.covered")) == {"story"}


@pytest.mark.browser
def test_on_a_phone_no_caption_lies_over_the_bar_that_pauses_and_a_replay_has_none(
    running: Running, sees: Sees, server: Server
) -> None:
    path, (mover, other, _) = deciding(running)
    page = sees(other, "slow", viewport={"width": 390, "height": 844})
    sentences = play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#stage")).to_be_visible()
    page.evaluate("scrollTo(0, document.getElementById('map-static').getBoundingClientRect().top + scrollY)")
    comes_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    said, head = page.locator("#caption"), page.locator(".site-header")
    expect(page.locator("#stage")).to_be_hidden()  # the newest position is shown and asked about: its boards are free
    assert bottom(said) <= bottom(head)
    assert "stage" not in page.evaluate("window.covered")
    page.goto(f"{server.address}{path}/replay?at=0")
    page.locator("#step-on").click()
    expect(page.locator("#happened")).to_have_text(re.compile(re.escape(sentences[0])))
    assert page.evaluate("window.captions") == []


@pytest.mark.browser
def test_with_less_motion_captions_alone_and_at_once_neither(running: Running, sees: Sees) -> None:
    path, (mover, other, third) = deciding(running)
    calm, still = sees(other, reduced_motion="reduce"), sees(third, "still")
    sentences = play(path, mover, "build", "build")
    newest = str(mover.state(path)["version"])
    for page in (calm, still):
        expect(page.locator("#live")).to_have_attribute("data-version", newest)
    comes_true(calm, "() => window.captions.length === 2")
    assert calm.evaluate("window.captions") == sentences
    assert still.evaluate("window.captions") == []
    assert [page.evaluate("window.ways.length") for page in (calm, still)] == [0, 0]


UNDER_THE_STAGE = """() => {
  const { bottom } = document.getElementById('stage').getBoundingClientRect();
  const boards = [...document.querySelectorAll('#map-frame, #panel, #prompt')];
  return boards.filter((one) => one.getBoundingClientRect().top < bottom).map((one) => [one.id, bottom]);
}"""
"""The boards that begin higher than what says what happened ends."""


@pytest.mark.browser
def test_who_comes_back_sees_what_happened_since_their_whole_turn(running: Running, sees: Sees) -> None:
    path, (mover, other, third) = deciding(running)
    page = sees(mover)
    address = page.url
    play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#live")).to_have_attribute("data-version", str(mover.state(path)["version"]))
    pieces = page.locator("#map .piece").count()
    page.goto("about:blank")
    sentences = play(path, other, TRADE) + play(path, third, TRADE)
    page.goto(address)
    stage = page.locator("#stage")
    expect(stage.get_by_text("Since your last turn")).to_be_visible()
    expect(stage.locator("li")).to_have_count(2)
    for line in stage.locator("li").all():
        expect(line).to_have_text(re.compile(r": −1 \w+, \+1 \w+$"))
    comes_true(page, "() => window.captions.length === 2")
    assert page.evaluate("window.captions") == sentences
    expect(page.locator("#stage-close")).to_be_visible()
    for width, height in ((1366, 650), (1024, 768), (1920, 1000), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(UNDER_THE_STAGE) == [], (width, height)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#map .piece")).to_have_count(pieces)
    page.locator("#stage-close").click()
    expect(stage).to_be_hidden()
    expect(page.locator("#choices .choice").first).to_be_visible()
    page.reload()
    expect(page.locator("#map-static svg")).to_be_visible()
    expect(stage).to_be_hidden()  # it has been seen
    page.get_by_role("link", name="Since my last turn").click()
    page.locator("#stage-pause").click()
    expect(page.locator("#panel-players .is-own")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#stage-skip")).to_be_hidden()
    assert page.url == address


@pytest.mark.browser
def test_stepping_in_the_replay_moves_things_there_and_back(running: Running, sees: Sees, server: Server) -> None:
    path, (mover, *_) = deciding(running)
    play(path, mover, "build red")
    page = sees(mover)
    page.goto(f"{server.address}{path}/replay?at=0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#caption")).to_be_visible()
    ends = page.evaluate(ENDS)["found"]
    page.evaluate("window.ways.length = 0")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#live")).to_have_attribute("data-at", "0")
    expect(page.locator("#caption")).to_be_hidden()
    back = page.evaluate(ENDS)["found"]
    assert back[0] == pytest.approx(ends[1], abs=3)
    assert back[1] == pytest.approx(ends[0], abs=3)


@pytest.mark.browser
def test_sounds_are_for_who_asked_for_them(short: Running, sees: Sees) -> None:
    path, (mover, other, third) = deciding(short)
    other.submit("/preferences", **{"sounds-shown": "1", "sounds": "on"})
    with_sound, silent = sees(other, "fast", path), sees(third, "fast", path)
    play(path, mover, "build", "done")
    comes_true(with_sound, "() => window.sounds.length === 2")
    assert with_sound.evaluate("window.sounds") == ["place", "turn"]
    play(path, other, TRADE)
    comes_true(with_sound, "() => window.sounds.at(-1) === 'coin'")
    trade_on(short[1], path, None)
    comes_true(with_sound, "() => window.sounds.includes('end')")
    expect(silent.locator("#live.finished")).to_be_visible()
    assert silent.evaluate("window.sounds") == []
