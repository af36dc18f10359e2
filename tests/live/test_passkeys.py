"""Check that passkey responses are valid or refused, and that challenges expire."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.passkeys import CHALLENGE_SECONDS, Passkeys
from spieltisch.live.quotas import Quotas
from spieltisch.store import Person
from tests.live.hand_set_clocks import MachineClock
from tests.live.live_fixture import play, signed_in
from tests.live.registered_passkeys import HERE
from tests.tables.harness import refused
from tests.tiers import examples
from tests.web.authenticator import Authenticator, text

pytestmark = pytest.mark.both_databases

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.binary(max_size=40).map(text),
    lambda value: st.lists(value, max_size=3) | st.dictionaries(st.text(max_size=5), value, max_size=3),
    max_leaves=6,
)


PARTS = ["id", "rawId", "type", "response", "clientDataJSON", "attestationObject", "authenticatorData", "signature"]


@settings(examples(20, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(part=st.sampled_from(PARTS), odd=ODD)
def test_invalid_passkey_responses_are_refused(
    tmp_path_factory: pytest.TempPathFactory, part: str, odd: object
) -> None:
    def spoil(answer: str) -> str:
        response_values = json.loads(answer)
        (response_values if part in response_values else response_values["response"])[part] = odd
        return json.dumps(response_values)

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
            signed_response = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
            assert await passkeys.authenticate(HERE, "s", spoil(signed_response)) is None
        signed_response = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
        proven = await passkeys.authenticate(HERE, "s", signed_response)
        assert proven is not None
        assert proven.person == ada.id

    play(tmp_path_factory.mktemp("house"), job)


def test_nested_and_long_passkey_responses_are_refused(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, session = live.people.passkeys, await signed_in(live, ada)
        for answer in ("[" * 16_000, "{" * 20_000, "none", "", '{"id":' * 2_000):
            passkeys.authentication_options(HERE, "s")
            assert await passkeys.authenticate(HERE, "s", answer) is None
            await passkeys.registration_options(ada, HERE, session)
            with refused("passkey"):
                await passkeys.register(ada, HERE, session, "Key", answer)

    play(tmp_path, job)


def test_a_passkey_challenge_is_valid_for_five_minutes(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        now = [0.0]
        passkeys = Passkeys(live.store, Quotas(live.store, UNLIMITED, b""), live.clock, bytes(32), lambda: now[0])
        passkey, session = Authenticator(HERE.origin), await signed_in(live, ada)
        await passkeys.register(
            ada, HERE, session, "Key", passkey.make(json.loads(await passkeys.registration_options(ada, HERE, session)))
        )
        for seconds_later, expected in ((CHALLENGE_SECONDS - 1, ada.id), (CHALLENGE_SECONDS, None)):
            signed_response = passkey.sign(json.loads(passkeys.authentication_options(HERE, "s")))
            now[0] += seconds_later
            credential = await passkeys.authenticate(HERE, "s", signed_response)
            assert (credential and credential.person) == expected

    play(tmp_path, job)


def test_a_passkey_response_is_accepted_only_once(tmp_path: Path) -> None:
    """Two sessions send the same response at the same moment, as with a copied key."""

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


def test_passkeys_registered_concurrently_are_limited(tmp_path: Path) -> None:
    """Each registration uses a separate session, since a session has only one challenge."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, answers = live.people.passkeys, {}
        for _ in range(6):
            session = await signed_in(live, ada)
            options = json.loads(await passkeys.registration_options(ada, HERE, session))
            answers[session] = Authenticator(HERE.origin).make(options)
        registered = await asyncio.gather(
            *(passkeys.register(ada, HERE, session, "Key", answer) for session, answer in answers.items()),
            return_exceptions=True,
        )
        assert sorted(str(getattr(each, "code", "stored")) for each in registered) == [
            *["stored"] * 2,
            *["too-many-passkeys"] * 4,
        ]
        assert len(await passkeys.of(ada.id)) == 2

    play(tmp_path, job, replace(UNLIMITED, passkeys=2))


def test_a_used_passkey_challenge_stays_invalid_when_the_clock_is_set_forward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A passkey that is copied between devices does not count its uses, so only the challenge prevents a second use."""
    hands = MachineClock(monkeypatch)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        passkeys, session = live.people.passkeys, await signed_in(live, ada)
        key = Authenticator(HERE.origin)
        options = await passkeys.registration_options(ada, HERE, session)
        key.count = 0
        await passkeys.register(ada, HERE, session, "Key", key.make(json.loads(options)))
        key.count = -1  # 0 is signed
        answer = key.sign(json.loads(passkeys.authentication_options(HERE, "s")))
        assert await passkeys.authenticate(HERE, "s", answer) is not None
        for seconds in (0.0, 700.0, -1400.0):
            hands.set_by(seconds)
            assert await passkeys.authenticate(HERE, "s", answer) is None

    play(tmp_path, job)
