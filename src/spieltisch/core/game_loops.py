"""Loops over whole games, written once for all games: random and greedy moves, playouts, many games in a row.

The names below without a body (`legal`, `play`, ...) are the rules of a game; an `Engine` binds this module to one game
through its globals. As arguments they would be compiled again in every process.
"""

# ruff: noqa: F821 - the names of the rules have no value until an Engine binds this module
from typing import Any

from spieltisch.core import twin
from spieltisch.core.chance import next_u64, randbelow
from spieltisch.core.compiled import compiled_as, rule, u64

legal: Any
play: Any
start: Any
observe: Any
points: Any
refusal: Any
evaluate: Any

RANDOM, GREEDY = 0, 1
"""The player of a seat in `play_games`."""

STOPPED = -1
"""Takes the place of the rule that ended a game if it was stopped before its end."""

BOT_SEED_SALT = u64(0x6A09E667F3BCC908)
"""The salt that separates the generator of the bots from that of the game: both start from the seed of the game."""

DEAD_END, ENDLESS, NOBODY, UNSORTED, LISTED, UNLISTED = 1, 2, 3, 4, 5, 6
"""Flaws that `fuzz_games` may find.

In this order: a seat is to move and has no move; the game does not end; the seat to move is not at the table; the legal
moves are not ascending, or contain a number that is no move; a legal move is refused; a move that is not refused is not
legal.
"""

FLAWS = 8
"""Factor of the move in the code of a flaw: flaw + FLAWS * move."""

ENTRIES = ("random_move", "greedy_move", "play_games", "fuzz_games")
"""The entry points. There are few because each compiles the rules once more."""


def _assign() -> Any:
    import numba

    @numba.njit
    def assign(pool: Any, target: int, source: int) -> None:
        pool[target] = pool[source]

    return assign


@compiled_as(_assign)
def copy_slot(pool: Any, target: int, source: int) -> None:
    """Copy one slot of a pool of states over another."""
    twin.assign(pool[source], pool[target])


@rule
def random_move(s: Any, c: Any, w: Any, moves: Any, r: Any) -> int:
    """Return a random legal move. `r` has the generator of the player, not that of the game."""
    return moves[randbelow(r, legal(s, c, w, moves))]


@rule
def greedy_move(pool: Any, at: int, c: Any, w: Any, moves: Any, r: Any) -> int:
    """Return the legal move that leads to the best position for the seat to move in `pool[at]`; break ties at random.

    `evaluate` reads only what that seat may see, and the trials do not use the game's own generator, so that no future
    draw is seen. But a move may reveal hidden information. If the game has such moves (`moves_reveal`), `pool[at]` must
    be a state imagined from the seat's observation, or the bot knows too much. Slot `at + 1` is used for the trials.
    """
    s = pool[at]
    seat = s.seat
    count = legal(s, c, w, moves)
    luck = next_u64(r)
    w.draws.forced_count = 0
    best, equals, chosen = 0, 0, moves[0]
    for i in range(count):
        copy_slot(pool, at + 1, at)
        pool[at + 1].rng = luck
        w.draws.count = 0
        play(pool[at + 1], c, w, moves[i])
        value = evaluate(pool[at + 1], c, seat)
        if equals == 0 or value > best:
            best, equals, chosen = value, 1, moves[i]
        elif value == best:
            equals += 1
            if randbelow(r, equals) == 0:
                chosen = moves[i]
    return chosen


@rule
def log_move(log: Any, at: int, w: Any, seat: int, move: int) -> int:
    """Write a move and its draws to the log at `at`. Return the index of the next entry, or -1 if there is no room."""
    drawn = w.draws.count
    if at < 0 or at + 3 + drawn > len(log):
        return -1
    log[at], log[at + 1], log[at + 2] = seat, move, drawn
    for i in range(drawn):
        log[at + 3 + i] = w.draws.drawn[i]
    return at + 3 + drawn


