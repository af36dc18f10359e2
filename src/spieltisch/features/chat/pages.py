"""The chat of a table, as one person may read it."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter
from sys import getsizeof
from typing import Any, Final

import msgspec

from spieltisch.core.words import Words
from spieltisch.features.chat.commands import (
    GREETING,
    REACTION_SYMBOLS,
    SPECTATOR,
    ChatReader,
    has_played,
    may_greet,
    mention_pattern,
    writable_rooms,
)
from spieltisch.features.chat.rows import ChatMessage
from spieltisch.features.chat.service import SHOWN_MESSAGES, TOPIC, Chat
from spieltisch.live import Live
from spieltisch.live.byte_cache import ByteCache
from spieltisch.tables import LogLine, Table
from spieltisch.web.http.content_encoding import COMPRESSION_LEVEL
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import first_step
from spieltisch.web.pages.topics import TopicState

MAX_CHAT_BYTES: Final = 2 << 20
"""Maximum size of the rendered chats in memory."""

_STEP: Final = r"#(?P<step>\d{1,4})(?!\w)"


class TextPart(msgspec.Struct, frozen=True):
    """A part of a message: plain text, the name of a seat, or (`href`) a step of the replay."""

    text: str
    seat: int | None = None
    href: str = ""


class MessageRow(msgspec.Struct, frozen=True):
    """A message as shown.

    `is_reported` says whether the reader has reported it. `reactions` has for each reaction its name and symbol, the
    number of people, and whether the reader is one of them. `after` is the version of the last log entry before the
    message that the reader sees, 0 without one.
    """

    message: ChatMessage
    is_own: bool
    is_muted: bool
    is_reported: bool
    is_removable: bool
    parts: tuple[TextPart, ...]
    reactions: tuple[tuple[str, str, int, bool], ...]
    after: int


def chat_reader(table: Table, perspective: Perspective, person_id: str | None) -> ChatReader:
    """Return the reader and writer with this perspective; on a shared page, no one."""
    seat = None if perspective.is_shared_page else perspective.seat
    own = table.seats[seat].person if seat is not None else "" if perspective.device_seats else person_id or ""
    is_host, is_player = perspective.is_host and bool(own), perspective.has_played or has_played(table, person_id)
    return ChatReader(own, seat, is_host, is_player, perspective.is_delayed)


class ChatPages:
    """Renders the chat of tables."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._chat = live.service(Chat)
        self._pages = pages
        self._rendered: ByteCache[tuple[str, Perspective, ChatReader, str], TopicState] = ByteCache(
            MAX_CHAT_BYTES, lambda rendered: getsizeof(rendered.html)
        )
        live.releases.append(self._rendered.release)

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int) -> TopicState | None:
        """Return the newest messages that this visitor may read."""
        reader = chat_reader(table, perspective, visitor.person_id)
        if self._chat.version(table, reader) <= known:
            return None
        return await self._render(table, perspective, visitor, reader, SHOWN_MESSAGES)

    async def section(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the section of the table page with the newest messages and the form for another one."""
        context = await self.context(table, perspective, visitor, SHOWN_MESSAGES)
        return self._pages.render("chat/section.html", visitor.language, visitor=visitor, **context)

    async def context(
        self, table: Table, perspective: Perspective, visitor: Visitor, maximum: int, first: int = 0
    ) -> dict[str, Any]:
        """Return the context of `form.html` with the newest messages, but the `first`.

        `is_newcomer`: a spectator, who gives a name with the first message. `greeting`: what a spectator may say to the
        players, or "". `speakers`: the seats of the people who
        share this page; the form names the one who writes.
        """
        reader = chat_reader(table, perspective, visitor.person_id)
        is_newcomer = visitor.person is None
        speakers = perspective.device_seats if perspective.is_shared_page else ()
        rooms = writable_rooms(table, reader)
        can_greet = may_greet(table, msgspec.structs.replace(reader, id=reader.id or "newcomer")) and not speakers
        if table.opened.settings.chat and (is_newcomer or speakers):
            rooms = ("watch",) if is_newcomer else ("table",)
        return {
            "is_newcomer": is_newcomer,
            "speakers": speakers,
            "table": table,
            "perspective": perspective,
            "topic": f"{TOPIC}{topic(table, perspective)}",
            "rooms": rooms,
            "greeting": GREETING if can_greet else "",
            "chat": await self._render(table, perspective, visitor, reader, maximum, first),
        }

    async def _render(
        self,
        table: Table,
        perspective: Perspective,
        visitor: Visitor,
        reader: ChatReader,
        maximum: int,
        first: int = 0,
    ) -> TopicState:
        """Return the newest messages but the `first`, the newest last.

        A visitor without a name has no notes and mutes no one, so all of them share one rendering.
        """
        version = self._chat.version(table, reader)  # before they are read: what is new comes next
        key, is_shared = (table.id, perspective, reader, visitor.language), not reader.id and maximum == SHOWN_MESSAGES
        if is_shared and (known := self._rendered.get(key)) is not None and known.version == version:
            return known
        messages = await self._chat.messages(table, reader, maximum, first)
        muted, reported = await self._chat.muted(table, reader), await self._chat.reported(table, reader)
        game, log = table.setup.game if table.setup is not None else None, table.log(perspective.seat)
        words = self._pages.words(visitor.language, game)
        steps = range(first_step(table), len(table.moves) + 1) if table.position is not None else range(0)
        html = await self._pages.render_with_pauses(
            "chat/messages.html",
            visitor.language,
            game,
            table.names,
            table=table,
            reader=reader,
            shown=(
                _message_row(table, perspective, steps, reader, words, message, muted, reported, log)
                for message in messages
            ),
            at=f"/table/{table.id}/chat",
            perspective=perspective,
            spectator=SPECTATOR,
        )
        has_notes = any(message.room == "note" for message in messages)
        state = TopicState(version, html, 0 if has_notes else COMPRESSION_LEVEL)
        if is_shared:
            self._rendered.put(key, state)
        return state


def _message_row(
    table: Table,
    perspective: Perspective,
    steps: Collection[int],
    reader: ChatReader,
    words: Words,
    chat_message: ChatMessage,
    muted: Collection[str],
    reported: Collection[int],
    log: Sequence[LogLine],
) -> MessageRow:
    own, given = bool(reader.id) and chat_message.person == reader.id, chat_message.reactions
    reactions = tuple(
        (name, symbol, sum(reaction == name for _, reaction in given), (reader.id, name) in given)
        for name, symbol in REACTION_SYMBOLS.items()
    )
    earlier = bisect_right(log, chat_message.at, key=attrgetter("at"))
    return MessageRow(
        chat_message,
        own,
        bool(chat_message.name) and chat_message.person in muted,  # it would tell the author of a greeting
        chat_message.number in reported,
        chat_message.text is not None and (own or reader.is_host),
        tuple(_text_parts(table, perspective, steps, words, chat_message.text or "")),
        reactions,
        log[earlier - 1].version if earlier else 0,
    )


def _text_parts(
    table: Table, perspective: Perspective, steps: Collection[int], words: Words, text: str
) -> Iterator[TextPart]:
    """Yield the text with its mentions and those of the `steps`; nothing else in it becomes a link."""
    seats = {words.say(name): seat for seat, name in enumerate(table.names) if name}
    pattern = f"{mention_pattern(seats)}|{_STEP}" if seats else _STEP
    end = 0
    for match in re.finditer(pattern, text):
        parts = match.groupdict()
        if parts["step"] is not None and int(parts["step"]) not in steps:
            continue
        yield TextPart(text[end : match.start()])
        if parts["step"] is not None:
            yield TextPart(match[0], href=perspective.url(f"/table/{table.id}/replay", at=int(parts["step"])))
        else:
            yield TextPart(match[0], seat=seats[parts["name"]])
        end = match.end()
    yield TextPart(text[end:])
