"""Fairness of alerts: slow receivers of one person never delay others, and adding one again gains nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from spieltisch.alerts.channels import MAIL, SERVICE, WEBHOOK
from spieltisch.live.alert_sender import MAX_PARALLEL
from spieltisch.live.delivery_pauses import (
    HOST_PAUSE_SECONDS,
    MIN_BACKOFF_SECONDS,
    RECIPIENT_PAUSE_SECONDS,
    DeliveryPauses,
)
from spieltisch.live.limits import Limits
from spieltisch.store import Person, alert_subscriptions
from spieltisch.store.alert_subscriptions import AlertSubscription
from spieltisch.tables import NewTable, TableRefusal
from tests.live.conftest import House
from tests.live.fake_services import web_server

AT = 1_800_000_000.0
HOSTS = ("127.0.0.1", "localhost", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f.0.0.1", "0x7f000001")
"""Names of this machine, each of which counts as a host."""


async def newcomer(house: House, name: str, hooks: list[str], remote: str) -> Person:
    """Return a person who asked, from one IP address, for alerts to these receivers."""
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
            hook = f"{other.address}/hook".replace(*HOSTS[:2])
            await their_turn(house, await newcomer(house, "Honest", [hook], "192.0.2.2"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other.asked.acquire)
        assert len(house.web.sent) == 1, "one at a time for one address"
        house.web.answers.set()
        await house.live.alert_sender.wait_idle()
        for number in range(1, 13):
            assert len(house.web.sent) == number, "one at a time for one host"
            house.clock.now += HOST_PAUSE_SECONDS
            await house.look()
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
            elsewhere = f"{other.address}/hook".replace(*HOSTS[:2])
            await their_turn(house, await newcomer(house, "Honest", [elsewhere], "198.51.100.1"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other.asked.acquire)
        assert len(house.web.sent) == 1
        house.web.answers.set()

    house(job, seconds=3600.0)


def test_a_mail_server_that_does_not_answer_delays_no_webhook_of_the_same_person(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        house.post.hangs = True
        await house.hooked(house.ben)
        await their_turn(house, house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)

    house(job, seconds=3600.0)


def test_who_failed_before_takes_no_place_of_the_others(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        assert len(HOSTS) == MAX_PARALLEL
        for number, host in enumerate(HOSTS):
            hook = f"{house.web.address}/{number}".replace("127.0.0.1", host)
            person = await newcomer(house, f"Greedy {number}", [hook], f"192.0.2.{number}")
            (way,) = await house.live.subscriptions.of(person.id)
            await alert_subscriptions.save(house.live.store, msgspec.structs.replace(way, failed=house.clock.now))
            await their_turn(house, person)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other:
            hook = f"{other.address}/hook".replace("127.0.0.1", "0x7f.0.1")
            await their_turn(house, await newcomer(house, "Honest", [hook], "198.51.100.1"))
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
        for sent in (2, 3):
            await house.look()
            assert len(house.web.sent) == sent
            house.clock.now += RECIPIENT_PAUSE_SECONDS

    house(job)


def test_another_spelling_of_a_receiver_does_not_end_its_pause() -> None:
    """A topic of a public service is known to anyone, so each spelling would add to what its reader gets."""
    pauses = DeliveryPauses()
    one, *others = (
        AlertSubscription(
            f"way {number}", "eve", SERVICE, {"address": f"https://{address}", "service": "ntfy"}, "on", AT
        )
        for number, address in enumerate(("ntfy.sh/bob", "NTFY.sh/bob", "ntfy.sh/bob/", "ntfy.sh/bob?auth=x"))
    )
    pauses.add_delivery(one, AT)
    assert [pauses.until(other) for other in others] == [AT + RECIPIENT_PAUSE_SECONDS] * 3


def test_one_address_adds_so_many_ways_however_many_people_come_from_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await newcomer(house, f"Greedy {number}", [f"{house.web.address}/{number}"], "192.0.2.1")
        with pytest.raises(TableRefusal, match="too-many-subscriptions") as refused:
            await newcomer(house, "Greedy 3", [f"{house.web.address}/3"], "192.0.2.1")
        assert "Your network already has 3 alert subscriptions" in str(refused.value.message)
        await newcomer(house, "Honest", [f"{house.web.address}/4"], "192.0.2.2")

    house(job, limits=Limits(alert_subscriptions_per_address=3))


def test_as_many_at_once_as_one_after_the_other(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        async def add(name: str) -> str:
            try:
                return (await house.live.subscriptions.add(house.ben, MAIL, {"address": f"{name}@example.org"})).id
            except TableRefusal as refused:
                return refused.code

        same = await asyncio.gather(*(add("same") for _ in range(30)))
        assert len(set(same)) == 1
        added = await asyncio.gather(*(add(str(number)) for number in range(30)))
        assert added.count("too-many-subscriptions") == 23
        assert len(await house.live.subscriptions.of(house.ben.id)) == 8

    house(job, limits=Limits(confirmation_mails_per_day=0, confirmation_mails_per_domain=0))


def test_two_people_who_want_all_do_not_flood_a_host(house: Callable[..., None]) -> None:
    """Both want no pause and have a turn every few seconds: each receiver gets one alert in ten seconds."""

    async def job(house: House) -> None:
        for person, path in ((house.ada, "ada"), (house.ben, "ben")):
            await house.live.subscriptions.add(person, SERVICE, {"address": f"{house.web.address}/{path}"})
            await house.wish(person, pause_minutes=0, away_minutes=0)
        times: list[float] = []
        for _ in range(12):
            await their_turn(house, house.ada)
            await their_turn(house, house.ben)
            before = len(house.web.sent)
            await house.look()
            times += [house.clock.now] * (len(house.web.sent) - before)
            house.clock.now += RECIPIENT_PAUSE_SECONDS / 4
        for path in ("/ada", "/ben"):
            assert 1 < sum(sent.path == path for sent in house.web.sent) <= 30 // RECIPIENT_PAUSE_SECONDS + 1
        assert len(set(times)) == len(times), "one at a time"

    house(job)


def test_receivers_at_one_host_take_turns(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(5):
            await house.live.subscriptions.add(
                house.ben, SERVICE, {"address": f"{house.web.address}/{number}"}, f"192.0.2.{number}"
            )
        await their_turn(house, house.ben)
        for number in range(5):
            await house.look()
            assert len(house.web.sent) == number + 1
            await house.look()
            assert len(house.web.sent) == number + 1
            house.clock.now += HOST_PAUSE_SECONDS
        assert {sent.path for sent in house.web.sent} == {f"/{number}" for number in range(5)}

    house(job)


def test_a_webhook_that_does_not_return_the_challenge_gets_nothing(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for consent in ("no", "x" * 10_000):
            house.web.consent = consent
            with pytest.raises(TableRefusal, match="address") as refused:
                await house.live.subscriptions.add(house.ben, SERVICE, {"address": f"{house.web.address}/hook?a=%2B"})
            assert "hub.challenge" in str(refused.value.message)
        assert await house.live.subscriptions.of(house.ben.id) == ()
        house.web.consent = ""
        way = await house.live.subscriptions.add(house.ben, SERVICE, {"address": f"{house.web.address}/hook?a=%2B"})
        challenges = house.web.challenges
        assert [query["a"] for query in challenges] == [["+"]] * 3
        assert challenges[0]["hub.mode"] == ["subscribe"]
        assert challenges[0]["hub.topic"] == ["https://games.example.org"]
        assert len({query["hub.challenge"][0] for query in challenges}) == 3
        assert await house.live.subscriptions.add(house.ben, SERVICE, way.address) == way
        assert len(challenges) == 3, "who has consented is not asked again"
        assert house.web.sent == []

    house(job)


def test_services_and_stored_webhooks_are_not_asked(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for address in ("https://discord.com/api/webhooks/1/x", "https://hooks.slack.com/services/T1/A1/x"):
            added = await house.live.subscriptions.add(house.ben, SERVICE, {"address": address})
            assert added.state == "active"
        topic = await house.live.subscriptions.add(house.ben, SERVICE, {"address": "https://ntfy.sh/topic"})
        assert topic.state == "new", "anyone may choose a topic, so it is asked by a link"
        assert house.web.challenges == []
        hook = {"address": f"{house.web.address}/hook"}
        stored = AlertSubscription("stored", house.ada.id, WEBHOOK, hook, "active", house.clock.now)
        await alert_subscriptions.add(house.live.store, stored, lambda *_: None)
        house.web.consent = "no"
        await their_turn(house, house.ada)
        await house.look()
        assert [sent.path for sent in house.web.sent] == ["/hook"]

    house(job)
