"""Check from outside that players of a deal learn nothing about its other tables while one of them runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from spieltisch.core.record import Record
from spieltisch.tables.refusals import already_in_duplicate, withheld
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.servers import Server
from tests.web.table_addresses import ADDRESSES
from tests.web.visitors import Visitor, let_in

HIDDEN = str(withheld().message)
ALREADY_KNOWN = str(already_in_duplicate().message)
STATUS = "web/templates/duplicate_status.html"
IN_PROGRESS, ABORTED = (sentence_after(STATUS, f'status == "{status}"') for status in ("running", "aborted"))
ALL_OVER = sentence_after("web/templates/duplicate_live.html", "data-announcement")
JSON = {"Accept": "application/json"}


def dealt(host: Visitor, *seats: str, count: int = 2, **fields: str) -> str:
    """Set up a deal; return its path."""
    path = host.table(*seats, tables=str(count), **fields)
    assert path.startswith("/duplicate/")
    return path


def tables_of(visitor: Visitor, duplicate: str) -> list[str]:
    """Return the tables of a deal visible to this visitor, in order."""
    return re.findall(r'<a href="(/table/[^"/]*)">', visitor.get(duplicate).text)


def links(host: Visitor, duplicate: str) -> list[str]:
    """Return the links to seats shown to the host."""
    return re.findall(r'<a href="(/join/[^"/]*)">', host.get(duplicate).text)


def join(visitor: Visitor, link: str, name: str) -> str:
    """Take a seat by a link; return the table's path."""
    answer = visitor.submit(link, name=name)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def finish(visitor: Visitor, path: str, *, first: bool) -> None:
    """Play the first or the last legal move against bots until the game is over."""
    while (state := visitor.state(path))["status"] == "running":
        if state["moves"]:
            visitor.play(path, state["moves"][0 if first else -1], state["version"])


def break_off(visitor: Visitor, path: str) -> None:
    visitor.submit(f"{path}/consent/ask-abort?confirmed=1")
    assert visitor.state(path)["status"] == "aborted"


def refused(visitor: Visitor, path: str, *kinds: dict[str, str]) -> None:
    """Check that every request about a table is refused with a message, and that streams reveal nothing."""
    token = visitor.token()
    for method, address in ADDRESSES:
        if re.search(r"/(9|x|chess)(/|$)", address) or address.endswith("/nowhere"):
            continue
        for headers in kinds:
            data = {"token": token, "seat": "1", "move": "done", "version": "1", "at": "0", "bot": "easy"}
            request_options: dict[str, Any] = {"data": data} if method == "POST" else {}
            answer = visitor.request(
                method, address.format(id=path.removeprefix("/table/")), headers=headers, **request_options
            )
            if method in ("HEAD", "OPTIONS", "PUT") or answer.status_code == 405:
                assert answer.status_code in (204, 303, 403, 405), (method, address)
                continue
            if method == "GET" and answer.status_code == 303:  # a form's address: back to where it stands
                assert answer.headers["location"] == path
                continue
            assert answer.status_code == 403, (method, address, answer.text)
            assert HIDDEN in unescape(answer.text), (method, address)
    table = path.removeprefix("/table/")
    watched_topics = "&".join(f"watch={kind}{table}@0" for kind in ("", "chat:", "plans:", "end:"))
    with visitor.stream(
        "GET", f"/stream?{watched_topics}&watch=lobby@0", headers={"Accept-Encoding": "identity"}
    ) as stream:
        lines = []
        for line in stream.iter_lines():
            lines.append(line)
            if line.startswith("id: lobby"):
                break
    text = "\n".join(lines)
    assert HIDDEN in text
    assert not re.search('class="(table status-running|log|board|panel)', text)


