"""Device codes: a short code, valid once and for ten minutes, opens another session for the same person.

Codes are in the database, and end by the clock that its processes share; where only one process uses it, also with the
next start. Wrong ones are counted in the memory of each process: several processes allow as many times as much, which
is nothing to a code of forty random bits.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from spieltisch.live.disk_errors import await_write
from spieltisch.store import Store, one_time
from spieltisch.store.one_time import DeviceCode
from spieltisch.store.sessions import token_hash
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


class DeviceCodes:
    """The codes that are valid now, if the sessions that asked for them have not ended.

    `time` gives UTC seconds by a clock that is the same for all processes, and is never set back.
    """

    def __init__(self, store: Store, time: Callable[[], float]) -> None:
        self._store = store
        self._time = time
        self.guesses = Guesses(time)

    async def issue(self, person_id: str, session: str, shown: float) -> str:
        """Return a new code for a person, and revoke their earlier one.

        `session` is the token of the one that asks; `shown` as in `DeviceCode`. Raise `TableRefusal` `not-written`.
        """
        text = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        code = DeviceCode(text.encode(), person_id, token_hash(session), shown)
        await await_write(one_time.add_code(self._store, code, token_hash(text), self._time(), VALID_SECONDS))
        return text

    async def current(self, person_id: str) -> str | None:
        """Return the code of a person as they read it, such as "7KDM PQ2X", if it is still valid, or None."""
        found = await one_time.code_of(self._store, person_id, self._time(), VALID_SECONDS)
        return None if found is None else f"{found.code[:4].decode()} {found.code[4:].decode()}"

    async def redeem(self, text: str, *, visitor: str, address: str) -> DeviceCode | None:
        """Use up a code and return it, or None for a wrong, used or expired one.

        Raise `TableRefusal` `too-many-codes`, for a right code too, if the visitor or the address has sent too many
        wrong ones, or `not-written`.
        """
        self.guesses.record(visitor, address)
        hashed = token_hash("".join(text.split()).upper())
        code = await await_write(one_time.take_code(self._store, hashed, self._time(), VALID_SECONDS))
        if code is not None:
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
