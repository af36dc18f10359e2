"""The rules for building track (P4 to P11)."""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, has, intersects, lowest_bit
from spieltisch.core.compiled import as_u64, rule
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
from spieltisch.games.paris_connection.rules.network import locomotives_in, place_locomotive, reaches_city, update_paths
from spieltisch.games.paris_connection.rules.turns import depots_empty, goal_reached, pass_on
from spieltisch.games.paris_connection.state import COMPANIES, Phase


@rule
def check_depot(s: Any, company: int) -> int:
    """Check that the depot has a locomotive, and that a turn builds from one depot only (P4)."""
    if s.depot[company] == 0:
        return EMPTY
    return OTHER_DEPOT if s.phase == Phase.BUILDING and company != s.company else 0


@rule
def check_building_begun(s: Any) -> int:
    """Check that a locomotive has been placed: a building may stop only after that (T11)."""
    return 0 if s.phase == Phase.BUILDING else NOTHING_BUILT


@rule
def check_adjacent(s: Any, company: int, hexagon: int) -> int:
    """Check that a locomotive of the company is next to the hex (P5); a hatched border between them is P6's matter."""
    return 0 if has(s.front[company], hexagon) else APART


@rule
def check_border(s: Any, c: Any, company: int, hexagon: int) -> int:
    """Check that no hatched border separates the hex from all locomotives of the company next to it (P6)."""
    return BORDER if not has(s.front[company], hexagon) and intersects(c.across[hexagon], s.net[company]) else 0


@rule
def check_one_per_hex(s: Any, company: int, hexagon: int) -> int:
    """Check that the hex has no locomotive of the same colour (P7)."""
    return THERE_ALREADY if has(s.net[company], hexagon) else 0


@rule
def check_capacity(s: Any, c: Any, hexagon: int) -> int:
    """Check the capacity of the hex: two colours in a rural hex, one in a city (P8)."""
    if not has(s.full, hexagon):
        return 0
    return FULL_CITY if has(c.cities, hexagon) else FULL_COUNTRY


@rule
def check_tower(c: Any, hexagon: int) -> int:
    """Check that the hex is not that of the Eiffel Tower (P9)."""
    return TOWER if hexagon == c.tower else 0


@rule
def check_station(c: Any, hexagon: int) -> int:
    """Check that the hex is no station; a station is closed to all companies but the one that starts there (P3)."""
    return STATION if has(c.stations, hexagon) else 0


@rule
def check_cut_off(s: Any, c: Any, w: Any, company: int, hexagon: int) -> int:
    """Check that every other colour that has not reached a city keeps a path to a free one (P10, T1).

    With the weak reading it must keep a hex to enter. Only a locomotive that fills its hex can cut off a colour, and
    only a colour whose known path goes through that hex.
    """
    if not has(s.ways, hexagon) or locomotives_in(s, hexagon) + 1 < c.capacity[hexagon]:
        return 0
    for other in range(COMPANIES):
        if other != company and has(s.way[other], hexagon) and not reaches_city(s, c, w, other, hexagon):
            return CUT_OFF
    return 0


@rule
def refusal_to_build(s: Any, c: Any, w: Any, company: int, hexagon: int) -> int:
    """Return the reason why this locomotive may not be placed, or 0 (P3 to P10)."""
    return (
        check_depot(s, company)
        or check_tower(c, hexagon)
        or check_one_per_hex(s, company, hexagon)
        or check_station(c, hexagon)
        or check_border(s, c, company, hexagon)
        or check_adjacent(s, company, hexagon)
        or check_capacity(s, c, hexagon)
        or check_cut_off(s, c, w, company, hexagon)
    )


@rule
def list_buildings(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal moves of building, and of stopping, into `out`, and return their count."""
    n = 0
    for company in range(COMPANIES):
        if check_depot(s, company) != 0:
            continue
        for word in range(WORDS):
            hexes = s.front[company][word] & ~s.full[word]  # P5, P8: no other hex can be legal
            # P3, P10: nothing forbids one of the others; the tower is full (P9).
            doubtful = s.ways[word] | c.stations[word]
            while hexes != NONE:
                bit = lowest_bit(hexes)
                hexes = hexes & (hexes - ONE)
                if (doubtful >> as_u64(bit)) & ONE == NONE or refusal_to_build(s, c, w, company, 64 * word + bit) == 0:
                    out[n] = number(BUILD, company, 64 * word + bit)
                    n += 1
    if check_building_begun(s) == 0:
        out[n] = number(DONE)
        n += 1
    return n


@rule
def can_build(s: Any, c: Any, w: Any, company: int) -> bool:
    """Return True if one more locomotive of the company being built can be placed."""
    if check_depot(s, company) != 0:
        return False
    for word in range(WORDS):
        hexes = s.front[company][word] & ~s.full[word]
        if hexes & ~(s.ways[word] | c.stations[word]) != NONE:
            return True  # P3 and P10 forbid only hexes in these sets
        while hexes != NONE:
            if refusal_to_build(s, c, w, company, 64 * word + lowest_bit(hexes)) == 0:
                return True
            hexes = hexes & (hexes - ONE)
    return False


@rule
def tell_building(s: Any, c: Any, w: Any, company: int, hexagon: int) -> None:
    """Emit the events of a locomotive placed in the hex; its city counts immediately (P11)."""
    if c.value[hexagon] == 0:
        emit(w, BUILT, s.seat, company, hexagon)
    else:
        emit(w, BUILT_CITY, s.seat, company, hexagon, s.value[company])
        for p in range(s.seats):
            if s.players[p].shares[company] > 0:
                emit(w, POINTS, p, s.players[p].shares[company] * c.value[hexagon], company)
    emit(w, MOVED, s.seat, company, 1, DEPOT, MAP)


@rule
def build(s: Any, c: Any, w: Any, company: int, hexagon: int) -> None:
    """Place a locomotive; its city counts immediately (P4, P11).

    The turn continues while the company can build (T3, T11).
    """
    s.depot[company] -= 1
    place_locomotive(s, c, company, hexagon)
    s.value[company] += c.value[hexagon]
    s.idle = 0
    if w.events.listening != 0:
        tell_building(s, c, w, company, hexagon)
    if has(s.ways, hexagon) or s.value[company] == 0 or s.value[company] == c.value[hexagon]:
        update_paths(s, c, w, company, hexagon)
    s.phase = Phase.BUILDING
    s.company = company
    s.built += 1
    if goal_reached(s, c, w, hexagon) or depots_empty(s, w):
        return
    if s.built == c.most_built or not can_build(s, c, w, company):
        pass_on(s)


@rule
def stop(s: Any, w: Any) -> None:
    """End the building early (T11)."""
    emit(w, STOPPED, s.seat)
    pass_on(s)
