"""Steps of many games at once, for programs that learn; `spieltisch.lab.vector` has the memory and the interface.

As in `spieltisch.core.game_loops`, the names without a body are the rules of a game. `OWN_VIEW` is 1 if the game has a
rule `observe`; then a view is filled by it and encoded. The view of a game without secrets is its state without the
generator, so there the numbers of the state are encoded, at the places that `spieltisch.core.features` gives.
"""

# ruff: noqa: F821 - the names of the rules have no value until an Engine binds this module
from typing import Any

from spieltisch.core.bit_sets import NONE, ONE, lowest_bit
from spieltisch.core.chance import randbelow
from spieltisch.core.compiled import as_u64, rule
from spieltisch.core.game_loops import BOT_SEED_SALT, GREEDY, copy_slot, greedy_move

legal: Any
play: Any
start: Any
observe: Any
points: Any
OWN_VIEW: int

LEARNER = -1
"""The player of a seat whose moves are the actions; `RANDOM` and `GREEDY` of `game_loops` play here.

Lower numbers are players that are asked for their moves from outside, like learners.
"""

RUNNING, STOPPED, OVER, TIED = 0, 1, 2, 3
"""The states of a game after a step: it goes on, was stopped, or has ended with one best seat, or with several."""

RESET, STEP, LOAD = 0, 1, 2
"""The commands of `step_games`: begin again, play a move, or show games whose states were exchanged."""


@rule
def observe_nothing(s: Any, viewer: int, o: Any) -> None:
    """Do nothing: the state itself is encoded."""


@rule
def encode(numbers: Any, words: Any, at: int, g: int, seats: int, viewer: int, runs: Any, run_starts: Any, planes: Any,
           sources: Any, seat_places: Any, seats_from: Any, shown: Any, out: Any) -> None:  # fmt: skip
    """Write the vector of the record `numbers[at]` for a viewer to `out[g]`.

    `runs` from `run_starts[viewer]` on are ranges to copy: source, target, length. `planes` are the places of sets in
    the vector, `sources[viewer]` their words; `shown[g]` are the words that `out[g]` shows now, so that only the bits
    that differ are written. `seat_places` are the places of numbers that name seats from `seats_from` on. Places are
    unsigned: indices that may be negative cost a comparison each.
    """
    row, record, bits, places = out[g], numbers[at], shown[g], sources[viewer]
    for k in range(run_starts[viewer], run_starts[viewer + 1]):
        source, target = runs[k, 0], runs[k, 1]
        for i in range(runs[k, 2]):
            row[target + i] = record[source + i]
    for k in range(len(planes)):
        word = words[at, places[k]]
        changed = word ^ bits[k]
        bits[k] = word
        while changed != NONE:
            place = planes[k] + as_u64(lowest_bit(changed))
            row[place] = 1 - row[place]
            changed = changed & (changed - ONE)
    for k in range(len(seat_places)):
        seat = row[seat_places[k]] - seats_from[k]
        if 0 <= seat < seats:
            seat -= viewer
            row[seat_places[k]] = (seat + seats if seat < 0 else seat) + seats_from[k]


@rule
def play_bots(pool: Any, g: int, trial: int, c: Any, w: Any, moves: Any, minds: Any, seat_kinds: Any, max_moves: int,
              lengths: Any) -> None:  # fmt: skip
    """Play the moves of the bots until another player is to move, the game is over or has had `max_moves` moves."""
    s, r = pool[g], minds[g]
    kinds = seat_kinds[g]
    while s.seat >= 0 and kinds[s.seat] > LEARNER and lengths[g] < max_moves:
        if kinds[s.seat] == GREEDY:
            copy_slot(pool, trial, g)
            move = greedy_move(pool, trial, c, w, moves, r)
        else:
            move = moves[randbelow(r, legal(s, c, w, moves))]
        w.draws.count = 0
        play(s, c, w, move)
        lengths[g] += 1


@rule
def rotate(kinds: Any) -> None:
    """Move each player one seat on."""
    last = kinds[len(kinds) - 1]
    for p in range(len(kinds) - 1, 0, -1):
        kinds[p] = kinds[p - 1]
    kinds[0] = last


@rule
def count_points(s: Any, c: Any, g: int, scores: Any) -> None:
    """Write the points of each seat to `scores`."""
    for p in range(s.seats):
        scores[g, p] = points(s, c, p)


@rule
def gain(s: Any, c: Any, g: int, scores: Any, rewards: Any) -> None:
    """Write the points that each seat has gained since `scores`, and its points."""
    for p in range(s.seats):
        now = points(s, c, p)
        rewards[g, p] = now - scores[g, p]
        scores[g, p] = now


