"""Passkeys (WebAuthn): a key in a person's device, or on all of theirs, by which they come in as themselves.

What a device is to sign is asked for first: a challenge, good once, for five minutes, for one session and one purpose.
Challenges are kept in memory: a restart makes them void, which costs nobody more than a second click.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
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
from spieltisch.tables import TableRefusal
from spieltisch.tables.chat import clean_message
from spieltisch.tables.refusal_codes import RefusalCode

SECONDS: Final = 300.0
MOST_CHALLENGES: Final = 10_000
"""Those that were given out first are forgotten first."""
LONGEST_NAME: Final = 40
LONGEST_ANSWER: Final = 16_384
SIGN_IN: Final = "come in"
_ODD: Final = (WebAuthnException, ValueError, TypeError, KeyError, IndexError, RecursionError)
"""What the library raises on what is no answer of a device."""
_NOBODY: Final = Passkey(
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
"""Checked in the place of one that nobody has, so that it takes as long: the base point of P-256 as a key."""


class RelyingParty(msgspec.Struct, frozen=True):
    """This server, as devices know it: its `name` (a domain), and the `origin` of its pages."""

    name: str
    origin: str


class Passkeys:
    """The passkeys of a store. `clock` gives UTC seconds, `steady` those of a clock that nobody sets."""

    def __init__(
        self, store: Store, quotas: Quotas, clock: Callable[[], float], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._clock = clock
        self._steady = steady
        self._challenges: OrderedDict[tuple[str, str], tuple[bytes, float]] = OrderedDict()

    async def of(self, person_id: str) -> tuple[Passkey, ...]:
        """A person's passkeys, the oldest first."""
        return await stored.of_person(self._store, person_id)

    async def registration_options(self, person: Person, party: RelyingParty, session: str) -> str:
        """What a browser needs to make a passkey for this person, as JSON. Raises `TableRefusal` too-many-passkeys."""
        there = await self.of(person.id)
        self._quotas.passkey(len(there))
        options = generate_registration_options(
            rp_id=party.name,
            rp_name="Spieltisch",
            user_name=person.name,
            user_id=hashlib.sha256(person.id.encode()).digest(),
            challenge=self._challenge(person.id, session),
            timeout=int(SECONDS * 1000),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=one.credential) for one in there],
        )
        return options_to_json(options)

    async def register(self, person: Person, party: RelyingParty, session: str, name: str, answer: str) -> None:
        """Keep the passkey that a browser has made, under a name for its owner.

        Raises `TableRefusal` passkey for what is none, words for its name, too-many-passkeys, not-written.
        """
        self._quotas.passkey(len(await self.of(person.id)))
        name, challenge = clean_message(name, LONGEST_NAME), self._take(person.id, session)
        try:
            made = verify_registration_response(
                credential=_short(answer),
                expected_challenge=challenge,
                expected_rp_id=party.name,
                expected_origin=party.origin,
            )
        except _ODD as problem:
            raise _no_passkey_made() from problem
        passkey = Passkey(
            secrets.token_urlsafe(9),
            person.id,
            name,
            made.credential_id,
            made.credential_public_key,
            made.sign_count,
            self._clock(),
        )
        if not await await_write(stored.add(self._store, passkey)):
            raise _no_passkey_made()

    def authentication_options(self, party: RelyingParty, session: str) -> str:
        """What a browser needs to ask its person for a passkey, whichever they have, as JSON."""
        options = generate_authentication_options(
            rp_id=party.name,
            challenge=self._challenge(SIGN_IN, session),
            timeout=int(SECONDS * 1000),
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return options_to_json(options)

    async def authenticate(self, party: RelyingParty, session: str, answer: str) -> str | None:
        """Whose passkey has signed this session's challenge, once; None for anything else. One that nobody has takes as
        long. Raises `TableRefusal` not-written.
        """
        challenge = self._take(SIGN_IN, session)
        try:
            given = parse_authentication_credential_json(_short(answer))
            if not hmac.compare_digest(parse_client_data_json(given.response.client_data_json).challenge, challenge):
                return None
            passkey = await stored.find(self._store, given.raw_id) or _NOBODY
            count = verify_authentication_response(
                credential=given,
                expected_challenge=challenge,
                expected_rp_id=party.name,
                expected_origin=party.origin,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.count,
            ).new_sign_count
        except _ODD:
            return None
        if passkey is _NOBODY or not await await_write(stored.record_use(self._store, passkey, count, self._clock())):
            return None
        return passkey.person

    async def remove(self, person_id: str, passkey_id: str) -> None:
        """Nobody comes in by this passkey any more. Raises `TableRefusal` no-passkey, not-written."""
        if not await await_write(stored.remove(self._store, person_id, passkey_id)):
            raise no_passkey()

    def _challenge(self, purpose: str, session: str) -> bytes:
        made = secrets.token_bytes(32)
        self._challenges.pop((purpose, session), None)
        self._challenges[purpose, session] = made, self._steady() + SECONDS
        if len(self._challenges) > MOST_CHALLENGES:
            self._challenges.popitem(last=False)
        return made

    def _take(self, purpose: str, session: str) -> bytes:
        """The challenge, once; one that nobody can have signed where there is none, or it is old."""
        made, until = self._challenges.pop((purpose, session), (b"", 0.0))
        return made if until > self._steady() else secrets.token_bytes(32)


def no_passkey() -> TableRefusal:
    return TableRefusal(
        RefusalCode.NO_PASSKEY, message("This passkey is not known here, or not any more, or it took too long.")
    )


def _no_passkey_made() -> TableRefusal:
    return TableRefusal(RefusalCode.PASSKEY, message("No passkey came of this. Try once more."))


def _short(answer: str) -> str:
    """No device says more than so much, and what strangers say is parsed."""
    if len(answer) > LONGEST_ANSWER:
        raise ValueError(f"{len(answer)} letters")
    return answer
