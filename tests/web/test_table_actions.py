"""Actions at a table other than moves, by its pages: consent, leaving, bots, spectators, the end, another game."""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
from dataclasses import replace
from typing import Any, Literal, cast

import httpx
import pytest

from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES, Language, Words
from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.web.pages.perspectives import Perspective, perspective_of
from spieltisch.web.pages.result import rank_sentence
from tests.tables.harness import ADA, Sitting
from tests.web.conftest import Server, Visitor

Running = tuple[str, list[Visitor]]
HERE = {"here-1": "Ben", "here-2": "Cleo"}
JSON = {"Accept": "application/json"}


def ask(visitor: Visitor, path: str, **fields: str) -> httpx.Response:
    return visitor.post(path, data={"token": visitor.token(), **fields}, headers=JSON)


def decider(running: Running) -> tuple[Visitor, list[Visitor]]:
    """Return the visitor to decide, and the others."""
    path, people = running
    seat = people[0].state(path)["to_decide"]
    return people[seat], [person for person in people if person is not people[seat]]


def trade(visitor: Visitor, path: str) -> None:
    move = next(move for move in visitor.state(path)["moves"] if re.fullmatch(r"trade \w+ for 1 \w+", move))
    assert visitor.play(path, move).status_code == 200


@pytest.fixture
def over(short: Running) -> Running:
    """The shortest game there is: nine 1-for-1 trades in a row (T6)."""
    for _ in range(9):
        trade(decider(short)[0], short[0])
    return short


def test_a_move_that_is_not_final_is_taken_back(running: Running) -> None:
    path, _ = running
    decides, others = decider(running)
    before = decides.state(path)
    build = next(move for move in before["moves"] if move.startswith("build"))
    assert decides.play(path, build).status_code == 200
    seen = str(decides.state(path)["version"])
    assert ask(others[0], f"{path}/undo", version=seen).json()["code"] == "turn"
    assert ask(decides, f"{path}/undo", version=seen).status_code == 200
    assert decides.state(path)["moves"] == before["moves"]
    assert ask(decides, f"{path}/undo", version=str(decides.state(path)["version"])).json()["code"] == "nothing-to-undo"


def test_a_turn_is_taken_back_when_all_agree(running: Running) -> None:
    path, _ = running
    decides, others = decider(running)
    trade(decides, path)
    assert ask(decides, f"{path}/consent/ask-undo").status_code == 200
    assert "requests a takeback of the last turn: 1 move." in others[0].get(path).text
    assert decides.state(path)["log"][-1]["text"][0].endswith("requests a takeback of the last turn: 1 move.")
    assert ask(others[0], f"{path}/consent/agree-undo").status_code == 200
    assert decides.state(path)["to_decide"] != decides.state(path)["seat"]
    assert ask(others[1], f"{path}/consent/agree-undo").status_code == 200
    assert decides.state(path)["to_decide"] == decides.state(path)["seat"]


def test_what_is_decided_between_turns_ends_no_turn(ada: Visitor) -> None:
    path = ada.table("me", "here", "here", game="legendary-inventors", **HERE)
    assert re.search(r"</b> to choose\.", ada.get(path).text)
    state = ada.state(path)
    passing = ada.submit(f"{path}/play", move=state["moves"][0], version=str(state["version"])).text
    assert "Confirm this move?" in passing
    assert "This locks in your choice." in passing
    assert "turn" not in re.sub(r"<[^>]+>", "", passing.partition("<main")[2].partition("</main>")[0])
    path = ada.table("me", "here", "here", **HERE)
    seat = ada.state(path)["to_decide"]
    me = ("0", "2", "3")[seat]
    state = ada.get(f"{path}?me={me}", headers=JSON).json()
    move = next(move for move in state["moves"] if move.startswith("trade"))
    page = ada.submit(f"{path}/play", me=me, move=move, version=str(state["version"])).text
    assert "This ends your turn." in page


