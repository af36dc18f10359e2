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
    """Check the limit of 5 exchanges for one action (E30)."""
    return refusals.MANY_EXCHANGES if steps_done(s, Action.MARKET) >= c.most_exchanges else 0


@rule
def check_box_limit(s: Any, c: Any, box: int) -> int:
    """Check the limit of 3 uses of a box (E30); its lines count together (R3)."""
    return refusals.MANY_IN_BOX if s.used[box] >= c.most_in_box[box] else 0


@rule
def check_line_payment(s: Any, c: Any, line: int) -> int:
    """Check that the seat has the goods that the line takes (E31, E32, E33)."""
    return 0 if has_all(s, s.seat, c.line_give[line]) else LINE_UNPAID[c.line_box[line]]


@rule
def check_bonus_disc_phase(s: Any, c: Any, line: int) -> int:
    """Check that the line gives no bonus disc in the last exchange (E55)."""
    return refusals.ONLY_EXCHANGES if s.phase == Phase.LAST_EXCHANGE and c.line_get[line][BONUS_DISC] > 0 else 0


@rule
def check_bonus_disc_supply(s: Any, c: Any, line: int) -> int:
    """Check that the supply has the bonus discs of the line, which are limited (R8)."""
    return refusals.SUPPLY_EMPTY if c.line_get[line][BONUS_DISC] > s.bonus_supply else 0


@rule
def check_line_supply(s: Any, c: Any, line: int) -> int:
    """Check that the supply has the goods that the line gives (R8)."""
    if c.boxed == 0:
        return 0
    for kind in range(GOODS):
        if in_supply(s, c, kind, c.line_get[line][kind]) != 0:
            return refusals.SUPPLY_EMPTY
    return 0


@rule
def refusal_to_use_line(s: Any, c: Any, line: int) -> int:
    """Return the reason that forbids the seat to use this line, or 0."""
    return (
        check_bonus_disc_phase(s, c, line)
        or check_exchange_limit(s, c)
        or check_box_limit(s, c, c.line_box[line])
        or check_line_payment(s, c, line)
        or check_bonus_disc_supply(s, c, line)
        or check_line_supply(s, c, line)
    )


@rule
def check_other_kind(first: int, second: int, received: int) -> int:
    """Check that the piece received is of neither kind given (R9)."""
    return refusals.OTHER_KIND if received in (first, second) else 0


@rule
def check_pair_payment(s: Any, first: int, second: int) -> int:
    """Check that the seat has the two cubes or coins to give (E33); one of each is allowed."""
    goods = s.players[s.seat].goods
    if first == second:
        return refusals.LOWER_UNPAID if goods[first] < 2 else 0
    return refusals.LOWER_UNPAID if goods[first] < 1 or goods[second] < 1 else 0


@rule
def check_free_box(s: Any, c: Any) -> int:
    """Check that one more exchange is allowed, in the box that exchanges any two (E30)."""
    return check_exchange_limit(s, c) or check_box_limit(s, c, c.free_box)


@rule
def refusal_to_exchange_two(s: Any, c: Any, first: int, second: int, received: int) -> int:
    """Return the reason that forbids exchanging pieces `first` and `second` for `got`, or 0."""
    return (
        check_free_box(s, c)
        or check_other_kind(first, second, received)
        or check_pair_payment(s, first, second)
        or in_supply(s, c, received, 1)
    )


@rule
def check_stone_allowed(s: Any) -> int:
    """Check that a stone may be taken as the whole action (E29).

    It may not after an exchange, nor with a bonus disc.
    """
    return refusals.STONE_OR_EXCHANGES if s.done_steps > 0 or s.phase == Phase.BONUS else 0


@rule
def check_stone_phase(s: Any) -> int:
    """Check that it is not the last exchange, in which no stone is taken (R13)."""
    return refusals.NO_STONE_NOW if s.phase == Phase.LAST_EXCHANGE else 0


@rule
def refusal_to_take_stone(s: Any, c: Any) -> int:
    """Return the reason that forbids taking a development stone, or 0."""
    return check_stone_phase(s) or check_stone_allowed(s) or in_supply(s, c, STONE, 1)


@rule
def can_exchange(s: Any, c: Any) -> bool:
    """Return True if the seat may use a line of the market or take a stone."""
    if refusal_to_take_stone(s, c) == 0:
        return True
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            return True
    if check_free_box(s, c) != 0:
        return False
    for first in range(EXCHANGEABLE):
        if s.players[s.seat].goods[first] == 0:
            continue
        for second in range(first, EXCHANGEABLE):
            if check_pair_payment(s, first, second) != 0:
                continue
            for received in range(EXCHANGEABLE):
                if check_other_kind(first, second, received) == 0 and in_supply(s, c, received, 1) == 0:
                    return True
    return False


@rule
def list_exchanges(s: Any, c: Any, out: Any, n: int) -> int:
    """Append the legal exchanges, and taking a stone, to `out` and return the new count."""
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            out[n] = number(moves.EXCHANGE_LINE, line)
            n += 1
    for first in range(EXCHANGEABLE if check_free_box(s, c) == 0 else 0):
        if s.players[s.seat].goods[first] == 0:
            continue
        for second in range(first, EXCHANGEABLE):
            if check_pair_payment(s, first, second) != 0:
                continue
            for received in range(EXCHANGEABLE):
                if check_other_kind(first, second, received) == 0 and in_supply(s, c, received, 1) == 0:
                    out[n] = number(moves.EXCHANGE_TWO, first, second, received)
                    n += 1
    if refusal_to_take_stone(s, c) == 0:
        out[n] = number(moves.TAKE_STONE)
        n += 1
    return n


@rule
def exchange_line(s: Any, c: Any, w: Any, line: int) -> None:
    """Exchange the goods of a line of the market (E31, E32, E33)."""
    emit(w, log.EXCHANGES, s.seat, line)
    player, discs = s.players[s.seat], c.line_get[line][BONUS_DISC]
    pay(s, w, s.seat, c.line_give[line])
    receive_all(s, c, w, s.seat, c.line_get[line])
    player.bonus += discs
    player.bought += discs
    s.bonus_supply -= discs
    if discs > 0:
        emit(w, MOVED, s.seat, BONUS_DISC, discs, SUPPLY, PLAYER + s.seat)
    s.used[c.line_box[line]] += 1
    advance(s, c, w, s.seat, c.line_get[line][INFLUENCE], EXCHANGED)


@rule
def exchange_two(s: Any, c: Any, w: Any, first: int, second: int, received: int) -> None:
    """Exchange any two pieces for another one (E33)."""
    emit(w, log.EXCHANGES_TWO, s.seat, first, second, received)
    receive(s, w, s.seat, first, -1)
    receive(s, w, s.seat, second, -1)
    receive(s, w, s.seat, received, 1)
    s.used[c.free_box] += 1


@rule
def take_stone(s: Any, w: Any) -> None:
    """Take one development stone (E29)."""
    emit(w, log.TAKES_STONE, s.seat)
    receive(s, w, s.seat, STONE, 1)
