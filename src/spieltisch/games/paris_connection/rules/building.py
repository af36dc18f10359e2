"""Building track (P4 to P11)."""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, has, intersects, lowest_bit
from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.paris_connection.log import BUILT, BUILT_CITY, DEPOT, MAP, STOPPED
from spieltisch.games.paris_connection.moves import BUILD, DONE, number
from spieltisch.games.paris_connection.refusals import (
    APART,
    BORDER,
    CUT_OFF,
    EMPTY,
    FULL_CITY,
    FULL_COUNTRY,
    NOTHING_BUILT,
    OTHER_DEPOT,
    STATION,
    THERE_ALREADY,
    TOWER,
)
from spieltisch.games.paris_connection.rules.network import find_path, locomotives_in, place_locomotive, update_paths
from spieltisch.games.paris_connection.rules.turns import depots_empty, goal_reached, pass_on
from spieltisch.games.paris_connection.state import COMPANIES, Phase


@rule
def check_depot(s: Any, company: int) -> int:
    """P4: all locomotives of one building come from one depot, and one must be there."""
    if s.depot[company] == 0:
        return EMPTY
    return OTHER_DEPOT if s.phase == Phase.BUILDING and company != s.company else 0


@rule
def check_building_begun(s: Any) -> int:
    """T11: a building may stop after its first locomotive, and then nothing but building goes on."""
    return 0 if s.phase == Phase.BUILDING else NOTHING_BUILT


@rule
def check_adjacent(s: Any, company: int, h: int) -> int:
    """P5: next to a locomotive of the own colour (adjacency over a hatched border is P6's)."""
    return 0 if has(s.front[company], h) else APART


@rule
def check_border(s: Any, c: Any, company: int, h: int) -> int:
    """P6: a hatched border parts the hex from every own locomotive beside it."""
    return BORDER if not has(s.front[company], h) and intersects(c.across[h], s.net[company]) else 0


@rule
def check_one_per_hex(s: Any, company: int, h: int) -> int:
    """P7: never two of the same colour in one hex."""
    return THERE_ALREADY if has(s.net[company], h) else 0


@rule
def check_capacity(s: Any, c: Any, h: int) -> int:
    """P8: two colours in a rural hex, one in a city."""
    if not has(s.full, h):
        return 0
    return FULL_CITY if has(c.cities, h) else FULL_COUNTRY


@rule
def check_tower(c: Any, h: int) -> int:
    """P9: the Eiffel tower stays free."""
    return TOWER if h == c.tower else 0


@rule
def check_station(c: Any, h: int) -> int:
    """P3: a station is closed to all but the company that starts there."""
    return STATION if has(c.stations, h) else 0


@rule
def check_cut_off(s: Any, c: Any, w: Any, company: int, h: int) -> int:
    """P10, T1: every other colour that has not reached a city keeps a way to a free one (weak: keeps a hex to enter).

    Only a locomotive that fills its hex can cut, and only a colour whose known way goes through that hex.
    """
    if not has(s.ways, h) or locomotives_in(s, h) + 1 < c.capacity[h]:
        return 0
    for other in range(COMPANIES):
        if other != company and has(s.way[other], h) and find_path(s, c, w, other, h) == 0:
            return CUT_OFF
    return 0


@rule
def refusal_to_build(s: Any, c: Any, w: Any, company: int, h: int) -> int:
    """Why this locomotive may not be placed, or 0. P3 to P10."""
    return (
        check_depot(s, company)
        or check_tower(c, h)
        or check_one_per_hex(s, company, h)
        or check_station(c, h)
        or check_border(s, c, company, h)
        or check_adjacent(s, company, h)
        or check_capacity(s, c, h)
        or check_cut_off(s, c, w, company, h)
    )


@rule
def list_buildings(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal ways to build, and to stop, into `out`; returns how many."""
    n = 0
    for company in range(COMPANIES):
        if check_depot(s, company) != 0:
            continue
        for k in range(WORDS):
            x = s.front[company][k] & ~s.full[k]  # P5, P8: nothing else is worth asking about
            while x != NONE:
                h = 64 * k + lowest_bit(x)
                x = x & (x - ONE)
                if refusal_to_build(s, c, w, company, h) == 0:
                    out[n] = number(BUILD, company, h)
                    n += 1
    if check_building_begun(s) == 0:
        out[n] = number(DONE)
        n += 1
    return n


@rule
def can_build(s: Any, c: Any, w: Any, company: int) -> bool:
    """Whether one more locomotive of the company being built can be placed."""
    for k in range(WORDS):
        x = s.front[company][k] & ~s.full[k]
        while x != NONE:
            if refusal_to_build(s, c, w, company, 64 * k + lowest_bit(x)) == 0:
                return True
            x = x & (x - ONE)
    return False


@rule
def tell_building(s: Any, c: Any, w: Any, company: int, h: int) -> None:
    """What the locomotive on h has changed; its city counts at once (P11)."""
    if c.value[h] == 0:
        emit(w, BUILT, s.seat, company, h)
    else:
        emit(w, BUILT_CITY, s.seat, company, h, s.value[company])
        for p in range(s.seats):
            if s.players[p].shares[company] > 0:
                emit(w, POINTS, p, s.players[p].shares[company] * c.value[h], company)
    emit(w, MOVED, s.seat, company, 1, DEPOT, MAP)


@rule
def build(s: Any, c: Any, w: Any, company: int, h: int) -> None:
    """P4, P11: place a locomotive; its city counts at once. The turn goes on while the company can build (T3, T11)."""
    s.depot[company] -= 1
    place_locomotive(s, c, company, h)
    s.value[company] += c.value[h]
    s.idle = 0
    if w.events.listening != 0:
        tell_building(s, c, w, company, h)
    if has(s.ways, h) or s.value[company] == 0 or s.value[company] == c.value[h]:
        update_paths(s, c, w, company, h)
    s.phase = Phase.BUILDING
    s.company = company
    s.built += 1
    if goal_reached(s, c, w, h) or depots_empty(s, w):
        return
    if s.built == c.most_built or not can_build(s, c, w, company):
        pass_on(s)


@rule
def stop(s: Any, w: Any) -> None:
    """T11: the building ends early."""
    emit(w, STOPPED, s.seat)
    pass_on(s)
