"""Check guided first rounds: the address of every step, without a script, in Chromium, and by keys alone."""

from __future__ import annotations

import html
import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

import spieltisch
from spieltisch.bots import BEGINNER
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games import GAMES
from spieltisch.guides import Lesson, guide_of
from tests.guides.guide_paths import address, lessons
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.animations import ENDS, WATCH
from tests.web.conftest import Person, wait_for_true
from tests.web.layout_checks import too_wide
from tests.web.lesson_choices import Press, choose, click, enter
from tests.web.servers import Server
from tests.web.visitors import Visitor

PARIS = "/games/paris-connection/first-round"


def link(page: str, name: str) -> str:
    """Return the target of the link with this id, or "" if there is none."""
    match = re.search(rf'id="{name}" data-lesson-link href="([^"]+)"', page)
    return match.group(1) if match else ""


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_links_lead_from_the_lobby_through_all_lesson_steps_and_back(server: Server, key: str, language: str) -> None:
    game = spieltisch.game(key)
    guide = guide_of(game)
    assert guide is not None
    with Visitor(server, language) as visitor:
        start = f"/games/{key}/first-round"
        for page in ("/", "/new", f"/new/{key}", f"/games/{key}/rules"):
            assert f'href="{start}"' in visitor.get(page).text
        step_address, visited_addresses = start, []
        while step_address:
            page = visitor.get(step_address).text
            assert f'<html lang="{language}-' in page
            visited_addresses.append(step_address)
            step_address = link(page, "show-move-link") or link(page, "next-step")
        assert len(visited_addresses) == len(lessons(game))
        assert html.escape(guide.farewell.text(language), quote=False) in html.unescape(page).replace("&", "&amp;")
        for page_about_it in ("rules", "card"):
            assert f'action="/new/{key}/now"' in visitor.get(f"/games/{key}/{page_about_it}").text
        for start_page in (f"/new/{key}", f"/games/{key}/rules"):
            assert f'<a class="button small" href="{start_page}">' in page
        assert re.search(r'<button class="button primary" id="next-step" form="first-game-form">', page)
        form = page[page.index(f'id="first-game-form" method="post" action="/new/{key}/now"') :]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
        assert fields["bot"] == BEGINNER
        start_response = visitor.post(f"/new/{key}/now", data=fields)
        assert start_response.status_code == 303, start_response.text
        assert {seat["bot"] for seat in visitor.state(start_response.headers["location"])["seats"]} == {"", BEGINNER}
        for step in guide.steps:
            assert any(
                step.title and step.title.text(language) in html.unescape(visitor.get(place).text)
                for place in visited_addresses
            )
        addresses_back = [step_address := visited_addresses[-1]]
        while step_address := link(visitor.get(step_address).text, "previous-step"):
            addresses_back.append(step_address)
        assert addresses_back[-1].endswith("/first-round/1")
        assert len(addresses_back) == 2 * len(guide.steps)


def test_the_boards_after_each_move_of_a_lesson_come_with_the_points_of_their_position(ada: Visitor) -> None:
    def points(page: str) -> list[int]:
        return [int(number) for number in re.findall(r'<span class="points"[^>]*>(\d+)<', page)]

    steps = lessons(spieltisch.game("paris-connection"))
    lesson = next(step for step in steps if step.is_complete and step.number == 4)
    assert len(lesson.scripted_moves) > lesson.fresh + 1  # moves of others follow
    before = points(ada.get(f"{address(lesson)}?after={lesson.fresh}").text)
    after_own = points(ada.get(f"{address(lesson)}?after={lesson.fresh + 1}").text)
    at_the_end = points(ada.get(f"{address(lesson)}?after={len(lesson.scripted_moves)}").text)
    assert at_the_end == points(ada.get(address(lesson)).text) == [lesson.position.observe(0).scores[0]]
    assert before < after_own


