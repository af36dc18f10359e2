"""The tables of a running server: opening them, taking seats, rematches."""

import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from spieltisch import tables
from spieltisch.bots import BOTS
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write as on_disk
from spieltisch.live.loaded_tables import LoadedTables, assert_same_when_folded, encode_events
from spieltisch.live.quotas import Quotas
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.shielded import shielded
from spieltisch.store import Store
from spieltisch.tables import Duplicate, NewTable, Opened, Participant, RecordedEvent, SeatOffer, Table, WhatIf


class LiveTables(LoadedTables):
    """The tables of a running server."""

    def __init__(
        self,
        store: Store,
        library: ComponentLibrary,
        quotas: Quotas,
        clock: ServerClock,
        outside: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(store, library, clock)
        self.bots: Mapping[str, str] = {name: name for name in BOTS} | dict(outside)
        """The bots that may take seats: the names shown at tables, and the names by which they are loaded."""
        self._quotas = quotas

    async def require_can_open(
        self, person: Participant, new_table: NewTable, address: str = "", count: int = 1
    ) -> None:
        """Raise what `open` or `open_duplicate` would raise for `count` such tables; nothing is written."""
        game, components = await self._library.find(new_table.game, new_table.components)
        await self._quotas.require_table_quota(person.id, self._quotas.hash_address(address), count)
        tables.open_table(new_table, game, components, person, bytes(32), bots=self.bots)

    async def open(
        self, person: Participant, new_table: NewTable, address: str = "", what_if: WhatIf | None = None
    ) -> Table:
        """Open a new table from an address; with `what_if` it continues another game.

        Raise `TableRefusal` for what the game does not have, `too-many-tables` or `too-many-seats`.
        """
        return await self._open(person, new_table, {}, address, what_if)

    async def open_duplicate(self, person: Participant, new_table: NewTable, count: int, address: str = "") -> str:
        """Open new tables with the same deal, see `tables.new_duplicates`; return the id of the duplicate.

        Raise as `open`.
        """
        game, components = await self._library.find(new_table.game, new_table.components)
        origin, secret, duplicate_id = (
            self._quotas.hash_address(address),
            secrets.token_bytes(32),
            secrets.token_urlsafe(9),
        )
        names = tables.reserved_names(new_table)
        async with self._opening:
            await self._quotas.require_table_quota(person.id, origin, count)
            # Opened in reverse: the game of the first table may begin immediately, and must be withheld from its
            # first move on because other tables of the duplicate exist.
            for number, single in reversed([*enumerate(tables.new_duplicates(new_table, count), 1)]):
                duplicate = Duplicate(duplicate_id, number)
                await self._open_locked(person, single, {}, game, components, origin, None, secret, duplicate, names)
        return duplicate_id

    async def require_first_time(self, table: Table, *people: str) -> None:
        """Raise `TableRefusal` `already-in-duplicate` if one of these people knows another table of the duplicate."""
        if table.opened.duplicate is not None:
            duplicate_tables = await self.duplicate_tables(table.opened.duplicate.id)
            tables.require_first_time(people, (other for other in duplicate_tables if other.id != table.id))

    async def require_can_sit(
        self, table: Table, person: Participant, seat: int | None, *, by_link: bool = False
    ) -> None:
        """Raise what `sit` would raise for this person and seat; nothing is written."""
        await self._quotas.require_seat_quota(person.id)
        await self.require_first_time(table, person.id)
        tables.sit(table, person, seat, by_link=by_link)

    async def sit(self, table_id: str, person: Participant, seat: int | None, *, by_link: bool = False) -> Table:
        """Take a seat; see `tables.sit`.

        Without a link, a seat reserved for a player on the same device goes to that player. Raise also `too-many-seats`
        and `already-in-duplicate`.
        """
        await self._quotas.require_seat_quota(person.id)
        current = await self._current(table_id)
        participant = person if by_link else tables.person_to_seat(current, person, seat)
        duplicate = current.opened.duplicate
        ids = (
            [table_id]
            if duplicate is None
            else [stored.id for stored in await self._store.tables(duplicate=duplicate.id)]
        )

        async def job() -> Table:
            async with self._locked(ids):  # so that no one takes seats at two tables of a duplicate at the same time
                table = await self._append(await self._current(table_id), ())
                await self.require_first_time(table, participant.id)
                return await self._append(table, tables.sit(table, participant, seat, by_link=by_link))

        return await shielded(self._spawn(job()))

    async def rematch(self, table_id: str, person: Participant, address: str = "", step: int = 0) -> Table:
        """Return the rematch of a table: opened by the first of its people who asks, the same for all others.

        Its bots are `step` levels stronger.

        Raise `TableRefusal` `not-your-seat`, `not-over`, `frozen`, `too-many-tables` or `too-many-seats`.
        """

        async def job() -> Table:
            async with self._lock(table_id):
                table = await self._current(table_id)
                new_table, seat_offers = tables.rematch_plan(table, person.id, step)
                if table.rematch:
                    return await self._current(table.rematch)
                opened = await self._open(person, new_table, seat_offers, address)
                await self._append(table, tables.rematch_opened(table, opened.id))
                return opened

        return await shielded(self._spawn(job()))

    async def _open(
        self,
        person: Participant,
        new_table: NewTable,
        seat_offers: dict[int, SeatOffer],
        address: str,
        what_if: WhatIf | None = None,
    ) -> Table:
        game, components = await self._library.find(new_table.game, new_table.components)
        async with self._opening:  # so that concurrent requests cannot exceed the quota
            return await self._open_locked(
                person, new_table, seat_offers, game, components, self._quotas.hash_address(address), what_if
            )

    async def _open_locked(
        self,
        person: Participant,
        new_table: NewTable,
        seat_offers: dict[int, SeatOffer],
        game: Game,
        components: Components[Any],
        origin: bytes | None,
        what_if: WhatIf | None,
        secret: bytes | None = None,
        duplicate: Duplicate | None = None,
        reserved_names: Sequence[str] = (),
    ) -> Table:
        await self._quotas.require_table_quota(person.id, origin)
        secret = secret or secrets.token_bytes(32)
        arguments: dict[str, Any] = {
            "reserved": seat_offers,
            "what_if": what_if,
            "duplicate": duplicate,
            "other_names": reserved_names,
            "bots": self.bots,
        }
        events = tables.open_table(new_table, game, components, person, secret, rules=_version(), **arguments)
        at = self._clock()
        table_id = secrets.token_urlsafe(9)
        recorded_events = [RecordedEvent(version, at, event) for version, event in enumerate(events, 1)]

        def setup(opened: Opened) -> Setup:
            return game.setup(len(opened.seat_offers), components, **opened.options)

        table = tables.fold(table_id, secret, recorded_events, setup)
        assert_same_when_folded(table)
        await self._library.store_copy(components)
        encoded = encode_events(recorded_events)
        await on_disk(self._store.create(table_id, game.key, secret, encoded, table.summary(), origin), table_id)
        if table.opened.settings.clock:
            self._seen_jumps[table_id] = len(self._clock.jumps)
        self._publish(table, None)
        return table


def _version() -> str:
    from spieltisch import __version__

    return __version__
