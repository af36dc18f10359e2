"""Check actions at a table other than moves: consent, leaving, bots, spectators, the end, a rematch."""

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
from spieltisch.core.words import LANGUAGES, Language, Sentence, Value, Words
from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.web.pages.perspectives import Perspective, perspective_of
from spieltisch.web.pages.result import rank_sentence
from tests.sentences import sentence_after, template_after
from tests.tables.harness import ADA, Sitting
from tests.web.servers import Server
from tests.web.table_moves import Running, decider, trade
from tests.web.visitors import Visitor

RESULT, PREVIEW = "web/pages/result.py", "web/templates/move_preview_text.html"
LOBBY_ROW, REPLACE = "web/templates/lobby_row.html", "web/templates/replaceable_seats.html"
BEHIND = template_after(RESULT, "if not margin:\n        return message(", "return messages(")
TOGETHER = template_after(RESULT, "if next_place == 1:")
AHEAD = template_after(RESULT, "                len(others),")
WAITING = sentence_after(LOBBY_ROW, '{% elif row.status == "running" %}')
SEAT_TAKEN = sentence_after("tables/refusals.py", "seat_taken = partial(TableRefusal, RefusalCode.SEAT_TAKEN,")
ASKS_UNDO = sentence_after("tables/log.py", "if any(play.seat != seat for play in undone):", player="", count=1).strip()
SIT_AGAIN = sentence_after(LOBBY_ROW, "{%- if player.person == person_id %}")
WHAT_NOW = sentence_after(REPLACE, '{%- if seat.number == table.to_decide and seat.kind == "left" %}')
WAYS = [
    sentence_after(REPLACE, code)
    for code in ('data-action="wait"', "bots_for(at, seat.number", "{% if links[seat.number] is defined %}")
]


def sentence_before_player(template: Sentence, **values: Value) -> str:
    """Return a sentence up to the name of its player."""
    return str(template.fill({**values, "player": "|"})).partition("|")[0]


HERE = {"here-1": "Ben", "here-2": "Cleo"}
JSON = {"Accept": "application/json"}


def ask(visitor: Visitor, path: str, **fields: str) -> httpx.Response:
    return visitor.post(path, data={"token": visitor.token(), **fields}, headers=JSON)


@pytest.fixture
def finished_game(short_game: Running) -> Running:
    """Return the shortest possible game: nine one-for-one trades in a row (T6)."""
    for _ in range(9):
        trade(decider(short_game)[0], short_game[0])
    return short_game


def test_a_turn_is_taken_back_when_all_players_agree(running_table: Running) -> None:
    path, _ = running_table
    deciding_visitor, other_visitors = decider(running_table)
    trade(deciding_visitor, path)
    page = deciding_visitor.get(path).text
    assert "/consent/ask-undo" in page[: page.index('id="prompt-foot"')], "in plain sight, not in the menu of the foot"
    assert ask(deciding_visitor, f"{path}/consent/ask-undo").status_code == 200
    assert "requests a takeback of the last turn: 1 move." in other_visitors[0].get(path).text
    assert deciding_visitor.state(path)["log"][-1]["text"][0].endswith("requests a takeback of the last turn: 1 move.")
    assert ask(other_visitors[0], f"{path}/consent/agree-undo").status_code == 200
    assert deciding_visitor.state(path)["to_decide"] != deciding_visitor.state(path)["seat"]
    assert ask(other_visitors[1], f"{path}/consent/agree-undo").status_code == 200
    assert deciding_visitor.state(path)["to_decide"] == deciding_visitor.state(path)["seat"]


