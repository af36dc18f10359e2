"""Check from outside who reads which messages on pages, as JSON, in streams and in records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import ViewportSize, expect

from spieltisch.features.chat.commands import GREETING, REACTION_SYMBOLS
from spieltisch.features.chat.service import TOPIC as CHAT
from spieltisch.features.planned_turns.service import TOPIC as PLANS
from spieltisch.live.limits import DEFAULT
from spieltisch.tables import TableRefusal
from spieltisch.tables.names import clean_message, normalize_name
from spieltisch.web.http.stream import END
from spieltisch.web.pages.table_viewers import VIEWERS
from tests.features.shown_pages import HTMX, JSON, everything
from tests.tables.harness import refused
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

WHAT = ("said-at-the-table", "noted-by-grace", "whispered-by-cid", "noted-by-cid")
SCREENS: list[ViewportSize] = [DESK, {"width": 1024, "height": 768}, {"width": 1366, "height": 650}, *PHONES]
OURS = {"ol", "li", "p", "b", "span", "a", "time", "details", "summary", "button"}


def say(visitor: Visitor, path: str, text: str, room: str = "table") -> httpx.Response:
    return visitor.submit(f"{path}/chat", room=room, text=text)


def read(visitor: Visitor, path: str) -> list[str]:
    answer = visitor.get(f"{path}/chat", headers=JSON)
    assert answer.status_code == 200
    return [message["text"] for message in answer.json()]


def test_players_cannot_read_messages_of_spectators_and_notes_are_private(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, players = running_table
    assert say(players[0], path, "said-at-the-table").status_code == 303
    assert say(players[1], path, "noted-by-grace", "note").status_code == 303
    assert say(cid, path, "whispered-by-cid", "watch").status_code == 303
    assert say(cid, path, "noted-by-cid", "note").status_code == 303
    with Visitor(server) as stranger:
        rooms = {
            "ada": everything(players[0], path),
            "grace": everything(players[1], path),
            "cid": everything(cid, path),
            "stranger": everything(stranger, path),
        }
    words_seen = {person: {word for word in WHAT if word in text} for person, text in rooms.items()}
    assert words_seen == {
        "ada": {"said-at-the-table"},
        "grace": {"said-at-the-table", "noted-by-grace"},
        "cid": {"said-at-the-table", "whispered-by-cid", "noted-by-cid"},
        "stranger": {"said-at-the-table", "whispered-by-cid"},
    }
    for player in players:
        assert say(player, path, "spying", "watch").status_code == 422
        for room, deed in product(("watch/1", "note/2", "table/2"), ("like", "mute", "remove")):
            assert player.submit(f"{path}/chat/{room}/{deed}").status_code == 404, "as if it were not there"
    assert say(cid, path, "joining in").status_code == 422, "a spectator says nothing to the players"
    for question, person in (("ask", 0), ("agree", 1), ("agree", 2)):
        players[person].submit(f"{path}/consent/{question}-abort?confirmed=1", version="1")
    assert players[0].state(path)["status"] == "aborted"
    assert "whispered-by-cid" in read(players[0], path), "it is over"
    assert "noted-by-cid" not in everything(players[0], path)


def test_message_numbers_do_not_reveal_messages_in_other_chat_rooms(
    running_table: tuple[str, list[Visitor]], cid: Visitor
) -> None:
    path, (ada, grace, _) = running_table
    for number in range(1, 3):
        say(ada, path, f"table {number}")
        say(grace, path, f"note {number}", "note")
        say(cid, path, f"watch {number}", "watch")
    for visitor, rooms in ((ada, ["table"]), (grace, ["table", "note"]), (cid, ["table", "watch"])):
        rows = visitor.get(f"{path}/chat", headers=JSON).json()
        assert sorted((row["room"], row["number"]) for row in rows) == sorted(product(rooms, (1, 2)))
        assert all(row["text"] == f"{row['room']} {row['number']}" for row in rows)
        page = visitor.get(f"{path}/chat").text
        assert set(re.findall(r'id="message-(\w+)-(\d)"', page)) == set(product(rooms, "12"))
        assert set(re.findall(rf'formaction="{path}/chat/(\w+)/(\d)/', page)) == set(product(rooms, "12"))
    assert grace.submit(f"{path}/chat/note/2/remove").status_code == 303
    assert grace.submit(f"{path}/chat/table/2/like").status_code == 303
    assert read(grace, path) == ["table 1", "note 1", "table 2", None]
    message_html = ada.get(f"{path}/chat").text.partition('id="message-table-2"')[2]
    assert f"{REACTION_SYMBOLS['like']} 1" in message_html


def test_activity_in_chat_rooms_closed_to_the_reader_is_not_revealed(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, (ada, grace, _) = running_table
    key = path.rpartition("/")[2]
    say(grace, path, "to be muted")
    topics = [f"{kind}{key}@0" for kind in ("", CHAT, PLANS, VIEWERS, END)]

    def bodies_of_rooms(visitor: Visitor) -> list[bytes]:
        subpages = ("", "/chat", "/log", "/record", "/replay", "/clock")
        return [
            visitor.get(path + subpath, headers=kind).content for subpath, kind in product(subpages, ({}, JSON, HTMX))
        ]

    def written_by_ada() -> None:
        say(ada, path, "noted-by-ada", "note")
        number = sum(row["room"] == "note" for row in ada.get(f"{path}/chat", headers=JSON).json())
        for deed in (f"note/{number}/like", "table/1/mute", f"note/{number}/remove"):
            assert ada.submit(f"{path}/chat/{deed}").status_code == 303

    def written_by_cid() -> None:
        say(cid, path, "whispered-by-cid", "watch")
        assert cid.submit(f"{path}/chat/watch/1/think").status_code == 303

    with Visitor(server) as stranger:
        stranger.get("/")
        for reader, written_texts in ((grace, (written_by_ada, written_by_cid)), (stranger, (written_by_ada,))):
            before = bodies_of_rooms(reader)
            with reader.stream("GET", "/stream", params={"watch": [*topics, "lobby@0"]}) as stream:
                lines = stream.iter_lines()
                next(line for line in lines if line.startswith("id: lobby@"))
                for write in written_texts:
                    write()
                assert bodies_of_rooms(reader) == before
                say(grace, path, "to all")
                stream_lines = [line for line in lines_until(lines, "to all") if line.startswith("id:")]
            assert [line.partition("@")[0] for line in stream_lines] == [f"id: {CHAT}{key}"]


def lines_until(lines: Iterator[str], text: str) -> Iterator[str]:
    for line in lines:
        yield line
        if text in line:
            return


def test_a_player_who_left_cannot_read_messages_until_they_return(
    running_table: tuple[str, list[Visitor]], cid: Visitor
) -> None:
    path, players = running_table
    say(cid, path, "whispered", "watch")
    assert players[1].leave(path).status_code == 303
    assert "whispered" not in everything(players[1], path)


def test_messages_are_shown_as_plain_text(running_table: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = running_table
    text = "<script>alert(1)</script> <img src=x> https://evil.example javascript:x @Grace #0 #99 &amp; \u202e\u0007'\""
    assert say(ada, path, text).status_code == 303
    html = re.search(r'<ol class="messages".*?</ol>', grace.get(f"{path}/chat").text, re.DOTALL)
    assert html is not None
    assert set(re.findall(r"<(\w+)", html[0])) <= OURS
    assert re.findall(r'href="([^"]*)"', html[0]) == [f"{path}/replay?at=0"], "a step that there is, and no other link"
    assert '<b class="player seat-1 own-mention">@Grace</b>' in html[0]
    assert "&amp;amp;" in html[0]
    assert "\u202e" not in html[0]


def test_chat_messages_can_be_reacted_to_muted_and_removed(
    running_table: tuple[str, list[Visitor]], cid: Visitor
) -> None:
    path, (ada, grace, mary) = running_table
    say(grace, path, "first")
    say(grace, path, "unwelcome")
    assert mary.submit(f"{path}/chat/table/1/clap").status_code == 303
    assert "👏 1" in ada.get(f"{path}/chat").text
    assert mary.submit(f"{path}/chat/table/1/clap").status_code == 303
    assert "👏 1" not in ada.get(f"{path}/chat").text
    assert mary.submit(f"{path}/chat/table/1/remove").status_code == 403, "she is neither the host nor has she said it"
    assert mary.submit(f"{path}/chat/table/1/mute").status_code == 303
    assert "unwelcome" not in mary.get(f"{path}/chat").text, "nothing of Grace's"
    assert "unwelcome" in ada.get(f"{path}/chat").text, "muted for oneself alone"
    assert ada.submit(f"{path}/chat/table/1/remove").status_code == 303, "as the host"
    assert grace.submit(f"{path}/chat/table/2/remove").status_code == 303, "and who has said it"
    assert read(cid, path) == [None, None]
    for invalid_address in ("table/9/like", "table/1/like", "table/2/hate", "table/x/like", "hall/1/like", "1/like"):
        assert grace.submit(f"{path}/chat/{invalid_address}").status_code in (400, 404)


def test_a_table_without_chat_allows_only_private_notes(ada: Visitor, grace: Visitor, cid: Visitor) -> None:
    path = ada.table("me", "open", "bot:random", chat="off")
    grace.sit(path, "Grace")
    assert say(ada, path, "psst").status_code == 409
    assert say(cid, path, "psst", "watch").status_code == 409
    assert say(ada, path, "mine", "note").status_code == 303
    assert (read(ada, path), read(grace, path), read(cid, path)) == (["mine"], [], [])


def test_a_spectator_gives_a_name_with_the_first_message(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, players = running_table
    with Visitor(server) as stranger:
        for room, text, name, status in (
            ("table", "x", "Dan", 422),
            ("watch", " ", "Dan", 422),
            ("watch", "x", "", 422),
        ):
            assert stranger.submit(f"{path}/chat", room=room, text=text, name=name).status_code == status
            assert stranger.get("/devices").status_code == 403, "still a visitor without a name"
        answer = stranger.submit(f"{path}/chat", room="watch", text="hello", name="Dan")
        assert (answer.status_code, answer.headers["location"]) == (303, path)
        assert say(stranger, path, "and again", "watch").status_code == 303
        assert say(stranger, path, "x").status_code == 422
        messages = cid.get(f"{path}/chat", headers=JSON).json()
    assert [(message["name"], message["text"]) for message in messages] == [("Dan", "hello"), ("Dan", "and again")]
    assert read(players[0], path) == []


@pytest.mark.browser
def test_a_spectator_without_a_name_gets_a_name_field_beside_the_message(
    running_table: tuple[str, list[Visitor]], server: Server, open_page: Person
) -> None:
    page = open_page(viewport=DESK, locale="en")
    page.goto(server.address + running_table[0])
    page.locator("#message-form [name=name]").fill("Dan")
    page.locator("#greet-button").click()
    expect(page.locator(".log .chat-message.is-own-message")).to_contain_text(GREETING)
    page.locator("#message-form [name=text]").fill("Good luck")
    page.keyboard.press("Enter")
    expect(page.locator(".log .chat-message.is-own-message").filter(has_text="Good luck")).to_have_count(1)
    expect(page.locator("#message-form [name=name]")).to_have_count(0)


def test_players_who_share_a_device_choose_the_author_of_a_message(
    shared_device_table: str, ada: Visitor, cid: Visitor
) -> None:
    path = shared_device_table

    def write(seat: object) -> int:
        return ada.submit(f"{path}/chat", room="table", text=f"from {seat}", seat=seat).status_code

    form = ada.get(path).text.partition('id="message-form"')[2].partition("</form>")[0]
    assert re.findall(r'<option value="(\d)"', form) == ["0", "1", "2"]
    assert [write(seat) for seat in (1, 2, 0, 3, -1, "x", "")] == [303, 303, 303, 403, 400, 400, 400]
    assert cid.submit(f"{path}/chat", room="table", text="not of this device", seat=1).status_code == 422
    messages = cid.get(f"{path}/chat", headers=JSON).json()
    assert [message["name"] for message in messages] == ["Ben", "Cleo", "Ada"]


def test_default_limits_restrict_rate_and_size_of_messages(running_table: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = running_table
    token = ada.token()
    fields = {"token": token, "room": "table"}
    assert ada.post(f"{path}/chat", data={**fields, "text": "x" * DEFAULT.message_length}).status_code == 303
    assert ada.post(f"{path}/chat", data={**fields, "text": "x" * (DEFAULT.message_length + 1)}).status_code == 422
    assert ada.post(f"{path}/chat", data={**fields, "text": " \u200b "}).status_code == 422
    for _ in range(2 * DEFAULT.messages_per_minute):
        answer = ada.post(f"{path}/chat", data={**fields, "text": "x"})
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert say(grace, path, "others go on").status_code == 303


NAMES = ("می\u200cخواهم", "👩\u200d🔧", "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f")


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_message_text_becomes_one_line_or_is_refused(text: str) -> None:
    try:
        cleaned_text = clean_message(text, 40)
    except TableRefusal:
        return
    assert clean_message(cleaned_text, 40) == cleaned_text
    assert cleaned_text.isprintable() or {"\u200c", "\u200d"} & {*cleaned_text}


@given(st.text(max_size=40) | st.sampled_from(NAMES))
def test_every_valid_name_is_allowed_in_messages(text: str) -> None:
    try:
        name = normalize_name(text)
    except TableRefusal:
        return
    assert clean_message(name, 0) == name


def test_a_message_without_visible_characters_is_refused() -> None:
    with refused("message"):
        clean_message("\u202e\n", 40)


@pytest.mark.browser
def test_messages_of_one_browser_appear_beside_the_log_in_another_browser(
    running_table: tuple[str, list[Visitor]], server: Server, open_page: Person
) -> None:
    path, (ada, grace, _) = running_table
    pages = []
    for visitor, zone in ((ada, "America/New_York"), (grace, "Asia/Tokyo")):
        page: Any = open_page(viewport=DESK, timezone_id=zone, locale="en")
        let_in(page.context, visitor)
        page.goto(server.address + path)
        pages.append(page)
    own_page, other_page = pages
    own_page.locator("#message-form [name=text]").fill("Well played, @Grace")
    own_page.keyboard.press("Enter")
    expect(own_page.locator(".log .chat-message")).to_contain_text("Well played")
    expect(own_page.locator(".log li").first).to_have_class(re.compile("chat-message"))
    expect(own_page.locator("#message-form [name=text]")).to_have_value("")
    expect(other_page.locator(".log .chat-message .own-mention")).to_have_text("@Grace")
    expect(other_page.locator(".chat-bubble")).to_have_text("Ada: Well played, @Grace")
    expect(own_page.locator(".chat-bubble")).to_have_count(0)
    times = [page.locator(".log .chat-message time").inner_text() for page in pages]
    assert times[0] != times[1], "each in their own time"
    other_page.locator(".log .message-actions summary").click()
    other_page.locator(f".log .message-actions button >> text={REACTION_SYMBOLS['clap']}").click()
    expect(own_page.locator(".log .reactions")).to_contain_text(f"{REACTION_SYMBOLS['clap']} 1")
    own_page.locator("#message-form [name=text]").fill("half a word")
    say(grace, path, "and another")
    expect(own_page.locator(".log .chat-message")).to_have_count(2)
    expect(own_page.locator("#message-form [name=text]")).to_have_value("half a word")  # what is typed stays


def test_a_message_is_placed_after_the_newest_log_line_of_its_reader(running_table: tuple[str, list[Visitor]]) -> None:
    path, people = running_table
    after = []
    for word in ("first", "second"):
        say(people[0], path, word)
        page = people[1].get(path).text
        newest = max(map(int, re.findall(r'id="log-(\d+)"', page)))
        after.append(int(re.findall(r'data-message-number="\d"\sdata-after-log-line="(\d+)"', page)[-1]))
        assert after[-1] == newest
        now = people[0].state(path)["to_decide"]
        assert people[now].play(path, people[now].state(path)["moves"][0]).status_code == 200
    assert after[0] < after[1]


BUBBLE_COVERS = """() => {
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const bubble = document.querySelector(".chat-bubble").getBoundingClientRect();
  const inside = bubble.left >= 0 && bubble.right <= innerWidth && bubble.top >= 0;
  const parts = [...document.querySelectorAll("#map-frame, #panel, #log-panel, #own-summary, #prompt")];
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".skip-link");
  parts.push(...[...document.querySelectorAll("a, button, summary, input, select")].filter(isShown));
  const covered = parts.filter((part) => meet(bubble, part.getBoundingClientRect())).map((part) => part.outerHTML);
  return [...covered, ...(inside ? [] : ["out of the window"])];
}"""


@pytest.mark.browser
@pytest.mark.parametrize("game", ["paris-connection", "legendary-inventors"])
def test_chat_and_log_are_one_list_and_speech_bubbles_cover_no_control(
    server: Server, open_page: Person, ada: Visitor, grace: Visitor, mary: Visitor, game: str
) -> None:
    path = ada.table("me", "open", "open", game=game)
    assert grace.sit(path, "Grace Brewster Murray Hopper, an Admiral").status_code == 303
    mary.sit(path, "Mary")
    people = [ada, grace, mary]
    page = open_page(viewport=DESK)
    let_in(page.context, ada)
    page.goto(server.address + path)
    newest = page.locator("#log-panel .log li").first
    for word in ("<b>one</b>", "two"):
        say(mary, path, word)
        expect(newest).to_contain_text(f"Mary {word}")
        now = ada.state(path)["to_decide"]
        people[now].play(path, people[now].state(path)["moves"][0])
        expect(newest).to_have_id(f"log-{ada.state(path)['version']}")
    order = page.locator("#log-panel .log li").evaluate_all("(all) => all.map((one) => one.id.replace(/\\d+$/, ''))")
    assert order[:4] == ["log-", "chat-table-", "log-", "chat-table-"]
    expect(page.locator("#message-form [name=text]")).to_be_in_viewport(ratio=1)
    page.locator("#chat-only-button").click()
    expect(page.locator("#log-panel .log li:visible")).to_have_count(2)
    page.locator("#chat-only-button").click()
    for number, screen in enumerate(SCREENS):
        page.set_viewport_size(screen)
        for name, speaker in (("Grace", grace), ("Mary", mary)):
            say(speaker, path, f"{number} {'word ' * 30}")
            bubble = page.locator(".chat-bubble", has_text=f"{number} word").filter(has_text=name)
            expect(bubble).to_be_visible()
            assert (screen, page.evaluate(BUBBLE_COVERS)) == (screen, [])
            bubble.evaluate("(one) => one.remove()")
