"""The steps of all actions: why one is forbidden, which are allowed, and what they do."""

from typing import Any

from spieltisch.core.compiled import Lookup, rule
from spieltisch.games.era_of_inventions import moves
from spieltisch.games.era_of_inventions.moves import SPACE, kind_of, number, part
from spieltisch.games.era_of_inventions.rules.factories import (
    build,
    list_factories,
    refusal_to_build,
    yield_one,
)
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
from spieltisch.games.era_of_inventions.rules.producing import list_cards, produce, refusal_to_produce
from spieltisch.games.era_of_inventions.rules.stores import buy, list_loads, refusal_to_buy
from spieltisch.games.era_of_inventions.rules.timing import refusal_of_time, refusal_to_run
from spieltisch.games.era_of_inventions.state import FACTORIES, NONE, Action

_ACTIONS = {
    moves.BUILD_FACTORY: Action.BUILD,
    moves.TAKE_YIELD: Action.YIELD,
    moves.BUY_LOAD: Action.BUY,
    moves.PRODUCE_CARD: Action.PRODUCE,
    moves.PRODUCE_COUNTERFEIT: Action.PRODUCE,
    moves.EXCHANGE_LINE: Action.MARKET,
    moves.EXCHANGE_TWO: Action.MARKET,
    moves.TAKE_STONE: Action.MARKET,
    moves.DEVELOP_FIELD: Action.DEVELOP,
    moves.PATENT_FIELD: Action.DEVELOP,
    moves.PATENT_NOTHING: Action.DEVELOP,
}
ACTION_OF = Lookup(_ACTIONS.get(kind, NONE) for kind in SPACE.codes)
"""To which action a step belongs, by its kind; -1 for moves that are no steps."""


@rule
def refusal_to_do(s: Any, c: Any, move: int) -> int:
    """The reason that forbids a step of an action, or 0."""
    kind = kind_of(move)
    if kind == moves.TAKE_YIELD:
        return refusal_to_run(s, part(move, 0))
    return refusal_of_time(s, ACTION_OF[kind]) or refusal_of_step(
        s, c, kind, part(move, 0), part(move, 1), part(move, 2)
    )


@rule
def refusal_of_step(s: Any, c: Any, kind: int, a: int, b: int, d: int) -> int:
    """The reason that forbids a step, with these parts, of an action which is under way, or 0."""
    if kind == moves.BUILD_FACTORY:
        return refusal_to_build(s, c, a)
    if kind == moves.BUY_LOAD:
        return refusal_to_buy(s, c, a)
    if kind in (moves.PRODUCE_CARD, moves.PRODUCE_COUNTERFEIT):
        return refusal_to_produce(s, c, a, b, d)
    if kind == moves.EXCHANGE_LINE:
        return refusal_to_use_line(s, c, a)
    if kind == moves.EXCHANGE_TWO:
        return refusal_to_exchange_two(s, c, a, b, d)
    if kind == moves.TAKE_STONE:
        return refusal_to_take_stone(s)
    if kind == moves.DEVELOP_FIELD:
        return refusal_to_develop(s, c, a, b)
    if kind == moves.PATENT_FIELD:
        return refusal_to_patent(s, c, a, b)
    return refusal_to_patent_nothing(s, c)


@rule
def list_steps(s: Any, c: Any, action: int, out: Any, n: int) -> int:
    """Add the steps of one action that the seat may take."""
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
        if refusal_to_run(s, factory) == 0:
            out[n] = number(moves.TAKE_YIELD, factory)
            n += 1
    return n


@rule
def do(s: Any, c: Any, w: Any, move: int) -> None:
    """Take a step of an action."""
    kind, a, b, d = kind_of(move), part(move, 0), part(move, 1), part(move, 2)
    if kind == moves.BUILD_FACTORY:
        build(s, c, w, a)
    elif kind == moves.TAKE_YIELD:
        yield_one(s, c, w, a)
    elif kind == moves.BUY_LOAD:
        buy(s, c, w, a)
    elif kind in (moves.PRODUCE_CARD, moves.PRODUCE_COUNTERFEIT):
        produce(s, c, w, a, b, d)
    elif kind == moves.EXCHANGE_LINE:
        exchange_line(s, c, w, a)
    elif kind == moves.EXCHANGE_TWO:
        exchange_two(s, c, w, a, b, d)
    elif kind == moves.TAKE_STONE:
        take_stone(s, w)
    elif kind == moves.DEVELOP_FIELD:
        develop(s, c, w, a, b)
    elif kind == moves.PATENT_FIELD:
        patent(s, c, w, a, b)
    else:
        patent_nothing(s, c, w)
