"""What people decide at a table in play: at once, or shown to them first, to be confirmed."""

from __future__ import annotations

import msgspec

from spieltisch import tables
from spieltisch.core.foresight import Preview
from spieltisch.core.words import Message
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import Person
from spieltisch.tables import Table


class Speaker(msgspec.Struct, frozen=True):
    """Who decides: a person, and with `me` who of those on their device; see `tables.speaker`."""

    person: Person
    me: str = ""

    def at(self, table: Table) -> str:
        """The id of who speaks at this table."""
        return tables.speaker(table, self.person.id, self.me)


class MoveShown(msgspec.Struct, frozen=True):
    """A move that has not been played yet: its preview, to be confirmed."""

    table: Table
    preview: Preview


class QuestionShown(msgspec.Struct, frozen=True):
    """A question that has not been asked yet: what it comes to, to be confirmed."""

    table: Table
    comes_to: tuple[Message, ...]


async def play(
    live: LiveTables, table_id: str, speaker: Speaker, move: str, seen: int, *, sure: bool
) -> Table | MoveShown:
    """Play a move that was decided on at version `seen`. Unless they are `sure`, or want it otherwise, people are shown
    first what cannot be taken back. Raises as `tables.play` and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.at(table)
    if not sure and speaker.person.preferences.confirm:
        preview = tables.preview_to_confirm(table, person, move, seen)
        if preview is not None:
            return MoveShown(table, preview)
    return await live.run(table_id, tables.play, person, move, seen)


async def undo(live: LiveTables, table_id: str, speaker: Speaker, seen: int, *, turn: bool = False) -> Table:
    """Take back the last move, or all of the `turn` under way. Raises as `tables.undo` and `LiveTables.run`."""
    person = speaker.at(await live.get(table_id))
    return await live.run(table_id, tables.undo_turn if turn else tables.undo, person, seen)


async def ask(
    live: LiveTables, table_id: str, speaker: Speaker, question: str, seen: int | None, *, sure: bool
) -> Table | QuestionShown:
    """Ask the others one of `tables.QUESTIONS`, or say yes or no to theirs. Unless they are `sure`, people are shown
    first what happens at once because nobody else has to agree. `seen`: the version of what they confirm, if any.

    Raises as the commands of the questions and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.at(table)
    if not sure and (comes_to := tables.at_once(table, person, question)):
        return QuestionShown(table, comes_to)
    if question == "ask-undo" and seen is not None:
        return await live.run(table_id, tables.ask_undo, person, seen)
    return await live.run(table_id, tables.QUESTIONS[question], person)
