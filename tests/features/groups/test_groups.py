"""Check groups: members, link, roles, tables that only members see, alerts, restarts, and removal without a trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.features.groups import rows
from spieltisch.features.groups.rows import GROUP_MEMBERS, GROUP_TABLES, GROUPS, Defaults
from spieltisch.features.groups.service import Groups
from spieltisch.features.playmates.service import Playmates
from spieltisch.live import Live
from spieltisch.live.limits import Limits
from spieltisch.store import Person, lobby, person_rows
from spieltisch.store.removal import remove_table
from spieltisch.tables import TableSettings
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.pages.perspectives import perspective_of
from tests.features.live_groups import group_of, refused, rows_in
from tests.live.conftest import House
from tests.live.live_fixture import move, play, running, to_the_end
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server as Postgres

GAME = "paris-connection"


def test_people_join_by_a_link_that_can_be_reset(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada)
        link = groups.link(group)
        await groups.join(ben.id, link)
        await groups.join(ben.id, link)
        group = await groups.find(ben.id, group.id)
        assert [member.name for member in group.members] == ["Ada", "Ben"]
        assert await groups.of(ben.id) == [(group.id, "Thursday club")]
        assert await groups.overview(ben.id) == [(group, 0)]
        await groups.reset_link(ada.id, group.id)
        cleo, _ = await live.people.create("Cleo")
        for token in (link, "nonsense", link[:-1]):
            assert await refused(groups.join(cleo.id, token)) == RefusalCode.NO_LINK
        await groups.join(cleo.id, groups.link(await groups.find(ada.id, group.id)))

    play(tmp_path, job)


def test_to_a_stranger_a_group_is_one_that_does_not_exist(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada)
        for group_id in (group.id, "no-such-group"):
            for person in (None, ben.id, ""):
                for attempt in (
                    groups.find(person, group_id),
                    groups.leave(person, group_id),
                    groups.reset_link(person, group_id),
                    groups.choose(person, group_id, has_alerts=True, is_ranked=True),
                    groups.change(person, group_id, name="Mine"),
                    groups.remove(person, group_id, ada.id),
                    groups.set_defaults(person, group_id, GAME, Defaults()),
                ):
                    assert await refused(attempt) == RefusalCode.NO_GROUP

    play(tmp_path, job)


def test_only_the_host_manages_and_the_next_member_follows(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        cleo, _ = await live.people.create("Cleo")
        group = await group_of(live, ada, ben, cleo)
        for attempt in (
            groups.reset_link(ben.id, group.id),
            groups.change(ben.id, group.id, name="Mine"),
            groups.remove(ben.id, group.id, cleo.id),
            groups.set_defaults(ben.id, group.id, GAME, Defaults()),
        ):
            assert await refused(attempt) == RefusalCode.NOT_HOST
        assert await refused(groups.remove(ada.id, group.id, ada.id)) == RefusalCode.NO_PERSON
        assert group.may_invite(ben.id)
        await groups.change(ada.id, group.id, members_invite=0)
        group = await groups.find(ada.id, group.id)
        assert not group.may_invite(ben.id)
        link = groups.link(group)
        await groups.remove(ada.id, group.id, cleo.id)
        assert await refused(groups.join(cleo.id, link)) == RefusalCode.NO_LINK, "a removed member cannot return by it"
        await groups.leave(ada.id, group.id)
        group = await groups.find(ben.id, group.id)
        assert group.host == ben.id
        await groups.leave(ben.id, group.id)
        for table in (GROUPS, GROUP_MEMBERS, GROUP_TABLES):
            assert await rows_in(live, table) == []

    play(tmp_path, job)


def test_groups_and_members_are_limited(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada, ben)
        assert await refused(groups.create(ada.id, "Another")) == RefusalCode.TOO_MANY_GROUPS
        cleo, _ = await live.people.create("Cleo")
        assert await refused(groups.join(cleo.id, groups.link(group))) == RefusalCode.GROUP_FULL

    play(tmp_path, job, Limits(groups_per_person=1, group_members=2))


def test_only_members_see_a_table_of_the_group_and_take_its_seats(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        (cleo, _), (dora, _) = await live.people.create("Cleo"), await live.people.create("Dora")
        group = await group_of(live, ada, ben, cleo)
        ben_as_member = group.member(ben.id)
        assert ben_as_member is not None
        table = await groups.open(ada, group, GAME, [ben_as_member], 3, "")
        assert [(seat.kind, seat.name) for seat in table.seats] == [
            ("person", "Ada"),
            ("reserved", "Ben"),
            ("link", ""),
        ]
        assert [each.id for each in (await lobby.own_tables(live.store, ben.id)).unfinished.tables] == [table.id]
        for person in (ben, cleo):
            assert (await perspective_of(live, table, person.id)).seat is None
        for stranger in (dora.id, None):
            assert await refused(perspective_of(live, table, stranger)) == RefusalCode.NO_TABLE
        other = await group_of(live, dora)
        assert await refused(groups.sit(dora, other, table.id)) == RefusalCode.NO_TABLE
        assert await refused(groups.sit(dora, other, "no-such-table")) == RefusalCode.NO_TABLE
        await groups.sit(cleo, group, table.id)
        table = await groups.sit(ben, group, table.id)
        assert (table.status, table.seat_of(ben.id), table.seat_of(cleo.id)) == ("running", 1, 2)
        emil, _ = await live.people.create("Emil")
        await groups.join(emil.id, groups.link(group))
        assert (await perspective_of(live, table, emil.id)).seat is None
        await groups.remove(ada.id, group.id, emil.id)
        assert await refused(perspective_of(live, table, emil.id)) == RefusalCode.NO_TABLE

    play(tmp_path, job)


def test_a_seat_of_the_group_is_neither_taken_by_nor_kept_for_someone_who_was_removed_meanwhile(
    tmp_path: Path,
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        as_ben_knew_it = await group_of(live, ada, ben)
        table = await groups.open(ada, as_ben_knew_it, GAME, [], 3, "")
        await groups.remove(ada.id, as_ben_knew_it.id, ben.id)
        assert await refused(groups.sit(ben, as_ben_knew_it, table.id)) == RefusalCode.NO_GROUP
        assert (await live.tables.get(table.id)).seat_of(ben.id) is None
        guest = as_ben_knew_it.member(ben.id)
        assert guest is not None
        assert await refused(groups.open(ada, as_ben_knew_it, GAME, [guest], 3, "")) == RefusalCode.NO_PERSON
        assert await rows_in(live, GROUP_TABLES) == [(table.id, as_ben_knew_it.id)]

    play(tmp_path, job)


@pytest.mark.parametrize("is_removed", [True, False])
def test_no_table_keeps_a_seat_for_someone_whose_membership_has_ended(tmp_path: Path, is_removed: bool) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada, ben)
        guest = group.member(ben.id)
        assert guest is not None
        kept, taken, own = [await groups.open(ada, group, GAME, [guest], 3, "") for _ in range(2)] + [
            await groups.open(ben, group, GAME, [], 3, "")
        ]
        await groups.sit(ben, group, taken.id)
        suspended = await groups.open(ada, group, GAME, [guest], 3, "")
        await live.tables.run(suspended.id, tables.suspend)
        if is_removed:
            await groups.remove(ada.id, group.id, ben.id)
        else:
            await groups.leave(ben.id, group.id)
        table = await live.tables.get(kept.id)
        assert [seat.kind for seat in table.seats] == ["person", "link", "link"]
        assert await refused(live.tables.sit(kept.id, ben, None)) == RefusalCode.NOT_INVITED
        assert await refused(perspective_of(live, table, ben.id)) == RefusalCode.NO_TABLE
        for other in (taken, own):  # their hosts can take that seat back
            assert (await live.tables.get(other.id)).seat_of(ben.id) is not None
        assert (await groups.find(ada.id, group.id)).member(ben.id) is None

    play(tmp_path, job)


def test_a_table_begins_with_the_settings_of_the_group(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada, ben)
        defaults = Defaults({"standstill": "ends"}, "", TableSettings("live", time_bank=60, turn_time=20))
        await groups.set_defaults(ada.id, group.id, GAME, defaults)
        group = await groups.find(ben.id, group.id)
        table = await groups.open(ben, group, GAME, [], 3, "")
        assert table.opened.options["standstill"] == "ends"
        assert table.opened.settings == defaults.charter
        other = await groups.open(ben, group, "era-of-inventions", [], 3, "")
        assert other.opened.settings.clock == ""

    play(tmp_path, job)


@pytest.mark.parametrize(("free", "told"), [(0, ["ben"]), (1, ["ben", "cleo"])])
def test_those_who_want_alerts_hear_of_a_table_that_has_a_seat_for_them(
    house: Callable[..., None], free: int, told: list[str]
) -> None:
    async def job(house: House) -> None:
        live, groups = house.live, house.live.service(Groups)
        (cleo, _), (dora, _) = await live.people.create("Cleo"), await live.people.create("Dora")
        group = await group_of(live, house.ada, house.ben, cleo, dora)
        for person in (house.ada, house.ben, cleo, dora):
            await house.mailed(person, f"{person.name.lower()}@example.org")
        await groups.choose(dora.id, group.id, has_alerts=False, is_ranked=True)
        guest = group.member(house.ben.id)
        assert guest is not None
        full = [guest, *[member for member in group.members if member.id == dora.id]]
        table = await groups.open(house.ada, group, GAME, [guest] if free else full, 3, "")
        await house.look()
        assert sorted(mail["To"].partition("@")[0] for mail in house.post.mails) == told
        title, _ = texts.group_text(table, house.ben.id, "de", group.name)
        assert title in {mail["Subject"] for mail in house.post.mails}

    house(job)


def test_an_alert_of_a_table_is_dropped_once_its_host_is_muted(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, ada, ben = house.live, house.ada, house.ben
        await to_the_end(live, await running(live, ada, ben))
        await house.mailed(ben)
        group, playmates = await group_of(live, ada, ben), live.service(Playmates)
        await live.service(Groups).open(ada, group, GAME, [], 3, "")
        await playmates.mark(ben.id, playmates.key(ben.id, ada.id), "mute")
        await house.look()
        assert house.post.mails == []

    house(job)


def test_a_group_outlasts_a_restart_and_standings_name_those_who_agreed(tmp_path: Path) -> None:
    people: list[Person] = []

    async def prepare(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        group = await group_of(live, ada, ben)
        await groups.set_defaults(ada.id, group.id, GAME, Defaults({"standstill": "ends"}))
        group = await groups.find(ada.id, group.id)
        cleo, _ = await live.people.create("Cleo")
        await groups.join(cleo.id, groups.link(group))
        table = await groups.open(ada, group, GAME, [], 3, "")
        for person in (ben, cleo):
            table = await groups.sit(person, group, table.id)
        table = await to_the_end(live, table)
        await live.game_history.add_result(table.id)
        await groups.choose(ben.id, group.id, has_alerts=False, is_ranked=True)
        people.extend((ada, ben))

    async def look(live: Live, *others: Person) -> None:
        groups = live.service(Groups)
        ada, ben = people
        assert len(others) == 2
        group_id = (await groups.of(ada.id))[0][0]
        group = await groups.find(ada.id, group_id)
        assert [member.is_ranked for member in group.members] == [False, True, False]
        assert group.defaults[GAME].options["standstill"] == "ends"
        tables, results = await groups.tables(group)
        assert [table.status for table in tables] == ["finished"]
        assert [result.seat_of(ben.id) for _, result in results] == [1]
        await remove_table(live.store, tables[0].id)
        assert await groups.tables(group) == ((), ())

    play(tmp_path, prepare)
    play(tmp_path, look)


@pytest.mark.parametrize("is_last", [True, False])
def test_a_removed_person_leaves_no_trace_in_their_group(tmp_path: Path, is_last: bool) -> None:
    removed: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        zoe, _ = await live.people.create("Żywia")
        removed.extend((zoe.id, zoe.name))
        others = [] if is_last else [ada, ben]
        group = await group_of(live, zoe, *others, name="Friends of Żywia")
        if not is_last:
            table = await groups.open(ada, group, GAME, [group.members[0]], 3, "")
            await groups.sit(ben, group, table.id)
            await groups.sit(zoe, group, table.id)
        (row,) = (await person_rows.of_person(live.store, zoe.id))["group_members"]
        assert row["group_id"] == group.id
        await live.person_data.delete(zoe)
        if is_last:
            assert await rows_in(live, GROUPS) == []
        else:
            group = await groups.find(ada.id, group.id)
            assert group.host == ada.id
            assert group.name == "Friends of N. N."

    play(tmp_path, job)
    stored_bytes = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in removed if word.encode() in stored_bytes] == []


def test_a_removed_member_ends_the_link_to_their_group_and_changes_no_other(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        groups = live.service(Groups)
        zoe, _ = await live.people.create("Club")
        own, other = await group_of(live, zoe, ada), await group_of(live, ada, ben, name="Thursday Club")
        known, link = groups.link(own), groups.link(other)
        await live.person_data.delete(zoe)
        assert await refused(groups.join(ben.id, known)) == RefusalCode.NO_LINK
        await groups.join(ben.id, groups.link(await groups.find(ada.id, own.id)))
        assert (await groups.find(ada.id, other.id)).name == "Thursday Club"
        cleo, _ = await live.people.create("Cleo")
        await groups.join(cleo.id, link)

    play(tmp_path, job)


@pytest.mark.postgresql
def test_two_processes_see_one_group(postgres: Postgres) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        group = await group_of(first, ada)
        await second.service(Groups).join(ben.id, first.service(Groups).link(group))
        group = await first.service(Groups).find(ben.id, group.id)
        table = await second.service(Groups).open(ben, group, GAME, [group.members[0]], 3, "")
        seen = await first.tables.get_newest(table.id)
        assert (await perspective_of(first, seen, ada.id)).seat is None
        await second.service(Groups).leave(ada.id, group.id)
        assert await refused(first.service(Groups).find(ada.id, group.id)) == RefusalCode.NO_GROUP

    run_in_two_servers(postgres.schema(), job)


def test_a_hidden_move_brings_back_no_table_that_others_have_displaced(
    house: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(house: House) -> None:
        live, groups = house.live, house.live.service(Groups)
        group = await group_of(live, house.ada, house.ben)
        delayed = Defaults(charter=TableSettings(watch_delay=5))
        await groups.set_defaults(house.ada.id, group.id, GAME, delayed)
        older = await groups.open(house.ada, await groups.find(house.ada.id, group.id), GAME, (), 3, "")
        for person in (house.ben, (await live.people.create("Cleo"))[0]):
            older = await live.tables.sit(older.id, person, None, by_link=True)
        house.clock.now += 10
        newer = await groups.open(house.ada, group, GAME, (), 3, "")
        house.clock.now += 10
        await move(live, older)
        assert [table.id for table in await rows.tables_of(live.store, group.id)] == [newer.id, older.id]
        monkeypatch.setattr(rows, "MAX_TABLES", 1)
        assert [table.id for table in await rows.tables_of(live.store, group.id)] == [newer.id]

    house(job)
