"""Check the replay: addresses, what each viewer may see, buttons, keys and automatic playback."""

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
from tests.paths import ROOT
from tests.sentences import sentence_after
from tests.tables.harness import setup
from tests.tiers import first_alone
from tests.web.conftest import wait_for_true
from tests.web.servers import Server
from tests.web.visitors import Visitor


def step_title(at: int, last_step: int) -> str:
    """Return the heading of a step."""
    return sentence_after("web/templates/replay_step.html", 'id="prompt-title"', at=at, last=last_step)


def play_on(path: str, visitors: list[Visitor], count: int, wanted_move: str = "") -> None:
    """Play moves with this beginning where possible."""
    for _ in range(count):
        seat = visitors[0].state(path)["to_decide"]
        moves = visitors[seat].state(path)["moves"]
        wanted_moves = [move for move in moves if move.startswith(wanted_move)] or moves
        assert visitors[seat].play(path, wanted_moves[0]).status_code == 200


def abort(path: str, visitors: list[Visitor]) -> None:
    visitors[0].submit(f"{path}/consent/ask-abort")
    for visitor in visitors[1:]:
        visitor.submit(f"{path}/consent/agree-abort")
    assert visitors[0].state(path)["status"] == "aborted"


def shares(page: str) -> list[str]:
    """Return the shares of the players on a replay page."""
    return re.findall(r'class="shares-held">(\d+)<', page)


def test_each_replay_step_has_an_address(running_table: tuple[str, list[Visitor]], server: Server) -> None:
    path, visitors = running_table
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
    assert 'id="live-part"' in host.get(f"{path}/replay?at=3", headers={"HX-Request": "true"}).text


def test_the_replay_starts_at_the_first_move_and_marks_the_ends_of_turns(
    running_table: tuple[str, list[Visitor]],
) -> None:
    path, visitors = running_table
    seats = [visitors[0].state(path)["to_decide"]]
    for _ in range(12):
        play_on(path, visitors, 1, "build")
        seats.append(visitors[0].state(path)["to_decide"])
    turn_ends = [step for step in range(1, 13) if seats[step] != seats[step - 1]]
    assert len(turn_ends) > 1
    first = visitors[0].get(f"{path}/replay").text
    assert step_title(0, 12) in first
    assert f'data-turn-ends="{" ".join(map(str, turn_ends))}"' in first
    assert f'id="next-turn-link" data-step="{turn_ends[0]}" href="{path}/replay?at={turn_ends[0]}"' in first
    later_page = visitors[0].get(f"{path}/replay?at={turn_ends[1]}").text
    assert f'id="previous-turn-link" data-step="{turn_ends[0]}"' in later_page
    assert 'id="start-links"' not in later_page, "there is no analysis"


def test_the_replay_links_to_the_worst_turn_of_the_viewer_if_an_analysis_found_such_a_turn() -> None:
    record = Record.read(ROOT / "tests" / "golden" / "paris-connection" / "4-depots.txt")
    events = tables.import_record(record, game("paris-connection").components)
    written_events = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written_events, setup)
    costs = ((3, 0, 0.1), (7, 0, 0.3), (12, 1, 0.4), (15, 2, 0.0))
    decisions = [
        JudgedDecision(number, seat, (), (), number, (table.moves[number - 1].move,), loss=cost)
        for number, seat, cost in costs
    ]
    analysis = Analysis(len(table.moves), (), tuple(decisions))
    pages, everyone = Renderer(Assets(), DrawnFiles()), replay.Viewpoint(None, shows_everything=True)

    def hint_texts(perspective: Perspective) -> list[str]:
        step = asyncio.run(
            replay.step_fragment(pages, table, perspective, everyone, 0, None, "en", "https://x.example", analysis)
        )
        assert step.count('class="judgement-mark"') == 3
        return re.findall(r'data-step="(\d+)"', step.partition('id="start-links"')[2].partition("</p>")[0])

    assert hint_texts(Perspective(0, False)) == ["0", "6"]
    assert hint_texts(Perspective(1, False)) == ["0", "11"]
    assert hint_texts(Perspective(2, False)) == [], "nothing that this seat did cost anything"
    assert hint_texts(Perspective(None, False)) == []


