"""Check what becomes of people who wait: seated together, with bots after minutes, away, elsewhere, after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.features.matchmaking import rows
from spieltisch.features.matchmaking.commands import Kind
from spieltisch.features.matchmaking.service import AWAY_SECONDS, Matchmaking
from spieltisch.live import Live
from spieltisch.live.limits import Limits
from spieltisch.store import Person, person_rows
from spieltisch.tables import NewTable, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from tests.live.conftest import House
from tests.live.hand_set_clocks import Clocks, serve
from tests.live.live_fixture import play
from tests.live.two_processes import run_in_two_servers, until
from tests.postgres import Server as Postgres

KIND = Kind("paris-connection", 3, 5, "live", 3)


def seated(live: Live, person: Person) -> str:
    """Return the table that was found for a person."""
    return live.service(Matchmaking).found(person.id)


def test_people_who_seek_the_same_are_seated_at_one_table_that_begins(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        cleo, _ = await live.people.create("Cleo")
        for person in (ada, ben):
            await matchmaking.add(person.id, KIND)
        assert matchmaking.count() == {"paris-connection": 2}
        await matchmaking.add(cleo.id, KIND)
        (table_id,) = {seated(live, person) for person in (ada, ben, cleo)}
        table = await live.tables.get(table_id)
        assert table.status == "running"
        assert [seat.person for seat in table.seats] == [ada.id, ben.id, cleo.id]
        assert table.opened.settings.clock == "live"
        assert matchmaking.count() == {}
        assert await rows.all_seeks(live.store) == ()

    play(tmp_path, job)


def test_bots_fill_the_table_after_the_minutes(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        with ExitStack() as streams:
            for person in (ada, ben):
                streams.enter_context(live.presence.connected(person.id))
                await matchmaking.add(person.id, KIND)
            hands.run(179)
            await matchmaking.look()
            assert not seated(live, ada)
            assert matchmaking._pause() == pytest.approx(1), "it looks again in time"
            hands.run(1)
            await matchmaking.look()
            table = await live.tables.get(seated(live, ada))
            assert [seat.kind for seat in table.seats] == ["person", "person", "bot"]
            assert table.status == "running"

    serve(tmp_path, hands, job)


def test_who_has_left_for_some_minutes_waits_no_longer(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        with live.presence.connected(ada.id):
            for person in (ada, ben):
                await matchmaking.add(person.id, Kind("paris-connection", 4, 5, "", 0))
            hands.run(AWAY_SECONDS)
            await matchmaking.look()
            assert matchmaking.own(ben.id) is not None
            hands.run(1)
            await matchmaking.look()
            assert matchmaking.own(ben.id) is None
            assert matchmaking.own(ada.id) is not None

    serve(tmp_path, hands, job)


def test_waiting_goes_on_after_a_restart_and_ends_without_its_person(tmp_path: Path) -> None:
    hands = Clocks()

    async def wait(live: Live, ada: Person, ben: Person) -> None:
        await live.service(Matchmaking).add(ada.id, KIND)

    async def look_again(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        looked = asyncio.Event()
        live.publish = lambda topic, person: looked.set()
        async with matchmaking.running():
            await looked.wait()
            assert matchmaking.count() == {"paris-connection": 1}
        hands.run(AWAY_SECONDS + 1)
        await matchmaking.look()
        assert matchmaking.count() == {}

    serve(tmp_path, hands, wait)
    hands.run(10 * AWAY_SECONDS)
    serve(tmp_path, hands, look_again)


def test_who_sits_down_elsewhere_or_cancels_waits_no_longer(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        for person in (ada, ben):
            await matchmaking.add(person.id, KIND)
        table = await live.tables.open(ada, NewTable("paris-connection", ("open", "open", "open")))
        await matchmaking.look()
        assert matchmaking.own(ada.id) is not None, "she hosts a table without a seat"
        await live.tables.run(table.id, tables.sit, ada)
        await matchmaking.look()
        assert matchmaking.own(ada.id) is None
        await matchmaking.cancel(ben.id)
        assert matchmaking.own(ben.id) is None
        assert await rows.all_seeks(live.store) == ()

    play(tmp_path, job)


def test_a_seek_that_is_gone_opens_no_table(tmp_path: Path) -> None:
    """Another process may seat someone between the look and the write."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        await live.service(Matchmaking).add(ada.id, KIND)
        seeks = await rows.all_seeks(live.store)
        await live.store.write(lambda connection: rows.cancel(connection, ada.id))
        new_table = NewTable("paris-connection", ("me", "guest", "bot:easy"))
        with pytest.raises(TableRefusal) as refused:
            await live.tables.open_for(ada, [ben], new_table, partial(rows.claim, seeks=seeks))
        assert refused.value.code == RefusalCode.STALE
        assert await live.store.tables(person=ada.id) == ()

    play(tmp_path, job)


