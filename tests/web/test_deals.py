"""Duplicate games, from outside: while any of the tables runs, its players learn nothing of the others from a page or
stream. Also the whole way in a browser, to the comparison.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import expect

from spieltisch.core.record import Record
from tests.web.conftest import QUICK, Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.test_private_tables import ADDRESSES

KEPT = "Hidden until the other games of this deal are over."
ONCE = "You already know this deal from another table."
JSON = {"Accept": "application/json"}


def dealt(host: Visitor, *seats: str, many: int = 2, **fields: str) -> str:
    """Set up a deal; return its path."""
    path = host.table(*seats, tables=str(many), **fields)
    assert path.startswith("/duplicate/")
    return path


def tables_of(visitor: Visitor, deal: str) -> list[str]:
    """The tables of a deal that this visitor may look at, in their order."""
    return re.findall(r'href="(/table/[^"/]*)">Go to the table', visitor.get(deal).text)


def links(host: Visitor, deal: str) -> list[str]:
    """The links to seats that a host is shown there."""
    return re.findall(r'href="(/join/[^"/]*)">Invite link', host.get(deal).text)


def join(visitor: Visitor, link: str, name: str) -> str:
    """Take a seat by a link; return the table's path."""
    answer = visitor.submit(link, name=name)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def finish(visitor: Visitor, path: str, *, first: bool) -> None:
    """Against bots: the first or the last move that is allowed, until the game is over."""
    while (state := visitor.state(path))["status"] == "running":
        if state["moves"]:
            visitor.play(path, state["moves"][0 if first else -1], state["version"])


def break_off(visitor: Visitor, path: str) -> None:
    visitor.submit(f"{path}/consent/ask-abort?confirmed=1")
    assert visitor.state(path)["status"] == "aborted"


def refused(visitor: Visitor, path: str, *kinds: dict[str, str]) -> None:
    """Check that every request about a table is refused with a sentence, and that a stream tells no more."""
    token = visitor.token()
    for method, address in ADDRESSES:
        if re.search(r"/(9|x|chess)(/|$)", address) or address.endswith("/nowhere"):
            continue
        for headers in kinds:
            data = {"token": token, "seat": "1", "move": "done", "version": "1", "at": "0", "bot": "easy"}
            sent: dict[str, Any] = {"data": data} if method == "POST" else {}
            answer = visitor.request(method, address.format(id=path.removeprefix("/table/")), headers=headers, **sent)
            if method in ("HEAD", "OPTIONS", "PUT") or answer.status_code == 405:
                assert answer.status_code in (204, 303, 403, 405), (method, address)
                continue
            if method == "GET" and answer.status_code == 303:  # a form's address: back to where it stands
                assert answer.headers["location"] == path
                continue
            assert answer.status_code == 403, (method, address, answer.text)
            assert KEPT in unescape(answer.text), (method, address)
    table = path.removeprefix("/table/")
    watched = "&".join(f"watch={kind}{table}@0" for kind in ("", "words:", "plans:", "end:"))
    with visitor.stream("GET", f"/stream?{watched}&watch=lobby@0", headers={"Accept-Encoding": "identity"}) as stream:
        lines = []
        for line in stream.iter_lines():
            lines.append(line)
            if line.startswith("id: lobby"):
                break
    text = "\n".join(lines)
    assert KEPT in text
    assert not re.search('class="(table running|log|board|panel)', text)


