"""Check that a browser announces access that another process on a PostgreSQL database stores late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import msgspec
import pytest

from spieltisch.live import Live
from spieltisch.store import Person, people
from spieltisch.store.schema import LAST_ACCESS_KEY
from spieltisch.web.http.sessions import Site, Visitor, current_devices_cookies, devices_version
from tests.live.held_commits import overlapping
from tests.live.live_fixture import signed_in
from tests.live.two_processes import run_in_two_servers, until
from tests.postgres import Server
from tests.store.held_writer import hold_writer

pytestmark = pytest.mark.postgresql


async def add_webhook(live: Live, ada: Person, session: str) -> float:
    address = {"address": "https://discord.com/api/webhooks/1/x"}
    return (await live.subscriptions.add(ada, "service", address, session=session)).added


@asynccontextmanager
async def recovery_code_waiting(live: Live, ada: Person, session: str) -> AsyncIterator[None]:
    """Let a session ask for a recovery code in a process that stores nothing until the end of the block."""
    async with hold_writer(live.store):
        creation = asyncio.create_task(live.people.recovery.give(ada.id, session))
        await until(lambda: not live.store._writer._queue.empty())
        yield
    await creation


async def visitor_who_has_seen_all(live: Live, ada: Person, session: str) -> Visitor:
    access = await people.access(live.store, ada.id)
    return Visitor(Site(), ada, session, False, "en", "", "", access, devices_version(access))


async def news(live: Live, visitor: Visitor, seen_devices: int) -> tuple[str, ...]:
    access = await people.access(live.store, visitor.person_id or "")
    return replace(visitor, access=access, seen_devices=seen_devices).news


def test_access_that_waits_in_another_process_while_this_browser_adds_access_is_announced(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, _: Person) -> None:
        session, copy = await signed_in(second, ada), await signed_in(second, ada)
        visitor = await visitor_who_has_seen_all(second, ada, session)
        async with recovery_code_waiting(first, ada, copy):
            added = await add_webhook(second, ada, session)
            (cookie,) = await current_devices_cookies(second.people, Site(), visitor, added)
        assert await news(second, visitor, int(cookie.value or 0)) == ("recovery-code",)

    run_in_two_servers(postgres.schema(), job)


def test_access_that_waits_in_another_process_while_the_page_of_devices_is_shown_is_announced(
    postgres: Server,
) -> None:
    """A device that signs in with a code from that page announces the access, too."""

    async def job(first: Live, second: Live, ada: Person, _: Person) -> None:
        session, copy = await signed_in(second, ada), await signed_in(second, ada)
        visitor = await visitor_who_has_seen_all(second, ada, session)
        async with recovery_code_waiting(first, ada, copy):
            await add_webhook(second, ada, copy)
            seen = devices_version(await second.people.access(ada.id))
            code = await second.people.issue_device_code(ada.id, session)
        assert await news(second, visitor, seen) == ("recovery-code",)
        recovery_code = (await people.access(second.store, ada.id)).recovery_code
        assert (await second.people.by_code(code, visitor="", address="")).shown < recovery_code

    run_in_two_servers(postgres.schema(), job)


def test_signing_out_is_refused_after_access_that_waited_in_another_process_was_stored(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, _: Person) -> None:
        session, copy = await signed_in(second, ada), await signed_in(second, ada)
        await second.people.recovery.give(ada.id, session)
        async with recovery_code_waiting(first, ada, copy):
            last_added = await add_webhook(second, ada, copy)
        assert not await second.people.log_out(session, str(last_added))

    run_in_two_servers(postgres.schema(), job)


def test_the_time_of_removed_access_is_remembered_while_another_process_removes_older_access(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        older, newer = await signed_in(second, ben), await signed_in(first, ada)
        last_added = max((await people.access(first.store, ada.id)).times)
        await overlapping(first, first.people.log_out(newer), second.people.log_out(older))
        assert msgspec.json.decode(await first.store.get_setting(LAST_ACCESS_KEY)) == last_added

    run_in_two_servers(postgres.schema(), job)
