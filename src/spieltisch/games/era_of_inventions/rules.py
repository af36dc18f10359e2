"""The rules of Era of Inventions, E1 to E58 with the rulings R1 to R40, as functions over records.

`s` is the state, `c` components and options, `w` working memory (`state.py`). Legality is written once: `refusal`
answers with the number of the rule that a move breaks, or 0, by asking one function a rule; `legal` asks the same
functions about every move worth asking about. The actions stand in `factories.py` (A, B), `stores.py` (C),
`producing.py` (D), `market.py` (E) and `inventing.py` (F), the order of play in `turns.py` and `rounds.py`.
"""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.factories import (
    build,
    factory_owned,
    list_factories,
    refusal_to_build,
    yield_all,
    yield_one,
)
from spieltisch.games.era_of_inventions.goods import own_factory, receive
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
    DRAWN_SEAT,
    E12,
    E15,
    E16,
    E42,
    E43,
    E55,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    KEEP,
    KINDS,
    PATENT_NOTHING,
    PATENT_ONE,
    PLACE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    R31,
    R40,
    RUN_ONE,
    SIDE,
    TAKE_BACK,
    TAKE_STONE,
    USE,
)
from spieltisch.games.era_of_inventions.producing import list_cards, produce, refusal_to_produce
from spieltisch.games.era_of_inventions.rounds import fill_factory_row, fill_row
from spieltisch.games.era_of_inventions.state import (
    ACTING,
    ACTIONS,
    BONUS,
    BUILD,
    BUY,
    CARDS,
    CHOOSING,
    DEVELOP,
    FACTORIES,
    FACTORY_ROW,
    FIRST_COUNTERFEIT,
    GOODS,
    INVENTIONS,
    LAST_EXCHANGE,
    MARKET,
    NOBODY,
    NONE,
    OVER,
    PLACING,
    PRODUCE,
    ROW,
    SPACES,
    START_CARDS,
    START_FACTORIES,
    YIELD,
)
from spieltisch.games.era_of_inventions.stores import buy, fill_stores, list_loads, refusal_to_buy
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
def start(s: Any, c: Any, w: Any) -> None:
    """Set up: E2 to E11."""
    s.seats = c.seats
    for action in range(ACTIONS):
        for i in range(SPACES):
            s.discs[action][i] = NOBODY
    for its in range(INVENTIONS):
        for k in range(2):
            s.holder[its][k] = NOBODY
    for kind in range(GOODS):
        s.supply[kind] = c.total[kind]
    s.bonus_supply = c.bonus_total
    for factory in range(FACTORIES):
        s.owner[factory] = NOBODY
        s.factory_pile[factory] = 1 if factory >= START_FACTORIES else 0
    for p in range(c.seats):
        me = s.players[p]
        for kind in range(GOODS):
            receive(s, p, kind, c.start[kind])
        me.hand, me.markers, me.bonus = c.action_discs, c.markers, c.bonus_discs
        s.bonus_supply -= c.bonus_discs
        own_factory(s, c, p, p)
    for card in range(CARDS):
        s.pile[card] = 1 if card < START_CARDS else 0
        s.aside[card] = 1 - s.pile[card]
    for i in range(ROW):
        s.row[i] = NONE
    for i in range(FACTORY_ROW):
        s.factory_row[i] = NONE
    fill_factory_row(s, w)
    fill_row(s, w)
    fill_stores(s, c)
    for p in range(c.seats):
        w.set[p] = 1
    s.first = draw(s, w.draws, w.set, c.seats, DRAWN_SEAT)
    s.round_number = 1
    s.seat = s.first
    s.phase = PLACING
    s.action = NONE


# --- When something may be done at all. ---


@rule
def discs_are_placed(s: Any) -> int:
    """E12: discs are placed in the first phase of a round, and nothing else is done then."""
    return 0 if s.phase == PLACING else E12


@rule
def a_disc_is_chosen(s: Any) -> int:
    """E15: one disc after the other is carried out in the second phase."""
    return 0 if s.phase == CHOOSING else E15


@rule
def after_a_disc(s: Any) -> int:
    """E42: a bonus disc is used directly after an own action disc, and then it is decided whether to."""
    return 0 if s.phase == BONUS else E42


