"""Recovery codes: a code to print, by which a person can sign in on any device, without expiry."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from spieltisch.live.device_codes import LETTERS
from spieltisch.live.disk_errors import await_write
from spieltisch.store import Store, recovery_codes
from spieltisch.store.people import Credential

PREFIX_LENGTH: Final = 5
"""The number of letters by which a code is found in the file."""
RECOVERY_CODE_LENGTH: Final = 25
"""The number of letters of a code; the twenty after the prefix are 99 random bits."""


class NewCode(NamedTuple):
    """A new code in groups of five letters, and the time at which it was made (UTC seconds)."""

    text: str
    made: float


class RecoveryCodes:
    """The recovery codes of a store, which holds only a hash of each, made with the key of this server."""

    def __init__(self, store: Store, key: bytes, clock: Callable[[], float]) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self.changed: Callable[[str], None] = lambda person_id: None
        """Called with a person who has a new code."""

    async def give(self, person_id: str, session: str) -> NewCode:
        """Return a new code and revoke the person's earlier one; it cannot be shown again.

        `session` is the token of the one that asks. Raise `TableRefusal` `signed-out` or `not-written`.
        """
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(RECOVERY_CODE_LENGTH))
            prefix, hashed = code[:PREFIX_LENGTH], self._hash(code)
            made = await await_write(
                recovery_codes.save(self._store, person_id, session, prefix, hashed, self._clock())
            )
            if made is not None:
                self.changed(person_id)
                return NewCode("-".join(code[start : start + 5] for start in range(0, RECOVERY_CODE_LENGTH, 5)), made)

    async def credential(self, code: str) -> Credential | None:
        """Return the credential of this code, or None; a wrong code takes as long as a right one."""
        entry = await recovery_codes.find(self._store, code[:PREFIX_LENGTH])
        person, code_hash, made = entry or ("", bytes(32), 0.0)
        is_right = hmac.compare_digest(code_hash, self._hash(code)) and person
        return recovery_codes.credential(person, code_hash, made) if is_right else None

    async def made(self, person_id: str) -> float | None:
        """Return the time at which this person's code was made (UTC seconds), or None."""
        return await recovery_codes.created_at(self._store, person_id)

    def _hash(self, code: str) -> bytes:
        return hmac.digest(self._key, code.encode(), hashlib.sha256)
