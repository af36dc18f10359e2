"""Sending of alerts that are queued in the store, with growing pauses, until they are delivered.

Alerts are stored with the move or message that caused them, so nothing here must survive a restart. Before an alert is
sent, the table is asked whether it still waits for that person, or whether the message still exists. Alerts that are
sent together get a batch id before they are sent, and are sent again under the same id if it is not known that they
have arrived.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import msgspec
import structlog

from spieltisch.alerts import texts
from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import MAIL
from spieltisch.alerts.quiet_hours import quiet_until
from spieltisch.alerts.texts import AlertText
from spieltisch.core.words import Message, Words, message
from spieltisch.live.alert_kinds import OWN_KINDS
from spieltisch.live.alert_subscriptions import Subscriptions
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, DeliveryPauses, retry_pause
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.followed_tables import LOOK_SECONDS
from spieltisch.live.leases import Leases
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.log_limit import LogLimit
from spieltisch.live.presence import Presence
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.services import Tasks, running, wait
from spieltisch.store import LeaseEnded, Person, Store, StoreClosed, WriteFailed, alert_subscriptions, outbox, people
from spieltisch.store.alert_subscriptions import GONE, AlertSubscription
from spieltisch.store.leases import Lease
from spieltisch.store.lobby import count_turns
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.schema import ACTIVE, TURN_ALERT
from spieltisch.tables import TableRefusal

MAX_POLL_SECONDS: Final = 60.0
"""The time after which the store is asked again in any case."""
MAX_PARALLEL: Final = 8
"""The maximum number of alerts sent at the same time in each lane."""
MINUTE: Final = 60.0
ALERTS: Final = Lease("alerts")
"""The lease of the process that sends alerts; it has their pauses in its memory."""
Lane: TypeAlias = tuple[str, bool]
"""The kind of a subscription, and whether the last delivery to its recipient failed; no lane waits for another one."""

_logger = structlog.get_logger()


class AlertSender:
    """The loop that sends alerts."""

    def __init__(
        self,
        store: Store,
        tables: LiveTables,
        presence: Presence,
        subscriptions: Subscriptions,
        clock: ServerClock,
        leases: Leases,
    ) -> None:
        self._store = store
        self._leases = leases
        self._outbox = leases.fence(ALERTS)
        self._tables = tables
        self._presence = presence
        self._subscriptions = subscriptions
        self._clock = clock
        self._corrections = len(clock.corrections)
        """The number of corrections of the clock for which the queue has been adjusted."""
        self._is_adjusted = False
        self._is_unsaved = False
        """True if the store could not be written: then nothing is sent until it can be, or it would be sent again."""
        self._log_limit = LogLimit(clock.steady)
        self._wake = asyncio.Event()
        self.sending = Tasks[str]()
        """For each subscription the task that sends its alerts."""
        self._slots: dict[Lane, FairQueue] = {}
        self._single_slots: WeakValueDictionary[Hashable, FairQueue] = WeakValueDictionary()
        self._pauses = DeliveryPauses()
        self.kinds = dict(OWN_KINDS)
        """The kinds of alerts, the most important first; features add their own."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send queued alerts until the context ends."""
        with self._tables.listening(lambda _: self.wake()):
            async with running("alerts", partial(self._leases.while_held, ALERTS, self._send_while_held)):
                yield

    async def close(self) -> None:
        """Stop sending.

        Alerts that were being sent are sent again after the next start, if it is not known that they have arrived.
        """
        await self.sending.end()

    def wake(self) -> None:
        """Look for due alerts now."""
        self._wake.set()

    async def send_due(self) -> float | None:
        """Start to send what is due; return the time (UTC seconds) of the next alert, apart from those being sent."""
        try:
            return await self._start_due()
        except WriteFailed as error:
            self._report_unsaved(error)
        except LeaseEnded:
            pass
        return None

    async def _start_due(self) -> float | None:
        if self._is_unsaved:
            await self._store.check()
            self._is_unsaved = False
        now, next_due = self._clock(), None
        await self._adjust_waits(now)
        for subscription_id, at in (await outbox.due(self._store)).items():
            if subscription_id in self.sending:
                continue
            if at <= now:
                self.sending.start(subscription_id, self._send, subscription_id)
            else:
                next_due = at if next_due is None else min(at, next_due)
        return next_due

    async def _adjust_waits(self, now: float) -> None:
        """Once, and whenever the clock was set: let no alert wait until a time that was wrong."""
        corrections = self._clock.corrections
        count, new = len(corrections), corrections[self._corrections :]
        if new or not self._is_adjusted:
            by = sum(correction.to - correction.since for correction in new)
            await outbox.adjust_waits(self._outbox, now, by, MAX_BACKOFF_SECONDS)
            self._corrections, self._is_adjusted = count, True

    async def _send_while_held(self) -> None:
        try:
            await self._send_regularly()
        finally:
            await self.sending.end()

    async def _send_regularly(self) -> None:
        while True:
            due = await self.send_due()
            longest = LOOK_SECONDS if self._leases.is_shared else MAX_POLL_SECONDS
            await wait(self._wake, longest if due is None else min(max(due - self._clock(), 0.0), longest))

    def _report_unsaved(self, error: WriteFailed) -> None:
        self._is_unsaved = True
        if self._log_limit.allows("unsaved"):
            _logger.error("no alerts are sent until the database can be written", problem=str(error))

    async def _send(self, subscription_id: str) -> None:
        try:
            await self._send_to(subscription_id)
        except WriteFailed as error:
            self._report_unsaved(error)
        finally:
            self._wake.set()

    async def _send_to(self, subscription_id: str) -> None:
        subscription = None
        try:
            subscription = await alert_subscriptions.find(self._store, subscription_id)
            if subscription is None:
                return  # its alerts were deleted with it
            async with self._slot(subscription):
                subscription = await alert_subscriptions.find(self._store, subscription_id)
                person = None if subscription is None else await people.by_id(self._store, subscription.person)
                if subscription is None or person is None:
                    return  # the subscription or its person was deleted, and its queued alerts with it
                if subscription.state != ACTIVE:
                    await outbox.clear(self._outbox, subscription.id)
                    return
                until = await self._hold_until(subscription, person)
                if until is not None:
                    await outbox.postpone(self._outbox, subscription.id, until)
                else:
                    await self._send_batch(subscription, person)
        except (StoreClosed, LeaseEnded):
            raise
        except WriteFailed:
            if subscription is not None:  # what may have arrived is not sent again at once
                self._pauses.add_failure(subscription, self._clock.steady(), self._pauses.failures(subscription))
            raise
        except Exception:
            _logger.exception("an alert could not be sent", subscription=subscription_id)
            reason = message("The message could not be sent.")
            if subscription is None:  # it could not be read
                await outbox.mark_failed(self._outbox, subscription_id, None, self._clock(), reason, retry_pause)
            else:
                await self._fail(subscription, None, reason)

    @asynccontextmanager
    async def _slot(self, subscription: AlertSubscription) -> AsyncIterator[None]:
        """Wait until an alert may be sent.

        Of one kind of subscriptions, one alert at a time is sent to each person, and one to all people who subscribed
        from the same address. Recipients that failed before have slots of their own. So a receiver or a mail server
        that does not answer delays no other kind, and after its first failure only others that failed.
        """
        lane = subscription.kind, self._pauses.has_failed(subscription)
        origin = subscription.origin or subscription.person
        person_slot = self._single_slots.setdefault((*lane, "person", subscription.person), FairQueue(1))
        origin_slot = self._single_slots.setdefault((*lane, "origin", origin), FairQueue(1))
        slots = self._slots.setdefault(lane, FairQueue(MAX_PARALLEL))
        async with (
            person_slot.slot(subscription.id, first=True),
            origin_slot.slot(subscription.person, first=True),
            slots.slot(origin, first=True),
        ):
            yield

    async def _fail(self, subscription: AlertSubscription, batch: str | None, reason: Message) -> None:
        """Record a failure and plan the next try."""
        now, earlier = self._clock(), self._pauses.failures(subscription)
        self._pauses.add_failure(subscription, self._clock.steady(), earlier)  # also if it cannot be stored
        attempts = await outbox.mark_failed(
            self._outbox, subscription.id, batch, now, reason, lambda attempts: retry_pause(max(attempts, earlier))
        )
        self._pauses.add_failure(subscription, self._clock.steady(), max(attempts, earlier))

    async def _hold_until(self, subscription: AlertSubscription, person: Person) -> float | None:
        """Return the time until which nothing is sent to this subscription, or None to send now."""
        now, steady, settings = self._clock(), self._clock.steady(), person.preferences.alerts
        last_active, times = (
            self._presence.last_active(person.id),
            [quiet_until(now, settings.zone, settings.quiet_from, settings.quiet_to)],
        )
        times.append(now + (self._pauses.until(subscription) - steady))  # not rounded up where both are the same
        if last_active is not None:
            times.append(now + settings.away_minutes * MINUTE - self._clock.seconds_since(last_active))
        if (retry_at := await outbox.retry_at(self._store, subscription.id)) is not None:
            times.append(retry_at)
        elif subscription.sent is not None:
            times.append(subscription.sent + settings.pause_minutes * MINUTE)
        latest = max((at for at in times if at is not None), default=now)
        if latest <= now:
            latest = now + (self._pauses.reserve(subscription, steady) - steady)
        return latest if latest > now else None

    async def _send_batch(self, subscription: AlertSubscription, person: Person) -> None:
        now = self._clock()
        batch, waiting = await outbox.claim(self._outbox, subscription.id, now, secrets.token_urlsafe(12))
        void_alerts: list[QueuedAlert] = []
        due: list[tuple[QueuedAlert, AlertText]] = []
        for queued in waiting:
            try:
                table = await self._tables.get(queued.table_id)
            except TableRefusal:
                void_alerts.append(queued)
                continue
            if table.version < queued.version:
                continue  # on disk already, and in memory in a moment
            text = await self.kinds[queued.kind].text(table, queued, person)
            if text is None:
                void_alerts.append(queued)
            else:
                due.append((queued, text))
        await outbox.discard(self._outbox, subscription.id, void_alerts)
        if not due:
            return
        alert = await self._alert(batch, subscription, person, due)
        if not self._leases.holds(ALERTS):
            raise LeaseEnded("another process may send this alert now")
        try:
            await self._subscriptions.channels.send(subscription.kind, subscription.address, alert)
        except DeliveryFailed as error:
            _logger.warning(
                "an alert was not taken", subscription=subscription.id, kind=subscription.kind, why=str(error)
            )
            if error.gone:
                gone = msgspec.structs.replace(subscription, state=GONE, failed=now, reason=error.reason)
                await alert_subscriptions.save(self._store, gone)
                await outbox.clear(self._outbox, subscription.id)
                return
            await self._fail(subscription, batch, error.reason)
        else:
            self._pauses.add_delivery(subscription, self._clock.steady())
            await outbox.mark_delivered(self._outbox, subscription.id, batch, self._clock())

    async def _alert(
        self,
        batch: str,
        subscription: AlertSubscription,
        person: Person,
        due: list[tuple[QueuedAlert, AlertText]],
    ) -> Alert:
        words, tables = Words(person.language), {queued.table_id for queued, _ in due}
        groups = [(kind, [text for queued, text in due if queued.kind == name]) for name, kind in self.kinds.items()]
        groups = [(kind, of_kind) for kind, of_kind in groups if of_kind]
        title, text = texts.digest([(kind.title_of_several, of_kind, kind.most) for kind, of_kind in groups], words)
        subpage = groups[0][0].subpage
        path = f"/table/{min(tables)}{subpage}" if subpage is not None and len(tables) == 1 else "/"
        turn_count = await count_turns(self._store, person.id)
        unsubscribe = (
            self._subscriptions.unsubscribe_link(subscription, words) if subscription.kind == MAIL else ("", "")
        )
        turn_ids = tuple((queued.table_id, queued.version) for queued, _ in due if queued.kind == TURN_ALERT)
        return Alert(
            batch,
            title,
            text,
            self._subscriptions.address() + path,
            path,
            turn_count,
            person.language,
            *unsubscribe,
            turn_ids,
        )
