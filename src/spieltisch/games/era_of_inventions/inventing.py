"""Action F: developing inventions (E34 to E37), or registering patents (E38 to E41)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import advance, receive
from spieltisch.games.era_of_inventions.numbers import (
    DEVELOP_ONE,
    E34,
    E35,
    E36,
    E38,
    E39,
    PATENT_NOTHING,
    PATENT_ONE,
    R8,
    R14,
)
from spieltisch.games.era_of_inventions.state import (
    CARDS,
    COIN,
    DEVELOPING,
    GOLD,
    INVENTED,
    INVENTIONS,
    NOBODY,
    PATENTED,
    PATENTING,
    SILVER,
    STONE,
)


@rule
def not_patenting(s: Any) -> int:
    """E34: an action either develops or registers patents."""
    return E34 if s.way == PATENTING else 0


@rule
def field_is_free(s: Any, its: int, k: int) -> int:
    """E36: nobody holds the field."""
    return 0 if s.holder[its][k] == NOBODY else E36


@rule
def gold_comes_first(s: Any, its: int, k: int) -> int:
    """E35: a silver field is open once its gold field is taken, also earlier in the same action (R28)."""
    return E35 if k == SILVER and s.holder[its][GOLD] == NOBODY else 0


@rule
def few_stones(s: Any, c: Any, its: int, k: int) -> int:
    """E34: one action pays at most 7 development stones."""
    return E34 if s.spent + c.price[its][k] > c.most_stones else 0


@rule
def stones_paid(s: Any, c: Any, its: int, k: int) -> int:
    """E36: the development stones are paid."""
    return E36 if s.players[s.seat].goods[STONE] < c.price[its][k] else 0


@rule
def marker_left(s: Any) -> int:
    """R8: without an invention marker no field can be taken and none patented."""
    return R8 if s.players[s.seat].markers == 0 else 0


@rule
def refusal_to_develop(s: Any, c: Any, its: int, k: int) -> int:
    """The rule that forbids taking the gold (0) or silver (1) field, or 0."""
    no = not_patenting(s)
    if no == 0:
        no = field_is_free(s, its, k)
    if no == 0:
        no = gold_comes_first(s, its, k)
    if no == 0:
        no = marker_left(s)
    if no == 0:
        no = stones_paid(s, c, its, k)
    if no == 0:
        no = few_stones(s, c, its, k)
    return no


@rule
def develop(s: Any, c: Any, its: int, k: int) -> None:
    """E36, E37: marker, stones, influence; a gold field brings its three cards beside the draw pile."""
    s.holder[its][k] = s.seat
    s.players[s.seat].markers -= 1
    receive(s, s.seat, STONE, -c.price[its][k])
    s.spent += c.price[its][k]
    s.way = DEVELOPING
    if k == GOLD:
        s.new_original = 1
        for card in range(CARDS):
            if c.invention[card] == its:
                s.aside[card] = 0
                s.fresh[card] = 1
    advance(s, c, s.seat, c.worth[its][k], INVENTED)


@rule
def not_developing(s: Any) -> int:
    """E38: an action either develops or registers patents."""
    return E38 if s.way == DEVELOPING else 0


@rule
def few_patents(s: Any, c: Any) -> int:
    """E38: up to 2 steps in one action."""
    return E38 if s.many >= c.most_patents else 0


@rule
def step_left(s: Any, c: Any) -> int:
    """E38: the patent track has 6 steps for each player."""
    return E38 if s.players[s.seat].steps >= c.patent_steps else 0


@rule
def step_paid(s: Any, c: Any) -> int:
    """E38: the coins on the step entered are paid."""
    me = s.players[s.seat]
    return E38 if me.goods[COIN] < c.step_price[me.steps] else 0


@rule
def own_unpatented(s: Any, its: int, k: int) -> int:
    """E39: the marker goes to an own field that is not patented yet."""
    return 0 if s.holder[its][k] == s.seat and s.patented[its][k] == 0 else E39


@rule
def something_to_patent(s: Any) -> bool:
    """Whether the seat could place a marker: it has one, and an own unpatented field."""
    if marker_left(s) != 0:
        return False
    for its in range(INVENTIONS):
        for k in range(2):
            if own_unpatented(s, its, k) == 0:
                return True
    return False


@rule
def marker_is_placed(s: Any) -> int:
    """R14: the marker is placed whenever it can be (E40: otherwise the right to it is lost)."""
    return R14 if something_to_patent(s) else 0


@rule
def refusal_to_step(s: Any, c: Any) -> int:
    """The rule that forbids a step up the patent track, or 0."""
    no = not_developing(s)
    if no == 0:
        no = few_patents(s, c)
    if no == 0:
        no = step_left(s, c)
    if no == 0:
        no = step_paid(s, c)
    return no


@rule
def refusal_to_patent(s: Any, c: Any, its: int, k: int) -> int:
    """The rule that forbids a patent on the gold (0) or silver (1) field, or 0."""
    no = refusal_to_step(s, c)
    if no == 0:
        no = own_unpatented(s, its, k)
    if no == 0:
        no = marker_left(s)
    return no


@rule
def refusal_to_patent_nothing(s: Any, c: Any) -> int:
    """The rule that forbids a step without a marker, or 0."""
    no = refusal_to_step(s, c)
    if no == 0:
        no = marker_is_placed(s)
    return no


@rule
def patent(s: Any, c: Any, its: int, k: int) -> None:
    """E38, E39, E40, R22: pay, move up, influence and its symbol, then the marker; its -1: no marker."""
    me = s.players[s.seat]
    receive(s, s.seat, COIN, -c.step_price[me.steps])
    me.steps += 1
    s.way = PATENTING
    advance(s, c, s.seat, c.step_influence[me.steps - 1], PATENTED)
    if its >= 0:
        s.patented[its][k] = 1
        me.markers -= 1


@rule
def can_develop(s: Any, c: Any) -> bool:
    """Whether the seat may develop something."""
    for its in range(INVENTIONS):
        for k in range(2):
            if refusal_to_develop(s, c, its, k) == 0:
                return True
    return False


@rule
def list_developments(s: Any, c: Any, out: Any, n: int) -> int:
    """Add what the seat may develop and patent."""
    for its in range(INVENTIONS):
        for k in range(2):
            if refusal_to_develop(s, c, its, k) == 0:
                out[n] = DEVELOP_ONE + 2 * its + k
                n += 1
    if refusal_to_step(s, c) != 0:
        return n
    for its in range(INVENTIONS):
        for k in range(2):
            if refusal_to_patent(s, c, its, k) == 0:
                out[n] = PATENT_ONE + 2 * its + k
                n += 1
    if refusal_to_patent_nothing(s, c) == 0:
        out[n] = PATENT_NOTHING
        n += 1
    return n
