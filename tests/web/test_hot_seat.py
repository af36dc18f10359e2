"""Several players on one device: a curtain covers the page between their turns, so that none sees the secrets of
another by chance.
"""

from __future__ import annotations

import html
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Server, Visitor, let_in

SHARES = re.compile(r'class="shares-held">(\d+)<')


def test_behind_the_curtain_nothing_secret_is_shown(ada: Visitor, shared: str) -> None:
    page = ada.get(shared).text
    assert 'id="curtain"' in page
    assert SHARES.findall(page) == []
    assert 'name="move"' not in page
    seat = ada.state(shared)["to_decide"]
    name = ("Ada", "Ben", "Cleo")[seat]
    assert f"Pass the device to {name}." in page
    sides = [ada.get(f"{shared}?me={me}").text for me in ("0", "2", "3")]
    assert all(sum(map(int, SHARES.findall(side))) == 10 for side in sides)
    assert ['name="move"' in side for side in sides] == [seat == n for n in range(3)]


def test_each_plays_for_themselves(ada: Visitor, shared: str) -> None:
    for _ in range(4):
        seat = ada.state(shared)["to_decide"]
        words = {0: "0", 1: "2", 2: "3"}
        wrong = words[(seat + 1) % 3]
        state = ada.get(f"{shared}?me={words[seat]}", headers={"Accept": "application/json"}).json()
        move = next(move for move in state["moves"] if move.startswith("trade"))
        fields = {"token": ada.token(), "move": move, "version": str(state["version"])}
        accept = {"Accept": "application/json"}
        assert ada.post(f"{shared}/play", data={**fields, "me": wrong}, headers=accept).status_code == 403
        assert ada.post(f"{shared}/play", data={**fields, "me": words[seat]}, headers=accept).status_code == 200
        assert ada.state(shared)["to_decide"] == (seat + 1) % 3


def hrefs(page: str) -> set[str]:
    return {html.unescape(address) for address in re.findall(r'href="([^"]+)"', page)}


def test_without_a_script_too_who_asks_why_is_who_looks(ada: Visitor, shared: str) -> None:
    seat = ada.state(shared)["to_decide"]
    me = ("0", "2", "3")[seat]
    (why,) = {address for address in hrefs(ada.get(f"{shared}?me={me}").text) if "/why?words=done" in address}
    reason = ada.get(why)
    assert reason.status_code == 200
    assert "T11" in reason.text
    assert "It’s not your turn." not in reason.text
    assert f"{shared}?me={me}" in hrefs(reason.text), "back to the table"
    state = ada.get(f"{shared}?me={me}", headers={"Accept": "application/json"}).json()
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    response = ada.submit(f"{shared}/play", me=me, move=trade, version=str(state["version"]))
    assert "Confirm this move?" in response.text
    assert f"{shared}?me={me}" in hrefs(response.text), "back to the choice"


def test_every_page_about_the_table_is_seen_by_who_looks(ada: Visitor, shared: str) -> None:
    start = ada.state(shared)["to_decide"]
    for _ in range(4):
        seat = ada.state(shared)["to_decide"]
        me = ("0", "2", "3")[seat]
        accept = {"Accept": "application/json"}
        state = ada.get(f"{shared}?me={me}", headers=accept).json()
        move = next(move for move in state["moves"] if move.startswith("trade"))
        fields = {"token": ada.token(), "move": move, "version": str(state["version"]), "me": me}
        assert ada.post(f"{shared}/play", data=fields, headers=accept).status_code == 200
    last = {start: 3, (start + 1) % 3: 2, (start + 2) % 3: 3}
    for seat, me in enumerate(("0", "2", "3")):
        shared_page = ada.get(f"{shared}?me={me}").text
        assert sum(map(int, SHARES.findall(shared_page))) == 10
        assert {f"{shared}/{page}?me={me}" for page in ("log", "fairness", "record", "replay", "since")} <= hrefs(
            shared_page
        )
        for page in ("log", "fairness", "replay"):
            assert f"{shared}?me={me}" in hrefs(ada.get(f"{shared}/{page}?me={me}").text), "back to the table"
        step = ada.get(f"{shared}/replay?at=4&me={me}").text
        assert SHARES.findall(step) == SHARES.findall(shared_page)
        assert all(f"me={me}" in address for address in hrefs(step) if address.startswith(f"{shared}/replay?"))
        assert f'data-copy="{shared}/replay?at=4"' in step, "for others, who are none of these"
        assert f"viewer: seat {seat + 1}\n" in ada.get(f"{shared}/record?me={me}").text
        since = ada.get(f"{shared}/since?me={me}").headers["location"]
        assert since == f"{shared}/replay?at={last[seat]}&since={last[seat]}&play=1&me={me}"
        assert sum(map(int, SHARES.findall(ada.get(since).text))) == 10