@rule
def play_games(pool: Any, blank: int, c: Any, w: Any, moves: Any, r: Any, first: int, count: int, bots: Any,
               max_moves: int, totals: Any, orders: Any, ends: Any, lengths: Any, log: Any) -> int:  # fmt: skip
    """Play `count` games, each to its end or for `max_moves` moves, and return the number of moves played.

    Greedy bots try their moves on the true state here. Games whose moves reveal hidden information are therefore played
    by `spieltisch.lab.python_loops` if a bot is greedy.

    `pool[blank]` is an empty state, `pool[0]` and `pool[1]` are used; `pool[0]` contains the end of the last game. The
    first game has seed `first`. The game with seed x depends on nothing but x and `bots`: `bots[x % len(bots)][p]`
    plays seat p. For game g, `totals[g][p]` receives the points of seat p, `orders[g][p]` its place in turn order (from
    1; 0 if it never moved), `ends[g]` the rule that ended the game (`STOPPED` if none did), `lengths[g]` the number of
    its moves. A `log` that is not empty receives the last game: in `log[0]` the length of the used part (-1: there was
    no room), then for the set-up (seat and move -1) and each move: seat, move, number of draws, the draws.
    """
    played = 0
    w.draws.forced_count = 0
    for g in range(count):
        copy_slot(pool, 0, blank)
        s = pool[0]
        s.rng = first + g
        r.rng = s.rng ^ BOT_SEED_SALT
        sitting = bots[(first + g) % len(bots)]
        w.draws.count = 0
        start(s, c, w)
        at = log_move(log, 1, w, -1, -1) if len(log) > 0 else 0
        length, moved = 0, 0
        for p in range(s.seats):
            orders[g][p] = 0
        while s.seat >= 0 and length < max_moves:
            seat = s.seat
            if orders[g][seat] == 0:
                moved += 1
                orders[g][seat] = moved
            if sitting[seat] == GREEDY:
                move = greedy_move(pool, 0, c, w, moves, r)
            else:
                move = random_move(s, c, w, moves, r)
            w.draws.count = 0
            play(s, c, w, move)
            length += 1
            if len(log) > 0:
                at = log_move(log, at, w, seat, move)
        for p in range(s.seats):
            totals[g][p] = points(s, c, p)
        ends[g] = s.ended_by if s.seat < 0 else STOPPED
        lengths[g] = length
        played += length
        if len(log) > 0:
            log[0] = at
    return played


@rule
def find_flaw(s: Any, c: Any, w: Any, moves: Any, count: int, space: Any, closely: bool) -> int:
    """Return the flaw of a decision whose `count` legal moves are in `moves`; 0 if there is none.

    `space` contains the numbers of all moves of this board in ascending order. With `closely`, the refusal of each of
    them is checked.
    """
    if s.seat >= s.seats:
        return NOBODY
    if count == 0:
        return DEAD_END
    if not closely:
        return 0
    i = 0
    for n in range(len(space)):
        refused = refusal(s, c, w, space[n])
        if i < count and moves[i] == space[n]:
            if refused != 0:
                return LISTED + FLAWS * moves[i]
            i += 1
        elif refused == 0:
            return UNLISTED + FLAWS * space[n]
    return 0 if i == count else UNSORTED + FLAWS * moves[i]


@rule
def fuzz_games(pool: Any, blank: int, c: Any, w: Any, moves: Any, r: Any, first: int, count: int, bots: Any,
               max_moves: int, every: int, space: Any, flaws: Any, lengths: Any, log: Any) -> int:  # fmt: skip
    """Play games as `play_games` does, check them for flaws, and return the number of moves played.

    A game stops at its first flaw. For game g, `flaws[g]` receives the flaw, or 0, and `lengths[g]` the number of its
    moves. A game that is not over after `max_moves` moves has the flaw `ENDLESS`. In one position of `every`, all moves
    are checked: a move must be refused exactly if it is not legal. `pool[blank + 1 + 2 * g]` and the slot after it
    receive the states of game g after the set-up and at the end. `log` is filled as by `play_games`.

    Greedy bots try their moves on the true state, so they may use hidden information. That does no harm here: they
    serve only to reach rare positions.
    """
    played = 0
    w.draws.forced_count = 0
    for g in range(count):
        copy_slot(pool, 0, blank)
        s = pool[0]
        s.rng = first + g
        r.rng = s.rng ^ BOT_SEED_SALT
        sitting = bots[(first + g) % len(bots)]
        w.draws.count = 0
        start(s, c, w)
        at = log_move(log, 1, w, -1, -1) if len(log) > 0 else 0
        copy_slot(pool, blank + 1 + 2 * g, 0)
        length = 0
        flaws[g] = 0
        while s.seat >= 0:
            seat = s.seat
            number = legal(s, c, w, moves)
            flaws[g] = find_flaw(s, c, w, moves, number, space, (first + g + length) % every == 0)
            if flaws[g] == 0 and length >= max_moves:
                flaws[g] = ENDLESS
            if flaws[g] != 0:
                break
            if sitting[seat] == GREEDY:
                move = greedy_move(pool, 0, c, w, moves, r)
            else:
                move = moves[randbelow(r, number)]
            w.draws.count = 0
            play(s, c, w, move)
            length += 1
            if len(log) > 0:
                at = log_move(log, at, w, seat, move)
        copy_slot(pool, blank + 2 + 2 * g, 0)
        lengths[g] = length
        played += length
        if len(log) > 0:
            log[0] = at
    return played