def test_the_last_page_of_a_first_round_says_what_the_choice_was_worth_and_marks_no_player(ada: Visitor) -> None:
    *_, asked, end = lessons(spieltisch.game("paris-connection"))
    marked = '<li id="seat-0" class="is-deciding'
    assert marked in ada.get(address(asked)).text
    page = ada.get(address(end)).text
    assert marked not in page
    worth = re.search(r'<p id="choice-worth">([^<]+)</p>', page)
    assert worth
    assert end.choice
    assert not end.choice.is_best
    assert re.findall(r"\d+", worth[1]) == ["24", str(end.choice.points_after), str(end.choice.most_points)]
    best = ada.get(f"{address(asked)}-{end.choice.best.number}").text
    assert re.findall(r"\d+", re.findall(r'<p id="choice-worth">([^<]+)</p>', best)[0]) == ["24", "32"]


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
def test_unknown_lesson_steps_are_not_found(ada: Visitor, place: str) -> None:
    for page in (f"{PARIS}/{place}", f"{PARIS}/{place}/play?move=done", f"{PARIS}/{place}/why?words=done"):
        answer = ada.get(page)
        assert answer.status_code == 404, page
        assert '<section class="sheet has-cover error-page">' in answer.text


def test_without_a_script_a_lesson_move_leads_to_the_next_step_or_a_reason(ada: Visitor) -> None:
    first_step_address = f"{PARIS}/1"
    tried_page = ada.get(f"{first_step_address}/play?move=build+black+Amiens")
    assert tried_page.status_code == 303
    assert ada.get(tried_page.headers["location"]).status_code == 200
    other_move = ada.get(f"{first_step_address}/play?move=build+black+Reims")
    assert other_move.status_code == 200
    assert "Build track: Onyx, to Amiens." in other_move.text
    assert f'href="{PARIS}/1"' in other_move.text
    illegal = ada.get(f"{first_step_address}/play?move=build+black+Lyon")
    assert illegal.status_code == 422
    assert 'href="/games/paris-connection/rules#P5"' in illegal.text
    why = ada.get(f"{first_step_address}/why?words=done")
    assert why.status_code == 200
    assert 'href="/games/paris-connection/rules#T11"' in why.text
    assert ada.get(f"{first_step_address}/why?words=dance").status_code == 422
    for move in ("dance", "", "x" * 4000):
        assert ada.get(f"{first_step_address}/play?move={move}").status_code == 422
    assert ada.get(f"{first_step_address}/play").status_code == 422
    assert ada.get(f"{tried_page.headers['location']}/play?move=done").status_code == 409
    assert ada.get("/games/nothing/first-round").status_code == 404


def test_every_lesson_move_is_a_form_that_changes_nothing_on_the_server(ada: Visitor) -> None:
    page = ada.get(f"{PARIS}/1").text
    assert '<form id="move-form" method="get">' in page
    assert f'formaction="{PARIS}/1/play" name="move" value="build black Amiens"' in page
    assert f'href="{PARIS}/1/why?words=done"' in page
    assert ada.post(f"{PARIS}/1").status_code == 405


def test_a_game_without_a_drawing_gets_a_first_round_from_its_guide_file(toy: str, toy_server: Server) -> None:
    with Visitor(toy_server, "nl") as visitor:
        assert f'href="/games/{toy}/first-round"' in visitor.get("/").text
        step_address, titles = f"/games/{toy}/first-round", []
        while step_address:
            page = visitor.get(step_address).text
            titles += re.findall(r'id="lesson-title" tabindex="-1">([^<]+)<', page)
            step_address = link(page, "show-move-link") or link(page, "next-step")
        assert list(dict.fromkeys(titles)) == ["Stenen", "Kaarten", "Vonken", "Een geheim", "Het einde"]


# --- In Chromium. ---


def title(lesson: Lesson) -> Name:
    assert lesson.step.title is not None
    return lesson.step.title


