"""The rules of Paris Connection, P1 to P18 with the rulings T1 to T11, as functions over records.
 `s` is the state, `c` components and options, `w` working memory (`state.py`). Legality is written once: `refusal`
answers with the number of the rule that a move breaks, or 0, by asking one function a rule; `legal` asks it about
every move worth asking about.
"""

from typing import Any

from spieltisch.core.bits import NONE, ONE, WORDS, add, has, lowest, meets
from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.core.observation import EVERYBODY
from spieltisch.games.paris_connection.network import find_way, find_ways, settle, standing
from spieltisch.games.paris_connection.state import BUILDING, COMPANIES, MOST_HEXES, NOBODY, OVER, TURN

P3, P4, P5, P6, P7, P8, P9, P10, P12, P14, P15 = 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15
T2, T6, T11 = 102, 106, 111
RULES = {n: f"P{n}" for n in range(1, 19)} | {100 + n: f"T{n}" for n in range(1, 12)}
"""The name of each rule number that a function here answers with."""

# The move space: building company on hex, done, trading one for one or two.
DONE = COMPANIES * MOST_HEXES
FIRST_TRADE = DONE + 1
MOVES = FIRST_TRADE + COMPANIES * COMPANIES * 2

# What is drawn: a locomotive of a company (also: the company of a station), or the start player.
DRAWN_COMPANY, DRAWN_SEAT = 0, COMPANIES


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """Set up: portfolios from one bag (P1, P2, T10), depots, stations and the start player (P3)."""
    s.seats = c.seats
    for k in range(COMPANIES):
        w.bag[k] = c.bag
    for p in range(c.seats):
        for _ in range(c.portfolio):
            company = draw(s, w.draws, w.bag, COMPANIES, DRAWN_COMPANY)
            s.players[p].shares[company] += 1
        s.players[p].held = c.portfolio
    for k in range(COMPANIES):
        s.depot[k] = w.bag[k]
        w.bag[k] = 1
    add(s.full, c.tower)
    for k in range(COMPANIES):
        company = draw(s, w.draws, w.bag, COMPANIES, DRAWN_COMPANY)
        settle(s, c, company, c.station[k])
    for k in range(COMPANIES):
        w.bag[k] = 1
    s.seat = draw(s, w.draws, w.bag, c.seats, DRAWN_SEAT)
    s.phase = TURN
    s.company = NOBODY
    find_ways(s, c, w, NOBODY, NOBODY)


# --- Refusals: one function a rule. Each answers with its number, or 0. ---


@rule
def one_depot(s: Any, company: int) -> int:
    """P4: all locomotives of one building come from one depot, and one must be there."""
    if s.depot[company] == 0 or (s.phase == BUILDING and company != s.company):
        return P4
    return 0


@rule
def started_building(s: Any) -> int:
    """T11: a building may stop after its first locomotive, and then nothing but building goes on."""
    return 0 if s.phase == BUILDING else T11


@rule
def beside_own(s: Any, company: int, h: int) -> int:
    """P5: next to a locomotive of the own colour (adjacency over a hatched border is P6's)."""
    return 0 if has(s.front[company], h) else P5


@rule
def no_border(s: Any, c: Any, company: int, h: int) -> int:
    """P6: a hatched border parts the hex from every own locomotive beside it."""
    return P6 if not has(s.front[company], h) and meets(c.across[h], s.net[company]) else 0


@rule
def not_twice(s: Any, company: int, h: int) -> int:
    """P7: never two of the same colour in one hex."""
    return P7 if has(s.net[company], h) else 0


@rule
def room(s: Any, h: int) -> int:
    """P8: two colours in a rural hex, one in a city."""
    return P8 if has(s.full, h) else 0


@rule
def not_the_tower(c: Any, h: int) -> int:
    """P9: the Eiffel tower stays free."""
    return P9 if h == c.tower else 0


