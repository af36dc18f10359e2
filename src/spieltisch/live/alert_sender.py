"""Sending of alerts that are queued in the store, with growing pauses, until they are delivered.

Alerts are stored with the move or message that caused them, so nothing here must survive a restart. Before an alert is
sent, the table is asked whether it still waits for that person, or whether the message still exists. Alerts that are
sent together get a batch id before they are sent, and are sent again under the same id if it is not known that they
have arrived.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import msgspec
import structlog

from spieltisch.alerts import texts
from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import MAIL
from spieltisch.alerts.quiet_hours import quiet_until
from spieltisch.core.words import Message, Words, message
from spieltisch.live.alert_subscriptions import Subscriptions
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, DeliveryPauses, retry_pause
from spieltisch.live.fair_queue import FairQueue
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.log_limit import LogLimit
from spieltisch.live.presence import Presence
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Person, Store, StoreClosed, WriteFailed, alert_subscriptions, chat, outbox, people
from spieltisch.store.alert_subscriptions import GONE, AlertSubscription
from spieltisch.store.lobby import count_turns
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.schema import ACTIVE, MENTION_ALERT, SEAT_ALERT, TURN_ALERT
from spieltisch.tables import Table, TableRefusal, device_owner
from spieltisch.tables.chat import mentioned

MAX_POLL_SECONDS: Final = 60.0
"""The time after which the store is asked again in any case."""
MAX_PARALLEL: Final = 8
"""The maximum number of alerts sent at the same time in each lane."""
CANCEL_SECONDS: Final = 0.5
"""The time after which an alert that is still being sent is cancelled again."""
MINUTE: Final = 60.0
Lane: TypeAlias = tuple[str, bool]
"""The kind of a subscription, and whether the last delivery to its recipient failed; no lane waits for another one."""
AlertText: TypeAlias = tuple[QueuedAlert, tuple[str, str]]
"""A queued alert with its title and its lines."""

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
    ) -> None:
        self._store = store
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
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._slots: dict[Lane, FairQueue] = {}
        self._single_slots: WeakValueDictionary[Hashable, FairQueue] = WeakValueDictionary()
        self._pauses = DeliveryPauses()
        self._loop: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Start to send queued alerts."""
        self._leave = self._tables.subscribe(None, lambda _: self.wake())
        self._loop = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop sending.

        Alerts that were being sent are sent again after the next start, if it is not known that they have arrived.
        """
        self._leave()
        tasks = {*self._sending.values(), *([self._loop] if self._loop else [])}
        while tasks:
            for task in tasks:
                task.cancel()
            # Before Python 3.12, asyncio.wait_for in a library may lose a cancellation.
            _, tasks = await asyncio.wait(tasks, timeout=CANCEL_SECONDS)

    def wake(self) -> None:
        """Look for due alerts now."""
        self._wake.set()

    async def send_due(self) -> float | None:
        """Start to send what is due; return the time (UTC seconds) of the next alert, apart from those being sent."""
        try:
            return await self._start_due()
        except WriteFailed as error:
            self._report_unsaved(error)
            return None

    async def _start_due(self) -> float | None:
        if self._is_unsaved:
            await self._store.check()
            self._is_unsaved = False
        now, next_due = self._clock(), None
        await self._adjust_waits(now)
        for subscription_id, at in (await outbox.due(self._store)).items():
            if subscription_id in self._sending:
                continue
            if at <= now:
                self._sending[subscription_id] = asyncio.create_task(self._send(subscription_id))
            else:
                next_due = at if next_due is None else min(at, next_due)
        return next_due

    async def _adjust_waits(self, now: float) -> None:
        """Once, and whenever the clock was set: let no alert wait until a time that was wrong."""
        corrections = self._clock.corrections
        count, new = len(corrections), corrections[self._corrections :]
        if new or not self._is_adjusted:
            by = sum(correction.to - correction.since for correction in new)
            await outbox.adjust_waits(self._store, now, by, MAX_BACKOFF_SECONDS)
            self._corrections, self._is_adjusted = count, True

    async def wait_idle(self) -> None:
        """Wait for the alerts being sent."""
        while self._sending:
            await asyncio.wait(tuple(self._sending.values()))

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            due = None
            try:
                due = await self.send_due()
            except StoreClosed:
                return
            except Exception:
                _logger.exception("alerts could not be looked for")
            wait = MAX_POLL_SECONDS if due is None else min(max(due - self._clock(), 0.0), MAX_POLL_SECONDS)
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    def _report_unsaved(self, error: WriteFailed) -> None:
        self._is_unsaved = True
        if self._log_limit.allows("unsaved"):
            _logger.error("no alerts are sent until the database can be written", problem=str(error))

    async def _send(self, subscription_id: str) -> None:
        try:
            await self._send_to(subscription_id)
        except StoreClosed:
            return
        except WriteFailed as error:
            self._report_unsaved(error)
        finally:
            del self._sending[subscription_id]
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
                    await outbox.clear(self._store, subscription.id)
                    return
                until = await self._hold_until(subscription, person)
                if until is not None:
                    await outbox.postpone(self._store, subscription.id, until)
                else:
                    await self._send_batch(subscription, person)
        except StoreClosed:
            raise
        except WriteFailed:
            if subscription is not None:  # what may have arrived is not sent again at once
                self._pauses.add_failure(subscription, self._clock.steady(), self._pauses.failures(subscription))
            raise
        except Exception:
            _logger.exception("an alert could not be sent", subscription=subscription_id)
            reason = message("The message could not be sent.")
            if subscription is None:  # it could not be read
                await outbox.mark_failed(self._store, subscription_id, None, self._clock(), reason, retry_pause)
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
            self._store, subscription.id, batch, now, reason, lambda attempts: retry_pause(max(attempts, earlier))
        )
        self._pauses.add_failure(subscription, self._clock.steady(), max(attempts, earlier))

    async def _hold_until(self, subscription: AlertSubscription, person: Person) -> float | None:
        """Return the time until which nothing is sent to this subscription, or None to send now."""
        now, steady, settings = self._clock(), self._clock.steady(), person.preferences.alerts
        last_active, times = (
            self._presence.last_active(person.id),
            [quiet_until(now, settings.zone, settings.quiet_from, settings.quiet_to)],
        )
        times.append(now + self._pauses.until(subscription) - steady)
        if last_active is not None:
            times.append(now + settings.away_minutes * MINUTE - self._clock.seconds_since(last_active))
        if (retry_at := await outbox.retry_at(self._store, subscription.id)) is not None:
            times.append(retry_at)
        elif subscription.sent is not None:
            times.append(subscription.sent + settings.pause_minutes * MINUTE)
        latest = max((at for at in times if at is not None), default=now)
        if latest <= now:
            latest = now + self._pauses.reserve(subscription, steady) - steady
        return latest if latest > now else None

    async def _send_batch(self, subscription: AlertSubscription, person: Person) -> None:
        now = self._clock()
        batch, waiting = await outbox.claim(self._store, subscription.id, now, secrets.token_urlsafe(12))
        void_alerts: list[QueuedAlert] = []
        due: list[AlertText] = []
        for queued in waiting:
            try:
                table = await self._tables.get(queued.table_id)
            except TableRefusal:
                void_alerts.append(queued)
                continue
            if table.version < queued.version:
                continue  # on disk already, and in memory in a moment
            if queued.kind == MENTION_ALERT:
                text = await self._mention(table, queued, person)
            elif queued.kind == SEAT_ALERT:
                is_lost = person.id in table.summary().dispossessed
                text = texts.seat_text(table, person.id, person.language) if is_lost else None
            elif _still_due(table, queued, person.id):
                text = texts.turn_text(table, person.id, person.language, person.preferences.alerts.zone)
            else:
                text = None
            if text is None:
                void_alerts.append(queued)
            else:
                due.append((queued, text))
        await outbox.discard(self._store, subscription.id, void_alerts)
        if not due:
            return
        alert = await self._alert(batch, subscription, person, due)
        try:
            await self._subscriptions.channels.send(subscription.kind, subscription.address, alert)
        except DeliveryFailed as error:
            _logger.warning(
                "an alert was not taken", subscription=subscription.id, kind=subscription.kind, why=str(error)
            )
            if error.gone:
                gone = msgspec.structs.replace(subscription, state=GONE, failed=now, reason=error.reason)
                await alert_subscriptions.save(self._store, gone)
                await outbox.clear(self._store, subscription.id)
                return
            await self._fail(subscription, batch, error.reason)
        else:
            self._pauses.add_delivery(subscription, self._clock.steady())
            await outbox.mark_delivered(self._store, subscription.id, batch, self._clock())

    async def _mention(self, table: Table, queued: QueuedAlert, person: Person) -> tuple[str, str] | None:
        """Return the text of a mention, or None if it is no longer needed.

        That is so if the message was removed, or if the person has viewed a page since, has muted the author or has
        left.
        """
        chat_message, last_active = (
            await chat.find(self._store, table.id, queued.message_number),
            self._presence.last_active(person.id),
        )
        if chat_message is None or chat_message.text is None:
            return None
        age = self._clock.seconds_since
        if (
            person.preferences.alerts.away_minutes
            and last_active is not None
            and age(last_active) < age(chat_message.at)
        ):
            return None
        for reader in mentioned(table, chat_message.room, chat_message.person, chat_message.text):
            if device_owner(reader) == person.id and chat_message.person not in await chat.muted_by(
                self._store, table.id, reader
            ):
                return texts.mention_text(
                    table, person.id, person.language, chat_message.seat, chat_message.name, chat_message.text
                )
        return None

    async def _alert(
        self, batch: str, subscription: AlertSubscription, person: Person, alert_texts: list[AlertText]
    ) -> Alert:
        words, tables = Words(person.language), {queued.table_id for queued, _ in alert_texts}
        seats, turns, mentions = [
            [alert_text for alert_text in alert_texts if alert_text[0].kind == kind]
            for kind in (SEAT_ALERT, TURN_ALERT, MENTION_ALERT)
        ]
        title, text = texts.digest(
            [text for _, text in seats], [text for _, text in turns], [text for _, text in mentions], words
        )
        is_at_one = len(tables) == 1 and not seats  # a seat is taken again in the lobby
        path = f"/table/{min(tables)}" + ("" if turns else "/chat") if is_at_one else "/"
        turn_count = await count_turns(self._store, person.id)
        unsubscribe = (
            self._subscriptions.unsubscribe_link(subscription, words) if subscription.kind == MAIL else ("", "")
        )
        turn_ids = tuple((queued.table_id, queued.version) for queued, _ in turns)
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


def _still_due(table: Table, waiting: QueuedAlert, person: str) -> bool:
    """Return True if the table still waits for this person, who has not moved since that turn began."""
    moved = (table.seats[play.seat].person for play in table.moves if play.version > waiting.version)
    return table.summary().waiting_for == person and all(device_owner(mover) != person for mover in moved)
