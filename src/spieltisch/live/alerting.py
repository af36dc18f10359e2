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

from spieltisch.alerts import wording
from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.channels import MAIL
from spieltisch.alerts.quiet import quiet_until
from spieltisch.core.words import Words
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.presence import Presence
from spieltisch.live.ways import Ways
from spieltisch.store import Person, Store, StoreClosed, outbox, people, ways, words
from spieltisch.store.lobby import turns
from spieltisch.store.outbox import Waiting
from spieltisch.store.schema import ON
from spieltisch.store.ways import GONE, Way
from spieltisch.tables import Table, TableRefusal, device_of
from spieltisch.tables.talk import mentioned

FIRST_PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 4 * 3600.0
LONGEST_LOOK: Final = 60.0
"""Seconds after which the store is asked again, whatever is known."""
AT_ONCE: Final = 8
MINUTE: Final = 60.0
Told: TypeAlias = tuple[Waiting, tuple[str, str]]
"""What waits, its title and its lines."""

_logger = structlog.get_logger()


class Alerting:
    """The loop. `clock` gives UTC seconds."""

    def __init__(
        self, store: Store, tables: LiveTables, presence: Presence, ways: Ways, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._tables = tables
        self._presence = presence
        self._ways = ways
        self._clock = clock
        self._wake = asyncio.Event()
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
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

    async def look(self) -> float | None:
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

    async def settle(self) -> None:
        """Wait for what is under way."""
        while self._sending:
            await asyncio.wait(tuple(self._sending.values()))

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            due = None
            try:
                due = await self.look()
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
                way = await ways.find(self._store, way_id)
                person = None if way is None else await people.by_id(self._store, way.person)
                if way is None or person is None:
                    return  # what waited went with it
                if way.state != ON:
                    await outbox.clear(self._store, way.id)
                    return
                until = await self._held(way, person)
                if until is not None:
                    await outbox.put_off(self._store, way.id, until)
                else:
                    await self._go(way, person)
        except StoreClosed:
            return
        except Exception:
            _logger.exception("an alert could not be sent", way=way_id)
            await outbox.put_off(self._store, way_id, self._clock() + FIRST_PAUSE)
        finally:
            del self._sending[way_id]
            self._wake.set()

    async def _held(self, way: Way, person: Person) -> float | None:
        """Until when nothing goes out there; None: it goes now."""
        now, wish = self._clock(), person.preferences.telling
        looked, times = self._presence.looked(person.id), [quiet_until(now, wish.zone, wish.quiet_from, wish.quiet_to)]
        if looked is not None:
            times.append(looked + wish.away * MINUTE)
        if (again := await outbox.again(self._store, way.id)) is not None:
            times.append(again)
        elif way.sent is not None:
            times.append(way.sent + wish.pause * MINUTE)
        latest = max((at for at in times if at is not None), default=now)
        return latest if latest > now else None

    async def _go(self, way: Way, person: Person) -> None:
        now = self._clock()
        batch, waiting = await outbox.claim(self._store, way.id, now, secrets.token_urlsafe(12))
        void: list[Waiting] = []
        told: list[Told] = []
        for one in waiting:
            try:
                table = await self._tables.get(one.table_id)
            except TableRefusal:
                void.append(one)
                continue
            if table.version < one.version:
                continue  # on disk already, and known here in a moment
            if one.word:
                text = await self._mention(table, one, person)
            elif _stands(table, one, person.id):
                text = wording.turn(table, person.id, person.language, person.preferences.telling.zone)
            else:
                text = None
            if text is None:
                void.append(one)
            else:
                told.append((one, text))
        await outbox.drop(self._store, way.id, void)
        if not told:
            return
        alert = await self._alert(batch, way, person, told)
        try:
            await self._ways.channels.send(way.kind, way.address, alert)
        except Undelivered as problem:
            _logger.warning("an alert was not taken", way=way.id, kind=way.kind, why=str(problem))
            if problem.gone:
                gone = msgspec.structs.replace(way, state=GONE, failed=now, reason=problem.reason)
                await ways.change(self._store, gone)
                await outbox.clear(self._store, way.id)
                return
            attempts = max(one.attempts for one, _ in told)
            again = now + min(FIRST_PAUSE * 2**attempts, LONGEST_PAUSE)
            await outbox.failed(self._store, way.id, batch, now, problem.reason, again)
        else:
            await outbox.taken(self._store, way.id, batch, self._clock())

    async def _mention(self, table: Table, waiting: Waiting, person: Person) -> tuple[str, str] | None:
        """What is told of a mention; None where it was taken away, its person has looked since, or does not want to
        read who said it, or sits there no more.
        """
        word, looked = await words.find(self._store, table.id, waiting.word), self._presence.looked(person.id)
        if word is None or word.text is None:
            return None
        if person.preferences.telling.away and looked is not None and looked > word.at:
            return None
        for one in mentioned(table, word.room, word.person, word.text):
            if device_of(one) == person.id and word.person not in await words.muted_by(self._store, table.id, one):
                return wording.mention(table, person.id, person.language, word.seat, word.name, word.text)
        return None

    async def _alert(self, batch: str, way: Way, person: Person, told: list[Told]) -> Alert:
        voice, tables = Words(person.language), {one.table_id for one, _ in told}
        turned, called = [[two for two in told if bool(two[0].word) is mention] for mention in (False, True)]
        title, text = wording.digest([text for _, text in turned], [text for _, text in called], voice)
        path = f"/table/{min(tables)}" + ("" if turned else "/words") if len(tables) == 1 else "/"
        many = await turns(self._store, person.id)
        ending = self._ways.ending(way, voice) if way.kind == MAIL else ("", "")
        about = tuple((one.table_id, one.version) for one, _ in turned)
        return Alert(batch, title, text, self._ways.address() + path, path, many, person.language, *ending, about)


def _stands(table: Table, waiting: Waiting, person: str) -> bool:
    """Whether the table still waits for this person, who has not moved since that turn began."""
    moved = (table.seats[play.seat].person for play in table.plays if play.version > waiting.version)
    return table.summary().waits_on == person and all(device_of(mover) != person for mover in moved)
