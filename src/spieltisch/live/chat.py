"""Chat at the tables: stored apart from the game and announced to the people who may read it."""

from collections.abc import Callable
from typing import Final

from spieltisch.core.words import message
from spieltisch.live.disk_errors import await_write
from spieltisch.live.limits import Limits
from spieltisch.live.versions import next_version
from spieltisch.store import Store, chat
from spieltisch.store.chat import ChatFull, ChatMessage
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.chat import REACTIONS, ChatReader, clean_message, mentioned, readable_rooms, require_room
from spieltisch.tables.names import device_owner
from spieltisch.tables.refusal_codes import RefusalCode

SHOWN_MESSAGES: Final = 20
"""The number of messages on a table page."""
ALL_MESSAGES: Final = 100_000
"""A limit that no table's messages reach."""


class Chat:
    """The chat of all tables.

    `changed` is called with the id of a table whose chat has changed, and the person for whom (None for any of them);
    `on_mention` when a person is to be alerted of a mention.
    """

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._began = next_version()
        self._versions: dict[str, dict[tuple[str, str], int]] = {}
        """By table the version of each room, and of each author's notes."""
        self.changed: Callable[[str, str | None], None] = lambda table_id, person: None
        self.on_mention: Callable[[], None] = lambda: None

    def version(self, table: Table, reader: ChatReader) -> int:
        """Return the version of a table's chat for a reader, which grows with each change, also over restarts.

        Only what they may read changes it, so that they do not learn when others write elsewhere.
        """
        versions, rooms = self._versions.get(table.id, {}), ("table", *readable_rooms(table, reader))
        return max(versions.get((room, _author(room, reader)), self._began) for room in rooms)

    def readers_changed(self, table_id: str) -> None:
        """Announce that other people than before may read a room of a table."""
        self._bump_version(table_id, "table")

    def _bump_version(self, table_id: str, room: str, author: str = "") -> None:
        versions = self._versions.setdefault(table_id, {})
        versions[room, author] = next_version(max(versions.values(), default=self._began))
        self.changed(table_id, device_owner(author) if author else None)

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
        self._bump_version(table.id, room_name, _author(room_name, reader))
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
            room = "note"  # only what the reader is shown has changed
        else:
            await await_write(chat.react(self._store, table.id, chat_message.number, reader.id, action), table.id)
        self._bump_version(table.id, room, _author(room, reader))


def _author(room: str, reader: ChatReader) -> str:
    """Return the reader if the room has notes, which only their author may read; else ""."""
    return reader.id if room == "note" else ""
