"""The search, written once for all games, compiled or in plain Python: a tree of moves over sampled worlds.

Each simulation has its own world: what the searcher cannot know is reshuffled (`reshuffle`), and so is the generator,
so that nothing is known about future draws. The tree holds sequences of moves. A node's children are the moves that
were legal in any world, and selection considers those that are legal in the current one (information set MCTS: Cowling,
Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Children are weighted by a prior, a softmax of the
game's evaluation one ply ahead (PUCT: Rosin, "Multi-armed bandits with episode context", 2011). Every seat maximises
its own result. A leaf is valued by a playout of a mixed policy, because no opponent plays exactly like a known bot; the
playout is cut after a number of moves and valued by the game's forecast.

The names below without a value belong to a game; `Searcher` binds this module to one game, as an `Engine` binds
`spieltisch.core.game_loops`.
"""

# ruff: noqa: F821 - the rules' names have no value until they are bound
from math import exp, sqrt
from typing import Any

import numpy as np

from spieltisch.core.chance import GAMMA, next_u64, randbelow
from spieltisch.core.compiled import MASK, as_u64, rule, u64
from spieltisch.core.game_loops import copy_slot, greedy_move

legal: Any
play: Any
points: Any
evaluate: Any
outlook: Any
prunable: Any
reshuffle: Any

MAX_SEATS = 8
"""The number of seats for which a node has room."""

Node = np.dtype(
    [
        ("first", "i4"),
        ("next", "i4"),
        ("move", "i4"),
        ("visits", "i4"),
        ("prior", "f8"),
        ("gain", "f8"),
        ("value", "f8", MAX_SEATS),
        ("won", "f8", MAX_SEATS),
        ("points", "f8", MAX_SEATS),
    ],
    align=True,
)
"""A sequence of moves that was tried.

- `first`, `next`: its first child and its next sibling (-1: none); siblings are in ascending order of their moves
- `move`: the last move
- `visits`: the number of trials
- `prior`, `gain`: the prior, and the gain of one ply from which it is computed; a prior below 0 is not computed yet,
  and with 0 the move need not be tried
- `value`, `won`, `points`: for each seat, summed over all trials, the results (0 to 1), the shares of the win and the
  points
"""

WORLD, PLAYOUT = 0, 1
"""The slots of the pool: the searcher's world; the simulation, followed by room for one ply."""

Settings = np.dtype(
    [
        ("unit", "f8"),
        ("exploration", "f8"),
        ("temperature", "f8"),
        ("scale", "f8"),
        ("margin", "f8"),
        ("random_share", "f8"),
        ("sampled_share", "f8"),
        ("sample_size", "i8"),
        ("max_playout", "i8"),
        ("max_depth", "i8"),
        ("viewer", "i8"),
        ("steps", "i8"),
        ("used", "i8"),
        ("paired", "i8"),
    ],
    align=True,
)
"""The settings of a search.

- `unit`: how much of the evaluation is worth a point
- `exploration`: the weight of the prior
- `temperature`: the number of points by which a move is worse if its prior is smaller by a factor of e
- `scale`: the number of points behind that divides a result that is not final by e
- `margin`: the share of a final result that depends on points; the rest depends on who won
- `random_share`: the share of a playout's moves that are random
- `sampled_share`: the share of those that are the best of `sample_size` random moves
- `max_playout`, `max_depth`: the maximum number of moves in a playout and in the tree
- `viewer`: the seat that searches
- `steps`: the steps of reshuffling what that seat cannot know, before each simulation
- `used`: the number of nodes in use
- `paired`: 1 if chance starts again with each turn of a simulation, so that two simulations with the same seed have the
  same draws in the same turn even if their earlier moves differ
"""

ALL = u64(MASK)
"""All bits of a generator."""

EXPAND_ROOT, SIMULATE, SAMPLE_MOVE, SELECT, PLAY_OUT, BACK_UP = 0, 1, 2, 3, 4, 5
"""The commands: expand the root of a new tree; simulate; choose among a sample of the moves; parts of a simulation."""


@rule
def random_unit(r: Any) -> float:
    """Return a random number from 0 to 1."""
    return randbelow(r, 1 << 24) / 16777216.0


@rule
def softmax(f: Any, s: Any, seat_points: Any, seat_results: Any) -> None:
    """Set `seat_results` to a share for each seat, by its lead in `seat_points` (in units); the shares add up to 1."""
    top, total = seat_points[0], 0.0
    for p in range(s.seats):
        top = max(top, seat_points[p])
    for p in range(s.seats):
        seat_results[p] = exp(max(-20.0, (seat_points[p] - top) / (f.scale * f.unit)))
        total += seat_results[p]
    for p in range(s.seats):
        seat_results[p] = seat_results[p] / total


