"""Passkeys: whatever a browser sends is valid or refused; challenges expire."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.passkeys import CHALLENGE_SECONDS, Passkeys, RelyingParty
from spieltisch.live.quotas import Quotas
from spieltisch.store import Person
from tests.live.live_fixture import play, signed_in
from tests.tables.harness import refused
from tests.tiers import examples
from tests.web.authenticator import Authenticator, text

HERE = RelyingParty("localhost", "http://localhost:8000")
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.binary(max_size=40).map(text),
    lambda value: st.lists(value, max_size=3) | st.dictionaries(st.text(max_size=5), value, max_size=3),
    max_leaves=6,
)


PARTS = ["id", "rawId", "type", "response", "clientDataJSON", "attestationObject", "authenticatorData", "signature"]


@settings(examples(20, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(part=st.sampled_from(PARTS), odd=ODD)
def test_an_answer_with_anything_odd_in_it_is_refused(
    tmp_path_factory: pytest.TempPathFactory, part: str, odd: object
) -> None:
    def spoil(answer: str) -> str:
        whole = json.loads(answer)
        (whole if part in whole else whole["response"])[part] = odd
        return json.dumps(whole)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, passkey = live.people.passkeys, Authenticator(HERE.origin)
        session = await signed_in(live, ada)
        await passkeys.register(
            ada, HERE, session, "Key", passkey.make(json.loads(await passkeys.registration_options(ada, HERE, session)))
        )
        if part not in ("authenticatorData", "signature"):
            credential = Authenticator(HERE.origin).make(
                json.loads(await passkeys.registration_options(ada, HERE, session))
            )
            with refused("passkey"):
                await passkeys.register(ada, HERE, session, "Key", spoil(credential))
        if part != "attestationObject":
            signed = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
            assert await passkeys.authenticate(HERE, "s", spoil(signed)) is None
        signed = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
        proven = await passkeys.authenticate(HERE, "s", signed)
        assert proven is not None
        assert proven.person == ada.id

    play(tmp_path_factory.mktemp("house"), job)


def test_deep_and_long_answers_are_refused(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, session = live.people.passkeys, await signed_in(live, ada)
        for answer in ("[" * 16_000, "{" * 20_000, "none", "", '{"id":' * 2_000):
            passkeys.authentication_options(HERE, "s")
            assert await passkeys.authenticate(HERE, "s", answer) is None
            await passkeys.registration_options(ada, HERE, session)
            with refused("passkey"):
                await passkeys.register(ada, HERE, session, "Key", answer)

    play(tmp_path, job)


def test_a_challenge_is_good_for_five_minutes(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        now = [0.0]
        passkeys = Passkeys(live.store, Quotas(live.store, UNLIMITED, b""), live.clock, lambda: now[0])
        passkey, session = Authenticator(HERE.origin), await signed_in(live, ada)
        await passkeys.register(
            ada, HERE, session, "Key", passkey.make(json.loads(await passkeys.registration_options(ada, HERE, session)))
        )
        for later, expected in ((CHALLENGE_SECONDS - 1, ada.id), (CHALLENGE_SECONDS, None)):
            signed = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
            now[0] += later
            credential = await passkeys.authenticate(HERE, "s", signed)
            assert (credential and credential.person) == expected

    play(tmp_path, job)


def test_of_two_answers_with_the_same_count_one_is_good(tmp_path: Path) -> None:
    """At the same moment, from two sessions: there is a copy of the key."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, passkey = live.people.passkeys, Authenticator(HERE.origin)
        session = await signed_in(live, ada)
        await passkeys.register(
            ada, HERE, session, "Key", passkey.make(json.loads(await passkeys.registration_options(ada, HERE, session)))
        )
        answers = []
        for device in ("one", "two"):
            passkey.count = 0
            answers.append(
                passkeys.authenticate(
                    HERE, device, passkey.sign(json.loads(passkeys.authentication_options(HERE, device)))
                )
            )
        (credential,) = filter(None, await asyncio.gather(*answers))
        assert credential.person == ada.id

    play(tmp_path, job)
