"""The evaluation of a position of Paris Connection for one seat; the easy bot and the playouts use it.

It reads the seat's own portfolio, the public counts and the map only, so it returns the same number for a state and for
that seat's view of it.
"""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, has, lowest_bit
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.moves import TRADE, kind_of, part
from spieltisch.games.paris_connection.rules.turns import points
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase

LOWEST = -1_000_000
"""A number below any points."""
STANDSTILL = 1_000_000_000
"""A number above any points: if trades do not end the game, bots end a row of one-for-one trades (T6)."""
NEAR, NEXT = 9, 5
"""Factors of a city's value in 24ths: for a company next to the city, and for one a hex away from there."""


@rule
def unproven(c: Any, q: Any) -> int:
    """Return the number of dealt locomotives that trades do not prove; they count evenly for all companies."""
    left: int = c.portfolio
    for k in range(COMPANIES):
        left -= q.owed[k]
    return left


@rule
def proven(q: Any, company: int) -> int:
    """Return the locomotives of a company that another player certainly holds, as trades prove."""
    return q.taken[company] - q.given[company] + q.owed[company]


@rule
def ahead(s: Any, c: Any, company: int) -> int:
    """Return the value of the best city that the company may reach soon, in 24ths.

    A city next to the network counts NEAR times its value, one a hex further NEXT times.
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
    """Return the lead over the best other player, and what the seat's majorities may still gain, in 144ths of a point.

    The lead compares the seat's own points with the expected points of the best other player.
    """
    best, others = LOWEST, 0
    for q in range(s.seats):
        if q == p:
            continue
        # The expected number of locomotives of each company, times six.
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
    if s.phase == Phase.OVER:
        # The points alone: with a bonus for winning, a seat that is behind would delay the end at any price.
        return total
    if c.goes_on == 1 and s.idle == c.idle_limit:
        total -= STANDSTILL
    for k in range(COMPANIES):
        weight = 6 * s.players[p].shares[k] * (s.seats - 1) - others
        for q in range(s.seats):
            if q != p:
                weight -= 6 * proven(s.players[q], k)
        if weight != 0:
            total += weight * ahead(s, c, k) // (s.seats - 1)
    return total


@rule
def outlook(s: Any, c: Any, p: int) -> int:
    """Return the points as they are, and what the seat's locomotives may still gain, in 144ths of a point."""
    total = 6 * 24 * points(s, c, p)
    for k in range(COMPANIES):
        if s.players[p].shares[k] > 0:
            total += 6 * s.players[p].shares[k] * ahead(s, c, k)
    return total


@rule
def prunable(s: Any, c: Any, move: int) -> bool:
    """Return True for a trade for one locomotive that leads nowhere, or where a trade for two is at least as good.

    It leads nowhere as the last of a row that would end the game on another table (T6): if bots go on with such a row,
    it has no end. Any other move takes locomotives out of the depots for good, so bots alone come to the end of a game.

    A trade for two is as good if they can be had and cost nothing (P12, P17), the company has a value, and neither
    trade ends the game (P14, T6): the second locomotive is worth as much as the first, and can be traded on.
    """
    if kind_of(move) != TRADE or part(move, 2) != 1:
        return False
    if s.idle + 1 >= c.idle_limit:
        return c.goes_on == 1
    take = part(move, 1)
    room = s.players[s.seat].held < c.limit
    return s.depot[take] > 2 and s.value[take] > 0 and room
