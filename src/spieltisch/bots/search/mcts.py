"""The search itself, written once for all games, compiled or plain: a tree of moves over imagined worlds.

Each simulation has a world of its own: what the searcher cannot know is dealt anew (`reshuffle`), and so is the
generator, so nothing is known of draws to come. The tree holds sequences of moves; a node's children are those that
were legal in any world, and selection looks at the ones legal in this one (information set MCTS: Cowling, Powley,
Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Children are weighed by a prior, a softmax of what one
ply of the game's evaluation says of them (PUCT: Rosin, "Multi-armed bandits with episode context", 2011). Every seat
looks for its own result. A leaf is valued by a playout of a mixed policy, since nobody plays exactly like a known
bot, cut after a number of moves by the game's forecast.

The names below without a value are a game's own; `Searcher` binds this module to one game, as an `Engine` does the
driver.
"""

# ruff: noqa: F821 - the rules' names have no value until they are bound
from math import exp, sqrt
from typing import Any

import numpy as np

from spieltisch.core.chance import next_u64, randbelow
from spieltisch.core.compiled import rule
from spieltisch.core.game_loops import copy_slot, greedy_move

legal: Any
play: Any
points: Any
evaluate: Any
outlook: Any
prunable: Any
reshuffle: Any

MOST_SEATS = 8

Node = np.dtype(
    [
        ("first", "i4"),
        ("next", "i4"),
        ("move", "i4"),
        ("visits", "i4"),
        ("prior", "f8"),
        ("gain", "f8"),
        ("value", "f8", MOST_SEATS),
        ("won", "f8", MOST_SEATS),
        ("points", "f8", MOST_SEATS),
    ],
    align=True,
)
"""A sequence of moves that was tried: its first child and its next sibling (-1: none; siblings ascend by move), the
last move, how often it was tried, the prior and the gain of one ply that it comes from (a prior below 0: not reckoned
yet; 0: it need not be tried), and summed over all trials the results (0 to 1), the part of the win and the points by
seat.
"""

WORLD, PLAYOUT = 0, 1
"""The slots of the pool: the searcher's world; the simulation, and after it room for one ply."""

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
    ],
    align=True,
)
"""How to search.

- `unit`: how much of the evaluation is worth a point
- `exploration`: the weight of the prior
- `temperature`: how many points worse a move is whose prior is smaller by e
- `scale`: how many points behind divide a result that is not final by e
- `margin`: how much of a final result is decided by points; the rest by who won
- `random_share`: the share of moves of a playout that are random
- `sampled_share`: the share of those that are the best of `sample_size` random moves
- `max_playout`, `max_depth`: at most so many moves in a playout, in the tree
- `viewer`: the seat that searches
- `steps`: of reshuffling what that seat cannot know, before each simulation
- `used`: how many nodes are used
"""

EXPAND_ROOT, SIMULATE, SAMPLE_MOVE = 0, 1, 2
"""What to do: look at the decision in the world, with a new tree; simulate; look at a few moves only."""


@rule
def random_unit(r: Any) -> float:
    """A number from 0 to 1."""
    return randbelow(r, 1 << 24) / 16777216.0


@rule
def softmax(f: Any, s: Any, seat_points: Any, seat_results: Any) -> None:
    """A result for each seat, all together 1, by how many points they are ahead (`look`, in units)."""
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
    """The result of a simulation by seat, in `out`, and the points, in `look`: at the end mostly who won, before it
    what the forecast says. Behind the results stands in `out` who won, or what the forecast gives each of it.
    """
    if s.seat >= 0:
        for p in range(s.seats):
            seat_points[p] = float(outlook(s, c, p))
        softmax(f, s, seat_points, seat_results)
        for p in range(s.seats):
            seat_results[MOST_SEATS + p] = seat_results[p]
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
            seat_results[MOST_SEATS + p] = won
            seat_results[p] = (1.0 - f.margin) * won + f.margin * seat_results[p]
    for p in range(s.seats):
        seat_points[p] = seat_points[p] / f.unit


@rule
def evaluate_move(pool: Any, c: Any, w: Any, move: int, luck: Any, seat: int) -> int:
    """What the position is worth to a seat after a move of the simulation, tried apart."""
    copy_slot(pool, PLAYOUT + 1, PLAYOUT)
    pool[PLAYOUT + 1].rng = luck
    w.draws.many = 0
    play(pool[PLAYOUT + 1], c, w, move)
    return evaluate(pool[PLAYOUT + 1], c, seat)  # type: ignore[no-any-return]  # a game's own rule


@rule
def glance(pool: Any, c: Any, w: Any, moves: Any, r: Any, sample: int) -> int:
    """The best of a few legal moves drawn by chance."""
    s = pool[PLAYOUT]
    many = legal(s, c, w, moves)
    if many == 1:
        return moves[0]  # type: ignore[no-any-return]  # an element of an array
    luck = next_u64(r)
    best, chosen = 0, moves[0]
    for i in range(min(sample, many)):
        j = i + randbelow(r, many - i)
        move = moves[j]
        moves[j] = moves[i]
        moves[i] = move
        value = evaluate_move(pool, c, w, move, luck, s.seat)
        if i == 0 or value > best:
            best, chosen = value, move
    return chosen  # type: ignore[no-any-return]  # an element of an array


@rule
def playout(pool: Any, c: Any, w: Any, moves: Any, r: Any, f: Any) -> None:
    """Play on from the simulation by the mixed policy, to the end or until it is cut."""
    s = pool[PLAYOUT]
    length = 0
    while s.seat >= 0 and length < f.max_playout:
        x = random_unit(r)
        if x < f.random_share:
            move = moves[randbelow(r, legal(s, c, w, moves))]
        elif x < f.random_share + f.sampled_share:
            move = glance(pool, c, w, moves, r, f.sample_size)
        else:
            move = greedy_move(pool, PLAYOUT, c, w, moves, r)
        w.draws.many = 0
        play(s, c, w, move)
        length += 1