def test_on_ones_own_turn_the_last_turn_is_asked_back_without_opening_a_menu(
    ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path = ada.table("me", "open", "open", game="era-of-inventions")
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    people = [ada, grace, mary]
    assert "/consent/ask-undo" not in decider((path, people))[0].get(path).text
    for _ in people:
        mover = decider((path, people))[0]
        assert mover.play(path, mover.state(path)["moves"][0]).status_code == 200
    mover, others = decider((path, people))
    page = mover.get(path).text
    assert 'id="takeback-button"' in page
    assert 'id="more-undo-buttons"' not in page
    assert ask(mover, f"{path}/consent/ask-undo").status_code == 200
    assert ASKS_UNDO.partition(":")[0] in others[0].get(path).text


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_friends_turn_hints_on_together_and_off_again(running_table: Running) -> None:
    path, _ = running_table
    deciding_visitor, (first, second) = decider(running_table)
    menu_form = 'formaction="{}/consent/{}-hints"'
    assert menu_form.format(path, "ask") in first.get(path).text
    assert 'id="hint-button"' not in deciding_visitor.get(path).text
    assert ask(first, f"{path}/consent/ask-hints").status_code == 200
    assert menu_form.format(path, "ask") not in second.get(path).text
    for visitor in (deciding_visitor, second):
        assert menu_form.format(path, "agree") in visitor.get(path).text
        assert ask(visitor, f"{path}/consent/agree-hints").status_code == 200
    assert 'id="hint-button"' in deciding_visitor.get(path).text
    assert menu_form.format(path, "agree") not in second.get(path).text
    assert menu_form.format(path, "refuse") in second.get(path).text
    assert ask(second, f"{path}/consent/refuse-hints").status_code == 200
    assert 'id="hint-button"' not in deciding_visitor.get(path).text


def test_the_confirmation_of_a_decision_between_turns_mentions_no_turn(ada: Visitor) -> None:
    path = ada.table("me", "here", "here", game="legendary-inventors", **HERE)
    assert re.search(r"</b> to choose\.", ada.get(path).text)
    state = ada.state(path)
    passing = ada.submit(f"{path}/play", move=state["moves"][0], version=str(state["version"])).text
    assert sentence_after(PREVIEW, 'id="preview-title"') in passing
    assert sentence_after(PREVIEW, "{% elif preview.passes and between %}") in passing
    assert "turn" not in re.sub(r"<[^>]+>", "", passing.partition("<main")[2].partition("</main>")[0])
    path = ada.table("me", "here", "here", **HERE)
    seat = ada.state(path)["to_decide"]
    hot_seat = ("0", "2", "3")[seat]
    state = ada.get(f"{path}?me={hot_seat}", headers=JSON).json()
    move = next(move for move in state["moves"] if move.startswith("trade"))
    page = ada.submit(f"{path}/play", me=hot_seat, move=move, version=str(state["version"])).text
    assert sentence_after(PREVIEW, "{% elif preview.passes %}") in page


def test_a_player_alone_with_bots_confirms_takebacks_and_aborting(ada: Visitor) -> None:
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
    earlier_address = certain.rpartition("=")[0] + f"={before['version'] - 1}"
    assert ada.submit(earlier_address).status_code == 409, "what was confirmed is no longer what would go"
    assert ada.submit(certain).status_code == 303
    after = ada.state(path)
    assert after["to_decide"] == 0
    assert "Ada takes back a turn and everything after it: " in after["log"][-1]["text"][0]
    assert sentence_after("web/templates/table_menu.html", "{%- if ends_alone %}") in ada.get(path).text
    response = ada.submit(f"{path}/consent/ask-abort")
    assert sentence_after("tables/confirmation.py", 'if question == "ask-abort"') in response.text
    assert ada.state(path)["status"] == "running"
    (certain,) = re.findall(r'action="(/table/[^"]+confirmed=\d+)"', response.text)
    assert ada.submit(certain).status_code == 303
    assert ada.state(path)["status"] == "aborted"


def row(visitor: Visitor, path: str) -> str:
    """Return the lobby's row of a table."""
    return visitor.get("/").text.partition(f'href="{path}"')[2].partition("</li>")[0]


def test_leaving_needs_a_confirmation_and_the_lobby_links_back_to_the_seat(running_table: Running) -> None:
    path, _ = running_table
    deciding_visitor, other_visitors = decider(running_table)
    name = deciding_visitor.state(path)["seats"][deciding_visitor.state(path)["seat"]]["name"]
    assert f"{name} to move" in row(other_visitors[0], path)
    version = deciding_visitor.state(path)["version"]
    response = deciding_visitor.submit(f"{path}/leave")
    assert response.status_code == 200
    assert sentence_after("web/routes/seats.py", "if me and name else") in response.text
    assert sentence_after("tables/confirmation.py", 'return "waits", ') in response.text
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', response.text)
    notice = deciding_visitor.post(
        f"{path}/leave", data={"token": deciding_visitor.token()}, headers={"HX-Request": "true"}
    )
    assert f'formaction="{confirmed}"' in notice.text
    assert deciding_visitor.state(path)["version"] == version, "nothing has happened yet"
    assert deciding_visitor.submit(confirmed).headers["location"] == "/"
    for visitor in (deciding_visitor, *other_visitors):
        assert f"{name} to move" not in row(visitor, path)
        assert WAITING in row(visitor, path)
        assert (SIT_AGAIN in row(visitor, path)) == (visitor is deciding_visitor)
    (seat,) = re.findall(rf'formaction="{path}/sit" name="seat" value="(\d)"', row(deciding_visitor, path))
    assert deciding_visitor.submit(f"{path}/sit", seat=seat).headers["location"] == path
    assert "Your turn" in deciding_visitor.get("/").text
    assert SIT_AGAIN not in deciding_visitor.get("/").text


def test_leaving_needs_another_confirmation_when_its_consequences_have_changed(running_table: Running) -> None:
    path, people = running_table
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', people[0].submit(f"{path}/leave").text)
    for other_player in people[1:]:
        assert other_player.leave(path).status_code == 303
    response = people[0].submit(confirmed)
    assert response.status_code == 200
    assert sentence_after("tables/confirmation.py", 'if after.status == "aborted":') in response.text
    assert people[0].state(path)["status"] == "running"
    (confirmed,) = re.findall(r'action="(/table/[^"]+)"', response.text)
    assert people[0].submit(confirmed).status_code == 303
    assert SIT_AGAIN not in people[0].get("/").text, "the table is closed"


def test_a_bot_takes_the_seat_of_a_player_who_left(running_table: Running) -> None:
    path, people = running_table
    host = people[0]
    assert ask(people[1], f"{path}/leave").status_code == 303
    assert host.state(path)["seats"][1]["kind"] == "left"
    (question,) = re.findall(r'id="replace-1" open>.*?</div></details>', host.get(path).text, re.S)
    assert WHAT_NOW in question
    assert all(f">{leave_way}<" in question for leave_way in WAYS)
    assert WHAT_NOW not in people[2].get(path).text, "only the host may act"
    assert ask(people[2], f"{path}/replace/1/random").json()["code"] == "not-host"
    assert ask(host, f"{path}/replace/1/random").status_code == 303
    assert host.state(path)["seats"][1]["kind"] == "bot"
    while not any(line["seat"] == 1 for line in host.state(path)["log"]):  # until the bot has played
        if (seat := host.state(path)["to_decide"]) != 1:
            trade(people[seat], path)


def test_a_visitor_with_a_spectator_link_may_watch(ada: Visitor, server: Server) -> None:
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


def test_an_error_page_never_links_to_a_table_that_the_visitor_may_not_see(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="off")
    for answer in (grace.submit(f"{path}/undo", version="1"), grace.get(f"{path}/replay"), grace.get(path)):
        assert answer.status_code == 404
        assert f'href="{path}' not in answer.text
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    match = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert match
    spectator_page = grace.get(match.group(1)).headers["location"]
    link = spectator_page.partition("?")[2]
    assert f'href="{spectator_page}">' in grace.get(f"{path}/replay?at=99999&{link}").text


def test_a_link_to_a_seat_says_that_the_seat_is_taken(ada: Visitor, grace: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "link")
    free_links = re.findall(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    _, seat, other = [link for link in free_links if grace.get(link).status_code == 200]
    assert 'name="name"' in grace.get(seat).text
    assert grace.submit(seat, name="Grace").status_code == 303
    assert grace.get(seat).headers["location"] == path
    with Visitor(server) as late_visitor:
        taken_page = late_visitor.get(seat)
        assert taken_page.status_code == 409
        assert SEAT_TAKEN in taken_page.text
        assert 'name="name"' not in taken_page.text
        assert 'name="name"' in late_visitor.get(other).text
        assert ask(ada, f"{path}/consent/ask-abort").status_code == 200
        taken_seat_page = late_visitor.get(other)
        assert taken_seat_page.status_code == 409
        assert 'name="name"' not in taken_seat_page.text


def links(path: str, page: str) -> list[str]:
    """Return the addresses of a table that are linked on a page."""
    addresses = [html.unescape(text) for text in re.findall(r'<a [^>]*href="([^"]+)"', page)]
    return sorted({address for address in addresses if address.partition("?")[0].startswith(path)})


@pytest.mark.parametrize("is_finished", [False, True])
def test_a_spectator_with_a_link_may_follow_every_link_about_the_table(
    ada: Visitor, server: Server, *, is_finished: bool
) -> None:
    path = ada.table("me", "bot:random", "bot:random", watch="link")
    match = re.search(r'href="(/join/[\w.-]+)"', ada.get(path).text)
    assert match
    while ada.state(path)["to_decide"] != 0:
        pass
    trade(ada, path)
    if is_finished:
        assert ask(ada, f"{path}/consent/ask-abort").status_code == 200
        assert ada.state(path)["status"] == "aborted"
    with Visitor(server) as stranger:
        table = stranger.get(match[1]).headers["location"]
        link = table.partition("?")[2]
        followed_links, new_links = set[str](), [table]
        while new_links:
            address = new_links.pop()
            answer = stranger.get(address)
            assert answer.status_code == 200, address
            followed_links.add(address)
            fresh_links = links(path, answer.text) if "text/html" in answer.headers["content-type"] else []
            new_links.extend(fresh_links if len(followed_links) < 30 else [])
            new_links = sorted(set(new_links) - followed_links)
        assert {address.partition("?")[0] for address in followed_links} == {
            path,
            *(f"{path}/{page}" for page in ("log", "fairness", "record", "replay", "chat")),
        }
        assert any("at=0" in address for address in followed_links)
        assert any("as=1" in address for address in followed_links) == is_finished
        copied_address = re.search(r'data-copy-url="([^"]+)"', stranger.get(f"{path}/replay?at=1&{link}").text)
    assert copied_address
    assert html.unescape(copied_address[1]) == f"{path}/replay?at=1&{link}"
    with Visitor(server) as friend:
        assert friend.get(html.unescape(copied_address[1])).status_code == 200
        assert friend.get(f"{path}/replay?at=1").status_code == 404


def looked_at(table: Table, viewing_seat: str = "") -> Perspective:
    """Return the perspective from which Ada's device shows the table."""
    return asyncio.run(perspective_of(cast(Live, None), table, ADA.id, me=viewing_seat))


@pytest.mark.parametrize("status", ["running", "frozen"])
def test_players_sharing_a_device_have_a_handoff_screen_until_the_game_is_over(
    status: Literal["running", "frozen"],
) -> None:
    table = replace(Sitting.open("me", "here:Ben", "here:Cleo").table, status=status)
    assert looked_at(table) == Perspective(None, is_host=True, device_seats=(0, 1, 2), needs_handoff=True)
    assert looked_at(table, viewing_seat="2") == Perspective(1, is_host=True, hot_seat="2", device_seats=(0, 1, 2))
    assert not looked_at(replace(table, status="aborted")).needs_handoff
    assert not looked_at(replace(table, status="frozen", setup=None, position=None)).needs_handoff, "nothing to hide"


@pytest.mark.parametrize("status", ["aborted", "finished"])
def test_players_sharing_a_device_have_a_handoff_screen_until_all_games_of_the_deal_are_over(
    status: Literal["aborted", "finished"],
) -> None:
    table = replace(Sitting.open("me", "here:Ben", "here:Cleo").table, status=status, is_withheld=True)
    assert looked_at(table) == Perspective(None, is_host=True, device_seats=(0, 1, 2), needs_handoff=True)
    assert not looked_at(replace(table, is_withheld=False)).needs_handoff


SHARED = {
    "en": (
        str(BEHIND.fill({"place": 4, "seats": 4, "count": 21, "player": "Ada and Cornelis"})),
        str(TOGETHER.fill({"player": "Ada, Ben and Cornelis"})),
    ),
    "de": (
        "Platz 4 von 4, 21 Punkte hinter Ada und Cornelis.",
        "Gewonnen, zusammen mit Ada, Ben und Cornelis!",
    ),
    "fr": ("Rang 4 sur 4, à 21 points d’Ada et Cornelis.", "Victoire, à égalité avec Ada, Ben et Cornelis !"),
    "nl": ("Positie 4 van 4, 21 punten achter Ada en Cornelis.", "Gewonnen, samen met Ada, Ben en Cornelis!"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_names_all_players_who_share_a_rank(language: Language) -> None:
    names = ["Ada", "Ben", "Cornelis", "Dora"]
    behind = rank_sentence(3, [30, 12, 30, 9], {0: 1, 2: 1, 1: 3, 3: 4})
    shared_rank = rank_sentence(3, [9] * 4, dict.fromkeys(range(4), 1))
    assert tuple(Words(language).say(message, names) for message in (behind, shared_rank)) == SHARED[language]


def test_the_result_tells_each_player_their_rank_and_margin(server: Server, finished_game: Running) -> None:
    path, people = finished_game
    scores = people[0].state(path)["scores"]
    for seat, person in enumerate(people):
        text = re.sub(r"<[^>]+>", "", person.get(f"{path}/end").text.partition("<h1>")[2].partition("</h1>")[0])
        own_rank_text = re.sub(
            r"<[^>]+>", "", person.get(path).text.partition('<p id="own-rank-note">')[2].partition("</p>")[0]
        )
        assert own_rank_text.replace("−", "-") == f"{scores[seat]} point{'s' * (abs(scores[seat]) != 1)} · {text}"
        first, place = max(scores), 1 + sum(other_score > scores[seat] for other_score in scores)
        if place > 1:
            assert text.startswith(sentence_before_player(BEHIND, place=place, seats=3, count=first - scores[seat]))
        elif scores.count(first) == 1:
            assert text.startswith(sentence_before_player(AHEAD, count=first - sorted(scores)[-2]))
        else:
            assert text.startswith(sentence_before_player(TOGETHER))
    with Visitor(server) as spectator:
        spectator_page = spectator.get(path).text
        assert 'id="result-link"' in spectator_page
        assert "own-rank-note" not in spectator_page
    for page in (people[0].get(f"{path}/end"), people[0].get(path)):
        assert 'formaction="' + path + '/rematch"' in page.text
    rematch_path = people[0].submit(f"{path}/rematch").headers["location"]
    assert f'<a class="button primary" href="{rematch_path}">' in people[1].get(f"{path}/end").text


def test_a_running_table_has_no_result_page(running_table: Running) -> None:
    path, people = running_table
    answer = people[0].get(f"{path}/end")
    assert (answer.status_code, answer.headers["location"]) == (303, path)


def test_the_result_shows_the_scoring_and_anyone_can_verify_the_deal(finished_game: Running) -> None:
    path, people = finished_game
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


def test_a_rematch_is_offered_only_to_people_who_can_join_the_new_table(server: Server, ada: Visitor) -> None:
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


def test_the_question_about_leaving_has_separate_buttons(running_table: Running) -> None:
    path, (ada, *_) = running_table
    leave_dialog = ada.post(f"{path}/leave", data={"token": ada.token()}, headers={"HX-Request": "true"}).text
    assert re.findall(r"<button[^>]*>([^<]+)<", leave_dialog) == [
        sentence_after("web/templates/consent_confirm.html", "{% if is_final %}<button"),
        sentence_after("web/routes/seats.py", "        verb = "),
    ]
