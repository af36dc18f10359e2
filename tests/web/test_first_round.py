"""Guided first rounds: every step has an address of its own and can be tried, without a script, in Chromium, and by
keys alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

import spieltisch
from spieltisch.bots import BEGINNER
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games import GAMES
from spieltisch.guides import Lesson, guide_of
from tests.guide_paths import address, lessons
from tests.tiers import first_alone
from tests.web.conftest import Person, Server, Visitor, comes_true
from tests.web.layout_checks import too_wide
from tests.web.test_move_animation import ENDS, WATCH

PARIS = "/games/paris-connection/first-round"
LABELS = """(move) => {
  const found = [];
  for (let item = document.querySelector(`#tree button[value="${move}"]`).closest('li'); item; ) {
    found.unshift(item.querySelector('.label').textContent);
    item = item.parentElement.closest('li');
  }
  return found;
}"""
"""The labels of a move's words, as its buttons show them."""
CELL = """([given, taken]) => {
  const [head, ...rows] = document.querySelectorAll('#choices .grid tr');
  const at = (cells, label) => cells.findIndex((cell) => cell.textContent.trim() === label.trim());
  return [at(rows.map((row) => row.cells[0]), given), at([...head.cells], taken) - 1];
}"""
"""The row and the column of a trade in the grid of trades."""


def link(page: str, name: str) -> str:
    """Return the target of the link with this id, or "" if there is none."""
    match = re.search(rf'id="{name}" data-go href="([^"]+)"', page)
    return match.group(1) if match else ""


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_the_links_lead_from_the_lobby_through_all_steps_and_back(server: Server, key: str, language: str) -> None:
    game = spieltisch.game(key)
    guide = guide_of(game)
    assert guide is not None
    with Visitor(server, language) as visitor:
        start = f"/games/{key}/first-round"
        for page in ("/", "/new", f"/new/{key}", f"/games/{key}/rules"):
            assert f'href="{start}"' in visitor.get(page).text
        step_address, seen = start, []
        while step_address:
            page = visitor.get(step_address).text
            assert f'<html lang="{language}-' in page
            seen.append(step_address)
            step_address = link(page, "show") or link(page, "on")
        assert len(seen) == len(lessons(game))
        assert html.escape(guide.farewell.text(language), quote=False) in html.unescape(page).replace("&", "&amp;")
        for page_about_it in ("rules", "card"):
            assert f'action="/new/{key}/now"' in visitor.get(f"/games/{key}/{page_about_it}").text
        for way in (f"/new/{key}", f"/games/{key}/rules"):
            assert f'<a class="button small" href="{way}">' in page
        assert re.search(r'<button class="button primary" id="on" form="first-game">', page)
        form = page[page.index(f'id="first-game" method="post" action="/new/{key}/now"') :]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
        assert fields["bot"] == BEGINNER
        began = visitor.post(f"/new/{key}/now", data=fields)
        assert began.status_code == 303, began.text
        assert {seat["bot"] for seat in visitor.state(began.headers["location"])["seats"]} == {"", BEGINNER}
        for step in guide.steps:
            assert any(
                step.title and step.title.text(language) in html.unescape(visitor.get(place).text) for place in seen
            )
        back = [step_address := seen[-1]]
        while step_address := link(visitor.get(step_address).text, "back"):
            back.append(step_address)
        assert back[-1].endswith("/first-round/1")
        assert len(back) == 2 * len(guide.steps)


@pytest.mark.parametrize(
    "place",
    [
        "0",
        "6",
        "2",
        "1-",
        "01",
        "1-0515",
        "-1",
        "x",
        "1-x",
        "1--2",
        "1-1",
        "1-99999999",
        "1-515-513",
        "3-515",
        "٣",
        "1" * 300,
        "1%00",
    ],
)
def test_an_address_that_leads_nowhere_is_not_found(ada: Visitor, place: str) -> None:
    for page in (f"{PARIS}/{place}", f"{PARIS}/{place}/play?move=done", f"{PARIS}/{place}/why?words=done"):
        answer = ada.get(page)
        assert answer.status_code == 404, page
        assert "That’s not possible" in answer.text


