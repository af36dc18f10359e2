"""Signing out the other devices ends what their sessions have made, whatever is on its way at that moment."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from spieltisch.live import Live
from spieltisch.live.passkeys import RelyingParty
from spieltisch.store import Person
from spieltisch.store.people import Credential
from tests.live.live_fixture import play, signed_in
from tests.tables.harness import refused
from tests.web.authenticator import Authenticator

HERE = RelyingParty("localhost", "http://localhost:8000")
CLIENT = {"visitor": "a browser", "address": "192.0.2.1"}
Way: TypeAlias = Callable[[Live, Person, str], Awaitable[Credential]]
"""Makes a credential in a session, and uses it up to the moment before it opens a session."""


async def device_code(live: Live, person: Person, session: str) -> Credential:
    code = await live.people.issue_device_code(person.id, session)
    return await live.people.by_code(code.text, **CLIENT)


async def recovery_code(live: Live, person: Person, session: str) -> Credential:
    return await live.people.by_code(await live.people.recovery.give(person.id, session), **CLIENT)


async def passkey(live: Live, person: Person, session: str) -> Credential:
    passkeys, key = live.people.passkeys, Authenticator(HERE.origin)
    options = await passkeys.registration_options(person, HERE, session)
    await passkeys.register(person, HERE, session, "Key", key.make(json.loads(options)))
    signed = key.sign(json.loads(passkeys.authentication_options(HERE, "elsewhere")))
    return await live.people.by_passkey(signed, HERE, visitor="elsewhere", address="192.0.2.1")


@asynccontextmanager
async def writer_at_rest(live: Live) -> AsyncIterator[None]:
    """The writes that are asked for meanwhile happen afterwards, in this order."""
    goes_on, rests = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def rest(_: object) -> None:
        loop.call_soon_threadsafe(rests.set)
        goes_on.wait()

    resting = asyncio.create_task(live.store.write(rest))
    await rests.wait()
    try:
        yield
    finally:
        goes_on.set()
        await resting


@pytest.mark.parametrize("way", [device_code, recovery_code, passkey])
@pytest.mark.parametrize("is_first", [True, False])
def test_whoever_is_just_signing_in_is_out_as_well(tmp_path: Path, way: Way, is_first: bool) -> None:
    """In whichever order the two reach the database."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        own, copied = await signed_in(live, ada), await signed_in(live, ada)
        credential = await way(live, ada, copied)
        async with writer_at_rest(live):
            jobs = [live.people.log_in(credential), live.people.log_out_others(ada.id, own, "new")]
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


@pytest.mark.parametrize("way", [device_code, recovery_code, passkey])
@pytest.mark.parametrize("is_own", [True, False])
def test_nothing_is_made_in_a_session_that_has_ended(tmp_path: Path, way: Way, is_own: bool) -> None:
    """Also in a copy of the one that signs the others out, by requests that were identified before."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        own, other = await signed_in(live, ada), await signed_in(live, ada)
        await live.people.log_out_others(ada.id, own, "new")
        with refused("signed-out"):
            await way(live, ada, own if is_own else other)
        assert live.people.code(ada.id) is None
        assert await live.people.recovery.made(ada.id) is None
        assert await live.people.passkeys.of(ada.id) == ()
        await way(live, ada, "new")

    play(tmp_path, job)


def test_the_same_form_sent_twice_changes_nothing_and_no_ended_session_signs_out(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        own, copied = await signed_in(live, ada), await signed_in(live, ada)
        await asyncio.gather(*(live.people.log_out_others(ada.id, own, "new") for _ in range(2)))
        later = await signed_in(live, ada)
        await live.people.log_out_others(ada.id, own, "new")
        assert await live.people.by_token(later) == ada
        with refused("signed-out"):
            await live.people.log_out_others(ada.id, copied, "the copy's")
        assert await live.people.by_token("the copy's") is None
        of_ben = await signed_in(live, ben)
        with refused("signed-out"):
            await live.people.log_out_others(ada.id, later, of_ben)
        assert [await live.people.by_token(token) for token in (later, of_ben)] == [ada, ben]

    play(tmp_path, job)


def test_nothing_reports_to_an_address_added_in_a_session_that_has_ended(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        copied = await signed_in(live, ada)
        await live.people.log_out_others(ada.id, await signed_in(live, ada), "new")
        with refused("signed-out"):
            await live.subscriptions.add(
                ada, "service", {"address": "https://discord.com/api/webhooks/1/eve"}, "192.0.2.1", copied
            )
        assert await live.subscriptions.of(ada.id) == ()

    play(tmp_path, job)