def test_a_game_is_broken_off_when_all_agree(running: Running) -> None:
    path, people = running
    assert ask(people[0], f"{path}/consent/ask-abort").status_code == 200
    assert ask(people[1], f"{path}/consent/refuse-abort").status_code == 200
    assert people[0].state(path)["status"] == "running"
    assert ask(people[2], f"{path}/consent/ask-abort").status_code == 200
    for person in people[:2]:
        assert ask(person, f"{path}/consent/agree-abort").status_code == 200
    assert people[0].state(path)["status"] == "aborted"
    assert re.search(r"<dd><code[^>]*>[0-9a-f]{64}</code></dd>", people[0].get(f"{path}/fairness").text)


def test_alone_with_bots_it_is_asked_before_moves_go_or_the_game_ends(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")

    def my_turn() -> dict[str, Any]:
        while (state := ada.state(path))["to_decide"] != 0:
            pass
        return state

    my_turn()
    trade(ada, path)
    state = my_turn()
    at_start = ada.get(path).text
    assert re.search(rf'formaction="{path}/consent/ask-undo"[^>]*>Undo<', at_start), "across the start of the turn"
    assert ada.play(path, next(move for move in state["moves"] if move.startswith("build"))).status_code == 200
    before, page = ada.state(path), ada.get(path).text
    assert re.search(rf'formaction="{path}/undo"[^>]*>Undo<', page), "first what has just been played"
    assert "Request takeback" not in page
    response = ada.submit(f"{path}/consent/ask-undo")
    text = re.sub(r"<[^>]+>", "", response.text)
    assert "2 moves by Ada" in text
    assert "by Gustave" in text
    assert "by Hertha" in text
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    notice = ada.post(f"{path}/consent/ask-undo", data={"token": ada.token()}, headers={"HX-Request": "true"})
    assert html.escape(certain) in notice.text
    assert ada.state(path)["version"] == before["version"], "nothing has happened yet"
    early = certain.rpartition("=")[0] + f"={before['version'] - 1}"
    assert ada.submit(early).status_code == 409, "what was confirmed is no longer what would go"
    assert ada.submit(certain).status_code == 303
    after = ada.state(path)
    assert after["to_decide"] == 0
    assert "Ada takes back a turn and everything after it: " in after["log"][-1]["text"][0]
    assert "Abort the game" in ada.get(path).text
    response = ada.submit(f"{path}/consent/ask-abort")
    assert "The game will end" in response.text
    assert ada.state(path)["status"] == "running"
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain).status_code == 303
    assert ada.state(path)["status"] == "aborted"


def row(visitor: Visitor, path: str) -> str:
    """Return the lobby's row of a table."""
    return visitor.get("/").text.partition(f'href="{path}"')[2].partition("</li>")[0]


def test_leaving_is_asked_first_and_the_lobby_leads_back(running: Running) -> None:
    path, _ = running
    decides, others = decider(running)
    name = decides.state(path)["seats"][decides.state(path)["seat"]]["name"]
    assert f"{name} to move" in row(others[0], path)
    version = decides.state(path)["version"]
    response = decides.submit(f"{path}/leave")
    assert response.status_code == 200
    assert "Leave the table?" in response.text
    assert "Your seat stays open. You can return" in response.text
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', response.text)
    notice = decides.post(f"{path}/leave", data={"token": decides.token()}, headers={"HX-Request": "true"})
    assert f'formaction="{confirmed}"' in notice.text
    assert decides.state(path)["version"] == version, "nothing has happened yet"
    assert decides.submit(confirmed).headers["location"] == "/"
    for visitor in (decides, *others):
        assert f"{name} to move" not in row(visitor, path)
        assert "waiting for players" in row(visitor, path)
        assert ("Sit down again" in row(visitor, path)) == (visitor is decides)
    (seat,) = re.findall(rf'formaction="{path}/sit" name="seat" value="(\d)"', row(decides, path))
    assert decides.submit(f"{path}/sit", seat=seat).headers["location"] == path
    assert "Your turn" in decides.get("/").text
    assert "Sit down again" not in decides.get("/").text


