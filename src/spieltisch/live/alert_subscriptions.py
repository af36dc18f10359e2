"""Subscriptions by which a person is alerted of their turn: adding, testing, confirming and ending them."""

import secrets
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import Channels, recipient_of
from spieltisch.core.words import Message, Words, message, messages
from spieltisch.live.disk_errors import await_write
from spieltisch.live.quotas import Quotas
from spieltisch.store import Person, Store
from spieltisch.store import alert_subscriptions as stored
from spieltisch.store.alert_subscriptions import GONE, UNCONFIRMED, AlertSubscription
from spieltisch.store.schema import ACTIVE
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode

END: Final = "end"
CONFIRM: Final = "confirm"
TRY: Final = message("Test: this is how your turn alerts will reach you.")
CONFIRMING: Final = message(
    "Someone asked for turn alerts from Spieltisch at this address. If it was you, open the link to confirm. If not,"
    " ignore this message."
)


class Subscriptions:
    """The subscriptions of people.

    `address` returns the URL of this server, for links; `key` signs the links in mails.
    """

    def __init__(
        self,
        store: Store,
        quotas: Quotas,
        channels: Channels,
        key: bytes,
        clock: Callable[[], float],
        address: Callable[[], str],
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._clock = clock
        self._signed = URLSafeSerializer(key, salt="spieltisch alerts")
        self.channels = channels
        self.address = address
        self.changed: Callable[[str], None] = lambda person_id: None
        """Called with a person who has added or removed a subscription."""

    async def of(self, person_id: str) -> tuple[AlertSubscription, ...]:
        """Return the subscriptions of a person, oldest first."""
        return await stored.of_person(self._store, person_id)

    def normalize(self, kind: str, raw_address: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the kind and the address as they are stored.

        Raise `TableRefusal` `address` for an invalid one.
        """
        try:
            return self.channels.normalize(kind, raw_address)
        except DeliveryFailed as error:
            raise TableRefusal(RefusalCode.ADDRESS, error.reason) from error

    async def add(
        self,
        person: Person,
        kind: str,
        raw_address: Mapping[str, str],
        remote_address: str = "",
        session: str | None = None,
    ) -> AlertSubscription:
        """Add a subscription from a remote address, or return an existing one with this address.

        No alerts are sent to a mail address or a topic of ntfy before its owner has opened a link that is
        sent there now; a person's own webhook must return a challenge first. Raise `TableRefusal` `address`,
        `too-many-subscriptions`, `too-many-confirmations`, `not-written`, or `signed-out` if the `session` that asks
        has ended.
        """
        kind, address = self.normalize(kind, raw_address)
        for existing in await self.of(person.id):
            if (existing.kind, existing.address) == (kind, address) and existing.state != GONE:
                if existing.state == UNCONFIRMED:
                    await self.send_test(person, existing)
                return existing
        try:
            await self.channels.require_consent(kind, address, self.address())
        except DeliveryFailed as error:
            raise TableRefusal(RefusalCode.ADDRESS, error.reason) from error
        is_unconfirmed = self.channels.is_confirmed_by_link(kind, address)
        if is_unconfirmed:
            await self._count_confirmation(kind, address)
        subscription = AlertSubscription(
            secrets.token_urlsafe(9),
            person.id,
            kind,
            address,
            UNCONFIRMED if is_unconfirmed else ACTIVE,
            self._clock(),
            origin=self._quotas.hash_address(remote_address),
        )
        check = self._quotas.require_subscription_quota
        subscription = await await_write(stored.add(self._store, subscription, check, session))
        self.changed(person.id)
        if is_unconfirmed:
            await self._send_test(person, subscription)
        return subscription

    async def get(self, person_id: str, subscription_id: str) -> AlertSubscription:
        """Return a subscription of a person.

        Raise `TableRefusal` `no-subscription` if they have none with this id.
        """
        subscription = await stored.find(self._store, subscription_id)
        if subscription is None or subscription.person != person_id:
            raise no_such_subscription()
        return subscription

    async def send_test(self, person: Person, subscription: AlertSubscription) -> Message | None:
        """Send a test message, or the request to confirm an address; return the reason if it was not delivered.

        Raise `TableRefusal` `too-many-confirmations`.
        """
        if subscription.state == UNCONFIRMED:
            await self._count_confirmation(subscription.kind, subscription.address)
        return await self._send_test(person, subscription)

    async def _count_confirmation(self, kind: str, address: Mapping[str, str]) -> None:
        recipient, domain = recipient_of(kind, address)
        await await_write(self._quotas.count_confirmation(recipient, domain, self._clock()))

    async def _send_test(self, person: Person, subscription: AlertSubscription) -> Message | None:
        words = Words(person.language)
        unconfirmed = subscription.state == UNCONFIRMED
        path = self.path(CONFIRM, subscription) if unconfirmed else "/me/alerts"
        alert = Alert(
            secrets.token_urlsafe(12),
            words.say(
                message("Spieltisch: confirm your address") if unconfirmed else message("Test message from Spieltisch")
            ),
            self._confirmation_text(words) if unconfirmed else words.say(TRY),
            self.address() + path,
            path,
            0,
            person.language,
            *(() if unconfirmed else self.unsubscribe_link(subscription, words)),
        )
        now, reason = self._clock(), None
        try:
            await self.channels.send(subscription.kind, subscription.address, alert)
        except DeliveryFailed as error:
            reason = error.reason
            state = GONE if error.gone else subscription.state
            subscription = msgspec.structs.replace(subscription, state=state, failed=now, reason=reason)
        else:
            subscription = msgspec.structs.replace(subscription, failed=None, reason=None)
        await await_write(stored.save(self._store, subscription))
        return reason

    def _confirmation_text(self, words: Words) -> str:
        maximum = self._quotas.confirmations_per_day
        more = messages(
            "At most {count} message like this is sent here a day.",
            "At most {count} messages like this are sent here a day.",
            maximum,
        )
        return f"{words.say(CONFIRMING)} {words.say(more)}" if maximum else words.say(CONFIRMING)

    def unsubscribe_link(self, subscription: AlertSubscription, words: Words) -> tuple[str, str]:
        """Return the URL at which one click ends a subscription, and the text of the link."""
        return self.address() + self.path(END, subscription), words.say(message("Unsubscribe:"))

    def path(self, act: str, subscription: AlertSubscription) -> str:
        """Return the path at which the reader of a mail ends or confirms a subscription."""
        return f"/alerts/{act}/{self._signed.dumps([act, subscription.id])}"

    async def by_token(self, act: str, token: str) -> AlertSubscription:
        """Return the subscription that the token of such a path belongs to.

        Raise `TableRefusal` `no-subscription` if the token is invalid or the subscription is gone.
        """
        try:
            content = self._signed.loads(token)
        except BadSignature as error:
            raise no_such_subscription() from error
        subscription = await stored.find(self._store, content[1]) if content[0] == act else None
        if subscription is None:
            raise no_such_subscription()
        return subscription

    async def confirm(self, subscription: AlertSubscription) -> None:
        """Activate a subscription that was confirmed by its recipient."""
        if subscription.state == UNCONFIRMED:
            await await_write(stored.save(self._store, msgspec.structs.replace(subscription, state=ACTIVE)))

    async def remove(self, subscription: AlertSubscription) -> None:
        """End a subscription."""
        await await_write(stored.remove(self._store, subscription.person, subscription.id))
        self.changed(subscription.person)


def no_such_subscription() -> TableRefusal:
    """Return the refusal of an unknown or ended subscription."""
    return TableRefusal(RefusalCode.NO_SUBSCRIPTION, message("These alerts have been turned off."))
