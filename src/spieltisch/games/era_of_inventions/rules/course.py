"""All moves: why one is forbidden, which are allowed, and what they do."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.era_of_inventions import log, moves
from spieltisch.games.era_of_inventions.moves import kind_of, number, part
from spieltisch.games.era_of_inventions.rules.steps import do, list_steps, refusal_to_do
from spieltisch.games.era_of_inventions.rules.timing import (
    a_disc_is_chosen,
    after_a_disc,
    discs_are_placed,
    in_first_phase,
    refusal_to_stop,
)
from spieltisch.games.era_of_inventions.rules.turns import (
    end_turn,
    own_disc,
    place,
    refusal_to_place,
    refusal_to_use,
    step_done,
    stop,
    take_back,
    use_disc,
)
from spieltisch.games.era_of_inventions.state import ACTIONS, Phase


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """The reason that forbids the move for the seat that decides, or 0. The game is not over, and the move has words
    on this board.
    """
    kind = kind_of(move)
    if kind == moves.PLACE:
        return discs_are_placed(s) or refusal_to_place(s, part(move, 0))
    if kind == moves.USE:
        return in_first_phase(s) or a_disc_is_chosen(s) or refusal_to_use(s, c, part(move, 0))
    if kind == moves.TAKE_BACK:
        return in_first_phase(s) or a_disc_is_chosen(s) or own_disc(s, part(move, 0))
    if kind == moves.DONE:
        return refusal_to_stop(s)
    if kind == moves.KEEP:
        return after_a_disc(s)
    return refusal_to_do(s, c, move)


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal moves' numbers into `out`, ascending; returns how many there are."""
    n = 0
    if s.phase == Phase.PLACING:
        for action in range(ACTIONS):
            if refusal_to_place(s, action) == 0:
                out[n] = number(moves.PLACE, action)
                n += 1
    elif s.phase == Phase.CHOOSING:
        for action in range(ACTIONS):
            if refusal_to_use(s, c, action) == 0:
                out[n] = number(moves.USE, action)
                n += 1
        for action in range(ACTIONS):
            if own_disc(s, action) == 0:
                out[n] = number(moves.TAKE_BACK, action)
                n += 1
    elif s.phase == Phase.BONUS:
        for action in range(ACTIONS):
            n = list_steps(s, c, action, out, n)
        out[n] = number(moves.KEEP)
        n += 1
    elif s.phase != Phase.OVER:
        n = list_steps(s, c, s.action, out, n)
        out[n] = number(moves.DONE)
        n += 1
    return n


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move."""
    kind = kind_of(move)
    if kind == moves.PLACE:
        place(s, c, w, part(move, 0))
    elif kind == moves.USE:
        use_disc(s, c, w, part(move, 0))
    elif kind == moves.TAKE_BACK:
        take_back(s, c, w, part(move, 0))
    elif kind == moves.DONE:
        stop(s, c, w)
    elif kind == moves.KEEP:
        emit(w, log.KEEPS_BONUS_DISC, s.seat)
        end_turn(s, c, w)
    else:
        if s.phase == Phase.BONUS:
            emit(w, log.USES_BONUS_DISC, s.seat)
        do(s, c, w, move)
        step_done(s, c, w, kind == moves.TAKE_STONE)
