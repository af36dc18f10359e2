"""Puzzles on their pages: found from the lobby and the rules, tried without a script, by keys and on a phone, and what
their addresses may hold.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES, game
from spieltisch.puzzles import PosedPuzzle, puzzles_of
from tests.tiers import first_alone
from tests.todays_puzzles import of_today, today
from tests.web.conftest import Person, Server, Visitor
from tests.web.layout_checks import overlaps, too_wide
from tests.web.test_first_round import Press, choose, click, enter

PARIS = "paris-connection"


def answered(visitor: Visitor, address: str, move: str) -> str:
    """Return the address of the answer to a confirmed move."""
    answer = visitor.get(f"{address}/play", params={"move": move, "confirmed": "1"})
    return str(answer.headers["location"])


def other_move(posed: PosedPuzzle) -> str:
    """A move that is not right."""
    return next(move.text for move in posed.position.legal_moves if move.number not in posed.puzzle.solutions)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_it_is_found_tried_and_explained_without_a_script(server: Server, key: str, language: str) -> None:
    address, posed = of_today(key)
    best = posed.setup.move(posed.puzzle.solutions[0])
    with Visitor(server, language) as visitor:
        assert 'href="/puzzles"' in visitor.get("/").text
        for page in ("/", f"/games/{key}/rules"):
            assert f'href="/puzzles/{key}"' in visitor.get(page).text
        assert f'href="{address}"' in visitor.get("/puzzles").text
        assert visitor.get(f"/puzzles/{key}").headers["location"] == address
        page = visitor.get(address).text
        assert f'<html lang="{language}-' in page
        assert f'formaction="{address}/play" name="move" value="{best.text}"' in page
        assert "/answer/" not in page
        shown = visitor.get(f"{address}/play", params={"move": best.text})
        assert shown.status_code == 200, "a move is shown first"
        assert f'action="{address}/play"' in shown.text
        assert f'name="move" value="{best.text}"' in shown.text
        assert "/answer/" not in shown.text
        tried = visitor.get(f"{address}/play", params={"move": best.text, "confirmed": "1"})
        assert (tried.status_code, tried.headers["location"]) == (303, f"{address}/answer/{best.number}/1")
        right = visitor.get(tried.headers["location"]).text
        missed = answered(visitor, address, other_move(posed))
        assert missed == f"{address}/attempt/{posed.setup.move(other_move(posed)).number}"
        asked_again = visitor.get(missed).text
        assert re.findall(r"/answer/(\d+)/", asked_again) == [missed.rpartition("/")[2]]
        assert 'class="praise"' not in asked_again
        assert f'data-go href="{address}"' in asked_again, "try again"
        hinted = re.search(r'<ul class="hinted-moves">(.*?)</ul>', visitor.get(f"{address}/hint").text, re.S)
        assert hinted is not None
        assert 2 <= hinted.group(1).count("<li>") <= 3
        solution_link = re.search(r'id="solution" data-go href="([^"]+)"', asked_again)
        assert solution_link is not None
        wrong = visitor.get(solution_link.group(1)).text
        verdicts = [re.findall(r'id="lesson-title" tabindex="-1">([^<]+)<', text) for text in (page, right, wrong)]
        assert len({verdict for (verdict,) in verdicts}) == 3
        assert max(len(re.findall(r"[.!]( |$)", why)) for why in re.findall(r'<p class="why">(.*?)</p>', right)) <= 2
        assert right.index('class="why"') < right.index('class="praise"') < right.index('class="advice"')
        assert right.count("<li><b>") + right.count('<li class="own"><b>') == len(posed.puzzle.tried)
        steps, link = 1, f"{address}/answer/{best.number}/"
        while f'id="on" data-go href="{link}{steps + 1}"' in right:
            steps += 1
            right = visitor.get(f"{link}{steps}").text
        assert steps == len(posed.puzzle.line)
        assert 'class="happened"></p>' not in right
        assert f'data-go href="{address}"' in right


def test_addresses_that_lead_nowhere(ada: Visitor) -> None:
    address, posed = of_today(PARIS)
    best, last = posed.puzzle.solutions[0], len(posed.puzzle.line)
    illegal = next(move for move in posed.setup.moves if posed.position.why_not(move))
    assert ada.get(f"{address}/answer/{best}/{last}").status_code == 200
    stock = puzzles_of(posed.setup.game)
    assert stock is not None
    first = today() - timedelta(days=min(31, len(stock)) - 1)
    assert ada.get(f"/puzzles/{PARIS}/{first}").status_code == 200
    assert f'"/puzzles/{PARIS}/{first}"' in ada.get("/puzzles").text
    for rest in (
        f"{PARIS}/{first - timedelta(days=1)}",
        f"{PARIS}/{today() + timedelta(days=1)}",
        f"{PARIS}/today",
        f"{PARIS}/2026-13-40",
        f"whist/{today()}",
        "whist",
        f"{PARIS}/{today()}/answer/{best}/{last + 1}",
        f"{PARIS}/{today()}/answer/{illegal.number}/1",
        f"{PARIS}/{today()}/answer/99999999/1",
    ):
        assert ada.get(f"/puzzles/{rest}").status_code == 404, rest
    for rest in (f"answer/{best}/x", "answer/x/1", f"answer/{best}/-1"):
        assert ada.get(f"{address}/{rest}").status_code == 400, rest
    forbidden = ada.get(f"{address}/play", params={"move": illegal.text})
    assert forbidden.status_code == 422
    assert f'href="{address}"' in forbidden.text
    assert ada.get(f"{address}/play", params={"move": "dance"}).status_code == 422
    why = ada.get(f"{address}/why", params={"words": illegal.text})
    assert why.status_code == 200
    assert f'href="/games/{PARIS}/rules#' in why.text or "not possible" not in why.text


def test_one_puzzle_leads_to_the_next(ada: Visitor) -> None:
    """From day to day backwards, and from a shared puzzle to today's; the oldest leads to the list."""
    address, posed = of_today(PARIS)
    stock = puzzles_of(posed.setup.game)
    assert stock is not None
    shown = [f"/puzzles/{PARIS}/{today() - timedelta(days=back)}" for back in range(min(31, len(stock)))]

    def after(root: str, number: int) -> list[str]:
        return re.findall(r'id="next" href="([^"]+)"', ada.get(f"{root}/answer/{number}/1").text)

    assert after(address, posed.puzzle.solutions[0]) == [shown[1]]
    assert after(f"/puzzles/{PARIS}/{posed.id}", posed.puzzle.solutions[0]) == [shown[0]]
    oldest = stock.puzzle_of_day(today() - timedelta(days=len(shown) - 1))
    assert after(shown[-1], oldest.puzzle.solutions[0]) == []
    table = re.search(r'<table class="earlier">.*</table>', ada.get("/puzzles").text, re.S)
    assert table is not None
    assert re.findall(rf'href="(/puzzles/{PARIS}/[^"]+)"', table[0]) == shown[1:]
    names = re.findall(r"<a [^>]+>(.*?)</a>", table[0])
    assert len(set(names)) == len(names), "each link says which puzzle it is"


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1366, 650), (1440, 900)])
def test_the_answer_is_not_cut_at_a_desk(server: Server, person: Person, size: tuple[int, int]) -> None:
    stock = puzzles_of(game(PARIS))
    assert stock is not None
    posed = stock.puzzle(0)
    page = person(locale="en", viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.address}/puzzles/{PARIS}/{posed.id}/answer/{posed.puzzle.solutions[0]}/1")
    expect(page.locator("#lesson .praise")).to_be_in_viewport(ratio=1)
    for part in ("#teaching", ".map"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], part


