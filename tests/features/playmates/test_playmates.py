"""Check invitations to people one has played with: whom they reach, and that muting and blocking stays invisible."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.features.playmates.rows import PLAYMATE_MARKS
from spieltisch.features.playmates.service import Playmate, Playmates
from spieltisch.live import Live
from spieltisch.store import Person, lobby, person_rows
from spieltisch.store.quota_counts import count_seats
from spieltisch.tables import NewTable, Table, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from tests.live.conftest import House
from tests.live.live_fixture import play, running, to_the_end

PLAN = NewTable("paris-connection", ("me", "reserved", "link"), watch="link")


async def played(live: Live, ada: Person, ben: Person) -> Playmate:
    """Finish a game of both, and return Ben as Ada knows him."""
    await to_the_end(live, await running(live, ada, ben))
    (playmate,) = await live.service(Playmates).of(ada.id)
    return playmate


async def mark_each_other(live: Live, ada: Person, ben: Person, word: str) -> None:
    """Let Ben mark Ada by a word."""
    playmates = live.service(Playmates)
    await playmates.mark(ben.id, playmates.key(ben.id, ada.id), word)


async def listed(live: Live, person: Person) -> list[str]:
    """Return the ids of the unfinished tables that the lobby lists for a person."""
    return [table.id for table in (await lobby.own_tables(live.store, person.id)).unfinished.tables]


def test_people_appear_after_a_finished_game_with_their_last_one(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        assert await live.service(Playmates).of(ada.id) == []
        playmate = await played(live, ada, ben)
        assert (playmate.id, playmate.name, playmate.games, playmate.game) == (ben.id, "Ben", 1, "paris-connection")
        (back,) = await live.service(Playmates).of(ben.id)
        assert (back.id, back.name) == (ada.id, "Ada")
        assert back.key != live.service(Playmates).key(ada.id, ada.id), "a key is of one viewer"

    play(tmp_path, job)


def test_a_seat_is_kept_for_the_invited_person_only(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        ben_seen = await played(live, ada, ben)
        table = await live.service(Playmates).invite(ada, [ben_seen], PLAN, "")
        assert [(seat.kind, seat.name) for seat in table.seats[:2]] == [("person", "Ada"), ("reserved", "Ben")]
        cleo, _ = await live.people.create("Cleo")
        with pytest.raises(TableRefusal) as refused:
            await live.tables.run(table.id, tables.sit, cleo, 1)
        assert refused.value.code == RefusalCode.NOT_INVITED
        assert await listed(live, ben) == [table.id]
        table = await live.tables.run(table.id, tables.sit, ben)
        assert table.seat_of(ben.id) == 1

    play(tmp_path, job)


def test_only_people_one_has_played_with_can_be_invited_or_marked(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        playmates = live.service(Playmates)
        for key in ("", playmates.key(ada.id, ben.id), playmates.key(ada.id, ada.id)):
            with pytest.raises(TableRefusal) as refused:
                await playmates.find(ada.id, [key])
            assert refused.value.code == RefusalCode.NO_PERSON
            with pytest.raises(TableRefusal):
                await playmates.mark(ada.id, key, "block")

    play(tmp_path, job)


@pytest.mark.parametrize(("word", "alerts"), [("clear", 1), ("mute", 0), ("block", 0)])
def test_an_invitation_uses_the_alerts_of_the_invited_unless_they_muted_the_host(
    house: Callable[..., None], word: str, alerts: int
) -> None:
    async def job(house: House) -> None:
        live, ada, ben = house.live, house.ada, house.ben
        ben_seen = await played(live, ada, ben)
        await house.mailed(ben)
        await mark_each_other(live, ada, ben, word)
        table = await live.service(Playmates).invite(ada, [ben_seen], PLAN, "")
        await house.look()
        title, _ = texts.invited_text(table, ben.id, ben.language)
        assert [mail["Subject"] for mail in house.post.mails] == [title] * alerts

    house(job)


def test_an_alert_of_an_invitation_is_dropped_once_its_host_is_muted(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        ben_seen = await played(house.live, house.ada, house.ben)
        await house.mailed(house.ben)
        await house.live.service(Playmates).invite(house.ada, [ben_seen], PLAN, "")
        await mark_each_other(house.live, house.ada, house.ben, "mute")
        await house.look()
        assert house.post.mails == []

    house(job)


async def invited_and_rematched(live: Live, ada: Person, ben: Person) -> tuple[Table, Table]:
    finished = await to_the_end(live, await running(live, ada, ben))
    (ben_seen,) = await live.service(Playmates).of(ada.id)
    invited = await live.service(Playmates).invite(ada, [ben_seen], PLAN, "")
    return invited, await live.tables.rematch(finished.id, ada)


@pytest.mark.parametrize("is_blocked_before", [True, False])
def test_who_blocks_a_host_sees_none_of_their_tables_that_keep_a_seat(tmp_path: Path, is_blocked_before: bool) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        await played(live, ada, ben)
        if is_blocked_before:
            await mark_each_other(live, ada, ben, "block")
        kept = await invited_and_rematched(live, ada, ben)
        if not is_blocked_before:
            assert len(await listed(live, ben)) == 2
            await mark_each_other(live, ada, ben, "block")
        assert await listed(live, ben) == []
        assert len(await listed(live, ada)) == 2
        assert await live.store.read(lambda connection: count_seats(connection, ben.id)) == 0
        cleo, _ = await live.people.create("Cleo")
        invited = await live.tables.run(kept[0].id, tables.sit, cleo, 2, by_link=True)
        assert invited.seats[1].kind == "reserved"
        assert await listed(live, ben) == [], "a change of the table brings it back"
        await mark_each_other(live, ada, ben, "clear")
        assert set(await listed(live, ben)) == {table.id for table in kept}, "the seats are still his"

    play(tmp_path, job)


def test_what_the_host_can_read_is_the_same_whether_they_are_blocked(tmp_path: Path) -> None:
    worlds = []
    for word in ("clear", "block", "mute"):

        async def job(live: Live, ada: Person, ben: Person, word: str = word) -> None:
            await played(live, ada, ben)
            await mark_each_other(live, ada, ben, word)
            kept = await invited_and_rematched(live, ada, ben)
            seen = [[(seat.kind, seat.name, seat.person == ben.id) for seat in table.seats] for table in kept]
            own = (await lobby.own_tables(live.store, ada.id)).unfinished.tables
            statuses = [(table.status, table.version, len(table.summary.seats)) for table in own]
            people = [(each.name, each.games, each.mark) for each in await live.service(Playmates).of(ada.id)]
            exported = json.loads(await live.person_data.export(ada))
            worlds.append((seen, statuses, people, sorted(exported), [each["seats"] for each in exported["tables"]]))

        play(tmp_path / word, job)
    assert worlds[0] == worlds[1] == worlds[2]


def test_marks_outlast_a_restart_and_can_be_taken_back(tmp_path: Path) -> None:
    people: list[Person] = []

    async def block(live: Live, ada: Person, ben: Person) -> None:
        await played(live, ada, ben)
        await mark_each_other(live, ada, ben, "block")
        people.extend((ada, ben))

    async def look_again(live: Live, *_: Person) -> None:
        ada, ben = people
        (ada_seen,) = await live.service(Playmates).of(ben.id)
        assert ada_seen.mark is not None
        assert ada_seen.mark.is_blocked
        await mark_each_other(live, ada, ben, "clear")
        (ada_seen,) = await live.service(Playmates).of(ben.id)
        assert ada_seen.mark is None

    play(tmp_path, block)
    play(tmp_path, look_again)


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_removed_person_leaves_no_trace_as_host_or_guest_or_with_a_mark(tmp_path: Path, is_marked: bool) -> None:
    removed: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, _ = await live.people.create("Żywia")
        removed.extend((zoe.id, zoe.name))
        playmates = live.service(Playmates)
        zoe_seen = await played(live, ada, zoe)
        await playmates.invite(ada, [zoe_seen], PLAN, "")
        (ada_seen,) = await playmates.of(zoe.id)
        await playmates.invite(zoe, [ada_seen], PLAN, "")
        if is_marked:
            await playmates.mark(ada.id, zoe_seen.key, "block")
            await playmates.mark(zoe.id, ada_seen.key, "mute")
            exported = await person_rows.of_person(live.store, zoe.id)
            assert [(row["name"], "other" in row) for row in exported["playmate_marks"]] == [("Ada", False)]
        await live.person_data.delete(zoe)
        assert await live.store.read(lambda connection: connection.execute(select(PLAYMATE_MARKS)).all()) == []
        assert await playmates.of(ada.id) == []

    play(tmp_path, job)
    stored_bytes = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in removed if word.encode() in stored_bytes] == []
