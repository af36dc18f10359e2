"""Action E: the exchange market (E29 to E33), also used once more at the end (E55)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import advance, has_all, pay, receive, receive_all
from spieltisch.games.era_of_inventions.numbers import (
    E29,
    E30,
    E31,
    E32,
    E33,
    E55,
    EXCHANGE_LINE,
    KINDS,
    R8,
    R9,
    R13,
    TAKE_STONE,
    any_move,
)
from spieltisch.games.era_of_inventions.state import BONUS, BONUS_DISC, EXCHANGED, INFLUENCE, LAST_EXCHANGE, STONE


@rule
def few_exchanges(s: Any, c: Any) -> int:
    """E30: one action makes up to 5 exchanges."""
    return E30 if s.many >= c.most_exchanges else 0


@rule
def few_in_box(s: Any, c: Any, box: int) -> int:
    """E30: each box at most 3 times, its lines counted together (R3)."""
    return E30 if s.used[box] >= c.most_in_box[box] else 0


@rule
def upper_paid(s: Any, c: Any, line: int) -> int:
    """E31: the upper box is paid with what its line gives."""
    return 0 if c.line_box[line] != 0 or has_all(s, s.seat, c.line_give[line]) else E31


@rule
def middle_paid(s: Any, c: Any, line: int) -> int:
    """E32: the middle box is paid with what its line gives."""
    return 0 if c.line_box[line] != 1 or has_all(s, s.seat, c.line_give[line]) else E32


@rule
def lower_paid(s: Any, c: Any, line: int) -> int:
    """E33: the lower box is paid with what its line gives."""
    return 0 if c.line_box[line] != 2 or has_all(s, s.seat, c.line_give[line]) else E33


@rule
def no_bonus_disc_at_the_end(s: Any, c: Any, line: int) -> int:
    """E55: the last exchange buys no bonus disc."""
    return E55 if s.phase == LAST_EXCHANGE and c.line_get[line][BONUS_DISC] > 0 else 0


@rule
def bonus_disc_in_supply(s: Any, c: Any, line: int) -> int:
    """R8: bonus discs are limited; with none in the supply none can be bought."""
    return R8 if c.line_get[line][BONUS_DISC] > s.bonus_supply else 0


@rule
def refusal_to_use_line(s: Any, c: Any, line: int) -> int:
    """The rule that forbids this line to the seat, or 0."""
    no = no_bonus_disc_at_the_end(s, c, line)
    if no == 0:
        no = few_exchanges(s, c)
    if no == 0:
        no = few_in_box(s, c, c.line_box[line])
    if no == 0:
        no = upper_paid(s, c, line)
    if no == 0:
        no = middle_paid(s, c, line)
    if no == 0:
        no = lower_paid(s, c, line)
    if no == 0:
        no = bonus_disc_in_supply(s, c, line)
    return no


@rule
def other_kind(one: int, two: int, got: int) -> int:
    """R9: what is received is of neither kind given."""
    return R9 if got in (one, two) else 0


@rule
def two_paid(s: Any, one: int, two: int) -> int:
    """E33: any two cubes or coins, also one of each."""
    goods = s.players[s.seat].goods
    if one == two:
        return E33 if goods[one] < 2 else 0
    return E33 if goods[one] < 1 or goods[two] < 1 else 0


@rule
def refusal_to_exchange_two(s: Any, c: Any, one: int, two: int, got: int) -> int:
    """The rule that forbids exchanging these two for that one, or 0."""
    no = few_exchanges(s, c)
    if no == 0:
        no = few_in_box(s, c, c.free_box)
    if no == 0:
        no = other_kind(one, two, got)
    if no == 0:
        no = two_paid(s, one, two)
    return no


@rule
def stone_or_exchanges(s: Any) -> int:
    """E29: taking a stone is the whole action; after an exchange it is too late, and a bonus disc does not do it."""
    return E29 if s.many > 0 or s.phase == BONUS else 0


@rule
def no_stone_at_the_end(s: Any) -> int:
    """R13: the last exchange takes no stone."""
    return R13 if s.phase == LAST_EXCHANGE else 0


@rule
def refusal_to_take_stone(s: Any) -> int:
    """The rule that forbids taking a development stone, or 0."""
    no = no_stone_at_the_end(s)
    if no == 0:
        no = stone_or_exchanges(s)
    return no


@rule
def can_exchange(s: Any, c: Any) -> bool:
    """Whether the seat may use a line of the market, or take a stone."""
    if refusal_to_take_stone(s) == 0:
        return True
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            return True
    for one in range(KINDS):
        if s.players[s.seat].goods[one] == 0:
            continue
        for two in range(one, KINDS):
            got = 0
            while got in (one, two):
                got += 1
            if refusal_to_exchange_two(s, c, one, two, got) == 0:
                return True
    return False


@rule
def list_exchanges(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the exchanges that the seat may make, and taking a stone."""
    for line in range(c.lines):
        if refusal_to_use_line(s, c, line) == 0:
            out[n] = EXCHANGE_LINE + line
            n += 1
    for one in range(KINDS):
        if s.players[s.seat].goods[one] == 0:
            continue
        for two in range(one, KINDS):
            if s.players[s.seat].goods[two] == 0:
                continue
            for got in range(KINDS):
                if refusal_to_exchange_two(s, c, one, two, got) == 0:
                    out[n] = any_move(one, two, got)
                    n += 1
    if refusal_to_take_stone(s) == 0:
        out[n] = TAKE_STONE
        n += 1
    return n


@rule
def exchange_line(s: Any, c: Any, line: int) -> None:
    """E31, E32, E33: give what the line says, get what it says."""
    me = s.players[s.seat]
    pay(s, s.seat, c.line_give[line])
    receive_all(s, s.seat, c.line_get[line])
    me.bonus += c.line_get[line][BONUS_DISC]
    me.bought += c.line_get[line][BONUS_DISC]
    s.bonus_supply -= c.line_get[line][BONUS_DISC]
    s.used[c.line_box[line]] += 1
    advance(s, c, s.seat, c.line_get[line][INFLUENCE], EXCHANGED)


@rule
def exchange_two(s: Any, c: Any, one: int, two: int, got: int) -> None:
    """E33: any two for another."""
    receive(s, s.seat, one, -1)
    receive(s, s.seat, two, -1)
    receive(s, s.seat, got, 1)
    s.used[c.free_box] += 1


@rule
def take_stone(s: Any) -> None:
    """E29: one development stone."""
    receive(s, s.seat, STONE, 1)
