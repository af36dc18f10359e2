"""Advice for people, worked out in a process of its own, which starts when the first of them asks."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from spieltisch import tables
from spieltisch.bots.advice import Advised, advise
from spieltisch.bots.search import library
from spieltisch.core.foresight import Preview
from spieltisch.live.deciding import Speaker
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.workers import Workers, WorkFailed
from spieltisch.tables import Table, refusals

SECONDS: Final = 60.0
"""After which an answer is given up; it takes less than one, and the first a start of the process."""

ADVISER: Final = "master"


class Hint(msgspec.Struct, frozen=True):
    """A move that is advised, and what it does as far as the seat can know."""

    advised: Advised
    preview: Preview


class Advisers:
    """One process that advises, one question after the other."""

    def __init__(self, live: LiveTables) -> None:
        self._tables = live
        self._workers = Workers("adviser", advise, 1, SECONDS)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def hints(
        self, table_id: str, speaker: Speaker, seen: int, address: str = ""
    ) -> tuple[Table, tuple[Hint, ...]]:
        """The best moves for who has to decide, best first. Raises `TableRefusal` not-your-seat, turn, stale,
        no-advice, no-advice-yet, no-advice-now, not-running.
        """
        async with self._asking.setdefault(address, asyncio.Lock()):  # nobody waits for all that one address asks
            table = await self._tables.get(table_id)
            person = speaker.at(table)
            position = tables.to_advise(table, person, seen)
            if await asyncio.to_thread(library.find, table.game) is None:
                raise refusals.no_advice_yet()
            try:
                told = await self._workers.ask(ADVISER, position.observe(position.seat).bytes, secrets.randbits(63))
            except WorkFailed as problem:
                raise refusals.no_advice_now() from problem
        found = msgspec.json.decode(told, type=tuple[Advised, ...])
        return table, tuple(Hint(one, tables.preview(table, person, one.move)) for one in found)

    async def stop(self) -> None:
        """End the process, if there is one."""
        await self._workers.stop()