def test_without_a_script_a_move_leads_on_or_is_answered(ada: Visitor) -> None:
    begun = f"{PARIS}/1"
    tried = ada.get(f"{begun}/play?move=build+black+Amiens")
    assert tried.status_code == 303
    assert ada.get(tried.headers["location"]).status_code == 200
    other = ada.get(f"{begun}/play?move=build+black+Reims")
    assert other.status_code == 200
    assert "Build track: Onyx, to Amiens." in other.text
    assert f'href="{PARIS}/1"' in other.text
    illegal = ada.get(f"{begun}/play?move=build+black+Lyon")
    assert illegal.status_code == 422
    assert 'href="/games/paris-connection/rules#P5"' in illegal.text
    why = ada.get(f"{begun}/why?words=done")
    assert why.status_code == 200
    assert 'href="/games/paris-connection/rules#T11"' in why.text
    assert ada.get(f"{begun}/why?words=dance").status_code == 422
    for move in ("dance", "", "x" * 4000):
        assert ada.get(f"{begun}/play?move={move}").status_code == 422
    assert ada.get(f"{begun}/play").status_code == 422
    assert ada.get(f"{tried.headers['location']}/play?move=done").status_code == 409
    assert ada.get("/games/nothing/first-round").status_code == 404


def test_each_move_of_the_tree_is_played_by_a_form_that_changes_nothing(ada: Visitor) -> None:
    page = ada.get(f"{PARIS}/1").text
    assert '<form id="act" method="get">' in page
    assert f'formaction="{PARIS}/1/play" name="move" value="build black Amiens"' in page
    assert f'href="{PARIS}/1/why?words=done"' in page
    assert ada.post(f"{PARIS}/1").status_code == 405


def test_a_game_without_a_drawing_gets_one_by_adding_the_file(toy: str, own_server: Callable[..., Server]) -> None:
    with Visitor(own_server(), "nl") as visitor:
        assert f'href="/games/{toy}/first-round"' in visitor.get("/").text
        step_address, titles = f"/games/{toy}/first-round", []
        while step_address:
            page = visitor.get(step_address).text
            titles += re.findall(r'id="lesson-title" tabindex="-1">([^<]+)<', page)
            step_address = link(page, "show") or link(page, "on")
        assert list(dict.fromkeys(titles)) == ["Stenen", "Kaarten", "Vonken", "Een geheim", "Het einde"]


# --- In Chromium. ---


Press = Callable[[Locator], None]


def click(chosen: Locator) -> None:
    chosen.click()


def enter(chosen: Locator) -> None:
    """Tab until it is focused, then press Enter."""
    for _ in range(150):
        if chosen.evaluate("(one) => one === document.activeElement"):
            chosen.page.keyboard.press("Enter")
            return
        chosen.page.keyboard.press("Tab")
    raise AssertionError(f"{chosen} cannot be reached")


def choose(page: Page, move: str, press: Press) -> None:
    """Choose a move word by word, as its buttons offer it."""
    expect(page.locator("#choices .choice").first).to_be_visible()
    labels = page.evaluate(LABELS, move)
    for position, label in enumerate(labels):
        if page.locator("#choices .grid").count():
            given, count, taken = labels[position:]
            press(page.locator("#choices .numbers").get_by_role("button", name=count.strip(), exact=True))
            row, column = page.evaluate(CELL, [given, taken])
            press(page.locator("#choices .grid tbody tr").nth(row).locator("td").nth(column).locator("button"))
            return
        number = page.evaluate(
            """(label) => [...document.querySelectorAll('#choices .choice')]
              .findIndex((one) => !one.matches('.blocked') && one.querySelector('.label')?.textContent === label)""",
            label,
        )
        if number >= 0:  # a word that is the only one to go on with is no choice
            press(page.locator("#choices .choice").nth(number))


def title(lesson: Lesson) -> Name:
    assert lesson.step.title is not None
    return lesson.step.title


def arrived(page: Page, lesson: Lesson, language: str) -> None:
    """The page shows this lesson, and says so."""
    page.wait_for_url(f"**{address(lesson)}")
    expect(page.locator("#lesson-title")).to_have_text(title(lesson).text(language))
    expect(page.locator("#lesson-title")).to_be_focused()
    expected = lesson.step.praise if lesson.is_complete and lesson.step.praise else title(lesson)
    expect(page.locator("#said")).to_contain_text(expected.text(language))
    if lesson.ask is not None:
        expect(page.locator("#prompt-title")).to_have_text(lesson.ask.text.text(language))


