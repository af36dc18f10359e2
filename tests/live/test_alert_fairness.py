"""Check the fairness of alerts: slow receivers of one person never delay others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence

import msgspec
import pytest

from spieltisch.alerts.channels import MAIL, SERVICE, WEBHOOK, recipient_of
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

pytestmark = pytest.mark.both_databases

AT = 1_800_000_000.0
HOSTS = ("127.0.0.1", "localhost")
"""Names of this machine, each of which counts as a host."""


async def person_with_pending_receivers(house: House, name: str, hooks: list[str], remote: str) -> Person:
    """Return a person who asked, from one IP address, for alerts to these receivers."""
    person, _ = await house.live.people.create(name)
    for hook in hooks:
        await house.live.subscriptions.add(person, SERVICE, {"address": hook}, remote)
    return person


async def table_at_turn_of(house: House, person: Person) -> None:
    """Return a table at which it is this person's turn."""
    table = await house.live.tables.open(person, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
    await house.until(table, person)


def test_unresponsive_receivers_of_alerts_delay_no_other_receivers(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(3):
            hooks = [f"{house.web.address}/{number}-{hook}" for hook in range(4)]
            await table_at_turn_of(
                house, await person_with_pending_receivers(house, f"Greedy {number}", hooks, "192.0.2.1")
            )
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other_server:
            hook = f"{other_server.address}/hook".replace(*HOSTS)
            await table_at_turn_of(house, await person_with_pending_receivers(house, "Honest", [hook], "192.0.2.2"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other_server.asked.acquire)
        assert len(house.web.sent) == 1, "one at a time for one address"
        house.web.answers.set()
        await house.live.alert_sender.sending.wait_idle()
        for number in range(1, 13):
            assert len(house.web.sent) == number, "one at a time for one host"
            house.clock.now += HOST_PAUSE_SECONDS
            await house.look()
        assert len(house.web.sent) == 12, "they all come in the end"

    house(job, seconds=3600.0)


def test_each_person_gets_one_alert_at_a_time(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(4):
            hook = {"address": f"{house.web.address}/{number}"}
            await house.live.subscriptions.add(house.ben, SERVICE, hook, f"192.0.2.{number}")
        await table_at_turn_of(house, house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other_server:
            other_hook = f"{other_server.address}/hook".replace(*HOSTS)
            await table_at_turn_of(
                house, await person_with_pending_receivers(house, "Honest", [other_hook], "198.51.100.1")
            )
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other_server.asked.acquire)
        assert len(house.web.sent) == 1
        house.web.answers.set()

    house(job, seconds=3600.0)


def test_a_mail_server_that_does_not_answer_delays_no_webhook_of_the_same_person(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        house.post.hangs = True
        await house.hooked(house.ben)
        await table_at_turn_of(house, house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)

    house(job, seconds=3600.0)


def test_failing_receivers_of_alerts_take_no_sending_slots_of_other_receivers(
    house: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    local_address = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, *_: [(*local_address, ("127.0.0.1", port))])

    async def job(house: House) -> None:
        house.web.answers.clear()
        for number in range(MAX_PARALLEL):
            hook = f"{house.web.address}/hook".replace("127.0.0.1", f"{number}.example.org")
            person = await person_with_pending_receivers(house, f"Greedy {number}", [hook], f"192.0.2.{number}")
            (subscription,) = await house.live.subscriptions.of(person.id)
            await alert_subscriptions.save(
                house.live.store, msgspec.structs.replace(subscription, failed=house.clock.now)
            )
            await table_at_turn_of(house, person)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)
        with web_server() as other_server:
            hook = f"{other_server.address}/hook".replace("127.0.0.1", "honest.example.org")
            await table_at_turn_of(house, await person_with_pending_receivers(house, "Honest", [hook], "198.51.100.1"))
            await house.live.alert_sender.send_due()
            await asyncio.to_thread(other_server.asked.acquire)
        house.web.answers.set()
        await house.live.alert_sender.sending.wait_idle()
        assert len(house.web.sent) == MAX_PARALLEL

    house(job, seconds=3600.0)


def test_adding_a_receiver_of_alerts_again_does_not_end_its_pause(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.status = 500
        subscription = await house.hooked(house.ben)
        await table_at_turn_of(house, house.ben)
        await house.look()
        assert len(house.web.sent) == 1
        await house.live.subscriptions.remove(subscription)
        for person in (house.ben, house.ada):  # the same person, and somebody else
            await house.hooked(person)
            await table_at_turn_of(house, person)
            await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += MIN_BACKOFF_SECONDS
        house.web.status = 200
        for request_count in (2, 3):
            await house.look()
            assert len(house.web.sent) == request_count
            house.clock.now += RECIPIENT_PAUSE_SECONDS

    house(job)


@pytest.mark.parametrize(
    "spellings",
    [
        ("ntfy.sh/bob", "NTFY.sh/bob", "ntfy.sh/bob/", "ntfy.sh/bob?auth=x"),
        (
            "discord.com/api/webhooks/1/x",
            "discordapp.com/api/webhooks/1/x",
            "Discord.com./api/webhooks/1/x/",
            "discord.com/api/webhooks/1/x?thread_id=5",
        ),
        ("[2001:db8::1]/bob", "[2001:DB8:0::1]/bob", "[2001:db8::0.0.0.1]/bob", "[2001:db8::1%251]/bob"),
        ("192.0.2.1/bob", "192.0.513/bob", "0xc0000201/bob", "3221225985/bob"),
        ("192.0.2.1/bob", "[64:ff9b::192.0.2.1]/bob", "[64:ff9b::c000:201]/bob", "[64:ff9b:0::c000:0201]/bob"),
    ],
)
def test_another_spelling_of_a_receiver_of_alerts_does_not_end_its_pause(spellings: Sequence[str]) -> None:
    """Otherwise anyone who knows an ntfy topic could send its readers more alerts by spelling it differently."""
    pauses = DeliveryPauses()
    first_target, *other_targets = (
        AlertSubscription(
            f"subscription {number}", "eve", SERVICE, {"address": f"https://{address}", "service": "ntfy"}, "on", AT
        )
        for number, address in enumerate(spellings)
    )
    pauses.add_delivery(first_target, AT)
    assert [pauses.until(other_target) for other_target in other_targets] == [AT + RECIPIENT_PAUSE_SECONDS] * 3
    assert len({recipient_of(target.kind, target.address) for target in (first_target, *other_targets)}) == 1


def test_subscriptions_are_limited_by_address(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await person_with_pending_receivers(
                house, f"Greedy {number}", [f"{house.web.address}/{number}"], "192.0.2.1"
            )
        with pytest.raises(TableRefusal, match="too-many-subscriptions") as refusal:
            await person_with_pending_receivers(house, "Greedy 3", [f"{house.web.address}/3"], "192.0.2.1")
        assert "Your network already has 3 alert subscriptions" in str(refusal.value.message)
        await person_with_pending_receivers(house, "Honest", [f"{house.web.address}/4"], "192.0.2.2")

    house(job, limits=Limits(alert_subscriptions_per_address=3))


def test_concurrent_requests_cannot_exceed_the_subscription_limit(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        async def add(name: str) -> str:
            try:
                return (await house.live.subscriptions.add(house.ben, MAIL, {"address": f"{name}@example.org"})).id
            except TableRefusal as refusal:
                return refusal.code

        same_answers = await asyncio.gather(*(add("same") for _ in range(30)))
        assert len(set(same_answers)) == 1
        additions = await asyncio.gather(*(add(str(number)) for number in range(30)))
        assert additions.count("too-many-subscriptions") == 23
        assert len(await house.live.subscriptions.of(house.ben.id)) == 8

    house(job, limits=Limits(confirmation_mails_per_day=0, confirmation_mails_per_domain=0))


def test_alerts_to_one_host_are_sent_at_most_once_in_ten_seconds_for_each_receiver(house: Callable[..., None]) -> None:
    """Both receivers have a turn every few seconds, and have set no pause between their alerts."""

    async def job(house: House) -> None:
        for person, path in ((house.ada, "ada"), (house.ben, "ben")):
            await house.live.subscriptions.add(person, SERVICE, {"address": f"{house.web.address}/{path}"})
            await house.wish(person, pause_minutes=0, away_minutes=0)
        times: list[float] = []
        for _ in range(12):
            await table_at_turn_of(house, house.ada)
            await table_at_turn_of(house, house.ben)
            before = len(house.web.sent)
            await house.look()
            times += [house.clock.now] * (len(house.web.sent) - before)
            house.clock.now += RECIPIENT_PAUSE_SECONDS / 4
        for path in ("/ada", "/ben"):
            assert 1 < sum(request.path == path for request in house.web.sent) <= 30 // RECIPIENT_PAUSE_SECONDS + 1
        assert len(set(times)) == len(times), "one at a time"

    house(job)


def test_receivers_of_alerts_at_one_host_take_turns(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(5):
            await house.live.subscriptions.add(
                house.ben, SERVICE, {"address": f"{house.web.address}/{number}"}, f"192.0.2.{number}"
            )
        await table_at_turn_of(house, house.ben)
        for number in range(5):
            await house.look()
            assert len(house.web.sent) == number + 1
            await house.look()
            assert len(house.web.sent) == number + 1
            house.clock.now += HOST_PAUSE_SECONDS
        assert {request.path for request in house.web.sent} == {f"/{number}" for number in range(5)}

    house(job)


def test_a_webhook_that_does_not_return_the_challenge_gets_nothing(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for consent in ("no", "x" * 10_000):
            house.web.consent = consent
            with pytest.raises(TableRefusal, match="address") as refusal:
                await house.live.subscriptions.add(house.ben, SERVICE, {"address": f"{house.web.address}/hook?a=%2B"})
            assert "hub.challenge" in str(refusal.value.message)
        assert await house.live.subscriptions.of(house.ben.id) == ()
        house.web.consent = ""
        subscription = await house.live.subscriptions.add(
            house.ben, SERVICE, {"address": f"{house.web.address}/hook?a=%2B"}
        )
        challenges = house.web.challenges
        assert [query["a"] for query in challenges] == [["+"]] * 3
        assert challenges[0]["hub.mode"] == ["subscribe"]
        assert challenges[0]["hub.topic"] == ["https://games.example.org"]
        assert len({query["hub.challenge"][0] for query in challenges}) == 3
        assert await house.live.subscriptions.add(house.ben, SERVICE, subscription.address) == subscription
        assert len(challenges) == 3, "who has consented is not asked again"
        assert house.web.sent == []

    house(job)


def test_services_and_stored_webhooks_need_no_consent(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for address in ("https://discord.com/api/webhooks/1/x", "https://hooks.slack.com/services/T1/A1/x"):
            subscription = await house.live.subscriptions.add(house.ben, SERVICE, {"address": address})
            assert subscription.state == "active"
        topic = await house.live.subscriptions.add(house.ben, SERVICE, {"address": "https://ntfy.sh/topic"})
        assert topic.state == "new", "anyone may choose a topic, so it is asked by a link"
        assert house.web.challenges == []
        hook = {"address": f"{house.web.address}/hook"}
        stored_subscription = AlertSubscription("stored", house.ada.id, WEBHOOK, hook, "active", house.clock.now)
        await alert_subscriptions.add(house.live.store, stored_subscription, lambda *_: None)
        house.web.consent = "no"
        await table_at_turn_of(house, house.ada)
        await house.look()
        assert [request.path for request in house.web.sent] == ["/hook"]

    house(job)