def test_nobody_else_gets_behind_it(shared: str, grace: Visitor, ada: Visitor) -> None:
    for me in ("", "0", "2", "3", "99", "x"):
        page = grace.get(f"{shared}?me={me}").text
        assert SHARES.findall(page) == []
    move = {"move": "done", "version": str(ada.state(shared)["version"]), "me": "2"}
    assert grace.submit(f"{shared}/play", **move).status_code == 403


def test_one_device_agrees_for_all_on_it(ada: Visitor, shared: str) -> None:
    me = ("0", "2", "3")[ada.state(shared)["to_decide"]]
    assert "Abort the game" in ada.get(f"{shared}?me={me}").text
    response = ada.submit(f"{shared}/consent/ask-abort", me=me)
    assert "The game will end" in response.text
    assert f"{shared}?me={me}" in hrefs(response.text), "back to the table"
    assert ada.state(shared)["status"] == "running", "it is asked first"
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain, me=me).status_code == 303
    assert ada.state(shared)["status"] == "aborted"


def test_what_goes_back_for_all_on_a_device_is_said_first(ada: Visitor) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", **seats).headers["location"]
    names = ("Ada", "Ben", "Cleo")
    moved: list[int] = []
    while len(moved) < 4 or "/consent/ask-undo" not in ada.get(path).text:
        state = ada.state(path)
        moved.append(state["to_decide"])
        ada.play(path, next(move for move in state["moves"] if move.startswith(("place", "take back", "keep"))))
        assert len(moved) < 40
    log = len(ada.state(path)["log"])
    response = ada.submit(f"{path}/consent/ask-undo")
    assert "These moves will be undone." in response.text
    assert len(ada.state(path)["log"]) == log, "it is asked first"
    text = re.sub(r"</?b[^>]*>", "", response.text)
    counts = {name: int(many) for many, name in re.findall(r"(\d+) moves? by (\w+)", text)}
    back = moved[-sum(counts.values()) :]
    assert counts == {names[seat]: back.count(seat) for seat in set(back)}
    assert len(counts) > 1
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain).status_code == 303
    state = ada.state(path)
    assert state["to_decide"] == back[0]
    assert state["log"][-1]["text"] == [
        f"{names[back[0]]} takes back a turn and everything after it: {len(back)} moves."
    ]


def test_without_secrets_nobody_has_to_say_who_they_are(ada: Visitor) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", **seats).headers["location"]
    played = set()
    for _ in range(4):
        state, page = ada.state(path), ada.get(path).text
        assert state["seat"] == state["to_decide"]
        assert 'id="curtain"' not in page
        assert ada.play(path, state["moves"][0], state["version"]).status_code == 200
        played.add(state["seat"])
    assert played == {0, 1, 2}
    while (state := ada.state(path))["to_decide"] == 0 or "use exchange market" not in state["moves"]:
        ada.play(path, next(move for move in state["moves"] if move.startswith(("place", "take back", "keep"))))
    seat = state["seat"]
    ada.play(path, "use exchange market")
    assert ada.submit(f"{path}/undo", version=str(ada.state(path)["version"])).status_code == 303
    assert ada.state(path)["moves"] == state["moves"]
    assert ada.state(path)["seat"] == seat