@pytest.mark.browser
@pytest.mark.parametrize(
    ("key", "language", "press"),
    [
        pytest.param("paris-connection", "en", enter, marks=pytest.mark.screens),
        ("legendary-inventors", "nl", click),
        pytest.param("era-of-inventions", "fr", click, marks=pytest.mark.screens),
    ],
)
def test_all_steps_are_tried(
    server: Server,
    person: Person,
    key: str,
    language: str,
    press: Press,
) -> None:
    """No step needs scrolling, however long the lesson and the choices are."""
    page = person(locale=language, viewport={"width": 1440, "height": 900})
    page.goto(f"{server.address}/games/{key}/first-round")
    way = lessons(spieltisch.game(key))
    for lesson, after in pairwise(way):
        if lesson.is_complete:
            press(page.locator("#on"))
        else:
            choose(page, lesson.accepted[0].text, press)
        arrived(page, after, language)
        comes_true(page, "() => teaching.scrollHeight <= teaching.clientHeight + 1")
    press(page.locator("#on"))
    page.wait_for_url("**/table/*")
    expect(page.locator("#people li.bot").first).to_be_visible()


BELOW_THE_LOG = """() => document.querySelector(".site-footer").getBoundingClientRect().top
  >= document.getElementById("story").getBoundingClientRect().bottom - 1"""


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_in_a_low_window_the_first_text_is_read_without_scrolling_and_nothing_lies_over_the_log(
    server: Server, person: Person, key: str
) -> None:
    for language in ("en", "de"):
        page = person(locale=language, viewport={"width": 1366, "height": 650})
        page.goto(f"{server.address}/games/{key}/first-round")
        expect(page.locator("#choices .choice").first).to_be_visible()
        comes_true(page, "() => lesson.scrollHeight <= lesson.clientHeight + 1")
        comes_true(page, BELOW_THE_LOG)
        page.close()