@rule
def one_factory_by_bonus_disc(s: Any) -> int:
    """E43: the yield of a single factory is taken with a bonus disc."""
    return E43 if s.phase != BONUS and s.phase != LAST_EXCHANGE else 0


@rule
def no_bonus_disc_in_last_exchange(s: Any) -> int:
    """R31: no bonus disc is used in the last exchange."""
    return R31 if s.phase == LAST_EXCHANGE else 0


@rule
def in_first_phase(s: Any) -> int:
    """E12: in the first phase of a round discs are placed, and nothing else is done."""
    return E12 if s.phase == PLACING else 0


@rule
def only_exchanges_at_the_end(s: Any, action: int) -> int:
    """E55: after the last round there is only the exchange market."""
    return E55 if s.phase == LAST_EXCHANGE and action != MARKET else 0


@rule
def in_action(s: Any, action: int) -> int:
    """E15: what is done belongs to the disc that is carried out; a bonus disc may do any of it (E43)."""
    if s.phase == CHOOSING or (s.phase == ACTING and s.action != action):
        return E15
    return 0


@rule
def refusal_of_time(s: Any, action: int) -> int:
    """The rule that forbids the seat to do something of this action now, or 0."""
    no = in_first_phase(s)
    if no == 0:
        no = only_exchanges_at_the_end(s, action)
    if no == 0:
        no = in_action(s, action)
    return no


@rule
def no_placement_passed(s: Any) -> int:
    """R40: nobody passes a placement."""
    return R40 if s.phase == PLACING else 0


@rule
def disc_taken_back(s: Any) -> int:
    """E16: who does not carry out an action takes the disc back."""
    return E16 if s.phase == CHOOSING else 0


@rule
def not_after_a_disc(s: Any) -> int:
    """E42: after the action disc it is only asked whether a bonus disc follows."""
    return E42 if s.phase == BONUS else 0


@rule
def refusal_to_stop(s: Any) -> int:
    """The rule that forbids to do no more now, or 0."""
    no = no_placement_passed(s)
    if no == 0:
        no = disc_taken_back(s)
    if no == 0:
        no = not_after_a_disc(s)
    return no


@rule
def refusal_to_run(s: Any, factory: int) -> int:
    """The rule that forbids taking the yield of one factory, or 0."""
    no = no_bonus_disc_in_last_exchange(s)
    if no == 0:
        no = one_factory_by_bonus_disc(s)
    if no == 0:
        no = factory_owned(s, factory)
    return no


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


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view: all but the generator is public (R37)."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.ended_by = s.seats, s.seat, s.phase, s.ended_by
    o.round_number, o.first, o.action = s.round_number, s.first, s.action
    o.many, o.spent, o.way, o.new_original = s.many, s.spent, s.way, s.new_original
    for i in range(len(s.used)):
        o.used[i] = s.used[i]
    for action in range(ACTIONS):
        for i in range(SPACES):
            o.discs[action][i] = s.discs[action][i]
    for its in range(INVENTIONS):
        for k in range(2):
            o.holder[its][k], o.patented[its][k] = s.holder[its][k], s.patented[its][k]
    for i in range(ROW):
        o.row[i] = s.row[i]
    for card in range(CARDS):
        o.pile[card], o.discards[card], o.fresh[card] = s.pile[card], s.discards[card], s.fresh[card]
        o.aside[card], o.gone[card] = s.aside[card], s.gone[card]
    for i in range(FACTORY_ROW):
        o.factory_row[i] = s.factory_row[i]
    for factory in range(FACTORIES):
        o.factory_pile[factory], o.factory_discards[factory] = s.factory_pile[factory], s.factory_discards[factory]
        o.owner[factory] = s.owner[factory]
    for i in range(len(s.load)):
        o.load[i] = s.load[i]
    for kind in range(GOODS):
        o.supply[kind] = s.supply[kind]
    o.bonus_supply = s.bonus_supply
    for p in range(s.seats):
        shown, one = o.players[p], s.players[p]
        for kind in range(GOODS):
            shown.goods[kind], shown.output[kind] = one.goods[kind], one.output[kind]
        for i in range(len(one.earned)):
            shown.earned[i] = one.earned[i]
        shown.influence, shown.hand, shown.bonus, shown.bought = one.influence, one.hand, one.bonus, one.bought
        shown.markers, shown.steps = one.markers, one.steps
