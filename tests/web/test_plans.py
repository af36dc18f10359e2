"""Planned turns in the browser: planned on an imagined board, played when the turn comes, shown to no other player."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import httpx
from playwright.sync_api import expect

from spieltisch.live.limits import DEFAULT
from spieltisch.web.pages.fragments import PLANS
from tests.web.conftest import Person, Server, Visitor, let_in, trade_on
from tests.web.layout_checks import DESK
from tests.web.test_chat import HTMX, JSON, everything, pushed


def offered(visitor: Visitor, path: str, *moves: str) -> list[str]:
    """Return the moves that the planning page offers after these."""
    page = visitor.submit(f"{path}/plan/play", moves="\n".join(moves))
    assert page.status_code == 200, page.text
    return re.findall(r'name="move" value="([^"]+)"', page.text)


def plans(visitor: Visitor, path: str) -> list[dict[str, Any]]:
    answer = visitor.get(f"{path}/plan", headers=JSON)
    assert answer.status_code == 200, answer.text
    plans: list[dict[str, Any]] = answer.json()
    return plans


def save(visitor: Visitor, path: str, *moves: str, **terms: str) -> httpx.Response:
    return visitor.submit(f"{path}/plan", moves="\n".join(moves), **terms)


def trade(visitor: Visitor, path: str) -> None:
    move = next(move for move in visitor.state(path)["moves"] if re.fullmatch(r"trade \w+ for 1 \w+", move))
    assert visitor.play(path, move).status_code == 200


def seen_of(visitor: Visitor, path: str) -> str:
    """Return everything that a visitor is shown of a table and its plans, except what differs between two requests."""
    key = path.rpartition("/")[2]
    below = ("/plan", "/plan/why?words=build", "/plan?as=1")
    pages = [visitor.get(path + rest, headers=kind).text for rest, kind in product(below, ({}, JSON, HTMX))]
    text = "\n".join(
        [everything(visitor, path), *pages, pushed(visitor, f"{PLANS}{key}"), pushed(visitor, f"{PLANS}{key}!1")]
    )
    return re.sub(r'name="token" value="\w+"|<time[^>]*>[^<]*</time>', "", text)


def test_a_plan_is_made_without_a_script_and_played_when_the_turn_comes(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    trade_on(people, path, 0)
    ada, grace, _ = people
    build = next(move for move in offered(grace, path) if move.startswith("build"))
    assert "done" in offered(grace, path, build)
    whole = grace.submit(f"{path}/plan/play", moves=build, move="done").text
    assert 'id="whole"' in whole
    assert 'id="tree"' not in whole
    assert save(grace, path, build, "done", who="1", does="build").status_code == 303
    assert save(grace, path, build, "done", always="1").status_code == 303
    kept = plans(grace, path)
    assert [(plan["number"], plan["moves"], plan["always"], plan["fate"]) for plan in kept] == [
        (1, [build, "done"], False, None),
        (2, [build, "done"], True, None),
    ]
    assert kept[0]["condition"] == {"seat": 0, "words": "build"}
    page = grace.get(f"{path}/plan").text
    assert "Always." in page
    assert "If Ada has played: Build track" in page
    assert grace.submit(f"{path}/plan/2/earlier").status_code == 303
    assert [plan["always"] for plan in plans(grace, path)] == [True, False]
    assert grace.submit(f"{path}/plan/1/drop").status_code == 303
    assert grace.submit(f"{path}/plan/1/drop").status_code == 404
    assert save(grace, path, build, "done").status_code == 303
    trade(ada, path)
    while grace.state(path)["to_decide"] == 1 or plans(grace, path)[0]["fate"] is None:
        pass
    assert [plan["fate"] for plan in plans(grace, path)] == ["Your plan was played."]
    assert "Your plan was played." in grace.get(path).text
    assert grace.state(path)["to_decide"] == 2


def test_nobody_else_sees_a_plan_or_that_there_is_one(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, people = running
    trade_on(people, path, 0)
    ada, grace, mary = people
    with Visitor(server) as stranger:
        others = (ada, mary, stranger)
        before = [seen_of(visitor, path) for visitor in others]
        move = next(text for text in offered(grace, path) if text.startswith("build"))
        assert save(grace, path, move, "done", who="1", does="build").status_code == 303
        assert save(grace, path, move).status_code == 303
        assert [seen_of(visitor, path) for visitor in others] == before
        for client, status in ((ada, 409), (mary, 303), (stranger, 403)):
            assert save(client, path, move).status_code == status
        assert ada.submit(f"{path}/plan/1/drop").status_code == 404
        assert [plan["moves"] for plan in plans(mary, path)] == [[move]]
        assert len(plans(grace, path)) == 2
        assert move not in grace.get(f"{path}/record").text
        assert stranger.get(f"{path}/plan").status_code == 403


def test_a_plan_with_an_illegal_sentence_and_other_nonsense_get_a_clear_sentence(
    running: tuple[str, list[Visitor]],
) -> None:
    path, people = running
    trade_on(people, path, 0)
    _, grace, _ = people
    build = next(move for move in offered(grace, path) if move.startswith("build"))
    for moves, code, words in (
        ([build, build], "illegal", f"“{build}” can’t be played at that point: "),
        ([build, "fly away"], "unknown-move", "“fly away” is not a move in this game."),
        ([build, "done", build], "illegal", "Your turn is already over by then."),
        ([build] * 31, "too-many-moves", "Plans may have up to 30 moves."),
    ):
        page = grace.submit(f"{path}/plan/play", moves="\n".join(moves))
        assert page.status_code == 422
        assert words in page.text
        assert f'name="moves" value="{build}' in page.text, "what can be planned stays"
        kept = grace.post(f"{path}/plan", data={"token": grace.token(), "moves": "\n".join(moves)}, headers=JSON)
        assert (kept.status_code, kept.json()["code"]) == (422, code)
        assert words in kept.json()["message"]
    assert save(grace, path).status_code == 422
    assert save(grace, path, build, who="2", does="build").status_code == 422, "one's own seat"
    assert save(grace, path, build, who="9", does="build").status_code == 422
    assert save(grace, path, build, who="x", does="build").status_code == 400
    assert save(grace, path, build, who="1", does="fly").status_code == 422
    assert grace.submit(f"{path}/plan/x/drop").status_code == 400
    assert grace.submit(f"{path}/plan/1/burn").status_code == 404
    assert plans(grace, path) == []
    for _ in range(DEFAULT.plans_per_table):
        assert save(grace, path, build).status_code == 303
    assert save(grace, path, build).status_code == 409
    why = grace.get(f"{path}/plan/why", params={"words": build, "moves": build}, headers=HTMX)
    assert why.status_code == 200
    assert "refusal" in why.text
    answers = [grace.get(f"{path}/plan").status_code for _ in range(DEFAULT.plan_pages_per_minute)]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_a_shared_device_plans_nothing(ada: Visitor, shared: str) -> None:
    assert "to-plan" not in ada.get(shared).text
    for response in (ada.get(f"{shared}/plan", headers=JSON), ada.get(f"{shared}/plan?me=2", headers=JSON)):
        assert (response.status_code, response.json()["code"]) == (409, "hot-seat")


def test_a_turn_is_planned_on_the_board_and_its_owner_is_told(
    running: tuple[str, list[Visitor]], server: Server, person: Person
) -> None:
    path, people = running
    trade_on(people, path, 0)
    ada, grace, _ = people
    page: Any = person(viewport=DESK, locale="en")
    let_in(page.context, grace)
    page.goto(server.address + path)
    page.locator("#to-plan").click()
    page.locator("#map-static .is-target").first.click()
    step, ways = page.locator("#turn li"), page.locator("#choices button:not(.blocked)")
    expect(step.or_(ways).first).to_be_visible()
    if not step.count():  # more than one company may build there
        ways.first.press("Enter")
    expect(step).to_have_count(1)
    expect(page.locator("#turn li")).to_contain_text("Grace")
    page.locator("#choices .options button", has_text="Stop building").press("Enter")
    expect(page.locator("#whole")).to_be_visible()
    expect(page.locator("#tree")).to_have_count(0)
    page.get_by_text("Add a condition").click()
    page.locator("#who").select_option(label="Ada")
    page.locator("#save").press("Enter")
    expect(page.locator(".plans-kept > li")).to_contain_text("If Ada has played: Build track")
    page.locator("#back").click()
    expect(page.locator("#prompt #plans summary")).to_contain_text("My plans (1)")
    trade(ada, path)
    expect(page.locator("#prompt .plan-fate")).to_contain_text("No plan was played: no condition was met.")
    expect(page.locator("#to-plan")).to_have_count(0)
