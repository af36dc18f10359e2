"""Check that a handoff screen hides secrets between the turns of players on one device."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch.tables.refusals import NOT_YOUR_TURN
from tests.sentences import sentence_after, template_after
from tests.web.key_player import word_labels
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

TRADE = word_labels("paris-connection", "trade red for 1 black")[0]
YOUR_TURN = sentence_after("web/pages/table_page.py", "if between else")
SHARES = re.compile(r'class="shares-held">(\d+)<')


def handoff_text(name: str) -> str:
    """Return the text of the handoff screen before this player's turn."""
    return sentence_after("web/templates/handoff.html", "<p>{% if table.to_decide", player=name)


def test_the_page_behind_the_handoff_screen_contains_no_secrets(ada: Visitor, shared_device_table: str) -> None:
    page = ada.get(shared_device_table).text
    assert 'id="handoff-screen"' in page
    assert SHARES.findall(page) == []
    assert 'name="move"' not in page
    seat = ada.state(shared_device_table)["to_decide"]
    name = ("Ada", "Ben", "Cleo")[seat]
    assert handoff_text(name) in page
    sides = [ada.get(f"{shared_device_table}?me={hot_seat}").text for hot_seat in ("0", "2", "3")]
    assert all(sum(map(int, SHARES.findall(side))) == 10 for side in sides)
    assert ['name="move"' in side for side in sides] == [seat == n for n in range(3)]


def test_each_player_on_a_device_plays_only_their_own_seat(ada: Visitor, shared_device_table: str) -> None:
    for _ in range(4):
        seat = ada.state(shared_device_table)["to_decide"]
        words = {0: "0", 1: "2", 2: "3"}
        wrong_word = words[(seat + 1) % 3]
        state = ada.get(f"{shared_device_table}?me={words[seat]}", headers={"Accept": "application/json"}).json()
        move = next(move for move in state["moves"] if move.startswith("trade"))
        fields = {"token": ada.token(), "move": move, "version": str(state["version"])}
        accept = {"Accept": "application/json"}
        assert (
            ada.post(f"{shared_device_table}/play", data={**fields, "me": wrong_word}, headers=accept).status_code
            == 403
        )
        assert (
            ada.post(f"{shared_device_table}/play", data={**fields, "me": words[seat]}, headers=accept).status_code
            == 200
        )
        assert ada.state(shared_device_table)["to_decide"] == (seat + 1) % 3


def hrefs(page: str) -> set[str]:
    return {html.unescape(address) for address in re.findall(r'href="([^"]+)"', page)}


def test_without_a_script_reasons_and_confirmations_keep_the_player_of_the_page(
    ada: Visitor, shared_device_table: str
) -> None:
    seat = ada.state(shared_device_table)["to_decide"]
    hot_seat = ("0", "2", "3")[seat]
    (why,) = {
        address
        for address in hrefs(ada.get(f"{shared_device_table}?me={hot_seat}").text)
        if "/why?words=done" in address
    }
    reason = ada.get(why)
    assert reason.status_code == 200
    assert "T11" in reason.text
    assert str(NOT_YOUR_TURN.message) not in reason.text
    assert f"{shared_device_table}?me={hot_seat}" in hrefs(reason.text), "back to the table"
    state = ada.get(f"{shared_device_table}?me={hot_seat}", headers={"Accept": "application/json"}).json()
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    response = ada.submit(f"{shared_device_table}/play", me=hot_seat, move=trade, version=str(state["version"]))
    assert f'action="{shared_device_table}/play?confirmed=' in response.text
    assert f"{shared_device_table}?me={hot_seat}" in hrefs(response.text), "back to the choice"


