"""Chat at the tables: stored apart from the game and announced to the people who may read it."""

from functools import partial
from typing import Final

from sqlalchemy import Connection

from spieltisch.alerts.texts import MAX_LOG_LINES, mention_text, title_of_mentions
from spieltisch.core.words import message
from spieltisch.features.chat import reports, rows
from spieltisch.features.chat.commands import (
    REACTION_SYMBOLS,
    ChatReader,
    Room,
    may_report_invitation,
    mentioned,
    readable_rooms,
    reportable_names,
    require_room,
    writable_rooms,
)
from spieltisch.features.chat.rows import ChatMessage
from spieltisch.live import Live
from spieltisch.live.alert_kinds import AlertKind
from spieltisch.live.disk_errors import await_write
from spieltisch.live.versions import next_version
from spieltisch.store import ExtraWrite, Person
from spieltisch.store.alert_queue import without_muting
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.people import by_id
from spieltisch.store.schema import MENTION_ALERT
from spieltisch.store.writer import order_of
from spieltisch.tables import Table, TableRefusal, device_owner, refusals
from spieltisch.tables.events import Left, Seated, SpectatorLinksRenewed
from spieltisch.tables.names import clean_message
from spieltisch.tables.refusal_codes import RefusalCode

TOPIC: Final = "chat:"
"""The prefix of the topic of a table's chat."""
SHOWN_MESSAGES: Final = 20
"""The number of messages on a table page."""
PAGE_MESSAGES: Final = 200
"""The number of messages on a page of the chat: all of them could take up the memory of the server."""
ALL_MESSAGES: Final = 100_000
"""A limit that no table's messages reach."""