@pytest.mark.browser
@pytest.mark.parametrize(
    ("key", "language", "press", "size"),
    [
        pytest.param(PARIS, "en", enter, (1440, 900), marks=pytest.mark.screens),
        ("legendary-inventors", "fr", click, (390, 844)),
        pytest.param("era-of-inventions", "nl", click, (390, 844), marks=pytest.mark.screens),
    ],
)
def test_it_is_tried_in_the_browser(
    server: Server, person: Person, key: str, language: str, press: Press, size: tuple[int, int]
) -> None:
    address, posed = of_today(key)
    page = person(locale=language, viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.address}{address}")
    question = page.locator("#lesson-title").text_content()
    assert too_wide(page) == []
    choose(page, posed.setup.move(posed.puzzle.solutions[0]).text, press)
    expect(page.locator("#confirm")).to_be_focused()
    assert page.url.endswith(address)
    press(page.locator("#confirm"))
    page.wait_for_url(f"**{address}/answer/{posed.puzzle.solutions[0]}/1")
    expect(page.locator("#lesson-title")).not_to_have_text(question or "")
    expect(page.locator("#lesson-title")).to_be_focused()
    expect(page.locator("#said")).to_contain_text(page.locator("#lesson-title").text_content() or "-")
    assert too_wide(page) == []
    assert overlaps(page) == []
    if len(posed.puzzle.line) > 1:
        press(page.locator("#on"))
        page.wait_for_url("**/2")
    page.go_back()
    press(page.locator("#again"))
    page.wait_for_url(f"**{address}")
    expect(page.locator("#lesson-title")).to_have_text(question or "")


