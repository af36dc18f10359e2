"""The rules of Era of Inventions, E1 to E58 with the rulings R1 to R40, as functions over records.

`s` is the state, `c` components and options, `w` working memory (`state.py`). Legality is written once: `refusal`
answers with the number of the rule that a move breaks, or 0, by asking one function a rule; `legal` asks the same
functions about every move worth asking about. The actions stand in `factories.py` (A, B), `stores.py` (C),
`producing.py` (D), `market.py` (E) and `inventing.py` (F), the order of play in `opening.py`, `turns.py` and
`rounds.py`, and when anything may be done at all in `timing.py`.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.factories import (
    build,
    list_factories,
    refusal_to_build,
    yield_all,
    yield_one,
)
from spieltisch.games.era_of_inventions.inventing import (
    develop,
    list_developments,
    patent,
    refusal_to_develop,
    refusal_to_patent,
    refusal_to_patent_nothing,
)
from spieltisch.games.era_of_inventions.market import (
    exchange_line,
    exchange_two,
    list_exchanges,
    refusal_to_exchange_two,
    refusal_to_take_stone,
    refusal_to_use_line,
    take_stone,
)
from spieltisch.games.era_of_inventions.numbers import (
    BUILD_ONE,
    BUY_ONE,
    DEVELOP_ONE,
    DONE,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    KEEP,
    KINDS,
    PATENT_NOTHING,
    PATENT_ONE,
    PLACE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    RUN_ONE,
    SIDE,
    TAKE_BACK,
    TAKE_STONE,
    USE,
)
from spieltisch.games.era_of_inventions.producing import list_cards, produce, refusal_to_produce
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    BONUS,
    BUILD,
    BUY,
    CHOOSING,
    DEVELOP,
    FACTORIES,
    FIRST_COUNTERFEIT,
    MARKET,
    NONE,
    OVER,
    PLACING,
    PRODUCE,
    YIELD,
)
from spieltisch.games.era_of_inventions.stores import buy, list_loads, refusal_to_buy
from spieltisch.games.era_of_inventions.timing import (
    a_disc_is_chosen,
    after_a_disc,
    discs_are_placed,
    in_first_phase,
    refusal_of_time,
    refusal_to_run,
    refusal_to_stop,
)
from spieltisch.games.era_of_inventions.turns import (
    end_action,
    end_turn,
    own_disc,
    place,
    refusal_to_place,
    refusal_to_use,
    step_done,
    stop,
    use_disc,
)


@rule
def action_of(move: int) -> int:
    """To which action a move between BUILD_ONE and PATENT_NOTHING belongs."""
    if move < RUN_ONE:
        return BUILD
    if move < BUY_ONE:
        return YIELD
    if move < PRODUCE_ONE:
        return BUY
    if move < EXCHANGE_LINE:
        return PRODUCE
    if move < DEVELOP_ONE:
        return MARKET
    return DEVELOP


@rule
def refusal_to_do(s: Any, c: Any, move: int) -> int:
    """The rule that forbids a step of an action which could be taken now, or 0."""
    if move < RUN_ONE:
        return refusal_to_build(s, c, move - BUILD_ONE)
    if move < PRODUCE_ONE:
        return refusal_to_buy(s, c, move - BUY_ONE)
    if move < PRODUCE_MIX:
        return refusal_to_produce(s, c, move - PRODUCE_ONE, 0, 0)
    if move < EXCHANGE_LINE:
        mix = move - PRODUCE_MIX
        card = FIRST_COUNTERFEIT + mix // (SIDE * SIDE)
        return refusal_to_produce(s, c, card, mix // SIDE % SIDE, mix % SIDE)
    if move < EXCHANGE_ANY:
        return refusal_to_use_line(s, c, move - EXCHANGE_LINE)
    if move < TAKE_STONE:
        two = move - EXCHANGE_ANY
        return refusal_to_exchange_two(s, c, two // (KINDS * KINDS), two // KINDS % KINDS, two % KINDS)
    if move == TAKE_STONE:
        return refusal_to_take_stone(s)
    if move < PATENT_ONE:
        field = move - DEVELOP_ONE
        return refusal_to_develop(s, c, field // 2, field % 2)
    if move < PATENT_NOTHING:
        field = move - PATENT_ONE
        return refusal_to_patent(s, c, field // 2, field % 2)
    return refusal_to_patent_nothing(s, c)


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """The number of the rule that forbids the move for the seat that decides, or 0. The game is not over, and the move
    has words on this board.
    """
    if move < USE:
        no = discs_are_placed(s)
        return refusal_to_place(s, move - PLACE) if no == 0 else no
    if move < BUILD_ONE:
        no = in_first_phase(s)
        if no == 0:
            no = a_disc_is_chosen(s)
        if no == 0 and move < TAKE_BACK:
            return refusal_to_use(s, c, move - USE)
        return own_disc(s, move - TAKE_BACK) if no == 0 else no
    if RUN_ONE <= move < BUY_ONE:
        no = in_first_phase(s)
        return refusal_to_run(s, move - RUN_ONE) if no == 0 else no
    if move == DONE:
        return refusal_to_stop(s)
    if move == KEEP:
        return after_a_disc(s)
    no = refusal_of_time(s, action_of(move))
    return refusal_to_do(s, c, move) if no == 0 else no


@rule
def list_steps(s: Any, c: Any, action: int, out: Any, n: int) -> int:
    """Add the steps of one action that the seat may take."""
    if action == BUILD:
        return list_factories(s, c, out, n)
    if action == BUY:
        return list_loads(s, c, out, n)
    if action == PRODUCE:
        return list_cards(s, c, out, n)
    if action == MARKET:
        return list_exchanges(s, c, out, n)
    if action == DEVELOP:
        return list_developments(s, c, out, n)
    for factory in range(FACTORIES):
        if refusal_to_run(s, factory) == 0:
            out[n] = RUN_ONE + factory
            n += 1
    return n


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal moves' numbers into `out`, ascending, and answer how many."""
    n = 0
    if s.phase == PLACING:
        for action in range(ACTIONS):
            if refusal_to_place(s, action) == 0:
                out[n] = PLACE + action
                n += 1
    elif s.phase == CHOOSING:
        for action in range(ACTIONS):
            if refusal_to_use(s, c, action) == 0:
                out[n] = USE + action
                n += 1
        for action in range(ACTIONS):
            if own_disc(s, action) == 0:
                out[n] = TAKE_BACK + action
                n += 1
    elif s.phase == BONUS:
        for action in range(ACTIONS):
            n = list_steps(s, c, action, out, n)
        out[n] = KEEP
        n += 1
    elif s.phase != OVER:
        n = list_steps(s, c, s.action, out, n)
        out[n] = DONE
        n += 1
    return n


