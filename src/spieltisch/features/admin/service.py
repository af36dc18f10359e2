"""Administrators of a running server: who they are, whom they have banned, and what they do."""

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from sqlalchemy import Connection, delete

from spieltisch import tables
from spieltisch.core.words import GUEST, Words
from spieltisch.features.admin import rows
from spieltisch.features.admin.links import is_signed
from spieltisch.features.admin.rows import BANS, Administrator, Ban, record_act_on_page
from spieltisch.features.chat import reports
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live
from spieltisch.live.disk_errors import await_write
from spieltisch.live.shielded import ShieldedTasks
from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.notices import ANNOUNCED, BANNED, UNBANNED
from spieltisch.store.people import Credential, by_id
from spieltisch.store.schema import SETTINGS
from spieltisch.store.sessions import token_hash
from spieltisch.tables import Event, Table, device_owner

TABLE_ACTS: dict[str, Callable[[Table], Sequence[Event]]] = {
    "suspend": tables.suspend,
    "resume": tables.resume,
    "close": tables.close,
}
"""The acts of an administrator on a table, except its removal."""


class Administration:
    """The administrators of a server, the bans, and the announcement."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._store = live.store
        self._key = b""
        self._sessions: set[bytes] = set()
        """The hashes of sessions that are or were an administrator's; a database that is shared has more."""
        self._people: set[str] = set()
        self._addresses: set[bytes] = set()
        self._changes = 0
        """The number of changes of bans and of the announcement that this process has heard of."""
        self._tasks = ShieldedTasks()
        live.notices.on(BANNED, lambda _, person, address: self._hear_of_ban(person, bytes.fromhex(address)))
        live.notices.on(UNBANNED, lambda _, person, address: self._hear_of_end(person, bytes.fromhex(address)))
        live.notices.on(ANNOUNCED, self._hear_of_change)
        live.notices.missed.append(lambda: self._tasks.start(self._load()))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read what is stored before the first visitor comes."""
        self._key = await self._store.get_setting(rows.KEY)
        self._sessions = await rows.sessions(self._store)
        await self._store.set_setting(rows.ADDRESS, self._live.subscriptions.address().encode())
        await self._load()
        try:
            yield
        finally:
            await self._tasks.finish()

    async def _load(self) -> None:
        """Read the bans and the announcement, again if one changes meanwhile; then do what they demand."""
        known = -1
        while known != self._changes:
            known = self._changes
            bans, text = await rows.bans(self._store), await self._store.get_setting(rows.ANNOUNCEMENT, bytes)
        self._people = {ban.person for ban in bans if ban.person}
        self._addresses = {ban.address for ban in bans if ban.address}
        self._live.notices.tell_here(BANNED, "", "")
        self._live.notices.tell_here(ANNOUNCED, text.decode())

    def _hear_of_change(self, *_: object) -> None:
        self._changes += 1

    def _hear_of_ban(self, person: str, address: bytes) -> None:
        self._hear_of_change()
        self._people |= {person} - {""}
        self._addresses |= {address} - {b""}

    def _hear_of_end(self, person: str, address: bytes) -> None:
        self._hear_of_change()
        self._people.discard(person)
        self._addresses.discard(address)

    # Who is an administrator

    async def is_link(self, token: str) -> bool:
        """Return True if a link with this token can be followed; a guess costs no look into the database."""
        return is_signed(self._key, token) and await rows.is_link(self._store, token)

    async def administrator(self, session: str) -> Administrator | None:
        """Return whose session this is; None for every other one, without a look into the database."""
        if not session or not (self._store.is_shared or token_hash(session) in self._sessions):
            return None
        return await rows.administrator(self._store, session)

    async def use_link(self, token: str, session: str, person: str) -> bool:
        """Use up a link: this session of a person is an administrator's for a while. Return False if it has ended.

        Raise `TableRefusal` `signed-out` or `not-written`.
        """
        is_used = await await_write(rows.use_link(self._store, token, session, person, self._live.clock()))
        if is_used:
            self._sessions.add(token_hash(session))
        return is_used

    async def renew(self, session: str, credential: Credential) -> bool:
        """Let a session be an administrator's for a while again. Return False if its right or the passkey has ended.

        Raise `TableRefusal` `signed-out` or `not-written`.
        """
        return await await_write(rows.renew(self._store, session, credential, self._live.clock()))

    async def end(self, session: str, person: str) -> None:
        """Let a session be an administrator's no longer. Raise `TableRefusal` `not-written`."""
        await await_write(rows.end(self._store, session, person, self._live.clock()))

    # What administrators do

    async def act_on_table(self, actor: str, table_id: str, act: str) -> None:
        """Freeze (`suspend`), thaw (`resume`), `close` or `remove` a table.

        Raise `TableRefusal` of the command, `no-table` or `not-written`.
        """
        log = partial(record_act_on_page, at=self._live.clock(), actor=actor, subject=table_id)
        logged = partial(log, act=f"table-{act}")
        if act == "remove":
            history = self._live.game_history
            async with history.lock:
                try:
                    await self._live.tables.remove(table_id, logged, partial(log, act="table-close"))
                finally:
                    history.look()
        else:
            command = TABLE_ACTS[act]
            await self._live.tables.run_with_write(table_id, lambda table: (command(table), logged))

    async def rename(self, actor: str, table_id: str, number: int) -> None:
        """Give the author of a reported name or invitation the name of a guest, and delete its reports.

        They can give themselves another one. In seats that they have taken, the old one stays. Raise `TableRefusal`
        `not-written`.
        """
        reported = await reports.find(self._store, table_id, number)
        person = await by_id(self._store, device_owner(reported.author)) if reported else None
        if person is None:
            return
        await self._live.people.update(person.id, name=Words(person.language).say(GUEST))
        log = partial(record_act_on_page, at=self._live.clock(), actor=actor, act="name-hide", subject=person.id)
        await self._live.service(Chat).settle_reports(table_id, number, log, removes_message=False)

    async def settle_reports(self, actor: str, table_id: str, number: int, *, removes_message: bool) -> None:
        """Delete the reports of a chat message, and the message if wanted. Raise `TableRefusal` `not-written`."""
        act = "message-remove" if removes_message else "report-close"
        log = partial(record_act_on_page, at=self._live.clock(), actor=actor, act=act, subject=table_id)
        await self._live.service(Chat).settle_reports(table_id, number, log, removes_message=removes_message)

    def is_banned(self, person: str | None, address: str) -> bool:
        """Return True for a banned person, and for a banned address."""
        if person in self._people:
            return True
        return bool(self._addresses) and self._live.quotas.hash_address(address) in self._addresses

    async def ban(self, actor: str, person: str | None, address: bytes | None) -> None:
        """Ban a person, or an address by its hash: their open streams end, and all they ask for is refused.

        Raise `TableRefusal` `not-written`.
        """
        ban = Ban(secrets.token_urlsafe(9), person, address, self._live.clock())

        def job(connection: Connection) -> None:
            rows.add_ban(connection, ban)
            record_act_on_page(connection, ban.at, actor, "ban", person or short_hash(address))

        await await_write(self._store.write(job))
        self._hear_of_ban(person or "", address or b"")  # before the others
        self._live.notices.announce(BANNED, person or "", (address or b"").hex())

    async def unban(self, actor: str, ban_id: str) -> None:
        """End a ban; an unknown one has ended already. Raise `TableRefusal` `not-written`."""
        at = self._live.clock()

        def job(connection: Connection) -> Ban | None:
            row = connection.execute(delete(BANS).where(BANS.c.id == ban_id).returning(*BANS.c)).one_or_none()
            if row is None:
                return None
            ban = Ban(*row)
            record_act_on_page(connection, at, actor, "unban", ban.person or short_hash(ban.address))
            return ban

        if (ban := await await_write(self._store.write(job))) is not None:
            self._hear_of_end(ban.person or "", ban.address or b"")
            self._live.notices.announce(UNBANNED, ban.person or "", (ban.address or b"").hex())

    async def announce(self, actor: str, text: str) -> None:
        """Show a text on all pages, also on those that are open; "" ends that. Raise `TableRefusal` `not-written`."""
        at = self._live.clock()

        def job(connection: Connection) -> None:
            insert_or_replace(connection, SETTINGS, {"name": rows.ANNOUNCEMENT, "value": text.encode()})
            record_act_on_page(connection, at, actor, "announce" if text else "announce-end", text)

        await await_write(self._store.write(job))
        self._live.notices.announce(ANNOUNCED, text)


def short_hash(address: bytes | None) -> str:
    """Return the part of the hash of an address that lists show; "" for None."""
    return (address or b"").hex()[:8]
