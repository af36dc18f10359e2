"""Commands of people at a table, executed immediately or shown first to be confirmed."""

import msgspec

from spieltisch import tables
from spieltisch.core.previews import Preview
from spieltisch.core.words import Message
from spieltisch.live.live_tables import LiveTables
from spieltisch.store import Person
from spieltisch.tables import Table


class Actor(msgspec.Struct, frozen=True):
    """The player who decides: a person, and with `hot_seat` a player on their device; see `tables.acting_person`."""

    person: Person
    hot_seat: str = ""

    def id_at(self, table: Table) -> str:
        """Return the id of this player at a table."""
        return tables.acting_person(table, self.person.id, self.hot_seat)


class MoveToConfirm(msgspec.Struct, frozen=True):
    """A move that is not played yet, with its preview, to be confirmed."""

    table: Table
    preview: Preview


class ConsentToConfirm(msgspec.Struct, frozen=True):
    """A request that is not made yet, with its immediate effects, to be confirmed."""

    table: Table
    effects: tuple[Message, ...]


async def play(
    live: LiveTables, table_id: str, speaker: Actor, move: str, seen_version: int, *, confirmed: bool
) -> Table | MoveToConfirm:
    """Play a move that was chosen at version `seen_version`.

    Moves that cannot be undone are shown first, unless they are `confirmed` or the person prefers otherwise. Raise as
    `tables.play` and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.id_at(table)
    if not confirmed and speaker.person.preferences.confirm_moves:
        preview = tables.preview_to_confirm(table, person, move, seen_version)
        if preview is not None:
            return MoveToConfirm(table, preview)
    return await live.run(table_id, tables.play, person, move, seen_version)


async def undo(live: LiveTables, table_id: str, speaker: Actor, seen_version: int, *, turn: bool = False) -> Table:
    """Undo the last move, or all moves of the current `turn`.

    Raise as `tables.undo` and `LiveTables.run`.
    """
    person = speaker.id_at(await live.get(table_id))
    return await live.run(table_id, tables.undo_turn if turn else tables.undo, person, seen_version)


async def request_consent(
    live: LiveTables, table_id: str, speaker: Actor, question: str, seen_version: int | None, *, confirmed: bool
) -> Table | ConsentToConfirm:
    """Make one of the requests in `tables.CONSENT_COMMANDS`, or answer one.

    What happens immediately because no one else has to agree is shown first, unless it is `confirmed`. `seen_version`
    is that of the page on which the person confirms, if any. Raise as these commands and `LiveTables.run`.
    """
    table = await live.get(table_id)
    person = speaker.id_at(table)
    if not confirmed and (effects := tables.immediate_effects(table, person, question)):
        return ConsentToConfirm(table, effects)
    if question == "ask-undo" and seen_version is not None:
        return await live.run(table_id, tables.ask_undo, person, seen_version)
    return await live.run(table_id, tables.CONSENT_COMMANDS[question], person)
