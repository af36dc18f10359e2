"""Check seasons: rounds by the server's clock, tables, reminders, bots, substitutes, refusals, restarts and removal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.features import FEATURES
from spieltisch.features.groups.service import Groups
from spieltisch.features.playmates.rows import Mark, set_mark
from spieltisch.features.seasons import service
from spieltisch.features.seasons.rows import OVER, SEASON_MEMBERS, SEASON_TABLES, SEASONS
from spieltisch.features.seasons.service import MAX_UNFINISHED, Seasons
from spieltisch.live import Live
from spieltisch.store import Connection, Person, lobby, person_rows
from spieltisch.store.removal import remove_table
from spieltisch.tables import refusals
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import DAY
from tests.features.live_groups import group_of, refused, rows_in
from tests.features.seasons.season_players import (
    RULES,
    joined,
    more_people,
    open_tables,
    play_all,
    sit_all,
    tables_now,
)
from tests.live.conftest import Clock, House
from tests.live.live_fixture import play
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server as Postgres


def test_three_weeks_with_a_moved_clock(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, seasons = house.live, house.live.service(Seasons)
        people = [house.ada, house.ben, *await more_people(live, 4)]
        group = await group_of(live, *people)
        season = await joined(live, group, people)
        await seasons.begin(house.ada.id, group.id, season.id)
        for number in range(3):
            season = await seasons.find(group.id, season.id)
            assert season.round == number
            of_round = [table for table in await seasons.tables(season) if table.round == number]
            assert [len(table.stored.summary.seats) for table in of_round] == [3, 3]
            for table in of_round:
                names = [seat.person for seat in table.stored.summary.seats]
                assert names == [season.members[player].id for player in table.players], "in turn order"
            await sit_all(live, season, people)
            await play_all(live, season)
            house.clock.ahead += 30 * DAY  # the wall clock is set, which is no reason to go on
            await seasons.rounds.look()
            assert (await seasons.find(group.id, season.id)).round == number
            house.clock.ahead -= 30 * DAY
            house.clock.now += 7 * DAY
            await seasons.rounds.look()
        season = await seasons.find(group.id, season.id)
        assert season.round == OVER, "nothing is left to play"
        assert {table.stored.status for table in await seasons.tables(season)} == {"finished"}

    house(job)


def test_those_who_are_late_are_reminded_once_and_bots_take_their_seats(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, seasons = house.live, house.live.service(Seasons)
        people = [house.ada, house.ben, *await more_people(live, 1)]
        group = await group_of(live, *people)
        for person in people:
            await house.mailed(person, f"{person.name.lower()}@example.org")
        season = await joined(live, group, people)
        await seasons.begin(house.ada.id, group.id, season.id)
        await house.look()
        assert sorted(mail["To"].partition("@")[0] for mail in house.post.mails) == ["ada", "ben", "cleo"]
        house.post.mails.clear()
        (table_id,) = await open_tables(live, season)
        await live.tables.sit(table_id, house.ada, None)
        house.clock.now += 3.6 * DAY
        for _ in range(2):
            await seasons.rounds.look()
            await house.look()
            house.clock.now += 3600
        assert sorted(mail["To"].partition("@")[0] for mail in house.post.mails) == ["ben", "cleo"]
        subjects = {mail["Subject"] for mail in house.post.mails}
        assert texts.season_text(await live.tables.get(table_id), house.ben.id, "de", "Autumn")[0] in subjects
        assert len(await open_tables(live, season)) == 1
        house.clock.now += 2 * DAY
        await seasons.rounds.look()
        table = await live.tables.get(table_id)
        assert table.status == "running"
        assert sorted(seat.kind for seat in table.seats) == ["bot", "bot", "person"]
        house.clock.now += 7 * DAY
        await seasons.rounds.look()
        (table_id,) = await open_tables(live, season)
        house.clock.now += 6 * DAY
        await seasons.rounds.look()
        assert (await live.tables.get(table_id)).status == "aborted", "no one has come"

    house(job)


def test_a_bot_replaces_who_leaves_and_a_member_takes_their_place(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, seasons, groups = house.live, house.live.service(Seasons), house.live.service(Groups)
        cleo, dora = await more_people(live, 2)
        people = [house.ada, house.ben, cleo]
        group = await group_of(live, *people, dora)
        season = await joined(live, group, people)
        await seasons.begin(house.ada.id, group.id, season.id)
        assert await refused(seasons.join(dora, group.id, season.id)) == RefusalCode.SEASON_BEGUN
        await sit_all(live, season, people)
        (table,) = await seasons.tables(await seasons.find(group.id, season.id))
        await live.tables.run(table.stored.id, tables.leave, cleo.id)
        await groups.leave(cleo.id, group.id)
        await seasons.rounds.look()
        seats = (await live.tables.get(table.stored.id)).seats
        assert sorted(seat.kind for seat in seats) == ["bot", "person", "person"]
        await play_all(live, season)
        season = await seasons.find(group.id, season.id)
        assert [member.name for member in season.members] == ["Ada", "Ben"]
        await seasons.next_round(house.ada.id, group.id, season.id, season.round)
        (second,) = await open_tables(live, season)
        kinds = [seat.kind for seat in (await live.tables.get(second)).seats]
        assert sorted(kinds) == ["bot", "reserved", "reserved"]
        await seasons.join(dora, group.id, season.id)
        season = await seasons.find(group.id, season.id)
        assert [member.since for member in season.members if member.id == dora.id] == [2]
        await sit_all(live, season, people)
        await play_all(live, season)
        await seasons.next_round(house.ada.id, group.id, season.id, season.round)
        (third,) = await open_tables(live, season)
        assert {seat.name for seat in (await live.tables.get(third)).seats} == {"Ada", "Ben", "Dora"}

    house(job)


def test_refusals_have_their_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons = live.service(Seasons)
        cleo, dora = await more_people(live, 2)
        group = await group_of(live, ada, ben, cleo)
        other = await group_of(live, dora)
        season = await joined(live, group, [ada])
        assert await refused(seasons.find(other.id, season.id)) == RefusalCode.NO_SEASON
        for person in (dora, cleo):
            for attempt in (
                seasons.create(person.id, group.id, "Mine", RULES),
                seasons.begin(person.id, group.id, season.id),
                seasons.next_round(person.id, group.id, season.id, 0),
                seasons.end(person.id, group.id, season.id),
            ):
                assert await refused(attempt) == (RefusalCode.NO_GROUP if person is dora else RefusalCode.NOT_HOST)
        assert await refused(seasons.join(dora, group.id, season.id)) == RefusalCode.NO_GROUP
        assert await refused(seasons.join(dora, other.id, season.id)) == RefusalCode.NO_SEASON
        assert await refused(seasons.begin(ada.id, group.id, season.id)) == RefusalCode.TOO_FEW_PLAYERS
        assert await refused(seasons.next_round(ada.id, group.id, season.id, -1)) == RefusalCode.STALE
        for person in (ben, cleo):
            await seasons.join(person, group.id, season.id)
        await seasons.begin(ada.id, group.id, season.id)
        assert await refused(seasons.begin(ada.id, group.id, season.id)) == RefusalCode.SEASON_BEGUN
        assert await refused(seasons.next_round(ada.id, group.id, season.id, 1)) == RefusalCode.STALE
        assert await refused(seasons.next_round(ada.id, group.id, season.id, 0)) == RefusalCode.NOT_OVER
        for _ in range(MAX_UNFINISHED - 1):
            await seasons.create(ada.id, group.id, "Another", RULES)
        assert await refused(seasons.create(ada.id, group.id, "More", RULES)) == RefusalCode.TOO_MANY_SEASONS
        await seasons.end(ada.id, group.id, season.id)
        assert (await seasons.find(group.id, season.id)).round == OVER
        assert await seasons.tables(season) == [], "what is not finished does not count"
        await seasons.create(ada.id, group.id, "More", RULES)
        await seasons.end(ada.id, group.id, season.id)
        assert await refused(seasons.find(group.id, season.id)) == RefusalCode.NO_SEASON, "it was over, and is deleted"
        monkeypatch.setattr(service, "MAX_SEASONS", MAX_UNFINISHED)
        assert await refused(seasons.create(ada.id, group.id, "Yet more", RULES)) == RefusalCode.TOO_MANY_SEASONS

    play(tmp_path, job)


def test_a_killed_server_goes_on_in_the_middle_of_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, clock = tmp_path / "house.sqlite3", Clock()

    async def server() -> Live:
        return await Live.open(place, features=FEATURES, clock=clock, steady=lambda: clock.now)

    async def main() -> None:
        live = await server()
        ada, _ = await live.people.create("Ada")
        people = [ada, *await more_people(live, 4), (await live.people.create("Gus"))[0]]
        group = await group_of(live, *people)
        season = await joined(live, group, people)
        seasons, opened, opens = live.service(Seasons), list[str](), live.tables.open

        async def killed(*arguments: Any, **more: Any) -> tables.Table:
            if opened:
                raise refusals.stale()  # at whatever step it ends, nothing more is written
            opened.append("one")
            return await opens(*arguments, **more)

        monkeypatch.setattr(live.tables, "open", killed)
        await seasons.begin(ada.id, group.id, season.id)
        assert (await seasons.find(group.id, season.id)).opened == 1
        await live.close()
        live = await server()
        seasons = live.service(Seasons)
        await asyncio.gather(seasons.rounds.look(), seasons.rounds.look())
        season = await seasons.find(group.id, season.id)
        assert (season.round, season.opened) == (0, 2)
        of_round = await seasons.tables(season)
        assert sorted(player for table in of_round for player in table.players) == list(range(6))
        await remove_table(live.store, of_round[0].stored.id)
        await seasons.rounds.look()
        assert len(await seasons.tables(season)) == 1, "a table that was removed is not opened again"
        await live.close()

    asyncio.run(main())


@pytest.mark.parametrize("is_last", [True, False])
def test_a_removed_person_leaves_no_trace_in_their_season(tmp_path: Path, is_last: bool) -> None:
    removed: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons = live.service(Seasons)
        zoe, _ = await live.people.create("Żywia")
        removed.extend((zoe.id, zoe.name))
        people = [zoe] if is_last else [ada, ben, zoe]
        group = await group_of(live, *people)
        season_id = await seasons.create(group.host, group.id, "Cup of Żywia", RULES)
        for person in people:
            await seasons.join(person, group.id, season_id)
        (row,) = (await person_rows.of_person(live.store, zoe.id))["season_members"]
        assert row["season_id"] == season_id
        if not is_last:
            await seasons.begin(ada.id, group.id, season_id)
            await sit_all(live, await seasons.find(group.id, season_id), people)
        await live.person_data.delete(zoe)
        if is_last:
            assert [await rows_in(live, table) for table in (SEASONS, SEASON_MEMBERS, SEASON_TABLES)] == [[], [], []]
        else:
            season = await seasons.find(group.id, season_id)
            assert [member.name for member in season.members] == ["Ada", "Ben"]
            assert season.name == "Cup of N. N."
            await seasons.rounds.look()
            (table,) = await seasons.tables(season)
            assert [seat.kind for seat in table.stored.summary.seats].count("bot") == 1

    play(tmp_path, job)
    stored_bytes = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in removed if word.encode() in stored_bytes] == []


@pytest.mark.postgresql
def test_two_processes_open_each_table_once(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        people = [ada, ben, *await more_people(first, 4)]
        group = await group_of(first, *people)
        season = await joined(first, group, people)
        looks = [live.service(Seasons).rounds.look() for live in (first, second)]
        await asyncio.gather(first.service(Seasons).begin(ada.id, group.id, season.id), *looks)
        await asyncio.gather(*(live.service(Seasons).rounds.look() for live in (first, second)))
        season = await second.service(Seasons).find(group.id, season.id)
        assert [table.number for table in await second.service(Seasons).tables(season)] == [0, 1]
        assert len(await rows_in(first, SEASON_TABLES)) == 2
        await first.service(Groups).leave(ben.id, group.id)
        assert len((await second.service(Seasons).find(group.id, season.id)).members) == 5

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.parametrize("is_blocked_before", [True, False])
def test_who_blocks_all_others_finds_the_table_of_a_season_that_they_have_joined(
    tmp_path: Path, is_blocked_before: bool
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        (cleo,), seasons = await more_people(live, 1), live.service(Seasons)
        people = [ada, ben, cleo]
        season = await joined(live, await group_of(live, *people), people)

        def block_all(connection: Connection) -> None:
            for person, other in permutations(people, 2):
                set_mark(connection, person.id, other.id, Mark(other.name, is_blocked=True))

        if is_blocked_before:
            await live.store.write(block_all)
        await seasons.begin(ada.id, season.group_id, season.id)
        if not is_blocked_before:
            await live.store.write(block_all)
        (table_id,) = await tables_now(live, await seasons.find(season.group_id, season.id), "open")
        for person in people:
            listed = (await lobby.own_tables(live.store, person.id)).unfinished.tables
            assert [table.id for table in listed] == [table_id]

    play(tmp_path, job)