def expect_lesson(page: Page, lesson: Lesson, language: str) -> None:
    """Check that the page shows and announces this lesson."""
    page.wait_for_url(f"**{address(lesson)}")
    expect(page.locator("#lesson-title")).to_have_text(title(lesson).text(language))
    expect(page.locator("#lesson-title")).to_be_focused()
    expected = lesson.step.praise if lesson.is_complete and lesson.step.praise else title(lesson)
    expect(page.locator("#live-region")).to_contain_text(expected.text(language))
    if lesson.ask is not None:
        expect(page.locator("#prompt-title")).to_have_text(lesson.ask.text.text(language))


FITS = """() => {
  const column = document.getElementById('lesson-column');
  return column.scrollHeight <= column.clientHeight + 1;
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("key", "language", "press"),
    [
        pytest.param("paris-connection", "en", enter, marks=pytest.mark.screens),
        ("legendary-inventors", "nl", click),
        pytest.param("era-of-inventions", "fr", click, marks=pytest.mark.screens),
    ],
)
def test_all_lesson_steps_are_played_without_scrolling(
    server: Server,
    open_page: Person,
    key: str,
    language: str,
    press: Press,
) -> None:
    page = open_page(locale=language, viewport={"width": 1440, "height": 900})
    page.goto(f"{server.address}/games/{key}/first-round")
    lesson_steps = lessons(spieltisch.game(key))
    for lesson, after in pairwise(lesson_steps):
        if lesson.is_complete:
            press(page.locator("#next-step"))
        else:
            choose(page, lesson.accepted[0].text, press)
        expect_lesson(page, after, language)
        wait_for_true(page, FITS)
    press(page.locator("#next-step"))
    page.wait_for_url("**/table/*")
    expect(page.locator("#player-list li.seat-kind-bot").first).to_be_visible()


WHOLE = """() => {
  const panel = document.getElementById("panel");
  const widths = [...document.querySelectorAll("#choices > .choice-list > .choice")].map((one) => one.clientWidth);
  const log = document.getElementById("log-panel").getBoundingClientRect();
  return panel.scrollHeight <= panel.clientHeight + 1 && new Set(widths).size === 1 && log.bottom <= innerHeight + 1;
}"""
"""A script that returns whether the boards are not cut, the choices are one column, and the log is in the window."""


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_in_a_low_window_the_first_lesson_text_needs_no_scrolling_and_the_log_ends_in_the_window(
    server: Server, open_page: Person, key: str
) -> None:
    for language in ("en", "de"):
        page = open_page(locale=language, viewport={"width": 1366, "height": 650})
        page.goto(f"{server.address}/games/{key}/first-round")
        expect(page.locator("#choices .choice").first).to_be_visible()
        wait_for_true(page, "() => lesson.scrollHeight <= lesson.clientHeight + 1")
        wait_for_true(page, WHOLE)
        page.close()


@pytest.mark.browser
def test_a_first_round_is_played_on_the_map_of_a_phone_with_reasons_and_steps_back(
    server: Server, open_page: Person
) -> None:
    page = open_page(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    lesson_steps = lessons(spieltisch.game("paris-connection"))
    page.goto(f"{server.address}{PARIS}")
    expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    choose(page, "build black Reims", click)
    expect(page.locator("#notice .unexpected-move")).to_contain_text("Baue Gleis: Onyx, nach Amiens.")
    expect(page.locator("#live-part")).to_have_attribute("data-version", "0")
    page.locator("#expand-prompt").tap()
    page.locator("#choices .blocked-choices summary").tap()
    page.locator("#choices .blocked-choice").first.click()
    expect(page.locator("#notice a.rule-link").first).to_have_attribute("href", "/games/paris-connection/rules#T11")
    amiens = (
        page.locator("#move-tree button[value='build black Amiens']").locator("xpath=..").get_attribute("data-place")
    )
    page.locator(f'#map-drawing [data-place="{amiens}"]').tap()
    page.locator("#choices .final-choice", has_text="Onyx").tap()
    expect_lesson(page, lesson_steps[1], "de")
    page.locator("#next-step").tap()
    expect_lesson(page, lesson_steps[2], "de")
    expect(page.locator("#choices .blocked-choices[open]")).to_have_count(0)
    page.go_back()
    expect_lesson(page, lesson_steps[1], "de")
    page.locator("#previous-step").tap()
    expect_lesson(page, lesson_steps[0], "de")
    page.locator("#show-move-link").tap()
    expect_lesson(page, lesson_steps[1], "de")
    page.reload()
    expect(page.locator("#lesson-title")).to_have_text(title(lesson_steps[1]).de)
    assert too_wide(page) == []


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_on_a_phone_the_board_is_visible_between_the_lesson_and_its_choices(
    server: Server, open_page: Person, key: str
) -> None:
    page = open_page(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/games/{key}/first-round")
    expect(page.locator("#choices .choice").first).to_be_visible()
    board = page.locator("#map-frame, #panel").first
    expect(board).to_be_visible()
    positions_of_parts = board.evaluate(
        "(one) => document.getElementById('prompt').getBoundingClientRect().top - one.getBoundingClientRect().top"
    )
    assert positions_of_parts > 844 / 4
    # What the lesson asks for is the first choice, in sight and marked, as are its places on the board.
    first_choice = page.locator("#choices .choice").first
    expect(first_choice).to_have_class(re.compile(r"\bis-lesson-choice\b"))
    expect(first_choice).to_be_in_viewport(ratio=1)
    expect(page.locator("#map-drawing .is-lesson-target, #panel .is-lesson-target").first).to_be_in_viewport(ratio=0.5)
    # What is said and cannot all be shown is scrolled; what can be done is one line, with all of it behind a button.
    assert page.locator("#lesson").evaluate("(one) => getComputedStyle(one).overflowY") == "auto"
    line = page.locator("#choices > .choice-list")
    assert (line.bounding_box() or {"height": 0})["height"] < 60
    page.locator("#expand-prompt").tap()
    expect(line).to_have_css("flex-wrap", "wrap")


@pytest.mark.browser
def test_on_a_phone_the_task_of_a_lesson_stays_until_done_and_its_move_is_previewed(
    server: Server, open_page: Person
) -> None:
    game = spieltisch.game("era-of-inventions")
    lesson_steps = lessons(game)
    number = next(
        n for n, lesson in enumerate(lesson_steps) if lesson.ask and lesson.ask.accept[0].startswith("develop")
    )
    ask, before, after = lesson_steps[number].ask, lesson_steps[number - 1], lesson_steps[number + 1]
    assert ask is not None
    page = open_page(locale="en", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(server.address + address(lesson_steps[number]))
    page.locator("#choices .is-lesson-choice").tap()
    first = page.locator("#choices .choice").first
    expect(first).to_have_class(re.compile(r"\bis-lesson-choice\b"))
    expect(first).to_be_in_viewport(ratio=1)
    expect(page.locator("#prompt-title")).to_be_in_viewport(ratio=1)
    expect(page.locator("#prompt-title")).to_have_text(ask.text.en)
    page.locator("#show-move-link").tap()
    assert page.locator("#panel .is-lesson-target").first.evaluate("(one) => one.getAnimations().length") == 1
    expect(page.locator("#panel .is-lesson-target").first).to_be_in_viewport()
    expect_lesson(page, after, "en")
    page.locator("#previous-step").tap()
    expect_lesson(page, lesson_steps[number], "en")
    page.locator("#previous-step").tap()
    expect_lesson(page, before, "en")


STAGED = """
document.addEventListener('DOMContentLoaded', () => {
  const stage = document.getElementById('playback-bar');
  new MutationObserver(() => { window.staged ||= !stage.hidden; }).observe(stage, { attributes: true });
});
"""
"""Tests that the box with Pause and Skip has been shown."""


@pytest.mark.browser
def test_a_lesson_move_that_the_learner_made_is_not_animated_again(server: Server, open_page: Person) -> None:
    first, second, *_ = lessons(spieltisch.game("paris-connection"))
    page = open_page(locale="en", viewport={"width": 1440, "height": 900})
    page.add_init_script(WATCH + STAGED)
    page.goto(server.address + address(first))
    expect(page.locator("#map-drawing svg")).to_be_visible()
    pieces = page.locator("#map .piece").count()
    page.locator("#show-move-link").click()
    expect_lesson(page, second, "en")
    wait_for_true(page, "() => window.ways.length")
    expect(page.locator("#map .piece")).to_have_count(pieces + 1)
    expect(page.locator("#playback-bar")).not_to_have_class(re.compile("is-replaying-moves"))
    assert page.evaluate("window.captions") == []
    assert not page.evaluate("window.staged")


@pytest.mark.browser
def test_moves_of_others_after_a_lesson_step_are_animated_one_by_one(server: Server, open_page: Person) -> None:
    """After the learner has chosen "done", each following move is animated and announced."""
    lesson_steps = lessons(spieltisch.game("paris-connection"))
    number = next(n for n, lesson in enumerate(lesson_steps) if lesson.accepted and lesson.accepted[0].text == "done")
    before, after = (server.address + address(lesson) for lesson in lesson_steps[number : number + 2])
    page = open_page(locale="en", viewport={"width": 1440, "height": 900})
    page.add_init_script(WATCH)
    page.goto(before)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    pieces = page.locator("#map .piece").count()
    page.locator("#show-move-link").click()
    expect(page.locator("#playback-bar")).to_contain_text(sentence_after("web/templates/lesson.html", "with of_queue"))
    page.locator("#playback-pause").click()
    expect(page.locator("#playback-pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#lesson-title")).to_have_text(
        title(lesson_steps[number]).text("en")
    )  # the words wait for the pieces
    expect(page.locator("#live-region")).to_be_empty()
    expect(page.locator("#choices")).to_be_hidden()  # but the question is answered
    lines = page.locator("#prompt .lesson-log li")  # those of the moves that are still to come are hidden
    expect(lines.filter(visible=True)).to_have_count(3)  # two moves of the learner, and the first of the others
    expect(lines).to_have_count(len(lesson_steps[number + 1].scripted_moves) - lesson_steps[number + 1].step_start)
    happened = sentence_after("web/templates/guide_step.html", "if last and not example", "{% else %}")
    expect(page.locator("#prompt-title")).to_have_text(happened)
    piece_count = page.locator("#map .piece").count()
    page.locator("#playback-pause").click()
    expect_lesson(page, lesson_steps[number + 1], "en")
    _, own_line, *log_lines = [line.strip() for line in page.locator(".lesson-log li").all_inner_texts()]
    assert len(page.evaluate("window.captions")) == len(log_lines)
    assert page.evaluate("window.captions.map((one) => one.replace(/\\s+/g, ' '))") == log_lines
    assert own_line not in log_lines  # the learner has just done it
    assert 400 <= page.evaluate(ENDS)["long"] <= 600
    expect(page.locator("#playback-bar")).to_be_hidden()
    assert page.locator("#map .piece").count() > piece_count >= pieces
    # With less motion the captions alone; who skips has the end at once, and who comes by the address as well.
    still_page = open_page(locale="en", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    still_page.add_init_script(WATCH)
    still_page.goto(before)
    still_page.locator("#show-move-link").click()
    wait_for_true(still_page, "() => window.captions.length > 1")
    assert still_page.evaluate("scrollY") == 0  # the text stays where it is being read
    still_page.keyboard.press("Escape")
    expect(still_page.locator("#playback-bar")).to_be_hidden()
    assert still_page.evaluate("window.ways.length") == 0
    pieces_after = still_page.locator("#map .piece-layer").evaluate("(one) => one.outerHTML")
    still_page.goto(after)
    expect(still_page.locator("#playback-bar")).to_be_hidden()
    assert still_page.locator("#map .piece-layer").evaluate("(one) => one.outerHTML") == pieces_after
