"""Check administrators from outside: their actions, and that other visitors find no trace of them."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.words import Words
from spieltisch.features import FEATURES
from spieltisch.features.admin import rows
from spieltisch.features.admin.links import new_token
from spieltisch.features.admin.pages import SHOWN_ROWS, Choice, overview
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences, StoreClosed
from spieltisch.store.people import Credential
from spieltisch.store.schema import PASSKEYS, PEOPLE
from spieltisch.tables import NewTable, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.sign_in import Newcomer
from tests.commands.command_line import json_output, spieltisch
from tests.features.admin.administrators import administrator, follow, link
from tests.sentences import sentence_after
from tests.web.authenticator import Authenticator
from tests.web.layout_checks import cut_texts, findings, overlaps, too_wide
from tests.web.passkey_visitors import Device, Local
from tests.web.servers import Server, running_server
from tests.web.visitors import MANY_ADDRESSES, Visitor, let_in, table_of_three

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
JSON = {"Accept": "application/json"}
FROZEN = sentence_after("web/pages/table_page.py", "if table.is_suspended")


@pytest.fixture
def visitors(server: Server) -> Iterator[list[Visitor]]:
    people = [Visitor(server) for _ in range(3)]
    yield people
    for each in people:
        each.close()


def acts(server: Server) -> list[tuple[str, str]]:
    """Return the logged actions of administrators, each with its subject."""
    return [(act["act"], act["subject"]) for act in json_output("admin-log", "--data", server.data)["acts"]]


def changed(server: Server, statement: str) -> int:
    """Change rows in the database of a running server, and return their number."""
    with closing(sqlite3.connect(server.file, timeout=30)) as connection, connection:
        return connection.execute(statement).rowcount


def key_of(path: str) -> str:
    return path.rpartition("/")[2]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def without_path(text: str, path: str) -> str:
    """Return a page without its own address and random values."""
    return re.sub(r'value="[0-9a-f]{64}"|data-stream-key="\w+"', "", text.replace(path, ""))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", ["/admin", "/admin/", "/admin/tables/x/remove", "/admin/bans", "/admin/enter/guess"])
def test_visitors_who_are_no_administrators_get_404_below_the_admin_path(
    server: Server, admin: Visitor, visitors: list[Visitor], method: str, path: str
) -> None:
    visitor = visitors[0]
    visitor.table("me", "open", "open")
    other = path.replace("admin", "nimda")
    fields = {"token": visitor.token()} if method not in ("GET", "HEAD") else None
    asked, unknown = (visitor.request(method, each, data=fields) for each in (path, other))
    assert asked.status_code == unknown.status_code == 404
    assert without_path(asked.text, path) == without_path(unknown.text, other)
    assert asked.headers.keys() == unknown.headers.keys()


def test_an_administrator_link_can_be_used_once_and_only_by_its_form(server: Server) -> None:
    path = link(server)
    with Visitor(server) as copier, Visitor(server) as first:
        for method in ("GET", "HEAD", "GET"):
            assert copier.request(method, path).status_code == 200
        assert copier.get("/admin").status_code == 404, "to look at the link changes nothing"
        forged = {"token": "0" * 64, "name": "Eve"}
        assert code(copier.post(path, data=forged, headers=JSON)) == (403, "form")
        elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", **JSON}
        assert code(copier.post(path, data={"token": copier.token(path)}, headers=elsewhere)) == (403, "origin")
        assert follow(first, path).status_code == 303
        assert first.get("/admin").status_code == 200
        assert copier.get(path).status_code == 404
        assert copier.post(path, data={"token": copier.token("/preferences"), "name": "Eve"}).status_code == 404
        assert copier.get("/admin").status_code == 404


def test_an_expired_administrator_link_is_not_found(server: Server) -> None:
    path = link(server)
    assert changed(server, "UPDATE admin_links SET until = 1") == 1
    with Visitor(server) as visitor:
        assert visitor.get(path).status_code == 404


def test_an_administrator_action_from_another_site_is_refused(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path = visitors[0].table("me", "open", "open")
    act = f"/admin/tables/{key_of(path)}/suspend"
    assert admin.get(act).status_code == 405
    assert code(admin.post(act, data={"token": "0" * 64}, headers=JSON)) == (403, "form")
    elsewhere = {"Origin": "https://evil.example", **JSON}
    assert code(admin.post(act, data={"token": admin.token()}, headers=elsewhere)) == (403, "origin")
    assert visitors[0].state(path)["status"] == "open"


def test_an_administrator_freezes_thaws_closes_and_removes_a_table_in_play(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path, people = table_of_three(*visitors)
    seat = people[0].state(path)["to_decide"]
    move = people[seat].state(path)["moves"][0]
    key = key_of(path)
    assert f'data-table-id="{key}"' in admin.get("/admin").text
    assert admin.submit(f"/admin/tables/{key}/suspend").status_code == 303
    assert people[0].state(path)["status"] == "frozen"
    assert code(people[seat].play(path, move)) == (409, "frozen")
    assert people[0].get(path).status_code == 200
    frozen_tables = admin.get("/admin", params={"status": "frozen"}).text
    assert f'data-table-id="{key}"' in frozen_tables
    assert 'name="hash"' in frozen_tables, "the address of the host can still be banned"
    assert admin.submit(f"/admin/tables/{key}/resume").status_code == 303
    assert people[seat].play(path, move).is_success
    for act in ("close", "remove"):
        assert code(admin.post(f"/admin/tables/{key}/{act}", data={"token": admin.token()}, headers=JSON)) == (
            422,
            "sure",
        )
    assert people[0].state(path)["status"] == "running"
    assert admin.submit(f"/admin/tables/{key}/close", sure="on").status_code == 303
    assert people[0].state(path)["status"] == "aborted"
    assert admin.submit(f"/admin/tables/{key}/remove", sure="on").status_code == 303
    assert people[0].get(path).status_code == 404
    assert admin.post(f"/admin/tables/{key}/burn", data={"token": admin.token()}).status_code == 404
    assert [act for act, subject in acts(server) if subject == key] == [
        "table-suspend",
        "table-resume",
        "table-close",
        "table-remove",
    ]
    assert all(f'data-admin-act="{act}"' in admin.get("/admin").text for act in ("link", "begin", "table-remove"))


def listed(kind: str, page: httpx.Response) -> list[str]:
    """Return the ids of the tables or people on the page."""
    assert page.status_code == 200, page.text
    return re.findall(rf'data-{kind}-id="([\w-]+)"', page.text)


def test_administrators_find_tables_and_people_by_a_part_of_an_id_or_name(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    ada, grace, _ = visitors
    path = ada.table("me", "open", "open", name="Hypatia 100%")
    other = grace.table("me", "open", "open", name="Hypatia 1000")
    (person,) = listed("person", admin.get("/admin", params={"search": "patia 100%"}))
    for search in ("hypatia 100%", person, person[2:], key_of(path), key_of(path)[2:]):
        assert listed("table", admin.get("/admin", params={"search": search})) == [key_of(path)]
    assert listed("table", admin.get("/admin", params={"search": "Hypatia"})) == [key_of(other), key_of(path)]
    assert grace.sit(path, "Hypatia 1000").status_code == 303
    assert listed("table", admin.get("/admin", params={"search": "Hypatia 1000"})) == [key_of(path), key_of(other)]
    assert code(admin.get("/admin", params={"tables": "-1"}, headers=JSON)) == (400, "tables")
    closing_form = {"token": admin.token(), "sure": "on"}
    bad = admin.post(f"/admin/tables/{key_of(path)}/close?tables=-1", data=closing_form, headers=JSON)
    assert (code(bad), ada.state(path)["status"]) == ((400, "tables"), "open")


def test_players_on_one_device_and_bots_are_found_by_their_names_at_the_table(
    admin: Visitor, visitors: list[Visitor]
) -> None:
    ada, grace, _ = visitors
    path = ada.table("me", "here", "bot:random", name="Emmy-owner", **{"here-1": "Sofja 50%"})
    other = grace.table("me", "here", "open", name="Emmy-other", **{"here-1": "Sofja 501"})
    (owner,) = listed("person", admin.get("/admin", params={"search": "Emmy-owner"}))
    for search in ("Sofja 50%", "sofja 50%", "ja 50%"):
        page = admin.get("/admin", params={"search": search})
        assert (listed("table", page), listed("person", page)) == ([key_of(path)], [owner])
    assert listed("table", admin.get("/admin", params={"search": "Sofja"})) == [key_of(other), key_of(path)]
    bot = next(seat["name"] for seat in ada.state(path)["seats"] if seat["kind"] == "bot")
    assert key_of(path) in listed("table", admin.get("/admin", params={"search": bot}))
    assert listed("table", admin.get("/admin", params={"search": "no such Sofja"})) == []


def test_an_act_leads_back_to_what_the_administrator_searched_for(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path = visitors[0].table("me", "open", "open", name="Sophie & Co")
    shown = {"status": "open", "search": "Sophie & Co"}
    (act,) = re.findall(r'action="(/admin/tables/[^"]+/suspend[^"]*)"', admin.get("/admin", params=shown).text)
    back = admin.submit(unescape(act)).headers["location"]
    assert back == "/admin?status=open&search=Sophie+%26+Co#tables-title"
    assert listed("table", admin.get(back)) == [], "it is frozen"
    frozen = {**shown, "status": "frozen"}
    assert listed("table", admin.get("/admin", params=frozen)) == [key_of(path)]


def test_administrators_reach_all_tables_and_people_page_by_page(tmp_path: Path) -> None:
    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        async with live.service(Administration).running():
            person, _ = await live.people.create("Emmy", "en", Preferences())
            for _ in range(SHOWN_ROWS):
                await live.people.create("Emmy", "en", Preferences())
            table = NewTable("paris-connection", ("me", "open", "open"))
            opened = [(await live.tables.open(Newcomer("Emmy", person.id), table)).id for _ in range(SHOWN_ROWS + 1)]
            first = await overview(live, Words("en"), Choice(), [])
            next_choice = Choice(tables=first["following_table"], people=first["following_person"])
            second = await overview(live, Words("en"), next_choice, [])
            for kind, known in (("tables", opened), ("people", None)):
                ids = [row.id for page in (first, second) for row in page[kind]]
                assert [len(page[kind]) for page in (first, second)] == [SHOWN_ROWS, 1]
                assert len({*ids}) == SHOWN_ROWS + 1
                assert known is None or {*ids} == {*known}
            assert (second["following_table"], second["following_person"]) == (0, 0)
        await live.close()

    asyncio.run(job())


def test_an_administrator_sees_no_more_of_a_game_than_a_stranger(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path, people = table_of_three(*visitors, watch="link")
    people[0].submit(f"{path}/chat", room="table", text="a word among players")
    with Visitor(server) as stranger:
        for below in ("", "/chat", "/log", "/replay"):
            assert admin.get(path + below).status_code == stranger.get(path + below).status_code != 200
    assert "a word among players" not in admin.get("/admin").text


def test_the_list_of_tables_does_not_depend_on_the_length_of_a_move(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path, _ = table_of_three(*visitors)

    def row() -> str:
        page = admin.get("/admin", params={"search": key_of(path)}).text
        return page.partition(f'<li data-table-id="{key_of(path)}"')[2].partition("<details>")[0]

    before = row()
    assert key_of(path) in before
    with closing(sqlite3.connect(server.file)) as connection, connection:
        (version, data) = connection.execute(
            "SELECT version, data FROM events WHERE table_id = ? ORDER BY version DESC LIMIT 1", (key_of(path),)
        ).fetchone()
        padded = data + b" " * 5000
        values = (padded, key_of(path), version)
        connection.execute("UPDATE events SET data = ? WHERE table_id = ? AND version = ?", values)
    assert row() == before


@contextmanager
def open_stream(visitor: Visitor, topic: str) -> Iterator[Iterator[str]]:
    with visitor.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        next(line for line in lines if line == "event: heartbeat")
        yield lines


def test_a_banned_person_loses_their_streams_and_all_requests_are_refused(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path, people = table_of_three(*visitors)
    eve = people[1]
    (person,) = re.findall(r'data-person-id="([\w-]+)"', admin.get("/admin", params={"search": "Grace"}).text)[:1]
    with open_stream(eve, key_of(path)) as lines:
        assert admin.submit("/admin/bans", person=person).status_code == 303
        for _ in lines:  # until the stream ends
            pass
    for asked in ("/", path, "/me/history", f"/stream?watch={key_of(path)}@0", f"/changes?watch={key_of(path)}@0"):
        assert code(eve.get(asked, headers=JSON)) == (403, "banned")
    assert code(eve.post(f"{path}/leave", data={"token": ""}, headers=JSON)) == (403, "banned")
    assert people[0].get(path).status_code == 200
    (ban,) = re.findall(r'data-ban-id="([\w-]+)"', admin.get("/admin").text)
    assert admin.submit("/admin/bans/end", ban=ban).status_code == 303
    assert eve.get(path).status_code == 200
    assert acts(server)[-2:] == [("ban", person), ("unban", person)]


def test_a_banned_administrator_loses_access_for_good(server: Server, admin: Visitor) -> None:
    with Visitor(server) as other:
        follow(other, link(server), "Grace")
        (person,) = re.findall(r'data-person-id="([\w-]+)"', admin.get("/admin", params={"search": "Grace"}).text)[:1]
        assert admin.submit("/admin/bans", person=person).status_code == 303
        (ban,) = re.findall(r'data-ban-id="([\w-]+)"', admin.get("/admin").text)
        token = other.token()
        assert other.get("/admin").status_code == 404, "an unknown address"
        assert other.post("/admin/bans/end", data={"ban": ban, "token": token}).status_code == 404
        assert admin.submit("/admin/bans/end", ban=ban).status_code == 303
        assert f'data-ban-id="{ban}"' not in admin.get("/admin").text


@MANY_ADDRESSES
def test_a_ban_of_an_address_applies_to_all_visitors_from_this_address(server: Server, admin: Visitor) -> None:
    with Visitor(server, address="127.0.0.77") as eve:
        path = eve.table("me", "open", "open")
        with open_stream(eve, key_of(path)) as lines:
            assert admin.submit("/admin/bans", address="127.0.0.77").status_code == 303
            for _ in lines:
                pass
        assert code(eve.get("/", headers=JSON)) == (403, "banned")
    with Visitor(server, address="127.0.0.77") as newcomer, Visitor(server) as elsewhere:
        assert code(newcomer.get("/", headers=JSON)) == (403, "banned")
        assert newcomer.get(re.findall(r'href="(/static/[^"]+css)"', newcomer.get("/").text)[0]).status_code == 200
        assert elsewhere.get("/").status_code == 200
    assert b"127.0.0.77" not in server.file.read_bytes() + server.file.with_name(f"{server.file.name}-wal").read_bytes()
    (ban,) = re.findall(r'data-ban-id="([\w-]+)"', admin.get("/admin").text)
    admin.submit("/admin/bans/end", ban=ban)


def test_administrators_cannot_ban_themselves_or_unknown_people_and_addresses(server: Server, admin: Visitor) -> None:
    (me,) = json_output("people", "list", "--name", "Root", "--data", server.data)["people"][-1:]
    for fields, refusal in (
        ({"person": me["id"]}, (409, "own-ban")),
        ({"address": "127.0.0.1"}, (409, "own-ban")),
        ({"person": "unknown"}, (404, "no-page")),
        ({"address": "example.org"}, (422, "address")),
        ({}, (422, "address")),
    ):
        answer = admin.post("/admin/bans", data={"token": admin.token(), **fields}, headers=JSON)
        assert code(answer) == refusal


def test_an_announcement_is_shown_on_open_and_new_pages(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path = visitors[0].table("me", "open", "open")
    text = "Back at <b>nine</b> é"
    with open_stream(visitors[0], key_of(path)) as lines:
        assert admin.submit("/admin/announcement", text=text).status_code == 303
        assert next(line for line in lines if line == f"data: {text}")
    for page in ("/", path, "/games/paris-connection/rules"):
        assert "Back at &lt;b&gt;nine&lt;/b&gt; é" in visitors[1].get(page).text
    changes = visitors[0].get("/changes", params={"watch": f"{key_of(path)}@0"})
    assert changes.headers["announcement"] == "Back%20at%20%3Cb%3Enine%3C/b%3E%20%C3%A9"
    too_long = {"token": admin.token(), "text": "x" * 201}
    assert code(admin.post("/admin/announcement", data=too_long, headers=JSON)) == (422, "message")
    assert admin.submit("/admin/announcement", text=" ").status_code == 303
    assert "nine" not in visitors[1].get("/").text


def test_signing_out_or_a_button_ends_the_access_of_an_administrator(server: Server, admin: Visitor) -> None:
    copied = Visitor(server)
    copied.cookies.update(admin.cookies)
    admin.submit("/me/recovery")
    assert admin.submit("/devices/sign-out", **{"next-session": "a" * 43}).status_code == 303
    assert copied.get("/admin").status_code == 404
    assert admin.get("/admin").status_code == 404, "the new session has to follow a link, too"
    follow(admin, link(server))
    assert admin.submit("/admin/end").headers["location"] == "/"
    assert admin.get("/admin").status_code == 404
    copied.close()


def test_only_a_passkey_added_before_the_end_of_administrator_access_renews_the_access(server: Server) -> None:
    address = server.address.replace("127.0.0.1", "localhost")
    with Device(Local(address)) as device:
        follow(device, link(server))
        known, late = (Authenticator(address) for _ in range(2))
        assert device.add(known).status_code == 303
        ended = "UPDATE administrators SET until = added FROM passkeys WHERE administrators.person = passkeys.person"
        assert changed(server, ended) == 1
        assert device.get("/admin").status_code == 200
        assert "/admin/renew" in device.get("/admin").text
        announcement = {"token": device.token(), "text": "x"}
        assert code(device.post("/admin/announcement", data=announcement, headers=JSON)) == (403, "admin-over")
        assert device.add(late).status_code == 303
        for passkey, status in ((late, 404), (known, 303)):
            signed = passkey.sign(device.request_options("/device/passkey"))
            assert device.submit("/admin/renew", passkey=signed).status_code == status
        assert "/admin/renew" not in device.get("/admin").text
    assert acts(server)[-1][0] == "renew"


def test_administrator_access_is_not_renewed_after_a_ban_or_without_the_passkey(tmp_path: Path) -> None:
    """The person may be banned, or the passkey removed, after the passkey was checked."""

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        administration = live.service(Administration)
        async with administration.running():
            (root, _), (thief, session) = [await administrator(live, name) for name in ("Root", "Eve")]
            removed = Credential(thief, PASSKEYS.c.id == "removed", 0.0)
            assert not await administration.renew(session, removed)
            there = Credential(thief, PEOPLE.c.id == thief, 0.0)
            assert await administration.renew(session, there)
            await administration.ban(root, thief, None)
            assert not await administration.renew(session, there)
            assert await administration.administrator(session) is None
            assert [entry.act for entry in await rows.log_entries(live.store)][:2] == ["ban", "renew"]
        await live.close()

    asyncio.run(job())


def test_a_queued_action_of_a_banned_administrator_changes_nothing(tmp_path: Path) -> None:
    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        administration = live.service(Administration)
        async with administration.running():
            (root, _), (thief, _) = [await administrator(live, name) for name in ("Root", "Eve")]
            table = await live.tables.open(Newcomer("Ada", root), NewTable("paris-connection", ("me", "open", "open")))
            await administration.ban(root, thief, None)
            (ban,) = await rows.bans(live.store)
            for act in (
                administration.act_on_table(thief, table.id, "suspend"),
                administration.act_on_table(thief, table.id, "remove"),
                administration.ban(thief, root, None),
                administration.unban(thief, ban.id),
                administration.announce(thief, "All is lost"),
            ):
                with pytest.raises(TableRefusal) as refused:
                    await act
                assert refused.value.code == RefusalCode.SIGNED_OUT
            assert (await live.tables.get(table.id)).version == table.version
            assert await rows.bans(live.store) == (ban,)
            assert not await live.store.get_setting(rows.ANNOUNCEMENT, bytes)
            assert (await rows.log_entries(live.store))[0].act == "ban"
        await live.close()

    asyncio.run(job())


def test_banning_a_person_who_was_just_removed_stores_no_ban(tmp_path: Path) -> None:
    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        administration = live.service(Administration)
        async with administration.running():
            root, _ = await administrator(live, "Root")
            person, _ = await live.people.create("Eve", "en", Preferences())
            await live.person_data.delete(person)
            with pytest.raises(TableRefusal) as refused:
                await administration.ban(root, person.id, None)
            assert refused.value.code == RefusalCode.NOT_WRITTEN
            assert not await rows.bans(live.store)
            assert [entry.act for entry in await rows.log_entries(live.store)] == ["begin"]
        await live.close()

    asyncio.run(job())


def test_bans_and_the_announcement_survive_a_restart(tmp_path: Path) -> None:
    with running_server(tmp_path / "data") as first, Visitor(first) as root, Visitor(first) as eve:
        eve.table("me", "open", "open")
        follow(root, link(first))
        (person,) = json_output("people", "list", "--name", "Ada", "--data", first.data)["people"]
        root.submit("/admin/bans", person=person["id"])
        root.submit("/admin/announcement", text="Back at nine")
    with running_server(tmp_path / "data") as second, Visitor(second) as back, Visitor(second) as other:
        back.cookies.update(eve.cookies)
        assert code(back.get("/", headers=JSON)) == (403, "banned")
        assert "Back at nine" in other.get("/").text
        other.cookies.update(root.cookies)
        assert other.get("/admin").status_code == 200


def test_guessed_administrator_links_and_sessions_do_not_reach_the_database(tmp_path: Path) -> None:
    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        administration = live.service(Administration)
        async with administration.running():
            pass
        await live.close()
        with pytest.raises(StoreClosed):
            await live.store.read(lambda connection: None)
        assert not await administration.is_link("guess")
        assert not await administration.is_link(new_token(b"another key"))
        assert await administration.administrator("session") is None

    asyncio.run(job())


def test_the_admin_page_fits_desktop_and_phone_and_open_table_pages_show_its_actions(
    server: Server, visitors: list[Visitor], open_page: Callable[..., Page]
) -> None:
    path, people = table_of_three(*visitors)
    table = open_page(viewport={"width": 1366, "height": 650})
    let_in(table.context, people[0])
    table.goto(server.address + path)
    for size in ({"width": 1366, "height": 650}, {"width": 390, "height": 844}):
        page = open_page(viewport=size)
        page.goto(server.address + link(server))
        page.locator("#name").fill("Root")
        page.locator("form[action^='/admin/enter/'] button").click()
        page.wait_for_url("**/admin")
        page.locator("#announcement-text").fill(f"Maintenance at {size['width']}")
        page.locator("form[action='/admin/announcement'] button").click()
        expect(table.locator("#announcement")).to_have_text(f"Maintenance at {size['width']}")
        entry = page.locator(f"[data-table-id='{key_of(path)}']")
        entry.locator("summary").click()
        entry.locator("form[action$='/suspend'] button").click()
        expect(table.locator("#prompt-title")).to_have_text(FROZEN)
        expect(page.locator(f"[data-table-id='{key_of(path)}'][data-status=frozen]")).to_have_count(1)
        assert [*findings(page), *overlaps(page), *cut_texts(page), *too_wide(page)] == []
        page.locator(f"[data-table-id='{key_of(path)}'] summary").click()
        page.locator(f"[data-table-id='{key_of(path)}'] form[action$='/resume'] button").click()
        expect(table.locator("#prompt-title")).not_to_have_text(FROZEN)
        page.locator("#announcement-text").fill("")
        page.locator("form[action='/admin/announcement'] button").click()
        expect(table.locator("#announcement")).to_be_hidden()


def test_actions_on_a_stopped_server_are_logged_without_ids_of_removed_people(tmp_path_factory: Any) -> None:
    with running_server(tmp_path_factory.mktemp("stopped")) as own, Visitor(own) as ada, Visitor(own) as root:
        path = ada.table("me", "open", "open")
        follow(root, link(own))
        (person,) = json_output("people", "list", "--name", "Ada", "--data", own.data)["people"]
        root.submit("/admin/bans", person=person["id"])
        assert own.stop() == 0
        assert json_output("people", "remove", person["id"], "--data", own.data)["ok"]
        assert json_output("tables", "remove", key_of(path), "--data", own.data)["ok"]
        backup = tmp_path_factory.mktemp("backup") / "one.backup"
        assert json_output("backup", backup, "--data", own.data)["ok"]
        other = tmp_path_factory.mktemp("elsewhere") / "data"
        assert json_output("restore", backup, "--data", other)["ok"]
        logged = json_output("admin-log", "--data", other)["acts"]
        assert [act["act"] for act in logged] == [
            *("link", "begin", "ban", "person-remove", "table-remove", "restore"),
        ]
        assert [bool(act["user"]) for act in logged] == [True, False, False, True, True, True]
        assert not any(person["id"] in act.values() for act in logged)


def test_the_admin_command_without_a_database_fails_and_creates_no_file(tmp_path_factory: Any) -> None:
    empty = tmp_path_factory.mktemp("empty")
    answer = spieltisch("admin", "--data", empty)
    assert (answer.returncode, list(empty.iterdir())) == (1, [])
