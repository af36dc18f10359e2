"""The people of a server: who comes in gives a name, and is known by a token from then on."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import msgspec

from spieltisch.alerts.quiet_hours import DAY, zones
from spieltisch.core.words import LANGUAGES, message
from spieltisch.live.device_codes import Code, DeviceCodes
from spieltisch.live.disk_errors import await_write
from spieltisch.live.passkeys import Passkeys, RelyingParty, no_passkey
from spieltisch.live.quotas import Quotas
from spieltisch.live.recovery_codes import LENGTH, RecoveryCodes
from spieltisch.store import Person, Preferences, Store
from spieltisch.store import people as stored
from spieltisch.store.people import ANIMATION_SPEEDS, token_hash
from spieltisch.tables import TableRefusal, refusals
from spieltisch.tables.refusal_codes import RefusalCode

MAX_CACHED: Final = 10_000
THEMES: Final = ("", "light", "dark")


class People:
    """People and their sessions, in the asyncio loop; the store has them for good.

    Those of late are at hand. Nobody else changes the file, so what is at hand is what it says; what was read while
    something changed is read again.
    """

    def __init__(self, store: Store, quotas: Quotas, clock: Callable[[], float], recovery_key: bytes) -> None:
        self._store = store
        self._quotas = quotas
        self._clock = clock
        self._codes = DeviceCodes()
        self.recovery = RecoveryCodes(store, recovery_key, clock)
        self.passkeys = Passkeys(store, quotas, clock)
        self._by_token: OrderedDict[bytes, str] = OrderedDict()
        self._people: OrderedDict[str, Person] = OrderedDict()
        self._sessions: OrderedDict[str, tuple[float, ...]] = OrderedDict()
        self._changes = 0
        self._changing = asyncio.Lock()

    async def create(
        self, name: str, language: str = "en", preferences: Preferences | None = None
    ) -> tuple[Person, str]:
        """A new person, and the token for their browser. Raises `TableRefusal` name, language, theme, pace,
        not-written.
        """
        chosen = preferences or Preferences()
        _check(language, chosen)
        person, token = await await_write(
            stored.add(self._store, self._quotas.clean_name(name), language, chosen, self._clock())
        )
        self._changed(person)
        _keep(self._by_token, token_hash(token), person.id)
        return person, token

    async def by_token(self, token: str) -> Person | None:
        """Whose browser this is; None when it is nobody's."""
        hashed = token_hash(token)
        while True:
            known = self._people.get(self._by_token.get(hashed, ""))
            if known is not None:
                return known
            changes = self._changes
            found = await stored.by_token(self._store, token)
            if changes == self._changes:
                break
        if found is not None:
            _keep(self._people, found.id, found)
            _keep(self._by_token, hashed, found.id)
        return found

    async def sessions(self, person_id: str) -> tuple[float, ...]:
        """When each session of this person began, the oldest first."""
        while person_id not in self._sessions:
            changes = self._changes
            found = await stored.sessions(self._store, person_id)
            if changes == self._changes:
                _keep(self._sessions, person_id, found)
        return self._sessions[person_id]

    async def update(
        self,
        person_id: str,
        *,
        name: str | None = None,
        language: str | None = None,
        preferences: Preferences | None = None,
    ) -> Person:
        """Change what is given. A seat keeps the name it was taken under, and a name from before a limit was drawn may
        stay. Raises as `arrive`; LookupError for nobody.
        """
        async with self._changing:  # who sends two forms at once has both changes
            person = await stored.by_id(self._store, person_id)
            if person is None:
                raise LookupError(f"there is no person {person_id!r}")
            changed = msgspec.structs.replace(
                person,
                name=person.name if name is None or name == person.name else self._quotas.clean_name(name),
                language=person.language if language is None else language,
                preferences=person.preferences if preferences is None else preferences,
            )
            _check(changed.language, changed.preferences)
            await await_write(stored.save(self._store, changed))
            self._changed(changed)
            return changed

    def issue_device_code(self, person_id: str) -> Code:
        """A code that opens another session for this person, once, within ten minutes."""
        return self._codes.issue(person_id)

    def code(self, person_id: str) -> Code | None:
        """The code this person has out, if it is still good."""
        return self._codes.current(person_id)

    async def by_code(self, text: str, *, visitor: str, address: str) -> Person:
        """Whose code this is, for another device or for recovery. `visitor` and `address` are who asks from where.

        Raises `TableRefusal` no-code, too-many-codes.
        """
        letters = "".join(text.replace("-", " ").split()).upper()
        if len(letters) == LENGTH:
            self._codes.guesses.note(visitor, address)
            person_id = await self.recovery.person(letters)
            if person_id is not None:
                self._codes.guesses.right(visitor, address)
        else:
            person_id = self._codes.redeem(letters, visitor=visitor, address=address)
        person = None if person_id is None else await stored.by_id(self._store, person_id)
        if person is None:
            raise refusals.no_code()
        return person

    async def by_passkey(self, answer: str, party: RelyingParty, *, visitor: str, address: str) -> Person:
        """Whose passkey has signed what this visitor's session was asked to. `visitor` and `address` are who asks from
        where.

        Raises `TableRefusal` no-passkey, too-many-codes, not-written.
        """
        self._codes.guesses.note(visitor, address)
        person_id = await self.passkeys.authenticate(party, visitor, answer)
        person = None if person_id is None else await stored.by_id(self._store, person_id)
        if person is None:
            raise no_passkey()
        self._codes.guesses.right(visitor, address)
        return person

    async def log_in(self, person: Person, *, session: str = "", current: Person | None = None) -> str:
        """Return the token with which a browser speaks for this person. Its `session`, in which it spoke for `current`,
        ends. Raises `TableRefusal` logged-in where `current` is somebody else who owns something, not-written.
        """
        if current is not None and current.id == person.id:
            return session
        token = await await_write(stored.log_in(self._store, person.id, self._clock(), before=session))
        if token is None:
            raise refusals.logged_in(current.name if current else "")
        self._changed(person)
        self._forget_token(session)
        _keep(self._by_token, token_hash(token), person.id)
        return token

    async def owns_anything(self, person: Person) -> bool:
        """Return whether logging in as another one would lose this person something; see `store.people`."""
        return await stored.owns_anything(self._store, person.id)

    def evict(self, person_id: str) -> None:
        """The file knows this person no more, or somebody else speaks for them: read it anew."""
        self._people.pop(person_id, None)
        for hashed in [one for one, person in self._by_token.items() if person == person_id]:
            del self._by_token[hashed]
        self._forget_sessions(person_id)

    async def log_out_others(self, person_id: str, token: str) -> None:
        """All other browsers of this person speak for nobody any more, and no code that they have out is good. Raises
        `TableRefusal` not-written.
        """
        self._codes.void(person_id)
        await await_write(stored.log_out_others(self._store, person_id, token))
        kept = token_hash(token)
        for hashed in [one for one, person in self._by_token.items() if person == person_id and one != kept]:
            del self._by_token[hashed]
        self._forget_sessions(person_id)

    async def log_out(self, token: str) -> None:
        """This browser speaks for nobody any more. Raises `TableRefusal` not-written."""
        await await_write(stored.log_out(self._store, token))
        self._forget_token(token)

    def _forget_token(self, token: str) -> None:
        self._forget_sessions(self._by_token.pop(token_hash(token), ""))

    def _changed(self, person: Person) -> None:
        """A person stands in the file like this now."""
        _keep(self._people, person.id, person)
        self._forget_sessions(person.id)

    def _forget_sessions(self, person_id: str) -> None:
        self._sessions.pop(person_id, None)
        self._changes += 1


def _keep(at_hand: OrderedDict[Any, Any], key: object, value: object) -> None:
    at_hand[key] = value
    at_hand.move_to_end(key)
    if len(at_hand) > MAX_CACHED:
        at_hand.popitem(last=False)


def check_language(language: str) -> str:
    """The language, where there are pages in it. Raises `TableRefusal` language."""
    if language not in LANGUAGES:
        raise refusals.no_language()
    return language


def check_theme(theme: str) -> str:
    """The theme, if it is one. Raises `TableRefusal` theme."""
    if theme not in THEMES:
        raise refusals.no_theme()
    return theme


def _check(language: str, preferences: Preferences) -> None:
    check_language(language)
    check_theme(preferences.theme)
    if preferences.animation_speed not in ANIMATION_SPEEDS:
        raise refusals.no_animation_speed()
    telling = preferences.alerts
    if telling.zone not in zones():
        raise TableRefusal(RefusalCode.ZONE, message("There is no such time zone."))
    if (
        not all(0 <= at < DAY for at in (telling.quiet_from, telling.quiet_to))
        or max(telling.away_minutes, telling.pause_minutes) > DAY
    ):
        raise TableRefusal(RefusalCode.ZONE, message("A time of day looks like 22:30."))
