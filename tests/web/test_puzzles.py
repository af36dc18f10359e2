"""Puzzles on their pages: found from the lobby and the rules, tried without a script, by keys and on a phone, and what
their addresses may hold.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from spieltisch.puzzles import PosedPuzzle, puzzles_of
from tests.todays_puzzles import of_today, today
from tests.web.conftest import Person, Server, Visitor
from tests.web.layout_checks import overlaps, too_wide
from tests.web.test_first_round import Press, choose, click, enter

PARIS = "paris-connection"


def answered(visitor: Visitor, there: str, move: str) -> str:
    """Return the address of the answer to a confirmed move."""
    answer = visitor.get(f"{there}/play", params={"move": move, "confirmed": "1"})
    return str(answer.headers["location"])


def other_move(posed: PosedPuzzle) -> str:
    """A move that is not right."""
    return next(one.text for one in posed.position.legal_moves if one.number not in posed.puzzle.solutions)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_found_tried_and_explained_without_a_script(server: Server, key: str, language: str) -> None:
    there, posed = of_today(key)
    best = posed.setup.move(posed.puzzle.solutions[0])
    with Visitor(server, language) as visitor:
        assert 'href="/puzzles"' in visitor.get("/").text
        for page in ("/", f"/games/{key}/rules"):
            assert f'href="/puzzles/{key}"' in visitor.get(page).text
        assert f'href="{there}"' in visitor.get("/puzzles").text
        assert visitor.get(f"/puzzles/{key}").headers["location"] == there
        page = visitor.get(there).text
        assert f'<html lang="{language}-' in page
        assert f'formaction="{there}/play" name="move" value="{best.text}"' in page
        assert "/answer/" not in page
        shown = visitor.get(f"{there}/play", params={"move": best.text})
        assert shown.status_code == 200, "a move is shown first"
        assert f'action="{there}/play"' in shown.text
        assert f'name="move" value="{best.text}"' in shown.text
        assert "/answer/" not in shown.text
        tried = visitor.get(f"{there}/play", params={"move": best.text, "confirmed": "1"})
        assert (tried.status_code, tried.headers["location"]) == (303, f"{there}/answer/{best.number}/1")
        right = visitor.get(tried.headers["location"]).text
        wrong = visitor.get(answered(visitor, there, other_move(posed))).text
        verdicts = [re.findall(r'id="lesson-title" tabindex="-1">([^<]+)<', text) for text in (page, right, wrong)]
        assert len({said for (said,) in verdicts}) == 3
        assert right.count("<li><b>") + right.count('<li class="own"><b>') == len(posed.puzzle.tried)
        steps, link = 1, f"{there}/answer/{best.number}/"
        while f'id="on" data-go href="{link}{steps + 1}"' in right:
            steps += 1
            right = visitor.get(f"{link}{steps}").text
        assert steps == len(posed.puzzle.line)
        assert 'class="happened"></p>' not in right
        assert f'data-go href="{there}"' in right


def test_addresses_that_lead_nowhere(ada: Visitor) -> None:
    there, posed = of_today(PARIS)
    best, last = posed.puzzle.solutions[0], len(posed.puzzle.line)
    illegal = next(one for one in posed.setup.moves if posed.position.why_not(one))
    assert ada.get(f"{there}/answer/{best}/{last}").status_code == 200
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
        assert ada.get(f"{there}/{rest}").status_code == 400, rest
    forbidden = ada.get(f"{there}/play", params={"move": illegal.text})
    assert forbidden.status_code == 422
    assert f'href="{there}"' in forbidden.text
    assert ada.get(f"{there}/play", params={"move": "dance"}).status_code == 422
    why = ada.get(f"{there}/why", params={"words": illegal.text})
    assert why.status_code == 200
    assert f'href="/games/{PARIS}/rules#' in why.text or "not possible" not in why.text


@pytest.mark.browser
@pytest.mark.parametrize(
    ("key", "language", "press", "size"),
    [
        (PARIS, "en", enter, (1440, 900)),
        ("legendary-inventors", "fr", click, (390, 844)),
        ("era-of-inventions", "nl", click, (390, 844)),
    ],
)
def test_it_is_tried_in_the_browser(
    server: Server, person: Person, key: str, language: str, press: Press, size: tuple[int, int]
) -> None:
    there, posed = of_today(key)
    page = person(locale=language, viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.address}{there}")
    asked = page.locator("#lesson-title").text_content()
    assert too_wide(page) == []
    choose(page, posed.setup.move(posed.puzzle.solutions[0]).text, press)
    expect(page.locator("#confirm")).to_be_focused()
    assert page.url.endswith(there)
    press(page.locator("#confirm"))
    page.wait_for_url(f"**{there}/answer/{posed.puzzle.solutions[0]}/1")
    expect(page.locator("#lesson-title")).not_to_have_text(asked or "")
    expect(page.locator("#lesson-title")).to_be_focused()
    expect(page.locator("#said")).to_contain_text(page.locator("#lesson-title").text_content() or "-")
    assert too_wide(page) == []
    assert overlaps(page) == []
    if len(posed.puzzle.line) > 1:
        press(page.locator("#on"))
        page.wait_for_url("**/2")
    page.go_back()
    press(page.locator("#again"))
    page.wait_for_url(f"**{there}")
    expect(page.locator("#lesson-title")).to_have_text(asked or "")
