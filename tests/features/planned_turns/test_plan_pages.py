"""Check planning in the browser: on an imagined board, played at the next turn, and invisible to other players."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import Any

import httpx
from playwright.sync_api import expect

from spieltisch.features.planned_turns.service import TOPIC
from spieltisch.live.limits import DEFAULT
from tests.features.shown_pages import HTMX, JSON, everything, pushed
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.layout_checks import DESK
from tests.web.servers import Server
from tests.web.table_moves import trade
from tests.web.visitors import Visitor, let_in, trade_on

plan_sentence = partial(sentence_after, "features/planned_turns/commands.py")
TERMS = "features/planned_turns/templates/plan_moves.html"
BUILD = sentence_after("games/paris_connection/moves.py", '"build",')
ADA_HAS_BUILT = f"{sentence_after(TERMS, '{% if planned.condition %}', player='Ada')} {BUILD}"
PLAYED = plan_sentence("_PLAYED: Final =")


def offered(visitor: Visitor, path: str, *moves: str) -> list[str]:
    """Return the moves that the planning page offers after these moves."""
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


def everything_shown(visitor: Visitor, path: str) -> str:
    """Return everything that a visitor is shown of a table and its plans, except what differs between two requests."""
    key = path.rpartition("/")[2]
    subpages = ("/plan", "/plan/why?words=build", "/plan?as=1")
    pages = [visitor.get(path + subpath, headers=kind).text for subpath, kind in product(subpages, ({}, JSON, HTMX))]
    text = "\n".join(
        [everything(visitor, path), *pages, pushed(visitor, f"{TOPIC}{key}"), pushed(visitor, f"{TOPIC}{key}!1")]
    )
    return re.sub(r'name="token" value="\w+"|<time[^>]*>[^<]*</time>', "", text)


def test_a_plan_is_made_without_a_script_and_played_at_the_next_turn(
    running_table: tuple[str, list[Visitor]],
) -> None:
    path, people = running_table
    trade_on(people, path, 0)
    ada, grace, _ = people
    build = next(move for move in offered(grace, path) if move.startswith("build"))
    assert "done" in offered(grace, path, build)
    sent_page = grace.submit(f"{path}/plan/play", moves=build, move="done").text
    assert 'id="turn-complete-note"' in sent_page
    assert 'id="move-tree"' not in sent_page
    assert save(grace, path, build, "done", condition_player="1", condition_move="build").status_code == 303
    assert save(grace, path, build, "done", always="1").status_code == 303
    kept_plans = plans(grace, path)
    assert [(plan["number"], plan["moves"], plan["always"], plan["outcome"]) for plan in kept_plans] == [
        (1, [build, "done"], False, None),
        (2, [build, "done"], True, None),
    ]
    assert kept_plans[0]["condition"] == {"seat": 0, "words": "build"}
    page = grace.get(f"{path}/plan").text
    assert sentence_after(TERMS, "{% if planned.always %}") in page
    assert ADA_HAS_BUILT in page
    assert grace.submit(f"{path}/plan/2/earlier").status_code == 303
    assert [plan["always"] for plan in plans(grace, path)] == [True, False]
    assert grace.submit(f"{path}/plan/1/drop").status_code == 303
    assert grace.submit(f"{path}/plan/1/drop").status_code == 404
    assert save(grace, path, build, "done").status_code == 303
    trade(ada, path)
    while grace.state(path)["to_decide"] == 1 or plans(grace, path)[0]["outcome"] is None:
        pass
    assert [plan["outcome"] for plan in plans(grace, path)] == [PLAYED]
    assert PLAYED in grace.get(path).text
    assert grace.state(path)["to_decide"] == 2


def test_plans_are_invisible_to_all_other_visitors(running_table: tuple[str, list[Visitor]], server: Server) -> None:
    path, people = running_table
    trade_on(people, path, 0)
    ada, grace, mary = people
    with Visitor(server) as stranger:
        other_visitors = (ada, mary, stranger)
        before = [everything_shown(visitor, path) for visitor in other_visitors]
        move = next(text for text in offered(grace, path) if text.startswith("build"))
        assert save(grace, path, move, "done", condition_player="1", condition_move="build").status_code == 303
        assert save(grace, path, move).status_code == 303
        assert [everything_shown(visitor, path) for visitor in other_visitors] == before
        for client, status in ((ada, 409), (mary, 303), (stranger, 403)):
            assert save(client, path, move).status_code == status
        assert ada.submit(f"{path}/plan/1/drop").status_code == 404
        assert [plan["moves"] for plan in plans(mary, path)] == [[move]]
        assert len(plans(grace, path)) == 2
        assert move not in grace.get(f"{path}/record").text
        assert stranger.get(f"{path}/plan").status_code == 403


def test_invalid_plans_are_refused_with_a_message(
    running_table: tuple[str, list[Visitor]],
) -> None:
    path, people = running_table
    trade_on(people, path, 0)
    _, grace, _ = people
    build = next(move for move in offered(grace, path) if move.startswith("build"))
    for moves, code, words in (
        ([build, build], "illegal", plan_sentence("def _illegal_move", move=build, reason="")),
        (
            [build, "fly away"],
            "unknown-move",
            sentence_after("tables/refusals.py", "def unknown_move", text="fly away"),
        ),
        (
            [build, "done", build],
            "illegal",
            plan_sentence("raise _illegal_move(text,"),
        ),
        ([build] * 31, "too-many-moves", plan_sentence("def draft", count=30)),
    ):
        page = grace.submit(f"{path}/plan/play", moves="\n".join(moves))
        assert page.status_code == 422
        assert words in page.text
        assert f'name="moves" value="{build}' in page.text, "what can be planned stays"
        refusal = grace.post(f"{path}/plan", data={"token": grace.token(), "moves": "\n".join(moves)}, headers=JSON)
        assert (refusal.status_code, refusal.json()["code"]) == (422, code)
        assert words in refusal.json()["message"]
    assert save(grace, path).status_code == 422
    assert save(grace, path, build, condition_player="2", condition_move="build").status_code == 422, "one's own seat"
    assert save(grace, path, build, condition_player="9", condition_move="build").status_code == 422
    assert save(grace, path, build, condition_player="x", condition_move="build").status_code == 400
    assert save(grace, path, build, condition_player="1", condition_move="fly").status_code == 422
    assert grace.submit(f"{path}/plan/x/drop").status_code == 400
    assert grace.submit(f"{path}/plan/1/burn").status_code == 404
    assert plans(grace, path) == []
    for _ in range(DEFAULT.plans_per_table):
        assert save(grace, path, build).status_code == 303
    assert save(grace, path, build).status_code == 409
    reason_page = grace.get(f"{path}/plan/why", params={"words": build, "moves": build}, headers=HTMX)
    assert reason_page.status_code == 200
    assert "refusal" in reason_page.text
    answers = [grace.get(f"{path}/plan").status_code for _ in range(DEFAULT.plan_pages_per_minute)]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_planning_is_refused_on_a_shared_device(ada: Visitor, shared_device_table: str) -> None:
    assert "to-plan" not in ada.get(shared_device_table).text
    for response in (
        ada.get(f"{shared_device_table}/plan", headers=JSON),
        ada.get(f"{shared_device_table}/plan?me=2", headers=JSON),
    ):
        assert (response.status_code, response.json()["code"]) == (409, "hot-seat")


def test_a_turn_is_planned_on_the_board_and_its_result_is_shown_to_its_owner(
    running_table: tuple[str, list[Visitor]], server: Server, open_page: Person
) -> None:
    path, people = running_table
    trade_on(people, path, 0)
    ada, grace, _ = people
    page: Any = open_page(viewport=DESK, locale="en")
    let_in(page.context, grace)
    page.goto(server.address + path)
    page.locator("#plan-link").click()
    page.locator("#map-drawing .is-target").first.click()
    step, choice_buttons = page.locator("#turn-so-far li"), page.locator("#choices button:not(.blocked-choice)")
    expect(step.or_(choice_buttons).first).to_be_visible()
    if not step.count():  # more than one company may build there
        choice_buttons.first.press("Enter")
    expect(step).to_have_count(1)
    expect(page.locator("#turn-so-far li")).to_contain_text("Grace")
    page.locator(
        "#choices .choice-list button", has_text=sentence_after("games/paris_connection/moves.py", 'MoveKind("done",')
    ).press("Enter")
    expect(page.locator("#turn-complete-note")).to_be_visible()
    expect(page.locator("#move-tree")).to_have_count(0)
    page.get_by_text(
        sentence_after("features/planned_turns/templates/plan.html", '<details class="plan-condition"><summary>{{')
    ).click()
    page.locator("#condition-player").select_option(label="Ada")
    page.locator("#save-plan").press("Enter")
    expect(page.locator(".stored-plans > li")).to_contain_text(ADA_HAS_BUILT)
    page.locator("#table-link").click()
    expect(page.locator("#prompt #plans summary .count")).to_have_text("(1)")
    trade(ada, path)
    expect(page.locator("#prompt .plan-outcome")).to_contain_text(plan_sentence("NONE_HELD: Final ="))
    expect(page.locator("#plan-link")).to_have_count(0)