@rule
def no_station(c: Any, h: int) -> int:
    """P3: a station is closed to all but the company that starts there."""
    return P3 if has(c.stations, h) else 0


@rule
def no_cut(s: Any, c: Any, w: Any, company: int, h: int) -> int:
    """P10, T1: every other colour that has not reached a city keeps a way to a free one (weak: keeps a hex to enter).

    Only a locomotive that fills its hex can cut, and only a colour whose known way goes through that hex.
    """
    if not has(s.ways, h) or standing(s, h) + 1 < c.capacity[h]:
        return 0
    for other in range(COMPANIES):
        if other != company and has(s.way[other], h) and find_way(s, c, w, other, h) == 0:
            return P10
    return 0


@rule
def own_locomotive(s: Any, company: int) -> int:
    """P12: the locomotive given comes from the own portfolio."""
    return 0 if s.players[s.seat].shares[company] > 0 else P12


@rule
def turn_begins(s: Any) -> int:
    """P4: a turn is one action; who has begun to build does not trade."""
    return 0 if s.phase == TURN else P4


@rule
def other_colour(give: int, take: int) -> int:
    """T2: the colour taken is not the colour given."""
    return T2 if give == take else 0


@rule
def in_depot(s: Any, c: Any, take: int, number: int) -> int:
    """P12, T2: the depot holds what is taken, and no more than the most that may be taken."""
    return P12 if s.depot[take] < number or number > c.most_taken else 0


@rule
def refusal_to_build(s: Any, c: Any, w: Any, company: int, h: int) -> int:
    """The rule that forbids this locomotive, or 0. P3 to P10."""
    no = one_depot(s, company)
    if no == 0:
        no = not_the_tower(c, h)
    if no == 0:
        no = not_twice(s, company, h)
    if no == 0:
        no = no_station(c, h)
    if no == 0:
        no = no_border(s, c, company, h)
    if no == 0:
        no = beside_own(s, company, h)
    if no == 0:
        no = room(s, h)
    if no == 0:
        no = no_cut(s, c, w, company, h)
    return no


