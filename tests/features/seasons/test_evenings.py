"""Check evenings: equal deals, seatings, bots, the clock, refusals, restarts, and what other tables may not know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.features.groups.pages import GroupPages
from spieltisch.features.groups.service import Groups
from spieltisch.features.seasons.pages import SeasonPages
from spieltisch.features.seasons.rows import EVENING_SECONDS_BEFORE_BOTS, OVER, Season
from spieltisch.features.seasons.service import Seasons
from spieltisch.live import Live
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import Person
from spieltisch.tables import Table, refusals
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import DAY
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.duplicates import row
from spieltisch.web.pages.perspectives import view_of
from spieltisch.web.pages.renderer import Renderer
from tests.features.live_groups import group_of, refused
from tests.features.seasons.evening_players import EVENING, again, begun, dealt
from tests.features.seasons.season_players import joined, more_people, play_all, sit_all
from tests.live.conftest import House
from tests.live.live_fixture import move, play, to_the_end
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server as Postgres

RENDERER = Renderer(Assets(), DrawnFiles())


async def six(live: Live, ada: Person, ben: Person) -> list[Person]:
    """Return six people."""
    return [ada, ben, *await more_people(live, 4)]


async def rated_games(live: Live, table: Table) -> list[int]:
    """Return for each player of a table how many of their games count for their rating."""
    await live.game_history.of_tables([table])
    kind = (table.opened.game, len(table.seats))
    return [(await live.game_history.ratings(seat.person, [kind]))[0].games for seat in table.seats]


async def revealed(live: Live, table: Table) -> None:
    """Wait until everything of the deal of a table is visible."""
    assert table.opened.duplicate is not None
    await live.tables.reveal_duplicate(table.opened.duplicate.id)


def seated(table: Table) -> set[str]:
    """Return the people at a table."""
    return {seat.person for seat in table.people}


async def shown(live: Live, season: Season, person: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a member finds on the pages of an evening and of its group."""
    group = await live.service(Groups).find(person.id, season.group_id)
    evening = await SeasonPages(live, RENDERER).context(person.id, await again(live, season), group)
    return evening, await GroupPages(live, RENDERER).context(person.id, group)


def test_an_evening_of_two_deals(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), await six(live, ada, ben)
        season = await begun(live, people)
        deals = []
        for number in range(2):
            season = await again(live, season)
            assert season.round == number
            await sit_all(live, season, people)
            first, second = await dealt(live, season)
            assert first.commitment == second.commitment
            assert first.position_at(0).digest() == second.position_at(0).digest()
            assert seated(first) | seated(second) == {person.id for person in people}
            deals.append((first.commitment, {frozenset(seated(first)), frozenset(seated(second))}))
            assert await refused(seasons.next_round(ada.id, season.group_id, season.id, number)) == RefusalCode.NOT_OVER
            await play_all(live, season)
            await revealed(live, first)
            if number == 0:
                await seasons.rounds.look()
                assert (await again(live, season)).round == 0, "the host begins the next round"
                await seasons.next_round(ada.id, season.group_id, season.id, number)
        assert deals[0][0] != deals[1][0], "another deal"
        assert deals[0][1] != deals[1][1], "seated otherwise"
        await seasons.rounds.look()
        season = await again(live, season)
        assert season.round == OVER
        rows = (await shown(live, season, ada))[0]["standings"]
        assert [row.games for row in rows] == [2] * 6
        assert sum(row.places for row in rows) == 2 * 2 * (1 + 2 + 3)
        assert sum(row.against for row in rows) == 0
        assert [row.places for row in rows] == sorted(row.places for row in rows)

    play(tmp_path, job)