def test_every_page_about_the_table_keeps_the_player_of_the_page(ada: Visitor, shared_device_table: str) -> None:
    start = ada.state(shared_device_table)["to_decide"]
    for _ in range(4):
        seat = ada.state(shared_device_table)["to_decide"]
        hot_seat = ("0", "2", "3")[seat]
        accept = {"Accept": "application/json"}
        state = ada.get(f"{shared_device_table}?me={hot_seat}", headers=accept).json()
        move = next(move for move in state["moves"] if move.startswith("trade"))
        fields = {"token": ada.token(), "move": move, "version": str(state["version"]), "me": hot_seat}
        assert ada.post(f"{shared_device_table}/play", data=fields, headers=accept).status_code == 200
    last_seats = {start: 3, (start + 1) % 3: 2, (start + 2) % 3: 3}
    for seat, hot_seat in enumerate(("0", "2", "3")):
        shared_page = ada.get(f"{shared_device_table}?me={hot_seat}").text
        assert sum(map(int, SHARES.findall(shared_page))) == 10
        assert {
            f"{shared_device_table}/{page}?me={hot_seat}" for page in ("log", "fairness", "record", "replay", "since")
        } <= hrefs(shared_page)
        for page in ("log", "fairness", "replay"):
            assert f"{shared_device_table}?me={hot_seat}" in hrefs(
                ada.get(f"{shared_device_table}/{page}?me={hot_seat}").text
            ), "back to the table"
        step = ada.get(f"{shared_device_table}/replay?at=4&me={hot_seat}").text
        assert SHARES.findall(step) == SHARES.findall(shared_page)
        assert all(
            f"me={hot_seat}" in address
            for address in hrefs(step)
            if address.startswith(f"{shared_device_table}/replay?")
        )
        assert f'data-copy-url="{shared_device_table}/replay?at=4"' in step, "for others, who are none of these"
        assert f"viewer: seat {seat + 1}\n" in ada.get(f"{shared_device_table}/record?me={hot_seat}").text
        since_address = ada.get(f"{shared_device_table}/since?me={hot_seat}").headers["location"]
        assert (
            since_address
            == f"{shared_device_table}/replay?at={last_seats[seat]}&since={last_seats[seat]}&play=1&me={hot_seat}"
        )
        assert sum(map(int, SHARES.findall(ada.get(since_address).text))) == 10


def test_no_other_visitor_gets_past_the_handoff_screen(shared_device_table: str, grace: Visitor, ada: Visitor) -> None:
    for hot_seat in ("", "0", "2", "3", "99", "x"):
        page = grace.get(f"{shared_device_table}?me={hot_seat}").text
        assert SHARES.findall(page) == []
    move = {"move": "done", "version": str(ada.state(shared_device_table)["version"]), "me": "2"}
    assert grace.submit(f"{shared_device_table}/play", **move).status_code == 403


def test_players_on_one_device_abort_their_game_with_one_confirmation(ada: Visitor, shared_device_table: str) -> None:
    hot_seat = ("0", "2", "3")[ada.state(shared_device_table)["to_decide"]]
    assert (
        sentence_after("web/templates/table_menu.html", "if ends_alone")
        in ada.get(f"{shared_device_table}?me={hot_seat}").text
    )
    response = ada.submit(f"{shared_device_table}/consent/ask-abort", me=hot_seat)
    assert sentence_after("tables/confirmation.py", 'question == "ask-abort" and') in response.text
    assert f"{shared_device_table}?me={hot_seat}" in hrefs(response.text), "back to the table"
    assert ada.state(shared_device_table)["status"] == "running", "it is asked first"
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain, me=hot_seat).status_code == 303
    assert ada.state(shared_device_table)["status"] == "aborted"


def test_a_takeback_for_all_players_on_a_shared_device_is_confirmed_first(ada: Visitor) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", **seats).headers["location"]
    names = ("Ada", "Ben", "Cleo")
    moved_seats: list[int] = []
    while len(moved_seats) < 4 or "/consent/ask-undo" not in ada.get(path).text:
        state = ada.state(path)
        moved_seats.append(state["to_decide"])
        ada.play(path, next(move for move in state["moves"] if move.startswith(("place", "take back", "keep"))))
        assert len(moved_seats) < 40
    log = len(ada.state(path)["log"])
    response = ada.submit(f"{path}/consent/ask-undo")
    assert sentence_after("tables/confirmation.py", "if move_count is None") in response.text
    assert len(ada.state(path)["log"]) == log, "it is asked first"
    text = re.sub(r"</?b[^>]*>", "", response.text)
    counts = {
        name: count
        for name in names
        for count in range(1, 40)
        if f"<li>{sentence_after('tables/log.py', 'def moves_by_player', count=count, player=name)}</li>" in text
    }
    undone_moves = moved_seats[-sum(counts.values()) :]
    assert counts == {names[seat]: undone_moves.count(seat) for seat in set(undone_moves)}
    assert len(counts) > 1
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain).status_code == 303
    state = ada.state(path)
    assert state["to_decide"] == undone_moves[0]
    assert state["log"][-1]["text"] == [
        sentence_after(
            "tables/log.py", "if any(play.seat != event.seat", count=len(undone_moves), player=names[undone_moves[0]]
        )
    ]


def test_a_game_without_secrets_has_no_handoff_screen(ada: Visitor) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", **seats).headers["location"]
    played_seats = set()
    for _ in range(4):
        state, page = ada.state(path), ada.get(path).text
        assert state["seat"] == state["to_decide"]
        assert 'id="handoff-screen"' not in page
        assert ada.play(path, state["moves"][0], state["version"]).status_code == 200
        played_seats.add(state["seat"])
    assert played_seats == {0, 1, 2}
    while (state := ada.state(path))["to_decide"] == 0 or "use exchange market" not in state["moves"]:
        ada.play(path, next(move for move in state["moves"] if move.startswith(("place", "take back", "keep"))))
    seat = state["seat"]
    ada.play(path, "use exchange market")
    assert ada.submit(f"{path}/undo", version=str(ada.state(path)["version"])).status_code == 303
    assert ada.state(path)["moves"] == state["moves"]
    assert ada.state(path)["seat"] == seat


