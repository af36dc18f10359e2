"""One person on several devices: a short code, good once and for ten minutes, opens another session for them.

Codes are kept in memory: a restart makes them void, which costs nobody more than asking for another. Their time is that
of a clock that nobody sets.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

from spieltisch.store.people import token_hash
from spieltisch.tables.refusals import too_many_codes

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What codes are made of: nothing that looks like something else."""
LENGTH: Final = 8
"""Forty bits of chance; with at most ten minutes and a limit on guesses nobody finds one."""
VALID_SECONDS: Final = 600.0
GUESSES_OF_VISITOR: Final = 10
"""Wrong codes from one browser in ten minutes, after which it is heard no more for the rest of them."""
GUESSES_OF_ADDRESS: Final = 50
"""The same from one address, where several may live; a browser without cookies has only this."""
MOST_GUESSERS: Final = 10_000
"""Whose wrong codes are remembered; those who have not guessed longest are forgotten first."""


class Code(msgspec.Struct, frozen=True):
    """A code that was given out: its text, and until when it is good (by the clock of `DeviceCodes`)."""

    text: str
    until: float

    @property
    def spaced(self) -> str:
        """As people read it.

        >>> Code("7KDMPQ2X", 0.0).spaced
        '7KDM PQ2X'
        """
        return f"{self.text[:4]} {self.text[4:]}"


class DeviceCodes:
    """The codes that are good now.

    >>> codes = DeviceCodes(lambda: 1000.0)
    >>> code = codes.issue("ada")
    >>> asker = {"visitor": "a browser", "address": "192.0.2.1"}
    >>> codes.redeem(code.spaced.lower(), **asker), codes.redeem(code.text, **asker)
    ('ada', None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_hash: dict[bytes, tuple[str, Code]] = {}
        self.guesses = Guesses(clock)

    def issue(self, person_id: str) -> Code:
        """A new code for a person; an older one of theirs is void."""
        now = self._clock()
        self.void(person_id)
        self._by_hash = {key: kept for key, kept in self._by_hash.items() if kept[1].until > now}
        code = Code("".join(secrets.choice(LETTERS) for _ in range(LENGTH)), now + VALID_SECONDS)
        self._by_hash[token_hash(code.text)] = person_id, code
        return code

    def void(self, person_id: str) -> None:
        """No code of a person is good any more."""
        self._by_hash = {key: kept for key, kept in self._by_hash.items() if kept[0] != person_id}

    def current(self, person_id: str) -> Code | None:
        """The code a person has out, if it is still good."""
        now = self._clock()
        return next((code for person, code in self._by_hash.values() if person == person_id and code.until > now), None)

    def redeem(self, text: str, *, visitor: str, address: str) -> str | None:
        """The person whose code this is, once; None for a wrong, used or old one.

        Raises `TableRefusal` too-many-codes, right or wrong, for a visitor or an address with too many wrong ones.
        """
        self.guesses.note(visitor, address)
        found = self._by_hash.pop(token_hash("".join(text.split()).upper()), None)
        if found is None or found[1].until <= self._clock():
            return None
        self.guesses.right(visitor, address)
        return found[0]


class Guesses:
    """Codes that were typed of late, by whom and where. Each counts as a wrong one until it is known to be right."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._of_visitors = _WrongCodes(GUESSES_OF_VISITOR)
        self._of_addresses = _WrongCodes(GUESSES_OF_ADDRESS)

    def note(self, visitor: str, address: str) -> None:
        """A code comes. Raises `TableRefusal` too-many-codes, right or wrong, after too many wrong ones."""
        now = self._clock()
        if self._of_visitors.full(visitor, now) or self._of_addresses.full(address, now):
            raise too_many_codes()
        self._of_visitors.note(visitor, now)
        self._of_addresses.note(address, now)

    def right(self, visitor: str, address: str) -> None:
        """It was right, and does not count."""
        self._of_visitors.forgive(visitor)
        self._of_addresses.forgive(address)


class _WrongCodes:
    """When each of many has sent wrong codes of late."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: OrderedDict[str, list[float]] = OrderedDict()

    def full(self, who: str, now: float) -> bool:
        return len([at for at in self._times.get(who, ()) if at > now - VALID_SECONDS]) >= self._most

    def note(self, who: str, now: float) -> None:
        times = [at for at in self._times.pop(who, ()) if at > now - VALID_SECONDS]
        self._times[who] = [*times, now]
        if len(self._times) > MOST_GUESSERS:
            self._times.popitem(last=False)

    def forgive(self, who: str) -> None:
        if self._times.get(who):
            self._times[who].pop()
