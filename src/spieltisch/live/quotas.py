"""Quotas of one person and one address: tables, seats, files, uploads, alert subscriptions, length of names."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence
from typing import Final

from spieltisch.core.words import message
from spieltisch.live.limits import Limits
from spieltisch.store import Connection, Store, confirmation_requests
from spieltisch.store.quota_counts import count_rows, count_seats, count_unfinished_tables
from spieltisch.store.schema import COMPONENT_OWNERS
from spieltisch.store.uploads import Upload
from spieltisch.tables import TableRefusal, clean_name
from spieltisch.tables.refusal_codes import RefusalCode

MAX_UPLOADED: Final = 500
"""The maximum number of stored games from uploaded records."""


class Quotas:
    """The limits of a server compared with the content of its store; `key` hides the addresses.

    Whoever stores something counts in the same transaction, after `take_turns`, so that not even two processes exceed a
    quota together.
    """

    def __init__(self, store: Store, limits: Limits, key: bytes) -> None:
        self._store = store
        self._limits = limits
        self._key = key

    def hash_address(self, address: str | bytes) -> bytes | None:
        """Return the keyed hash stored for an address, or for the hash of one that was stored before.

        None for an unknown one (""), which is not counted.
        """
        if isinstance(address, bytes):
            return address or None
        return hmac.digest(self._key, address.encode(), hashlib.sha256)[:16] if address else None

    def unnamed_at(self, address: str) -> str:
        """Return what stands for visitors without a name at an address, which it does not reveal."""
        return f"@{(self.hash_address(address) or b'').hex()}"

    def clean_name(self, text: str) -> str:
        """Return a name in its stored form.

        Raise `TableRefusal` `name` if it is invalid or too long here.
        """
        return clean_name(text, self._limits.longest_name)

    def require_table_quota(self, connection: Connection, host: str, origin: bytes | None, more: int = 1) -> None:
        """Require that this person and this address may open `more` tables beside those that are stored.

        It includes that the person may take another seat. Raise `TableRefusal` `too-many-tables` or `too-many-seats`.
        """
        self.require_seat_quota(connection, host)
        total_limit, host_limit, address_limit = (
            self._limits.total_tables,
            self._limits.tables_per_host,
            self._limits.tables_per_address,
        )
        if total_limit and count_unfinished_tables(connection) + more > total_limit:
            reason = message("The server is full ({count} open tables). Try again later.", count=total_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)
        if host_limit and count_unfinished_tables(connection, host) + more > host_limit:
            reason = message("You already have {count} open tables. Finish or abort one first.", count=host_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)
        if (
            address_limit
            and origin is not None
            and count_unfinished_tables(connection, origin=origin) + more > address_limit
        ):
            reason = message(
                "Your network already has {count} open tables. Finish or abort one first.", count=address_limit
            )
            raise TableRefusal(RefusalCode.TOO_MANY_TABLES, reason)

    def require_seat_quota(self, connection: Connection, person: str) -> None:
        """Require that this person may take another seat.

        Raise `TableRefusal` `too-many-seats`.
        """
        maximum = self._limits.seats_per_person
        if maximum and count_seats(connection, person) >= maximum:
            reason = message(
                "You already have {count} seats in unfinished games. Finish or leave one first.", count=maximum
            )
            raise TableRefusal(RefusalCode.TOO_MANY_SEATS, reason)

    def component_file(self, connection: Connection, person: str, origin: bytes | None) -> None:
        """Require that this person and this address may store another component file.

        Raise `TableRefusal` `too-many-component-files`.
        """
        person_limit, address_limit = self._limits.component_files, self._limits.component_files_per_address
        if person_limit and count_rows(connection, COMPONENT_OWNERS, person=person) >= person_limit:
            reason = message("You already have {count} component files, the maximum.", count=person_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, reason)
        if (
            address_limit
            and origin is not None
            and count_rows(connection, COMPONENT_OWNERS, origin=origin) >= address_limit
        ):
            reason = message("Your network already has {count} component files, the maximum.", count=address_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_COMPONENT_FILES, reason)

    def surplus_uploads(self, uploads: Sequence[Upload]) -> list[str]:
        """Return the ids of the uploaded games to remove, of all of them, newest first.

        The oldest beyond the limits of their person or address are removed; beyond `MAX_UPLOADED` in total, the oldest
        of the address with the most, so that many uploads from a few addresses cannot displace those of others.
        """
        person_limit, address_limit = self._limits.uploaded_records, self._limits.uploaded_records_per_address
        kept: dict[bytes | str, list[str]] = {}
        of_person: Counter[str | None] = Counter()
        surplus = []
        for upload in uploads:
            own = kept.setdefault(upload.origin or upload.table_id, [])
            of_person[upload.person] += 1
            is_beyond_person = upload.person is not None and 0 < person_limit < of_person[upload.person]
            if is_beyond_person or 0 < address_limit <= len(own):
                surplus.append(upload.table_id)
            else:
                own.append(upload.table_id)
        for _ in range(sum(map(len, kept.values())) - MAX_UPLOADED):
            surplus.append(max(reversed(kept.values()), key=len).pop())
        return surplus

    def passkey(self, existing: int) -> None:
        """Require that a person with this number of passkeys may add another one.

        Raise `TableRefusal` `too-many-passkeys`.
        """
        maximum = self._limits.passkeys
        if maximum and existing >= maximum:
            reason = message("You already have {count} passkeys. Remove one first.", count=maximum)
            raise TableRefusal(RefusalCode.TOO_MANY_PASSKEYS, reason)

    @property
    def confirmations_per_day(self) -> int:
        """The maximum number of requests a day by which one recipient is asked for confirmation; 0 means no limit."""
        return self._limits.confirmation_mails_per_day

    async def count_confirmation(self, recipient: str, domain: str, at: float) -> None:
        """Count a request that asks a recipient in a domain for confirmation, whoever asks for it.

        Raise `TableRefusal` `too-many-confirmations`; then it is not counted.
        """
        maxima = {recipient: self.confirmations_per_day, f"@{domain}": self._limits.confirmation_mails_per_domain}
        hashed = {hmac.digest(self._key, name.encode(), hashlib.sha256): count for name, count in maxima.items()}
        if not await confirmation_requests.add(self._store, hashed, at):
            reason = message("Too many confirmation messages to this address. Try again later.")
            raise TableRefusal(RefusalCode.TOO_MANY_CONFIRMATIONS, reason)

    def require_subscription_quota(self, existing: int, from_address: int) -> None:
        """Require that a person and an address with these numbers of subscriptions may add another one.

        Raise `TableRefusal` `too-many-subscriptions`.
        """
        maximum, address_limit = self._limits.alert_subscriptions, self._limits.alert_subscriptions_per_address
        if maximum and existing >= maximum:
            reason = message("You already have {count} alert subscriptions. Remove one first.", count=maximum)
            raise TableRefusal(RefusalCode.TOO_MANY_SUBSCRIPTIONS, reason)
        if address_limit and from_address >= address_limit:
            reason = message("Your network already has {count} alert subscriptions, the maximum.", count=address_limit)
            raise TableRefusal(RefusalCode.TOO_MANY_SUBSCRIPTIONS, reason)
