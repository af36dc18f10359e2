"""Nobody's receivers hold up the alerts of others, however many there are, and adding one again gains nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from spieltisch.alerts.channels import SERVICE
from spieltisch.live.alert_sender import MAX_PARALLEL
from spieltisch.live.delivery_pauses import MIN_BACKOFF_SECONDS
from spieltisch.live.limits import Limits
from spieltisch.store import Person, alert_subscriptions
from spieltisch.tables import NewTable, TableRefusal
from tests.live.conftest import House
from tests.live.fake_services import web_server


async def newcomer(house: House, name: str, hooks: list[str], remote: str) -> Person:
    """Somebody who asked from an address to be told at these ones."""
    person, _ = await house.live.people.create(name)
    for hook in hooks:
        await house.live.subscriptions.add(person, SERVICE, {"address": hook}, remote)
    return person


async def their_turn(house: House, person: Person) -> None:
    """A table, at which it is the turn of this person."""
    table = await house.live.tables.open(person, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
    await house.until(table, person)


def test_many_receivers_that_never_answer_hold_up_nobody_elsewhere(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(3):
            hooks = [f"{house.web.address}/{number}-{hook}" for hook in range(4)]
            await their_turn(house, await newcomer(house, f"Greedy {number}", hooks, "192.0.2.1"))
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other:
            await their_turn(house, await newcomer(house, "Honest", [f"{other.address}/hook"], "192.0.2.2"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other.asked.acquire)
        assert len(house.web.sent) == 1, "one at a time for one address"
        house.web.answers.set()
        await house.live.alert_sender.wait_idle()
        assert len(house.web.sent) == 12, "they all come in the end"

    house(job, seconds=3600.0)


def test_one_at_a_time_goes_to_a_person_wherever_they_asked(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(4):
            hook = {"address": f"{house.web.address}/{number}"}
            await house.live.subscriptions.add(house.ben, SERVICE, hook, f"192.0.2.{number}")
        await their_turn(house, house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other:
            await their_turn(house, await newcomer(house, "Honest", [f"{other.address}/hook"], "198.51.100.1"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other.asked.acquire)
        assert len(house.web.sent) == 1
        house.web.answers.set()

    house(job, seconds=3600.0)


def test_a_mail_server_that_does_not_answer_delays_no_webhook_of_the_same_person(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.post.hangs = True
        await house.mailed(house.ben)
        await house.hooked(house.ben)
        await their_turn(house, house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)

    house(job, seconds=3600.0)


def test_who_failed_before_takes_no_place_of_the_others(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(MAX_PARALLEL):
            hook = f"{house.web.address}/{number}"
            person = await newcomer(house, f"Greedy {number}", [hook], f"192.0.2.{number}")
            (way,) = await house.live.subscriptions.of(person.id)
            await alert_subscriptions.save(house.live.store, msgspec.structs.replace(way, failed=house.clock.now))
            await their_turn(house, person)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other:
            await their_turn(house, await newcomer(house, "Honest", [f"{other.address}/hook"], "198.51.100.1"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other.asked.acquire)
        house.web.answers.set()
        await house.live.alert_sender.wait_idle()
        assert len(house.web.sent) == MAX_PARALLEL

    house(job, seconds=3600.0)


def test_adding_a_receiver_again_does_not_end_its_pause(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.status = 500
        way = await house.hooked(house.ben)
        await their_turn(house, house.ben)
        await house.look()
        assert len(house.web.sent) == 1
        await house.live.subscriptions.remove(way)
        for person in (house.ben, house.ada):  # the same person, and somebody else
            await house.hooked(person)
            await their_turn(house, person)
            await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += MIN_BACKOFF_SECONDS
        house.web.status = 200
        await house.look()
        assert len(house.web.sent) == 3

    house(job)


def test_one_address_adds_so_many_ways_however_many_people_come_from_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await newcomer(house, f"Greedy {number}", [f"{house.web.address}/{number}"], "192.0.2.1")
        with pytest.raises(TableRefusal, match="too-many-subscriptions") as refused:
            await newcomer(house, "Greedy 3", [f"{house.web.address}/3"], "192.0.2.1")
        assert "Your network already has 3 kinds of alerts" in str(refused.value.message)
        await newcomer(house, "Honest", [f"{house.web.address}/4"], "192.0.2.2")

    house(job, limits=Limits(alert_subscriptions_per_address=3))


def test_as_many_at_once_as_one_after_the_other(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        async def add(path: str) -> str:
            hook = {"address": f"{house.web.address}/{path}"}
            try:
                return (await house.live.subscriptions.add(house.ben, SERVICE, hook)).id
            except TableRefusal as refused:
                return refused.code

        same = await asyncio.gather(*(add("same") for _ in range(30)))
        assert len(set(same)) == 1
        added = await asyncio.gather(*(add(str(number)) for number in range(30)))
        assert added.count("too-many-subscriptions") == 23
        assert len(await house.live.subscriptions.of(house.ben.id)) == 8

    house(job, limits=Limits())
