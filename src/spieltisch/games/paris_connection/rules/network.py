"""The companies' networks on the map: locomotives, adjacent hexes, and the paths to free cities that P10 protects."""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, add, clear, difference_update, has, lowest_bit, update
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY


@rule
def locomotives_in(s: Any, hexagon: int) -> int:
    """Return the number of locomotives in the hex."""
    n = 0
    for company in range(COMPANIES):
        if has(s.net[company], hexagon):
            n += 1
    return n


@rule
def place_locomotive(s: Any, c: Any, company: int, hexagon: int) -> None:
    """Place a locomotive of the company in the hex."""
    add(s.net[company], hexagon)
    update(s.front[company], c.beside[hexagon])
    difference_update(s.front[company], s.net[company])
    if locomotives_in(s, hexagon) >= c.capacity[hexagon]:
        add(s.full, hexagon)


@rule
def reaches_city(s: Any, c: Any, w: Any, company: int, blocked_hex: int) -> bool:
    """Return True if a path leads from the network to a free city when `blocked_hex` is closed.

    The path leads over hexes that the company could enter now (T1); with the weak reading, to any hex it could enter.
    """
    count = 0
    for word in range(WORDS):
        w.seen[word] = s.full[word] | s.net[company][word]
    add(w.seen, blocked_hex)
    for word in range(WORDS):
        hexes = s.front[company][word] & ~w.seen[word]
        if hexes & c.cities[word] != NONE or (c.weak == 1 and hexes != NONE):
            return True
        w.seen[word] = w.seen[word] | hexes
        while hexes != NONE:
            w.queue[count] = 64 * word + lowest_bit(hexes)
            hexes = hexes & (hexes - ONE)
            count += 1
    while count > 0:
        count -= 1
        neighbours = c.beside[w.queue[count]]
        for word in range(WORDS):
            hexes = neighbours[word] & ~w.seen[word]
            if hexes == NONE:
                continue
            if hexes & c.cities[word] != NONE:
                return True
            w.seen[word] = w.seen[word] | hexes
            while hexes != NONE:
                w.queue[count] = 64 * word + lowest_bit(hexes)
                hexes = hexes & (hexes - ONE)
                count += 1
    return False


@rule
def find_path(s: Any, c: Any, w: Any, company: int) -> None:
    """Store the first shortest path from the network to a free city in `s.way`; none if there is no path.

    It leads over the hexes of `reaches_city`. Of equally short paths, the first in a search in the order of hex numbers
    is used, so it depends on the board alone.
    """
    clear(s.way[company])
    clear(w.seen)
    update(w.seen, s.full)
    update(w.seen, s.net[company])
    count = 0
    for k in range(WORDS):
        hexes = s.front[company][k] & ~w.seen[k]
        w.seen[k] = w.seen[k] | hexes
        while hexes != NONE:
            w.queue[count] = 64 * k + lowest_bit(hexes)
            w.parent[count] = NOBODY
            hexes = hexes & (hexes - ONE)
            count += 1
    i = 0
    while i < count:
        hexagon = w.queue[i]
        if c.weak == 1 or has(c.cities, hexagon):
            while i != NOBODY:
                add(s.way[company], w.queue[i])
                i = w.parent[i]
            return
        for k in range(6):
            neighbour = c.around[hexagon][k]
            if neighbour != NOBODY and not has(w.seen, neighbour):
                add(w.seen, neighbour)
                w.queue[count] = neighbour
                w.parent[count] = i
                count += 1
        i += 1


@rule
def update_paths(s: Any, c: Any, w: Any, company: int, hexagon: int) -> None:
    """Update `s.way` and `s.ways` after the company's locomotive in the hex; company -1 recomputes all paths."""
    clear(s.ways)
    for k in range(COMPANIES):
        if s.value[k] > 0:
            clear(s.way[k])
        elif company == NOBODY or k == company or has(s.way[k], hexagon):
            find_path(s, c, w, k)
        update(s.ways, s.way[k])
