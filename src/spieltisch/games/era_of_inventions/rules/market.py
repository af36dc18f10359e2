"""Action E: the exchange market (E29 to E33), also used once more at the end (E55)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, moves, refusals
from spieltisch.games.era_of_inventions.moves import number
from spieltisch.games.era_of_inventions.pieces import PLAYER, SUPPLY
from spieltisch.games.era_of_inventions.refusals import LINE_UNPAID
from spieltisch.games.era_of_inventions.rules.goods import (
    advance,
    has_all,
    in_supply,
    pay,
    receive,
    receive_all,
    steps_done,
)
from spieltisch.games.era_of_inventions.state import (
    BONUS_DISC,
    EXCHANGEABLE,
    EXCHANGED,
    GOODS,
    INFLUENCE,
    STONE,
    Action,
    Phase,
)


@rule
def check_exchange_limit(s: Any, c: Any) -> int:
    """E30: one action makes up to 5 exchanges."""
    return refusals.MANY_EXCHANGES if steps_done(s, Action.MARKET) >= c.most_exchanges else 0


@rule
def check_box_limit(s: Any, c: Any, box: int) -> int:
    """E30: each box at most 3 times, its lines counted together (R3)."""
    return refusals.MANY_IN_BOX if s.used[box] >= c.most_in_box[box] else 0


@rule
def check_line_payment(s: Any, c: Any, line: int) -> int:
    """E31, E32, E33: a box is paid with what its line gives."""
    return 0 if has_all(s, s.seat, c.line_give[line]) else LINE_UNPAID[c.line_box[line]]


@rule
def check_bonus_disc_phase(s: Any, c: Any, line: int) -> int:
    """E55: the last exchange buys no bonus disc."""
    return refusals.ONLY_EXCHANGES if s.phase == Phase.LAST_EXCHANGE and c.line_get[line][BONUS_DISC] > 0 else 0


@rule
def check_bonus_disc_supply(s: Any, c: Any, line: int) -> int:
    """R8: bonus discs are limited; with none in the supply none can be bought."""
    return refusals.SUPPLY_EMPTY if c.line_get[line][BONUS_DISC] > s.bonus_supply else 0


@rule
def check_line_supply(s: Any, c: Any, line: int) -> int:
    """R8: the supply holds what the line gets."""
    if c.boxed == 0:
        return 0
    for kind in range(GOODS):
        if in_supply(s, c, kind, c.line_get[line][kind]) != 0:
            return refusals.SUPPLY_EMPTY
    return 0


@rule
def refusal_to_use_line(s: Any, c: Any, line: int) -> int:
    """The reason that forbids this line to the seat, or 0."""
    return (
        check_bonus_disc_phase(s, c, line)
        or check_exchange_limit(s, c)
        or check_box_limit(s, c, c.line_box[line])
        or check_line_payment(s, c, line)
        or check_bonus_disc_supply(s, c, line)
        or check_line_supply(s, c, line)
    )


@rule
def check_other_kind(one: int, two: int, got: int) -> int:
    """R9: what is received is of neither kind given."""
    return refusals.OTHER_KIND if got in (one, two) else 0


@rule
def check_pair_payment(s: Any, one: int, two: int) -> int:
    """E33: any two cubes or coins, also one of each."""
    goods = s.players[s.seat].goods
    if one == two:
        return refusals.LOWER_UNPAID if goods[one] < 2 else 0
    return refusals.LOWER_UNPAID if goods[one] < 1 or goods[two] < 1 else 0


@rule
def check_free_box(s: Any, c: Any) -> int:
    """E30: there may be one more exchange, and one in the box that exchanges any two."""
    return check_exchange_limit(s, c) or check_box_limit(s, c, c.free_box)


@rule
def refusal_to_exchange_two(s: Any, c: Any, one: int, two: int, got: int) -> int:
    """The reason that forbids exchanging these two for that one, or 0."""
    return (
        check_free_box(s, c)
        or check_other_kind(one, two, got)
        or check_pair_payment(s, one, two)
        or in_supply(s, c, got, 1)
    )


@rule
def check_stone_allowed(s: Any) -> int:
    """E29: taking a stone is the whole action; after an exchange it is too late, and a bonus disc does not do it."""
    return refusals.STONE_OR_EXCHANGES if s.many > 0 or s.phase == Phase.BONUS else 0


@rule
def check_stone_phase(s: Any) -> int:
    """R13: the last exchange takes no stone."""
    return refusals.NO_STONE_NOW if s.phase == Phase.LAST_EXCHANGE else 0


@rule
def refusal_to_take_stone(s: Any, c: Any) -> int:
    """The reason that forbids taking a development stone, or 0."""
    return check_stone_phase(s) or check_stone_allowed(s) or in_supply(s, c, STONE, 1)


@rule
def can_exchange(s: Any, c: Any) -> bool:
    """Whether the seat may use a line of the market, or take a stone."""
    if refusal_to_take_stone(s, c) == 0:
        return True
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            return True
    if check_free_box(s, c) != 0:
        return False
    for one in range(EXCHANGEABLE):
        if s.players[s.seat].goods[one] == 0:
            continue
        for two in range(one, EXCHANGEABLE):
            if check_pair_payment(s, one, two) != 0:
                continue
            for got in range(EXCHANGEABLE):
                if check_other_kind(one, two, got) == 0 and in_supply(s, c, got, 1) == 0:
                    return True
    return False


@rule
def list_exchanges(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the exchanges that the seat may make, and taking a stone."""
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            out[n] = number(moves.EXCHANGE_LINE, line)
            n += 1
    for one in range(EXCHANGEABLE if check_free_box(s, c) == 0 else 0):
        if s.players[s.seat].goods[one] == 0:
            continue
        for two in range(one, EXCHANGEABLE):
            if check_pair_payment(s, one, two) != 0:
                continue
            for got in range(EXCHANGEABLE):
                if check_other_kind(one, two, got) == 0 and in_supply(s, c, got, 1) == 0:
                    out[n] = number(moves.EXCHANGE_TWO, one, two, got)
                    n += 1
    if refusal_to_take_stone(s, c) == 0:
        out[n] = number(moves.TAKE_STONE)
        n += 1
    return n


@rule
def exchange_line(s: Any, c: Any, w: Any, line: int) -> None:
    """E31, E32, E33: give what the line says, get what it says."""
    emit(w, log.EXCHANGES, s.seat, line)
    me, discs = s.players[s.seat], c.line_get[line][BONUS_DISC]
    pay(s, w, s.seat, c.line_give[line])
    receive_all(s, c, w, s.seat, c.line_get[line])
    me.bonus += discs
    me.bought += discs
    s.bonus_supply -= discs
    if discs > 0:
        emit(w, MOVED, s.seat, BONUS_DISC, discs, SUPPLY, PLAYER + s.seat)
    s.used[c.line_box[line]] += 1
    advance(s, c, w, s.seat, c.line_get[line][INFLUENCE], EXCHANGED)


@rule
def exchange_two(s: Any, c: Any, w: Any, one: int, two: int, got: int) -> None:
    """E33: any two for another."""
    emit(w, log.EXCHANGES_TWO, s.seat, one, two, got)
    receive(s, w, s.seat, one, -1)
    receive(s, w, s.seat, two, -1)
    receive(s, w, s.seat, got, 1)
    s.used[c.free_box] += 1


@rule
def take_stone(s: Any, w: Any) -> None:
    """E29: one development stone."""
    emit(w, log.TAKES_STONE, s.seat)
    receive(s, w, s.seat, STONE, 1)
