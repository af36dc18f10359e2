"""The chat of a table, as one person may read it."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter
from typing import Final

import msgspec

from spieltisch.core.words import Words
from spieltisch.store.chat import ChatMessage
from spieltisch.tables import LogLine, Table
from spieltisch.tables.chat import REACTIONS, ChatReader, has_played, mention_pattern
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import first_step

_STEP: Final = r"#(?P<step>\d{1,4})(?!\w)"


class TextPart(msgspec.Struct, frozen=True):
    """A part of a message: plain text, the name of a seat, or (`href`) a step of the replay."""

    text: str
    seat: int | None = None
    href: str = ""


class MessageRow(msgspec.Struct, frozen=True):
    """A message as shown. `signs`: name, symbol, number of people, and whether the reader is one, for each reaction.

    `after` is the version of the last log entry before the message that the reader sees, 0 without one.
    """

    word: ChatMessage
    is_own: bool
    is_muted: bool
    is_removable: bool
    pieces: tuple[TextPart, ...]
    signs: tuple[tuple[str, str, int, bool], ...]
    after: int


def chat_reader(table: Table, perspective: Perspective, person_id: str | None) -> ChatReader:
    """Return the reader and writer with this perspective; on a shared page, no one."""
    seat = None if perspective.is_shared_page else perspective.seat
    own = table.seats[seat].person if seat is not None else "" if perspective.device_seats else person_id or ""
    return ChatReader(own, seat, perspective.is_host and bool(own), has_played(table, person_id))


def fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    reader: ChatReader,
    language: str,
    messages: Sequence[ChatMessage],
    muted: Collection[str],
) -> str:
    """Render the list of messages, the newest last."""
    game = table.setup.game if table.setup is not None else None
    words = pages.words(language, game)
    log = table.log(perspective.seat)
    rows = [_message_row(table, perspective, reader, words, chat_message, muted, log) for chat_message in messages]
    return pages.render(
        "chat_messages.html",
        language,
        game,
        table.names,
        table=table,
        reader=reader,
        shown=rows,
        at=f"/table/{table.id}/chat",
        perspective=perspective,
    )


def _message_row(
    table: Table,
    perspective: Perspective,
    reader: ChatReader,
    words: Words,
    chat_message: ChatMessage,
    muted: Collection[str],
    log: Sequence[LogLine],
) -> MessageRow:
    own, reactions = bool(reader.id) and chat_message.person == reader.id, chat_message.reactions
    signs = tuple(
        (name, sign, sum(reaction == name for _, reaction in reactions), (reader.id, name) in reactions)
        for name, sign in REACTIONS.items()
    )
    earlier = bisect_right(log, chat_message.at, key=attrgetter("at"))
    return MessageRow(
        chat_message,
        own,
        chat_message.person in muted,
        chat_message.text is not None and (own or reader.is_host),
        tuple(_text_parts(table, perspective, words, chat_message.text or "")),
        signs,
        log[earlier - 1].version if earlier else 0,
    )


def _text_parts(table: Table, perspective: Perspective, words: Words, text: str) -> Iterator[TextPart]:
    """Yield the text with its mentions and steps; nothing else in it becomes a link."""
    seats = {words.say(name): seat for seat, name in enumerate(table.names) if name}
    pattern = f"{mention_pattern(seats)}|{_STEP}" if seats else _STEP
    end = 0
    for match in re.finditer(pattern, text):
        parts = match.groupdict()
        if parts["step"] is not None and not _is_step(table, int(parts["step"])):
            continue
        yield TextPart(text[end : match.start()])
        if parts["step"] is not None:
            yield TextPart(match[0], href=perspective.url(f"/table/{table.id}/replay", at=int(parts["step"])))
        else:
            yield TextPart(match[0], seat=seats[parts["name"]])
        end = match.end()
    yield TextPart(text[end:])


def _is_step(table: Table, step: int) -> bool:
    return table.position is not None and first_step(table) <= step <= len(table.moves)
