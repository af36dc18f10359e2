"""Check puzzle pages: from lobby and rules, without a script, by keys and on a phone."""

from __future__ import annotations

import html
import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games import GAMES, game
from spieltisch.live.advice import explain
from spieltisch.puzzles import PosedPuzzle, PuzzleSet, puzzles_of
from spieltisch.web.pages.puzzles import hinted_moves
from tests.puzzles.puzzle_addresses import first_puzzle, of_today, today
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import cut_texts, overlaps, too_wide
from tests.web.lesson_choices import Press, choose, click, enter
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

MISSED = sentence_after("web/templates/puzzle_step.html", "{% if missed %}")


def streak(days: int) -> str:
    """Return the note about a streak of this number of days."""
    return sentence_after("web/templates/puzzles.html", "data-streak-text=", count=days)


PARIS = "paris-connection"


def answered(visitor: Visitor, address: str, move: str) -> str:
    """Return the address of the answer after a confirmed move."""
    answer = visitor.get(f"{address}/play", params={"move": move, "confirmed": "1"})
    return str(answer.headers["location"])


def wrong_move(puzzle: PosedPuzzle) -> str:
    """Return a move that is not a correct answer."""
    return next(move.text for move in puzzle.position.legal_moves if move.number not in puzzle.solutions)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_a_puzzle_can_be_found_tried_and_explained_without_a_script(server: Server, key: str, language: str) -> None:
    address, puzzle = of_today(key)
    best_move = puzzle.setup.move(puzzle.puzzle.solutions[0])
    with Visitor(server, language) as visitor:
        assert 'href="/puzzles"' in visitor.get("/").text
        for page in ("/", f"/games/{key}/rules"):
            assert f'href="/puzzles/{key}' in visitor.get(page).text
        assert f'href="{address}"' in visitor.get("/puzzles").text
        assert visitor.get(f"/puzzles/{key}").headers["location"] == address
        page = visitor.get(address).text
        assert f'<html lang="{language}-' in page
        assert f'formaction="{address}/play" name="move" value="{best_move.text}"' in page
        assert "/answer/" not in page
        confirm_page = visitor.get(f"{address}/play", params={"move": best_move.text})
        assert confirm_page.status_code == 200, "a move is shown first"
        assert f'action="{address}/play"' in confirm_page.text
        assert f'name="move" value="{best_move.text}"' in confirm_page.text
        assert "/answer/" not in confirm_page.text
        tried_page = visitor.get(f"{address}/play", params={"move": best_move.text, "confirmed": "1"})
        assert (tried_page.status_code, tried_page.headers["location"]) == (
            303,
            f"{address}/answer/{best_move.number}/1",
        )
        solved_page = visitor.get(tried_page.headers["location"]).text
        missed = answered(visitor, address, wrong_move(puzzle))
        assert missed == f"{address}/attempt/{puzzle.setup.move(wrong_move(puzzle)).number}"
        asked_again = visitor.get(missed).text
        assert re.findall(r"/answer/(\d+)/", asked_again) == [missed.rpartition("/")[2]]
        assert 'class="feedback"' not in asked_again
        assert f'data-lesson-link href="{address}"' in asked_again, "try again"
        hinted = re.search(r'<ul class="hinted-moves">(.*?)</ul>', visitor.get(f"{address}/hint").text, re.S)
        assert hinted is not None
        assert 2 <= hinted.group(1).count("<li ") <= 3
        solution_link = re.search(r'id="show-solution-link" data-lesson-link href="([^"]+)"', asked_again)
        assert solution_link is not None
        wrong_page = visitor.get(solution_link.group(1)).text
        verdicts = [
            re.findall(r'id="lesson-title" tabindex="-1">([^<]+)<', text) for text in (page, solved_page, wrong_page)
        ]
        assert len({verdict for (verdict,) in verdicts}) == 3
        reasons = re.findall(r'<p class="advice-reason">(.*?)</p>', solved_page)
        assert max(len(re.findall(r"[.!]( |$)", reason)) for reason in reasons) <= 2
        explained = explain(puzzle.position, puzzle.advice)
        (best,) = (move for move in explained.moves if move.advised.move == best_move.text)
        compared_chances = re.findall(r"\d+[\s\u202f]?%", reasons[0])
        assert len(compared_chances) == (0 if best.is_compared else 2), "effects alone, which other moves have, too"
        assert (
            solved_page.index('class="advice-reason"')
            < solved_page.index('class="feedback"')
            < solved_page.index('class="advice"')
        )
        assert solved_page.count("<li><b>") + solved_page.count('<li class="is-own"><b>') == len(puzzle.advice.moves)
        steps, link = 1, f"{address}/answer/{best_move.number}/"
        while f'id="next-step" data-lesson-link href="{link}{steps + 1}"' in solved_page:
            steps += 1
            solved_page = visitor.get(f"{link}{steps}").text
        assert steps == len(puzzle.puzzle.line)
        assert 'class="last-move"></p>' not in solved_page
        assert f'data-lesson-link href="{address}"' in solved_page


