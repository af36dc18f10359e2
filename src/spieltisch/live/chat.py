"""Chat at the tables: stored apart from the game and announced to the people who may read it."""

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
"""The number of messages on a table page."""
ALL_MESSAGES: Final = 100_000
"""A limit that no table's messages reach."""


class Chat:
    """The chat of all tables.

    `changed` is called with the id of a table that has a new message, `on_mention` when a person is to be alerted of a
    mention.
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
        """Return the version of a table's chat, which grows with each change, also over restarts of the server."""
        return self._versions.get(table_id, self._began)

    def bump_version(self, table_id: str) -> None:
        """Announce that a table's chat, or the people who may read it, have changed."""
        self._versions[table_id] = max(time.time_ns() // 1_000_000, self.version(table_id) + 1)
        self.changed(table_id)

    async def messages(
        self, table: Table, reader: ChatReader, maximum: int = SHOWN_MESSAGES
    ) -> tuple[ChatMessage, ...]:
        """Return the newest messages that this person may read, oldest first."""
        return await chat.newest(self._store, table.id, readable_rooms(table, reader), reader.id, maximum)

    async def muted(self, table: Table, reader: ChatReader) -> frozenset[str]:
        """Return the ids of the people whom this person has muted."""
        return await chat.muted_by(self._store, table.id, reader.id) if reader.id else frozenset()

    async def post(self, table: Table, reader: ChatReader, name: str, room: str, text: str) -> None:
        """Post a message.

        Raise `TableRefusal` `not-your-seat`, `no-chat`, `room`, `message`, `chat-full` or `not-written`.
        """
        room_name, cleaned = require_room(table, reader, room), clean_message(text, self._limits.message_length)
        chat_message = ChatMessage(0, room_name, reader.id, reader.seat, name, self._clock(), cleaned)
        people = mentioned(table, room_name, reader.id, cleaned)
        try:
            await await_write(
                chat.add(self._store, table.id, chat_message, self._limits.messages_per_table, people), table.id
            )
        except ChatFull as error:
            maximum = self._limits.messages_per_table
            reason = message("You have sent {count} messages at this table, the maximum.", count=maximum)
            raise TableRefusal(RefusalCode.CHAT_FULL, reason) from error
        self.bump_version(table.id)
        if people:
            self.on_mention()

    async def act_on(self, table: Table, reader: ChatReader, room: str, number_in_room: int, action: str) -> None:
        """Act on a message of a room.

        `remove` deletes it (for its author or the host), `mute` mutes or unmutes its author, one of the `REACTIONS` is
        added or removed. Raise `TableRefusal` `not-your-seat`, `no-message`, `not-host` or `not-written`.
        """
        if not reader.id:
            raise refusals.not_your_seat()
        chat_message = next(
            (
                candidate
                for candidate in await self.messages(table, reader, ALL_MESSAGES)
                if (candidate.room, candidate.number_in_room) == (room, number_in_room)
            ),
            None,
        )
        own = chat_message is not None and chat_message.person == reader.id
        if (
            chat_message is None
            or chat_message.text is None
            or (own and action == "mute")
            or action not in ("remove", "mute", *REACTIONS)
        ):
            raise TableRefusal(RefusalCode.NO_MESSAGE, message("Message not found."))
        if action == "remove":
            if not own and not reader.is_host:
                raise refusals.not_host()
            await await_write(chat.remove(self._store, table.id, chat_message.number), table.id)
        elif action == "mute":
            await await_write(chat.mute(self._store, table.id, reader.id, chat_message.person), table.id)
        else:
            await await_write(chat.react(self._store, table.id, chat_message.number, reader.id, action), table.id)
        self.bump_version(table.id)
