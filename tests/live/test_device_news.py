"""Check that a browser announces access added by another browser, also while it adds access itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import Person, alert_subscriptions, one_time, passkeys, people, recovery_codes, signing_out
from spieltisch.store.alert_subscriptions import AlertSubscription
from spieltisch.store.passkeys import Passkey
from spieltisch.store.people import Credential
from spieltisch.store.schema import PEOPLE
from spieltisch.web.http.sessions import Site, Visitor, current_devices_cookies, devices_version, version_at
from tests.live.live_fixture import SECONDS, play, signed_in
from tests.live.registered_passkeys import passkey

pytestmark = pytest.mark.both_databases

WEBHOOKS = "https://discord.com/api/webhooks/1"


@pytest.mark.parametrize("other_adds", ["", "recovery_code", "alerts"])
def test_access_added_by_another_browser_while_this_browser_adds_access_is_announced(
    tmp_path: Path, other_adds: str
) -> None:
    async def job(live: Live, ada: Person, _: Person) -> None:
        people, session, copy = live.people, await signed_in(live, ada), await signed_in(live, ada)
        access = await people.access(ada.id)
        visitor = Visitor(Site(), ada, session, False, "en", "", "", access, devices_version(access))
        own_subscription = await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/own"}, session=session)
        if other_adds == "recovery_code":
            await people.recovery.give(ada.id, copy)
        elif other_adds:
            await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/other"}, session=copy)
        cookies = await current_devices_cookies(people, Site(), visitor, own_subscription.added)
        seen = int(cookies[0].value or 0) if cookies else visitor.seen_devices
        later_visitor = replace(visitor, access=await people.access(ada.id), seen_devices=seen)
        assert (other_adds or "nothing").replace("_", "-") in (later_visitor.news or ("nothing",))

    play(tmp_path, job)


def test_alerts_set_up_by_another_browser_while_a_webhook_is_asked_for_consent_are_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alerts of the other browser are older than the webhook, but its page has not shown them."""

    async def job(live: Live, ada: Person, _: Person) -> None:
        people, session, copy = live.people, await signed_in(live, ada), await signed_in(live, ada)
        access = await people.access(ada.id)
        visitor = Visitor(Site(), ada, session, False, "en", "", "", access, devices_version(access))

        async def consent_slowly(*_: object) -> None:
            monkeypatch.undo()
            await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/other"}, session=copy)

        monkeypatch.setattr(live.subscriptions.channels, "require_consent", consent_slowly)
        own_subscription = await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/own"}, session=session)
        assert await current_devices_cookies(people, Site(), visitor, own_subscription.added) == []
        assert replace(visitor, access=await people.access(ada.id)).news == ("alerts",)

    play(tmp_path, job)


def test_a_recovery_code_created_on_another_device_just_after_mine_is_announced(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, _: Person) -> None:
        people, session, copy = live.people, await signed_in(live, ada), await signed_in(live, ada)
        access = await people.access(ada.id)
        visitor = Visitor(Site(), ada, session, False, "en", "", "", access, devices_version(access))
        own_code = await people.recovery.give(ada.id, session)
        await people.recovery.give(ada.id, copy)
        assert await current_devices_cookies(people, Site(), visitor, own_code.made) == []

    play(tmp_path, job)


