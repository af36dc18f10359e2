"""Recovery codes, and the export and deletion of a person's data while the others play on."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR
from spieltisch.live.recovery_codes import RECOVERY_CODE_LENGTH
from spieltisch.store import Person, results
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.chat import ChatReader
from tests.live.live_fixture import move, play, running, signed_in
from tests.live.test_history import to_the_end
from tests.tables.harness import refused


def test_a_recovery_code_is_good_until_there_is_another(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        people = live.people
        assert await people.recovery.made(ada.id) is None
        code = await people.recovery.give(ada.id, await signed_in(live, ada))
        assert len(code.replace("-", "")) == RECOVERY_CODE_LENGTH
        asker = {"visitor": "a browser", "address": "192.0.2.1"}
        for typed in (code, code.lower(), code.replace("-", " "), code.replace("-", "")):
            assert (await people.by_code(typed, **asker)).person == ada.id
        assert await people.recovery.made(ada.id) is not None
        assert await people.recovery.made(ben.id) is None
        newer = await people.recovery.give(ada.id, await signed_in(live, ada))
        for wrong in (
            code,
            newer[:-1] + ("2" if newer[-1] != "2" else "3"),
            newer[:5] + code[5:],
            "",
            "2" * RECOVERY_CODE_LENGTH,
        ):
            with refused("no-code"):
                await people.by_code(wrong, **asker)
        assert (await people.by_code(newer, **asker)).person == ada.id

    play(tmp_path, job)


def test_no_code_stands_in_the_file(tmp_path: Path) -> None:
    codes: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        codes.append(await live.people.recovery.give(ada.id, await signed_in(live, ada)))

    play(tmp_path, job)
    whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    secret = codes[0].replace("-", "")[5:]
    assert secret.encode() not in whole
    assert codes[0][6:].encode() not in whole


@pytest.mark.parametrize(("many", "same"), [(GUESSES_OF_VISITOR, "visitor"), (GUESSES_OF_ADDRESS, "address")])
def test_wrong_recovery_codes_count_like_those_for_devices(tmp_path: Path, many: int, same: str) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        code = await live.people.recovery.give(ada.id, await signed_in(live, ada))

        def asker(number: int) -> dict[str, str]:
            return {"visitor": f"v{number}", "address": f"a{number}"} | {same: "eve"}

        async def guess(number: int) -> None:
            with refused("no-code"):
                await live.people.by_code("2" * RECOVERY_CODE_LENGTH, **asker(number))

        await asyncio.gather(*(guess(number) for number in range(many)))
        with refused("too-many-codes"):
            await live.people.by_code(code, **asker(many))
        assert (await live.people.by_code(code, visitor="ada", address="home")).person == ada.id

    play(tmp_path, job)


def test_others_play_on_while_somebody_is_deleted(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, _ = await live.people.create("Zoe")
        on = [await running(live, zoe, ben) for _ in range(3)]
        notified: list[Table] = []
        live.tables.subscribe(on[2].id, notified.append)

        async def plays(table: Table) -> None:
            while table.to_decide is not None and table.seats[table.to_decide].kind != "left":
                with suppress(TableRefusal):  # the seat is somebody else's since it was looked at
                    await move(live, table)
                table = await live.tables.get(table.id)

        await asyncio.gather(*(plays(table) for table in on[:2]), live.person_data.delete(zoe))
        assert notified, "open pages are told"
        for table in on:
            kept = await live.store.events(table.id)
            assert not any(zoe.id.encode() in event.data for event in kept)
            assert len(kept) == (await live.tables.get(table.id)).version

    play(tmp_path, job)


def test_whoever_goes_for_good_is_nowhere_and_the_others_play_on(tmp_path: Path) -> None:
    gone: list[str] = []

    async def job(live: Live, ada: Person, ben: Person) -> None:
        zoe, token = await live.people.create("Żywia")
        gone.extend((zoe.id, zoe.name))
        await live.people.recovery.give(zoe.id, token)
        over = await to_the_end(live, await running(live, ada, zoe))
        on = await running(live, ada, zoe)
        await live.game_history.of(zoe.id)
        with live.presence.connected(zoe.id):
            await live.person_data.delete(zoe)
        assert await live.people.by_token(token) is None
        for table in (await live.tables.get(over.id), await live.tables.get(on.id)):
            assert table.seat_of(zoe.id) is None
            assert zoe.name not in str(table.names)
        assert (await live.tables.get(on.id)).seats[1].kind == "left"
        past = await live.game_history.of(ada.id)
        assert [player.name for player in dict(past.games)[over.id].players][1] != zoe.name
        assert await results.of_person(live.store, zoe.id) == ()
        await live.tables.run(on.id, tables.replace_with_bot, ada.id, 1, "random")

    play(tmp_path, job)
    whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [word for word in gone if word.encode() in whole] == []


def test_everything_is_in_one_file_and_nothing_secret(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        over = await to_the_end(live, await running(live, ada, ben))
        on = await running(live, ada, ben)
        await live.chat.post(on, ChatReader(ada.id, 0, is_host=True, is_player=True), "Ada", "note", "Lyon next")
        await live.chat.post(
            on, ChatReader(ben.id, 1, is_host=False, is_player=True), "Ben", "note", "Not Ada's business"
        )
        data = json.loads(await live.person_data.export(ada))
        assert [(message["table"], message["room"], message["text"]) for message in data["said"]] == [
            (on.id, "note", "Lyon next")
        ]
        assert (data["name"], data["preferences"]) == ("Ada", msgspec.to_builtins(ada.preferences))
        listed = {table["id"]: table for table in data["tables"]}
        assert listed[over.id]["record"] == over.record(None).text
        assert listed[on.id]["record"] is None
        assert listed[on.id]["seat"] == 0
        assert (await live.store.secret(on.id)).hex() not in json.dumps(data)

    play(tmp_path, job)
