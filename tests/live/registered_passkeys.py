"""Register passkeys of people."""

from __future__ import annotations

import json

from spieltisch.live import Live
from spieltisch.live.passkeys import RelyingParty
from spieltisch.store import Person
from spieltisch.store.people import Credential
from tests.web.authenticator import Authenticator

HERE = RelyingParty("localhost", "http://localhost:8000")


async def passkey(live: Live, person: Person, session: str) -> Credential:
    passkeys, key = live.people.passkeys, Authenticator(HERE.origin)
    options = await passkeys.registration_options(person, HERE, session)
    await passkeys.register(person, HERE, session, "Key", key.make(json.loads(options)))
    signed_response = key.sign(json.loads(passkeys.authentication_options(HERE, "elsewhere")))
    return await live.people.by_passkey(signed_response, HERE, visitor="elsewhere", address="192.0.2.1")