def test_a_recovery_code_stored_while_a_device_code_is_entered_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of the device code has not shown the recovery code, although the recovery code is older."""

    async def job(live: Live, ada: Person, _: Person) -> None:
        people, session, copy = live.people, await signed_in(live, ada), await signed_in(live, ada)
        is_stored = threading.Event()
        disk = asyncio.create_task(live.store.write(lambda _: is_stored.wait(SECONDS)))
        other_creation = asyncio.create_task(people.recovery.give(ada.id, copy))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

        async def store_all(*arguments: Any) -> None:
            monkeypatch.undo()
            is_stored.set()
            await one_time.add_code(*arguments)

        monkeypatch.setattr(one_time, "add_code", store_all)
        code = await people.issue_device_code(ada.id, session)
        assert (await other_creation).made > (await people.by_code(code, visitor="", address="")).shown
        assert await disk

    play(tmp_path, job)


def test_an_alert_address_counts_as_added_when_the_address_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise access that another browser adds before then would count as already announced."""

    async def job(live: Live, ada: Person, _: Person) -> None:
        session, count = await signed_in(live, ada), live.quotas.count_confirmation

        async def count_slowly(recipient: str, domain: str, at: float) -> None:
            await count(recipient, domain, at)
            await live.people.recovery.give(ada.id, session)

        monkeypatch.setattr(live.quotas, "count_confirmation", count_slowly)
        subscription = await live.subscriptions.add(ada, "mail", {"address": "ada@example.org"}, session=session)
        assert subscription.added > (await live.people.access(ada.id)).recovery_code

    play(tmp_path, job)


def test_a_passkey_counts_as_added_when_the_passkey_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def job(live: Live, ada: Person, _: Person) -> None:
        session, copy = await signed_in(live, ada), await signed_in(live, ada)

        async def use_slowly(*arguments: Any) -> bool:
            monkeypatch.undo()
            await live.people.recovery.give(ada.id, copy)
            return await one_time.use_challenge(*arguments)

        monkeypatch.setattr(one_time, "use_challenge", use_slowly)
        new_credential = (await passkey(live, ada, session)).shown
        assert new_credential > (await live.people.access(ada.id)).recovery_code > 0

    play(tmp_path, job)


async def add_session(live: Live, ada: Person, _: str, at: float) -> None:
    await people.log_in(live.store, Credential(ada.id, PEOPLE.c.id == ada.id, 0.0), at)


async def sign_out_others(live: Live, ada: Person, session: str, at: float) -> None:
    await signing_out.log_out_others(live.store, ada.id, session, "new", at)


async def add_recovery_code(live: Live, ada: Person, session: str, at: float) -> float | None:
    return await recovery_codes.save(live.store, ada.id, session, "ABCDE", b"", at)


async def add_passkey(live: Live, ada: Person, session: str, at: float) -> float | None:
    new_passkey = Passkey("id", ada.id, "Key", b"credential", b"key", 0, at)
    stored_passkey = await passkeys.add(live.store, new_passkey, lambda _: None, session)
    return stored_passkey.added if stored_passkey else None


async def add_alerts(live: Live, ada: Person, session: str, at: float) -> float:
    subscription = AlertSubscription("id", ada.id, "service", {}, "active", at)
    return (await alert_subscriptions.add(live.store, subscription, lambda *_: None, session)).added


@pytest.mark.parametrize("add", [add_session, sign_out_others, add_recovery_code, add_passkey, add_alerts])
def test_access_that_is_stored_late_gets_a_later_time_than_access_stored_before(
    tmp_path: Path, add: Callable[[Live, Person, str, float], Awaitable[float | None]]
) -> None:
    async def job(live: Live, ada: Person, _: Person) -> None:
        before, session = live.clock(), await signed_in(live, ada)
        last_added = max((await people.access(live.store, ada.id)).times)
        stored_time = await add(live, ada, session, before - 60)
        added = max((await people.access(live.store, ada.id)).times)
        assert version_at(added) > version_at(last_added)
        assert stored_time in (None, added)

    play(tmp_path, job)