class Chat:
    """The chat of all tables."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._began = next_version()
        self._versions: dict[str, dict[tuple[str, str], int]] = {}
        """By table the version of each room, and of each author's notes."""
        live.tables.subscribe(None, self._on_table_changed)
        live.notices.on("chat", self._bump_version)
        live.notices.missed.append(self._bump_all)
        live.alert_sender.kinds[MENTION_ALERT] = AlertKind(
            self._mention_text, title_of_mentions, subpage="/chat", most=MAX_LOG_LINES
        )

    def version(self, table: Table, reader: ChatReader) -> int:
        """Return the version of a table's chat for a reader, which grows with each change, also over restarts.

        Only what they may read changes it, so that they do not learn when others write elsewhere.
        """
        versions, rooms = self._versions.get(table.id, {}), readable_rooms(table, reader)
        always = () if reader.is_delayed else ("table",)
        return max(
            (versions.get((room, _only_reader(room, reader)), self._began) for room in (*always, *rooms)),
            default=self._began,
        )

    def _on_table_changed(self, table: Table) -> None:
        """Announce that other people than before may read a room of a table, if its last event changed that."""
        if table.is_over or isinstance(table.events[-1].event, Seated | Left | SpectatorLinksRenewed):
            self._bump_version(next_version(), table.id, "table", "")

    def _bump_version(self, version: int, table_id: str, room: str, author: str) -> None:
        versions = self._versions.setdefault(table_id, {})
        versions[room, author] = max(version, max(versions.values(), default=self._began) + 1)
        self._live.publish(f"{TOPIC}{table_id}", device_owner(author) if author else None)

    def _bump_all(self) -> None:
        """Let all pages read their chat again, of which changes may have been missed."""
        self._began = next_version(max([self._began, *(max(each.values()) for each in self._versions.values())]))
        self._versions.clear()

    async def messages(
        self, table: Table, reader: ChatReader, maximum: int = SHOWN_MESSAGES, first: int = 0
    ) -> tuple[ChatMessage, ...]:
        """Return the newest messages that this person may read, but the `first`, oldest first."""
        return await rows.newest(self._live.store, table.id, readable_rooms(table, reader), reader.id, maximum, first)

    async def muted(self, table: Table, reader: ChatReader) -> frozenset[str]:
        """Return the ids of the people whom this person has muted."""
        return await rows.muted_by(self._live.store, table.id, reader.id) if reader.id else frozenset()

    async def post(self, table: Table, reader: ChatReader, name: str, room: str, text: str) -> None:
        """Post a message.

        Raise `TableRefusal` `not-your-seat`, `no-chat`, `room`, `message`, `chat-full`, `no-table` or `not-written`.
        """
        limits = self._live.limits
        room_name, cleaned = self.checked(table, reader, room, text)
        is_greeting = room_name not in writable_rooms(table, reader)
        name = "" if is_greeting else name
        chat_message = ChatMessage(0, room_name, reader.id, reader.seat, name, self._live.clock(), cleaned)
        people = mentioned(table, room_name, reader.id, cleaned)
        await await_write(
            rows.add(
                self._live.store,
                table.id,
                chat_message,
                limits.messages_per_table,
                people,
                is_greeting=is_greeting,
            ),
            table.id,
        )
        self._live.notices.announce("chat", table.id, room_name, _only_reader(room_name, reader))
        if people:
            self._live.alert_sender.wake()

    def checked(self, table: Table, reader: ChatReader, room: str, text: str) -> tuple[Room, str]:
        """Return the room and the cleaned text of a message. Raise as `post`, but for what the database shows."""
        return require_room(table, reader, room, text), clean_message(text, self._live.limits.message_length)

    async def act_on(self, table: Table, reader: ChatReader, room: str, number_in_room: int, action: str) -> None:
        """Act on a message of a room.

        `remove` deletes it (for its author or the host), `mute` mutes or unmutes its author, `report` reports it to the
        administrators, one of the reactions is added or removed. Raise `TableRefusal` `not-your-seat`, `no-message`,
        `not-host`, `no-table` or `not-written`.
        """
        if not reader.id:
            raise refusals.not_your_seat()
        store, messages = self._live.store, await self.messages(table, reader, ALL_MESSAGES)
        chat_message = next((row for row in messages if (row.room, row.number_in_room) == (room, number_in_room)), None)
        is_own = chat_message is not None and chat_message.person == reader.id
        actions = {*REACTION_SYMBOLS, "remove", *(() if is_own else ("mute", "report"))}
        if chat_message is not None and not chat_message.name:
            actions.discard("mute")  # it would show which later messages are by the author of a greeting
        if chat_message is None or chat_message.text is None or action not in actions:
            raise TableRefusal(RefusalCode.NO_MESSAGE, message("Message not found."))
        if action == "remove":
            if not is_own and not reader.is_host:
                raise refusals.not_host()
            number = chat_message.number
            write = store.write(lambda connection: rows.remove(connection, table.id, number), order=order_of(table.id))
        elif action == "mute":
            write = rows.toggle(store, rows.MUTES, table.id, person=reader.id, muted=chat_message.person)
            room = "note"  # only what the reader is shown has changed
        elif action == "report":
            write = reports.add(store, table.id, reader.id, chat_message, self._live.clock())
            room = "note"
        else:
            number, person = chat_message.number, reader.id
            write = rows.toggle(store, rows.REACTIONS, table.id, number=number, person=person, reaction=action)
        await await_write(write, table.id)
        self._live.notices.announce("chat", table.id, room, _only_reader(room, reader))

    async def reported(self, table: Table, reader: ChatReader) -> frozenset[int]:
        """Return the numbers of the messages that this person has reported."""
        return await reports.reported_by(self._live.store, table.id, reader.id) if reader.id else frozenset()

    async def report_name(self, table: Table, person: str, seat: int) -> None:
        """Report the name in a seat to the administrators.

        Raise `TableRefusal` `no-message`, `no-table` or `not-written`.
        """
        names = reportable_names(table, person)
        if seat not in names:
            raise TableRefusal(RefusalCode.NO_MESSAGE, message("You can’t report a name at this seat."))
        number, author = reports.number_of_name(seat), table.seats[seat].person or ""
        await self._report(table, reports.MessageReport(table.id, number, person, author, names[seat], "", self._now()))

    async def report_invitation(self, table: Table, person: str) -> None:
        """Report that the host keeps a seat for this person. Raise as `report_name`."""
        if not may_report_invitation(table, person):
            raise TableRefusal(RefusalCode.NO_MESSAGE, message("You have no invitation to this table."))
        host = await by_id(self._live.store, table.host)
        name = host.name if host else ""
        number = reports.INVITATION
        await self._report(table, reports.MessageReport(table.id, number, person, table.host, name, "", self._now()))

    def _now(self) -> float:
        return self._live.clock()

    async def _report(self, table: Table, report: reports.MessageReport) -> None:
        await await_write(reports.add_report(self._live.store, report), table.id)

    async def settle_reports(self, table_id: str, number: int, log: ExtraWrite, *, removes_message: bool) -> None:
        """Delete the reports of a message, name or invitation, and the message if wanted.

        `log` is written in the same transaction.

        Change nothing if there are no reports of it, for example because another administrator has dealt with them.
        Raise `TableRefusal` `not-written`.
        """
        reported = await rows.find(self._live.store, table_id, number)

        def job(connection: Connection) -> bool:
            if not reports.settle(connection, table_id, number):
                return False
            log(connection)
            if removes_message:
                rows.remove(connection, table_id, number)
            return removes_message

        write = self._live.store.write(job, order=order_of(table_id))
        if await await_write(write, table_id) and reported is not None:
            self._live.notices.announce("chat", table_id, reported.room, "")

    async def _mention_text(self, table: Table, queued: QueuedAlert, person: Person) -> tuple[str, str] | None:
        """Return the text of an alert of a mention, or None if it is no longer needed.

        That is so if the message was removed, or if the person has viewed a page since, has muted or blocked the author
        or has left.
        """
        found = await rows.find(self._live.store, table.id, queued.message_number)
        if found is None or found.text is None:
            return None
        last_active, age = self._live.presence.last_active(person.id), self._live.clock.seconds_since
        if person.preferences.alerts.away_minutes and last_active is not None and age(last_active) < age(found.at):
            return None
        wanting = partial(without_muting, people={person.id}, author=device_owner(found.person))
        if not await self._live.store.read(wanting):
            return None
        for reader in mentioned(table, found.room, found.person, found.text):
            muted = await rows.muted_by(self._live.store, table.id, reader)
            if device_owner(reader) == person.id and found.person not in muted:
                return mention_text(table, person.id, person.language, found.seat, found.name, found.text)
        return None


def _only_reader(room: str, reader: ChatReader) -> str:
    """Return the reader if the room has notes, which only their author may read; else ""."""
    return reader.id if room == "note" else ""
