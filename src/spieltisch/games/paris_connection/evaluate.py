"""How good a position of Paris Connection is for one seat, from what that seat may see: the greedy bot's and the
playouts' evaluation.

It reads the own portfolio, the public counts and the map, so it gives the same number on a state and on that seat's
view of it.
"""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, has, lowest_bit
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.moves import TRADE, kind_of, part
from spieltisch.games.paris_connection.rules.turns import points
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase

LOWEST = -1_000_000
"""Less than any points."""
STANDSTILL = 1_000_000_000
"""More than any points: where trades never end the game, bots end a standstill by doing something else (T6)."""
NEAR, NEXT = 9, 5
"""How much of a city's value counts ahead, in 24ths, when the company stands beside it or one hex away."""


@rule
def unproven(c: Any, q: Any) -> int:
    """How many locomotives of a player's deal trades do not prove: they count evenly for all companies."""
    left: int = c.portfolio
    for k in range(COMPANIES):
        left -= q.owed[k]
    return left


@rule
def proven(q: Any, company: int) -> int:
    """The locomotives of a company that another player holds, as far as trades tell."""
    return q.taken[company] - q.given[company] + q.owed[company]  # type: ignore[no-any-return]  # fields of a record


@rule
def ahead(s: Any, c: Any, company: int) -> int:
    """The best city the company may reach soon: its value times NEAR beside the network, times NEXT one hex further
    on.
    """
    if s.depot[company] == 0:
        return 0
    best = 0
    for k in range(WORDS):
        left = s.front[company][k] & ~s.full[k]
        while left != NONE:
            h = 64 * k + lowest_bit(left)
            left = left & (left - ONE)
            best = max(best, c.value[h] * NEAR)
            if s.depot[company] > 1 and c.value_beside[h] * NEXT > best:
                for i in range(6):
                    other = c.around[h][i]
                    if other != NOBODY and c.value[other] * NEXT > best and not has(s.full, other):
                        best = c.value[other] * NEXT
    return best


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """The own points ahead of the best other player's expected ones, and what the own majorities may still gain; in
    144ths of a point.
    """
    best, others = LOWEST, 0
    for q in range(s.seats):
        if q == p:
            continue
        # Six times what is expected of each company.
        other, left = 0, unproven(c, s.players[q])
        others += left
        for k in range(COMPANIES):
            other += (6 * proven(s.players[q], k) + left) * s.value[k]
        over = s.players[q].held - c.limit
        if over > 0:
            other -= 6 * c.penalty * over
        best = max(best, other)
    lead = 6 * points(s, c, p) - best
    total = 24 * lead
    if (
        s.phase == Phase.OVER
    ):  # the points alone: a bonus for having won makes who is behind put off the end at any price
        return total
    if c.goes_on == 1 and s.idle == c.idle_limit:
        total -= STANDSTILL
    for k in range(COMPANIES):
        mine = 6 * s.players[p].shares[k] * (s.seats - 1) - others
        for q in range(s.seats):
            if q != p:
                mine -= 6 * proven(s.players[q], k)
        if mine != 0:
            total += mine * ahead(s, c, k) // (s.seats - 1)
    return total


@rule
def outlook(s: Any, c: Any, p: int) -> int:
    """The points, with the portfolios as they are, and what the own locomotives may still gain."""
    total = 6 * 24 * points(s, c, p)
    for k in range(COMPANIES):
        if s.players[p].shares[k] > 0:
            total += 6 * s.players[p].shares[k] * ahead(s, c, k)
    return total


@rule
def prunable(s: Any, c: Any, move: int) -> bool:
    """Trading for one locomotive of a company that is worth something, where two can be had and do not cost anything
    (P12, P17), while neither ends the game (P14, T6): the second one is worth as much, and can be traded on.
    """
    if kind_of(move) != TRADE or part(move, 2) != 1:
        return False
    take = part(move, 1)
    ends = c.goes_on == 0 and s.idle + 1 >= c.idle_limit
    room = s.players[s.seat].held < c.limit
    return s.depot[take] > 2 and s.value[take] > 0 and room and not ends
