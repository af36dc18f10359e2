"""What a move of Legendary Inventors sets off, said before it is played: who is rewarded, and in which order; and what
a token that is turned over costs.
"""

from __future__ import annotations

from spieltisch.core import twin
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, SeatName, message
from spieltisch.games.legendary_inventors.rules import act
from spieltisch.games.legendary_inventors.seeing import points
from spieltisch.games.legendary_inventors.space import PLACE, READY, SENDINGS, TURN_OVER, UPGRADE, digit
from spieltisch.games.legendary_inventors.state import (
    FEWER,
    FIELDS,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    IS_NUMBER,
    IS_POINTS,
    NOBODY,
    REWARD,
    Work,
)


def hint(observation: Observation, move: Move) -> Message | None:
    """Who is rewarded in which order when this legal move completes an invention; what becomes of the own points when
    it turns a token over that counted; else nothing.
    """
    if TURN_OVER <= move.number < READY:
        return _loses_its_front(observation, move)
    seats = [SeatName(seat) for seat in rewarded(observation, move)]
    if not seats:
        return None
    if len(seats) == 1:
        return message("Completes it: a reward goes to {first}.", first=seats[0])
    if len(seats) == 2:
        return message("Completes it: rewards go to {first}, then {second}.", first=seats[0], second=seats[1])
    return message(
        "Completes it: rewards go to {first}, then {second}, then {third}.",
        first=seats[0],
        second=seats[1],
        third=seats[2],
    )


def _loses_its_front(observation: Observation, move: Move) -> Message | None:
    """S4: the own points before and after a token is turned over that counted as victory points or in a run."""
    table, seat = observation.setup.plain_params, int(observation.view.seat)
    if table.front[(move.number - TURN_OVER) // (INVENTORS * FIELDS)] not in (IS_NUMBER, IS_POINTS):
        return None
    state = observation.imagine(0).state
    before = points(state, table, seat)
    act(state, table, twin.new(Work), move.number)  # and nothing that may follow of itself
    after = points(state, table, seat)
    if after >= before:
        return None
    return message("It loses its front: your points {before} → {after}.", before=before, after=after)


def rewarded(observation: Observation, move: Move) -> list[int]:
    """The seats that are rewarded for the invention that this legal move completes, in order (L11 to L13); none when it
    completes nothing.
    """
    if not _may_complete(observation, move.number):
        return []
    position = observation.imagine(0)
    position.play(move)
    state = position.state
    return [int(seat) for seat in state.queue if seat != NOBODY] if state.phase == REWARD else []


def _may_complete(observation: Observation, number: int) -> bool:
    """Whether a legal move can fill the last free spaces: seen quickly, for there are many moves."""
    view = observation.view
    if number >= PLACE:
        return all(digit(number, f) == view.slots[view.slot].free[f] for f in range(FIELDS))
    mode, sending = divmod(number, SENDINGS)
    if number >= UPGRADE or mode == FEWER:
        return False
    inventor, card = divmod(sending, INVENTIONS)
    me, board = view.players[view.seat], observation.setup.board
    slot = next(slot for slot in view.slots if slot.card == card)
    knowledge = me.knowledge[board.teams[me.team].inventors.index(inventor)]
    missing = sum(max(int(free) - int(value), 0) for value, free in zip(knowledge, slot.free, strict=True))
    if mode != GENIUS:
        return missing == 0
    table = observation.setup.plain_params
    return bool(missing <= me.tokens[table.genius] * table.genius_cubes)
