"""Check bans of people and addresses by administrators."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from spieltisch.features import FEATURES
from spieltisch.features.admin import rows
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences
from spieltisch.tables import NewTable, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.sign_in import Newcomer
from tests.commands.command_line import json_output
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
from tests.web.servers import Server, running_server
from tests.web.visitors import MANY_ADDRESSES, Visitor, table_of_three


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
