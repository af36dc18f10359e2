"""Check the lists of tables and people on the page of administrators, and their search."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

from spieltisch.core.words import Words
from spieltisch.features import FEATURES
from spieltisch.features.admin.pages import SHOWN_ROWS, Choice, overview
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences
from spieltisch.tables import NewTable
from spieltisch.web.http.sign_in import Newcomer
from tests.features.admin.administrators import (
    JSON,
    code,
    key_of,
    listed,
)
from tests.web.servers import Server
from tests.web.visitors import Visitor, table_of_three


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
    assert set(listed("table", admin.get("/admin", params={"search": "Sofja"}))) == {key_of(other), key_of(path)}
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