def test_a_running_game_is_replayed_only_from_the_perspective_of_the_viewer(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, visitors = running_table
    play_on(path, visitors, 3)
    own_shares = [shares(visitor.get(f"{path}/replay?at=0").text) for visitor in visitors]
    assert all(sum(map(int, counts_of_hand)) == 10 for counts_of_hand in own_shares)
    with Visitor(server) as spectator:
        page = spectator.get(f"{path}/replay?at=0")
        assert page.status_code == 200
        assert shares(page.text) == []
    for eyes in ("2", "all"):
        refusal = visitors[0].get(f"{path}/replay?at=0&as={eyes}")
        assert refusal.status_code == 403
        assert shares(refusal.text) == []


def test_a_finished_game_can_be_replayed_from_any_perspective(running_table: tuple[str, list[Visitor]]) -> None:
    path, visitors = running_table
    play_on(path, visitors, 2)
    own_shares = [shares(visitor.get(f"{path}/replay?at=0").text) for visitor in visitors]
    abort(path, visitors)
    assert [shares(visitors[0].get(f"{path}/replay?at=0&as={n}").text) for n in (1, 2, 3)] == own_shares
    everybody_page = visitors[0].get(f"{path}/replay?at=0&as=all")
    assert everybody_page.status_code == 200
    known_shares = re.findall(r'<td class="known-shares">.*?</svg><b[^>]*>(\d+)</b>', everybody_page.text, re.DOTALL)
    assert known_shares == [share_count for hand in own_shares for share_count in hand]


@pytest.mark.parametrize(
    ("at", "status"), [("7", 404), ("99999999999", 404), ("-1", 400), ("x", 400), ("1.5", 400), ("03", 400)]
)
def test_a_missing_replay_step_is_refused(running_table: tuple[str, list[Visitor]], at: str, status: int) -> None:
    path, visitors = running_table
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


def test_a_player_can_replay_the_moves_since_their_last_turn(running_table: tuple[str, list[Visitor]]) -> None:
    path, visitors = running_table
    start = visitors[0].state(path)["to_decide"]
    play_on(path, visitors, 3, "trade")
    mover = visitors[start]
    answer = mover.get(f"{path}/since")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{path}/replay?at=1&since=1&play=1"
    page = mover.get(answer.headers["location"]).text
    assert sentence_after("web/templates/replay_step.html", 'id="log-title"') in page
    assert len(re.findall(r'<li id="log-\d+"', page)) == 2
    lines = re.findall(r"<li>(.*?)</li>", page.partition('id="seat-changes"')[2].partition("</ul>")[0])
    texts = [re.sub(r"<[^>]+>", "", line) for line in lines]
    assert len(texts) == 2  # a line for each of the others
    assert all(re.fullmatch(r"\w+: −\d \w+, \+\d \w+", line) for line in texts)


@pytest.mark.browser
def test_the_replay_plays_automatically_and_by_buttons_keys_and_slider(
    running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser
) -> None:
    path, visitors = running_table
    play_on(path, visitors, 5)
    page = chromium.new_page(locale="en-GB")
    problems: list[str] = []
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{server.address}{path}/replay?at=2")
    live, title = page.locator("#live-part"), page.locator("#prompt-title")
    expect(title).to_have_text(step_title(2, 5))
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text(step_title(3, 5))
    assert "at=3" in page.url
    page.locator("#previous-step-link").click()
    expect(title).to_have_text(step_title(2, 5))
    page.locator("#first-step-link").focus()
    page.keyboard.press("Enter")
    expect(title).to_have_text(step_title(0, 5))
    expect(page.locator("#first-step-link")).to_be_focused()
    page.locator("#step-slider").fill("4")
    expect(title).to_have_text(step_title(4, 5))
    expect(page.locator("#live-region")).to_contain_text(step_title(4, 5))
    page.keyboard.press("Home")
    page.locator("#step-slider").blur()
    page.keyboard.press("Home")
    expect(title).to_have_text(step_title(0, 5))
    page.get_by_role("button", name="4×").click()
    page.get_by_role("button", name="Play").click()
    expect(live).to_have_attribute("data-current-step", "5")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(step_title(4, 5))
    page.locator("#look-button").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de-DE")
    expect(live).to_have_attribute("data-current-step", "4")
    assert problems == []
    page.close()


LINE = """() => {
  const [list, now] = [document.querySelector(".log-panel .log"), document.querySelector(".log-panel .is-current")];
  const [frame, line] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  const boxes = [...list.children].map((one) => one.getBoundingClientRect());
  const isWhole = boxes.every(({ top, bottom }) => top >= frame.top - 1 || bottom <= frame.top + 1);
  const isSeen = line.top >= frame.top - 1 && line.bottom <= frame.bottom + 1;
  return isWhole && isSeen && list.scrollHeight > list.clientHeight;
}"""
"""A script that returns whether the list needs scrolling, begins with a whole move, and shows the current one."""


@pytest.mark.browser
@pytest.mark.parametrize("width", first_alone(390, [1440, 390]))
def test_the_move_list_always_shows_the_current_move(
    running_table: tuple[str, list[Visitor]], server: Server, chromium: Browser, width: int
) -> None:
    path, visitors = running_table
    play_on(path, visitors, 36, "build")
    page = chromium.new_page(locale="en-GB", viewport={"width": width, "height": 844})
    for step in (33, 2):
        page.goto(f"{server.address}{path}/replay?at={step}")
        wait_for_true(page, LINE)
    page.keyboard.press("End")
    expect(page.locator("#live-part")).to_have_attribute("data-current-step", "36")
    wait_for_true(page, LINE)
    assert page.evaluate("scrollY") == 0  # nothing else was scrolled
    if width == 390:
        dock = page.locator("#prompt").bounding_box()
        assert dock is not None
        assert dock["height"] < 170  # until the rest is wanted
        expect(page.locator("#play-button")).to_be_in_viewport(ratio=1)
        page.locator("#expand-prompt").click()
        page.locator("#previous-step-link").click()
        expect(page.locator("#live-part")).to_have_attribute("data-current-step", "35")
        expect(page.locator("#step-slider")).to_be_visible()
    page.close()
