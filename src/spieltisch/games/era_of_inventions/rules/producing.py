"""Action D: producing inventions (E22 to E28)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, moves, refusals
from spieltisch.games.era_of_inventions.moves import number
from spieltisch.games.era_of_inventions.pieces import CARD, DISCARDS, ON_ROW
from spieltisch.games.era_of_inventions.rules.goods import has_all, insert_sorted, pay, receive, reward, steps_done
from spieltisch.games.era_of_inventions.state import (
    FIRST_COUNTERFEIT,
    GOLD,
    METAL,
    NOBODY,
    NONE,
    PAID,
    PRODUCED,
    ROW,
    SILVER,
    TECHNOLOGY,
    TOOL,
    Action,
)


@rule
def check_card_limit(s: Any, c: Any) -> int:
    """Check the limit of 3 inventions produced by one action (E22)."""
    return refusals.MANY_CARDS if steps_done(s, Action.PRODUCE) >= c.most_cards else 0


@rule
def check_card_available(s: Any, card: int) -> int:
    """Check that the card is in the invention row (E23).

    A card that was produced is discarded immediately.
    """
    for i in range(ROW):
        if s.row[i] == card:
            return 0
    return refusals.NO_SUCH_CARD


@rule
def check_cube_payment(s: Any, c: Any, card: int) -> int:
    """Check that the seat can pay the cost, except for the cubes with a "?" (E22)."""
    return 0 if has_all(s, s.seat, c.cost[card]) else refusals.CARD_UNPAID


@rule
def check_counterfeit(s: Any, c: Any, card: int) -> int:
    """Check that the seat holds no field of the invention if the card is its counterfeit (E28)."""
    if card < FIRST_COUNTERFEIT:
        return 0
    invention = c.invention[card]
    return (
        refusals.OWN_COUNTERFEIT if s.holder[invention][GOLD] == s.seat or s.holder[invention][SILVER] == s.seat else 0
    )


@rule
def check_mix_payment(s: Any, c: Any, card: int, metal: int, technology: int) -> int:
    """Check the mix of metal, technology and tool for the "?" of a counterfeit (E27).

    It must have the number of cubes shown, and the player must have these in addition to the fixed cost.
    """
    if card < FIRST_COUNTERFEIT:
        return 0
    goods = s.players[s.seat].goods
    tool = c.wild[card] - metal - technology
    if tool < 0:
        return refusals.MIX_UNPAID
    if goods[METAL] < metal or goods[TECHNOLOGY] < technology or goods[TOOL] < tool:
        return refusals.MIX_UNPAID
    return 0


@rule
def refusal_to_produce(s: Any, c: Any, card: int, metal: int, technology: int) -> int:
    """Return the reason that forbids producing this card with this mix, or 0.

    An official or start card has no mix.
    """
    return (
        check_card_limit(s, c)
        or check_card_available(s, card)
        or check_counterfeit(s, c, card)
        or check_cube_payment(s, c, card)
        or check_mix_payment(s, c, card, metal, technology)
    )


@rule
def can_produce_card(s: Any, c: Any, card: int) -> bool:
    """Return True if the seat may produce the card with some mix.

    It is enough to try all metal that the seat has, then technology: if any mix is possible, this one is.
    """
    goods = s.players[s.seat].goods
    metal = min(goods[METAL], c.wild[card])
    technology = min(goods[TECHNOLOGY], c.wild[card] - metal)
    return refusal_to_produce(s, c, card, metal, technology) == 0


@rule
def can_produce(s: Any, c: Any) -> bool:
    """Return True if the seat may produce a card of the row."""
    for i in range(ROW):
        if s.row[i] != NONE and can_produce_card(s, c, s.row[i]):
            return True
    return False


@rule
def list_cards(s: Any, c: Any, out: Any, n: int) -> int:
    """Append the cards that the seat may produce to `out` and return the new count.

    A counterfeit is listed with every mix that the seat can pay.
    """
    start = n
    for i in range(ROW):
        card = s.row[i]
        if card == NONE or not can_produce_card(s, c, card):
            continue
        if card < FIRST_COUNTERFEIT:
            n = insert_sorted(out, start, n, number(moves.PRODUCE_CARD, card))
            continue
        for metal in range(c.wild[card] + 1):
            for technology in range(c.wild[card] - metal + 1):
                if refusal_to_produce(s, c, card, metal, technology) == 0:
                    n = insert_sorted(out, start, n, number(moves.PRODUCE_COUNTERFEIT, card, metal, technology))
    return n


@rule
def produce(s: Any, c: Any, w: Any, card: int, metal: int, technology: int) -> None:
    """Pay, take the yield, pay the holders and discard the card (E22, E23, E24, E27, R38).

    The holders are paid from the supply, first gold, then silver.
    """
    emit(w, log.PRODUCES, s.seat, card, metal, technology)
    pay(s, w, s.seat, c.cost[card])
    if card >= FIRST_COUNTERFEIT:
        receive(s, w, s.seat, METAL, -metal)
        receive(s, w, s.seat, TECHNOLOGY, -technology)
        receive(s, w, s.seat, TOOL, -(c.wild[card] - metal - technology))
    reward(s, c, w, s.seat, c.gain[card], PRODUCED)
    for grade in range(2):
        p = paid_player(s, c, card, grade)
        if p != NOBODY:
            emit(w, log.IS_PAID, p, c.invention[card], grade)
            reward(s, c, w, p, c.reward[c.invention[card]][grade], PAID)
    for i in range(ROW):
        if s.row[i] == card:
            s.row[i] = NONE
    s.discards[card] = 1
    emit(w, MOVED, NOBODY, CARD + card, 1, ON_ROW, DISCARDS)


@rule
def holder_to_pay(s: Any, c: Any, card: int, grade: int) -> int:
    """Return the holder of the gold (0) or silver (1) field that a production of the card pays (E24, E26, E41).

    It is -1 if no one is paid. The producing player is not considered.
    """
    invention = c.invention[card]
    if invention < 0:
        return NOBODY
    if card >= FIRST_COUNTERFEIT and s.patented[invention][grade] == 0:
        return NOBODY
    return s.holder[invention][grade]


@rule
def paid_player(s: Any, c: Any, card: int, grade: int) -> int:
    """Return the player who is paid for a field of a card that the seat produces (E25).

    It is never the seat itself; -1 if no one is paid.
    """
    p = holder_to_pay(s, c, card, grade)
    if p == s.seat:
        return NOBODY
    return p
