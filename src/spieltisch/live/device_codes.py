"""One person on several devices: a short code, good once and for ten minutes, opens another session for them.

Codes are kept in memory: a restart makes them void, which costs nobody more than asking for another.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from spieltisch.store.people import token_hash

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What codes are made of: nothing that looks like something else."""
LENGTH: Final = 8
"""Forty bits of chance; with at most ten minutes and a limit on guesses nobody finds one."""
SECONDS: Final = 600.0
GUESSES: Final = 100
"""How many wrong codes the server hears in ten minutes before it hears none for the rest of them."""


class Code(msgspec.Struct, frozen=True):
    """A code that was given out: its text, and until when it is good (UTC seconds)."""

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
    >>> code = codes.give("ada")
    >>> codes.take(code.spaced.lower()), codes.take(code.text)
    ('ada', None)
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._by_hash: dict[bytes, tuple[str, Code]] = {}
        self._wrong: list[float] = []

    def give(self, person_id: str) -> Code:
        """A new code for a person; an older one of theirs is void."""
        now = self._clock()
        self._by_hash = {
            key: (person, code)
            for key, (person, code) in self._by_hash.items()
            if person != person_id and code.until > now
        }
        code = Code("".join(secrets.choice(LETTERS) for _ in range(LENGTH)), now + SECONDS)
        self._by_hash[token_hash(code.text)] = person_id, code
        return code

    def of(self, person_id: str) -> Code | None:
        """The code a person has out, if it is still good."""
        now = self._clock()
        return next((code for person, code in self._by_hash.values() if person == person_id and code.until > now), None)

    def take(self, text: str) -> str | None:
        """The person whose code this is, once; None for a wrong, used or old one."""
        now = self._clock()
        self._wrong = [at for at in self._wrong if at > now - SECONDS]
        if len(self._wrong) >= GUESSES:
            return None
        found = self._by_hash.pop(token_hash("".join(text.split()).upper()), None)
        if found is None or found[1].until <= now:
            self._wrong.append(now)
            return None
        return found[0]
