"""The house and its people: links to seats, sessions, what the lobby shows to whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from spieltisch import tables
from spieltisch.store import House, Person, Plan, Preferences
from tests.store.housing import PLAN, move, play, running
from tests.tables.sitting import refused


def test_links_lead_to_their_seat_until_they_are_renewed(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        seat, anyone, watch = house.seat_link(table, 2), house.seat_link(table, None), house.watch_link(table)
        assert house.seat_link(table, 2) == seat, "it can be shown again"
        found = [await house.read_link(token) for token in (seat, anyone, watch)]
        assert [(one.seat, one.watch) for one in found] == [(2, False), (None, False), (None, True)]
        for token in (
            "",
            "x",
            seat[:-2] + ("a" if seat[-2] != "a" else "b") + seat[-1],  # the last letter holds bits that say nothing
            seat + "x",
            "a.b",
            "\u2603",
            "x" * 10_000,
        ):
            with refused("no-link"):
                await house.read_link(token)
        with refused("seat"):
            house.seat_link(table, 3)
        await house.run(table.id, tables.renew_links, ada.id, 2)
        for token in (seat, anyone):
            with refused("no-link"):
                await house.read_link(token)
        assert (await house.read_link(watch)).watch
        new = house.seat_link(await house.table(table.id), 2)
        assert (await house.read_link(new)).seat == 2

    play(tmp_path, job)


def test_links_of_another_house_are_worth_nothing(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def make(house: House, ada: Person, ben: Person) -> None:
        table = await house.open_table(ada, PLAN)
        tokens.append(house.seat_link(table, 2))

    async def read(house: House, ada: Person, ben: Person) -> None:
        with refused("no-link"):
            await house.read_link(tokens[0])

    play(tmp_path / "one", make)
    play(tmp_path / "two", read)


def test_people_are_known_by_their_token(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def first(house: House, ada: Person, ben: Person) -> None:
        cleo, token = await house.arrive("<b>Cleo</b>", "fr")
        tokens.append(token)
        assert house.person(token) == cleo
        assert (cleo.name, cleo.language, cleo.preferences) == ("<b>Cleo</b>", "fr", Preferences())
        changed = await house.change(cleo.id, name="Cléo", preferences=Preferences(theme="dark", confirm=False))
        assert house.person(token) == changed
        with house.store.reading() as connection:
            for table in ("sessions", "people"):
                for row in connection.execute(text(f"SELECT * FROM {table}")):  # noqa: S608  # a text of the test
                    assert token.encode() not in repr(tuple(row)).encode()

    async def second(house: House, ada: Person, ben: Person) -> None:
        cleo = house.person(tokens[0])
        assert cleo is not None
        assert (cleo.name, cleo.preferences.theme, cleo.preferences.confirm) == ("Cléo", "dark", False)
        await house.sign_out(tokens[0])
        assert house.person(tokens[0]) is None
        await house.sign_out("nobody's")
        assert house.person("") is None

    async def wrong(house: House, ada: Person, ben: Person) -> None:
        for name, language, code in (("", "en", "name"), ("Eve", "xx", "language"), ("a\0", "en", "name")):
            with refused(code):
                await house.arrive(name, language)
        with refused("theme"):
            await house.change(ada.id, preferences=Preferences(theme="../dark"))
        with pytest.raises(LookupError):
            await house.change("nobody", name="Eve")

    for job in (first, second, wrong):
        play(tmp_path, job)


def test_the_lobby(tmp_path: Path) -> None:
    async def job(house: House, ada: Person, ben: Person) -> None:
        waiting = await house.open_table(ada, PLAN)
        by_link = await house.open_table(ada, Plan("paris-connection", ("me", "link", "link")))
        game_on = await running(house, ada, ben)
        closed = await house.open_table(ben, PLAN)
        await house.run(closed.id, tables.ask_abort, ben.id)
        mine = await house.lobby(ada.id)
        assert {one.id for one in mine.mine} == {waiting.id, by_link.id, game_on.id}
        assert mine.open == ()
        bens = await house.lobby(ben.id)
        assert [[one.id for one in part] for part in (bens.mine, bens.open, bens.finished)] == [
            [game_on.id],
            [waiting.id],
            [closed.id],
        ]
        nobodys = await house.lobby(None)
        assert (nobodys.mine, [one.id for one in nobodys.open], nobodys.finished) == ((), [waiting.id], ())
        while (table := await house.table(game_on.id)).to_decide != 0:
            await move(house, table)
        assert (await house.lobby(ada.id)).mine[0].id == game_on.id
        assert (await house.lobby(ada.id)).mine[0].summary.my_turn(ada.id)

    play(tmp_path, job)
