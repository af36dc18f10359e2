"""Check alerts to players who have lost a seat and are not back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from spieltisch import tables
from spieltisch.store.alert_queue import queue_alerts
from spieltisch.store.hooks import Appended
from spieltisch.store.schema import OUTBOX, SEAT_ALERT
from spieltisch.tables.summary import FormerPlayer, TableSummary
from tests.live.conftest import House
from tests.live.live_fixture import move

pytestmark = pytest.mark.both_databases


def test_a_player_who_lost_a_seat_is_alerted_unless_they_are_back(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()
        seat = table.seat_of(house.ben.id)
        assert seat is not None
        for is_back in (True, False):
            await house.live.tables.run(table.id, tables.reclaim_seat, house.ada.id, seat, lambda *_: False)
            if is_back:
                await house.live.tables.run(table.id, tables.sit, house.ben)
            await house.look()
            assert len(house.post.mails) == (not is_back)
        (mail,) = house.post.mails
        assert "Paris Connection" in mail["Subject"]
        assert mail.get_content().splitlines()[-5] == "https://games.example.org/", "the lobby, where one sits down"
        await move(house.live, table)
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_a_player_who_lost_a_seat_is_alerted_even_if_the_game_is_aborted(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()
        seat = table.seat_of(house.ben.id)
        assert seat is not None
        await house.live.tables.run(table.id, tables.ask_abort, house.ada.id)
        for other_player in {player.person for player in table.people} - {house.ada.id, house.ben.id}:
            await house.live.tables.run(table.id, tables.agree_abort, other_player)
        table = await house.live.tables.run(table.id, tables.reclaim_seat, house.ada.id, seat, lambda *_: False)
        assert table.status == "aborted"
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_a_second_lost_seat_of_a_device_is_alerted_too(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()

        def seats_without(*lost_seats: int) -> TableSummary:
            former = {seat: (FormerPlayer(f"{house.ben.id}/{seat}", "Ben"),) for seat in lost_seats}
            seats = [replace(seat, given_away_from=former.get(n, ())) for n, seat in enumerate(table.summary().seats)]
            return replace(table.summary(), seats=tuple(seats))

        for version, before, after in (
            (90, seats_without(), seats_without(2)),
            (91, seats_without(2), seats_without(1, 2)),
        ):
            appended = Appended(table.id, version, 0.0, ())
            await house.live.store.write(partial(queue_alerts, before=before, after=after, appended=appended))
        queued = select(OUTBOX.c.version).where(OUTBOX.c.kind == SEAT_ALERT)
        versions = await house.live.store.read(lambda connection: connection.execute(queued).scalars().all())
        assert sorted(versions) == [90, 91]

    house(job)