def test_who_plays_at_one_table_is_refused_everything_of_the_others(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    deal = dealt(ada, "me", "bot:random", "bot:random")
    (link,) = links(ada, deal)
    own_table, sister = tables_of(ada, deal)
    assert sister == join(grace, link, "Grace")
    mary.submit(f"{own_table}/sit", name="Mary")  # she has no seat anywhere, and a name
    try:
        refused(ada, sister, {}, JSON, {"HX-Request": "true"})
        for visitor, path in ((grace, own_table), (mary, own_table), (mary, sister)):
            refused(visitor, path, {})
        assert links(grace, deal) == []
        assert tables_of(ada, deal) == [own_table]
        assert tables_of(grace, deal) == [sister]
        lobby = ada.get("/").text
        assert sister not in lobby
        assert f'href="{deal}"' in lobby
        assert "another table of the same deal: in progress" in re.sub(r"\s+", " ", lobby)
        assert sister not in ada.get("/manifest.webmanifest").text
        page = ada.get(deal).text
        assert "Grace" in page
        assert re.search(r"in progress, \d+ moves?", page)
        # Not even when one's own table is over; and of that one's own only what one saw.
        break_off(ada, own_table)
        refused(ada, sister, {}, JSON)
        refused(grace, own_table, {})
        for below in ("/record", "/replay?as=all"):
            assert KEPT in unescape(ada.get(own_table + below).text)
        assert ada.submit(f"{own_table}/what-if", at="0", seat="1", bot="easy").status_code == 403
        assert "shown when all games of this deal are over" in ada.get(f"{own_table}/fairness").text
        assert ada.get(f"{own_table}/replay?at=0").status_code == 200
        exported = ada.get("/me/export").json()["tables"]
        assert all(table["record"] is None for table in exported if table["id"] in own_table + sister)
    finally:
        break_off(grace, sister)
    for visitor in (ada, grace, mary):
        assert visitor.get(deal).status_code == 200
        for path in (own_table, sister):
            assert Record.parse(visitor.get(f"{path}/record").text).secret is not None
    assert "All games are over. You can now see every table." in mary.get(deal).text


def pushed(lines: Iterator[str], until: str) -> str:
    """The next event of a stream that has this text."""
    event = []
    for line in lines:
        event.append(line)
        if not line:
            if until in "\n".join(event):
                break
            event.clear()
    return "\n".join(line.removeprefix("data: ") for line in event[2:-1])


def test_who_has_the_page_of_a_deal_open_is_told_what_it_shows_and_nothing_else(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    deal = dealt(ada, "me", "bot:random", "bot:random", watch="link")
    (link,) = links(ada, deal)
    (own_table, sister), topic = tables_of(ada, deal), deal.removeprefix("/duplicate/")
    mary.get("/")
    plain = {"Accept-Encoding": "identity"}
    watched = f"/stream?watch=duplicate:{topic}@0"
    with (
        ada.stream("GET", watched, headers=plain) as host,
        mary.stream("GET", f"{watched}&watch=lobby@0", headers=plain) as stranger,
    ):
        lines = host.iter_lines()
        assert f'href="{link}"' in re.sub("http://[^/]+", "", pushed(lines, topic))
        assert join(grace, link, "Grace") == sister
        now = pushed(lines, "Grace")
        assert link not in now
        while now not in ada.get(deal).text:  # a bot has played on
            now = pushed(lines, "Grace")
        grace.submit(f"{sister}/consent/ask-abort?confirmed=1")
        ended = pushed(lines, "aborted")
        assert "Grace" in ended
        assert sister not in ended
        break_off(ada, own_table)
        assert "All games are over. You can now see every table." in pushed(lines, "You can now see every table.")
        event = pushed(stranger.iter_lines(), "id: lobby")
        assert topic not in event
        assert "duplicate:" not in event
    for visitor in (ada, grace):
        assert visitor.get(deal).status_code == 200


def test_what_is_not_seen_on_the_page_of_a_deal_is_no_news(ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    deal = dealt(ada, "me", "open", "open")
    own_table, sister = tables_of(ada, deal)

    def versions() -> list[str]:
        return [
            re.findall(r'data-topic="duplicate:[^"]+" data-version="(\d+)"', visitor.get(deal).text)[0]
            for visitor in (ada, mary)
        ]

    before = versions()
    assert ada.submit(f"{own_table}/renew-spectators").status_code == 303
    assert versions() == before
    # The page of the person who has set up the deal contains the link.
    assert ada.submit(f"{own_table}/renew/1").status_code == 303
    renewed = versions()
    assert renewed[0] > before[0]
    assert renewed[1] == before[1]
    assert grace.sit(sister, "Grace").status_code == 303
    assert all(now > earlier for now, earlier in zip(versions(), renewed, strict=True))
    for number in (1, 2):
        ada.submit(f"{deal}/{number}/close")


def test_nobody_sits_at_two_tables_of_a_deal(server: Server, ada: Visitor, grace: Visitor) -> None:
    deal = dealt(ada, "me", "open", "bot:random", many=3)
    second, third = tables_of(ada, deal)[1:]
    for link in links(ada, deal)[1:]:
        answer = ada.get(link)
        assert answer.status_code == 409
        assert ONCE in unescape(answer.text)
        assert ada.submit(link, name="Ada").status_code == 409
    assert grace.sit(second, "Grace").status_code == 303
    for answer in (grace.sit(third, "Grace"), ada.sit(second, "Ada")):
        assert answer.status_code == 409
        assert ONCE in unescape(answer.text)
    for path in (second, third):
        assert (
            ada.submit(f"/duplicate/{deal.removeprefix('/duplicate/')}/{2 if path == second else 3}/close").status_code
            == 303
        )
    assert ada.submit(f"{deal}/1/close").status_code == 303
    assert "there is nothing to compare" in ada.get(deal).text


def test_a_deal_of_which_nobody_may_know_is_as_none(server: Server, ada: Visitor, grace: Visitor) -> None:
    deal = dealt(ada, "me", "bot:random", "bot:random", watch="link")
    link = links(ada, deal)[0]
    grace.table("me", "open", "open", name="Grace")
    response, nowhere = grace.get(deal), grace.get("/duplicate/nosuchdeal00")
    assert (response.status_code, nowhere.status_code) == (404, 404)
    assert response.text.replace(deal, "") == nowhere.text.replace("/duplicate/nosuchdeal00", "")
    for deed in ("close", "reclaim/0", "replace/0/easy"):
        assert grace.submit(f"{deal}/2/{deed}").status_code == 403
    path = join(grace, link, "Grace")
    assert grace.get(deal).status_code == 200
    for wrong in ("/9/close", "/0/close"):
        assert ada.submit(deal + wrong).status_code == 404
    assert ada.submit("/new/paris-connection", name="Ada", tables="9").status_code == 422
    # A host who plays elsewhere hands a seat out again from here, and puts a bot there.
    grace.get("/")
    assert ada.submit(f"{deal}/2/reclaim/0").status_code == 303
    if "has been asked" in grace.get(path).text:
        assert grace.submit(f"{path}/consent/agree-hand-out").status_code == 303
    assert len(links(ada, deal)) == 1
    assert ada.submit(f"{deal}/2/replace/0/easy").status_code == 303
    assert ada.submit(f"{deal}/2/close").status_code == 303
    break_off(ada, tables_of(ada, deal)[0])


def test_who_looked_on_before_the_game_began_is_told_that_all_is_kept_back(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    deal = dealt(ada, "me", "bot:random", "bot:random")
    own_table, sister = tables_of(ada, deal)
    table = sister.removeprefix("/table/")
    with mary.stream("GET", f"/stream?watch={table}@0", headers={"Accept-Encoding": "identity"}) as stream:
        lines = stream.iter_lines()
        while "by invitation" not in next(lines):
            pass
        join(grace, links(ada, deal)[0], "Grace")
        rest = []
        for line in lines:
            rest.append(line)
            if KEPT in line:
                break
        assert 'class="table running' not in "\n".join(rest)
    break_off(ada, own_table)
    break_off(grace, sister)


@pytest.mark.browser
def test_from_the_set_up_to_the_comparison_in_two_languages(own_server: Callable[..., Server], person: Person) -> None:
    server = own_server(command=QUICK)
    with Visitor(server, "de") as ada, Visitor(server, "fr") as ben:
        for visitor, name in ((ada, "Ada"), (ben, "Ben")):
            visitor.table("me", "open", "open", name=name)
        host, friend = (person(locale=language, bypass_csp=True) for language in ("de", "fr"))
        let_in(host.context, ada)
        let_in(friend.context, ben)
        host.goto(f"{server.address}/new/paris-connection")
        host.locator("#more > summary").click()
        host.locator("#seat-1").select_option("bot:random")
        host.locator("#seat-2").select_option("bot:easy")
        host.locator("#tables").select_option("2")
        host.locator("form button.primary").click()
        host.wait_for_url("**/duplicate/*")
        expect(host.get_by_role("heading", level=1)).to_have_text("Gleiche Ausgangslage an 2 Tischen")
        friend.goto(server.address + (host.locator(".invite a").first.get_attribute("href") or ""))
        friend.locator("#seat button.primary").click()
        expect(friend.locator("#prompt")).to_be_visible()
        own_table = host.locator('a[href^="/table/"]').first.get_attribute("href") or ""
        other_table = friend.url.removeprefix(server.address)
        finish(ada, own_table, first=True)
        host.goto(f"{server.address}{own_table}/end")
        kept = host.locator(".kept-back")
        expect(kept).to_contain_text("bleiben verborgen, bis die anderen Tische fertig sind.")
        host.get_by_role("link", name="Gleiche Ausgangslage an anderen Tischen").click()
        expect(host.locator("table.by-seat")).to_have_count(0)
        friend.goto(host.url)
        expect(friend.get_by_role("heading", level=1)).to_have_text("Même donne à 2 tables")
        finish(ben, other_table, first=False)
        for page in (host, friend):
            expect(page.locator("table.by-seat")).to_have_count(3)
            comparison = page.locator("table.by-seat").first.inner_text()
            for visitor, path in ((ada, own_table), (ben, other_table)):
                assert str(visitor.state(path)["scores"][0]).replace("-", "−") in comparison
            assert page.locator("td .best").count() >= 3
            assert findings(page) == []
            for screen in on_screens(page, DESK, *PHONES):
                assert [*too_wide(page), *overlaps(page)] == [], screen
