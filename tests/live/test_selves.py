"""Two selves become one and nothing is lost; whoever goes for good is nowhere any more, and the others play on."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import tables
from spieltisch.live import Live, history
from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.recovery import LENGTH
from spieltisch.store import Person, Preferences, results
from spieltisch.tables import Plan, Table, TableRefusal
from spieltisch.tables.talk import SIGNS, Reader
from tests.live.opened import move, play, running
from tests.live.test_history import to_the_end, toys
from tests.tables.sitting import refused


def test_a_recovery_code_is_good_until_there_is_another(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = live.people
        assert await people.recovery.made(ada.id) is None
        code = await people.recovery.give(ada.id)
        assert len(code.replace("-", "")) == LENGTH
        asker = {"visitor": "a browser", "address": "192.0.2.1"}
        for typed in (code, code.lower(), code.replace("-", " "), code.replace("-", "")):
            assert (await people.by_code(typed, **asker)).id == ada.id
        assert await people.recovery.made(ada.id) is not None
        assert await people.recovery.made(ben.id) is None
        newer = await people.recovery.give(ada.id)
        for wrong in (code, newer[:-1] + ("2" if newer[-1] != "2" else "3"), newer[:5] + code[5:], "", "2" * LENGTH):
            with refused("no-code"):
                await people.by_code(wrong, **asker)
        assert (await people.by_code(newer, **asker)).id == ada.id

    play(tmp_path, job)


def test_no_code_stands_in_the_file(tmp_path: Path) -> None:
    codes: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        codes.append(await live.people.recovery.give(ada.id))

    play(tmp_path, job)
    whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    secret = codes[0].replace("-", "")[5:]
    assert secret.encode() not in whole
    assert codes[0][6:].encode() not in whole


@pytest.mark.parametrize(("many", "same"), [(GUESSES_OF_VISITOR, "visitor"), (GUESSES_OF_ADDRESS, "address")])
def test_wrong_recovery_codes_count_like_those_for_devices(tmp_path: Path, many: int, same: str) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        code = await live.people.recovery.give(ada.id)

        def asker(number: int) -> dict[str, str]:
            return {"visitor": f"v{number}", "address": f"a{number}"} | {same: "eve"}

        async def guess(number: int) -> None:
            with refused("no-code"):
                await live.people.by_code("2" * LENGTH, **asker(number))

        await asyncio.gather(*(guess(number) for number in range(many)))
        with refused("too-many-codes"):
            await live.people.by_code(code, **asker(many))
        assert (await live.people.by_code(code, visitor="ada", address="home")).id == ada.id

    play(tmp_path, job)


def test_the_telephones_self_and_the_laptops_become_one(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        phone, token = await live.people.arrive("Ada on the go", "fr", Preferences(theme="dark", sound=True))
        ada = await live.people.change(ada.id, preferences=Preferences(theme="light"))
        over = await to_the_end(live, await running(live, phone, ben))
        on = await running(live, phone, ben)
        hosted = await live.tables.open(phone, Plan("paris-connection", ("open", "open", "open")))
        mine = await to_the_end(live, await running(live, ada, ben))
        before = dict((await live.history.of(phone.id)).games)
        told: list[Table] = []
        live.tables.subscribe(on.id, told.append)
        await live.selves.merge(ada, phone)

        assert [one.id for one in told] == [on.id], "open pages are told"
        assert (await live.people.by_token(token) or ben).id == ada.id
        assert len(await live.people.sessions(ada.id)) == 2
        for table_id, seat in ((over.id, 0), (on.id, 0), (hosted.id, None)):
            table = await live.tables.get(table_id)
            assert (table.host, table.seat_of(ada.id), table.seat_of(phone.id)) == (ada.id, seat, None)
        past = await live.history.of(ada.id)
        assert {one for one, _ in past.games} == {over.id, mine.id}
        assert [one.points for one in dict(past.games)[over.id].players] == [
            one.points for one in before[over.id].players
        ]
        assert (await live.history.rating("paris-connection", 3, ada.id)).games == 2
        now = await live.people.by_token(token)
        assert now is not None
        assert now.preferences == Preferences(theme="light", sound=True)
        assert {wrong async for _, wrong in history.rebuild(live.store, live.components.game, check=True)} == {""}
        assert (await move(live, await live.tables.get(on.id))).version == on.version + 1, "the game goes on"
        await live.selves.merge(ada, phone)  # once more does no harm

    play(tmp_path, job)


def test_what_one_self_said_and_does_not_want_to_read_goes_along(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        phone, _ = await live.people.arrive("Ada on the go", "fr", Preferences())
        table = await running(live, phone, ben)
        one, two, own = (
            Reader(*who, plays=True) for who in ((phone.id, 0, True), (ben.id, 1, False), (ada.id, 0, True))
        )
        await live.talk.say(table, two, "Ben", "table", "Hello")
        await live.talk.say(table, one, "Ada", "table", "Good evening")
        await live.talk.say(table, one, "Ada", "note", "Ben plays for Lyon")
        greeting = (await live.talk.words(table, one))[0].number
        await live.talk.do(table, one, greeting, next(iter(SIGNS)))
        await live.talk.do(table, one, greeting, "mute")
        await live.selves.merge(ada, phone)

        table = await live.tables.get(table.id)
        said = await live.talk.words(table, own)
        assert [word.text for word in said if word.person == ada.id] == ["Good evening", "Ben plays for Lyon"]
        assert phone.id not in msgspec.json.encode(said).decode()
        assert await live.talk.muted(table, own) == {ben.id}

    play(tmp_path, job)


def test_others_play_on_while_two_become_one(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        phone, _ = await live.people.arrive("Ada on the go")
        on = [await running(live, phone, ben) for _ in range(3)]

        async def plays(table: Table) -> Table:
            end = table.version + 5
            while table.version < end:
                with suppress(TableRefusal):  # they are somebody else since they looked, and look again
                    await move(live, table)
                table = await live.tables.get(table.id)
            return table

        async def opens() -> Table:
            return await live.tables.open(phone, Plan("paris-connection", ("open", "open", "open")))

        opening = asyncio.create_task(opens())
        await asyncio.gather(*(plays(table) for table in on[:2]), live.selves.merge(ada, phone), opening)
        assert [(await live.tables.get(table.id)).seat_of(ada.id) for table in on] == [0, 0, 0]
        assert (await live.tables.get(opening.result().id)).host == ada.id
        for table in on[:2]:
            kept = await live.store.events(table.id)
            assert not any(phone.id.encode() in one.data for one in kept)
            assert len(kept) == (await live.tables.get(table.id)).version == table.version + 5

    play(tmp_path, job)


def test_what_was_under_way_is_done_by_who_they_are_now(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        phone, _ = await live.people.arrive("Ada on the go")
        table = await live.tables.open(ben, Plan("paris-connection", ("me", "open", "open")))
        await live.selves.merge(ada, phone)
        own = await live.tables.open(phone, Plan("paris-connection", ("me", "open", "open")))
        table = await live.tables.sit(table.id, phone, 1)
        assert (own.host, own.seat_of(ada.id), table.seat_of(ada.id)) == (ada.id, 0, 1)

    play(tmp_path, job)


def test_two_who_sit_at_one_table_are_not_one(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        with refused("both-sit"):
            await live.selves.merge(ada, ben)
        assert await live.tables.get(table.id) is table
        assert (await live.people.sessions(ben.id)) != ()

    play(tmp_path, job)


def test_who_took_their_own_seat_again_from_another_device_is_one(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        again, _ = await live.people.arrive("Ben again")
        table = await running(live, ada, ben)
        await live.tables.run(table.id, tables.leave, ben.id)
        await live.tables.run(table.id, tables.sit, again, 1, by_link=True)
        await live.selves.merge(ben, again)
        assert (await live.tables.get(table.id)).seat_of(ben.id) == 1

    play(tmp_path, job)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("pqr"), st.booleans()), min_size=1, max_size=5))
def test_merging_loses_no_seat_whoever_sat_where(sat: list[tuple[str, str, bool]]) -> None:
    async def main(folder: Path) -> None:
        live = await Live.open(folder / "house.sqlite3", games=toys, limits=UNLIMITED)
        try:
            selves = {name: (await live.people.arrive(name * 3))[0] for name in "pqr"}
            seats: dict[str, list[int | None]] = {}
            for host, guest, ended in sat:
                table = await live.tables.open(
                    selves[host], Plan("toy", ("me", "open" if guest != host else "bot:random"))
                )
                if guest != host:
                    table = await live.tables.run(table.id, tables.sit, selves[guest], None)
                table = await to_the_end(live, table) if ended else table
                seats[table.id] = [table.seat_of(selves[name].id) for name in "pq"]
            if not all(None in found for found in seats.values()):
                with refused("both-sit"):
                    await live.selves.merge(selves["p"], selves["q"])
                return
            await live.selves.merge(selves["p"], selves["q"])
            for table_id, (one, two) in seats.items():
                assert (await live.tables.get(table_id)).seat_of(selves["p"].id) == (two if one is None else one)
            for person in selves.values():
                await live.history.of(person.id)
            wrong = {wrong async for _, wrong in history.rebuild(live.store, toys, check=True)}
            assert wrong <= {""}
        finally:
            await live.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))


def test_whoever_goes_for_good_is_nowhere_and_the_others_play_on(tmp_path: Path) -> None:
    gone: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, token = await live.people.arrive("Żywia")
        gone.extend((zoe.id, zoe.name))
        await live.people.recovery.give(zoe.id)
        over = await to_the_end(live, await running(live, ada, zoe))
        on = await running(live, ada, zoe)
        await live.history.of(zoe.id)
        with live.presence.staying(zoe.id):
            await live.selves.go(zoe)
        assert await live.people.by_token(token) is None
        for table in (await live.tables.get(over.id), await live.tables.get(on.id)):
            assert table.seat_of(zoe.id) is None
            assert zoe.name not in str(table.names)
        assert (await live.tables.get(on.id)).seats[1].kind == "left"
        past = await live.history.of(ada.id)
        assert [one.name for one in dict(past.games)[over.id].players][1] != zoe.name
        assert await results.of_person(live.store, zoe.id) == ()
        await live.tables.run(on.id, tables.replace, ada.id, 1, "random")

    play(tmp_path, job)
    whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in gone if word.encode() in whole] == []


def test_everything_is_in_one_file_and_nothing_secret(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        over = await to_the_end(live, await running(live, ada, ben))
        on = await running(live, ada, ben)
        await live.talk.say(on, Reader(ada.id, 0, host=True, plays=True), "Ada", "note", "Lyon next")
        await live.talk.say(on, Reader(ben.id, 1, host=False, plays=True), "Ben", "note", "Not Ada's business")
        found = json.loads(await live.selves.everything(ada))
        assert [(one["table"], one["room"], one["text"]) for one in found["said"]] == [(on.id, "note", "Lyon next")]
        assert (found["name"], found["preferences"]) == ("Ada", msgspec.to_builtins(ada.preferences))
        listed = {one["id"]: one for one in found["tables"]}
        assert listed[over.id]["record"] == over.record(None).text
        assert listed[on.id]["record"] is None
        assert listed[on.id]["seat"] == 0
        assert (await live.store.secret(on.id)).hex() not in json.dumps(found)

    play(tmp_path, job)
