"""What people decide at a table in play: at once, or shown to them first, to be confirmed."""

from __future__ import annotations

import msgspec

from spieltisch import tables
from spieltisch.core.previews import Preview
from spieltisch.core.words import Message
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import Person
from spieltisch.tables import Table


class Actor(msgspec.Struct, frozen=True, rename={"hot_seat": "me"}):
    """Who decides: a person, and with `me` who of those on their device; see `tables.speaker`."""

    person: Person
    hot_seat: str = ""

    def id_at(self, table: Table) -> str:
        """The id of who speaks at this table."""
        return tables.acting_person(table, self.person.id, self.hot_seat)


class MoveToConfirm(msgspec.Struct, frozen=True):
    """A move that has not been played yet: its preview, to be confirmed."""

    table: Table
    preview: Preview


class ConsentToConfirm(msgspec.Struct, frozen=True, rename={"effects": "comes_to"}):
    """A question that has not been asked yet: what it comes to, to be confirmed."""

    table: Table
    effects: tuple[Message, ...]


async def play(
    live: LiveTables, table_id: str, speaker: Actor, move: str, seen: int, *, confirmed: bool
) -> Table | MoveToConfirm:
    """Play a move that was decided on at version `seen`. Unless they are `sure`, or want it otherwise, people are shown
    first what cannot be taken back. Raises as `tables.play` and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.id_at(table)
    if not confirmed and speaker.person.preferences.confirm_moves:
        preview = tables.preview_to_confirm(table, person, move, seen)
        if preview is not None:
            return MoveToConfirm(table, preview)
    return await live.run(table_id, tables.play, person, move, seen)


async def undo(live: LiveTables, table_id: str, speaker: Actor, seen: int, *, turn: bool = False) -> Table:
    """Take back the last move, or all of the `turn` under way. Raises as `tables.undo` and `LiveTables.run`."""
    person = speaker.id_at(await live.get(table_id))
    return await live.run(table_id, tables.undo_turn if turn else tables.undo, person, seen)


async def request_consent(
    live: LiveTables, table_id: str, speaker: Actor, question: str, seen: int | None, *, confirmed: bool
) -> Table | ConsentToConfirm:
    """Ask the others one of `tables.QUESTIONS`, or say yes or no to theirs. Unless they are `sure`, people are shown
    first what happens at once because nobody else has to agree. `seen`: the version of what they confirm, if any.

    Raises as the commands of the questions and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.id_at(table)
    if not confirmed and (comes_to := tables.immediate_effects(table, person, question)):
        return ConsentToConfirm(table, comes_to)
    if question == "ask-undo" and seen is not None:
        return await live.run(table_id, tables.ask_undo, person, seen)
    return await live.run(table_id, tables.CONSENT_COMMANDS[question], person)
