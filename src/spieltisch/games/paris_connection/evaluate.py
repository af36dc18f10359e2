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
def unproven_count(c: Any, player: Any) -> int:
    """Return the number of dealt locomotives that trades do not prove; they count evenly for all companies."""
    count: int = c.portfolio
    for company in range(COMPANIES):
        count -= player.owed[company]
    return count


@rule
def proven_count(player: Any, company: int) -> int:
    """Return the locomotives of a company that another player certainly holds, as trades prove."""
    return player.taken[company] - player.given[company] + player.owed[company]


@rule
def value_ahead(s: Any, c: Any, company: int) -> int:
    """Return the value of the best city that the company may reach soon, in 24ths.

    A city next to the network counts NEAR times its value, one a hex further NEXT times.
    """
    if s.depot[company] == 0:
        return 0
    best_value = 0
    for word in range(WORDS):
        hexes = s.front[company][word] & ~s.full[word]
        while hexes != NONE:
            hexagon = 64 * word + lowest_bit(hexes)
            hexes = hexes & (hexes - ONE)
            best_value = max(best_value, c.value[hexagon] * NEAR)
            if s.depot[company] > 1 and c.value_beside[hexagon] * NEXT > best_value:
                for i in range(6):
                    neighbour = c.around[hexagon][i]
                    if neighbour != NOBODY and c.value[neighbour] * NEXT > best_value and not has(s.full, neighbour):
                        best_value = c.value[neighbour] * NEXT
    return best_value


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Return the lead over the best other player, and what the seat's majorities may still gain, in 144ths of a point.

    The lead compares the seat's own points with the expected points of the best other player.
    """
    best_points, unproven_total = LOWEST, 0
    for other_seat in range(s.seats):
        if other_seat == p:
            continue
        # The expected number of locomotives of each company, times six.
        other_points, uncertain = 0, unproven_count(c, s.players[other_seat])
        unproven_total += uncertain
        for company in range(COMPANIES):
            other_points += (6 * proven_count(s.players[other_seat], company) + uncertain) * s.value[company]
        excess = s.players[other_seat].held - c.limit
        if excess > 0:
            other_points -= 6 * c.penalty * excess
        best_points = max(best_points, other_points)
    lead = 6 * points(s, c, p) - best_points
    total = 24 * lead
    if s.phase == Phase.OVER:
        # The points alone: with a bonus for winning, a seat that is behind would delay the end at any price.
        return total
    if c.goes_on == 1 and s.idle == c.idle_limit:
        total -= STANDSTILL
    for company in range(COMPANIES):
        weight = 6 * s.players[p].shares[company] * (s.seats - 1) - unproven_total
        for other_seat in range(s.seats):
            if other_seat != p:
                weight -= 6 * proven_count(s.players[other_seat], company)
        if weight != 0:
            total += weight * value_ahead(s, c, company) // (s.seats - 1)
    return total


@rule
def outlook(s: Any, c: Any, p: int) -> int:
    """Return the points as they are, and what the seat's locomotives may still gain, in 144ths of a point."""
    total = 6 * 24 * points(s, c, p)
    for company in range(COMPANIES):
        if s.players[p].shares[company] > 0:
            total += 6 * s.players[p].shares[company] * value_ahead(s, c, company)
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
    taken = part(move, 1)
    room = s.players[s.seat].held < c.limit
    return s.depot[taken] > 2 and s.value[taken] > 0 and room
