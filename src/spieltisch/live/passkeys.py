"""Passkeys (WebAuthn): a key in one or all of a person's devices with which they sign in.

A device signs a challenge, which is valid once, for five minutes, for one session and one purpose. Challenges are in
memory only: a restart revokes them, which costs no more than a second click.
"""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec
import webauthn
from webauthn.helpers import parse_authentication_credential_json, parse_client_data_json
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
from spieltisch.store import Person, Store
from spieltisch.store import passkeys as stored
from spieltisch.store.passkeys import Passkey
from spieltisch.store.people import Credential
from spieltisch.tables import TableRefusal
from spieltisch.tables.chat import clean_message
from spieltisch.tables.refusal_codes import RefusalCode

CHALLENGE_SECONDS: Final = 300.0
"""The time for which a challenge is valid."""
MAX_CHALLENGES: Final = 10_000
"""The maximum number of open challenges; the oldest are dropped first."""
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
    """The passkeys of a store. `clock` gives UTC seconds, `steady` those of a monotonic clock."""

    def __init__(
        self, store: Store, quotas: Quotas, clock: Callable[[], float], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._clock = clock
        self._steady = steady
        self.changed: Callable[[str], None] = lambda person_id: None
        """Called with a person who has added or removed a passkey."""
        self._challenges: OrderedDict[tuple[str, str], tuple[bytes, float]] = OrderedDict()

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
            challenge=self._challenge(person.id, session),
            timeout=int(CHALLENGE_SECONDS * 1000),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=passkey.credential) for passkey in existing],
        )
        return webauthn.options_to_json(options)

    async def register(self, person: Person, party: RelyingParty, session: str, name: str, answer: str) -> None:
        """Verify a browser's response and store the new passkey.

        `name` is the name that the owner gives the passkey; `answer` is the response as JSON. Raise `TableRefusal`
        `passkey` if the response is invalid, `message` if the name is invalid, `too-many-passkeys`, `signed-out` or
        `not-written`.
        """
        self._quotas.passkey(len(await self.of(person.id)))
        name, challenge = clean_message(name, MAX_NAME_LENGTH), self._take(person.id, session)
        try:
            registration = webauthn.verify_registration_response(
                credential=_short(answer),
                expected_challenge=challenge,
                expected_rp_id=party.name,
                expected_origin=party.origin,
            )
        except _INVALID_RESPONSE as error:
            raise _no_passkey_made() from error
        passkey = Passkey(
            secrets.token_urlsafe(9),
            person.id,
            name,
            registration.credential_id,
            registration.credential_public_key,
            registration.sign_count,
            self._clock(),
        )
        if not await await_write(stored.add(self._store, passkey, session)):
            raise _no_passkey_made()
        self.changed(person.id)

    def authentication_options(self, party: RelyingParty, session: str) -> str:
        """Return the options with which a browser asks its user for any of their passkeys, as JSON."""
        options = webauthn.generate_authentication_options(
            rp_id=party.name,
            challenge=self._challenge(SIGN_IN, session),
            timeout=int(CHALLENGE_SECONDS * 1000),
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return webauthn.options_to_json(options)

    async def authenticate(self, party: RelyingParty, session: str, answer: str) -> Credential | None:
        """Return the credential of the passkey that has signed this session's challenge, or None.

        The challenge is used up.

        An unknown passkey takes as long as a known one. Raise `TableRefusal` `not-written`.
        """
        challenge = self._take(SIGN_IN, session)
        try:
            credential = parse_authentication_credential_json(_short(answer))
            if not hmac.compare_digest(
                parse_client_data_json(credential.response.client_data_json).challenge, challenge
            ):
                return None
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
        if passkey is _DUMMY_PASSKEY or not await await_write(
            stored.record_use(self._store, passkey, count, self._clock())
        ):
            return None
        return stored.credential(passkey)

    async def remove(self, person_id: str, passkey_id: str) -> None:
        """Remove a passkey, so that it no longer signs in.

        Raise `TableRefusal` `no-passkey` or `not-written`.
        """
        if not await await_write(stored.remove(self._store, person_id, passkey_id)):
            raise no_passkey()
        self.changed(person_id)

    def _challenge(self, purpose: str, session: str) -> bytes:
        challenge = secrets.token_bytes(32)
        self._challenges.pop((purpose, session), None)
        self._challenges[purpose, session] = challenge, self._steady() + CHALLENGE_SECONDS
        if len(self._challenges) > MAX_CHALLENGES:
            self._challenges.popitem(last=False)
        return challenge

    def _take(self, purpose: str, session: str) -> bytes:
        """Return and use up the challenge; without a valid one, return one that cannot have been signed."""
        challenge, deadline = self._challenges.pop((purpose, session), (b"", 0.0))
        return challenge if deadline > self._steady() else secrets.token_bytes(32)


def no_passkey() -> TableRefusal:
    """Return the refusal of an unknown passkey."""
    return TableRefusal(RefusalCode.NO_PASSKEY, message("Passkey not recognised, or time ran out. Try again."))


def _no_passkey_made() -> TableRefusal:
    return TableRefusal(RefusalCode.PASSKEY, message("The passkey could not be created. Try again."))


def _short(answer: str) -> str:
    """Return the response of a browser, which is parsed; raise ValueError if it is longer than that of any device."""
    if len(answer) > MAX_RESPONSE_LENGTH:
        raise ValueError(f"{len(answer)} letters")
    return answer
