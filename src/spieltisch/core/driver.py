"""Loops over whole games, written once for all games: random and greedy moves, playouts, many games in a row.

The names below without a body here (`legal`, `play`, ...) are a game's own rules; an `Engine` binds this module to one game through its
globals. Passing them as arguments instead would compile anew in every process.
"""

from typing import Any

from spieltisch.core import twin
from spieltisch.core.chance import below
from spieltisch.core.compiled import native, rule

legal: Any
play: Any
start: Any
observe: Any
points: Any
refusal: Any
worth: Any

RANDOM, GREEDY = 0, 1
"""Who decides for a seat in `play_games`."""

ENTRIES = ("random_move", "greedy_move", "play_games")
"""The entry points, kept few: each compiles the rules once more."""


def _assign() -> Any:
    import numba

    @numba.njit
    def assign(pool: Any, target: int, source: int) -> None:
        pool[target] = pool[source]

    return assign


@native(_assign)
def assign(pool: Any, target: int, source: int) -> None:
    """Copy one slot of a pool of states over another."""
    twin.assign(pool[source], pool[target])


@rule
def random_move(s: Any, c: Any, w: Any, moves: Any, r: Any) -> int:
    """One of the legal moves, each with the same chance; `r` holds the generator of whoever decides, apart from the game's."""
    return moves[below(r, legal(s, c, w, moves))]  # type: ignore[no-any-return]  # an element of an array


@rule
def greedy_move(pool: Any, at: int, c: Any, w: Any, moves: Any, r: Any) -> int:
    """The legal move after which the position is worth most to the seat that decides in `pool[at]`; among equals each with the same chance.

    `worth` reads only what that seat may see. Slot `at + 1` is used for trying.
    """
    s = pool[at]
    seat = s.seat
    many = legal(s, c, w, moves)
    best, equals, chosen = 0, 0, moves[0]
    for i in range(many):
        assign(pool, at + 1, at)
        play(pool[at + 1], c, w, moves[i])
        value = worth(pool[at + 1], c, seat)
        if equals == 0 or value > best:
            best, equals, chosen = value, 1, moves[i]
        elif value == best:
            equals += 1
            if below(r, equals) == 0:
                chosen = moves[i]
    return chosen  # type: ignore[no-any-return]  # an element of an array


@rule
def play_games(pool: Any, blank: int, c: Any, w: Any, moves: Any, r: Any, first: int, many: int, who: Any, totals: Any, ends: Any) -> int:
    """Play `many` games to the end and answer how many moves were played.

    `pool[blank]` is an empty state, `pool[0]` and `pool[1]` are used. `who[p]` decides for seat p. Game g's generator starts from
    `first + g`. `totals[g][p]` receives the points of seat p, `ends[g]` the rule that ended game g.
    """
    played = 0
    for g in range(many):
        assign(pool, 0, blank)
        s = pool[0]
        s.rng = first + g
        w.draws.many = 0
        start(s, c, w)
        while s.seat >= 0:
            if who[s.seat] == GREEDY:
                move = greedy_move(pool, 0, c, w, moves, r)
            else:
                move = random_move(s, c, w, moves, r)
            w.draws.many = 0
            play(s, c, w, move)
            played += 1
        for p in range(s.seats):
            totals[g][p] = points(s, c, p)
        ends[g] = s.ended_by
    return played