@rule
def result(s: Any, c: Any, f: Any, seat_points: Any, seat_results: Any) -> None:
    """Set the results and points of a simulation for each seat.

    At the end of the game `seat_results` mostly depends on who won, before the end on the forecast. From index
    `MAX_SEATS` on it contains the share of the win, or the share that the forecast predicts.
    """
    if s.seat >= 0:
        for p in range(s.seats):
            seat_points[p] = float(outlook(s, c, p))
        softmax(f, s, seat_points, seat_results)
        for p in range(s.seats):
            seat_results[MAX_SEATS + p] = seat_results[p]
    else:
        best, ties = -1000000.0, 0
        for p in range(s.seats):
            seat_points[p] = points(s, c, p) * f.unit
            if seat_points[p] > best:
                best, ties = seat_points[p], 1
            elif seat_points[p] == best:
                ties += 1
        softmax(f, s, seat_points, seat_results)
        for p in range(s.seats):
            won = 1.0 / ties if seat_points[p] == best else 0.0
            seat_results[MAX_SEATS + p] = won
            seat_results[p] = (1.0 - f.margin) * won + f.margin * seat_results[p]
    for p in range(s.seats):
        seat_points[p] = seat_points[p] / f.unit


@rule
def evaluate_move(pool: Any, c: Any, w: Any, move: int, luck: Any, seat: int) -> int:
    """Return the evaluation for a seat after a move of the simulation, tried in a separate slot."""
    copy_slot(pool, PLAYOUT + 1, PLAYOUT)
    pool[PLAYOUT + 1].rng = luck
    w.draws.count = 0
    play(pool[PLAYOUT + 1], c, w, move)
    return evaluate(pool[PLAYOUT + 1], c, seat)


@rule
def glance(pool: Any, c: Any, w: Any, moves: Any, r: Any, sample: int) -> int:
    """Return the best of `sample` random legal moves."""
    s = pool[PLAYOUT]
    count = legal(s, c, w, moves)
    if count == 1:
        return moves[0]
    luck = next_u64(r)
    best, chosen = 0, moves[0]
    for i in range(min(sample, count)):
        j = i + randbelow(r, count - i)
        move = moves[j]
        moves[j] = moves[i]
        moves[i] = move
        value = evaluate_move(pool, c, w, move, luck, s.seat)
        if i == 0 or value > best:
            best, chosen = value, move
    return chosen


@rule
def begin_turn(s: Any, r: Any) -> None:
    """Set both generators to values that depend on nothing but the simulation's base and the number of the turn."""
    r.turn += 1
    r.rng = (r.base ^ (as_u64(r.turn) * GAMMA)) & ALL
    r.rng = next_u64(r)
    s.rng = next_u64(r)


@rule
def playout(pool: Any, c: Any, w: Any, moves: Any, r: Any, f: Any) -> None:
    """Continue the simulation by the mixed policy, to the end or until it is cut."""
    s = pool[PLAYOUT]
    length, acting = 0, s.seat
    while s.seat >= 0 and length < f.max_playout:
        x = random_unit(r)
        if x < f.random_share:
            move = moves[randbelow(r, legal(s, c, w, moves))]
        elif x < f.random_share + f.sampled_share:
            move = glance(pool, c, w, moves, r, f.sample_size)
        else:
            move = greedy_move(pool, PLAYOUT, c, w, moves, r)
        w.draws.count = 0
        play(s, c, w, move)
        length += 1
        if f.paired == 1 and s.seat != acting:
            acting = s.seat
            begin_turn(s, r)


@rule
def reset_node(node: Any, move: int) -> None:
    """Make a node one without children, visits and known prior, reached by `move`."""
    node.first, node.next, node.move, node.visits = -1, -1, move, 0
    node.prior, node.gain = -1.0, 0.0
    for p in range(MAX_SEATS):
        node.value[p] = 0.0
        node.won[p] = 0.0
        node.points[p] = 0.0


@rule
def children(
    pool: Any, c: Any, w: Any, moves: Any, child_nodes: Any, r: Any, tree: Any, at: int, count: int, f: Any
) -> bool:
    """Set `child_nodes` to the child of each legal move in `moves`, and add those that are new.

    Return False if the tree has no room for them.
    """
    if f.used + count >= len(tree):
        return False
    s = pool[PLAYOUT]
    new_count, previous, child = 0, -1, tree[at].first
    for i in range(count):
        while child >= 0 and tree[child].move < moves[i]:
            previous = child
            child = tree[child].next
        if child >= 0 and tree[child].move == moves[i]:
            child_nodes[i] = child
            previous = child
            child = tree[child].next
            continue
        k = f.used
        f.used += 1
        new_count += 1
        reset_node(tree[k], moves[i])
        tree[k].next = child
        if previous < 0:
            tree[at].first = k
        else:
            tree[previous].next = k
        previous = k
        child_nodes[i] = k
    if new_count == 0:
        return True
    luck, top = next_u64(r), -1e30
    for i in range(count):
        node = tree[child_nodes[i]]
        if node.prior < 0.0 and count > 1:
            node.gain = float(evaluate_move(pool, c, w, moves[i], luck, s.seat))
        top = max(top, node.gain)
    if tree[at].visits == 0 or new_count == count:
        tree[at].gain = top  # the base of the priors; it stays the same so that they remain comparable
    for i in range(count):
        node = tree[child_nodes[i]]
        if node.prior < 0.0:
            node.prior = exp(max(-12.0, min(2.0, (node.gain - tree[at].gain) / (f.temperature * f.unit)))) + 0.0005
            if prunable(s, c, moves[i]):
                node.prior = 0.0
    return True