def test_players_at_one_table_of_a_deal_are_refused_every_request_about_its_other_tables(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    duplicate = dealt(ada, "me", "bot:random", "bot:random")
    (link,) = links(ada, duplicate)
    own_table, sister = tables_of(ada, duplicate)
    assert sister == join(grace, link, "Grace")
    mary.submit(f"{own_table}/sit", name="Mary")  # she has no seat anywhere, and a name
    try:
        refused(ada, sister, {}, JSON, {"HX-Request": "true"})
        for visitor, path in ((grace, own_table), (mary, own_table), (mary, sister)):
            refused(visitor, path, {})
        assert links(grace, duplicate) == []
        assert tables_of(ada, duplicate) == [own_table]
        assert tables_of(grace, duplicate) == [sister]
        lobby = ada.get("/").text
        assert sister not in lobby
        assert f'href="{duplicate}"' in lobby
        other_table = sentence_after(
            "web/templates/lobby_row.html", "if row.summary.is_hidden_duplicate(person_id) %}{{ _(", "label="
        )
        assert f"{other_table}: {IN_PROGRESS}" in re.sub(r"\s+", " ", lobby)
        assert sister not in ada.get("/manifest.webmanifest").text
        page = ada.get(duplicate).text
        assert "Grace" in page
        assert re.search(rf"{IN_PROGRESS}, \d+ \w+", page)
        # Not even when one's own table is over; and of that one's own only what one saw.
        break_off(ada, own_table)
        refused(ada, sister, {}, JSON)
        refused(grace, own_table, {})
        for subpage in ("/record", "/replay?as=all"):
            assert HIDDEN in unescape(ada.get(own_table + subpage).text)
        assert ada.submit(f"{own_table}/what-if", at="0", seat="1", bot="easy").status_code == 403
        assert (
            sentence_after("web/templates/fairness.html", "elif table.opened.duplicate")
            in ada.get(f"{own_table}/fairness").text
        )
        assert ada.get(f"{own_table}/replay?at=0").status_code == 200
        exported_tables = ada.get("/me/export").json()["tables"]
        assert all(table["record"] is None for table in exported_tables if table["id"] in own_table + sister)
    finally:
        break_off(grace, sister)
    for visitor in (ada, grace, mary):
        assert visitor.get(duplicate).status_code == 200
        for path in (own_table, sister):
            assert Record.parse(visitor.get(f"{path}/record").text).secret is not None
    assert ALL_OVER in mary.get(duplicate).text


def pushed(lines: Iterator[str], stop_line: str) -> str:
    """Return the next event of a stream that contains this text."""
    event = []
    for line in lines:
        event.append(line)
        if not line:
            if stop_line in "\n".join(event):
                break
            event.clear()
    return "\n".join(line.removeprefix("data: ") for line in event[2:-1])


def test_the_stream_of_the_page_of_a_deal_sends_only_what_the_page_shows(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    duplicate = dealt(ada, "me", "bot:random", "bot:random", watch="link")
    (link,) = links(ada, duplicate)
    (own_table, sister), topic = tables_of(ada, duplicate), duplicate.removeprefix("/duplicate/")
    mary.get("/")
    no_encoding = {"Accept-Encoding": "identity"}
    stream_address = f"/stream?watch=duplicate:{topic}@0"
    with (
        ada.stream("GET", stream_address, headers=no_encoding) as host,
        mary.stream("GET", f"{stream_address}&watch=lobby@0", headers=no_encoding) as stranger,
    ):
        lines = host.iter_lines()
        assert f'href="{link}"' in re.sub("http://[^/]+", "", pushed(lines, topic))
        assert join(grace, link, "Grace") == sister
        now = pushed(lines, "Grace")
        assert link not in now
        while now not in ada.get(duplicate).text:  # a bot has played on
            now = pushed(lines, "Grace")
        grace.submit(f"{sister}/consent/ask-abort?confirmed=1")
        aborted_message = pushed(lines, ABORTED)
        assert "Grace" in aborted_message
        assert sister not in aborted_message
        break_off(ada, own_table)
        assert f'data-announcement="{ALL_OVER}"' in pushed(lines, ALL_OVER)
        event = pushed(stranger.iter_lines(), "id: lobby")
        assert topic not in event
        assert "duplicate:" not in event
    for visitor in (ada, grace):
        assert visitor.get(duplicate).status_code == 200


def test_changes_not_shown_on_the_page_of_a_deal_are_not_pushed(ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    duplicate = dealt(ada, "me", "open", "open")
    own_table, sister = tables_of(ada, duplicate)

    def versions() -> list[str]:
        return [
            re.findall(r'data-topic="duplicate:[^"]+" data-version="(\d+)"', visitor.get(duplicate).text)[0]
            for visitor in (ada, mary)
        ]

    before = versions()
    assert ada.submit(f"{own_table}/renew-spectators").status_code == 303
    assert versions() == before
    # The page of the person who has set up the duplicate contains the link.
    assert ada.submit(f"{own_table}/renew/1").status_code == 303
    renewed = versions()
    assert renewed[0] > before[0]
    assert renewed[1] == before[1]
    assert grace.sit(sister, "Grace").status_code == 303
    assert all(now > earlier for now, earlier in zip(versions(), renewed, strict=True))
    for number in (1, 2):
        ada.submit(f"{duplicate}/{number}/close")


def test_a_player_can_sit_at_only_one_table_of_a_deal(server: Server, ada: Visitor, grace: Visitor) -> None:
    duplicate = dealt(ada, "me", "open", "bot:random", count=3)
    second, third = tables_of(ada, duplicate)[1:]
    for link in links(ada, duplicate)[1:]:
        answer = ada.get(link)
        assert answer.status_code == 409
        assert ALREADY_KNOWN in unescape(answer.text)
        assert ada.submit(link, name="Ada").status_code == 409
    assert grace.sit(second, "Grace").status_code == 303
    for answer in (grace.sit(third, "Grace"), ada.sit(second, "Ada")):
        assert answer.status_code == 409
        assert ALREADY_KNOWN in unescape(answer.text)
    for path in (second, third):
        assert (
            ada.submit(
                f"/duplicate/{duplicate.removeprefix('/duplicate/')}/{2 if path == second else 3}/close"
            ).status_code
            == 303
        )
    assert ada.submit(f"{duplicate}/1/close").status_code == 303
    assert sentence_after("web/templates/duplicate_tables.html", "if compared", "{% else %}") in ada.get(duplicate).text


def test_a_private_deal_cannot_be_distinguished_from_a_missing_deal(
    server: Server, ada: Visitor, grace: Visitor
) -> None:
    duplicate = dealt(ada, "me", "bot:random", "bot:random", watch="link")
    link = links(ada, duplicate)[0]
    grace.table("me", "open", "open", name="Grace")
    response, missing_response = grace.get(duplicate), grace.get("/duplicate/nosuchdeal00")
    assert (response.status_code, missing_response.status_code) == (404, 404)
    assert response.text.replace(duplicate, "") == missing_response.text.replace("/duplicate/nosuchdeal00", "")
    for number, action in product((2, 9), ("close", "reclaim/0", "replace/0/easy")):
        paths = [f"{path}/{number}/{action}" for path in (duplicate, "/duplicate/nosuchdeal00")]
        answers = [grace.submit(path) for path in paths]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].text.replace(paths[0], "") == answers[1].text.replace(paths[1], "")
    path = join(grace, link, "Grace")
    assert grace.get(duplicate).status_code == 200
    for wrong_subpath in ("/9/close", "/0/close"):
        assert ada.submit(duplicate + wrong_subpath).status_code == 404
    assert ada.submit("/new/paris-connection", name="Ada", tables="9").status_code == 422
    # A host who plays elsewhere hands a seat out again from here, and puts a bot there.
    grace.get("/")
    assert ada.submit(f"{duplicate}/2/reclaim/0").status_code == 303
    if "/consent/agree-hand-out" in grace.get(path).text:
        assert grace.submit(f"{path}/consent/agree-hand-out").status_code == 303
    assert len(links(ada, duplicate)) == 1
    assert ada.submit(f"{duplicate}/2/replace/0/easy").status_code == 303
    assert ada.submit(f"{duplicate}/2/close").status_code == 303
    break_off(ada, tables_of(ada, duplicate)[0])


def test_a_spectator_from_before_the_start_is_told_that_the_game_is_hidden(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    duplicate = dealt(ada, "me", "bot:random", "bot:random")
    own_table, sister = tables_of(ada, duplicate)
    table = sister.removeprefix("/table/")
    with mary.stream("GET", f"/stream?watch={table}@0", headers={"Accept-Encoding": "identity"}) as stream:
        lines = stream.iter_lines()
        by_invitation = sentence_after("web/templates/waiting_room.html", 'seat.kind == "open"', "{% else %}")
        while by_invitation not in next(lines):
            pass
        join(grace, links(ada, duplicate)[0], "Grace")
        hidden_parts = []
        for line in lines:
            hidden_parts.append(line)
            if HIDDEN in line:
                break
        assert 'class="table status-running' not in "\n".join(hidden_parts)
    break_off(ada, own_table)
    break_off(grace, sister)


@pytest.mark.browser
def test_a_deal_is_created_played_and_compared_in_two_languages(quick_server: Server, open_page: Person) -> None:
    server = quick_server
    with Visitor(server, "de") as ada, Visitor(server, "fr") as ben:
        for visitor, name in ((ada, "Ada"), (ben, "Ben")):
            visitor.table("me", "open", "open", name=name)
        host, friend = (open_page(locale=language, bypass_csp=True) for language in ("de", "fr"))
        let_in(host.context, ada)
        let_in(friend.context, ben)
        host.goto(f"{server.address}/new/paris-connection")
        host.locator("#table-options > summary").click()
        host.locator("#seat-1").select_option("bot:random")
        host.locator("#seat-2").select_option("bot:easy")
        host.locator("#tables").select_option("2")
        host.locator("form button.primary").click()
        host.wait_for_url("**/duplicate/*")
        expect(host.get_by_role("heading", level=1)).to_have_text("Gleiche Ausgangslage an 2 Tischen")
        friend.goto(server.address + (host.locator(".invite a").first.get_attribute("href") or ""))
        friend.locator("#seat-form button.primary").click()
        expect(friend.locator("#prompt")).to_be_visible()
        own_table = host.locator('a[href^="/table/"]').first.get_attribute("href") or ""
        other_table = friend.url.removeprefix(server.address)
        finish(ada, own_table, first=True)
        host.goto(f"{server.address}{own_table}/end")
        withheld_notice = host.locator(".withheld")
        expect(withheld_notice).to_contain_text("bleiben verborgen, bis die anderen Tische fertig sind.")
        host.locator('main a[href^="/duplicate/"]').first.click()
        expect(host.locator("table.seat-table")).to_have_count(0)
        friend.goto(host.url)
        expect(friend.get_by_role("heading", level=1)).to_have_text("Même donne à 2 tables")
        finish(ben, other_table, first=False)
        for page in (host, friend):
            expect(page.locator("table.seat-table")).to_have_count(3)
            comparison = page.locator("table.seat-table").first.inner_text()
            for visitor, path in ((ada, own_table), (ben, other_table)):
                assert str(visitor.state(path)["scores"][0]).replace("-", "−") in comparison
            assert page.locator("td .is-best").count() >= 3
            assert findings(page) == []
            for screen in on_screens(page, DESK, *PHONES):
                assert [*too_wide(page), *overlaps(page)] == [], screen
