"""Adding a text to chance: on the waiting table, with sitting down, by an invitation; and what the pages say of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from tests.commands.test_backup import spieltisch
from tests.web.conftest import Person, Server, Visitor
from tests.web.screens import PHONES, too_wide

JSON = {"Accept": "application/json"}
SEATS = ("me", "open", "link")


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def stirred(visitor: Visitor, path: str, text: str, **fields: str) -> httpx.Response:
    return visitor.post(f"{path}/stir", data={"token": visitor.token(), "text": text, **fields}, headers=JSON)


def invited(page: str) -> str:
    """The address of the one seat that is by invitation."""
    return str(re.findall(r'class="link" href="(/join/[^"]+)">Invitation link', page)[-1])


def fingerprint(page: str) -> str:
    (found,) = set(re.findall(r"<code[^>]*>([0-9a-f]{64})</code>", page))
    return str(found)


def test_texts_go_into_the_deal_and_anybody_can_check_it(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        path = ada.table(*SEATS)
        link = invited(ada.get(path).text)
        promised = fingerprint(ada.get(path).text)
        assert fingerprint(mary.get(link).text) == promised, "it is shown before anybody adds anything"
        assert stirred(ada, path, " kettle  7 ").status_code == 303
        assert code(stirred(ada, path, "once more")) == (409, "already-added")
        assert code(stirred(mary, path, "from outside")) == (403, "not-your-seat")
        assert grace.submit(f"{path}/sit", name="Grace", text="x" * 81).status_code == 422
        assert grace.submit(f"{path}/sit", name="Grace", text="<b>rain</b>").status_code == 303
        assert "<b>rain" not in mary.get(link).text + grace.get(path).text
        assert mary.submit(link, name="Mary", text="Zuletzt: ü").status_code == 303
        assert ada.state(path)["status"] == "running"
        assert code(stirred(ada, path, "late")) == (409, "begun")
        said = [line["text"] for line in grace.state(path)["log"]]
        assert ["Mary adds to chance: “Zuletzt: ü”"] in said
        running = Record.parse(grace.get(f"{path}/record").text)
        assert running.texts == ("kettle 7", "<b>rain</b>", "Zuletzt: ü")
        assert (running.scheme, running.commitment, running.secret) == (2, promised, None)
        for visitor in (ada, grace, mary):
            assert visitor.submit(f"{path}/consent/ask-abort").status_code in (303, 409)
            visitor.submit(f"{path}/consent/agree-abort")
        record = Record.parse(grace.get(f"{path}/record").text)
        deal = grace.get(f"{path}/deal").text
    assert record.secret is not None
    assert sha256(bytes.fromhex(record.secret)).hexdigest() == promised
    record.verify()
    assert record.secret in deal
    assert "&lt;b&gt;rain&lt;/b&gt;" in deal
    assert "SHAKE-256" in deal
    file = server.data / "game.record"
    record.write(file)
    assert spieltisch("verify", file).stdout == (
        f"{file}: added to chance: seat 1 “kettle 7”, seat 2 “<b>rain</b>”, seat 3 “Zuletzt: ü”\n"
        "1 of 1 records verified.\nChance from a secret: 1 by scheme 2.\n"
    )
    assert "added to chance: seat 1 “kettle 7”" in spieltisch("verify", "--data", server.data).stdout


def test_a_server_that_was_killed_begins_with_the_texts(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace:
        path = ada.table("me", "open", "bot:random")
        assert stirred(ada, path, "kettle").status_code == 303
        port = server.address.rpartition(":")[2]
        server.stop(9)
        own_server("--port", port)
        assert "Add to chance" not in ada.get(path).text
        assert grace.submit(f"{path}/sit", name="Grace", text="rain").status_code == 303
        assert Record.parse(ada.get(f"{path}/record").text).texts == ("kettle", "rain", "")


def test_each_on_one_device_adds_their_own(ada: Visitor) -> None:
    path = ada.table("me", "here", "open", **{"here-1": "Ben"})
    page = ada.get(path).text
    assert re.findall(r'form="stir" name="me" value="(\d)">Add to chance as (\w+)<', page) == [
        ("0", "Ada"),
        ("2", "Ben"),
    ]
    assert stirred(ada, path, "b", me="2").status_code == 303
    assert "Add to chance as Ben" not in ada.get(path).text
    assert stirred(ada, path, "a", me="0").status_code == 303
    assert 'form="stir"' not in ada.get(path).text
    assert [line["text"][0] for line in ada.state(path)["log"]][-2:] == [
        "Ben adds to chance: “b”",
        "Ada adds to chance: “a”",
    ]


def test_who_only_looks_on_has_no_field(ada: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "link")
    with Visitor(server) as stranger:
        link = re.search(r'href="(/join/[\w.-]+)">Link for spectators', ada.get(path).text)
        assert link
        page = stranger.get(stranger.get(link[1]).headers["location"]).text
    assert "The table is waiting for players." in page
    assert 'name="text"' not in page


# --- In Chromium. ---


def adds(page: Page, text: str) -> None:
    page.get_by_text("More: add to chance").click()
    page.get_by_label("Your text, if you like").fill(text)


@pytest.mark.browser
def test_adding_a_text_bothers_nobody_and_is_heard_by_all(person: Person, server: Server) -> None:
    mine, theirs, third = person(locale="en"), person(locale="en", viewport=PHONES[1]), person(locale="en")
    mine.goto(f"{server.address}/new/paris-connection")
    mine.fill("#name", "Ada")
    mine.locator("#more > summary").click()
    for number, kind in enumerate(SEATS):
        mine.select_option(f"#seat-{number}", kind)
    mine.get_by_role("button", name="Open the table").click()
    field = mine.get_by_label("Your text, if you like")
    expect(field).to_be_hidden()
    adds(mine, "kettle 7")
    theirs.goto(mine.url)
    theirs.fill("#name", "Grace")
    adds(theirs, "rain on tin")
    assert not too_wide(theirs)
    theirs.get_by_role("button", name="Sit down").click()
    expect(theirs.locator(".log li").first).to_contain_text("Grace adds to chance: “rain on tin”")
    expect(mine.locator(".log li").first).to_contain_text("rain on tin")
    expect(field).to_be_visible()
    expect(field).to_have_value("kettle 7")  # what is typed stays while others do something
    field.press("Enter")
    expect(theirs.locator(".log li").first).to_contain_text("Ada adds to chance: “kettle 7”")
    expect(mine.get_by_text("More: add to chance")).to_have_count(0)
    third.goto(server.address + (mine.locator(".seats .invite .link").get_attribute("href") or ""))
    third.fill("#name", "Mary")
    adds(third, "so be it")
    third.get_by_role("button", name="Sit down").click()
    for page in (mine, theirs, third):
        expect(page.locator("#map-static svg")).to_be_visible()
        expect(page.get_by_text("More: add to chance")).to_have_count(0)
    mine.goto(mine.url + "/deal")
    for text in ("kettle 7", "rain on tin", "so be it"):
        expect(mine.get_by_text(text, exact=True)).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_field_fits_in_each_language(person: Person, server: Server, language: str) -> None:
    page = person(locale=language, viewport=PHONES[1])
    with Visitor(server) as ada:
        path = ada.table(*SEATS)
        for address in (path, invited(ada.get(path).text)):
            page.goto(server.address + address)
            page.locator("details.stir summary").click()
            expect(page.locator("#text")).to_be_visible()
            assert not too_wide(page)
