"""Passkeys (WebAuthn): a key in one or all of a person's devices with which they sign in.

A device signs a challenge, which is valid once, for five minutes, for one session and one purpose. It is signed by the
server, which stores only those that were used: any process on its database knows its own challenges.
"""

import hashlib
import hmac
import secrets
import struct
from collections.abc import Callable
from typing import Final

import msgspec
import webauthn
from webauthn.helpers import (
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from spieltisch.core.words import message
from spieltisch.live.disk_errors import await_write
from spieltisch.live.quotas import Quotas
from spieltisch.store import Person, Store, one_time
from spieltisch.store import passkeys as stored
from spieltisch.store.passkeys import Passkey
from spieltisch.store.people import Credential
from spieltisch.tables import TableRefusal
from spieltisch.tables.names import clean_message
from spieltisch.tables.refusal_codes import RefusalCode

CHALLENGE_SECONDS: Final = 300.0
"""The time for which a challenge is valid."""
RANDOM_BYTES: Final = 24
"""The random bytes of a challenge, after the eight of its end and before its signature."""
MAX_NAME_LENGTH: Final = 40
"""The maximum length of a passkey's name."""
MAX_RESPONSE_LENGTH: Final = 16_384
"""The maximum length of a browser's response."""
SIGN_IN: Final = "come in"
"""The purpose of a challenge to sign in; that of one to register a passkey is the id of the person."""
_INVALID_RESPONSE: Final = (WebAuthnException, ValueError, TypeError, KeyError, IndexError, RecursionError)
"""The errors raised by the library for invalid responses."""
_DUMMY_PASSKEY: Final = Passkey(
    "",
    "",
    "",
    b"",
    bytes.fromhex(
        "a5010203262001215820"
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296225820"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    ),
    0,
    0.0,
)
"""A passkey checked in place of an unknown one, so that it takes as long: the base point of P-256 as a key."""


class RelyingParty(msgspec.Struct, frozen=True):
    """This server as devices know it: its `name` (a domain), and the `origin` of its pages."""

    name: str
    origin: str


class Passkeys:
    """The passkeys of a store; `key` signs challenges.

    `clock` gives UTC seconds, `time` those of a clock that is the same for all processes, and is never set back.
    """

    def __init__(
        self, store: Store, quotas: Quotas, clock: Callable[[], float], key: bytes, time: Callable[[], float]
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._clock = clock
        self._key = key
        self._time = time
        self.changed: Callable[[str], None] = lambda person_id: None
        """Called with a person who has added or removed a passkey."""

    async def of(self, person_id: str) -> tuple[Passkey, ...]:
        """Return the passkeys of a person, oldest first."""
        return await stored.of_person(self._store, person_id)

    async def registration_options(self, person: Person, party: RelyingParty, session: str) -> str:
        """Return the options with which a browser creates a passkey for this person, as JSON.

        Raise `TableRefusal` `too-many-passkeys`.
        """
        existing = await self.of(person.id)
        self._quotas.passkey(len(existing))
        options = webauthn.generate_registration_options(
            rp_id=party.name,
            rp_name="Spieltisch",
            user_name=person.name,
            user_id=hashlib.sha256(person.id.encode()).digest(),
            challenge=self._new_challenge(person.id, session),
            timeout=int(CHALLENGE_SECONDS * 1000),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=passkey.credential) for passkey in existing],
        )
        return webauthn.options_to_json(options)

    async def register(self, person: Person, party: RelyingParty, session: str, name: str, answer: str) -> Passkey:
        """Verify a browser's response; store the new passkey and return it.

        `name` is the name that the owner gives the passkey; `answer` is the response as JSON. Raise `TableRefusal`
        `passkey` if the response is invalid, `message` if the name is invalid, `too-many-passkeys`, `signed-out` or
        `not-written`.
        """
        name = clean_message(name, MAX_NAME_LENGTH)
        try:
            response = parse_registration_credential_json(_require_short(answer)).response
            challenge = self._require_own(person.id, session, response.client_data_json)
            registration = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=party.name,
                expected_origin=party.origin,
            )
        except _INVALID_RESPONSE as error:
            raise _passkey_not_created() from error
        if not await self._use(challenge):
            raise _passkey_not_created()
        passkey = Passkey(
            secrets.token_urlsafe(9),
            person.id,
            name,
            registration.credential_id,
            registration.credential_public_key,
            registration.sign_count,
            self._clock(),
        )
        added = await await_write(stored.add(self._store, passkey, self._quotas.passkey, session))
        if added is None:
            raise _passkey_not_created()
        self.changed(person.id)
        return added

    def authentication_options(self, party: RelyingParty, session: str) -> str:
        """Return the options with which a browser asks its user for any of their passkeys, as JSON."""
        options = webauthn.generate_authentication_options(
            rp_id=party.name,
            challenge=self._new_challenge(SIGN_IN, session),
            timeout=int(CHALLENGE_SECONDS * 1000),
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return webauthn.options_to_json(options)

    async def authenticate(self, party: RelyingParty, session: str, answer: str) -> Credential | None:
        """Return the credential of the passkey that has signed a challenge of this session, or None.

        The challenge is used up.

        An unknown passkey takes as long as a known one. Raise `TableRefusal` `not-written`.
        """
        try:
            credential = parse_authentication_credential_json(_require_short(answer))
            challenge = self._require_own(SIGN_IN, session, credential.response.client_data_json)
            passkey = await stored.find(self._store, credential.raw_id) or _DUMMY_PASSKEY
            count = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=party.name,
                expected_origin=party.origin,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.count,
            ).new_sign_count
        except _INVALID_RESPONSE:
            return None
        if passkey is _DUMMY_PASSKEY or not await self._use(challenge):
            return None
        if not await await_write(stored.record_use(self._store, passkey, count, self._clock())):
            return None
        return stored.credential(passkey)

    async def remove(self, person_id: str, passkey_id: str) -> None:
        """Remove a passkey, so that it no longer signs in.

        Raise `TableRefusal` `no-passkey` or `not-written`.
        """
        if not await await_write(stored.remove(self._store, person_id, passkey_id)):
            raise no_passkey()
        self.changed(person_id)

    def _new_challenge(self, purpose: str, session: str) -> bytes:
        start = struct.pack(">d", self._time() + CHALLENGE_SECONDS) + secrets.token_bytes(RANDOM_BYTES)
        return start + self._signature(purpose, session, start)

    def _require_own(self, purpose: str, session: str, client_data: bytes) -> bytes:
        """Return the challenge that was answered; raise ValueError if it is not one of this purpose and session."""
        challenge = parse_client_data_json(client_data).challenge
        start, signature = challenge[: 8 + RANDOM_BYTES], challenge[8 + RANDOM_BYTES :]
        if not hmac.compare_digest(signature, self._signature(purpose, session, start)):
            raise ValueError("the challenge is not that of this session")
        if struct.unpack(">d", start[:8])[0] <= self._time():
            raise ValueError("the challenge has ended")
        return challenge

    def _signature(self, purpose: str, session: str, start: bytes) -> bytes:
        return hmac.digest(self._key, msgspec.json.encode([purpose, session]) + start, "sha256")

    async def _use(self, challenge: bytes) -> bool:
        """Use up a challenge; return False if it was used before."""
        hashed = hashlib.sha256(challenge).digest()
        return await await_write(one_time.use_challenge(self._store, hashed, self._time(), CHALLENGE_SECONDS))


def no_passkey() -> TableRefusal:
    """Return the refusal of an unknown passkey."""
    return TableRefusal(RefusalCode.NO_PASSKEY, message("Passkey not recognised, or time ran out. Try again."))


def _passkey_not_created() -> TableRefusal:
    return TableRefusal(RefusalCode.PASSKEY, message("The passkey could not be created. Try again."))


def _require_short(answer: str) -> str:
    """Return the response of a browser, which is parsed; raise ValueError if it is longer than that of any device."""
    if len(answer) > MAX_RESPONSE_LENGTH:
        raise ValueError(f"{len(answer)} letters")
    return answer
