"""Quotas of one person and one address: tables, seats, component files, alert subscriptions, length of names."""

from __future__ import annotations

import hashlib
import hmac

from spieltisch.core.words import message
from spieltisch.live.limits import Limits
from spieltisch.store import Store, quota_counts
from spieltisch.tables import TableRefusal, clean_name
from spieltisch.tables.refusal_codes import RefusalCode


class Quotas:
    """The limits of a server compared with the content of its store; `key` hides the addresses."""

    def __init__(self, store: Store, limits: Limits, key: bytes) -> None:
        self._store = store
        self._limits = limits
        self._key = key

    def hash_address(self, address: str) -> bytes | None:
        """Return the keyed hash stored for an address; None for an unknown one (""), which is not counted."""
        return hmac.digest(self._key, address.encode(), hashlib.sha256)[:16] if address else None

    def clean_name(self, text: str) -> str:
        """Return a name in its stored form.

        Raise `TableRefusal` `name` if it is invalid or too long here.
        """
        return clean_name(text, self._limits.longest_name)

    async def require_table_quota(self, host: str, origin: bytes | None, more: int = 1) -> None:
        """Require that this person and this address may open `more` tables.

        The person may take a seat at one of them. Raise `TableRefusal` `too-many-tables` or `too-many-seats`.
        """
        total_limit, host_limit, address_limit = (
            self._limits.total_tables,
            self._limits.tables_per_host,
            self._limits.tables_per_address,
        )
        if total_limit and await quota_counts.tables_going_on(self._store) + more > total_limit:
            reason = message("The server is full ({count} open tables). Try again later.", count=total_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)
        if host_limit and await quota_counts.tables_going_on(self._store, host) + more > host_limit:
            reason = message(
                "You already have {count} open tables. Finish or abort one first.",
                count=host_limit,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)
        if (
            address_limit
            and origin is not None
            and await quota_counts.tables_going_on(self._store, origin=origin) + more > address_limit
        ):
            reason = message(
                "Your network already has {count} open tables. Finish or abort one first.",
                count=address_limit,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)
        await self.require_seat_quota(host)

    async def require_seat_quota(self, person: str) -> None:
        """Require that this person may take another seat.

        Raise `TableRefusal` `too-many-seats`.
        """
        maximum = self._limits.seats_per_person
        if maximum and await quota_counts.seats_held(self._store, person) >= maximum:
            reason = message(
                "You already have {count} seats in unfinished games. Finish or leave one first.",
                count=maximum,
            )
            raise TableRefusal(RefusalCode.TOO_MANY_SEATS, reason)

    async def component_file(self, person: str, origin: bytes | None) -> None:
        """Require that this person and this address may store another component file.

        Raise `TableRefusal` `too-many-component-files`.
        """
        person_limit, address_limit = self._limits.component_files, self._limits.component_files_per_address
        if person_limit and await quota_counts.sets_kept(self._store, person=person) >= person_limit:
            reason = message("You already have {count} component files, the maximum.", count=person_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, reason)
        if (
            address_limit
            and origin is not None
            and await quota_counts.sets_kept(self._store, origin=origin) >= address_limit
        ):
            reason = message("Your network already has {count} component files, the maximum.", count=address_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, reason)

    def passkey(self, existing: int) -> None:
        """Require that a person with this number of passkeys may add another one.

        Raise `TableRefusal` `too-many-passkeys`.
        """
        maximum = self._limits.passkeys
        if maximum and existing >= maximum:
            reason = message("You already have {count} passkeys. Remove one first.", count=maximum)
            raise TableRefusal(RefusalCode.TOO_MANY_PASSKEYS, reason)

    def require_subscription_quota(self, existing: int, from_address: int) -> None:
        """Require that a person and an address with these numbers of subscriptions may add another one.

        Raise `TableRefusal` `too-many-subscriptions`.
        """
        maximum, address_limit = self._limits.alert_subscriptions, self._limits.alert_subscriptions_per_address
        if maximum and existing >= maximum:
            reason = message("You already have {count} kinds of alerts. Remove one first.", count=maximum)
            raise TableRefusal(RefusalCode.TOO_MANY_SUBSCRIPTIONS, reason)
        if address_limit and from_address >= address_limit:
            reason = message("Your network already has {count} kinds of alerts, the maximum.", count=address_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_SUBSCRIPTIONS, reason)