def test_invalid_puzzle_addresses_are_refused(ada: Visitor) -> None:
    address, puzzle = of_today(PARIS)
    best_move, last_move = puzzle.puzzle.solutions[0], len(puzzle.puzzle.line)
    illegal = next(move for move in puzzle.setup.moves if puzzle.position.why_not(move))
    assert ada.get(f"{address}/answer/{best_move}/{last_move}").status_code == 200
    stock = puzzles_of(puzzle.setup.game)
    assert stock is not None
    first = today() - timedelta(days=min(31, len(stock)) - 1)
    assert ada.get(f"/puzzles/{PARIS}/{first}").status_code == 200
    assert f'"/puzzles/{PARIS}/{first}"' in ada.get("/puzzles").text
    for subpath in (
        f"{PARIS}/{first - timedelta(days=1)}",
        f"{PARIS}/{today() + timedelta(days=1)}",
        f"{PARIS}/today",
        f"{PARIS}/2026-13-40",
        f"whist/{today()}",
        "whist",
        f"{PARIS}/{today()}/answer/{best_move}/{last_move + 1}",
        f"{PARIS}/{today()}/answer/{illegal.number}/1",
        f"{PARIS}/{today()}/answer/99999999/1",
    ):
        assert ada.get(f"/puzzles/{subpath}").status_code == 404, subpath
    for subpath in (f"answer/{best_move}/x", "answer/x/1", f"answer/{best_move}/-1"):
        assert ada.get(f"{address}/{subpath}").status_code == 400, subpath
    forbidden = ada.get(f"{address}/play", params={"move": illegal.text})
    assert forbidden.status_code == 422
    assert f'href="{address}"' in forbidden.text
    assert ada.get(f"{address}/play", params={"move": "dance"}).status_code == 422
    why = ada.get(f"{address}/why", params={"words": illegal.text})
    assert why.status_code == 200
    assert f'href="/games/{PARIS}/rules#' in why.text or "not possible" not in why.text


