"""Check codes for another device: limits on wrong codes, and expiry on a steady clock."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR, VALID_SECONDS, DeviceCodes
from spieltisch.store import Person
from spieltisch.store.one_time import SKEW_SECONDS, DeviceCode
from spieltisch.store.schema import DEVICE_CODES
from tests.live.hand_set_clocks import MachineClock
from tests.live.live_fixture import play, signed_in
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def person_of(code: DeviceCode | None) -> str | None:
    return None if code is None else code.person


def test_wrong_device_codes_are_counted_for_the_sending_visitor(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        now = 100.0
        codes = DeviceCodes(live.store, lambda: now)
        code = await codes.issue(ada.id, "session", 0.0)
        for _ in range(GUESSES_OF_VISITOR):
            assert await codes.redeem("wrong", visitor="eve", address="home") is None
        with refused("too-many-codes"):
            await codes.redeem(code, visitor="eve", address="elsewhere")
        assert person_of(await codes.redeem(code.lower(), visitor="ada's telephone", address="home")) == ada.id
        assert await codes.redeem(code, visitor="ada's telephone", address="home") is None
        now += VALID_SECONDS
        assert await codes.redeem("wrong", visitor="eve", address="home") is None

    play(tmp_path, job)


def test_wrong_device_codes_are_counted_for_the_sending_address(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        codes = DeviceCodes(live.store, lambda: 100.0)
        code = await codes.issue(ada.id, "session", 0.0)
        for number in range(GUESSES_OF_ADDRESS):
            assert await codes.redeem("wrong", visitor=f"eve {number}", address="192.0.2.1") is None
        with refused("too-many-codes"):
            await codes.redeem(code, visitor="eve", address="192.0.2.1")
        assert person_of(await codes.redeem(code, visitor="ada's telephone", address="192.0.2.2")) == ada.id

    play(tmp_path, job)


@pytest.mark.parametrize("seconds", [-VALID_SECONDS, VALID_SECONDS + SKEW_SECONDS])
def test_an_expired_device_code_stays_invalid_when_the_clock_is_set_back(tmp_path: Path, seconds: float) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        codes = DeviceCodes(live.store, live.notices.time)
        code = await codes.issue(ada.id, "session", 0.0)
        assert (await codes.current(ada.id) or "").replace(" ", "") == code

        def shift(connection: Connection) -> None:
            connection.execute(update(DEVICE_CODES).values(until=DEVICE_CODES.c.until + seconds))

        await live.store.write(shift)
        assert await codes.current(ada.id) is None
        assert await codes.redeem(code, visitor="", address="") is None

    play(tmp_path, job)


@pytest.mark.parametrize("set_by", [-300.0, 300.0])
def test_a_device_code_is_valid_for_ten_minutes_despite_a_clock_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_by: float
) -> None:
    hands = MachineClock(monkeypatch)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        await live.people.issue_device_code(ada.id, await signed_in(live, ada))
        hands.run(400.0)
        hands.set_by(set_by)
        hands.run(VALID_SECONDS - 401.0)
        code = await live.people.code(ada.id)
        assert code is not None
        hands.run(1.0)
        assert await live.people.code(ada.id) is None
        with refused("no-code"):
            await live.people.by_code(code, visitor="", address="")

    play(tmp_path, job)


def test_the_only_process_of_a_database_deletes_device_codes_from_before_its_start(tmp_path: Path) -> None:
    """Otherwise old codes could become valid again if the clock had been set back while no server ran."""

    async def main() -> None:
        ada = None
        for _ in range(2):
            live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
            try:
                if ada is None:
                    ada, session = await live.people.create("Ada")
                    await live.people.issue_device_code(ada.id, session)
                    assert await live.people.code(ada.id) is not None
                else:
                    assert await live.people.code(ada.id) is None
            finally:
                await live.close()

    asyncio.run(main())
