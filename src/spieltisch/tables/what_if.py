"""Studies: from any step of a game that is over somebody plays on against bots, as it might have been."""

from __future__ import annotations

from spieltisch.core.words import Message, SeatName, message
from spieltisch.tables import preconditions, refusals
from spieltisch.tables.events import WhatIf
from spieltisch.tables.opening import NewTable
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table import Table


def what_if_from(table: Table, at: int, seat: int, seed: int) -> WhatIf:
    """What a study goes on from: the game after its first `at` moves, in a world that fits all that the seat knew then,
    with what it could not know imagined. Raises `TableRefusal` not-over, kept-back, frozen, step, seat.
    """
    preconditions.require_revealed(table)
    if table.position is None or table.setup is None:
        raise refusals.frozen()
    if not 0 <= at <= len(table.moves) or (position := table.position_at(at)).over:
        raise TableRefusal(RefusalCode.STEP, message("Nothing is left to be played from this step on."))
    if not 0 <= seat < len(table.seats):
        raise refusals.no_seat()
    return WhatIf(table.id, at, seat, table.game.document(position.observe(seat).imagine(seed)))


def what_if_table(table: Table, seat: int, bot: str) -> NewTable:
    """The table of a study: the same game, a person in one seat and bots in the others. Who may not look at the game
    that it comes from is not shown this one either.
    """
    assert table.setup is not None  # noqa: S101  # `study_of` has looked
    seats = tuple("me" if number == seat else f"bot:{bot}" for number in range(len(table.seats)))
    watch = "off" if table.opened.spectators == "off" else "link"
    return NewTable(table.opened.game, seats, dict(table.setup.options), watch, table.opened.components)


def opening_log(study: WhatIf) -> Message:
    """What the log begins with."""
    return message(
        "A study: it goes on from move {move} of another game. What {player} could not know is imagined.",
        move=study.at,
        player=SeatName(study.seat),
    )
