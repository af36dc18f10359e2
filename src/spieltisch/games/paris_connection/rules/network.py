"""The companies' networks on the map: who stands where, what lies beside them, and the ways to free cities that P10
protects.
"""

from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, WORDS, add, clear, difference_update, has, lowest_bit, update
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY


@rule
def locomotives_in(s: Any, h: int) -> int:
    """How many locomotives stand in the hex."""
    n = 0
    for k in range(COMPANIES):
        if has(s.net[k], h):
            n += 1
    return n


@rule
def place_locomotive(s: Any, c: Any, company: int, h: int) -> None:
    """A locomotive of the company stands in the hex from now on."""
    add(s.net[company], h)
    update(s.front[company], c.beside[h])
    difference_update(s.front[company], s.net[company])
    if locomotives_in(s, h) >= c.capacity[h]:
        add(s.full, h)


@rule
def find_path(s: Any, c: Any, w: Any, company: int, blocked_hex: int) -> int:
    """The length of the first shortest way from the network to a free city over hexes the company could enter now
    (T1); 0 if there is none.

    With `shut` = -1 the way is kept in `s.way`; otherwise the hex `shut` counts as closed and nothing is kept. Weak:
    to any hex it could enter. Of equal ways the one is kept that a search in the order of hex numbers finds first, so
    the board alone decides it.
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
    """Keep `s.way` and `s.ways` true after the company's locomotive on h; company -1: find all anew."""
    clear(s.ways)
    for k in range(COMPANIES):
        if s.value[k] > 0:
            clear(s.way[k])
        elif company == NOBODY or k == company or has(s.way[k], h):
            find_path(s, c, w, k, NOBODY)
        update(s.ways, s.way[k])


@rule
def record_path(s: Any, w: Any, company: int, i: int, blocked_hex: int) -> int:
    """The length of the way that ends at place i of the queue; noted in `s.way` unless a hex was shut for the
    question.
    """
    length = 0
    while i != NOBODY:
        if blocked_hex == NOBODY:
            add(s.way[company], w.queue[i])
        length += 1
        i = w.parent[i]
    return length
