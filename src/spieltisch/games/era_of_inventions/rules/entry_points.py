"""The entry points of the rules: the refusal of a move, the legal moves, and playing a move."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.era_of_inventions import log, moves
from spieltisch.games.era_of_inventions.moves import kind_of, number, part
from spieltisch.games.era_of_inventions.rules.factories import build, list_factories, refusal_to_build, yield_one
from spieltisch.games.era_of_inventions.rules.inventing import (
    develop,
    list_developments,
    patent,
    patent_nothing,
    refusal_to_develop,
    refusal_to_patent,
    refusal_to_patent_nothing,
)
from spieltisch.games.era_of_inventions.rules.market import (
    exchange_line,
    exchange_two,
    list_exchanges,
    refusal_to_exchange_two,
    refusal_to_take_stone,
    refusal_to_use_line,
    take_stone,
)
from spieltisch.games.era_of_inventions.rules.phases import (
    check_bonus_phase,
    check_choosing_phase,
    check_first_phase,
    check_placing_phase,
    refusal_of_phase,
    refusal_to_run,
    refusal_to_stop,
)
from spieltisch.games.era_of_inventions.rules.producing import list_cards, produce, refusal_to_produce
from spieltisch.games.era_of_inventions.rules.stores import buy, list_loads, refusal_to_buy
from spieltisch.games.era_of_inventions.rules.turns import (
    check_own_disc,
    end_turn,
    place,
    refusal_to_place,
    refusal_to_use,
    step_done,
    stop,
    take_back,
    use_disc,
)
from spieltisch.games.era_of_inventions.state import ACTIONS, FACTORIES, Action, Phase


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """Return the reason that forbids the move to the seat to move, or 0.

    The game must not be over, and the move must have words on this board.
    """
    kind, first = kind_of(move), part(move, 0)
    if kind == moves.PLACE:
        return check_placing_phase(s) or refusal_to_place(s, first)
    if kind == moves.USE:
        return check_first_phase(s) or check_choosing_phase(s) or refusal_to_use(s, c, first)
    if kind == moves.TAKE_BACK:
        return check_first_phase(s) or check_choosing_phase(s) or check_own_disc(s, first)
    if kind == moves.DONE:
        return refusal_to_stop(s)
    if kind == moves.KEEP:
        return check_bonus_phase(s)
    if kind == moves.TAKE_YIELD:
        return refusal_to_run(s, c, first)
    return refusal_of_step(s, c, move)


@rule
def refusal_of_step(s: Any, c: Any, move: int) -> int:
    """Return the reason that forbids a step of an action, or 0."""
    kind, first, second, third = kind_of(move), part(move, 0), part(move, 1), part(move, 2)
    if kind == moves.BUILD_FACTORY:
        return refusal_of_phase(s, Action.BUILD) or refusal_to_build(s, c, first)
    if kind == moves.BUY_LOAD:
        return refusal_of_phase(s, Action.BUY) or refusal_to_buy(s, c, first)
    if kind in (moves.PRODUCE_CARD, moves.PRODUCE_COUNTERFEIT):
        return refusal_of_phase(s, Action.PRODUCE) or refusal_to_produce(s, c, first, second, third)
    if kind == moves.EXCHANGE_LINE:
        return refusal_of_phase(s, Action.MARKET) or refusal_to_use_line(s, c, first)
    if kind == moves.EXCHANGE_TWO:
        return refusal_of_phase(s, Action.MARKET) or refusal_to_exchange_two(s, c, first, second, third)
    if kind == moves.TAKE_STONE:
        return refusal_of_phase(s, Action.MARKET) or refusal_to_take_stone(s, c)
    if kind == moves.DEVELOP_FIELD:
        return refusal_of_phase(s, Action.DEVELOP) or refusal_to_develop(s, c, first, second)
    if kind == moves.PATENT_FIELD:
        return refusal_of_phase(s, Action.DEVELOP) or refusal_to_patent(s, c, first, second)
    return refusal_of_phase(s, Action.DEVELOP) or refusal_to_patent_nothing(s, c)


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the numbers of the legal moves into `out`, ascending, and return their count."""
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
            if check_own_disc(s, action) == 0:
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
def list_steps(s: Any, c: Any, action: int, out: Any, n: int) -> int:
    """Append the legal steps of one action to `out` and return the new count."""
    if action == Action.BUILD:
        return list_factories(s, c, out, n)
    if action == Action.BUY:
        return list_loads(s, c, out, n)
    if action == Action.PRODUCE:
        return list_cards(s, c, out, n)
    if action == Action.MARKET:
        return list_exchanges(s, c, out, n)
    if action == Action.DEVELOP:
        return list_developments(s, c, out, n)
    for factory in range(FACTORIES):
        if refusal_to_run(s, c, factory) == 0:
            out[n] = number(moves.TAKE_YIELD, factory)
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
        carry_out(s, c, w, move)
        step_done(s, c, w, kind == moves.TAKE_STONE)


@rule
def carry_out(s: Any, c: Any, w: Any, move: int) -> None:
    """Carry out a step of an action."""
    kind, first, second, third = kind_of(move), part(move, 0), part(move, 1), part(move, 2)
    if kind == moves.BUILD_FACTORY:
        build(s, c, w, first)
    elif kind == moves.TAKE_YIELD:
        yield_one(s, c, w, first)
    elif kind == moves.BUY_LOAD:
        buy(s, c, w, first)
    elif kind in (moves.PRODUCE_CARD, moves.PRODUCE_COUNTERFEIT):
        produce(s, c, w, first, second, third)
    elif kind == moves.EXCHANGE_LINE:
        exchange_line(s, c, w, first)
    elif kind == moves.EXCHANGE_TWO:
        exchange_two(s, c, w, first, second, third)
    elif kind == moves.TAKE_STONE:
        take_stone(s, w)
    elif kind == moves.DEVELOP_FIELD:
        develop(s, c, w, first, second)
    elif kind == moves.PATENT_FIELD:
        patent(s, c, w, first, second)
    else:
        patent_nothing(s, c, w)