def test_access_added_after_the_clock_was_set_back_is_announced(tmp_path: Path) -> None:
    """The browser announced earlier additions while the clock was an hour ahead."""
    now, file = 1.8e9 + 3600, tmp_path / "house.sqlite3"

    async def main() -> None:
        nonlocal now
        live = await Live.open(file, clock=lambda: now, features=FEATURES)
        ada, session = await live.people.create("Ada")
        code = await live.people.issue_device_code(ada.id, session)
        visitor = Visitor(Site(), ada, session, False, "en", "", "")
        devices_seen = devices_version(await live.people.access(ada.id))
        now = 1.8e9
        await live.people.recovery.give(ada.id, session)
        access = await live.people.access(ada.id)
        shown_with_code = (await live.people.by_code(code, visitor="", address="")).shown
        assert access.recovery_code > shown_with_code, "whoever signs in by the code is told of it, too"
        assert replace(visitor, access=access, seen_devices=devices_seen).news == ("recovery-code",)
        devices_seen = devices_version(access)
        await live.close()
        live = await Live.open(file, clock=lambda: now, features=FEATURES)
        await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/x"}, session=session)
        access = await live.people.access(ada.id)
        assert replace(visitor, access=access, seen_devices=devices_seen).news == ("alerts",), "after a restart"
        devices_seen = devices_version(access)
        await signed_in(live, ada)
        access = await live.people.access(ada.id)
        assert replace(visitor, access=access, seen_devices=devices_seen).news == ("session",)
        await live.close()

    asyncio.run(main())


async def shown_to(live: Live, person: Person) -> int:
    return devices_version(await live.people.access(person.id))


async def a_session(live: Live, ada: Person, _: str) -> int:
    token = await signed_in(live, ada)
    devices_seen = await shown_to(live, ada)
    await live.people.log_out(token)
    return devices_seen


async def a_passkey(live: Live, ada: Person, session: str) -> int:
    await passkey(live, ada, session)
    devices_seen = await shown_to(live, ada)
    await live.people.passkeys.remove(ada.id, (await live.people.passkeys.of(ada.id))[0].id)
    return devices_seen


async def an_address_of_alerts(live: Live, ada: Person, session: str) -> int:
    subscription = await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/x"}, session=session)
    devices_seen = await shown_to(live, ada)
    await live.subscriptions.remove(subscription)
    return devices_seen


async def a_session_ended_by_signing_in_as_another_person(live: Live, ada: Person, _: str) -> int:
    token = await signed_in(live, ada)
    devices_seen = await shown_to(live, ada)
    ben, _ = await live.people.create("Ben")
    await live.people.log_in(Credential(ben.id, PEOPLE.c.id == ben.id, 0.0), session=token, current=ada)
    return devices_seen


async def all_other_sessions(live: Live, ada: Person, _: str) -> int:
    token = await signed_in(live, ada)
    devices_seen = await shown_to(live, ada)
    await live.people.log_out_others(ada.id, token, "new")
    return devices_seen


async def all_data(live: Live, ada: Person, _: str) -> int:
    await signed_in(live, ada)
    devices_seen = await shown_to(live, ada)
    await live.person_data.delete(ada)
    return devices_seen


@pytest.mark.parametrize(
    "add_and_remove",
    [
        a_session,
        a_session_ended_by_signing_in_as_another_person,
        all_other_sessions,
        a_passkey,
        an_address_of_alerts,
        all_data,
    ],
)
def test_access_is_announced_after_newer_access_was_shown_and_removed(
    tmp_path: Path, add_and_remove: Callable[[Live, Person, str], Awaitable[int]]
) -> None:
    """The removed access was added while the clock was an hour ahead, and is unknown after a restart."""
    now, file = 1.8e9, tmp_path / "house.sqlite3"

    async def main() -> None:
        nonlocal now
        live = await Live.open(file, clock=lambda: now, features=FEATURES)
        ada, session = await live.people.create("Ada")
        now += 3600
        devices_seen = await add_and_remove(live, ada, session)
        now -= 3600
        await live.close()
        live = await Live.open(file, clock=lambda: now, features=FEATURES)
        if await live.people.by_token(session) is None:
            ada, session = await live.people.create("Ada")
        await live.people.recovery.give(ada.id, session)
        access = await live.people.access(ada.id)
        assert "recovery-code" in Visitor(Site(), ada, session, False, "en", "", "", access, devices_seen).news
        await live.close()

    asyncio.run(main())