def test_a_form_cannot_seat_guests(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        with pytest.raises(TableRefusal) as refused:
            await live.tables.open(ada, NewTable("paris-connection", ("me", "guest", "open")))
        assert refused.value.code == RefusalCode.SEATS

    play(tmp_path, job)


def test_only_what_a_visitor_sees_changes_their_version(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        await matchmaking.add(ada.id, KIND)
        versions = [matchmaking.version(person) for person in (None, ben.id)]
        await matchmaking.add(ada.id, Kind("paris-connection", 4, 4, "", 0))
        assert [matchmaking.version(person) for person in (None, ben.id)] == versions, "the number is the same"
        await matchmaking.add(ben.id, KIND)
        assert matchmaking.version(None) > versions[0]

    play(tmp_path, job)


def test_those_who_are_away_are_alerted_of_the_table_unless_it_is_their_turn(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        cleo, _ = await house.live.people.create("Cleo")
        people = (house.ada, house.ben, cleo)
        for person in people:
            await house.mailed(person, f"{person.name.lower()}@example.org")
        for person in people:
            await house.live.service(Matchmaking).add(person.id, Kind("paris-connection", 3, 3, "", 0))
        await house.look()
        table_id = house.live.service(Matchmaking).found(house.ada.id)
        mails = {mail["To"]: mail["Subject"] for mail in house.post.mails}
        table = await house.live.tables.get(table_id)
        subjects = {person.id: mails.pop(f"{person.name.lower()}@example.org") for person in people}
        assert mails == {}
        for person in people:
            if table.summary().waiting_for == person.id:
                title, _ = texts.turn_text(table, person.id, person.language, "UTC")
            else:
                title, _ = texts.found_text(table, person.id, person.language)
            assert title in subjects[person.id]

    house(job)


@pytest.mark.postgresql
def test_two_processes_seat_each_person_once(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        processes = [live.service(Matchmaking) for live in (first, second)]
        people = [ada, ben, *[(await first.people.create(name))[0] for name in ("Cleo", "Dora", "Emil", "Fritz")]]
        kind = Kind("paris-connection", 3, 3, "", 0)
        await asyncio.gather(*(processes[number % 2].add(each.id, kind) for number, each in enumerate(people)))
        await asyncio.gather(*(process.look() for process in processes))
        await until(lambda: all(process.found(each.id) for process in processes for each in people))
        assert await rows.all_seeks(first.store) == ()
        for each in people:
            assert len(await first.store.tables(person=each.id)) == 1

    run_in_two_servers(postgres.schema(), job)


def test_what_a_person_downloads_says_what_they_seek_and_not_from_where(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        origin = live.quotas.hash_address("192.0.2.1") or b""
        await live.service(Matchmaking).add(ada.id, Kind("paris-connection", 3, 3, "", 0, origin))
        (row,) = (await person_rows.of_person(live.store, ada.id))["seeks"]
        assert row["kind"]["game"] == "paris-connection"
        assert "origin" not in row["kind"]

    play(tmp_path, job)


def test_tables_of_people_who_seek_the_same_count_for_an_address(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        matchmaking = live.service(Matchmaking)
        origin = live.quotas.hash_address("192.0.2.1") or b""
        kind = Kind("paris-connection", 3, 3, "", 0, origin)
        others = [(await live.people.create(name))[0] for name in ("Cleo", "Dora")]
        for person in (ada, ben, others[0]):
            await matchmaking.add(person.id, kind)
        assert seated(live, ada)
        plan = NewTable("paris-connection", ("me", "open", "open"))
        for attempt in (matchmaking.add(others[1].id, kind), live.tables.open(others[1], plan, "192.0.2.1")):
            with pytest.raises(TableRefusal) as refusal:
                await attempt
            assert refusal.value.code == RefusalCode.TOO_MANY_TABLES
        await live.tables.open(others[1], plan, "192.0.2.2")

    play(tmp_path, job, Limits(tables_per_address=1))
