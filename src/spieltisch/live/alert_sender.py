"""Alerts go out: whatever waits in the store is sent, again and again after growing pauses, until it is taken.

What is to be told stands in the store with the move that caused it, or the word, so nothing here has to be remembered
over a restart. Before something is sent the table is asked whether it still waits for that person, or the word still
stands. What is sent together is noted under an id before it goes, and goes under the same again when it is not known to
have arrived.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
import structlog

from spieltisch.alerts import texts
from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import MAIL
from spieltisch.alerts.quiet_hours import quiet_until
from spieltisch.core.words import Words, message
from spieltisch.live.alert_subscriptions import Subscriptions
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.presence import Presence
from spieltisch.store import Person, Store, StoreClosed, alert_subscriptions, chat, outbox, people
from spieltisch.store.alert_subscriptions import GONE, AlertSubscription
from spieltisch.store.lobby import count_turns
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.schema import ACTIVE
from spieltisch.tables import Table, TableRefusal, device_owner
from spieltisch.tables.chat import mentioned

FIRST_PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 4 * 3600.0
LONGEST_LOOK: Final = 60.0
"""Seconds after which the store is asked again, whatever is known."""
MAX_PARALLEL: Final = 8
MINUTE: Final = 60.0
AlertText: TypeAlias = tuple[QueuedAlert, tuple[str, str]]
"""What waits, its title and its lines."""

_logger = structlog.get_logger()


class AlertSender:
    """The loop. `clock` gives UTC seconds."""

    def __init__(
        self, store: Store, tables: LiveTables, presence: Presence, ways: Subscriptions, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._tables = tables
        self._presence = presence
        self._ways = ways
        self._clock = clock
        self._wake = asyncio.Event()
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(MAX_PARALLEL)
        self._loop: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Send what waits, from now on."""
        self._leave = self._tables.subscribe(None, lambda _: self.wake())
        self._loop = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Send nothing more. What was under way goes again after the next start, if it is not known to have arrived."""
        self._leave()
        tasks = [*self._sending.values(), *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def wake(self) -> None:
        """Something is to be told now."""
        self._wake.set()

    async def send_due(self) -> float | None:
        """Begin to send what is due; returns when something is due next (UTC seconds), but for what is under way."""
        now, next_due = self._clock(), None
        for way, at in (await outbox.due(self._store)).items():
            if way in self._sending:
                continue
            if at <= now:
                self._sending[way] = asyncio.create_task(self._send(way))
            else:
                next_due = at if next_due is None else min(at, next_due)
        return next_due

    async def wait_idle(self) -> None:
        """Wait for what is under way."""
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
            wait = LONGEST_LOOK if due is None else min(max(due - self._clock(), 0.0), LONGEST_LOOK)
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    async def _send(self, way_id: str) -> None:
        try:
            async with self._room:
                way = await alert_subscriptions.find(self._store, way_id)
                person = None if way is None else await people.by_id(self._store, way.person)
                if way is None or person is None:
                    return  # what waited went with it
                if way.state != ACTIVE:
                    await outbox.clear(self._store, way.id)
                    return
                until = await self._hold_until(way, person)
                if until is not None:
                    await outbox.postpone(self._store, way.id, until)
                else:
                    await self._go(way, person)
        except StoreClosed:
            return
        except Exception:
            _logger.exception("an alert could not be sent", way=way_id)
            reason = message("The message could not be sent.")
            await outbox.mark_failed(self._store, way_id, None, self._clock(), reason, retry_pause)
        finally:
            del self._sending[way_id]
            self._wake.set()

    async def _hold_until(self, way: AlertSubscription, person: Person) -> float | None:
        """Until when nothing goes out there; None: it goes now."""
        now, wish = self._clock(), person.preferences.alerts
        looked, times = (
            self._presence.last_active(person.id),
            [quiet_until(now, wish.zone, wish.quiet_from, wish.quiet_to)],
        )
        if looked is not None:
            times.append(looked + wish.away_minutes * MINUTE)
        if (again := await outbox.retry_at(self._store, way.id)) is not None:
            times.append(again)
        elif way.sent is not None:
            times.append(way.sent + wish.pause_minutes * MINUTE)
        latest = max((at for at in times if at is not None), default=now)
        return latest if latest > now else None

    async def _go(self, way: AlertSubscription, person: Person) -> None:
        now = self._clock()
        batch, waiting = await outbox.claim(self._store, way.id, now, secrets.token_urlsafe(12))
        void: list[QueuedAlert] = []
        told: list[AlertText] = []
        for one in waiting:
            try:
                table = await self._tables.get(one.table_id)
            except TableRefusal:
                void.append(one)
                continue
            if table.version < one.version:
                continue  # on disk already, and known here in a moment
            if one.message_number:
                text = await self._mention(table, one, person)
            elif _still_due(table, one, person.id):
                text = texts.turn_text(table, person.id, person.language, person.preferences.alerts.zone)
            else:
                text = None
            if text is None:
                void.append(one)
            else:
                told.append((one, text))
        await outbox.discard(self._store, way.id, void)
        if not told:
            return
        alert = await self._alert(batch, way, person, told)
        try:
            await self._ways.channels.send(way.kind, way.address, alert)
        except DeliveryFailed as problem:
            _logger.warning("an alert was not taken", way=way.id, kind=way.kind, why=str(problem))
            if problem.gone:
                gone = msgspec.structs.replace(way, state=GONE, failed=now, reason=problem.reason)
                await alert_subscriptions.save(self._store, gone)
                await outbox.clear(self._store, way.id)
                return
            await outbox.mark_failed(self._store, way.id, batch, now, problem.reason, retry_pause)
        else:
            await outbox.mark_delivered(self._store, way.id, batch, self._clock())

    async def _mention(self, table: Table, waiting: QueuedAlert, person: Person) -> tuple[str, str] | None:
        """What is told of a mention; None where it was taken away, its person has looked since, or does not want to
        read who said it, or sits there no more.
        """
        word, looked = (
            await chat.find(self._store, table.id, waiting.message_number),
            self._presence.last_active(person.id),
        )
        if word is None or word.text is None:
            return None
        if person.preferences.alerts.away_minutes and looked is not None and looked > word.at:
            return None
        for one in mentioned(table, word.room, word.person, word.text):
            if device_owner(one) == person.id and word.person not in await chat.muted_by(self._store, table.id, one):
                return texts.mention_text(table, person.id, person.language, word.seat, word.name, word.text)
        return None

    async def _alert(self, batch: str, way: AlertSubscription, person: Person, told: list[AlertText]) -> Alert:
        voice, tables = Words(person.language), {one.table_id for one, _ in told}
        turned, called = [[two for two in told if bool(two[0].message_number) is mention] for mention in (False, True)]
        title, text = texts.digest([text for _, text in turned], [text for _, text in called], voice)
        path = f"/table/{min(tables)}" + ("" if turned else "/chat") if len(tables) == 1 else "/"
        many = await count_turns(self._store, person.id)
        ending = self._ways.unsubscribe_link(way, voice) if way.kind == MAIL else ("", "")
        about = tuple((one.table_id, one.version) for one, _ in turned)
        return Alert(batch, title, text, self._ways.address() + path, path, many, person.language, *ending, about)


def retry_pause(attempts: int) -> float:
    """How long nothing is sent again after so many attempts and one more were in vain, in seconds.

    >>> [retry_pause(attempts) for attempts in (0, 1, 2, 5000)]
    [30.0, 60.0, 120.0, 14400.0]
    """
    return min(FIRST_PAUSE * 2.0 ** min(attempts, 20), LONGEST_PAUSE)


def _still_due(table: Table, waiting: QueuedAlert, person: str) -> bool:
    """Whether the table still waits for this person, who has not moved since that turn began."""
    moved = (table.seats[play.seat].person for play in table.moves if play.version > waiting.version)
    return table.summary().waiting_for == person and all(device_owner(mover) != person for mover in moved)
