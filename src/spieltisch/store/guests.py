"""The people of a house: who comes in gives a name, and is known by a token from then on."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

from spieltisch.core.words import LANGUAGES
from spieltisch.store.devices import Code, Codes
from spieltisch.store.errors import WriteFailed
from spieltisch.store.people import PACES, People, Person, Preferences, token_hash
from spieltisch.store.store import Store
from spieltisch.tables import check_name, refusals

MOST_AT_HAND: Final = 10_000
THEMES: Final = ("", "light", "dark")


class Guests:
    """People and their sessions, in the asyncio loop; the store has them for good."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._people = People(store)
        self._clock = clock
        self._codes = Codes(clock)
        self._by_token: OrderedDict[bytes, str] = OrderedDict()
        self._at_hand: OrderedDict[str, Person] = OrderedDict()

    async def arrive(self, name: str, language: str = "en") -> tuple[Person, str]:
        """A new guest, and the token for their browser. Raises `TableRefusal` name, language, not-written."""
        chosen = Preferences()
        _check(language, chosen)
        try:
            adding = self._people.add(check_name(name), language, chosen, self._clock())
            person, token = await asyncio.wrap_future(adding)
        except WriteFailed as problem:
            raise refusals.not_written() from problem
        self._remember(person, token_hash(token))
        return person, token

    def by_token(self, token: str) -> Person | None:
        """Whose browser this is; None when it is nobody's."""
        hashed = token_hash(token)
        known = self._at_hand.get(self._by_token.get(hashed, ""))
        if known is None:
            known = self._people.by_token(token)
            if known is not None:
                self._remember(known, hashed)
        return known

    async def change(
        self,
        person_id: str,
        *,
        name: str | None = None,
        language: str | None = None,
        preferences: Preferences | None = None,
    ) -> Person:
        """Change what is given. A seat keeps the name it was taken under. Raises as `arrive`; LookupError for
        nobody.
        """
        person = self._people.by_id(person_id)
        if person is None:
            raise LookupError(f"there is no person {person_id!r}")
        changed = msgspec.structs.replace(
            person,
            name=person.name if name is None else check_name(name),
            language=person.language if language is None else language,
            preferences=person.preferences if preferences is None else preferences,
        )
        _check(changed.language, changed.preferences)
        try:
            await asyncio.wrap_future(self._people.change(changed))
        except WriteFailed as problem:
            raise refusals.not_written() from problem
        self._remember(changed)
        return changed

    def give_code(self, person_id: str) -> Code:
        """A code that opens another session for this person, once, within ten minutes."""
        return self._codes.give(person_id)

    def code(self, person_id: str) -> Code | None:
        """The code this person has out, if it is still good."""
        return self._codes.of(person_id)

    async def take_code(self, text: str) -> tuple[Person, str]:
        """Whose code this is, and the token for their new device. Raises `TableRefusal` no-code, not-written."""
        person_id = self._codes.take(text)
        person = None if person_id is None else self._people.by_id(person_id)
        if person is None:
            raise refusals.no_code()
        try:
            token = await asyncio.wrap_future(self._people.add_session(person.id, self._clock()))
        except WriteFailed as problem:
            raise refusals.not_written() from problem
        self._remember(person, token_hash(token))
        return person, token

    def sessions(self, person_id: str) -> tuple[float, ...]:
        """When each session of this person began, the oldest first."""
        return self._people.sessions(person_id)

    async def sign_out_others(self, person_id: str, token: str) -> None:
        """All other browsers of this person speak for nobody any more."""
        try:
            await asyncio.wrap_future(self._people.sign_out_others(person_id, token))
        except WriteFailed as problem:
            raise refusals.not_written() from problem
        kept = token_hash(token)
        for hashed in [one for one, person in self._by_token.items() if person == person_id and one != kept]:
            del self._by_token[hashed]

    async def sign_out(self, token: str) -> None:
        """This browser speaks for nobody any more."""
        self._by_token.pop(token_hash(token), None)
        try:
            await asyncio.wrap_future(self._people.sign_out(token))
        except WriteFailed as problem:
            raise refusals.not_written() from problem

    def _remember(self, person: Person, hashed: bytes | None = None) -> None:
        self._at_hand[person.id] = person
        if hashed is not None:
            self._by_token[hashed] = person.id
        while len(self._by_token) > MOST_AT_HAND:
            self._by_token.popitem(last=False)
        while len(self._at_hand) > MOST_AT_HAND:
            self._at_hand.popitem(last=False)


def _check(language: str, preferences: Preferences) -> None:
    if language not in LANGUAGES:
        raise refusals.no_language()
    if preferences.theme not in THEMES:
        raise refusals.no_theme()
    if preferences.pace not in PACES:
        raise refusals.no_pace()
