"""Check people: links to seats, sessions, and the lobby of each person."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row, TextClause, text

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.store import Person, Preferences
from spieltisch.store import people as stored
from spieltisch.store.lobby import own_tables, public_tables
from spieltisch.store.removal import remove_table
from spieltisch.tables import NewTable
from tests.live.live_fixture import PLAN, move, play, running, to_the_end
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def _rows(statement: TextClause, connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(statement).all()


def test_invitation_links_lead_to_their_seat_until_renewed(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        seat, any_seat_link, watch_link = (
            live.invitations.seat_link(table, 2),
            live.invitations.seat_link(table, None),
            live.invitations.spectator_link(table),
        )
        assert live.invitations.seat_link(table, 2) == seat, "it can be shown again"
        invitations = [await live.invitations.read(token) for token in (seat, any_seat_link, watch_link)]
        assert [(invitation.seat, invitation.is_for_spectator) for invitation in invitations] == [
            (2, False),
            (None, False),
            (None, True),
        ]
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
                await live.invitations.read(token)
        with refused("seat"):
            live.invitations.seat_link(table, 3)
        await live.tables.run(table.id, tables.renew_table_links, ada.id)
        with refused("no-link"):
            await live.invitations.read(any_seat_link)
        assert (await live.invitations.read(seat)).seat == 2, "links to single seats stay"
        any_seat_link = live.invitations.seat_link(await live.tables.get(table.id), None)
        assert (await live.invitations.read(any_seat_link)).seat is None
        await live.tables.run(table.id, tables.renew_links, ada.id, 2)
        for token in (seat, any_seat_link):
            with refused("no-link"):
                await live.invitations.read(token)
        assert (await live.invitations.read(watch_link)).is_for_spectator
        new_link = live.invitations.seat_link(await live.tables.get(table.id), 2)
        assert (await live.invitations.read(new_link)).seat == 2

    play(tmp_path, job)


def test_invitation_links_of_another_server_are_invalid(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def make(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ada, PLAN)
        tokens.append(live.invitations.seat_link(table, 2))

    async def check_links(live: Live, ada: Person, ben: Person) -> None:
        with refused("no-link"):
            await live.invitations.read(tokens[0])

    play(tmp_path / "one", make)
    play(tmp_path / "two", check_links)


def test_people_are_identified_by_their_session_token(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        cleo, token = await live.people.create("<b>Cleo</b>", "fr")
        tokens.append(token)
        assert await live.people.by_token(token) == cleo
        assert (cleo.name, cleo.language, cleo.preferences) == ("<b>Cleo</b>", "fr", Preferences())
        changed_person = await live.people.update(
            cleo.id, name="Cléo", preferences=Preferences(theme="dark", confirm_moves=False)
        )
        assert await live.people.by_token(token) == changed_person
        for table in ("sessions", "people"):
            statement = text(f"SELECT * FROM {table}")  # noqa: S608  # a text of the test
            for row in await live.store.read(partial(_rows, statement)):
                assert token.encode() not in repr(tuple(row)).encode()

    async def second(live: Live, ada: Person, ben: Person) -> None:
        cleo = await live.people.by_token(tokens[0])
        assert cleo is not None
        assert (cleo.name, cleo.preferences.theme, cleo.preferences.confirm_moves) == ("Cléo", "dark", False)
        await live.people.log_out(tokens[0])
        assert await live.people.by_token(tokens[0]) is None
        await live.people.log_out("nobody's")
        assert await live.people.by_token("") is None

    async def read_wrong_tokens(live: Live, ada: Person, ben: Person) -> None:
        for name, language, code in (("", "en", "name"), ("Eve", "xx", "language"), ("a\0", "en", "name")):
            with refused(code):
                await live.people.create(name, language)
        with refused("theme"):
            await live.people.update(ada.id, preferences=Preferences(theme="../dark"))
        with pytest.raises(LookupError):
            await live.people.update("nobody", name="Eve")

    for job in (first, second, read_wrong_tokens):
        play(tmp_path, job)


def test_the_lobby_lists_open_tables_and_the_tables_of_the_person(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        waiting_table = await live.tables.open(ada, PLAN)
        linked_table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "link")))
        game_on = await running(live, ada, ben)
        closed_table = await live.tables.open(ben, PLAN)
        await live.tables.run(closed_table.id, tables.ask_abort, ben.id)
        adas, bens = await own_tables(live.store, ada.id), await own_tables(live.store, ben.id)
        assert {table.id for table in adas.unfinished.tables} == {waiting_table.id, linked_table.id, game_on.id}
        assert [[table.id for table in part] for part in (bens.unfinished.tables, bens.finished.tables)] == [
            [game_on.id],
            [closed_table.id],
        ]
        public = await public_tables(live.store)
        assert ([table.id for table in public.open.tables], public.imported.tables) == ([waiting_table.id], ())
        while (table := await live.tables.get(game_on.id)).to_decide != 0:
            await move(live, table)
        first = (await own_tables(live.store, ada.id)).unfinished.tables[0]
        assert first.id == game_on.id
        assert first.summary.is_turn_of(ada.id)

    play(tmp_path, job)


def test_a_confusable_name_in_an_old_database_stays_valid(tmp_path: Path) -> None:
    """Two letters of the name are Cyrillic; new names with such letters are refused."""
    name = "\u0410d\u0430"

    async def job(live: Live, ada: Person, ben: Person) -> None:
        with refused("name"):
            await live.people.create(name)
        _, token = await stored.add(live.store, name, "en", Preferences(), 0.0)
        known_access = await live.people.by_token(token)
        assert known_access is not None
        assert (await live.people.update(known_access.id, name=name, language="fr")).name == name
        table = await live.tables.open(ben, PLAN)
        table = await live.tables.sit(table.id, known_access, 1)
        assert table.seats[1].name == name
        with refused("name"):
            await live.tables.sit(table.id, ada, 2, by_link=True)

    play(tmp_path, job)


def test_a_person_with_nothing_but_a_reserved_seat_counts_as_owning_nothing(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        finished_table = await to_the_end(live, await running(live, ada, ben))
        rematch = await live.tables.rematch(finished_table.id, ada)
        assert [seat.kind for seat in rematch.seats] == ["person", "reserved", "bot"]
        assert await live.people.owns_anything(ben), "the finished game is theirs"
        await remove_table(live.store, finished_table.id)
        assert not await live.people.owns_anything(ben)
        await live.tables.sit(rematch.id, ben, 1)
        assert await live.people.owns_anything(ben)

    play(tmp_path, job)


def test_a_claim_to_a_seat_given_away_counts_as_something_a_person_owns(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        cid, _ = await live.people.create("Cid")
        table = await running(live, ada, ben)
        await live.tables.run(table.id, tables.reclaim_seat, ada.id, 1, lambda person, hours: False)
        await live.tables.sit(table.id, cid, 1, by_link=True)
        assert await live.people.owns_anything(ben), "they may return when the seat is free"
        await live.tables.run(table.id, tables.close)
        assert not await live.people.owns_anything(ben)

    play(tmp_path, job)


@pytest.mark.parametrize("is_renewed", [False, True])
def test_a_link_that_was_renewed_or_used_after_it_was_read_gives_no_seat(tmp_path: Path, is_renewed: bool) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(ben, PLAN)
        link = live.invitations.seat_link(table, 1)
        invitation = await live.invitations.read(link)
        if is_renewed:
            await live.tables.run(table.id, tables.renew_links, ben.id, 1)
        else:
            cid, _ = await live.people.create("Cid")
            await live.tables.sit(table.id, cid, 1, by_link=True)
            await live.tables.run(table.id, tables.leave, cid.id)
        require = partial(live.invitations.require_unchanged, link, invitation)
        with refused("no-link"):
            await live.tables.sit(table.id, ada, 1, by_link=True, require=require)

    play(tmp_path, job)
