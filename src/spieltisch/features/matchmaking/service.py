"""Matchmaking: seats people at one table who seek the same, and lets bots fill the rest after the minutes they chose.

Every process looks at all seeks. Two cannot seat the same person, so no process needs a lease: what people seek is
deleted in the transaction that opens their table, and the second of two finds it gone.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import structlog

from spieltisch.alerts import texts
from spieltisch.alerts.texts import AlertText
from spieltisch.features.matchmaking import rows
from spieltisch.features.matchmaking.commands import Group, Kind, Seek, find_group
from spieltisch.live import Live
from spieltisch.live.alert_kinds import AlertKind
from spieltisch.live.disk_errors import await_write
from spieltisch.live.services import running, wait
from spieltisch.live.versions import next_version
from spieltisch.store import Connection, Person
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.sessions import require_session
from spieltisch.tables import NewTable, Table, TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import PRESETS

TOPIC: Final = "seeks"
"""The topic of what people seek: for all the numbers, for a person also their own."""
AWAY_SECONDS: Final = 300.0
"""The time after which someone who has left no longer waits."""
LOOK_SECONDS: Final = 20.0
"""The time between two looks at who is here, as long as anyone waits."""
FOUND_SECONDS: Final = 600.0
"""The time for which a person is told of the table that was found."""
BOT: Final = "easy"
"""The bot that fills tables."""

_logger = structlog.get_logger()


async def _found_text(table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
    """Return None if the table no longer waits for this person, or does so with an alert of their turn."""
    is_told = table.is_over or table.summary().waiting_for == person.id or table.seat_of(person.id) is None
    has_moved = any(table.seats[play.seat].person == person.id for play in table.moves)
    return None if is_told or has_moved else texts.found_text(table, person.id, person.language)


class Matchmaking:
    """The seeks that this process knows, and the loop that seats people."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._seeks: Mapping[str, Seek] = {}
        self._found: dict[str, tuple[str, float]] = {}
        self._version = self._began = next_version()
        self._own_versions: dict[str, int] = {}
        self._looking = asyncio.Lock()
        self._woken = asyncio.Event()
        live.notices.on("seeks", lambda *_: self._woken.set())
        live.notices.on("found", self._hear_of_table)
        live.notices.missed.append(self._woken.set)
        live.alert_sender.kinds[rows.FOUND_ALERT] = AlertKind(_found_text, texts.title_of_found)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look at what people seek until the context ends."""
        with self._live.tables.listening(self._on_table_changed):
            async with running("matchmaking", self._keep_looking):
                yield

    async def _keep_looking(self) -> None:
        now = self._live.clock()
        await self._live.store.write(partial(rows.mark_here, people=None, at=now))  # no one could be, without a server
        while True:
            self._woken.clear()
            await self.look()
            await wait(self._woken, self._pause())

    def _pause(self) -> float | None:
        """Return the seconds until the next look, None if no one waits."""
        now = self._live.clock()
        due = [seek.bots_from - now for seek in self._seeks.values() if seek.bots_from > now]
        return min([LOOK_SECONDS, *due]) if self._seeks else None

    def own(self, person: str | None) -> Seek | None:
        """Return what a person seeks."""
        return self._seeks.get(person or "")

    def found(self, person: str | None) -> str:
        """Return the id of the table that was found for a person in the last minutes; "" if there is none."""
        table_id, at = self._found.get(person or "", ("", 0.0))
        return table_id if self._live.clock.seconds_since(at) < FOUND_SECONDS else ""

    def count(self) -> Mapping[str, int]:
        """Return the number of people who seek others, by game."""
        return Counter(seek.kind.game for seek in self._seeks.values())

    def version(self, person: str | None) -> int:
        """Return the version of what a person sees of this, which grows only when that changes."""
        return max(self._version, self._own_versions.get(person or "", self._began))

    async def add(self, person: str, kind: Kind, session: str | None = None) -> None:
        """Let a person wait for a kind of game.

        Raise `TableRefusal` `too-many-tables`, `too-many-seats`, `not-written`, or `signed-out`.
        """

        def write(connection: Connection) -> None:
            if session is not None:
                require_session(connection, person, session)
            self._live.quotas.require_table_quota(connection, person, kind.origin or None)
            rows.add(connection, person, kind, self._live.clock())

        await await_write(self._live.store.write(write))
        self._found.pop(person, None)
        await self._announce()

    async def cancel(self, person: str) -> None:
        """Let a person wait no longer. Raise `TableRefusal` `not-written`."""
        await await_write(self._live.store.write(partial(rows.cancel, person=person)))
        await self._announce()

    async def _announce(self) -> None:
        self._live.notices.announce("seeks")
        await self.look()  # so that the answer shows what follows from it

    async def look(self) -> None:
        """Seat those who seek the same, and let those wait no longer who have left."""
        async with self._looking:
            store, now, is_here = self._live.store, self._live.clock(), self._live.presence.was_here_within
            seeks = await rows.all_seeks(store)
            here = [seek.person for seek in seeks if is_here(seek.person, 2 * LOOK_SECONDS)]

            def write(connection: Connection) -> None:
                rows.mark_here(connection, here, now)
                rows.end_left(connection, now - AWAY_SECONDS)

            if seeks:
                await store.write(write)
                seeks = await rows.all_seeks(store)
            while (group := find_group(await self._with_room(seeks), now)) is not None:
                try:
                    await self._seat(group)
                except TableRefusal as refusal:
                    if refusal.code != RefusalCode.STALE:  # tried again at the next look
                        _logger.warning("no table was opened for people who wait", problem=str(refusal))
                        break
                seeks = await rows.all_seeks(store)
            self._show({seek.person: seek for seek in seeks})

    async def _with_room(self, seeks: Sequence[Seek]) -> list[Seek]:
        """Return the seeks of people whose quotas allow another table."""

        def has_room(connection: Connection, seek: Seek) -> bool:
            try:
                self._live.quotas.require_table_quota(connection, seek.person, seek.kind.origin or None)
            except TableRefusal:
                return False
            return True

        return await self._live.store.read(lambda connection: [seek for seek in seeks if has_room(connection, seek)])

    async def _seat(self, group: Group) -> None:
        host, *guests = group.seeks
        seats = ("me", *["guest"] * len(guests), *[f"bot:{BOT}"] * (group.seats - len(group.seeks)))
        new_table = NewTable(host.kind.game, seats, charter=PRESETS[host.kind.clock])
        claim = partial(rows.claim, seeks=group.seeks)
        table = await self._live.tables.open_for(host, guests, new_table, claim, host.kind.origin)
        for seek in group.seeks:
            self._live.notices.announce("found", seek.person, table.id)
        self._live.alert_sender.wake()

    def _show(self, seeks: Mapping[str, Seek]) -> None:
        """Keep what people seek now, and push it to those who see something new."""
        before, counted = self._seeks, self.count()
        self._seeks = seeks
        for person in {person for person, _ in before.items() ^ seeks.items()}:
            self._change_own(person)
        if self.count() != counted:
            self._version = next_version(self._version)
            self._live.publish(TOPIC, None)

    def _change_own(self, person: str) -> None:
        self._own_versions[person] = next_version(self.version(person))
        self._live.publish(TOPIC, person)

    def _hear_of_table(self, _: int, person: str, table_id: str) -> None:
        self._found[person] = (table_id, self._live.clock())
        self._change_own(person)
        self._woken.set()

    def _on_table_changed(self, table: Table) -> None:
        if not table.moves and any(seat.person in self._seeks for seat in table.people):
            self._woken.set()
