"""The people of a server: visitors give a name and are known by a token from then on."""

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable, Container
from typing import Any, Final

import msgspec

from spieltisch.alerts.quiet_hours import DAY, zones
from spieltisch.core.words import LANGUAGES, message
from spieltisch.live.device_codes import DeviceCodes
from spieltisch.live.disk_errors import await_write
from spieltisch.live.notices import Notices
from spieltisch.live.passkeys import Passkeys, RelyingParty, no_passkey
from spieltisch.live.quotas import Quotas
from spieltisch.live.recovery_codes import RECOVERY_CODE_LENGTH, RecoveryCodes
from spieltisch.store import Person, Preferences, Store, signing_out
from spieltisch.store import people as stored
from spieltisch.store.notices import CHANGED, ENDED
from spieltisch.store.people import ANIMATION_SPEEDS, Access, Credential
from spieltisch.store.sessions import ACTING_SESSION, has_session, leave_session, token_hash
from spieltisch.tables import TableRefusal, refusals
from spieltisch.tables.refusal_codes import RefusalCode

MAX_CACHED: Final = 10_000
"""The maximum number of entries in each cache."""
THEMES: Final = ("", "light", "dark")
"""The choices of the theme; "" follows the browser."""


class People:
    """People and their sessions, in the asyncio loop, stored permanently in the store.

    Recent ones are cached. What this process changes agrees with the cache; a value that was read during a change is
    read again. Of the changes of other processes it hears by notices. `clock` gives UTC seconds.
    """

    def __init__(
        self, store: Store, quotas: Quotas, clock: Callable[[], float], recovery_key: bytes, notices: Notices
    ) -> None:
        self._store = store
        self._notices = notices
        self._quotas = quotas
        self._clock = clock
        self._codes = DeviceCodes(store, notices.time)
        self.recovery = RecoveryCodes(store, recovery_key, clock)
        challenge_key = hmac.digest(recovery_key, b"challenges", "sha256")
        self.passkeys = Passkeys(store, quotas, clock, challenge_key, notices.time)
        self.recovery.changed = self.passkeys.changed = self.announce_access
        self._by_token: OrderedDict[bytes, str] = OrderedDict()
        self._people: OrderedDict[str, Person] = OrderedDict()
        self._access: OrderedDict[str, Access] = OrderedDict()
        self._changes = 0
        self._changing = asyncio.Lock()
        notices.missed.append(self._forget_all)
        if store.is_shared:
            for kind in (CHANGED, ENDED):
                notices.on(kind, lambda _, person_id: self.evict(person_id))

    def _forget_all(self) -> None:
        self._people.clear()
        self._by_token.clear()
        self._access.clear()
        self._changes += 1

    async def create(
        self, name: str, language: str = "en", preferences: Preferences | None = None
    ) -> tuple[Person, str]:
        """Create a person; return them and the token for their browser.

        Raise `TableRefusal` `name`, `language`, `theme`, `pace`, `zone` or `not-written`.
        """
        chosen = preferences or Preferences()
        _require_valid(language, chosen)
        person, token = await await_write(
            stored.add(self._store, self._quotas.clean_name(name), language, chosen, self._clock())
        )
        self._cache_changed(person)
        _cache(self._by_token, token_hash(token), person.id)
        return person, token

    async def by_token(self, token: str, *, is_pushed: bool = False) -> Person | None:
        """Return the person whose browser sends this token, the secret of its cookie; None if it is unknown.

        Another process may end the session at any moment, so a shared database is asked, except for what `is_pushed` to
        open pages: then notices are enough, if they are heard.
        """
        hashed = token_hash(token)
        while True:
            cached = self._people.get(self._by_token.get(hashed, ""))
            if cached is not None and (is_pushed or not self._store.is_shared) and self._notices.are_heard:
                return cached
            changes = self._changes
            person = await stored.by_token(self._store, token)
            if changes == self._changes:
                break
        if person is not None:
            _cache(self._people, person.id, person)
            _cache(self._by_token, hashed, person.id)
        return person

    async def has_acting_session(self) -> bool:
        """Return False if the session in which the present request acts has ended meanwhile."""
        token = ACTING_SESSION.get()
        return not token or await self.by_token(token, is_pushed=True) is not None

    async def access(self, person_id: str) -> Access:
        """Return what opens sessions as this person, or reports to an address."""
        while person_id not in self._access:
            changes = self._changes
            access = await stored.access(self._store, person_id)
            if changes == self._changes:
                _cache(self._access, person_id, access)
        return self._access[person_id]

    async def update(
        self,
        person_id: str,
        *,
        name: str | None = None,
        language: str | None = None,
        preferences: Preferences | None = None,
    ) -> Person:
        """Change the given values of a person.

        A seat keeps the name under which it was taken; a name that is longer than a new limit may stay. Raise as
        `create`; LookupError for an unknown person.
        """
        async with self._changing:  # so that two forms sent at the same time both take effect
            person = await stored.by_id(self._store, person_id)
            if person is None:
                raise LookupError(f"there is no person {person_id!r}")
            changed = msgspec.structs.replace(
                person,
                name=person.name if name is None or name == person.name else self._quotas.clean_name(name),
                language=person.language if language is None else language,
                preferences=person.preferences if preferences is None else preferences,
            )
            _require_valid(changed.language, changed.preferences)
            await await_write(stored.save(self._store, changed))
            self._cache_changed(changed)
            self._notices.announce(CHANGED, person_id)
            return changed

    async def issue_device_code(self, person_id: str, session: str) -> str:
        """Return a code that opens another session for this person, once, within ten minutes.

        `session` is the token of the one that asks. Raise `TableRefusal` `signed-out` if it has ended.
        """
        shown = max((await self.access(person_id)).times)  # before the code, so what is added meanwhile is later
        person = await self.by_token(session)
        if person is None or person.id != person_id:
            raise refusals.signed_out()
        return await self._codes.issue(person_id, session, shown)

    async def code(self, person_id: str) -> str | None:
        """Return the device code of this person as they read it if it is still valid, or None."""
        return await self._codes.current(person_id)

    async def by_code(self, text: str, *, visitor: str, address: str) -> Credential:
        """Return the credential of a device code or recovery code.

        `visitor` and `address` identify the client, whose wrong codes are limited. Raise `TableRefusal` `no-code` or
        `too-many-codes`.
        """
        code = "".join(text.replace("-", " ").split()).upper()
        if len(code) == RECOVERY_CODE_LENGTH:
            self._codes.guesses.record(visitor, address)
            credential = await self.recovery.credential(code)
            if credential is not None:
                self._codes.guesses.clear_last(visitor, address)
        else:
            issued = await self._codes.redeem(code, visitor=visitor, address=address)
            credential = (
                None
                if issued is None
                else Credential(issued.person, has_session(issued.person, issued.session), issued.shown)
            )
        if credential is None:
            raise refusals.no_code()
        return credential

    async def by_passkey(self, answer: str, party: RelyingParty, *, visitor: str, address: str) -> Credential:
        """Return the credential of the passkey that has signed the challenge of this visitor's session.

        `visitor` and `address` identify the client, whose wrong attempts are limited. Raise `TableRefusal`
        `no-passkey`, `too-many-codes` or `not-written`.
        """
        self._codes.guesses.record(visitor, address)
        credential = await self.passkeys.authenticate(party, visitor, answer)
        if credential is None:
            raise no_passkey()
        self._codes.guesses.clear_last(visitor, address)
        return credential

    async def log_in(self, credential: Credential, *, session: str = "", current: Person | None = None) -> str:
        """Return the token with which a browser acts for the person of a credential.

        Its `session`, in which it acted for `current`, ends. Raise `TableRefusal` `logged-in` if `current` is another
        person who owns something, `no-code` if the credential is void by now, or `not-written`.
        """
        if current is not None and current.id == credential.person:
            return session
        try:
            ended = current.id if current else ""
            token = await await_write(stored.log_in(self._store, credential, self._clock(), session, ended))
        except TableRefusal as refusal:
            if refusal.code == RefusalCode.SIGNED_OUT:
                raise refusals.no_code() from refusal
            raise
        if token is None:
            raise refusals.logged_in(current.name if current else "")
        leave_session()
        self._forget_token(session)
        self.forget_access(credential.person)
        return token

    async def owns_anything(self, person: Person) -> bool:
        """Return True if logging in as another person would cost this person something; see `store.people`."""
        return await stored.owns_anything(self._store, person.id)

    def evict(self, person_id: str) -> None:
        """Drop a person from the cache after they were deleted or changed in the file."""
        self._people.pop(person_id, None)
        for hashed in [token_key for token_key, person in self._by_token.items() if person == person_id]:
            del self._by_token[hashed]
        self.forget_access(person_id)

    async def log_out_others(
        self, person_id: str, token: str, new_token: str, kept: Container[str] = frozenset()
    ) -> None:
        """End all sessions of this person and their device code; the browser of `token` goes on with `new_token`.

        So do the recovery code, passkeys and alert subscriptions that are not `kept`: by id, the code by the time at
        which it was made. A device code is valid no longer than the session that asked for it.

        Raise `TableRefusal` `signed-out` or `not-written`.
        """
        leave_session()
        await await_write(signing_out.log_out_others(self._store, person_id, token, new_token, self._clock(), kept))
        self.evict(person_id)

    async def log_out(self, token: str, last_added: str | None = None) -> bool:
        """End a session.

        Given the time of what was last added to its person's access, return False and change nothing if something was
        added since, of which this browser could not be told later, or if there is no recovery code. Raise
        `TableRefusal` `not-written`.
        """
        leave_session()
        person = await self.by_token(token)
        has_ended = await await_write(stored.log_out(self._store, token, person.id if person else "", last_added))
        self._forget_token(token)
        return has_ended

    def _forget_token(self, token: str) -> None:
        self.forget_access(self._by_token.pop(token_hash(token), ""))

    def _cache_changed(self, person: Person) -> None:
        """Cache the new state of a person."""
        _cache(self._people, person.id, person)
        self.forget_access(person.id)

    def announce_access(self, person_id: str) -> None:
        """Let all processes read a person's access again, and show it."""
        self.forget_access(person_id)
        self._notices.announce(CHANGED, person_id)

    def forget_access(self, person_id: str) -> None:
        """Drop what is cached of a person's access after it has changed in the file."""
        self._access.pop(person_id, None)
        self._changes += 1


def _cache(cache: OrderedDict[Any, Any], key: object, value: object) -> None:
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > MAX_CACHED:
        cache.popitem(last=False)


def require_language(language: str) -> str:
    """Return the language if pages exist in it.

    Raise `TableRefusal` `language`.
    """
    if language not in LANGUAGES:
        raise refusals.no_language()
    return language


def require_theme(theme: str) -> str:
    """Return the theme if it exists.

    Raise `TableRefusal` `theme`.
    """
    if theme not in THEMES:
        raise refusals.no_theme()
    return theme


def _require_valid(language: str, preferences: Preferences) -> None:
    require_language(language)
    require_theme(preferences.theme)
    if preferences.animation_speed not in ANIMATION_SPEEDS:
        raise refusals.no_animation_speed()
    alerts = preferences.alerts
    if alerts.zone not in zones():
        raise TableRefusal(RefusalCode.ZONE, message("Unknown time zone."))
    if (
        not all(0 <= minute < DAY for minute in (alerts.quiet_from, alerts.quiet_to))
        or max(alerts.away_minutes, alerts.pause_minutes) > DAY
    ):
        raise TableRefusal(RefusalCode.ZONE, message("Enter a time like 22:30."))