def test_each_puzzle_links_to_another_puzzle_or_the_list(ada: Visitor) -> None:
    """Links lead to the day's other games and then to the day before, from a shared puzzle to today's."""
    stocks = [stock for key in GAMES if (stock := puzzles_of(game(key))) is not None]
    length = min(31, *map(len, stocks))
    path = [(stock, today() - timedelta(days=days_back)) for days_back in range(length) for stock in stocks]

    def address(stock: PuzzleSet, day: date | str) -> str:
        return f"/puzzles/{stock.rules.key}/{day}"

    def after(stock: PuzzleSet, day: date | str, puzzle: PosedPuzzle) -> list[str]:
        answer = ada.get(f"{address(stock, day)}/answer/{puzzle.puzzle.solutions[0]}/1").text
        return re.findall(r'id="next-puzzle-link" href="([^"]+)"', answer)

    for place in (0, 1, 2, 5, len(path) - 1):
        stock, day = path[place]
        expected = [address(*path[place + 1])] if place + 1 < len(path) else []
        assert after(stock, day, stock.puzzle_of_day(day)) == expected
    stock = stocks[-1]
    shared = stock.puzzle_of_day(today())
    assert after(stock, shared.id, shared) == [address(stock, today())]
    paris = stocks[list(GAMES).index(PARIS)]
    puzzle_paths = [address(paris, today() - timedelta(days=days_back)) for days_back in range(min(31, len(paris)))]
    table = re.search(r'<table class="puzzle-archive">.*</table>', ada.get("/puzzles").text, re.S)
    assert table is not None
    assert re.findall(rf'href="(/puzzles/{PARIS}/[^"]+)"', table[0]) == puzzle_paths[1:]
    names = re.findall(r"<a [^>]+>(.*?)</a>", table[0])
    assert len(set(names)) == len(names), "each link says which puzzle it is"


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1366, 650), (1440, 900)])
def test_the_answer_to_a_puzzle_is_not_cut_off_on_a_desktop_and_its_comparison_nowhere(
    server: Server, open_page: Person, size: tuple[int, int]
) -> None:
    address, puzzle = first_puzzle(PARIS)
    best = explain(puzzle.position, puzzle.advice).moves[0]
    assert best.is_compared
    comparisons = {language: " ".join(map(Words(language).say, best.why)) for language in LANGUAGES}
    longest = max(LANGUAGES, key=lambda language: len(comparisons[language]))
    page = open_page(locale=longest, viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.address}{address}/answer/{puzzle.puzzle.solutions[0]}/1")
    expect(page.locator("#lesson .feedback")).to_be_in_viewport(ratio=1)
    for part in ("#lesson-column", ".map"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], part
    comparison = page.locator("#lesson .advice-reason")
    expect(comparison).to_have_text(comparisons[longest])
    for width, height in (size, (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        comparison.scroll_into_view_if_needed()
        expect(comparison).to_be_in_viewport(ratio=1)
        assert comparison.evaluate("(row) => row.scrollWidth - row.clientWidth") <= 0
        assert comparison.evaluate("(row) => row.scrollHeight - row.clientHeight") <= 1
        assert cut_texts(page) == []
        assert too_wide(page) == []


@pytest.mark.browser
@pytest.mark.parametrize(
    ("key", "language", "press", "size"),
    [
        pytest.param(PARIS, "en", enter, (1440, 900), marks=pytest.mark.screens),
        ("legendary-inventors", "fr", click, (390, 844)),
        pytest.param("era-of-inventions", "nl", click, (390, 844), marks=pytest.mark.screens),
    ],
)
def test_a_puzzle_is_tried_and_answered_in_the_browser(
    server: Server, open_page: Person, key: str, language: str, press: Press, size: tuple[int, int]
) -> None:
    address, puzzle = first_puzzle(key)
    page = open_page(locale=language, viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.address}{address}")
    question = page.locator("#lesson-title").text_content()
    assert too_wide(page) == []
    choose(page, puzzle.setup.move(puzzle.puzzle.solutions[0]).text, press)
    expect(page.locator("#confirm-button")).to_be_focused()
    assert page.url.endswith(address)
    press(page.locator("#confirm-button"))
    page.wait_for_url(f"**{address}/answer/{puzzle.puzzle.solutions[0]}/1")
    expect(page.locator("#lesson-title")).not_to_have_text(question or "")
    expect(page.locator("#lesson-title")).to_be_focused()
    expect(page.locator("#live-region")).to_contain_text(page.locator("#lesson-title").text_content() or "-")
    assert too_wide(page) == []
    assert overlaps(page) == []
    if len(puzzle.puzzle.line) > 1:
        press(page.locator("#next-step"))
        expect(page.locator("#next-step[href$='/2']")).to_have_count(0)
        assert page.url.endswith("/2")
        page.go_back()
        expect(page.locator("#next-step[href$='/2']")).to_have_count(1)
    press(page.locator("#try-again"))
    page.wait_for_url(f"**{address}")
    expect(page.locator("#lesson-title")).to_have_text(question or "")


def test_a_shared_link_always_leads_to_the_same_puzzle(ada: Visitor) -> None:
    address, puzzle = of_today(PARIS)
    page = ada.get(address).text
    shared = f"/puzzles/{PARIS}/{puzzle.id}"
    assert re.search(f'data-copy-url="[^"]*{shared}"', page)
    assert f'data-puzzle="{PARIS}/{puzzle.id}"' in page
    best_move = puzzle.setup.move(puzzle.puzzle.solutions[0])
    assert answered(ada, shared, best_move.text) == f"{shared}/answer/{best_move.number}/1"
    assert (
        ada.get(f"{shared}/attempt/{best_move.number}").headers["location"] == f"{shared}/answer/{best_move.number}/1"
    )
    illegal = next(move for move in puzzle.setup.moves if puzzle.position.why_not(move))
    assert ada.get(f"{shared}/attempt/{illegal.number}").status_code == 404
    assert ada.get(f"/puzzles/{PARIS}/0-0").status_code == 404


def test_the_list_of_puzzles_shows_their_grades(server: Server) -> None:
    names = {"easy": "Leicht", "medium": "Mittel", "hard": "Schwer"}
    with Visitor(server, "de") as visitor:
        page = visitor.get("/puzzles").text
        for key in GAMES:
            address, puzzle = of_today(key)
            assert puzzle.puzzle.difficulty in names
            name = names[puzzle.puzzle.difficulty]
            assert f'<span>{name}</span><span data-solved-puzzle="{key}/{puzzle.id}"' in page
            assert name in visitor.get(address).text


@pytest.mark.browser
def test_the_lobby_shows_the_puzzles_of_the_day_and_counts_solved_puzzles(server: Server, open_page: Person) -> None:
    with Visitor(server) as visitor:
        lobby = visitor.get("/").text
        for key in GAMES:
            assert f'href="/puzzles/{key}/{today()}"' in lobby
            picture = visitor.get(f"/puzzles/{key}/{today()}/picture")
            assert picture.headers["content-type"] == "image/svg+xml"
            assert "sha256-" in picture.headers["content-security-policy"]
            assert picture.text.startswith("<svg")
        assert visitor.get("/puzzles/paris-connection/2000-13-01/picture").status_code == 404
    page = open_page()
    page.goto(server.address)
    strip = page.locator(".todays-puzzles")
    counted = [
        sentence_after("web/templates/quick_start.html", "data-solved-count-text=", solved=solved, count=len(GAMES))
        for solved in (0, 1)
    ]
    expect(strip.locator("[data-solved-count-text]")).to_have_text(counted[0])
    expect(strip.locator("[data-solved-puzzle]:visible")).to_have_count(0)
    solved = {f"{next(iter(GAMES))}/{today()}": 1}
    page.evaluate("(solved) => localStorage.setItem('puzzles', JSON.stringify({ solved }))", solved)
    page.reload()
    expect(strip.locator("[data-solved-puzzle]:visible")).to_have_count(1)
    expect(strip.locator("[data-solved-count-text]")).to_have_text(counted[1])
    page.goto(f"{server.address}/puzzles")
    archive = page.locator(".puzzles-archive-sheet")
    total = archive.locator("[data-solved-puzzle]").count()
    earlier = archive.locator("[data-solved-puzzle]").first.get_attribute("data-solved-puzzle")
    page.evaluate("(id) => localStorage.setItem('puzzles', JSON.stringify({ solved: { [id]: 1 } }))", earlier)
    page.reload()
    expect(archive.locator("[data-solved-puzzle]:visible")).to_have_count(1)
    found = sentence_after("web/templates/puzzles.html", "data-solved-count-text=", solved=1, count=total)
    expect(archive.locator("[data-solved-count-text]")).to_contain_text(found)


def kept_progress(visitor: Visitor) -> dict[str, Any]:
    """Return the progress that pages of puzzles show of this person."""
    found = re.search(r'data-progress="([^"]*)"', visitor.get("/puzzles").text)
    return dict(json.loads(html.unescape(found[1]))) if found else {}


def test_the_progress_of_a_person_is_kept_and_exported_with_them(ada: Visitor, grace: Visitor) -> None:
    yesterday = str(today() - timedelta(days=1))
    first = json.dumps({"solved": ["paris-connection/a1"], "shown": [], "streak": 4, "last": yesterday})
    assert grace.submit("/puzzles/progress", progress=first).status_code == 403, "a visitor without a name"
    ada.table("me", "bot:random", "bot:random")
    assert kept_progress(ada) == {}
    assert ada.submit("/puzzles/progress", progress=first).status_code == 200
    later = json.dumps({"solved": ["era-of-inventions/b2"], "shown": ["paris-connection/c3"], "last": None})
    assert ada.submit("/puzzles/progress", progress=later).status_code == 200
    merged = {
        "solved": ["paris-connection/a1", "era-of-inventions/b2"],
        "shown": ["paris-connection/c3"],
        "streak": 4,
        "last": yesterday,
        "best": 4,
    }
    assert kept_progress(ada) == merged
    assert ada.submit("/preferences", theme="dark").status_code == 303
    assert kept_progress(ada) == merged
    missed_days = json.dumps({"streak": 1, "last": str(today())})
    assert ada.submit("/puzzles/progress", progress=missed_days).status_code == 200
    merged |= {"streak": 1, "last": str(today())}
    assert kept_progress(ada) == merged, "the best streak stays"
    assert kept_progress(grace) == {}
    assert '"era-of-inventions/b2"' in ada.get("/me/export").text
    tomorrow = str(today() + timedelta(days=2))
    for wrong in ("", "[]", '{"solved": ["<b>"]}', '{"streak": -1}', json.dumps({"last": tomorrow})):
        assert ada.submit("/puzzles/progress", progress=wrong).status_code == 422
    assert kept_progress(ada) == merged


@pytest.mark.browser
def test_progress_from_before_the_name_belongs_to_it_on_all_devices(
    server: Server, ada: Visitor, open_page: Person
) -> None:
    ada.table("me", "bot:random", "bot:random")
    first_device, other_device = open_page(locale="en"), open_page(locale="en")
    first_device.goto(f"{server.address}/puzzles")
    stored = {"streak": 4, "last": str(today()), "solved": {f"{PARIS}/{today()}": 1}}
    first_device.evaluate("(stored) => localStorage.setItem('puzzles', JSON.stringify(stored))", stored)
    for page in (first_device, other_device):
        let_in(page.context, ada)
    with first_device.expect_response("**/puzzles/progress") as answer:
        first_device.reload()
    assert answer.value.ok
    first_device.wait_for_function("() => localStorage.getItem('puzzles') === null")
    for page in (first_device, other_device):
        page.goto(f"{server.address}/puzzles")
        expect(page.locator("[data-streak-text]")).to_have_text(streak(4))
    assert other_device.evaluate("() => localStorage.getItem('puzzles')") is None


@pytest.mark.browser
def test_the_browser_remembers_solved_puzzles_and_the_streak(server: Server, open_page: Person) -> None:
    """The streak continues from yesterday, and a puzzle whose solution was shown does not count."""
    (address, puzzle), (other_address, looked_up) = of_today(PARIS), of_today("era-of-inventions")
    page = open_page(locale="en", viewport={"width": 390, "height": 844})
    page.goto(f"{server.address}/puzzles")
    yesterday = str(today() - timedelta(days=1))
    page.evaluate("(last) => localStorage.setItem('puzzles', JSON.stringify({ streak: 4, last }))", yesterday)
    wrong_move_number = looked_up.setup.move(wrong_move(looked_up)).number
    page.goto(f"{server.address}{other_address}/answer/{wrong_move_number}/1")
    page.goto(f"{server.address}{other_address}/answer/{looked_up.puzzle.solutions[0]}/1")
    page.goto(f"{server.address}/puzzles")
    expect(page.locator("[data-streak-text]")).to_have_text(streak(4))
    expect(page.locator("[data-solved-puzzle]:visible")).to_have_count(0)
    page.goto(f"{server.address}{address}/attempt/{puzzle.setup.move(wrong_move(puzzle)).number}")
    expect(page.locator("#lesson-title")).to_have_text(MISSED)
    unfold = "(unfolds) => document.getElementById('live-part').classList.toggle('is-playing-moves', unfolds)"
    for unfolds in (True, False):  # what is asked is over while the solution is played
        page.evaluate(unfold, unfolds)
        expect(page.locator("#show-solution-link")).to_be_visible(visible=not unfolds)
    page.locator("#hint-button").click()
    page.wait_for_url(f"**{address}/hint")
    expect(page.locator(".hinted-moves li")).to_have_count(
        min(3, len(puzzle.advice.moves) - len(puzzle.puzzle.solutions) + 1)
    )
    assert too_wide(page) == []
    wrong_hint = next(move for move in hinted_moves(puzzle) if move.number not in puzzle.solutions)
    choose(page, wrong_hint.text, click)
    page.locator("#confirm-button").click()
    page.wait_for_url(f"**{address}/attempt/{wrong_hint.number}")
    expect(page.locator("#hint-button")).to_have_count(0)  # the moves of the hint come with the next try
    page.locator("#try-again").click()
    page.wait_for_url(f"**{address}/hint")
    expect(page.locator(".hinted-moves .is-wrong")).to_have_attribute("data-hinted-move", str(wrong_hint.number))
    expect(page.locator(".hinted-moves .tag:visible")).to_have_count(1)
    choose(page, puzzle.setup.move(puzzle.puzzle.solutions[0]).text, click)
    page.locator("#confirm-button").click()
    page.wait_for_url(f"**{address}/answer/{puzzle.puzzle.solutions[0]}/1")
    expect(page.locator("[data-solved-note]")).to_be_visible()
    expect(page.locator("#lesson [data-streak-text]")).to_have_text(streak(5))
    era, legendary = of_today("era-of-inventions")[0], of_today("legendary-inventors")[0]
    next_link = page.locator("#next-puzzle-link")
    expect(next_link).to_have_attribute("href", era)
    solved_elsewhere = {f"era-of-inventions/{looked_up.id}": 1}
    add_solved = """(solved) => {
      const stored = JSON.parse(localStorage.getItem('puzzles'));
      localStorage.setItem('puzzles', JSON.stringify({ ...stored, solved: { ...stored.solved, ...solved } }));
    }"""
    page.evaluate(add_solved, solved_elsewhere)
    page.reload()
    expect(page.locator("#lesson [data-streak-text]")).to_have_text(streak(5))
    expect(next_link).to_have_attribute("href", legendary)
    page.goto(f"{server.address}/puzzles")
    expect(page.locator(f'[data-solved-puzzle="{PARIS}/{puzzle.id}"]').first).to_be_visible()
    expect(page.locator("[data-best-streak-text]")).to_contain_text(" 5")
    assert too_wide(page) == []
    page.goto(server.address)
    expect(page.locator(f'.todays-puzzles [data-solved-puzzle="{PARIS}/{today()}"]')).to_be_visible()
    assert too_wide(page) == []