@rule
def choose(tree: Any, at: int, child_nodes: Any, count: int, seat: int, f: Any) -> int:
    """Return the index of the child to visit.

    It is the one with the best mean result plus a bonus for its prior, which decreases with its visits.
    """
    total, weight = 0, 0.0
    for i in range(count):
        node = tree[child_nodes[i]]
        total += node.visits
        weight += node.prior
    here = tree[at]
    mean = here.value[seat] / here.visits if here.visits > 0 else 0.5
    root, best, chosen = sqrt(total + 1.0), -1e30, 0
    for i in range(count):
        node = tree[child_nodes[i]]
        if node.prior == 0.0:
            continue
        x = node.value[seat] / node.visits if node.visits > 0 else mean
        x += f.exploration * node.prior / weight * root / (1.0 + node.visits)
        if x > best:
            best, chosen = x, i
    return chosen


@rule
def select(
    pool: Any, c: Any, w: Any, moves: Any, child_nodes: Any, r: Any, tree: Any, path: Any, f: Any, first_child: int
) -> None:
    """Begin a simulation in a world of its own: go down the tree to a leaf, and expand it if it was tried before.

    `path` receives the nodes, and -1 after the last. Each counts as visited at once, as if every seat had lost there:
    a second simulation that begins before this one is backed up prefers other moves.
    """
    reshuffle(pool[WORLD], c, r, f.viewer, f.steps)
    copy_slot(pool, PLAYOUT, WORLD)
    s = pool[PLAYOUT]
    s.rng = next_u64(r)
    r.base, r.turn, acting = s.rng, 0, s.seat
    at, depth = 0, 0
    path[0] = 0
    while s.seat >= 0 and depth < f.max_depth:
        if depth == 0 and first_child >= 0:
            at = first_child
        else:
            if depth > 0 and tree[at].visits == 0:
                break
            count = legal(s, c, w, moves)
            seat = s.seat
            if not children(pool, c, w, moves, child_nodes, r, tree, at, count, f):
                break
            at = child_nodes[choose(tree, at, child_nodes, count, seat, f) if count > 1 else 0]
        depth += 1
        path[depth] = at
        w.draws.count = 0
        play(s, c, w, tree[at].move)
        if f.paired == 1 and s.seat != acting:
            acting = s.seat
            begin_turn(s, r)
    path[depth + 1] = -1
    for d in range(depth + 1):
        tree[path[d]].visits += 1


@rule
def back_up(s: Any, tree: Any, path: Any, seat_points: Any, seat_results: Any) -> None:
    """Add the results of a simulation to the nodes of its path."""
    d = 0
    while path[d] >= 0:
        node = tree[path[d]]
        for p in range(s.seats):
            node.value[p] += seat_results[p]
            node.won[p] += seat_results[MAX_SEATS + p]
            node.points[p] += seat_points[p]
        d += 1


@rule
def search(
    command: int,
    pool: Any,
    c: Any,
    w: Any,
    moves: Any,
    child_nodes: Any,
    r: Any,
    tree: Any,
    path: Any,
    seat_points: Any,
    seat_results: Any,
    f: Any,
    first_child: int,
    count: int,
) -> int:
    """Run a command of the search. There is one entry for all, so that the rules are compiled only once.

    `EXPAND_ROOT` starts a new tree for the decision in `pool[WORLD]`: its legal moves become the root's children, with
    their priors. Returns the number of legal moves. `SIMULATE` runs `count` simulations, beginning with the child
    `first_child` (-1: the search chooses). Returns the number of nodes in use. `SELECT`, `PLAY_OUT` and `BACK_UP` are
    the parts of one simulation; with `PLAY_OUT` alone the tree is neither read nor changed. `SAMPLE_MOVE` returns the
    best of a random sample of the moves: `count` percent of them, at least two.
    """
    w.draws.forced_count = 0
    w.draws.count = 0
    if command in (SIMULATE, SELECT, PLAY_OUT, BACK_UP):
        for _ in range(count):
            if command in (SIMULATE, SELECT):
                select(pool, c, w, moves, child_nodes, r, tree, path, f, first_child)
            if command in (SIMULATE, PLAY_OUT):
                playout(pool, c, w, moves, r, f)
                result(pool[PLAYOUT], c, f, seat_points, seat_results)
            if command in (SIMULATE, BACK_UP):
                back_up(pool[PLAYOUT], tree, path, seat_points, seat_results)
        return f.used
    copy_slot(pool, PLAYOUT, WORLD)
    legal_count = legal(pool[PLAYOUT], c, w, moves)
    if command == SAMPLE_MOVE:
        return glance(pool, c, w, moves, r, max(2, legal_count * count // 100))
    f.used = 1
    reset_node(tree[0], -1)
    children(pool, c, w, moves, child_nodes, r, tree, 0, legal_count, f)
    return legal_count
