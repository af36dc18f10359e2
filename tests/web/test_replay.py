"""Replay: every step has an address, shows what its viewer may see, and plays by buttons, keys and by itself."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.sync_api import Browser, expect

from spieltisch import game, tables
from spieltisch.bots.analysis import Analysis, JudgedDecision
from spieltisch.core.record import Record
from spieltisch.tables import RecordedEvent
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages import replay
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.tables.harness import setup
from tests.test_docs import ROOT
from tests.tiers import first_alone
from tests.web.conftest import Server, Visitor, comes_true


def play_on(path: str, visitors: list[Visitor], many: int, wish: str = "") -> None:
    """People play; moves that begin with the wish if there are any."""
    for _ in range(many):
        seat = visitors[0].state(path)["to_decide"]
        moves = visitors[seat].state(path)["moves"]
        wished = [move for move in moves if move.startswith(wish)] or moves
        assert visitors[seat].play(path, wished[0]).status_code == 200


def abort(path: str, visitors: list[Visitor]) -> None:
    visitors[0].submit(f"{path}/consent/ask-abort")
    for visitor in visitors[1:]:
        visitor.submit(f"{path}/consent/agree-abort")
    assert visitors[0].state(path)["status"] == "aborted"


def shares(page: str) -> list[str]:
    """Return the shares of the players in the replay, from the page."""
    return re.findall(r'class="shares-held">(\d+)<', page)


def test_each_step_has_an_address(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, visitors = running
    play_on(path, visitors, 6)
    host = visitors[0]
    pages = [host.get(f"{path}/replay?at={step}").text for step in range(7)]
    assert all(f"Move {step} of 6" in page for step, page in enumerate(pages))
    assert [page.count('class="loco') for page in pages] == sorted(page.count('class="loco') for page in pages)
    assert len(set(pages)) == 7
    with Visitor(server, "nl") as friend:  # the same address, in the friend's own language
        page = friend.get(f"{path}/replay?at=3").text
    assert 'lang="nl-NL"' in page
    assert " bouwt " in page
    assert 'id="live"' in host.get(f"{path}/replay?at=3", headers={"HX-Request": "true"}).text


def test_it_starts_at_the_first_move_and_names_the_ends_of_turns(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    seats = [visitors[0].state(path)["to_decide"]]
    for _ in range(12):
        play_on(path, visitors, 1, "build")
        seats.append(visitors[0].state(path)["to_decide"])
    ends = [step for step in range(1, 13) if seats[step] != seats[step - 1]]
    assert len(ends) > 1
    first = visitors[0].get(f"{path}/replay").text
    assert "Move 0 of 12" in first
    assert f'data-turn-ends="{" ".join(map(str, ends))}"' in first
    assert f'id="turn-on" data-step="{ends[0]}" href="{path}/replay?at={ends[0]}"' in first
    later = visitors[0].get(f"{path}/replay?at={ends[1]}").text
    assert f'id="turn-back" data-step="{ends[0]}"' in later
    assert 'id="starts"' not in later, "there is no analysis"


def test_my_worst_turn_is_offered_where_an_analysis_found_one() -> None:
    record = Record.read(ROOT / "tests" / "golden" / "paris-connection" / "4-depots.txt")
    events = tables.import_record(record, game("paris-connection").components)
    written = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written, setup)
    costs = ((3, 0, 0.1), (7, 0, 0.3), (12, 1, 0.4), (15, 2, 0.0))
    decisions = [
        JudgedDecision(number, seat, (), (), number, (table.moves[number - 1].move,), loss=cost)
        for number, seat, cost in costs
    ]
    analysis = Analysis(len(table.moves), (), tuple(decisions))
    pages, everyone = Renderer(Assets(), DrawnFiles()), replay.Viewpoint(None, shows_everything=True)

    def shown(perspective: Perspective) -> list[str]:
        step = asyncio.run(
            replay.step_fragment(pages, table, perspective, everyone, 0, None, "en", "https://x.example", analysis)
        )
        assert step.count('class="judged"') == 3
        return re.findall(r'data-step="(\d+)"', step.partition('id="starts"')[2].partition("</p>")[0])

    assert shown(Perspective(0, False)) == ["0", "6"]
    assert shown(Perspective(1, False)) == ["0", "11"]
    assert shown(Perspective(2, False)) == [], "nothing that this seat did cost anything"
    assert shown(Perspective(None, False)) == []


def test_while_it_runs_everybody_sees_with_their_own_eyes(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, visitors = running
    play_on(path, visitors, 3)
    own = [shares(visitor.get(f"{path}/replay?at=0").text) for visitor in visitors]
    assert all(sum(map(int, held)) == 10 for held in own)
    with Visitor(server) as spectator:
        page = spectator.get(f"{path}/replay?at=0")
        assert page.status_code == 200
        assert shares(page.text) == []
    for eyes in ("2", "all"):
        refused = visitors[0].get(f"{path}/replay?at=0&as={eyes}")
        assert refused.status_code == 403
        assert shares(refused.text) == []


def test_afterwards_through_anybodys_eyes(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    play_on(path, visitors, 2)
    own = [shares(visitor.get(f"{path}/replay?at=0").text) for visitor in visitors]
    abort(path, visitors)
    assert [shares(visitors[0].get(f"{path}/replay?at=0&as={n}").text) for n in (1, 2, 3)] == own
    everybody = visitors[0].get(f"{path}/replay?at=0&as=all")
    assert everybody.status_code == 200
    known = re.findall(r'<td class="known">.*?</svg><b[^>]*>(\d+)</b>', everybody.text)
    assert known == [held for hand in own for held in hand]


@pytest.mark.parametrize(
    ("at", "status"), [("7", 404), ("99999999999", 404), ("-1", 400), ("x", 400), ("1.5", 400), ("03", 400)]
)
def test_no_such_step(running: tuple[str, list[Visitor]], at: str, status: int) -> None:
    path, visitors = running
    play_on(path, visitors, 6)
    assert visitors[0].get(f"{path}/replay?at={at}").status_code == status


@pytest.mark.rule("T5")
def test_without_the_memory_aid_old_trades_are_not_replayed(ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "open", "open", **{"option-memory_aid": "False"})
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    visitors = [ada, grace, mary]
    play_on(path, visitors, 8, "trade")
    assert ada.get(f"{path}/replay?at=0").status_code == 404
    assert ada.get(f"{path}/replay?at=5").status_code == 200
    assert "gives back" in ada.get(f"{path}/replay?at=8").text
    abort(path, visitors)
    assert ada.get(f"{path}/replay?at=0").status_code == 200


def test_since_my_last_turn(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    start = visitors[0].state(path)["to_decide"]
    play_on(path, visitors, 3, "trade")
    mover = visitors[start]
    answer = mover.get(f"{path}/since")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{path}/replay?at=1&since=1&play=1"
    page = mover.get(answer.headers["location"]).text
    assert "Since your last turn" in page
    assert len(re.findall(r'<li id="log-\d+"', page)) == 2
    lines = re.findall(r"<li>(.*?)</li>", page.partition('id="accounts"')[2].partition("</ul>")[0])
    texts = [re.sub(r"<[^>]+>", "", line) for line in lines]
    assert len(texts) == 2  # a line for each of the others
    assert all(re.fullmatch(r"\w+: −\d \w+, \+\d \w+", line) for line in texts)


@pytest.mark.browser
def test_by_buttons_keys_slider_and_by_itself(
    running: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running
    play_on(path, visitors, 5)
    page = chromium.new_page(locale="en-GB")
    problems: list[str] = []
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{server.address}{path}/replay?at=2")
    live, title = page.locator("#live"), page.locator("#prompt-title")
    expect(title).to_have_text("Move 2 of 5")
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text("Move 3 of 5")
    assert "at=3" in page.url
    page.get_by_role("link", name="Previous move").click()
    expect(title).to_have_text("Move 2 of 5")
    page.get_by_role("link", name="Go to the start").focus()
    page.keyboard.press("Enter")
    expect(title).to_have_text("Move 0 of 5")
    expect(page.get_by_role("link", name="Go to the start")).to_be_focused()
    page.get_by_label("Move", exact=True).fill("4")
    expect(title).to_have_text("Move 4 of 5")
    expect(page.locator("#said")).to_contain_text("Move 4 of 5")
    page.keyboard.press("Home")
    page.get_by_label("Move", exact=True).blur()
    page.keyboard.press("Home")
    expect(title).to_have_text("Move 0 of 5")
    page.get_by_role("button", name="4×").click()
    page.get_by_role("button", name="Play").click()
    expect(live).to_have_attribute("data-at", "5")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text("Move 4 of 5")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de-DE")
    expect(live).to_have_attribute("data-at", "4")
    assert problems == []
    page.close()


LINE = """() => {
  const [list, now] = [document.querySelector(".story .log"), document.querySelector(".story .now")];
  const [frame, line] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  return list.scrollHeight > list.clientHeight && line.top >= frame.top - 1 && line.bottom <= frame.bottom + 1;
}"""
"""A script that returns whether the list needs scrolling, and whether the current move is fully visible in it."""


@pytest.mark.browser
@pytest.mark.parametrize("width", first_alone(390, [1440, 390]))
def test_the_list_follows_what_is_shown_from_the_start(
    running: tuple[str, list[Visitor]], server: Server, chromium: Browser, width: int
) -> None:
    path, visitors = running
    play_on(path, visitors, 36, "build")
    page = chromium.new_page(locale="en-GB", viewport={"width": width, "height": 844})
    for step in (33, 2):
        page.goto(f"{server.address}{path}/replay?at={step}")
        comes_true(page, LINE)
    page.keyboard.press("End")
    expect(page.locator("#live")).to_have_attribute("data-at", "36")
    comes_true(page, LINE)
    assert page.evaluate("scrollY") == 0  # nothing else was scrolled
    page.close()