@rule
def share_win(totals: Any, g: int, is_stopped: bool, by_points: int, rewards: Any) -> int:
    """Share the win of game g between the seats with the most points, all if it was stopped; return its state.

    With `by_points` the rewards are left alone.
    """
    seats = rewards.shape[1]
    best, winners = totals[g, 0], 0
    for p in range(seats):
        best = max(best, totals[g, p])
    for p in range(seats):
        winners += 1 if is_stopped or totals[g, p] == best else 0
    for p in range(seats if by_points == 0 else 0):
        rewards[g, p] = 1 / winners if is_stopped or totals[g, p] == best else 0
    return STOPPED if is_stopped else OVER if winners == 1 else TIED


@rule
def step_games(pool: Any, ends: int, blank: int, views: Any, numbers: Any, words: Any, c: Any, w: Any, moves: Any,
               minds: Any, seat_kinds: Any, rotates: int, max_moves: int, scores: Any, by_points: int, runs: Any,
               run_starts: Any, planes: Any, sources: Any, seat_places: Any, seats_from: Any, seeds: Any,
               actions: Any, learners: Any, observations: Any, shown: Any, mask: Any, listed: Any, counts: Any,
               to_move: Any, totals: Any, rewards: Any, ended: Any, finals: Any, finals_shown: Any, lengths: Any,
               trial: int, command: int, first: int, last: int) -> int:  # fmt: skip
    """Play a move from outside, and the bots' moves after it, in each of the games from `first` to before `last`.

    With `RESET`, the games begin again; with `LOAD`, the bots of each move first. `seat_kinds[g]` are the players of
    game g; if `rotates` is 1, they move on by a seat with each new game. If `by_points` is 1, rewards are the points
    gained since `scores`. `learners[g]` is the last learner that moved. `pool[g]` is game g, `pool[ends + g]` receives
    its end, `pool[blank]` is empty; `trial` and the slot after it are for the trials of greedy bots. `views[0]` is for
    the view of a seat, `views[1]` is empty. A game that has ended or was stopped begins again with the seed that is
    higher by the number of games. Return 0.
    """
    games = len(actions)
    w.draws.forced_count = 0
    for g in range(first, last):
        s = pool[g]
        ended[g] = RUNNING
        for p in range(s.seats):
            rewards[g, p] = 0
        begins = command == RESET
        if not begins:
            if command == LOAD or seat_kinds[g, s.seat] == LEARNER:
                learners[g] = s.seat
            if command == LOAD:
                count_points(s, c, g, scores)
            else:
                w.draws.count = 0
                play(s, c, w, actions[g])
                lengths[g] += 1
            play_bots(pool, g, trial, c, w, moves, minds, seat_kinds, max_moves, lengths)
            if by_points == 1:
                gain(s, c, g, scores, rewards)
            if s.seat < 0 or lengths[g] >= max_moves:
                begins = True
                count_points(s, c, g, totals)
                ended[g] = share_win(totals, g, s.seat >= 0, by_points, rewards)
                if OWN_VIEW == 1:
                    copy_slot(views, 0, 1)
                    observe(s, learners[g], views[0])
                encode(numbers, words, 0 if OWN_VIEW == 1 else g, g, s.seats, learners[g], runs, run_starts, planes,
                       sources, seat_places, seats_from, finals_shown, finals)  # fmt: skip
                copy_slot(pool, ends + g, g)
                seeds[g] += games
                if rotates == 1:
                    rotate(seat_kinds[g])
        while begins:
            copy_slot(pool, g, blank)
            s.rng = seeds[g]
            minds[g].rng = s.rng ^ BOT_SEED_SALT
            w.draws.count = 0
            start(s, c, w)
            if by_points == 1:
                count_points(s, c, g, scores)
            lengths[g] = 0
            play_bots(pool, g, trial, c, w, moves, minds, seat_kinds, max_moves, lengths)
            begins = s.seat < 0 or lengths[g] >= max_moves
            if begins:  # over before a move from outside
                seeds[g] += games
        to_move[g] = s.seat
        if OWN_VIEW == 1:
            copy_slot(views, 0, 1)
            observe(s, s.seat, views[0])
        encode(numbers, words, 0 if OWN_VIEW == 1 else g, g, s.seats, s.seat, runs, run_starts, planes, sources,
               seat_places, seats_from, shown, observations)  # fmt: skip
        row, numbers_of = mask[g], listed[g]
        for i in range(counts[g]):
            row[as_u64(numbers_of[i])] = 0
        counts[g] = legal(s, c, w, moves)
        for i in range(counts[g]):
            numbers_of[i] = moves[i]
            row[as_u64(moves[i])] = 1
    return 0
