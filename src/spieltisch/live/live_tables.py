"""The tables of a running server: opening them, taking seats, rematches."""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from spieltisch import tables
from spieltisch.bots import BOTS
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.disk_errors import await_write
from spieltisch.live.loaded_tables import LoadedTables, assert_same_when_folded
from spieltisch.live.notices import Notices
from spieltisch.live.quotas import Quotas
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.table_loading import encode_events
from spieltisch.store import Connection, ExtraWrite, Store, lobby
from spieltisch.store.dialects import take_turns
from spieltisch.store.duplicates import require_no_other_seat
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.removal import remove_table
from spieltisch.tables import (
    Duplicate,
    NewTable,
    Opened,
    Participant,
    RecordedEvent,
    SeatOffer,
    Table,
    TableRefusal,
    WhatIf,
)
from spieltisch.tables.refusal_codes import RefusalCode


class LiveTables(LoadedTables):
    """The tables of a running server."""

    def __init__(
        self,
        store: Store,
        library: ComponentLibrary,
        quotas: Quotas,
        clock: ServerClock,
        notices: Notices,
        outside: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(store, library, clock, notices)
        self.bots: Mapping[str, str] = {name: name for name in BOTS} | dict(outside)
        """The bots that may take seats: the names shown at tables, and the names by which they are loaded."""
        self._quotas = quotas

    async def require_can_open(
        self, person: Participant, new_table: NewTable, address: str = "", count: int = 1
    ) -> None:
        """Raise what `open` or `open_duplicate` would raise for `count` such tables; nothing is written."""
        game, components = await self._library.find(new_table.game, new_table.components)
        origin = self._quotas.hash_address(address)
        await self._store.read(
            lambda connection: self._quotas.require_table_quota(connection, person.id, origin, count)
        )
        tables.open_table(new_table, game, components, person, bytes(32), bots=self.bots)

    async def open(
        self,
        person: Participant,
        new_table: NewTable,
        address: str | bytes = "",
        what_if: WhatIf | None = None,
        *,
        reserved: Mapping[int, SeatOffer] = MappingProxyType({}),
        deal: tuple[bytes | None, Duplicate | None] = (None, None),
        also: Callable[[Connection, str], object] = lambda connection, table_id: None,
    ) -> Table:
        """Open a new table from an address, or from its stored hash; with `what_if` it continues another game.

        Seats may be `reserved`. `deal` is the secret of a deal that is also played at other tables, and its duplicate.
        `also` is written with the table, and called with its id.

        Raise `TableRefusal` for what the game does not have, `too-many-tables` or `too-many-seats`.
        """
        return await self._open(person, new_table, reserved, address, what_if, also, deal)

    async def open_for(
        self,
        host: Participant,
        guests: Sequence[Participant],
        new_table: NewTable,
        also: Callable[[Connection, str], object],
        origin: bytes = b"",
    ) -> Table:
        """Open a new table for people who have asked for it; `also` is written with it, and called with its id.

        It counts for the address with the hash `origin`.

        Raise as `open`, and what the write raises.
        """
        game, components = await self._library.find(new_table.game, new_table.components)

        def write(connection: Connection, table_id: str) -> None:
            for guest in guests:
                self._quotas.require_seat_quota(connection, guest.id)
            also(connection, table_id)

        async with self._opening:
            return await self._open_locked(
                host, new_table, {}, game, components, origin or None, None, guests=guests, also=write
            )

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
            # Opened in reverse: the game of the first table may begin immediately, and must be withheld from its
            # first move on because other tables of the duplicate exist.
            for number, single in reversed([*enumerate(tables.new_duplicates(new_table, count), 1)]):
                duplicate = Duplicate(duplicate_id, number)
                more = count if number == count else 0  # all are counted before the first one
                await self._open_locked(
                    person, single, {}, game, components, origin, None, more, secret, duplicate, names
                )
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
        await self._store.read(lambda connection: self._quotas.require_seat_quota(connection, person.id))
        await self.require_first_time(table, person.id)
        tables.sit(table, person, seat, by_link=by_link)

    async def sit(
        self,
        table_id: str,
        person: Participant,
        seat: int | None,
        *,
        by_link: bool = False,
        require: Callable[[Table], object] = lambda table: None,
        also: Callable[[Connection], object] = lambda connection: None,
    ) -> Table:
        """Take a seat; see `tables.sit`.

        Without a link, a seat reserved for a player on the same device goes to that player. `require` raises if the
        newest table does not allow it, and `also`, called in the transaction, if what else is stored does not. Raise
        also `too-many-seats` and `already-in-duplicate`.
        """
        current = await self._get_unpaused(table_id)
        participant = person if by_link else tables.person_to_seat(current, person, seat)
        duplicate = current.opened.duplicate
        ids = (
            [table_id]
            if duplicate is None
            else [stored.id for stored in await self._store.tables(duplicate=duplicate.id)]
        )

        def require_allowed(connection: Connection) -> None:
            also(connection)
            take_turns(connection, QUOTA_LOCK)
            self._quotas.require_seat_quota(connection, person.id)
            if duplicate is not None and self._store.is_shared:  # another process may give a seat at the same moment
                require_no_other_seat(connection, table_id, duplicate.id, tables.device_owner(participant.id))

        async def job() -> Table:
            async with self._lock_all(ids):  # so that no one takes seats at two tables of a duplicate at the same time
                table = await self._append(await self._get_newest(table_id), ())
                await self.require_first_time(table, participant.id)
                require(table)
                return await self._append(table, tables.sit(table, participant, seat, by_link=by_link), require_allowed)

        return await self._tasks.run(job())

    async def rematch(self, table_id: str, person: Participant, address: str = "", step: int = 0) -> Table:
        """Return the rematch of a table: opened by the first of its people who asks, the same for all others.

        Its bots are `step` levels stronger.

        Raise `TableRefusal` `not-your-seat`, `not-over`, `frozen`, `too-many-tables` or `too-many-seats`.
        """

        async def job() -> Table:
            async with self._lock(table_id):
                table = await self._get_newest(table_id)
                new_table, seat_offers = tables.rematch_plan(table, person.id, step)
                if table.rematch:
                    return await self._get_unpaused(table.rematch)
                opened = await self._open(person, new_table, seat_offers, address)
                await self._append(table, tables.rematch_opened(table, opened.id))
                return opened

        return await self._tasks.run(job())

    async def remove(self, table_id: str, also: ExtraWrite, also_closing: ExtraWrite) -> None:
        """Delete a table, and write `also` in the same transaction.

        A game that is not over is closed before that, with `also_closing`: it stays so if the removal fails.

        Raise `TableRefusal` `no-table` or `not-written`.
        """
        try:
            # So that no bot or clock is at work there, and open pages say so.
            await self.run_with_write(table_id, lambda table: (tables.close(table), also_closing))
        except TableRefusal as refusal:
            if refusal.code not in (RefusalCode.OVER, RefusalCode.FROZEN, RefusalCode.DAMAGED):
                raise
        await self.remove_over(table_id, also)

    async def remove_over(self, table_id: str, also: ExtraWrite) -> None:
        """Delete a table that is over, after `also` in the same transaction, which raises if it must stay.

        Raise `TableRefusal` `not-written`, and what the write raises.
        """

        async def removed() -> None:
            async with self._lock(table_id):
                if (loading := self._loading.get(table_id)) is not None:
                    await asyncio.wait([loading])
                earlier = await lobby.summaries(self._store, [table_id])
                await await_write(remove_table(self._store, table_id, also), table_id)
                self._tables.pop(table_id)
                for _, before in earlier.values():
                    self._announce_removal(table_id, before)

        await self._tasks.run(removed())

    async def _open(
        self,
        person: Participant,
        new_table: NewTable,
        seat_offers: Mapping[int, SeatOffer],
        address: str | bytes,
        what_if: WhatIf | None = None,
        also: Callable[[Connection, str], object] = lambda connection, table_id: None,
        deal: tuple[bytes | None, Duplicate | None] = (None, None),
    ) -> Table:
        game, components = await self._library.find(new_table.game, new_table.components)
        origin = self._quotas.hash_address(address)
        async with self._opening:
            return await self._open_locked(
                person, new_table, seat_offers, game, components, origin, what_if, 1, *deal, also=also
            )

    async def _open_locked(
        self,
        person: Participant,
        new_table: NewTable,
        seat_offers: Mapping[int, SeatOffer],
        game: Game,
        components: Components[Any],
        origin: bytes | None,
        what_if: WhatIf | None,
        counted: int = 1,
        secret: bytes | None = None,
        duplicate: Duplicate | None = None,
        reserved_names: Sequence[str] = (),
        guests: Sequence[Participant] = (),
        also: Callable[[Connection, str], object] = lambda connection, table_id: None,
    ) -> Table:
        """Open a table, one of `counted` for which the quotas must have room; 0 if that was checked with the first."""

        def require_allowed(connection: Connection) -> None:
            if counted:
                take_turns(connection, QUOTA_LOCK)
                self._quotas.require_table_quota(connection, person.id, origin, counted - 1)

        secret = secret or secrets.token_bytes(32)
        arguments: dict[str, Any] = {
            "reserved": seat_offers,
            "what_if": what_if,
            "duplicate": duplicate,
            "other_names": reserved_names,
            "bots": self.bots,
            "guests": guests,
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
        creating = self._store.create(
            table_id,
            game.key,
            secret,
            encoded,
            table.summary(),
            origin,
            require_allowed,
            lambda connection: also(connection, table_id),
        )
        await await_write(creating, table_id)
        self._pauses.mark_recorded(table, self._pauses.count_jumps())
        self._publish(table, None)
        return table


def _version() -> str:
    from spieltisch import __version__

    return __version__