def test_without_a_handoff_screen_the_page_says_whose_turn_it_is(ada: Visitor) -> None:
    seats = {"seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", name="Ada", **seats).headers["location"]
    named_seats = set()
    for _ in range(3):
        state, page = ada.state(path), ada.get(path).text
        name = ("Ada", "Ben", "Cleo")[state["to_decide"]]
        to_move_sentence = sentence_after("web/pages/table_page.py", "if between:", "return", "return", player=name)
        assert f'data-page-title="● {to_move_sentence} – ' in page
        assert re.search(rf'<p class="status" id="status" title="{to_move_sentence}">.*{name}', page)
        assert YOUR_TURN not in page
        assert re.search(r'<div id="live-part" class="table status-running is-my-turn', page)
        assert YOUR_TURN in ada.get(f"{path}?me={(0, 2, 3)[state['to_decide']]}").text, "who has said so"
        assert ada.play(path, state["moves"][0], state["version"]).status_code == 200
        named_seats.add(name)
    assert named_seats == {"Ada", "Ben", "Cleo"}


def test_without_a_script_the_page_shows_the_same_player_until_another_player_decides(
    ada: Visitor, shared_device_table: str
) -> None:
    seat = ada.state(shared_device_table)["to_decide"]
    hot_seat, accept = ("0", "2", "3")[seat], {"Accept": "application/json"}

    def submit_as_seat(to: str, **fields: str) -> str:
        state = ada.get(f"{shared_device_table}?me={hot_seat}", headers=accept).json()
        answer = ada.submit(f"{shared_device_table}/{to}", me=hot_seat, version=str(state["version"]), **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    state = ada.get(f"{shared_device_table}?me={hot_seat}", headers=accept).json()
    build = next(move for move in state["moves"] if move.startswith("build"))
    assert (
        submit_as_seat("play?confirmed=" + str(state["version"]), move=build) == f"{shared_device_table}?me={hot_seat}"
    )
    assert submit_as_seat("undo") == f"{shared_device_table}?me={hot_seat}"
    version = ada.state(shared_device_table)["version"]
    assert submit_as_seat(f"play?confirmed={version}", move=build) == f"{shared_device_table}?me={hot_seat}"
    assert submit_as_seat("undo-turn") == f"{shared_device_table}?me={hot_seat}"
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    version = ada.state(shared_device_table)["version"]
    assert submit_as_seat(f"play?confirmed={version}", move=trade) == shared_device_table, "the handoff screen follows"
    assert 'id="handoff-screen"' in ada.get(shared_device_table).text


def test_the_button_that_hides_the_screen_is_between_the_choices_and_the_foot_of_the_prompt(
    ada: Visitor, shared_device_table: str
) -> None:
    hot_seat = ("0", "2", "3")[ada.state(shared_device_table)["to_decide"]]
    page = ada.get(f"{shared_device_table}?me={hot_seat}").text
    assert page.index('id="choices"') < page.index('id="hide-screen-link"') < page.index('id="prompt-foot"')


def test_a_finished_game_on_a_shared_device_has_no_handoff_screen(ada: Visitor, shared_device_table: str) -> None:
    for hot_seat in ("0", "2", "3"):
        assert 'id="hide-screen-link"' in ada.get(f"{shared_device_table}?me={hot_seat}").text
    assert (
        ada.submit(f"{shared_device_table}/consent/ask-abort?confirmed=0", me="2").headers["location"]
        == f"{shared_device_table}?me=2"
    )
    for hot_seat in ("", "0", "2", "3"):
        page = ada.get(f"{shared_device_table}?me={hot_seat}").text
        assert 'id="hide-screen-link"' not in page
        assert 'id="handoff-screen"' not in page


def name_error_of_seat(number: int, problem: str) -> str:
    """Return the error about the name for a seat."""
    return sentence_after("web/routes/lobby.py", "def _check_names", number=number, problem=problem)


def test_every_player_on_a_device_needs_a_valid_name(ada: Visitor, server: Server) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-3": "here", "here-3": " "}
    refusal = ada.submit("/new/paris-connection", **seats)
    assert refusal.status_code == 422
    assert name_error_of_seat(4, sentence_after("tables/names.py", '"LNPS"')) in refusal.text
    with Visitor(server, "fr") as other_visitor:
        page = other_visitor.submit("/new/paris-connection", **seats).text
        assert "Place 4\u00a0: " in page
    refusal = ada.submit("/new/paris-connection", **{**seats, "here-3": "Cleo", "here-1": "x" * 1000})
    assert refusal.status_code == 422
    too_long = template_after("tables/names.py", "if len(name) > maximum").text.partition("{count}")[0]
    assert name_error_of_seat(2, too_long) in refusal.text
    refusal = ada.submit("/new/paris-connection", **{**seats, "here-3": "Cleo", "name": ""})
    assert refusal.status_code == 422
    assert not [seat for seat in range(1, 5) if name_error_of_seat(seat, "") in refusal.text]


def read_log(page: Page) -> None:
    """Open the full log from the menu."""
    page.locator("#table-menu > summary").click()
    page.locator('#table-menu a[href*="/log"]').click()


@pytest.mark.browser
def test_going_back_in_the_browser_leads_to_the_handoff_screen(
    ada: Visitor, shared_device_table: str, server: Server, chromium: Browser
) -> None:
    context = chromium.new_context(locale="en-GB")
    let_in(context, ada)
    page = context.new_page()
    hand, handoff_screen = page.locator("#panel-screen"), page.locator("#handoff-screen")
    page.goto(f"{server.address}{shared_device_table}")
    seat = ada.state(shared_device_table)["to_decide"]
    hot_seats = ("0", "2", "3")
    page.locator(f'#handoff-screen a[href$="?me={hot_seats[seat]}"]').click()
    expect(hand).to_be_visible()
    read_log(page)
    page.wait_for_load_state()
    page.go_back()
    expect(hand, "one's own side").to_be_visible()
    read_log(page)
    page.locator('main a.button[href^="/table/"]').click()
    expect(hand).to_be_visible()
    page.wait_for_load_state()
    state = ada.get(f"{shared_device_table}?me={hot_seats[seat]}", headers={"Accept": "application/json"}).json()
    move = next(move for move in state["moves"] if move.startswith("trade"))
    answer = ada.submit(
        f"{shared_device_table}/play?confirmed={state['version']}", me=hot_seats[seat], move=move, version="0"
    )
    assert answer.status_code == 303
    expect(handoff_screen).to_be_visible()
    following = (seat + 1) % 3
    page.locator(f'#handoff-screen a[href$="?me={hot_seats[following]}"]').click()
    expect(hand).to_be_visible()
    for _ in ("the handoff screen", "the log", "the hand", "the first handoff screen"):
        page.wait_for_load_state()
        page.go_back()
        expect(handoff_screen).to_be_visible()
        expect(page).to_have_url(f"{server.address}{shared_device_table}")
    page.locator(f'#handoff-screen a[href$="?me={hot_seats[following]}"]').click()
    expect(hand).to_be_visible()
    page.wait_for_load_state()
    # As a browser does with a page that it has kept:
    page_show_script = "persisted => dispatchEvent(new PageTransitionEvent('pageshow', {persisted}))"
    page.evaluate(page_show_script, True)
    expect(hand).to_be_visible()
    page.evaluate(f"sessionStorage.setItem('looks {shared_device_table}', '')")
    page.evaluate(page_show_script, True)
    expect(handoff_screen).to_be_visible()
    context.close()


@pytest.mark.browser
def test_the_handoff_screen_appears_automatically_after_a_turn(
    ada: Visitor, shared_device_table: str, server: Server, chromium: Browser
) -> None:
    context = chromium.new_context(locale="en-GB")
    let_in(context, ada)
    page = context.new_page()
    page.goto(f"{server.address}{shared_device_table}")
    names, hot_seats = ("Ada", "Ben", "Cleo"), ("0", "2", "3")
    first = ada.state(shared_device_table)["to_decide"]
    page.locator(f'#handoff-screen a[href$="?me={hot_seats[first]}"]').click()
    expect(page.locator("#panel-screen")).to_be_visible()
    page.get_by_role("button", name=TRADE).click()
    is_whole_turn = False
    while not is_whole_turn:
        word = page.locator("#choices .choice-list button:not(.blocked-choice)").first
        is_whole_turn = "final-choice" in (word.get_attribute("class") or "")
        if is_whole_turn:
            with page.expect_response(re.compile("/preview")) as preview:
                word.hover()
            assert parse_qs(urlsplit(preview.value.url).query)["me"] == [hot_seats[first]]
            assert preview.value.text(), "the player of the page may see it"
        word.click()
    page.locator("#confirm-button").click()
    following = names[(first + 1) % 3]
    expect(page.locator("#handoff-screen")).to_contain_text(handoff_text(following))
    expect(page.locator("#panel-screen")).to_have_count(0)
    page.locator(f'#handoff-screen a[href$="?me={hot_seats[(first + 1) % 3]}"]').click()
    expect(page.locator("#panel-screen")).to_be_visible()
    expect(page.get_by_role("button", name=TRADE)).to_be_visible()
    context.close()
