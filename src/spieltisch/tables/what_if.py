"""Continuations of a finished game against bots, from any of its positions: what-if games."""

from spieltisch.core.words import Message, SeatName, message
from spieltisch.tables import preconditions, refusals
from spieltisch.tables.events import WhatIf
from spieltisch.tables.opening import NewTable
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table import Table


def what_if_from(table: Table, at: int, seat: int, seed: int) -> WhatIf:
    """Return the start of a what-if game: the game after its first `at` moves, as `seat` knew it.

    What the seat could not know is imagined. Raise `TableRefusal` not-over, withheld, frozen, step, seat.
    """
    preconditions.require_revealed(table)
    if table.position is None or table.setup is None:
        raise refusals.frozen()
    if not 0 <= at <= len(table.moves) or (position := table.position_at(at)).is_over:
        raise TableRefusal(RefusalCode.STEP, message("The game is already over at this move."))
    if not 0 <= seat < len(table.seats):
        raise refusals.no_seat()
    return WhatIf(table.id, at, seat, table.game.document(position.observe(seat).imagine(seed)))


def what_if_table(table: Table, seat: int, bot: str) -> NewTable:
    """Return the table of a what-if game: the same game, a person in one seat and bots in the others.

    People who may not view the original game cannot view this one either.
    """
    assert table.setup is not None  # noqa: S101  # checked by `what_if_from`
    seats = tuple("me" if number == seat else f"bot:{bot}" for number in range(len(table.seats)))
    watch = "off" if table.opened.spectators == "off" else "link"
    return NewTable(table.opened.game, seats, dict(table.setup.options), watch, table.opened.components)


def opening_log(study: WhatIf) -> Message:
    """Return the first entry of the log."""
    return message(
        "What-if game, continued from move {move} of another game. Anything {player} couldn’t know is simulated.",
        move=study.at,
        player=SeatName(study.seat),
    )
