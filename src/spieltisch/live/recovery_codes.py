"""A code to print, by which a person finds back to themselves on any device, for as long as they like."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final

from spieltisch.live.device_codes import LETTERS
from spieltisch.live.disk_errors import await_write
from spieltisch.store import Store, recovery_codes

PLACE: Final = 5
"""So many letters say where in the file the code is found."""
LENGTH: Final = 25
"""The twenty others are 99 bits of chance."""


class RecoveryCodes:
    """The codes of a store. Of each only a hash with the key of this server is kept."""

    def __init__(self, store: Store, key: bytes, clock: Callable[[], float]) -> None:
        self._store = store
        self._key = key
        self._clock = clock

    async def give(self, person_id: str) -> str:
        """A new code, in groups of five letters; an older one of theirs is void. It cannot be asked for again. Raises
        `TableRefusal` not-written.
        """
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if await await_write(
                recovery_codes.save(self._store, person_id, code[:PLACE], self._hash(code), self._clock())
            ):
                return "-".join(code[at : at + 5] for at in range(0, LENGTH, 5))

    async def person(self, code: str) -> str | None:
        """Whose code this is. A wrong one takes as long as a right one."""
        found = await recovery_codes.find(self._store, code[:PLACE])
        person, kept = found or ("", bytes(32))
        return person if hmac.compare_digest(kept, self._hash(code)) and person else None

    async def made(self, person_id: str) -> float | None:
        """When this person's code was made, if there is one; UTC seconds."""
        return await recovery_codes.created_at(self._store, person_id)

    def _hash(self, code: str) -> bytes:
        return hmac.digest(self._key, code.encode(), hashlib.sha256)
