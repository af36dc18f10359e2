"""Check that lessons stand still: one size of letters, one top edge, no line cut, old words until the new are there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import spieltisch
from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from tests.guides.guide_paths import address, lessons
from tests.puzzles.puzzle_addresses import addresses
from tests.tiers import first_alone
from tests.web.conftest import Person, wait_for_true
from tests.web.layout_checks import PHONES, draws, on_screens
from tests.web.servers import Server

LOW: ViewportSize = {"width": 1366, "height": 650}
CUT_LINES = """() => {
  const range = document.createRange();
  const found = [];
  for (const box of document.querySelectorAll("#lesson, .lesson-log")) {
    const edge = box.getBoundingClientRect().bottom - box.clientTop;
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      const cut = [...range.getClientRects()]
        .filter(({ top, bottom, width }) => width > 1 && top < edge - 3 && bottom > edge + 1);
      if (cut.length) found.push(`cut: ${texts.currentNode.data.trim().slice(0, 40)}`);
    }
  }
  return found;
}"""
"""The texts of a lesson, and the moves after its step, with a line of which the box shows only a part."""
SIZES = """() => {
  const top = Math.round(document.getElementById("lesson").getBoundingClientRect().top);
  const parts = ["#lesson-title", "#lesson p:not(.eyebrow, .lesson-promise, .rule-sources)", "#prompt-title"];
  const sizes = (part) => [...document.querySelectorAll(part)].map((one) => getComputedStyle(one).fontSize);
  return parts.flatMap((part) => sizes(part).map((size) => [part, size, top]));
}"""
"""The size of letters of each part of a lesson, and where its box begins."""
FRAMES = """
window.seen = [];
const look = () => {
  const say = (part) => document.querySelector(part)?.textContent.trim();
  const [words, question] = [say("#lesson :is(.words, .feedback)"), say("#prompt-title")];
  const choices = [...document.querySelectorAll("#choices .choice")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true })).length;
  const isPlaying = Boolean(document.querySelector(".is-playing-moves"));
  if (question !== undefined) window.seen.push([words, question, choices, isPlaying]);
  requestAnimationFrame(look);
};
document.addEventListener("DOMContentLoaded", look);
"""
"""Note in each frame what a lesson says and asks, and whether moves are played."""


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_on_a_phone_the_box_of_a_lesson_cuts_no_line(server: Server, open_page: Person, language: str) -> None:
    page, faults, scrolled = open_page(locale=language, viewport=PHONES[0], has_touch=True, is_mobile=True), [], 0
    steps = [lesson for key in game_modules() for lesson in lessons(spieltisch.game(key)) if lesson.tasks_done < 2]
    for path in (*(address(step) for step in steps), *addresses()):
        page.set_viewport_size(PHONES[0])
        page.goto(server.address + path)
        expect(page.locator("#lesson")).to_be_visible()
        page.evaluate("document.fonts.ready.then(() => null)")
        for screen in on_screens(page, *PHONES):
            draws(page)
            faults += [f"{path}, {screen}: {fault}" for fault in page.evaluate(CUT_LINES)]
            scrolled += page.evaluate("lesson.scrollHeight > lesson.clientHeight + 1")
    assert faults == []
    assert scrolled > 3, "some are too long"


def play_step(page: Page, path: str) -> None:
    """Let the lesson show its move, or go on, and wait for the next step."""
    page.locator("#show-move-link, #next-step").first.click()
    page.wait_for_url(f"**{path}")
    wait_for_true(
        page, "() => document.activeElement?.id === 'lesson-title' && !document.querySelector('.is-playing-moves')"
    )
    draws(page)


@pytest.mark.browser
@pytest.mark.parametrize("key", ["era-of-inventions", "legendary-inventors", "paris-connection"])
def test_in_a_low_window_all_steps_of_a_lesson_have_one_size_of_letters_and_one_top_edge(
    server: Server, open_page: Person, key: str
) -> None:
    page, found = open_page(locale="de", viewport=LOW), set()
    for lesson in lessons(spieltisch.game(key)):
        page.goto(server.address + address(lesson))
        expect(page.locator("#lesson")).to_be_visible()
        wait_for_true(
            page, "() => document.fonts.status === 'loaded' && 'promptFit' in document.documentElement.dataset"
        )
        draws(page)
        found |= {tuple(size) for size in page.evaluate(SIZES)}
    assert len(found) == 3, sorted(found)


HIDDEN_BOARDS = """() => {
  const boards = document.getElementById("panel");
  const map = document.querySelector(".map")?.getBoundingClientRect().bottom ?? 0;
  return Math.max(0, boards.scrollHeight - boards.clientHeight, Math.round(map) - innerHeight);
}"""
"""So many pixels of the boards have to be scrolled to."""
CUT_CARDS = """() => [...document.querySelectorAll("#panel .invention")].filter((card) => {
  const { left, width, bottom } = card.getBoundingClientRect();
  return !card.contains(document.elementFromPoint(left + width / 2, bottom - 1.5));
}).map((card) => card.id)"""
"""The cards that have something over their lower edge."""


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", ["de", "en"]))
def test_in_a_low_window_the_boards_of_lessons_and_puzzles_are_whole(
    server: Server, open_page: Person, language: str
) -> None:
    page, faults = open_page(locale=language, viewport=LOW), []
    steps = [lesson for key in game_modules() for lesson in lessons(spieltisch.game(key)) if not lesson.is_complete]
    for path in (*(address(step) for step in steps), *(path for path in addresses() if "/answer/" not in path)):
        page.goto(server.address + path)
        expect(page.locator("#choices .choice").first).to_be_visible()
        expect(page.locator(".site-footer")).to_be_hidden()
        draws(page)
        hidden = page.evaluate(HIDDEN_BOARDS)
        faults += [f"{path}: {hidden} px"] * (hidden > 1) + [f"{path}: {card}" for card in page.evaluate(CUT_CARDS)]
    assert faults == []


@pytest.mark.browser
def test_the_old_question_of_a_lesson_stays_until_the_new_one_has_its_choices(
    server: Server, open_page: Person
) -> None:
    lesson_steps = lessons(spieltisch.game("era-of-inventions"))
    number = next(n for n, step in enumerate(lesson_steps[1:]) if lesson_steps[n].ask and step.ask and step.tasks_done)
    page = open_page(locale="en", viewport=LOW)
    page.add_init_script(FRAMES)
    page.goto(server.address + address(lesson_steps[number]))
    expect(page.locator("#choices .choice").first).to_be_visible()
    page.evaluate("window.seen.length = 0")
    play_step(page, address(lesson_steps[number + 1]))
    frames = page.evaluate("window.seen")
    asks = [step.ask.text.en for step in lesson_steps[number : number + 2] if step.ask]
    assert any(is_playing for *_, is_playing in frames)
    assert {question for _, question, _, is_playing in frames if is_playing} == {asks[0]}
    assert [frame for frame in frames if not frame[0] or (frame[1] == asks[1] and not frame[2])] == []