def test_leaving_is_asked_again_when_it_has_come_to_mean_something_else(running: Running) -> None:
    path, people = running
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', people[0].submit(f"{path}/leave").text)
    for other in people[1:]:
        assert other.leave(path).status_code == 303
    response = people[0].submit(confirmed)
    assert response.status_code == 200
    assert "It will close without a result." in response.text
    assert people[0].state(path)["status"] == "running"
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', response.text)
    assert people[0].submit(confirmed).status_code == 303
    assert "Sit down again" not in people[0].get("/").text, "the table is closed"


def test_a_bot_takes_the_seat_of_somebody_who_left(running: Running, server: Server) -> None:
    path, people = running
    host = people[0]
    assert ask(people[1], f"{path}/leave").status_code == 303
    assert host.state(path)["seats"][1]["kind"] == "left"
    (question,) = re.findall(r'id="replace-1" open>.*?</div></details>', host.get(path).text, re.S)
    assert "What now?" in question
    assert all(f">{way}<" in question for way in ("Wait", "Give the seat to a bot", "Invite someone"))
    assert "What now?" not in people[2].get(path).text, "only the host may act"
    assert ask(people[2], f"{path}/replace/1/random").json()["code"] == "not-host"
    assert ask(host, f"{path}/replace/1/random").status_code == 303
    assert host.state(path)["seats"][1]["kind"] == "bot"
    left = [people[0], people[2]]
    moves = 0
    table = path.rpartition("/")[2]
    with httpx.Client(timeout=60, verify=False) as client:
        while moves < 6:
            state = host.state(path)
            if state["to_decide"] != 1:
                trade(next(person for person in left if person.state(path)["seat"] == state["to_decide"]), path)
                moves += 1
                continue
            known = f"{table}@{state['version']}"
            with client.stream("GET", f"{server.address}/stream", params={"watch": known}) as stream:
                next(line for line in stream.iter_lines() if line.startswith("id: "))
    bots = [line for line in host.state(path)["log"] if line["seat"] == 1]
    assert len(bots) >= 2


