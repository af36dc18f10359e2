"""Device codes: a short code, valid once and for ten minutes, opens another session for the same person.

Codes are in memory only: a restart revokes them, and people can ask for another one. Their time is that of the
monotonic clock.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

from spieltisch.store.people import token_hash
from spieltisch.tables.refusals import too_many_codes

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The characters of codes, without those that look alike."""
CODE_LENGTH: Final = 8
"""The number of characters of a code: forty random bits, safe with ten minutes and a limit on guesses."""
VALID_SECONDS: Final = 600.0
"""The time for which a code is valid, and for which wrong codes are remembered."""
GUESSES_OF_VISITOR: Final = 10
"""Wrong codes from one browser within ten minutes, after which further ones are refused."""
GUESSES_OF_ADDRESS: Final = 50
"""The same for one address, where several people may live; a browser without cookies has only this limit."""
MAX_GUESSERS: Final = 10_000
"""The maximum number of visitors or addresses whose wrong codes are remembered; the least recent are dropped first."""


class Code(msgspec.Struct, frozen=True):
    """An issued code: its text, and the time until which it is valid (by the clock of `DeviceCodes`).

    `person` asked for it in the `session` (the hash of its token), and it is valid only as long as that lasts.
    """

    text: str
    until: float
    person: str
    session: bytes

    @property
    def spaced(self) -> str:
        """The code as people read it.

        >>> Code("7KDMPQ2X", 0.0, "ada", b"").spaced
        '7KDM PQ2X'
        """
        return f"{self.text[:4]} {self.text[4:]}"


class DeviceCodes:
    """The codes that are valid now, if the sessions that asked for them have not ended.

    >>> codes = DeviceCodes(lambda: 1000.0)
    >>> code = codes.issue("ada", "her session")
    >>> client = {"visitor": "a browser", "address": "192.0.2.1"}
    >>> codes.redeem(code.spaced.lower(), **client) == code, codes.redeem(code.text, **client)
    (True, None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_hash: dict[bytes, Code] = {}
        self.guesses = Guesses(clock)

    def issue(self, person_id: str, session: str) -> Code:
        """Return a new code for a person, and revoke their earlier one; `session` is the token of the one that asks."""
        now = self._clock()
        self.revoke(person_id)
        self._by_hash = {key: code for key, code in self._by_hash.items() if code.until > now}
        text = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        code = Code(text, now + VALID_SECONDS, person_id, token_hash(session))
        self._by_hash[token_hash(text)] = code
        return code

    def revoke(self, person_id: str) -> None:
        """Revoke the code of a person."""
        self._by_hash = {key: code for key, code in self._by_hash.items() if code.person != person_id}

    def current(self, person_id: str) -> Code | None:
        """Return the code of a person if it is still valid, or None."""
        now = self._clock()
        return next((code for code in self._by_hash.values() if code.person == person_id and code.until > now), None)

    def redeem(self, text: str, *, visitor: str, address: str) -> Code | None:
        """Use up a code and return it, or None for a wrong, used or expired one.

        Raise `TableRefusal` `too-many-codes`, for a right code too, if the visitor or the address has sent too many
        wrong ones.
        """
        self.guesses.record(visitor, address)
        code = self._by_hash.pop(token_hash("".join(text.split()).upper()), None)
        if code is None or code.until <= self._clock():
            return None
        self.guesses.clear_last(visitor, address)
        return code


class Guesses:
    """Recently entered codes by visitor and address; each counts as wrong until it is known to be right."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._of_visitors = _WrongCodes(GUESSES_OF_VISITOR)
        self._of_addresses = _WrongCodes(GUESSES_OF_ADDRESS)

    def record(self, visitor: str, address: str) -> None:
        """Record that a code was entered.

        Raise `TableRefusal` `too-many-codes`, for a right code too, after too many wrong ones.
        """
        now = self._clock()
        if self._of_visitors.is_full(visitor, now) or self._of_addresses.is_full(address, now):
            raise too_many_codes()
        self._of_visitors.record(visitor, now)
        self._of_addresses.record(address, now)

    def clear_last(self, visitor: str, address: str) -> None:
        """Record that the code was right, so that it does not count."""
        self._of_visitors.clear_last(visitor)
        self._of_addresses.clear_last(address)


class _WrongCodes:
    """Times of recent wrong codes by client."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._times: OrderedDict[str, list[float]] = OrderedDict()

    def is_full(self, client: str, now: float) -> bool:
        return len([at for at in self._times.get(client, ()) if at > now - VALID_SECONDS]) >= self._maximum

    def record(self, client: str, now: float) -> None:
        times = [at for at in self._times.pop(client, ()) if at > now - VALID_SECONDS]
        self._times[client] = [*times, now]
        if len(self._times) > MAX_GUESSERS:
            self._times.popitem(last=False)

    def clear_last(self, client: str) -> None:
        if self._times.get(client):
            self._times[client].pop()
