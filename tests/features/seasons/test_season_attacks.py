"""Check seasons against members who misuse them: limits, seats and names of others, alerts, moves that are hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.features.groups.rows import Defaults
from spieltisch.features.groups.service import Groups
from spieltisch.features.seasons.rows import Rules, Season
from spieltisch.features.seasons.service import Seasons
from spieltisch.live import Live
from spieltisch.live.limits import Limits
from spieltisch.store import Person, lobby
from spieltisch.tables import NewTable, TableSettings
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import DAY, UNTIL_END
from spieltisch.web.pages.perspectives import view_of
from tests.features.live_groups import group_of, refused
from tests.features.seasons.season_players import (
    GAME,
    RULES,
    joined,
    more_people,
    open_tables,
    play_all,
    sit_all,
    tables_now,
)
from tests.features.seasons.season_visitors import group_of as group_of_visitors
from tests.features.seasons.season_visitors import season_of
from tests.live.conftest import House
from tests.live.live_fixture import ENDING, move, play
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server as Postgres
from tests.web.servers import Server
from tests.web.visitors import Visitor

ADDRESS, OTHER_ADDRESS = "192.0.2.1", "192.0.2.2"


async def begun(live: Live, people: list[Person], rules: Rules = RULES, address: str = "") -> Season:
    """Return a season of a new group of these people whose first round has begun."""
    season = await joined(live, await group_of(live, *people), people, rules)
    await live.service(Seasons).begin(people[0].id, season.group_id, season.id, address)
    return await live.service(Seasons).find(season.group_id, season.id)


def test_tables_of_a_season_count_for_the_address_that_began_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, seasons = house.live, house.live.service(Seasons)
        people = [house.ada, house.ben, *await more_people(live, 2)]
        dora = people.pop()
        season = await begun(live, people, address=ADDRESS)
        (table_id,) = await open_tables(live, season)
        plan = NewTable(GAME, ("me", "open", "open"))
        assert await refused(live.tables.open(dora, plan, ADDRESS)) == RefusalCode.TOO_MANY_TABLES
        await live.tables.open(dora, plan, OTHER_ADDRESS)
        second = await joined(live, await group_of(live, *people), people)
        begin = seasons.begin(house.ada.id, second.group_id, second.id, ADDRESS)
        assert await refused(begin) == RefusalCode.TOO_MANY_SEASONS
        await seasons.end(house.ada.id, season.group_id, season.id)
        assert season.plan.origin
        assert not (await seasons.find(season.group_id, season.id)).plan.origin, "it is forgotten"
        await seasons.begin(house.ada.id, second.group_id, second.id, ADDRESS)
        assert await open_tables(live, second) == [], "the table of the first season still waits"
        house.clock.now += 7 * DAY
        await seasons.rounds.look()
        assert (await seasons.find(second.group_id, second.id)).round == 1, "a season without room ends nevertheless"
        await live.tables.run(table_id, tables.close)
        await seasons.rounds.look()
        assert len(await open_tables(live, second)) == 1

    house(job, limits=Limits(tables_per_address=1))


def test_beginning_a_round_counts_as_opening_its_tables(own_server: Callable[..., Server]) -> None:
    server = own_server("--limit", "new_tables_per_hour=5")
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        visitors = [ada, ben, cleo]
        path = group_of_visitors(visitors)
        for _ in range(12):  # more than twice as many, if a new hour has just begun
            season = season_of(ada, path)
            for visitor in visitors:
                visitor.submit(f"{season}/join")
            if (answer := ada.submit(f"{season}/begin")).status_code != 303:
                break
            for _ in range(2):
                assert ada.submit(f"{season}/end").status_code == 303
        assert answer.status_code == 429


def test_a_request_leads_no_other_season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), [ada, ben, *await more_people(live, 1)]
        first, second = [await begun(live, people) for _ in range(2)]
        led, lead = list[str](), seasons.rounds._lead

        async def noted(season: Season) -> None:
            led.append(season.id)
            await lead(season)

        monkeypatch.setattr(seasons.rounds, "_lead", noted)
        await seasons.leave(ben.id, first.group_id, first.id)
        assert led == [first.id]
        await seasons.rounds.look()
        assert sorted(led[1:]) == sorted([first.id, second.id])

    play(tmp_path, job)


def test_what_is_announced_leads_one_season_and_time_leads_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, *_: Person) -> None:
        seasons, looks = live.service(Seasons), asyncio.Queue[tuple[str, ...]]()

        async def look(*only: str) -> None:
            await looks.put(only)

        monkeypatch.setattr(seasons.rounds, "look", look)
        async with seasons.running():
            assert await asyncio.wait_for(looks.get(), 60) == ()
            live.notices.announce("seasons", "one")
            assert await asyncio.wait_for(looks.get(), 60) == ("one",)
            for missed in live.notices.missed:
                missed()
            assert await asyncio.wait_for(looks.get(), 60) == ()

    play(tmp_path, job)


@pytest.mark.parametrize("delay", [0, UNTIL_END])
def test_no_move_of_a_delayed_game_changes_the_page_of_its_season(tmp_path: Path, delay: int) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        seasons, people = live.service(Seasons), [ada, ben, *await more_people(live, 1)]
        defaults = Defaults(dict(ENDING), charter=TableSettings(watch_delay=delay))
        season = await begun(live, people, Rules((GAME,), 3, 3, 7, {GAME: defaults}))
        with live.tables.listening(seasons._on_table_changed):
            versions = [seasons.version(season.id)]
            await sit_all(live, season, people)
            versions.append(seasons.version(season.id))
            (table_id,) = await tables_now(live, season, "running")
            table = await live.tables.get(table_id)
            decided = table.to_decide
            while table.to_decide == decided:
                table = await move(live, table)
            versions.append(seasons.version(season.id))
            await seasons.rounds.look()
            await move(live, table)
            versions.append(seasons.version(season.id))
            await play_all(live, season)
            versions.append(seasons.version(season.id))
        start, seated, first, second, over = versions
        assert start < seated <= first <= second < over
        assert (first, second) == (seated, seated) if delay else first > seated

    play(tmp_path, job)


def test_before_the_game_no_player_is_the_host_of_a_table_of_a_season(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = [ada, ben, *await more_people(live, 1)]
        season = await begun(live, people)
        (table_id,) = await open_tables(live, season)
        table = await live.tables.get(table_id)
        host = next(person for person in people if person.id == table.host)
        other, third = [person for person in people if person is not host]
        await live.tables.sit(table_id, host, None)
        table = await live.tables.sit(table_id, other, None)
        assert not (await view_of(live, table, host.id))[1].is_host
        taken, kept = table.seat_of(other.id), table.seats_reserved_for(third.id)[0].number
        assert taken is not None
        for attempt in (
            live.tables.run(table_id, tables.reclaim_seat, host.id, taken, lambda person, hours: False),
            live.tables.run(table_id, tables.replace_with_bot, host.id, kept, "easy"),
            live.tables.run(table_id, tables.renew_links, host.id, kept),
            live.tables.run(table_id, tables.ask_abort, host.id),
        ):
            assert await refused(attempt) == RefusalCode.NOT_HOST
        for person in (other, host):
            table = await live.tables.run(table_id, tables.leave, person.id)
        assert (table.status, {seat.kind for seat in table.seats}) == ("open", {"reserved"}), "it waits for them all"
        for person in people:
            table = await live.tables.sit(table_id, person, None)
        assert table.status == "running"
        assert (await view_of(live, table, host.id))[1].is_host
        await live.tables.run(table_id, tables.renew_links, host.id, taken)

    play(tmp_path, job)


@pytest.mark.parametrize("has_sat", [True, False])
def test_whose_membership_ends_gives_up_their_seat_where_no_one_can_take_it_back(tmp_path: Path, has_sat: bool) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups, people = live.service(Groups), [ada, ben, *await more_people(live, 1)]
        season = await begun(live, people)
        (table_id,) = await open_tables(live, season)
        by_id = {person.id: person for person in people}
        host = by_id[(await live.tables.get(table_id)).host]
        if has_sat:
            await live.tables.sit(table_id, host, None)
        if host is ada:
            await groups.leave(ada.id, season.group_id)
        else:
            await groups.remove(ada.id, season.group_id, host.id)
        table = await live.tables.get(table_id)
        assert sorted(seat.kind for seat in table.seats) == ["link", "reserved", "reserved"]
        assert await refused(live.tables.sit(table_id, host, None)) == RefusalCode.NOT_INVITED
        assert await refused(view_of(live, table, host.id)) == RefusalCode.NO_TABLE
        assert (await lobby.own_tables(live.store, host.id)).unfinished.tables == ()
        others = [person for person in people if person is not host]
        group = await groups.find(others[0].id, season.group_id)
        dora, _ = await live.people.create("Dora")
        await groups.join(dora.id, groups.link(group))
        for person in (dora, *others):
            table = await groups.sit(person, group, table_id)
        assert (table.status, table.host in {person.id for person in others}) == ("running", True)

    play(tmp_path, job)


def test_a_player_becomes_the_host_if_that_of_the_table_has_not_come(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, people = house.live, [house.ada, house.ben, *await more_people(house.live, 1)]
        season = await begun(live, people)
        (table_id,) = await open_tables(live, season)
        host = (await live.tables.get(table_id)).host
        present = [person for person in people if person.id != host]
        for person in present:
            await live.tables.sit(table_id, person, None)
        house.clock.now += 6 * DAY
        await live.service(Seasons).rounds.look()
        table = await live.tables.get(table_id)
        assert (table.status, table.host in {person.id for person in present}) == ("running", True)

    house(job)


def test_a_table_of_a_season_stays_when_its_host_deletes_their_data(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = [ada, ben, *await more_people(live, 1)]
        (table_id,) = await open_tables(live, await begun(live, people))
        host = (await live.tables.get(table_id)).host
        await live.person_data.delete(next(person for person in people if person.id == host))
        table = await live.tables.get(table_id)
        assert table.status == "open"
        assert table.host in {person.id for person in people} - {host}

    play(tmp_path, job)


def test_two_people_whose_names_look_alike_since_they_joined_do_not_sit_at_one_table(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = [ada, ben, *await more_people(live, 1)]
        season = await joined(live, await group_of(live, *people), people)
        people[2] = await live.people.update(people[2].id, name="ADA")
        await live.service(Seasons).begin(ada.id, season.group_id, season.id)
        (table_id,) = await open_tables(live, season)
        kept = (await live.tables.get(table_id)).seats
        first, second = [seat for seat in kept if seat.person in (ada.id, people[2].id)]
        assert second.name == f"{'Ada' if second.person == ada.id else 'ADA'} {second.number + 1}"
        by_id = {person.id: person for person in people}
        assert await refused(live.tables.sit(table_id, by_id[second.person], None)) == RefusalCode.NAME
        renamed = await live.people.update(second.person, name="Zoe")
        for person in (by_id[first.person], renamed):
            await live.tables.sit(table_id, person, None)

    play(tmp_path, job)


def test_an_alert_is_dropped_once_its_person_wants_none_of_the_group(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, groups = house.live, house.live.service(Groups)
        people = [house.ada, house.ben, *await more_people(house.live, 1)]
        for person in people:
            await house.mailed(person, f"{person.name.lower()}@example.org")
        season = await begun(live, people)
        await groups.choose(house.ada.id, season.group_id, has_alerts=False, is_ranked=False)
        await groups.leave(house.ben.id, season.group_id)
        await house.look()
        assert [mail["To"].partition("@")[0] for mail in house.post.mails] == ["cleo"]

    house(job)


@pytest.mark.postgresql
def test_two_processes_give_a_free_place_once(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        cleo, dora, emil = await more_people(first, 3)
        people = [ada, ben, cleo]
        season = await joined(first, await group_of(first, *people, dora, emil), people)
        await first.service(Seasons).begin(ada.id, season.group_id, season.id)
        await first.service(Seasons).leave(cleo.id, season.group_id, season.id)
        await asyncio.gather(
            first.service(Seasons).join(dora, season.group_id, season.id),
            second.service(Seasons).join(emil, season.group_id, season.id),
            return_exceptions=True,
        )
        season = await first.service(Seasons).find(season.group_id, season.id)
        assert [member.number for member in season.members] == [0, 1, 2]

    run_in_two_servers(postgres.schema(), job)
