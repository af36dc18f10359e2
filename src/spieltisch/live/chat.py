"""What is said at the tables: kept beside the game, and announced to who may read it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from spieltisch.core.words import message
from spieltisch.live.disk_errors import await_write
from spieltisch.live.limits import Limits
from spieltisch.store import Store, chat
from spieltisch.store.chat import ChatFull, ChatMessage
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.chat import REACTIONS, ChatReader, clean_message, mentioned, readable_rooms, require_room
from spieltisch.tables.refusal_codes import RefusalCode

SHOWN_MESSAGES: Final = 20
"""How many words a table page shows."""
ALL: Final = 100_000


class Chat:
    """See the module. `changed` is told of the table at which something was said; `told` when somebody is to be told of
    a mention.
    """

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._began = time.time_ns() // 1_000_000
        self._versions: dict[str, int] = {}
        self.changed: Callable[[str], None] = lambda table_id: None
        self.on_mention: Callable[[], None] = lambda: None

    def version(self, table_id: str) -> int:
        """Grows with everything that is said at a table, also from one start of the server to the next."""
        return self._versions.get(table_id, self._began)

    def bump_version(self, table_id: str) -> None:
        """Something is new, or somebody else may read it now."""
        self._versions[table_id] = max(time.time_ns() // 1_000_000, self.version(table_id) + 1)
        self.changed(table_id)

    async def messages(self, table: Table, reader: ChatReader, most: int = SHOWN_MESSAGES) -> tuple[ChatMessage, ...]:
        """What this person may read, oldest first."""
        return await chat.newest(self._store, table.id, readable_rooms(table, reader), reader.id, most)

    async def muted(self, table: Table, reader: ChatReader) -> frozenset[str]:
        """The ids of those whom this person does not want to read."""
        return await chat.muted_by(self._store, table.id, reader.id) if reader.id else frozenset()

    async def post(self, table: Table, reader: ChatReader, name: str, room: str, text: str) -> None:
        """Say something. Raises `TableRefusal` not-your-seat, no-chat, room, words, too-many-words, not-written."""
        where, kept = require_room(table, reader, room), clean_message(text, self._limits.message_length)
        word = ChatMessage(0, where, reader.id, reader.seat, name, self._clock(), kept)
        people = mentioned(table, where, reader.id, kept)
        try:
            await await_write(chat.add(self._store, table.id, word, self._limits.messages_per_table, people))
        except ChatFull as problem:
            most = self._limits.messages_per_table
            said = message("You have said {count} things at this table, and no more are kept.", count=most)
            raise TableRefusal(RefusalCode.CHAT_FULL, said) from problem
        self.bump_version(table.id)
        if people:
            self.on_mention()

    async def act_on(self, table: Table, reader: ChatReader, number: int, deed: str) -> None:
        """With something that was said: `remove` it (its author, or the host), `mute` its author or read them again,
        or give one of the `SIGNS`. Raises `TableRefusal` not-your-seat, no-word, not-host, not-written.
        """
        if not reader.id:
            raise refusals.not_your_seat()
        word = next((one for one in await self.messages(table, reader, ALL) if one.number == number), None)
        own = word is not None and word.person == reader.id
        if word is None or word.text is None or (own and deed == "mute") or deed not in ("remove", "mute", *REACTIONS):
            raise TableRefusal(RefusalCode.NO_MESSAGE, message("Nothing like that was said here."))
        if deed == "remove":
            if not own and not reader.host:
                raise refusals.not_host()
            await await_write(chat.remove(self._store, table.id, number))
        elif deed == "mute":
            await await_write(chat.mute(self._store, table.id, reader.id, word.person))
        else:
            await await_write(chat.react(self._store, table.id, number, reader.id, deed))
        self.bump_version(table.id)
