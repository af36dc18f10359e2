"""The companies' networks on the map: locomotives, adjacent hexes, and the paths to free cities that P10 protects."""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, add, clear, difference_update, has, lowest_bit, update
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY


@rule
def locomotives_in(s: Any, h: int) -> int:
    """Return the number of locomotives in the hex."""
    n = 0
    for k in range(COMPANIES):
        if has(s.net[k], h):
            n += 1
    return n


@rule
def place_locomotive(s: Any, c: Any, company: int, h: int) -> None:
    """Place a locomotive of the company in the hex."""
    add(s.net[company], h)
    update(s.front[company], c.beside[h])
    difference_update(s.front[company], s.net[company])
    if locomotives_in(s, h) >= c.capacity[h]:
        add(s.full, h)


@rule
def find_path(s: Any, c: Any, w: Any, company: int, blocked_hex: int) -> int:
    """Find the first shortest path from the network to a free city and return its length; 0 if there is none.

    The path leads over hexes that the company could enter now (T1); with the weak reading, to any hex it could enter.
    If `blocked_hex` is -1, the path is stored in `s.way`; otherwise that hex counts as closed and nothing is stored. Of
    equally short paths, the first in a search in the order of hex numbers is used, so it depends on the board alone.
    """
    clear(w.seen)
    update(w.seen, s.full)
    update(w.seen, s.net[company])
    if blocked_hex == NOBODY:
        clear(s.way[company])
    else:
        add(w.seen, blocked_hex)
    many = 0
    for k in range(WORDS):
        x = s.front[company][k] & ~w.seen[k]
        w.seen[k] = w.seen[k] | x
        while x != NONE:
            w.queue[many] = 64 * k + lowest_bit(x)
            w.parent[many] = NOBODY
            x = x & (x - ONE)
            many += 1
    i = 0
    while i < many:
        h = w.queue[i]
        if c.weak == 1 or has(c.cities, h):
            return record_path(s, w, company, i, blocked_hex)
        for k in range(6):
            other = c.around[h][k]
            if other != NOBODY and not has(w.seen, other):
                add(w.seen, other)
                w.queue[many] = other
                w.parent[many] = i
                many += 1
        i += 1
    return 0


@rule
def update_paths(s: Any, c: Any, w: Any, company: int, h: int) -> None:
    """Update `s.way` and `s.ways` after the company's locomotive on h; company -1 recomputes all paths."""
    clear(s.ways)
    for k in range(COMPANIES):
        if s.value[k] > 0:
            clear(s.way[k])
        elif company == NOBODY or k == company or has(s.way[k], h):
            find_path(s, c, w, k, NOBODY)
        update(s.ways, s.way[k])


@rule
def record_path(s: Any, w: Any, company: int, i: int, blocked_hex: int) -> int:
    """Return the length of the path that ends at index i of the queue; store it in `s.way` if no hex is blocked."""
    length = 0
    while i != NOBODY:
        if blocked_hex == NOBODY:
            add(s.way[company], w.queue[i])
        length += 1
        i = w.parent[i]
    return length
