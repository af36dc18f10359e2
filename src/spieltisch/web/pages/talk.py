"""What is said at a table, as one person may read it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from spieltisch.core.words import Words
from spieltisch.store.words import Word
from spieltisch.tables import Table
from spieltisch.tables.talk import SIGNS, Reader, has_played, mention
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.replay import first_step
from spieltisch.web.pages.templates import Pages

_STEP: Final = r"#(?P<step>\d{1,4})(?!\w)"


class Piece(msgspec.Struct, frozen=True):
    """A part of what was said: plain text, the name of a seat, or (`href`) a step of the replay."""

    text: str
    seat: int | None = None
    href: str = ""


class Shown(msgspec.Struct, frozen=True):
    """Something that was said, as it is shown. `signs`: word, sign, how many gave it, and whether the reader did."""

    word: Word
    own: bool
    muted: bool
    removable: bool
    pieces: tuple[Piece, ...]
    signs: tuple[tuple[str, str, int, bool], ...]


def reader_of(table: Table, perspective: Perspective, person_id: str | None) -> Reader:
    """Who reads and speaks, when somebody looks from here; several on a device of whom none has said who they are, are
    nobody.
    """
    seat = None if perspective.nameless else perspective.seat
    own = table.seats[seat].person if seat is not None else "" if perspective.here else person_id or ""
    return Reader(own, seat, perspective.host and bool(own), has_played(table, person_id))


def fragment(
    pages: Pages,
    table: Table,
    perspective: Perspective,
    reader: Reader,
    language: str,
    said: Sequence[Word],
    muted: Collection[str],
) -> str:
    """The list of what was said, the newest last."""
    game = table.setup.game if table.setup is not None else None
    words = pages.words(language, game)
    shown = [_shown(table, perspective, reader, words, word, muted) for word in said]
    return pages.render(
        "words.html",
        language,
        game,
        table.names,
        table=table,
        reader=reader,
        shown=shown,
        at=f"/table/{table.id}/words",
        perspective=perspective,
    )


def _shown(
    table: Table, perspective: Perspective, reader: Reader, words: Words, word: Word, muted: Collection[str]
) -> Shown:
    own, given = bool(reader.id) and word.person == reader.id, word.reactions
    signs = tuple(
        (name, sign, sum(one == name for _, one in given), (reader.id, name) in given) for name, sign in SIGNS.items()
    )
    return Shown(
        word,
        own,
        word.person in muted,
        word.text is not None and (own or reader.host),
        tuple(_pieces(table, perspective, words, word.text or "")),
        signs,
    )


def _pieces(table: Table, perspective: Perspective, words: Words, text: str) -> Iterator[Piece]:
    """The text with its mentions and steps; nothing else in it becomes a link."""
    seats = {words.say(name): seat for seat, name in enumerate(table.names) if name}
    known = f"{mention(seats)}|{_STEP}" if seats else _STEP
    end = 0
    for found in re.finditer(known, text):
        parts = found.groupdict()
        if parts["step"] is not None and not _is_step(table, int(parts["step"])):
            continue
        yield Piece(text[end : found.start()])
        if parts["step"] is not None:
            yield Piece(found[0], href=perspective.to(f"/table/{table.id}/replay", at=int(parts["step"])))
        else:
            yield Piece(found[0], seat=seats[parts["name"]])
        end = found.end()
    yield Piece(text[end:])


def _is_step(table: Table, step: int) -> bool:
    return table.position is not None and first_step(table) <= step <= len(table.plays)