@rule
def refusal_to_trade(s: Any, c: Any, give: int, take: int, number: int) -> int:
    """The rule that forbids this trade, or 0. P12, T2."""
    no = turn_begins(s)
    if no == 0:
        no = own_locomotive(s, give)
    if no == 0:
        no = other_colour(give, take)
    if no == 0:
        no = in_depot(s, c, take, number)
    return no


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """The number of the rule that forbids the move for the seat that decides, or 0. The game is not over; a hex in
    the move is on the map.
    """
    if move < DONE:
        return refusal_to_build(s, c, w, move >> 8, move & 255)
    if move == DONE:
        return started_building(s)
    t = move - FIRST_TRADE
    return refusal_to_trade(s, c, t // (2 * COMPANIES), t // 2 % COMPANIES, t % 2 + 1)


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal moves' numbers into `out`, ascending, and answer how many."""
    n = 0
    if s.phase == OVER:
        return n
    for company in range(COMPANIES):
        if one_depot(s, company) != 0:
            continue
        for k in range(WORDS):
            x = s.front[company][k] & ~s.full[k]  # P5, P8: nothing else is worth asking about
            while x != NONE:
                h = 64 * k + lowest(x)
                x = x & (x - ONE)
                if refusal_to_build(s, c, w, company, h) == 0:
                    out[n] = company * MOST_HEXES + h
                    n += 1
    if started_building(s) == 0:
        out[n] = DONE
        n += 1
    if s.phase == TURN:
        for give in range(COMPANIES):
            if s.players[s.seat].shares[give] == 0:
                continue
            for take in range(COMPANIES):
                for number in range(1, 3):
                    if refusal_to_trade(s, c, give, take, number) == 0:
                        out[n] = FIRST_TRADE + (give * COMPANIES + take) * 2 + number - 1
                        n += 1
    return n


# --- Moves. ---


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move."""
    if move < DONE:
        build(s, c, w, move >> 8, move & 255)
    elif move == DONE:
        pass_on(s)
    else:
        t = move - FIRST_TRADE
        trade(s, c, t // (2 * COMPANIES), t // 2 % COMPANIES, t % 2 + 1)


@rule
def build(s: Any, c: Any, w: Any, company: int, h: int) -> None:
    """P4, P11: place a locomotive; its city counts at once. The turn goes on while the company can build (T3, T11)."""
    s.depot[company] -= 1
    settle(s, c, company, h)
    s.value[company] += c.value[h]
    s.idle = 0
    if has(s.ways, h) or s.value[company] == 0 or s.value[company] == c.value[h]:
        find_ways(s, c, w, company, h)
    s.phase = BUILDING
    s.company = company
    s.built += 1
    if c.ends[h] == 1:
        finish(s, P15)
    elif depots_left(s) <= 1:
        finish(s, P14)
    elif s.built == c.most_built or not can_build(s, c, w, company):
        pass_on(s)


@rule
def trade(s: Any, c: Any, give: int, take: int, number: int) -> None:
    """P12: one back into its depot, one or two of another colour out of theirs. P14 is tested after the whole trade
    (T3).
    """
    me = s.players[s.seat]
    me.shares[give] -= 1
    me.given[give] += 1
    me.owed[give] = max(me.owed[give], me.given[give] - me.taken[give])
    s.depot[give] += 1
    me.shares[take] += number
    me.taken[take] += number
    s.depot[take] -= number
    me.held += number - 1
    s.idle = s.idle + 1 if number == 1 else 0
    if depots_left(s) <= 1:
        finish(s, P14)
    elif s.idle >= c.idle_limit:
        finish(s, T6)
    else:
        pass_on(s)


@rule
def can_build(s: Any, c: Any, w: Any, company: int) -> bool:
    """Whether one more locomotive of the company being built can be placed."""
    for k in range(WORDS):
        x = s.front[company][k] & ~s.full[k]
        while x != NONE:
            if refusal_to_build(s, c, w, company, 64 * k + lowest(x)) == 0:
                return True
            x = x & (x - ONE)
    return False


@rule
def depots_left(s: Any) -> int:
    """In how many depots locomotives are left."""
    n = 0
    for k in range(COMPANIES):
        if s.depot[k] > 0:
            n += 1
    return n


@rule
def pass_on(s: Any) -> None:
    """The turn goes to the next player, clockwise (P3)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = TURN
    s.company = NOBODY
    s.built = 0


@rule
def finish(s: Any, why: int) -> None:
    """The game is over (P14, P15, T6)."""
    s.ended_by = why
    s.phase = OVER
    s.seat = NOBODY
    s.company = NOBODY
    s.built = 0


@rule
def points(s: Any, c: Any, p: int) -> int:
    """P16, P17: shares times values, less the penalty for locomotives above the limit (T8, T11: without bounds)."""
    total = 0
    for k in range(COMPANIES):
        total += s.players[p].shares[k] * s.value[k]
    over = s.players[p].held - c.limit
    return total - c.penalty * over if over > 0 else total


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view with what the seat (or -1, a spectator; -2, everybody together) may know (T5)."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.company, o.built = s.seats, s.seat, s.phase, s.company, s.built
    o.idle, o.ended_by = s.idle, s.ended_by
    for k in range(WORDS):
        o.full[k] = s.full[k]
    for k in range(COMPANIES):
        o.depot[k], o.value[k] = s.depot[k], s.value[k]
        for i in range(WORDS):
            o.net[k][i] = s.net[k][i]
    for p in range(s.seats):
        seen, one = o.players[p], s.players[p]
        seen.held = one.held
        for k in range(COMPANIES):
            seen.taken[k], seen.given[k], seen.owed[k] = one.taken[k], one.given[k], one.owed[k]
            seen.shares[k] = one.shares[k] if p == viewer or viewer == EVERYBODY or s.phase == OVER else 0