@rule
def do(s: Any, c: Any, move: int) -> None:
    """A step of an action."""
    if move < RUN_ONE:
        build(s, c, move - BUILD_ONE)
    elif move < BUY_ONE:
        yield_one(s, c, move - RUN_ONE)
    elif move < PRODUCE_ONE:
        buy(s, c, move - BUY_ONE)
    elif move < PRODUCE_MIX:
        produce(s, c, move - PRODUCE_ONE, 0, 0)
    elif move < EXCHANGE_LINE:
        mix = move - PRODUCE_MIX
        produce(s, c, FIRST_COUNTERFEIT + mix // (SIDE * SIDE), mix // SIDE % SIDE, mix % SIDE)
    elif move < EXCHANGE_ANY:
        exchange_line(s, c, move - EXCHANGE_LINE)
    elif move < TAKE_STONE:
        two = move - EXCHANGE_ANY
        exchange_two(s, c, two // (KINDS * KINDS), two // KINDS % KINDS, two % KINDS)
    elif move == TAKE_STONE:
        take_stone(s)
    elif move < PATENT_ONE:
        develop(s, c, (move - DEVELOP_ONE) // 2, (move - DEVELOP_ONE) % 2)
    elif move < PATENT_NOTHING:
        patent(s, c, (move - PATENT_ONE) // 2, (move - PATENT_ONE) % 2)
    else:
        patent(s, c, NONE, 0)


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move."""
    if move < USE:
        place(s, c, w, move - PLACE)
    elif move < TAKE_BACK:
        use_disc(s, c, move - USE)
        if s.action == YIELD:
            yield_all(s, c)
            step_done(s, c, w, True)
    elif move < BUILD_ONE:
        end_action(s, c, w, move - TAKE_BACK)
    elif move == DONE:
        stop(s, c, w)
    elif move == KEEP:
        end_turn(s, c, w)
    else:
        do(s, c, move)
        step_done(s, c, w, move == TAKE_STONE)


@rule
def points(s: Any, c: Any, p: int) -> int:
    """E58: influence."""
    return s.players[p].influence  # type: ignore[no-any-return]  # a field of a record
