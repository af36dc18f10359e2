"""What a move would do to values and to one's own points, said before it is made, and what a turn came to.

The rules play the move in what the seat sees; the others' portfolios do not matter.
"""

from __future__ import annotations

from spieltisch.core import twin
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message
from spieltisch.games.paris_connection.imagining import public
from spieltisch.games.paris_connection.notation import parts
from spieltisch.games.paris_connection.rules import DONE, build, points, trade
from spieltisch.games.paris_connection.state import COMPANIES, MOST_HEXES, Work


def hint(observation: Observation, move: Move) -> Message | None:
    """See `Game.hint`. Only a city changes a value, so there is a note on cities and on trades."""
    c, seat, company = observation.setup.plain_params, observation.view.seat, -1
    if move.number == DONE or (move.number < DONE and c.value[move.number % MOST_HEXES] == 0):
        return None
    before = public(observation)
    after = twin.clone(before)
    if move.number < DONE:
        company, h = divmod(move.number, MOST_HEXES)
        build(after, c, twin.new(Work), company, h)
    else:
        trade(after, c, *parts(move.number))
    mine, then = points(before, c, seat), points(after, c, seat)
    if company < 0:
        return message("Your points {before} → {after}.", before=mine, after=then) if mine != then else None
    values = {"value": before.value[company], "rises": after.value[company]}
    if mine == then:
        return message("Value {value} → {rises}.", **values)
    return message("Value {value} → {rises}. Your points {before} → {after}.", **values, before=mine, after=then)


def turn_summary(before: Observation, after: Observation, seat: int) -> list[Message]:
    """See `Game.turn_summary`: the values that have risen, and the own points."""
    told = [
        message(
            "{company} {before} → {after}.",
            company=after.setup.board.companies[k].name,
            before=before.view.value[k],
            after=after.view.value[k],
        )
        for k in range(COMPANIES)
        if before.view.value[k] != after.view.value[k]
    ]
    mine, then = before.scores[seat], after.scores[seat]
    if mine is not None and then is not None and mine != then:
        told.append(message("Your points {before} → {after}.", before=mine, after=then))
    return told