def test_a_shared_link_stays_that_of_its_puzzle(ada: Visitor) -> None:
    address, posed = of_today(PARIS)
    page = ada.get(address).text
    shared = f"/puzzles/{PARIS}/{posed.id}"
    assert f'{shared}" data-done' in page
    assert f'data-puzzle="{PARIS}/{posed.id}"' in page
    best = posed.setup.move(posed.puzzle.solutions[0])
    assert answered(ada, shared, best.text) == f"{shared}/answer/{best.number}/1"
    assert ada.get(f"{shared}/attempt/{best.number}").headers["location"] == f"{shared}/answer/{best.number}/1"
    illegal = next(move for move in posed.setup.moves if posed.position.why_not(move))
    assert ada.get(f"{shared}/attempt/{illegal.number}").status_code == 404
    assert ada.get(f"/puzzles/{PARIS}/0-0").status_code == 404


def test_the_list_names_the_grades(server: Server) -> None:
    names = {"easy": "Leicht", "medium": "Mittel", "hard": "Schwer"}
    with Visitor(server, "de") as visitor:
        page = visitor.get("/puzzles").text
        for key in GAMES:
            address, posed = of_today(key)
            assert posed.puzzle.difficulty in names
            name = names[posed.puzzle.difficulty]
            assert f'<span class="tag">{name}</span><span class="tag" data-solved="{key}/{posed.id}"' in page
            assert name in visitor.get(address).text


@pytest.mark.browser
def test_it_is_missed_hinted_solved_and_marked(server: Server, person: Person) -> None:
    """The streak goes on from yesterday; a solution that was shown first does not count."""
    (address, posed), (other, looked_up) = of_today(PARIS), of_today("era-of-inventions")
    page = person(locale="en", viewport={"width": 390, "height": 844})
    page.goto(f"{server.address}/puzzles")
    yesterday = str(today() - timedelta(days=1))
    page.evaluate("(last) => localStorage.setItem('puzzles', JSON.stringify({ streak: 4, last }))", yesterday)
    wrong = looked_up.setup.move(other_move(looked_up)).number
    page.goto(f"{server.address}{other}/answer/{wrong}/1")
    page.goto(f"{server.address}{other}/answer/{looked_up.puzzle.solutions[0]}/1")
    page.goto(f"{server.address}/puzzles")
    expect(page.locator("[data-streak]")).to_have_text("Daily streak: 4")
    expect(page.locator("[data-solved]:visible")).to_have_count(0)
    page.goto(f"{server.address}{address}/attempt/{posed.setup.move(other_move(posed)).number}")
    expect(page.locator("#lesson-title")).to_have_text("There is a better move.")
    unfold = "(unfolds) => document.getElementById('live').classList.toggle('is-unfolding', unfolds)"
    for unfolds in (True, False):  # what is asked is over while the solution is played
        page.evaluate(unfold, unfolds)
        expect(page.locator("#solution")).to_be_visible(visible=not unfolds)
    page.locator("#hint").click()
    page.wait_for_url(f"**{address}/hint")
    expect(page.locator(".hinted-moves li")).to_have_count(
        min(3, len(posed.puzzle.tried) - len(posed.puzzle.solutions) + 1)
    )
    assert too_wide(page) == []
    choose(page, posed.setup.move(posed.puzzle.solutions[0]).text, click)
    page.locator("#confirm").click()
    page.wait_for_url(f"**{address}/answer/{posed.puzzle.solutions[0]}/1")
    expect(page.locator("[data-solved-note]")).to_be_visible()
    expect(page.locator("#lesson [data-streak]")).to_have_text("Daily streak: 5")
    page.reload()
    expect(page.locator("#lesson [data-streak]")).to_have_text("Daily streak: 5")
    page.goto(f"{server.address}/puzzles")
    expect(page.locator(f'[data-solved="{PARIS}/{posed.id}"]').first).to_be_visible()
    assert too_wide(page) == []