@pytest.mark.browser
def test_on_a_phone_by_the_map_with_another_move_a_reason_and_the_way_back(server: Server, person: Person) -> None:
    page = person(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    way = lessons(spieltisch.game("paris-connection"))
    page.goto(f"{server.address}{PARIS}")
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    choose(page, "build black Reims", click)
    expect(page.locator("#notice .other")).to_contain_text("Baue Gleis: Onyx, nach Amiens.")
    expect(page.locator("#live")).to_have_attribute("data-version", "0")
    page.locator("#unroll").tap()
    page.locator("#choices .standing-back summary").tap()
    page.locator("#choices .blocked").first.click()
    expect(page.locator("#notice a.rule").first).to_have_attribute("href", "/games/paris-connection/rules#T11")
    amiens = page.locator("#tree button[value='build black Amiens']").locator("xpath=..").get_attribute("data-place")
    page.locator(f'#map-static [data-place="{amiens}"]').tap()
    page.locator("#choices .leaf", has_text="Onyx").tap()
    arrived(page, way[1], "de")
    page.locator("#on").tap()
    arrived(page, way[2], "de")
    expect(page.locator("#choices .standing-back[open]")).to_have_count(0)
    page.go_back()
    arrived(page, way[1], "de")
    page.locator("#back").tap()
    arrived(page, way[0], "de")
    page.locator("#show").tap()
    arrived(page, way[1], "de")
    page.reload()
    expect(page.locator("#lesson-title")).to_have_text(title(way[1]).de)
    assert too_wide(page) == []


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_on_a_phone_the_board_is_in_sight_between_the_lesson_and_its_choices(
    server: Server, person: Person, key: str
) -> None:
    page = person(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/games/{key}/first-round")
    expect(page.locator("#choices .choice").first).to_be_visible()
    board = page.locator("#map-frame, #panel").first
    expect(board).to_be_visible()
    seen = board.evaluate(
        "(one) => document.getElementById('prompt').getBoundingClientRect().top - one.getBoundingClientRect().top"
    )
    assert seen > 844 / 4
    # What the lesson asks for is the first choice, in sight and marked, as are its places on the board.
    asked = page.locator("#choices .choice").first
    expect(asked).to_have_class(re.compile(r"\basked\b"))
    expect(asked).to_be_in_viewport(ratio=1)
    expect(page.locator("#map-static .is-asked, #panel .is-asked").first).to_be_in_viewport(ratio=0.5)
    # What is said and cannot all be shown is scrolled; what can be done is one line, with all of it behind a button.
    assert page.locator("#lesson").evaluate("(one) => getComputedStyle(one).overflowY") == "auto"
    line = page.locator("#choices > .options")
    assert (line.bounding_box() or {"height": 0})["height"] < 60
    page.locator("#unroll").tap()
    expect(line).to_have_css("flex-wrap", "wrap")


@pytest.mark.browser
def test_on_a_phone_the_task_stays_until_it_is_done_and_is_shown_before_it_is_played(
    server: Server, person: Person
) -> None:
    game = spieltisch.game("era-of-inventions")
    way = lessons(game)
    number = next(n for n, lesson in enumerate(way) if lesson.ask and lesson.ask.accept[0].startswith("develop"))
    ask, before, after = way[number].ask, way[number - 1], way[number + 1]
    assert ask is not None
    page = person(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(server.address + address(way[number]))
    page.locator("#choices .asked").tap()
    first = page.locator("#choices .choice").first
    expect(first).to_have_class(re.compile(r"\basked\b"))
    expect(first).to_be_in_viewport(ratio=1)
    expect(page.locator("#prompt-title")).to_be_in_viewport(ratio=1)
    expect(page.locator("#prompt-title")).to_have_text(ask.text.en)
    page.locator("#show").tap()
    assert page.locator("#panel .is-asked").first.evaluate("(one) => one.getAnimations().length") == 1
    expect(page.locator("#panel .is-asked").first).to_be_in_viewport()
    arrived(page, after, "en")
    page.locator("#back").tap()
    arrived(page, way[number], "en")
    page.locator("#back").tap()
    arrived(page, before, "en")


STAGED = """
document.addEventListener('DOMContentLoaded', () => {
  const stage = document.getElementById('stage');
  new MutationObserver(() => { window.staged ||= !stage.hidden; }).observe(stage, { attributes: true });
});
"""
"""Tests that the box with Pause and Skip has been shown."""


@pytest.mark.browser
def test_an_own_move_is_not_played_back(server: Server, person: Person) -> None:
    first, second, *_ = lessons(spieltisch.game("paris-connection"))
    page = person(locale="en", viewport={"width": 1440, "height": 900})
    page.add_init_script(WATCH + STAGED)
    page.goto(server.address + address(first))
    expect(page.locator("#map-static svg")).to_be_visible()
    pieces = page.locator("#map .piece").count()
    page.locator("#show").click()
    arrived(page, second, "en")
    comes_true(page, "() => window.ways.length")
    expect(page.locator("#map .piece")).to_have_count(pieces + 1)
    expect(page.locator("#stage")).not_to_have_class(re.compile("recapping"))
    assert page.evaluate("window.captions") == []
    assert not page.evaluate("window.staged")


@pytest.mark.browser
def test_what_a_step_leads_to_is_seen_move_by_move(server: Server, person: Person) -> None:
    """From the learner's own "done" to the moves of the others: each thing travels, and is said at its place."""
    way = lessons(spieltisch.game("paris-connection"))
    number = next(n for n, lesson in enumerate(way) if lesson.accepted and lesson.accepted[0].text == "done")
    before, after = (server.address + address(lesson) for lesson in way[number : number + 2])
    page = person(locale="en", viewport={"width": 1440, "height": 900})
    page.add_init_script(WATCH)
    page.goto(before)
    expect(page.locator("#map-static svg")).to_be_visible()
    pieces = page.locator("#map .piece").count()
    page.locator("#show").click()
    expect(page.locator("#stage")).to_contain_text("Move by move")
    page.locator("#stage-pause").click()
    expect(page.locator("#stage-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#lesson-title")).to_have_text(title(way[number]).text("en"))  # the words wait for the pieces
    expect(page.locator("#said")).to_be_empty()
    expect(page.locator("#choices")).to_be_hidden()  # but the question is answered
    expect(page.locator("#prompt-title")).to_have_text("What happened")
    shown = page.locator("#map .piece").count()
    page.locator("#stage-pause").click()
    arrived(page, way[number + 1], "en")
    _, own, *log_lines = [line.strip() for line in page.locator(".lesson-log li").all_inner_texts()]
    assert len(page.evaluate("window.captions")) == len(log_lines)
    assert page.evaluate("window.captions.map((one) => one.replace(/\\s+/g, ' '))") == log_lines
    assert own not in log_lines  # the learner has just done it
    assert 400 <= page.evaluate(ENDS)["long"] <= 600
    expect(page.locator("#stage")).to_be_hidden()
    assert page.locator("#map .piece").count() > shown >= pieces
    # With less motion the captions alone; who skips has the end at once, and who comes by the address as well.
    calm = person(locale="en", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    calm.add_init_script(WATCH)
    calm.goto(before)
    calm.locator("#show").click()
    comes_true(calm, "() => window.captions.length > 1")
    assert calm.evaluate("scrollY") == 0  # the text stays where it is being read
    calm.keyboard.press("Escape")
    expect(calm.locator("#stage")).to_be_hidden()
    assert calm.evaluate("window.ways.length") == 0
    ended = calm.locator("#map .pieces").evaluate("(one) => one.outerHTML")
    calm.goto(after)
    expect(calm.locator("#stage")).to_be_hidden()
    assert calm.locator("#map .pieces").evaluate("(one) => one.outerHTML") == ended
