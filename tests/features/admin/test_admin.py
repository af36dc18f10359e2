"""Check administrators from outside: their actions, and that other visitors find no trace of them."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spieltisch.features import FEATURES
from spieltisch.features.admin import rows
from spieltisch.features.admin.links import new_token
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import StoreClosed
from spieltisch.store.people import Credential
from spieltisch.store.schema import PASSKEYS, PEOPLE
from tests.commands.command_line import json_output, spieltisch
from tests.features.admin.administrators import (
    JSON,
    acts,
    administrator,
    code,
    follow,
    key_of,
    link,
    open_stream,
)
from tests.sentences import sentence_after
from tests.web.authenticator import Authenticator
from tests.web.layout_checks import cut_texts, findings, overlaps, too_wide
from tests.web.passkey_visitors import Device, Local
from tests.web.servers import Server, running_server
from tests.web.visitors import Visitor, let_in, table_of_three

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FROZEN = sentence_after("web/pages/table_page.py", "if table.is_suspended")


def changed(server: Server, statement: str) -> int:
    """Change rows in the database of a running server, and return their number."""
    with closing(sqlite3.connect(server.file, timeout=30)) as connection, connection:
        return connection.execute(statement).rowcount


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


def test_an_administrator_sees_no_more_of_a_game_than_a_stranger(
    server: Server, admin: Visitor, visitors: list[Visitor]
) -> None:
    path, people = table_of_three(*visitors, watch="link")
    people[0].submit(f"{path}/chat", room="table", text="a word among players")
    with Visitor(server) as stranger:
        for below in ("", "/chat", "/log", "/replay"):
            assert admin.get(path + below).status_code == stranger.get(path + below).status_code != 200
    assert "a word among players" not in admin.get("/admin").text


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
