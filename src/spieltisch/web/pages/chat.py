"""What is said at a table, as one person may read it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from spieltisch.core.words import Words
from spieltisch.store.chat import ChatMessage
from spieltisch.tables import Table
from spieltisch.tables.chat import REACTIONS, ChatReader, has_played, mention_pattern
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import first_step

_STEP: Final = r"#(?P<step>\d{1,4})(?!\w)"


class TextPart(msgspec.Struct, frozen=True):
    """A part of what was said: plain text, the name of a seat, or (`href`) a step of the replay."""

    text: str
    seat: int | None = None
    href: str = ""


class MessageRow(msgspec.Struct, frozen=True):
    """Something that was said, as it is shown. `signs`: word, sign, how many gave it, and whether the reader did."""

    word: ChatMessage
    own: bool
    muted: bool
    removable: bool
    pieces: tuple[TextPart, ...]
    signs: tuple[tuple[str, str, int, bool], ...]


def chat_reader(table: Table, perspective: Perspective, person_id: str | None) -> ChatReader:
    """Who reads and speaks, when somebody looks from here; several on a device of whom none has said who they are, are
    nobody.
    """
    seat = None if perspective.is_shared_page else perspective.seat
    own = table.seats[seat].person if seat is not None else "" if perspective.device_seats else person_id or ""
    return ChatReader(own, seat, perspective.host and bool(own), has_played(table, person_id))


def fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    reader: ChatReader,
    language: str,
    said: Sequence[ChatMessage],
    muted: Collection[str],
) -> str:
    """The list of what was said, the newest last."""
    game = table.setup.game if table.setup is not None else None
    words = pages.words(language, game)
    shown = [_shown(table, perspective, reader, words, word, muted) for word in said]
    return pages.render(
        "chat_messages.html",
        language,
        game,
        table.names,
        table=table,
        reader=reader,
        shown=shown,
        at=f"/table/{table.id}/chat",
        perspective=perspective,
    )


def _shown(
    table: Table, perspective: Perspective, reader: ChatReader, words: Words, word: ChatMessage, muted: Collection[str]
) -> MessageRow:
    own, given = bool(reader.id) and word.person == reader.id, word.reactions
    signs = tuple(
        (name, sign, sum(one == name for _, one in given), (reader.id, name) in given)
        for name, sign in REACTIONS.items()
    )
    return MessageRow(
        word,
        own,
        word.person in muted,
        word.text is not None and (own or reader.host),
        tuple(_pieces(table, perspective, words, word.text or "")),
        signs,
    )


def _pieces(table: Table, perspective: Perspective, words: Words, text: str) -> Iterator[TextPart]:
    """The text with its mentions and steps; nothing else in it becomes a link."""
    seats = {words.say(name): seat for seat, name in enumerate(table.names) if name}
    known = f"{mention_pattern(seats)}|{_STEP}" if seats else _STEP
    end = 0
    for found in re.finditer(known, text):
        parts = found.groupdict()
        if parts["step"] is not None and not _is_step(table, int(parts["step"])):
            continue
        yield TextPart(text[end : found.start()])
        if parts["step"] is not None:
            yield TextPart(found[0], href=perspective.url(f"/table/{table.id}/replay", at=int(parts["step"])))
        else:
            yield TextPart(found[0], seat=seats[parts["name"]])
        end = found.end()
    yield TextPart(text[end:])


def _is_step(table: Table, step: int) -> bool:
    return table.position is not None and first_step(table) <= step <= len(table.moves)