def test_without_a_curtain_it_says_whose_turn_it_is(ada: Visitor) -> None:
    seats = {"seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-2": "here", "here-2": "Cleo"}
    path = ada.submit("/new/era-of-inventions", name="Ada", **seats).headers["location"]
    named = set()
    for _ in range(3):
        state, page = ada.state(path), ada.get(path).text
        name = ("Ada", "Ben", "Cleo")[state["to_decide"]]
        assert f'data-title="● {name} to move. – ' in page
        assert re.search(rf'<p class="status" id="status" title="{name} to move.">.*{name}.* to move', page)
        assert "It’s your turn." not in page
        assert re.search(r'<div id="live" class="table running mine', page)
        assert "It’s your turn." in ada.get(f"{path}?me={(0, 2, 3)[state['to_decide']]}").text, "who has said so"
        assert ada.play(path, state["moves"][0], state["version"]).status_code == 200
        named.add(name)
    assert named == {"Ada", "Ben", "Cleo"}


def test_without_a_script_too_one_stays_who_one_is_until_another_decides(ada: Visitor, shared: str) -> None:
    seat = ada.state(shared)["to_decide"]
    me, accept = ("0", "2", "3")[seat], {"Accept": "application/json"}

    def submit_as_seat(to: str, **fields: str) -> str:
        state = ada.get(f"{shared}?me={me}", headers=accept).json()
        answer = ada.submit(f"{shared}/{to}", me=me, version=str(state["version"]), **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    state = ada.get(f"{shared}?me={me}", headers=accept).json()
    build = next(move for move in state["moves"] if move.startswith("build"))
    assert submit_as_seat("play?confirmed=" + str(state["version"]), move=build) == f"{shared}?me={me}"
    assert submit_as_seat("undo") == f"{shared}?me={me}"
    version = ada.state(shared)["version"]
    assert submit_as_seat(f"play?confirmed={version}", move=build) == f"{shared}?me={me}"
    assert submit_as_seat("undo-turn") == f"{shared}?me={me}"
    trade = next(move for move in state["moves"] if move.startswith("trade"))
    version = ada.state(shared)["version"]
    assert submit_as_seat(f"play?confirmed={version}", move=trade) == shared, "the curtain falls"
    assert 'id="curtain"' in ada.get(shared).text


def test_hiding_the_screen_comes_after_what_can_be_decided(ada: Visitor, shared: str) -> None:
    me = ("0", "2", "3")[ada.state(shared)["to_decide"]]
    page = ada.get(f"{shared}?me={me}").text
    assert page.index('id="choices"') < page.index('id="pass-on"') < page.index('id="foot"')


def test_after_the_end_there_is_no_curtain_to_draw(ada: Visitor, shared: str) -> None:
    for me in ("0", "2", "3"):
        assert 'id="pass-on"' in ada.get(f"{shared}?me={me}").text
    assert ada.submit(f"{shared}/consent/ask-abort?confirmed=0", me="2").headers["location"] == f"{shared}?me=2"
    for me in ("", "0", "2", "3"):
        page = ada.get(f"{shared}?me={me}").text
        assert 'id="pass-on"' not in page
        assert 'id="curtain"' not in page


def test_names_are_needed(ada: Visitor, server: Server) -> None:
    seats = {"name": "Ada", "seat-0": "me", "seat-1": "here", "here-1": "Ben", "seat-3": "here", "here-3": " "}
    refused = ada.submit("/new/paris-connection", **seats)
    assert refused.status_code == 422
    assert "Seat 4: Enter a name." in refused.text
    with Visitor(server, "fr") as other:
        page = other.submit("/new/paris-connection", **seats).text
        assert "Place 4\u00a0: " in page
    refused = ada.submit("/new/paris-connection", **{**seats, "here-3": "Cleo", "here-1": "x" * 1000})
    assert refused.status_code == 422
    assert "Seat 2: Names may have up to" in refused.text
    refused = ada.submit("/new/paris-connection", **{**seats, "here-3": "Cleo", "name": ""})
    assert refused.status_code == 422
    assert "Seat" not in refused.text


def read_log(page: Page) -> None:
    """Open the full log from the menu."""
    page.locator("#menu > summary").click()
    page.locator("#menu").get_by_role("link", name="Full log").click()


@pytest.mark.browser
def test_back_leads_before_the_curtain(ada: Visitor, shared: str, server: Server, chromium: Browser) -> None:
    context = chromium.new_context(locale="en-GB")
    let_in(context, ada)
    page = context.new_page()
    hand, curtain = page.locator("#panel-screen"), page.locator("#curtain")
    page.goto(f"{server.address}{shared}")
    seat = ada.state(shared)["to_decide"]
    names, me = ("Ada", "Ben", "Cleo"), ("0", "2", "3")
    page.get_by_role("link", name=f"I’m {names[seat]}").click()
    expect(hand).to_be_visible()
    read_log(page)
    page.wait_for_load_state()
    page.go_back()
    expect(hand, "one's own side").to_be_visible()
    read_log(page)
    page.get_by_role("link", name="Back to the table").click()
    expect(hand).to_be_visible()
    page.wait_for_load_state()
    state = ada.get(f"{shared}?me={me[seat]}", headers={"Accept": "application/json"}).json()
    move = next(move for move in state["moves"] if move.startswith("trade"))
    answer = ada.submit(f"{shared}/play?confirmed={state['version']}", me=me[seat], move=move, version="0")
    assert answer.status_code == 303
    expect(curtain).to_be_visible()
    following = (seat + 1) % 3
    page.get_by_role("link", name=f"I’m {names[following]}").click()
    expect(hand).to_be_visible()
    for _ in ("the curtain", "the log", "the hand", "the first curtain"):
        page.wait_for_load_state()
        page.go_back()
        expect(curtain).to_be_visible()
        expect(page).to_have_url(f"{server.address}{shared}")
    page.get_by_role("link", name=f"I’m {names[following]}").click()
    expect(hand).to_be_visible()
    page.wait_for_load_state()
    # As a browser does with a page that it has kept:
    kept = "persisted => dispatchEvent(new PageTransitionEvent('pageshow', {persisted}))"
    page.evaluate(kept, True)
    expect(hand).to_be_visible()
    page.evaluate(f"sessionStorage.setItem('looks {shared}', '')")
    page.evaluate(kept, True)
    expect(curtain).to_be_visible()
    context.close()


@pytest.mark.browser
def test_the_curtain_falls_by_itself(ada: Visitor, shared: str, server: Server, chromium: Browser) -> None:
    context = chromium.new_context(locale="en-GB")
    let_in(context, ada)
    page = context.new_page()
    page.goto(f"{server.address}{shared}")
    names = ("Ada", "Ben", "Cleo")
    first = ada.state(shared)["to_decide"]
    page.get_by_role("link", name=f"I’m {names[first]}").click()
    expect(page.locator("#panel-screen")).to_be_visible()
    page.get_by_role("button", name="Trade").click()
    whole = False
    while not whole:
        word = page.locator("#choices .options button:not(.blocked)").first
        whole = "leaf" in (word.get_attribute("class") or "")
        word.click()
    page.locator("#confirm").click()
    following = names[(first + 1) % 3]
    expect(page.locator("#curtain")).to_contain_text(f"Pass the device to {following}.")
    expect(page.locator("#panel-screen")).to_have_count(0)
    page.get_by_role("link", name=f"I’m {following}").click()
    expect(page.locator("#panel-screen")).to_be_visible()
    expect(page.get_by_role("button", name="Trade")).to_be_visible()
    context.close()
