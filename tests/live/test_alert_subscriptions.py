"""Check which subscriptions to alerts are confirmed, refused and ended."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spieltisch.alerts.channels import MAIL, PUSH, SERVICE, WEBHOOK
from spieltisch.live.limits import Limits
from spieltisch.store import alert_subscriptions, outbox
from spieltisch.store.alert_subscriptions import MAX_GONE, AlertSubscription
from spieltisch.store.removal import remove_person
from spieltisch.tables import TableRefusal
from tests.live.conftest import House
from tests.live.fake_services import Browser
from tests.live.live_fixture import move

pytestmark = pytest.mark.both_databases


def test_only_a_few_expired_subscriptions_of_a_person_are_kept(house: Callable[..., None]) -> None:
    """Otherwise the form on the devices page, which lists all subscriptions, would become too large to be accepted."""

    async def job(house: House) -> None:
        subscriptions, house.web.status = house.live.subscriptions, 410
        other_subscription = await subscriptions.add(house.ada, PUSH, Browser(house.web).given)
        await subscriptions.send_test(house.ada, other_subscription)
        for _ in range(MAX_GONE + 3):
            newest = await subscriptions.add(house.ben, PUSH, Browser(house.web).given)
            await subscriptions.send_test(house.ben, newest)
        stored_subscription = await subscriptions.of(house.ben.id)
        assert len(stored_subscription) == MAX_GONE + 1
        assert stored_subscription[-1].id == newest.id
        assert {subscription.state for subscription in stored_subscription} == {"gone"}
        assert [subscription.id for subscription in await subscriptions.of(house.ada.id)] == [other_subscription.id]

    house(job)


def test_a_removed_person_loses_all_subscriptions(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        subscription = await house.hooked(house.ben)
        assert f"{house.web.address}/hook" in (await house.live.person_data.export(house.ben)).decode()
        await house.until(await house.table(), house.ben)
        await remove_person(house.live.store, house.ben.id, (), {}, {})
        assert await outbox.due(house.live.store) == {}
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.get(house.ben.id, subscription.id)

    house(job)


def test_mail_alerts_need_a_confirmed_subscription(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben@example.org"})
        table = await house.until(await house.table(), house.ben)
        await house.look()
        (request_mail,) = house.post.mails
        assert "Ada" not in request_mail.get_content()
        path = next(word for word in request_mail.get_content().split() if "/alerts/confirm/" in word)
        confirmed_subscription = await house.live.subscriptions.by_token("confirm", path.rpartition("/")[2])
        await house.live.subscriptions.confirm(confirmed_subscription)
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.by_token("end", path.rpartition("/")[2])
        table = await house.until(await move(house.live, table), house.ada)
        await house.until(table, house.ben)
        await house.look()
        assert len(house.post.mails) == 2
        unsubscribe_token = house.post.mails[1]["List-Unsubscribe"].strip("<>").rpartition("/")[2]
        await house.live.subscriptions.remove(await house.live.subscriptions.by_token("end", unsubscribe_token))
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.by_token("end", unsubscribe_token)
        assert await house.live.subscriptions.of(house.ben.id) == ()

    house(job)


def test_too_many_subscriptions_and_invalid_addresses_are_refused(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await house.live.subscriptions.add(house.ben, MAIL, {"address": f"ben{number}@example.org"})
        with pytest.raises(TableRefusal, match="too-many-subscriptions"):
            await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben@example.org"})
        same_subscription = await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben1@example.org"})
        assert same_subscription in await house.live.subscriptions.of(house.ben.id)
        for address in (
            "ben",
            "ben@",
            "@example.org",
            "ben@example",
            "b en@example.org",
            "ben@example.org\r\nBcc: x@y.zz",
            "a" * 300 + "@example.org",
        ):
            with pytest.raises(TableRefusal, match="mail address"):
                await house.live.subscriptions.add(house.ada, MAIL, {"address": address})
        for address in (
            "file:///etc/passwd",
            "exec://rm",
            "syslog://",
            "mailto://a:b@example.org",
            "discord://",
            "nothing",
            "json://example.org",
        ):
            with pytest.raises(TableRefusal, match="address"):
                await house.live.subscriptions.add(house.ada, SERVICE, {"address": address})
        invalid_targets = (
            {"key": "AAAA"},
            {"endpoint": "https://[2001:4860:4860::8888]/x"},
            {"endpoint": "https://[::1]:8443/x"},
        )
        for invalid_target in invalid_targets:
            with pytest.raises(TableRefusal, match="address"):
                await house.live.subscriptions.add(house.ada, PUSH, {**Browser(house.web).given, **invalid_target})

    house(job, limits=Limits(alert_subscriptions=3))


def test_webhooks_in_private_networks_are_refused_by_default(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for refused_address in (f"{house.web.address}/hook",):
            with pytest.raises(TableRefusal, match="https"):
                await house.live.subscriptions.add(house.ben, SERVICE, {"address": refused_address})
        address = {"address": house.web.address.replace("http", "https")}
        with pytest.raises(TableRefusal, match="private network"):
            await house.live.subscriptions.add(house.ben, SERVICE, address)
        subscription = AlertSubscription("stored", house.ben.id, WEBHOOK, address, "active", house.clock.now)
        await alert_subscriptions.add(house.live.store, subscription, lambda *_: None)
        reason = await house.live.subscriptions.send_test(house.ben, subscription)
        assert "private network" in str(reason)
        assert house.web.sent == []
        assert house.web.challenges == []

    house(job, private=False)
