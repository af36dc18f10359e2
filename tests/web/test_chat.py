"""The chat of a table, from outside: who reads what, by page, as JSON, by the stream and in records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import ViewportSize, expect

from spieltisch.live.limits import DEFAULT
from spieltisch.tables import TableRefusal
from spieltisch.tables.chat import REACTIONS, clean_message
from spieltisch.tables.names import normalize_name
from spieltisch.web.http.stream import END
from spieltisch.web.pages.fragments import CHAT, PLANS, SPECTATORS
from tests.tables.harness import refused
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES

WHAT = ("said-at-the-table", "noted-by-grace", "whispered-by-cid", "noted-by-cid")
SCREENS: list[ViewportSize] = [DESK, {"width": 1024, "height": 768}, {"width": 1366, "height": 650}, *PHONES]
OURS = {"ol", "li", "p", "b", "span", "a", "time", "details", "summary", "button"}
JSON = {"Accept": "application/json"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def cid(server: Server) -> Iterator[Visitor]:
    """A spectator, who has a name from another table."""
    with Visitor(server) as visitor:
        visitor.table("me", "bot:random", "bot:random", name="Cid")
        yield visitor


def say(visitor: Visitor, path: str, text: str, room: str = "table") -> httpx.Response:
    return visitor.submit(f"{path}/chat", room=room, text=text)


def read(visitor: Visitor, path: str) -> list[str]:
    answer = visitor.get(f"{path}/chat", headers=JSON)
    assert answer.status_code == 200
    return [message["text"] for message in answer.json()]


def pushed(visitor: Visitor, topic: str) -> str:
    """The first state of a topic that the stream sends to this visitor, and what comes before it; "" for none."""
    with visitor.stream("GET", "/stream", params={"watch": [f"{topic}@0", "lobby@0"]}) as stream:
        text = ""
        for line in stream.iter_lines():
            text += f"{line}\n"
            if line.startswith("id: lobby@"):
                return text.partition("id: lobby")[0]
    return text


def everything(visitor: Visitor, path: str) -> str:
    """Return everything that this visitor is shown of a table, on all pages."""
    below = ("", "/chat", "/log", "/record", "/fairness", "/replay", "/clock", "/since")
    pages = [visitor.get(path + rest, headers=kind).text for rest, kind in product(below, ({}, JSON, HTMX))]
    key = path.rpartition("/")[2]
    return "\n".join([*pages, pushed(visitor, f"{CHAT}{key}"), pushed(visitor, key), visitor.get("/").text])


def test_who_plays_never_reads_the_spectators_and_nobody_anybodys_notes(
    running: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, players = running
    assert say(players[0], path, "said-at-the-table").status_code == 303
    assert say(players[1], path, "noted-by-grace", "note").status_code == 303
    assert say(cid, path, "whispered-by-cid", "watch").status_code == 303
    assert say(cid, path, "noted-by-cid", "note").status_code == 303
    with Visitor(server) as stranger:
        seen = {
            "ada": everything(players[0], path),
            "grace": everything(players[1], path),
            "cid": everything(cid, path),
            "stranger": everything(stranger, path),
        }
    words_seen = {person: {word for word in WHAT if word in text} for person, text in seen.items()}
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
    assert say(cid, path, "joining in").status_code == 422, "who looks on does not talk at the table"
    for question, person in (("ask", 0), ("agree", 1), ("agree", 2)):
        players[person].submit(f"{path}/consent/{question}-abort?confirmed=1", version="1")
    assert players[0].state(path)["status"] == "aborted"
    assert "whispered-by-cid" in read(players[0], path), "it is over"
    assert "noted-by-cid" not in everything(players[0], path)


def test_numbers_tell_nothing_of_what_others_wrote(running: tuple[str, list[Visitor]], cid: Visitor) -> None:
    path, (ada, grace, _) = running
    for number in range(1, 3):
        say(ada, path, f"table {number}")
        say(grace, path, f"note {number}", "note")
        say(cid, path, f"watch {number}", "watch")
    for visitor, rooms in ((ada, ["table"]), (grace, ["table", "note"]), (cid, ["table", "watch"])):
        rows = visitor.get(f"{path}/chat", headers=JSON).json()
        assert sorted((row["room"], row["number"]) for row in rows) == sorted(product(rooms, (1, 2)))
        assert all(row["text"] == f"{row['room']} {row['number']}" for row in rows)
        page = visitor.get(f"{path}/chat").text
        assert set(re.findall(r'id="word-(\w+)-(\d)"', page)) == set(product(rooms, "12"))
        assert set(re.findall(rf'formaction="{path}/chat/(\w+)/(\d)/', page)) == set(product(rooms, "12"))
    assert grace.submit(f"{path}/chat/note/2/remove").status_code == 303
    assert grace.submit(f"{path}/chat/table/2/like").status_code == 303
    assert read(grace, path) == ["table 1", "note 1", "table 2", None]
    word_html = ada.get(f"{path}/chat").text.partition('id="word-table-2"')[2]
    assert f"{REACTIONS['like']} 1" in word_html


def test_nobody_learns_that_others_write_where_they_may_not_read(
    running: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, (ada, grace, _) = running
    key = path.rpartition("/")[2]
    say(grace, path, "to be muted")
    topics = [f"{kind}{key}@0" for kind in ("", CHAT, PLANS, SPECTATORS, END)]

    def shown(visitor: Visitor) -> list[bytes]:
        below = ("", "/chat", "/log", "/record", "/replay", "/clock")
        return [visitor.get(path + rest, headers=kind).content for rest, kind in product(below, ({}, JSON, HTMX))]

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
        for reader, written in ((grace, (written_by_ada, written_by_cid)), (stranger, (written_by_ada,))):
            before = shown(reader)
            with reader.stream("GET", "/stream", params={"watch": [*topics, "lobby@0"]}) as stream:
                lines = stream.iter_lines()
                next(line for line in lines if line.startswith("id: lobby@"))
                for write in written:
                    write()
                assert shown(reader) == before
                say(grace, path, "to all")
                seen = [line for line in lines_until(lines, "to all") if line.startswith("id:")]
            assert [line.partition("@")[0] for line in seen] == [f"id: {CHAT}{key}"]


def lines_until(lines: Iterator[str], text: str) -> Iterator[str]:
    for line in lines:
        yield line
        if text in line:
            return


def test_who_has_left_and_comes_back_has_read_nothing_meanwhile(
    running: tuple[str, list[Visitor]], cid: Visitor
) -> None:
    path, players = running
    say(cid, path, "whispered", "watch")
    assert players[1].leave(path).status_code == 303
    assert "whispered" not in everything(players[1], path)


def test_what_is_written_is_text_and_nothing_else(running: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = running
    text = "<script>alert(1)</script> <img src=x> https://evil.example javascript:x @Grace #0 #99 &amp; \u202e\u0007'\""
    assert say(ada, path, text).status_code == 303
    html = re.search(r'<ol class="words".*?</ol>', grace.get(f"{path}/chat").text, re.DOTALL)
    assert html is not None
    assert set(re.findall(r"<(\w+)", html[0])) <= OURS
    assert re.findall(r'href="([^"]*)"', html[0]) == [f"{path}/replay?at=0"], "a step that there is, and no other link"
    assert '<b class="player seat-1 me">@Grace</b>' in html[0]
    assert "&amp;amp;" in html[0]
    assert "\u202e" not in html[0]


def test_signs_mute_and_taking_away(running: tuple[str, list[Visitor]], cid: Visitor) -> None:
    path, (ada, grace, mary) = running
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
    assert ada.submit(f"{path}/chat/table/1/remove").status_code == 303, "the host may"
    assert grace.submit(f"{path}/chat/table/2/remove").status_code == 303, "and who has said it"
    assert read(cid, path) == [None, None]
    for odd in ("table/9/like", "table/1/like", "table/2/hate", "table/x/like", "hall/1/like", "1/like"):
        assert grace.submit(f"{path}/chat/{odd}").status_code in (400, 404)


def test_a_table_whose_charter_says_so_has_no_chat_but_notes(ada: Visitor, grace: Visitor, cid: Visitor) -> None:
    path = ada.table("me", "open", "bot:random", chat="off")
    grace.sit(path, "Grace")
    assert say(ada, path, "psst").status_code == 409
    assert say(cid, path, "psst", "watch").status_code == 409
    assert say(ada, path, "mine", "note").status_code == 303
    assert (read(ada, path), read(grace, path), read(cid, path)) == (["mine"], [], [])


def test_rate_and_size_by_the_limits_that_are_the_default(running: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = running
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


def test_one_person_fills_no_table(own_server: Callable[..., Server]) -> None:
    server = own_server("--limit", "messages_per_table=3")
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        assert [say(ada, path, "x").status_code for _ in range(4)] == [303, 303, 303, 409]


NAMES = ("می\u200cخواهم", "👩\u200d🔧", "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f")


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_kept_in_one_line_or_refused(text: str) -> None:
    try:
        kept = clean_message(text, 40)
    except TableRefusal:
        return
    assert clean_message(kept, 40) == kept
    assert kept.isprintable() or {"\u200c", "\u200d"} & {*kept}


@given(st.text(max_size=40) | st.sampled_from(NAMES))
def test_whatever_may_be_a_name_may_be_said(text: str) -> None:
    try:
        name = normalize_name(text)
    except TableRefusal:
        return
    assert clean_message(name, 0) == name


def test_nothing_is_refused() -> None:
    with refused("message"):
        clean_message("\u202e\n", 40)


@pytest.mark.browser
def test_two_browsers_talk_beside_the_log(running: tuple[str, list[Visitor]], server: Server, person: Person) -> None:
    path, (ada, grace, _) = running
    pages = []
    for visitor, zone in ((ada, "America/New_York"), (grace, "Asia/Tokyo")):
        page: Any = person(viewport=DESK, timezone_id=zone, locale="en")
        let_in(page.context, visitor)
        page.goto(server.address + path)
        pages.append(page)
    own_page, other_page = pages
    own_page.locator("#say [name=text]").fill("Well played, @Grace")
    own_page.keyboard.press("Enter")
    expect(own_page.locator(".log .said")).to_contain_text("Well played")
    expect(own_page.locator(".log li").first).to_have_class(re.compile("said"))
    expect(own_page.locator("#say [name=text]")).to_have_value("")
    expect(other_page.locator(".log .said .me")).to_have_text("@Grace")
    expect(other_page.locator(".bubble")).to_have_text("Ada: Well played, @Grace")
    expect(own_page.locator(".bubble")).to_have_count(0)
    times = [page.locator(".log .said time").inner_text() for page in pages]
    assert times[0] != times[1], "each in their own time"
    other_page.locator(".log .deeds summary").click()
    other_page.locator(f".log .deeds button >> text={REACTIONS['clap']}").click()
    expect(own_page.locator(".log .given-signs")).to_contain_text(f"{REACTIONS['clap']} 1")
    own_page.locator("#say [name=text]").fill("half a word")
    say(grace, path, "and another")
    expect(own_page.locator(".log .said")).to_have_count(2)
    expect(own_page.locator("#say [name=text]")).to_have_value("half a word")  # what is typed stays


def test_a_message_stands_after_what_its_reader_knew_of_the_game(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    after = []
    for word in ("first", "second"):
        say(people[0], path, word)
        page = people[1].get(path).text
        newest = max(map(int, re.findall(r'id="log-(\d+)"', page)))
        after.append(int(re.findall(r'data-number="\d" data-after="(\d+)"', page)[-1]))
        assert after[-1] == newest
        now = people[0].state(path)["to_decide"]
        assert people[now].play(path, people[now].state(path)["moves"][0]).status_code == 200
    assert after[0] < after[1]


BUBBLE_COVERS = """() => {
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const bubble = document.querySelector(".bubble").getBoundingClientRect();
  const inside = bubble.left >= 0 && bubble.right <= innerWidth && bubble.top >= 0;
  const parts = [...document.querySelectorAll("#map-frame, #panel, #story, #people, #strip, #prompt")];
  const covered = parts.filter((part) => meet(bubble, part.getBoundingClientRect())).map((part) => part.id);
  return [...covered, ...(inside ? [] : ["out of the window"])];
}"""


@pytest.mark.browser
@pytest.mark.parametrize("game", ["paris-connection", "legendary-inventors"])
def test_chat_and_log_are_one_stream_and_a_bubble_covers_nothing(
    server: Server, person: Person, ada: Visitor, grace: Visitor, mary: Visitor, game: str
) -> None:
    path = ada.table("me", "open", "open", game=game)
    assert grace.sit(path, "Grace Brewster Murray Hopper, an Admiral").status_code == 303
    mary.sit(path, "Mary")
    people = [ada, grace, mary]
    page = person(viewport=DESK)
    let_in(page.context, ada)
    page.goto(server.address + path)
    newest = page.locator("#story .log li").first
    for word in ("<b>one</b>", "two"):
        say(mary, path, word)
        expect(newest).to_contain_text(f"Mary {word}")
        now = ada.state(path)["to_decide"]
        people[now].play(path, people[now].state(path)["moves"][0])
        expect(newest).to_have_id(f"log-{ada.state(path)['version']}")
    order = page.locator("#story .log li").evaluate_all("(all) => all.map((one) => one.id.replace(/\\d+$/, ''))")
    assert order[:4] == ["log-", "said-table-", "log-", "said-table-"]
    expect(page.locator("#say [name=text]")).to_be_in_viewport(ratio=1)
    page.locator("#chat-only").click()
    expect(page.locator("#story .log li:visible")).to_have_count(2)
    page.locator("#chat-only").click()
    for number, screen in enumerate(SCREENS):
        page.set_viewport_size(screen)
        for name, speaker in (("Grace", grace), ("Mary", mary)):
            say(speaker, path, f"{number} {'word ' * 30}")
            bubble = page.locator(".bubble", has_text=f"{number} word").filter(has_text=name)
            expect(bubble).to_be_visible()
            assert (screen, page.evaluate(BUBBLE_COVERS)) == (screen, [])
            bubble.evaluate("(one) => one.remove()")