@rule
def reset_node(node: Any, move: int) -> None:
    """Make a node anew."""
    node.first, node.next, node.move, node.visits = -1, -1, move, 0
    node.prior, node.gain = -1.0, 0.0
    for p in range(MOST_SEATS):
        node.value[p] = 0.0
        node.won[p] = 0.0
        node.points[p] = 0.0


@rule
def children(
    pool: Any, c: Any, w: Any, moves: Any, child_nodes: Any, r: Any, tree: Any, at: int, many: int, f: Any
) -> bool:
    """Find the child of each legal move in `moves`, making those that are new; `kin` receives them. Returns whether
    there was room.
    """
    if f.used + many >= len(tree):
        return False
    s = pool[PLAYOUT]
    fresh, before, child = 0, -1, tree[at].first
    for i in range(many):
        while child >= 0 and tree[child].move < moves[i]:
            before = child
            child = tree[child].next
        if child >= 0 and tree[child].move == moves[i]:
            child_nodes[i] = child
            before = child
            child = tree[child].next
            continue
        k = f.used
        f.used += 1
        fresh += 1
        reset_node(tree[k], moves[i])
        tree[k].next = child
        if before < 0:
            tree[at].first = k
        else:
            tree[before].next = k
        before = k
        child_nodes[i] = k
    if fresh == 0:
        return True
    luck, top = next_u64(r), -1e30
    for i in range(many):
        node = tree[child_nodes[i]]
        if node.prior < 0.0 and many > 1:
            node.gain = float(evaluate_move(pool, c, w, moves[i], luck, s.seat))
        top = max(top, node.gain)
    if tree[at].visits == 0 or fresh == many:
        tree[at].gain = top  # what priors are measured from: it stays, so that they keep
    for i in range(many):
        node = tree[child_nodes[i]]
        if node.prior < 0.0:
            node.prior = exp(max(-12.0, min(2.0, (node.gain - tree[at].gain) / (f.temperature * f.unit)))) + 0.0005
            if prunable(s, c, moves[i]):
                node.prior = 0.0
    return True


@rule
def choose(tree: Any, at: int, child_nodes: Any, many: int, seat: int, f: Any) -> int:
    """The index of the child to go to: the best by its mean result and, less the more it was tried, its prior."""
    total, weight = 0, 0.0
    for i in range(many):
        node = tree[child_nodes[i]]
        total += node.visits
        weight += node.prior
    here = tree[at]
    mean = here.value[seat] / here.visits if here.visits > 0 else 0.5
    root, best, chosen = sqrt(total + 1.0), -1e30, 0
    for i in range(many):
        node = tree[child_nodes[i]]
        if node.prior == 0.0:
            continue
        x = node.value[seat] / node.visits if node.visits > 0 else mean
        x += f.exploration * node.prior / weight * root / (1.0 + node.visits)
        if x > best:
            best, chosen = x, i
    return chosen


@rule
def simulate(
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
) -> None:
    """One simulation, beginning with the child `forced` of the root (-1: as it comes)."""
    reshuffle(pool[WORLD], c, r, f.viewer, f.steps)
    copy_slot(pool, PLAYOUT, WORLD)
    s = pool[PLAYOUT]
    s.rng = next_u64(r)
    at, depth = 0, 0
    path[0] = 0
    while s.seat >= 0 and depth < f.max_depth:
        if depth == 0 and first_child >= 0:
            at = first_child
        else:
            if depth > 0 and tree[at].visits == 0:
                break
            many = legal(s, c, w, moves)
            seat = s.seat
            if not children(pool, c, w, moves, child_nodes, r, tree, at, many, f):
                break
            at = child_nodes[choose(tree, at, child_nodes, many, seat, f) if many > 1 else 0]
        depth += 1
        path[depth] = at
        w.draws.many = 0
        play(s, c, w, tree[at].move)
    playout(pool, c, w, moves, r, f)
    result(s, c, f, seat_points, seat_results)
    for d in range(depth + 1):
        node = tree[path[d]]
        node.visits += 1
        for p in range(s.seats):
            node.value[p] += seat_results[p]
            node.won[p] += seat_results[MOST_SEATS + p]
            node.points[p] += seat_points[p]


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
    many: int,
) -> int:
    """All that is asked of the search, from one entry, so that the rules are compiled once for it.

    BEGIN: a new tree over the decision in `pool[WORLD]`; its legal moves become the root's children, with their priors;
    returns how many. GROW: `many` simulations, beginning with the child `forced` (-1: as it comes); returns the nodes
    used. GLANCE: the best of `many` moves in a hundred, two at least, drawn by chance.
    """
    w.draws.given = 0
    w.draws.many = 0
    if command == SIMULATE:
        for _ in range(many):
            simulate(pool, c, w, moves, child_nodes, r, tree, path, seat_points, seat_results, f, first_child)
        return f.used  # type: ignore[no-any-return]  # a field of a record
    copy_slot(pool, PLAYOUT, WORLD)
    known = legal(pool[PLAYOUT], c, w, moves)
    if command == SAMPLE_MOVE:
        return glance(pool, c, w, moves, r, max(2, known * many // 100))
    f.used = 1
    reset_node(tree[0], -1)
    children(pool, c, w, moves, child_nodes, r, tree, 0, known, f)
    return known  # type: ignore[no-any-return]  # a game's own rule