def test_nothing_of_a_table_is_known_at_others_before_all_are_over(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = await six(live, ada, ben)
        (gus, _) = await live.people.create("Gus")
        season = await begun(live, people, gus)
        for member in (*people, gus):
            await live.service(Groups).choose(member.id, season.group_id, has_alerts=True, is_ranked=True)
        await sit_all(live, season, people)
        first, second = await dealt(live, season)
        others = [person for person in people if person.id in seated(second)]
        for _ in range(2):
            for person in (*others, gus):
                assert await refused(view_of(live, first, person.id)) == RefusalCode.WITHHELD
                evening, group = await shown(live, season, person)
                hidden, _ = evening["rounds"][0]["tables"]
                assert (hidden["id"], hidden["winners"], hidden["is_turn"], hidden["can_sit"]) == ("", (), False, False)
                assert evening["standings"] == []
                assert evening["rounds"][0]["deal"] == ""
                assert group["standings"] == {}
                listed = {row["id"] for key in ("waiting", "running", "finished") for row in group[key]}
                assert listed == ({second.id} if person is not gus else set())
            group_now = await live.service(Groups).find(gus.id, season.group_id)
            sitting = live.service(Groups).sit(others[0], group_now, first.id)
            assert await refused(sitting) == RefusalCode.ALREADY_IN_DUPLICATE
            first = await to_the_end(live, first)
            assert list(await live.game_history.of_tables([first])) == [first.id], "its result is stored"
            assert await rated_games(live, first) == [0, 0, 0], "or a game with one of these players would show it"
        for table in (first, await to_the_end(live, second)):
            await live.game_history.of_tables([table])
        await revealed(live, first)
        assert await rated_games(live, first) == [1, 1, 1]
        for person in (*people, gus):
            assert (await view_of(live, await live.tables.get(first.id), person.id))[0].is_revealed
            evening, group = await shown(live, season, person)
            assert len(evening["standings"]) == len(people)
            assert bool(evening["rounds"][0]["deal"]) == (person is not gus)
            assert len(group["finished"]) == 2
            assert group["standings"]

    play(tmp_path, job)


def test_no_move_or_seat_of_a_table_changes_the_page_of_an_evening_for_others(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), await six(live, ada, ben)
        season = await begun(live, people)
        with live.tables.listening(seasons._on_table_changed):
            await sit_all(live, season, people)
            first, second = await dealt(live, season)
            versions = [seasons.version(season.id)]
            for _ in range(5):
                first = await move(live, first)
            leaver = next(seat for seat in first.people if seat.person != first.host)
            first = await live.tables.run(first.id, tables.leave, leaver.person)
            first = await live.tables.run(first.id, tables.seat_bot, leaver.number, "easy")
            versions.append(seasons.version(season.id))
            await to_the_end(live, first)
            versions.append(seasons.version(season.id))
            await to_the_end(live, second)
            await revealed(live, second)
            versions.append(seasons.version(season.id))
        assert versions[0] == versions[1] < versions[2] < versions[3], "its end is shown, and the results of all"

    play(tmp_path, job)


def test_no_player_is_the_host_of_a_table_of_an_evening_before_its_game(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        season = await begun(live, await six(live, ada, ben))
        for table in await dealt(live, season):
            found = row(table, table.host, live.invitations)
            assert (found.links, found.people, found.may_close) == ({}, (), False)
            assert await refused(live.tables.run(table.id, tables.ask_abort, table.host)) == RefusalCode.NOT_HOST

    play(tmp_path, job)


def test_bots_fill_odd_tables_and_the_seats_of_those_who_do_not_come(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, seasons = house.live, house.live.service(Seasons)
        people = [house.ada, house.ben, *await more_people(live, 3)]
        season = await begun(live, people)
        assert sorted(seat.kind for table in await dealt(live, season) for seat in table.seats) == [
            "bot",
            *["reserved"] * 5,
        ]
        first, second = await dealt(live, season)
        present = next(person for person in people if first.seats_reserved_for(person.id))
        await live.tables.sit(first.id, present, None)
        house.clock.now += EVENING_SECONDS_BEFORE_BOTS - 1
        await seasons.rounds.look()
        assert {table.status for table in await dealt(live, season)} == {"open"}
        house.clock.now += 2
        await seasons.rounds.look()
        first, second = await dealt(live, season)
        assert (first.status, second.status) == ("running", "aborted"), "no one has come to the second"
        assert seated(first) == {present.id}
        house.clock.now += DAY
        await seasons.rounds.look()
        assert (await again(live, season)).round == OVER, "a round takes a day at most"
        assert await seasons.tables(await again(live, season)) == [], "and does not count then"

    house(job)


@pytest.mark.parametrize("is_agreed", [True, False])
def test_a_seat_that_is_given_to_someone_else_waits_for_them(house: Callable[..., None], *, is_agreed: bool) -> None:
    async def job(house: House) -> None:
        live, seasons = house.live, house.live.service(Seasons)
        people = [house.ada, house.ben, *await more_people(live, 4)]
        season = await begun(live, people)
        await sit_all(live, season, people)
        house.clock.now += EVENING_SECONDS_BEFORE_BOTS + 1
        table = (await dealt(live, season))[0]
        absent = next(seat for seat in table.people if seat.person != table.host)
        table = await live.tables.run(table.id, tables.reclaim_seat, table.host, absent.number, lambda *_: is_agreed)
        if is_agreed:
            table = await live.tables.run(table.id, tables.accept_reclaim, absent.person)
        await seasons.rounds.look()
        table = await live.tables.get(table.id)
        assert table.seats[absent.number].kind == "left", "the host may share the link first"
        house.clock.now += EVENING_SECONDS_BEFORE_BOTS + 1
        await seasons.rounds.look()
        table = await live.tables.get(table.id)
        assert table.seats[absent.number].kind == "bot"

    house(job)


def test_who_leaves_an_evening_is_replaced_by_a_bot_and_by_a_member_from_the_next_deal_on(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), await six(live, ada, ben)
        gus, _ = await live.people.create("Gus")
        season = await begun(live, people, gus)
        await sit_all(live, season, people)
        (first, *_), left = await dealt(live, season), people[3]
        for table in await dealt(live, season):
            if left.id in seated(table):
                await live.tables.run(table.id, tables.leave, left.id)
        await seasons.leave(left.id, season.group_id, season.id)
        kinds = [seat.kind for table in await dealt(live, season) for seat in table.seats]
        assert sorted(kinds) == ["bot", *["person"] * 5]
        await seasons.join(gus, season.group_id, season.id)
        await play_all(live, season)
        await revealed(live, first)
        await seasons.next_round(ada.id, season.group_id, season.id, 0)
        await sit_all(live, season, [*people, gus])
        assert gus.id in set().union(*(seated(table) for table in await dealt(live, season)))
        await play_all(live, season)
        await revealed(live, (await dealt(live, season))[0])
        rows = {row.member.id: row for row in (await shown(live, season, gus))[0]["standings"]}
        assert left.id not in rows
        assert (rows[gus.id].games, rows[gus.id].missed) == (2, 1), "the first deal is a last place"

    play(tmp_path, job)


def test_a_member_takes_the_place_of_a_bot_that_fills_a_table_from_the_next_deal_on(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), [ada, ben, *await more_people(live, 3)]
        gus, _ = await live.people.create("Gus")
        season = await begun(live, people, gus)
        await seasons.join(gus, season.group_id, season.id)
        assert [seat.kind for table in await dealt(live, season) for seat in table.seats].count("bot") == 1
        await sit_all(live, season, people)
        await play_all(live, season)
        await revealed(live, (await dealt(live, season))[0])
        await seasons.next_round(ada.id, season.group_id, season.id, 0)
        kinds = [seat.kind for table in await dealt(live, season) for seat in table.seats]
        assert kinds == ["reserved"] * 6

    play(tmp_path, job)


def test_an_evening_is_refused_to_too_few(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), [ada, ben, *await more_people(live, 2)]
        season = await joined(live, await group_of(live, *people), people[:3], EVENING)
        begin = seasons.begin
        assert await refused(begin(ada.id, season.group_id, season.id)) == RefusalCode.TOO_FEW_PLAYERS
        assert await refused(begin(ben.id, season.group_id, season.id)) == RefusalCode.NOT_HOST
        await seasons.join(people[3], season.group_id, season.id)
        await begin(ada.id, season.group_id, season.id)
        assert [len(table.seats) for table in await dealt(live, season)] == [3, 3]

    play(tmp_path, job)


@pytest.mark.parametrize("is_over", [False, True])
def test_a_server_that_was_killed_opens_the_missing_table_with_the_same_deal_unless_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_over: bool
) -> None:
    """An error of the second opening leaves in the store what a kill between the two would leave."""

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        ada, _ = await live.people.create("Ada")
        ben, _ = await live.people.create("Ben")
        people, opened, open_table = await six(live, ada, ben), list[str](), LiveTables.open

        async def open_once(self: LiveTables, *arguments: Any, **more: Any) -> Table:
            if opened:
                raise refusals.not_written()
            table = await open_table(self, *arguments, **more)
            opened.append(table.id)
            return table

        with monkeypatch.context() as patch:
            patch.setattr(LiveTables, "open", open_once)
            season = await begun(live, people)
            (first,) = await dealt(live, season)
            if is_over:
                await sit_all(live, season, people)
                await play_all(live, season)
                await revealed(live, first)
                first = await live.tables.get(first.id)
                assert first.secret is not None
        await live.close()
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        seasons = live.service(Seasons)
        await asyncio.gather(seasons.rounds.look(), seasons.rounds.look())
        assert (await again(live, season)).opened == 2
        of_round = await dealt(live, season)
        assert [table.commitment for table in of_round] == [first.commitment] * (1 if is_over else 2)
        assert {table.opened.duplicate and table.opened.duplicate.id for table in of_round} == {
            first.opened.duplicate and first.opened.duplicate.id
        }
        await live.close()

    asyncio.run(main())


@pytest.mark.postgresql
def test_two_processes_open_each_table_of_a_deal_once(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        people = await six(first, ada, ben)
        season = await joined(first, await group_of(first, *people), people, EVENING)
        looks = [live.service(Seasons).rounds.look() for live in (first, second)]
        await asyncio.gather(first.service(Seasons).begin(ada.id, season.group_id, season.id), *looks)
        await asyncio.gather(*(live.service(Seasons).rounds.look() for live in (first, second)))
        of_round = await dealt(second, season)
        assert len(of_round) == 2
        assert len({table.commitment for table in of_round}) == 1
        assert {table.opened.duplicate and table.opened.duplicate.number for table in of_round} == {1, 2}

    run_in_two_servers(postgres.schema(), job)


def test_an_aborted_table_is_level_and_a_round_that_is_not_over_does_not_count(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), await six(live, ada, ben)
        season = await begun(live, people)
        await sit_all(live, season, people)
        first, second = await dealt(live, season)
        await live.tables.run(first.id, tables.close)
        assert (await shown(live, season, ada))[0]["standings"] == []
        await to_the_end(live, second)
        await revealed(live, first)
        rows = {row.member.id: row for row in (await shown(live, season, ada))[0]["standings"]}
        assert {float(rows[person].places) for person in seated(first)} == {2.0}
        assert {float(row.against) for row in rows.values()} == {0.0}, "there is nothing to compare with"
        await seasons.next_round(ada.id, season.group_id, season.id, 0)
        await sit_all(live, season, people)
        await to_the_end(live, (await dealt(live, season))[0])
        await seasons.end(ada.id, season.group_id, season.id)
        assert {table.round for table in await seasons.tables(await again(live, season))} == {0}
        assert {row.games for row in (await shown(live, season, ada))[0]["standings"]} == {1}

    play(tmp_path, job)
