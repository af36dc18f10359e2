"""Check the animation of moves, their captions, and the recap for a returning player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.sentences import sentence_after
from tests.web.animations import ENDS, PAUSE, WATCH
from tests.web.conftest import SECONDS, wait_for_true
from tests.web.servers import Server
from tests.web.table_moves import Running, deciding, play
from tests.web.visitors import Visitor, let_in, trade_on

Sees = Callable[..., Page]


MIDDLE = """(id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.left + Math.min(box.width / 2, 80), box.top + Math.min(box.height / 2, 60)];
}"""


@pytest.fixture
def open_table_as(running_table: Running, server: Server, chromium: Browser) -> Iterator[Sees]:
    """Return a function that opens the table as one of its people; page errors fail the test."""
    path, _ = running_table
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
        expect(page.locator("#map-drawing svg")).to_be_visible()
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


TRADE = r"trade \w+ for 1 \w+"


@pytest.mark.browser
def test_a_piece_travels_from_its_depot_to_its_hex_and_is_announced_once(
    running_table: Running, open_table_as: Sees
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    page = open_table_as(other_visitor)
    page.evaluate(
        """() => {
          window.heard = [];
          const said = document.getElementById('live-region');
          new MutationObserver(() => window.heard.push(said.textContent)).observe(said, { childList: true });
        }"""
    )
    move = next(move for move in mover.state(path)["moves"] if move.startswith("build red"))
    (sentence,) = play(path, mover, re.escape(move))
    wait_for_true(page, "() => window.captions.length")
    place = page.locator(".log li").first.get_attribute("data-move-element")
    end_points = page.evaluate(ENDS)
    assert end_points["icon"] == "#icon-company-red"
    assert 400 <= end_points["long"] <= 600
    start, end = end_points["found"]
    assert start == pytest.approx(page.evaluate(MIDDLE, "company-red"), abs=2)
    assert end == pytest.approx(page.evaluate(MIDDLE, place), abs=2)
    assert end_points["left"] == 0
    assert page.evaluate("window.captions") == [sentence]
    announcements = page.evaluate("window.heard")
    assert [text.count(" ".join(sentence.split())) for text in announcements] == [1]  # with plain spaces
    assert page.evaluate("window.covered") == [], "it has a lane of its own"
    assert page.locator("#move-caption").get_attribute("aria-hidden") == "true"


@pytest.mark.browser
def test_quick_moves_are_shown_one_by_one_and_can_be_paused_and_skipped(
    running_table: Running, open_table_as: Sees
) -> None:
    path, (mover, other_visitor, third) = deciding(running_table)
    page, skipper = open_table_as(other_visitor, "slow"), open_table_as(third, "slow")
    page.evaluate(PAUSE)
    sentences = play(path, mover, *["build"] * 4, "done|build")
    newest = str(mover.state(path)["version"])
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#live-part")).to_have_attribute("data-version", newest)
    expect(page.locator("#choices .choice").first).to_be_visible()  # the prompt is of now, the board is not
    assert set(page.evaluate("window.captions")) < set(sentences)
    page.locator("#playback-pause").click()
    wait_for_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    assert page.evaluate("window.captions") == [
        sentence for sentence in sentences if sentence in page.evaluate("window.captions")
    ]
    expect(page.locator("#playback-bar")).to_be_hidden()
    expect(skipper.locator("#live-part")).to_have_attribute("data-version", newest)
    play(path, other_visitor, *["build"] * 4)
    newest = str(other_visitor.state(path)["version"])
    expect(skipper.locator("#playback-skip")).to_be_visible()
    skipper.locator("#map").click(position={"x": 200, "y": 200})
    expect(skipper.locator("#live-part")).to_have_attribute("data-version", newest)
    expect(skipper.locator("#move-caption")).to_be_hidden()
    assert len(skipper.evaluate("window.captions")) < len(sentences) + 4


def bottom(part: Locator) -> float:
    return float(part.evaluate("(part) => part.getBoundingClientRect().bottom"))


LANE = """() => {
  window.lanes = [];
  const said = document.getElementById('move-caption');
  new MutationObserver(() => {
    if (said.hidden) return;
    const [own, line] = [said, document.getElementById('log-panel')].map((part) => part.getBoundingClientRect());
    const across = own.left >= line.left && own.right <= line.right;
    window.lanes.push(across && own.top >= line.top && own.bottom <= line.bottom);
  }).observe(said, { attributes: true });
}"""
"""A script that records of each caption whether it lies in the line of the last move."""


@pytest.mark.browser
def test_on_a_phone_a_caption_covers_only_the_line_of_the_last_move(
    running_table: Running, open_table_as: Sees
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    page = open_table_as(other_visitor, "slow", viewport={"width": 390, "height": 844})
    page.evaluate(LANE)
    sentences = play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#playback-bar")).to_be_visible()
    wait_for_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    assert page.evaluate("new Set(window.lanes).has(true) && !window.lanes.includes(false)")
    assert set(page.evaluate("window.covered")) == {"log-panel"}


@pytest.mark.browser
def test_on_a_phone_captions_do_not_cover_the_pause_bar_and_a_replay_has_none(
    running_table: Running, open_table_as: Sees, server: Server
) -> None:
    path, (mover, other_visitor, _) = deciding(running_table)
    page = open_table_as(other_visitor, "slow", viewport={"width": 390, "height": 700})
    sentences = play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#playback-bar")).to_be_visible()
    page.evaluate("scrollTo(0, document.getElementById('map-drawing').getBoundingClientRect().top + scrollY)")
    wait_for_true(page, "(last) => window.captions.at(-1) === last", sentences[-1])
    caption, head = page.locator("#move-caption"), page.locator(".site-header")
    # The newest position is shown and asked about: its boards are free.
    expect(page.locator("#playback-bar")).to_be_hidden()
    assert bottom(caption) <= bottom(head)
    assert "playback-bar" not in page.evaluate("window.covered")
    page.goto(f"{server.address}{path}/replay?at=0")
    page.locator("#next-step-link").click()
    expect(page.locator("#last-move")).to_have_text(re.compile(re.escape(sentences[0])))
    assert page.evaluate("window.captions") == []


@pytest.mark.browser
def test_reduced_motion_shows_only_captions_and_instant_speed_shows_none(
    running_table: Running, open_table_as: Sees
) -> None:
    path, (mover, other_visitor, third) = deciding(running_table)
    page_without_motion, still_page = (
        open_table_as(other_visitor, reduced_motion="reduce"),
        open_table_as(third, "still"),
    )
    sentences = play(path, mover, "build", "build")
    newest = str(mover.state(path)["version"])
    for page in (page_without_motion, still_page):
        expect(page.locator("#live-part")).to_have_attribute("data-version", newest)
    wait_for_true(page_without_motion, "() => window.captions.length === 2")
    assert page_without_motion.evaluate("window.captions") == sentences
    assert still_page.evaluate("window.captions") == []
    assert [page.evaluate("window.ways.length") for page in (page_without_motion, still_page)] == [0, 0]


UNDER_THE_STAGE = """() => {
  const { bottom } = document.getElementById('playback-bar').getBoundingClientRect();
  const boards = [...document.querySelectorAll('#map-frame, #panel, #prompt')];
  return boards.filter((one) => one.getBoundingClientRect().top < bottom).map((one) => [one.id, bottom]);
}"""
"""The boards that begin higher than what says what happened ends."""


@pytest.mark.browser
def test_a_returning_player_sees_all_moves_since_their_last_turn(running_table: Running, open_table_as: Sees) -> None:
    path, (mover, other_visitor, third) = deciding(running_table)
    page = open_table_as(mover)
    address = page.url
    play(path, mover, *["build"] * 4, "done|build")
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(mover.state(path)["version"]))
    pieces = page.locator("#map .piece").count()
    page.goto("about:blank")
    sentences = play(path, other_visitor, TRADE) + play(path, third, TRADE)
    page.goto(address)
    stage = page.locator("#playback-bar")
    title = sentence_after("web/templates/playback_bar.html", 'class="playback-head"')
    expect(stage.get_by_text(title)).to_be_visible()
    expect(stage.locator("li")).to_have_count(2)
    for line in stage.locator("li").all():
        expect(line).to_have_text(re.compile(r": −1 \w+, \+1 \w+$"))
    wait_for_true(page, "() => window.captions.length === 2")
    assert page.evaluate("window.captions") == sentences
    expect(page.locator("#playback-close")).to_be_visible()
    for width, height in ((1366, 650), (1024, 768), (1920, 1000), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(UNDER_THE_STAGE) == [], (width, height)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#map .piece")).to_have_count(pieces)
    page.locator("#playback-close").click()
    expect(stage).to_be_hidden()
    expect(page.locator("#choices .choice").first).to_be_visible()
    page.reload()
    expect(page.locator("#map-drawing svg")).to_be_visible()
    expect(stage).to_be_hidden()  # it has been seen
    page.locator("#recap-link").click()
    page.locator("#playback-pause").click()
    expect(page.locator("#panel-players .is-own")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#playback-skip")).to_be_hidden()
    assert page.url == address


@pytest.mark.browser
def test_stepping_through_the_replay_animates_pieces_in_both_directions(
    running_table: Running, open_table_as: Sees, server: Server
) -> None:
    path, (mover, *_) = deciding(running_table)
    play(path, mover, "build red")
    page = open_table_as(mover)
    page.goto(f"{server.address}{path}/replay?at=0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#move-caption")).to_be_visible()
    end_positions = page.evaluate(ENDS)["found"]
    page.evaluate("window.ways.length = 0")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#live-part")).to_have_attribute("data-current-step", "0")
    expect(page.locator("#move-caption")).to_be_hidden()
    backward = page.evaluate(ENDS)["found"]
    assert backward[0] == pytest.approx(end_positions[1], abs=3)
    assert backward[1] == pytest.approx(end_positions[0], abs=3)


@pytest.mark.browser
def test_sounds_play_only_for_players_who_turned_them_on(short_game: Running, open_table_as: Sees) -> None:
    path, (mover, other_visitor, third) = deciding(short_game)
    other_visitor.submit("/preferences", **{"sounds-shown": "1", "sounds": "on"})
    with_sound, silent = open_table_as(other_visitor, "fast", path), open_table_as(third, "fast", path)
    play(path, mover, "build", "done")
    wait_for_true(with_sound, "() => window.sounds.length === 2")
    assert with_sound.evaluate("window.sounds") == ["place", "turn"]
    play(path, other_visitor, TRADE)
    wait_for_true(with_sound, "() => window.sounds.at(-1) === 'coin'")
    trade_on(short_game[1], path, None)
    wait_for_true(with_sound, "() => window.sounds.includes('end')")
    expect(silent.locator("#live-part.status-finished")).to_be_visible()
    assert silent.evaluate("window.sounds") == []
