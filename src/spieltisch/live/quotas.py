"""How much one person, and one address, may have: tables, seats, component files, ways to be told, and how
long a name may be."""

from __future__ import annotations

import hashlib
import hmac

from spieltisch.core.words import message
from spieltisch.live.limits import Limits
from spieltisch.store import Store, quota_counts
from spieltisch.tables import TableRefusal, clean_name
from spieltisch.tables.refusal_codes import RefusalCode


class Quotas:
    """The limits of a server that are held against what is in its store, where `key` hides the addresses."""

    def __init__(self, store: Store, limits: Limits, key: bytes) -> None:
        self._store = store
        self._limits = limits
        self._key = key

    def hash_address(self, address: str) -> bytes | None:
        """What is kept of an address: the same for the same one. None for an unknown one (""), which is not counted."""
        return hmac.digest(self._key, address.encode(), hashlib.sha256)[:16] if address else None

    def clean_name(self, text: str) -> str:
        """A name as it is kept. Raises `TableRefusal` name for one that cannot be one, or is too long here."""
        name, most = clean_name(text), self._limits.name_length
        if most and len(name) > most:
            words = message("A name has at most {count} characters; this one has {given}.", count=most, given=len(name))
            raise TableRefusal(RefusalCode.NAME, words)
        return name

    async def require_table_quota(self, host: str, origin: bytes | None, more: int = 1) -> None:
        """So many `more` tables of this person, who may sit at one of them, from this address. Raises `TableRefusal`
        too-many-tables, too-many-seats.
        """
        most, hosted, here = self._limits.total_tables, self._limits.tables_per_host, self._limits.tables_per_address
        if most and await quota_counts.tables_going_on(self._store) + more > most:
            words = message("This server has {count} tables that are not over, and takes no more for now.", count=most)
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, words)
        if hosted and await quota_counts.tables_going_on(self._store, host) + more > hosted:
            words = message(
                "You have opened {count} tables that are not over. Finish one, or break it off, before the next.",
                count=hosted,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, words)
        if here and origin is not None and await quota_counts.tables_going_on(self._store, origin=origin) + more > here:
            words = message(
                "{count} tables that are not over were opened from your address. "
                "One has to be finished, or broken off, before the next.",
                count=here,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, words)
        await self.require_seat_quota(host)

    async def require_seat_quota(self, person: str) -> None:
        """One more seat of this person. Raises `TableRefusal` too-many-seats."""
        most = self._limits.seats_per_person
        if most and await quota_counts.seats_held(self._store, person) >= most:
            words = message(
                "You have {count} seats at tables that are not over. Finish a game, or leave one, before the next.",
                count=most,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_SEATS, words)

    async def component_file(self, person: str, origin: bytes | None) -> None:
        """One more component file of this person, from this address. Raises `TableRefusal` too-many-component-files."""
        most, here = self._limits.component_files, self._limits.component_files_per_address
        if most and await quota_counts.sets_kept(self._store, person=person) >= most:
            words = message("You have {count} component files here, and no more are kept for you.", count=most)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, words)
        if here and origin is not None and await quota_counts.sets_kept(self._store, origin=origin) >= here:
            words = message("{count} component files came from your address, and no more are kept.", count=here)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, words)

    def passkey(self, there: int) -> None:
        """One more passkey, beside those that are there. Raises `TableRefusal` too-many-passkeys."""
        most = self._limits.passkeys
        if most and there >= most:
            words = message("You have {count} passkeys; remove one before the next.", count=most)
            raise TableRefusal(RefusalCode.TOO_MANY_PASSKEYS, words)

    def require_subscription_quota(self, there: int) -> None:
        """One more way to be told, beside those that are there. Raises `TableRefusal` too-many-ways."""
        most = self._limits.alert_subscriptions
        if most and there >= most:
            words = message("You are told in {count} ways; remove one before the next.", count=most)
            raise TableRefusal(RefusalCode.TOO_MANY_SUBSCRIPTIONS, words)
