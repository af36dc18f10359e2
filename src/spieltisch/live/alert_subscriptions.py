"""In which ways somebody is told that it is their turn: added, tried, confirmed, ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import MAIL, Channels
from spieltisch.core.words import Message, Words, message
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
TRY: Final = message("This is how you are told when it is your turn.")
CONFIRMING: Final = message(
    "Somebody wants to be told at this address when it is their turn at a table of Spieltisch. If that is you, say so"
    " at the address below. If not, nothing more will come."
)


class Subscriptions:
    """People's ways. `address` gives where this server is reached, for links; `key` signs those in mails."""

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

    async def of(self, person_id: str) -> tuple[AlertSubscription, ...]:
        """A person's ways, the oldest first."""
        return await stored.of_person(self._store, person_id)

    async def add(self, person: Person, kind: str, given: Mapping[str, str]) -> AlertSubscription:
        """One more way, or the same that is there; nobody is told by mail who has not said that the address is theirs.

        Raises `TableRefusal` address, too-many-ways, not-written.
        """
        try:
            kind, address = self.channels.normalize(kind, given)
        except DeliveryFailed as problem:
            raise TableRefusal(RefusalCode.ADDRESS, problem.reason) from problem
        there = await self.of(person.id)
        known = next((way for way in there if (way.kind, way.address) == (kind, address)), None)
        if known is not None and known.state != GONE:
            return known
        self._quotas.require_subscription_quota(sum(way.state != GONE for way in there))
        if known is not None:
            await await_write(stored.remove(self._store, known.id))
        state = UNCONFIRMED if kind == MAIL else ACTIVE
        way = AlertSubscription(secrets.token_urlsafe(9), person.id, kind, address, state, self._clock())
        await await_write(stored.add(self._store, way))
        return way

    async def get(self, person_id: str, way_id: str) -> AlertSubscription:
        """A person's way. Raises `TableRefusal` no-way."""
        way = await stored.find(self._store, way_id)
        if way is None or way.person != person_id:
            raise no_way()
        return way

    async def send_test(self, person: Person, way: AlertSubscription) -> Message | None:
        """Send something that shows whether it arrives, or asks whose address it is; returns why it was not taken."""
        words = Words(person.language)
        asks = way.state == UNCONFIRMED
        path = self.path(CONFIRM, way) if asks else "/me/alerts"
        alert = Alert(
            secrets.token_urlsafe(12),
            words.say(message("Spieltisch: is this your address?") if asks else message("A message from Spieltisch")),
            words.say(CONFIRMING if asks else TRY),
            self.address() + path,
            path,
            0,
            person.language,
            *(() if asks else self.unsubscribe_link(way, words)),
        )
        now, reason = self._clock(), None
        try:
            await self.channels.send(way.kind, way.address, alert)
        except DeliveryFailed as problem:
            reason = problem.reason
            state = GONE if problem.gone else way.state
            way = msgspec.structs.replace(way, state=state, failed=now, reason=reason)
        else:
            way = msgspec.structs.replace(way, failed=None, reason=None)
        await await_write(stored.save(self._store, way))
        return reason

    def unsubscribe_link(self, way: AlertSubscription, words: Words) -> tuple[str, str]:
        """Where one click ends a way, and the words for that."""
        return self.address() + self.path(END, way), words.say(message("Do not tell me here any more:"))

    def path(self, act: str, way: AlertSubscription) -> str:
        """The address at which who has a mail ends its way, or confirms it."""
        return f"/alerts/{act}/{self._signed.dumps([act, way.id])}"

    async def by_token(self, act: str, token: str) -> AlertSubscription:
        """The way that such an address is about. Raises `TableRefusal` no-way."""
        try:
            found = self._signed.loads(token)
        except BadSignature as problem:
            raise no_way() from problem
        way = await stored.find(self._store, found[1]) if found[0] == act else None
        if way is None:
            raise no_way()
        return way

    async def confirm(self, way: AlertSubscription) -> None:
        """Somebody at its address has said that they want to be told there."""
        if way.state == UNCONFIRMED:
            await await_write(stored.save(self._store, msgspec.structs.replace(way, state=ACTIVE)))

    async def remove(self, way: AlertSubscription) -> None:
        """Nobody is told in this way any more."""
        await await_write(stored.remove(self._store, way.id))


def no_way() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_SUBSCRIPTION, message("You are not told in this way, or not any more."))
