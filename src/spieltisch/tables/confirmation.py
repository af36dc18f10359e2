"""Effects that people confirm before they happen, because they cannot be undone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from spieltisch.core.previews import Preview
from spieltisch.core.words import Message, message
from spieltisch.tables import permissions
from spieltisch.tables.events import Event
from spieltisch.tables.lifecycle import agree_abort, ask_abort, refuse_abort
from spieltisch.tables.log import moves_by_player
from spieltisch.tables.playing import agree_undo, ask_undo, preview, refuse_undo
from spieltisch.tables.seating import accept_reclaim, after_events, decline, leave, refuse_reclaim
from spieltisch.tables.shared_hints import agree_hints, ask_hints, refuse_hints
from spieltisch.tables.table import Table

CONSENT_COMMANDS: Final[Mapping[str, Callable[[Table, str], Sequence[Event]]]] = {
    "ask-undo": ask_undo,
    "agree-undo": agree_undo,
    "refuse-undo": refuse_undo,
    "ask-abort": ask_abort,
    "agree-abort": agree_abort,
    "refuse-abort": refuse_abort,
    "ask-hints": ask_hints,
    "agree-hints": agree_hints,
    "refuse-hints": refuse_hints,
    "agree-hand-out": accept_reclaim,
    "refuse-hand-out": refuse_reclaim,
}
"""The commands that need the consent of others: requests, and the responses to them."""


def preview_to_confirm(table: Table, person: str, move: str, seen_version: int) -> Preview | None:
    """Return the preview of a move that must be confirmed; None for any other.

    Such a move would draw or pass the decision, or the game requires confirmation. Refusals: as `preview`.
    """
    result = preview(table, person, move, seen_version)
    return result if result.draws or result.passes or result.needs_confirmation else None


def immediate_effects(table: Table, person: str, question: str) -> tuple[Message, ...]:
    """Return the effects of one of the `CONSENT_COMMANDS` that happens immediately because no one else has to agree.

    Return nothing if others are asked, or if the command is refused.
    """
    if question == "ask-abort" and table.status == "running" and permissions.can_abort_alone(table, person):
        return (message("The game will end without a result and can’t be resumed."),)
    if table.status != "running" or not permissions.needs_no_consent(table, person):
        return ()
    seat = table.seat_of(person)
    move_count = permissions.undo_target(table, seat) if question == "ask-undo" and seat is not None else None
    if move_count is None:
        return ()
    return message("These moves will be undone."), *moves_by_player(table.moves[move_count:])


def leaving(table: Table, person: str, *, declines: bool = False) -> tuple[str, Message]:
    """Return the effect of leaving on the table and on this person's seat: a code and a sentence.

    `declines`: they decline the seats kept for them and leave none. Refusals: as `leave` or `decline`.
    """
    after = after_events(table, *(decline if declines else leave)(table, person))
    if declines or table.seat_of(person) is None:
        return "declines", message("The seat will no longer be kept for you.")
    if after.status == "aborted" and after.people:
        return "ends", message("The others have agreed to abort the game. It will end without a result.")
    if after.status == "aborted" and table.status == "open":
        return "closes", message("You’re the last player at this table. It will close.")
    if after.status == "aborted":
        return "closes", message("You’re the last player at this table. It will close without a result.")
    if table.status == "open":
        return "free", message("Your seat will be free again.")
    return "waits", message("Your seat stays open. You can return until a bot or someone else takes it.")
