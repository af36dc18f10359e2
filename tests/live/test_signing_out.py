"""Check that signing out other devices ends all that their sessions have added, even concurrently."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from spieltisch.live import Live
from spieltisch.live.services import Tasks
from spieltisch.live.shielded import ShieldedTasks
from spieltisch.store import Person
from spieltisch.store.errors import SignedOut
from spieltisch.store.people import Credential
from spieltisch.store.sessions import ACTING_SESSION
from tests.live.live_fixture import play, signed_in
from tests.live.registered_passkeys import passkey
from tests.store.held_writer import hold_writer
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases

CLIENT = {"visitor": "a browser", "address": "192.0.2.1"}
Way: TypeAlias = Callable[[Live, Person, str], Awaitable[Credential]]
"""Makes a credential in a session, and uses it up to the moment before it opens a session."""


async def device_code(live: Live, person: Person, session: str) -> Credential:
    code = await live.people.issue_device_code(person.id, session)
    return await live.people.by_code(code, **CLIENT)


async def recovery_code(live: Live, person: Person, session: str) -> Credential:
    return await live.people.by_code((await live.people.recovery.give(person.id, session)).text, **CLIENT)


@pytest.mark.parametrize("access_method", [device_code, recovery_code, passkey])
@pytest.mark.parametrize("is_first", [True, False])
def test_signing_out_other_devices_ends_a_concurrent_sign_in(
    tmp_path: Path, access_method: Way, is_first: bool
) -> None:
    """The two writes are tried in both orders."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        own_session, copied_session = await signed_in(live, ada), await signed_in(live, ada)
        credential = await access_method(live, ada, copied_session)
        async with hold_writer(live.store):
            jobs = [live.people.log_in(credential), live.people.log_out_others(ada.id, own_session, "new")]
            tasks = []
            for each in jobs if is_first else reversed(jobs):
                tasks.append(asyncio.create_task(each))
                await asyncio.sleep(0)  # it asks for its write
        token = (await asyncio.gather(*tasks, return_exceptions=True))[0 if is_first else 1]
        if is_first:
            assert isinstance(token, str)
            assert await live.people.by_token(token) is None
        else:
            assert getattr(token, "code", None) == "no-code"
        assert len((await live.people.access(ada.id)).sessions) == 1
        assert await live.people.by_token("new") == ada

    play(tmp_path, job)


@pytest.mark.parametrize("access_method", [device_code, recovery_code, passkey])
@pytest.mark.parametrize("is_own", [True, False])
def test_an_ended_session_cannot_create_access(tmp_path: Path, access_method: Way, is_own: bool) -> None:
    """The requests were sent by a copied session before it was ended."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        own_session, other_session = await signed_in(live, ada), await signed_in(live, ada)
        await live.people.log_out_others(ada.id, own_session, "new")
        with refused("signed-out"):
            await access_method(live, ada, own_session if is_own else other_session)
        assert await live.people.code(ada.id) is None
        assert await live.people.recovery.made(ada.id) is None
        assert await live.people.passkeys.of(ada.id) == ()
        await access_method(live, ada, "new")

    play(tmp_path, job)


def test_repeating_a_sign_out_form_changes_nothing_and_ended_sessions_are_refused(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        own_session, copied_session = await signed_in(live, ada), await signed_in(live, ada)
        await asyncio.gather(*(live.people.log_out_others(ada.id, own_session, "new") for _ in range(2)))
        later_session = await signed_in(live, ada)
        await live.people.log_out_others(ada.id, own_session, "new")
        assert await live.people.by_token(later_session) == ada
        with refused("signed-out"):
            await live.people.log_out_others(ada.id, copied_session, "the copy's")
        assert await live.people.by_token("the copy's") is None
        session_of_ben = await signed_in(live, ben)
        with refused("signed-out"):
            await live.people.log_out_others(ada.id, later_session, session_of_ben)
        assert [await live.people.by_token(token) for token in (later_session, session_of_ben)] == [ada, ben]

    play(tmp_path, job)


def test_alert_addresses_of_an_ended_session_get_no_alerts(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        copied_session = await signed_in(live, ada)
        await live.people.log_out_others(ada.id, await signed_in(live, ada), "new")
        with refused("signed-out"):
            await live.subscriptions.add(
                ada, "service", {"address": "https://discord.com/api/webhooks/1/eve"}, "192.0.2.1", copied_session
            )
        assert await live.subscriptions.of(ada.id) == ()

    play(tmp_path, job)


def test_signing_out_is_refused_while_a_recovery_code_unknown_to_the_page_is_stored(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        own_session, copied_session = await signed_in(live, ada), await signed_in(live, ada)
        code = await live.people.recovery.give(ada.id, own_session)
        async with hold_writer(live.store):
            replacing = asyncio.create_task(live.people.recovery.give(ada.id, copied_session))
            await asyncio.sleep(0)  # it asks for its write
            ending = asyncio.create_task(live.people.log_out(own_session, str(code.made)))
            await asyncio.sleep(0)
        replacing_code = await replacing
        assert not await ending
        assert await live.people.by_token(own_session) == ada
        assert await live.people.log_out(own_session, str(replacing_code.made))
        assert await live.people.by_token(own_session) is None

    play(tmp_path, job)


def test_work_of_the_server_continues_after_the_session_that_caused_it_has_ended(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        ended = asyncio.Event()

        async def work() -> None:
            await live.store.set_setting("by itself", b"yes")
            ended.set()

        ACTING_SESSION.set(await signed_in(live, ada))
        await live.store.set_setting("in the session", b"yes")
        await live.people.log_out_others(ada.id, ACTING_SESSION.get(), "new")
        assert ACTING_SESSION.get() == ""
        ACTING_SESSION.set("a token that has ended")
        with pytest.raises(SignedOut):
            await work()
        tasks, shielded = Tasks[str](), ShieldedTasks()
        tasks.start("key", work)
        await ended.wait()
        await shielded.start(work())
        with pytest.raises(SignedOut):
            await shielded.run(work())
        assert await live.health.problem_code() == ""

    play(tmp_path, job)