def test_who_was_given_a_link_may_look_on(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    link = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert link
    with Visitor(server) as stranger:
        assert stranger.get(path).status_code == 404
        answer = stranger.get(link[1])
        assert answer.status_code == 303
        page = stranger.get(answer.headers["location"])
        assert page.status_code == 200
        topic = re.search(r'data-topic="([^"]+)"', page.text)
        assert topic
        with stranger.stream("GET", "/stream", params={"watch": f"{topic[1]}@0"}) as stream:
            assert next(line for line in stream.iter_lines() if line.startswith("id: ")).startswith(f"id: {topic[1]}@")
        assert stranger.submit(link[1], name="Eve").status_code == 422
        forged = answer.headers["location"][:-3] + "xxx"
        assert stranger.get(forged).status_code == 404


def test_an_error_leads_nobody_to_a_table_that_they_may_not_see(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="off")
    for answer in (grace.submit(f"{path}/undo", version="1"), grace.get(f"{path}/replay"), grace.get(path)):
        assert answer.status_code == 404
        assert "Back to the table" not in answer.text
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    match = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert match
    watched = grace.get(match.group(1)).headers["location"]
    link = watched.partition("?")[2]
    assert f'href="{watched}">Back to the table' in grace.get(f"{path}/replay?at=99999&{link}").text


def test_a_link_to_a_seat_says_when_the_seat_is_taken(ada: Visitor, grace: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "link")
    free = re.findall(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    _, seat, other = [link for link in free if grace.get(link).status_code == 200]
    assert 'name="name"' in grace.get(seat).text
    assert grace.submit(seat, name="Grace").status_code == 303
    assert grace.get(seat).headers["location"] == path
    with Visitor(server) as late:
        taken = late.get(seat)
        assert taken.status_code == 409
        assert "This seat is taken." in taken.text
        assert 'name="name"' not in taken.text
        assert 'name="name"' in late.get(other).text
        assert ask(ada, f"{path}/consent/ask-abort").status_code == 200
        over = late.get(other)
        assert over.status_code == 409
        assert 'name="name"' not in over.text


def links(path: str, page: str) -> list[str]:
    """The addresses about a table that stand on a page, each once."""
    addresses = [html.unescape(text) for text in re.findall(r'<a [^>]*href="([^"]+)"', page)]
    return sorted({address for address in addresses if address.partition("?")[0].startswith(path)})


@pytest.mark.parametrize("over", [False, True])
def test_who_looks_on_by_a_link_may_follow_every_other(ada: Visitor, server: Server, *, over: bool) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    match = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert match
    while ada.state(path)["to_decide"] != 0:
        pass
    trade(ada, path)
    if over:
        assert ask(ada, f"{path}/consent/ask-abort").status_code == 200
        assert ada.state(path)["status"] == "aborted"
    with Visitor(server) as stranger:
        table = stranger.get(match[1]).headers["location"]
        link = table.partition("?")[2]
        seen, new = set[str](), [table]
        while new:
            address = new.pop()
            answer = stranger.get(address)
            assert answer.status_code == 200, address
            seen.add(address)
            fresh = links(path, answer.text) if "text/html" in answer.headers["content-type"] else []
            new.extend(fresh if len(seen) < 30 else [])
            new = sorted(set(new) - seen)
        assert {address.partition("?")[0] for address in seen} == {
            path,
            *(f"{path}/{page}" for page in ("log", "fairness", "record", "replay", "chat")),
        }
        assert any("at=0" in address for address in seen)
        assert any("as=1" in address for address in seen) == over
        copied = re.search(r'data-copy="([^"]+)"', stranger.get(f"{path}/replay?at=1&{link}").text)
    assert copied
    assert html.unescape(copied[1]) == f"{path}/replay?at=1&{link}"
    with Visitor(server) as friend:
        assert friend.get(html.unescape(copied[1])).status_code == 200
        assert friend.get(f"{path}/replay?at=1").status_code == 404


def looked_at(table: Table, me: str = "") -> Perspective:
    """From where the table is seen on Ada's device."""
    return asyncio.run(perspective_of(cast(Live, None), table, ADA.id, me=me))


@pytest.mark.parametrize("status", ["running", "frozen"])
def test_several_on_one_device_have_a_curtain_until_the_game_is_over(status: Literal["running", "frozen"]) -> None:
    table = replace(Sitting.open("me", "here:Ben", "here:Cleo").table, status=status)
    assert looked_at(table) == Perspective(None, is_host=True, device_seats=(0, 1, 2), needs_handoff=True)
    assert looked_at(table, me="2") == Perspective(1, is_host=True, hot_seat="2", device_seats=(0, 1, 2))
    assert not looked_at(replace(table, status="aborted")).needs_handoff
    assert not looked_at(replace(table, status="frozen", setup=None, position=None)).needs_handoff, "nothing to hide"


SHARED = {
    "en": ("Rank 4 of 4, 21 points behind Ada and Cornelis.", "You won together with Ada, Ben and Cornelis!"),
    "de": (
        "Platz 4 von 4, 21 Punkte hinter Ada und Cornelis.",
        "Gewonnen, zusammen mit Ada, Ben und Cornelis!",
    ),
    "fr": ("Rang 4 sur 4, à 21 points d’Ada et Cornelis.", "Victoire, à égalité avec Ada, Ben et Cornelis !"),
    "nl": ("Positie 4 van 4, 21 punten achter Ada en Cornelis.", "Gewonnen, samen met Ada, Ben en Cornelis!"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_names_all_who_share_a_place(language: Language) -> None:
    names = ["Ada", "Ben", "Cornelis", "Dora"]
    behind = rank_sentence(3, [30, 12, 30, 9], {0: 1, 2: 1, 1: 3, 3: 4})
    together = rank_sentence(3, [9] * 4, dict.fromkeys(range(4), 1))
    assert tuple(Words(language).say(message, names) for message in (behind, together)) == SHARED[language]


def test_the_end_says_to_each_their_place_and_margin(server: Server, over: Running) -> None:
    path, people = over
    scores = people[0].state(path)["scores"]
    for seat, person in enumerate(people):
        text = re.sub(r"<[^>]+>", "", person.get(f"{path}/end").text.partition("<h1>")[2].partition("</h1>")[0])
        beside = re.sub(r"<[^>]+>", "", person.get(path).text.partition('<p id="own-rank">')[2].partition("</p>")[0])
        assert beside.replace("−", "-") == f"{scores[seat]} point{'s' * (abs(scores[seat]) != 1)} · {text}"
        first, place = max(scores), 1 + sum(other > scores[seat] for other in scores)
        if place > 1:
            assert text.startswith(f"Rank {place} of 3, {first - scores[seat]} point")
        elif scores.count(first) == 1:
            assert text.startswith(f"You won, {first - sorted(scores)[-2]} point")
        else:
            assert text.startswith("You won together with ")
    with Visitor(server) as spectator:
        watched = spectator.get(path).text
        assert 'id="to-end"' in watched
        assert "own-rank" not in watched
    for page in (people[0].get(f"{path}/end"), people[0].get(path)):
        assert 'formaction="' + path + '/rematch"' in page.text
    again = people[0].submit(f"{path}/rematch").headers["location"]
    assert f'<a class="button primary" href="{again}">' in people[1].get(f"{path}/end").text


def test_before_its_end_a_table_has_no_page_about_it(running: Running) -> None:
    path, people = running
    answer = people[0].get(f"{path}/end")
    assert (answer.status_code, answer.headers["location"]) == (303, path)


def test_the_end_lays_the_scoring_out_and_anybody_can_verify_the_deal(over: Running) -> None:
    path, people = over
    state = people[0].state(path)
    assert (state["status"], state["to_decide"]) == ("finished", None)
    assert f'href="{path}/end"' in people[1].get(path).text
    page = people[1].get(f"{path}/end").text
    assert 'id="panel-end"' in page
    assert 'href="/games/paris-connection/rules#T6"' in page
    assert "wins" in page or "winner" in page.lower()
    assert f'href="{path}/record">' in page, "not as a download: what stands against it is to be read"
    deal = people[0].get(f"{path}/fairness").text
    promised, secret = re.findall(r"<dd><code[^>]*>([0-9a-f]{64})</code></dd>", deal)
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == promised
    record = Record.parse(people[2].get(f"{path}/record").text)
    record.verify()
    assert people[0].play(path, "done").json()["code"] == "over"
    assert "won by" in people[0].get("/").text


def test_another_game_is_one_table_for_all(over: Running) -> None:
    path, people = over
    first = ask(people[0], f"{path}/rematch").headers["location"]
    second = ask(people[1], f"{path}/rematch").headers["location"]
    assert first == second != path
    assert people[1].sit(first, "Grace").status_code == 303
    assert people[2].sit(first, "Mary").status_code == 303
    assert people[0].state(first)["status"] == "running"
    assert first in people[0].get(path).text


def test_the_way_to_the_next_game_is_shown_to_whom_it_is_open(server: Server, ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    (link,) = re.findall(r'href="(/join/[^"]+)"', ada.get(path).text)
    assert ask(ada, f"{path}/consent/ask-abort").status_code == 200
    following = ask(ada, f"{path}/rematch").headers["location"]
    assert following in ada.get(path).text
    with Visitor(server) as stranger:
        page = stranger.get(link, follow_redirects=True)
        assert page.request.url.path == path
        assert following not in page.text, "spectators have no link to that table yet"
        assert stranger.get(following).status_code == 404


def test_leaving_is_not_confirmed_where_moves_are(running: Running) -> None:
    path, (ada, *_) = running
    asked = ada.post(f"{path}/leave", data={"token": ada.token()}, headers={"HX-Request": "true"}).text
    assert re.findall(r"<button[^>]*>([^<]+)<", asked) == ["Cancel", "Leave the table"]
