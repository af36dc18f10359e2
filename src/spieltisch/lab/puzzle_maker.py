"""Making puzzles: bots play, and where the search finds one move clearly best a deeper one, that knows nothing of the
first, has to find the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count
from math import sqrt
from typing import Final, NamedTuple

from msgspec.structs import replace

from spieltisch.bots import best_line, levels
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams, SearchResult
from spieltisch.core.game import Game as Rules
from spieltisch.core.observation import Observation
from spieltisch.core.registry import game as known_game
from spieltisch.lab.parallel import Parallel, map_in_order
from spieltisch.puzzles.puzzle import DIGEST_LENGTH, BotGame, Puzzle, TriedMove

STYLE: Final = SearchParams(margin=0.0)
"""A move is right for how often it wins, and nothing else."""
SEATS: Final = (3, 4)
ALL: Final = 100
FEWEST_MOVES: Final = 6
LEAST_GAP: Final = 0.06
"""By how much of all trial games the best move must win more than any other,"""
CLEAR: Final = 3.0
"""and by how many standard errors of the difference."""
LIKELY: Final = (0.12, 0.97)
"""The chance of the best move: where nothing can be lost or won any more there is nothing to find."""
OPENING: Final = 40
"""So many moves are played greedily; from then on most of the seats look for puzzles as they play, where they have
enough moves to choose from,"""
GLIMPSE: Final = Budget(100)
"""no farther than this at first, by trial games that are cut where the game's bots cut theirs."""
PART: Final = 12
"""Moves that had this part of the trial games are compared with the best."""
FIRST: Final = Budget(500)
SIEVE: Final = Budget(0, min_visits=200)
"""So few trial games of each of the moves that are looked at closely show whether a deep search is worth its time."""
DEEP: Final = Budget(1600, report_moves=5, min_visits=800)
CLOSE: Final = 7
"""So many of the moves that the first search thought best are looked at closely in the second."""
APART: Final = 12
"""Moves between two puzzles of a game, of which it has"""
MOST: Final = 3


class PuzzleTask(NamedTuple):
    """The game with this number, of those that begin with a seed."""

    key: str
    seed: int
    number: int


def make_puzzles(piece: PuzzleTask) -> BotGame | None:
    """Play a game and look for puzzles; None where there are none. Equal pieces come to the same."""
    key, seed, number = piece
    drawn = random.Random(f"{key} {seed} {number}")  # noqa: S311  # no secret
    seats, start = drawn.choice(SEATS), drawn.randrange(1 << 48)
    thinking = [drawn.random() < 0.7 for _ in range(seats)]
    position = known_game(key).start(seats, seed=start)
    moves: list[int] = []
    found: list[Puzzle] = []
    searcher, own = levels.searcher(position.setup), levels.search_params_of(position.setup.game)
    quick = replace(STYLE, max_playout=own.max_playout, scale=own.scale)
    while position.seat is not None and len(found) < MOST:
        legal = position.legal_moves.numbers
        move = int(legal[0])
        if len(legal) > 1:
            seen, chance = position.observe(position.seat), drawn.randrange(1 << 48)
            move = obvious = searcher.glance(seen, chance, ALL)
            far = position.number >= (found[-1].move_number + APART if found else OPENING)
            if thinking[position.seat] and len(legal) >= FEWEST_MOVES and far:
                thought = searcher.search(seen, chance, GLIMPSE, quick)
                move = thought.move
                if _promises(searcher, thought, seen, obvious, chance):
                    found += _checked(searcher, seen, chance, obvious, position.digest())
        moves.append(move)
        position.play(move)
    last = found[-1].move_number if found else 0
    return BotGame(number, seats, start, " ".join(map(str, moves[:last])), tuple(found)) if found else None


def _promises(searcher: Searcher, thought: SearchResult, seen: Observation, obvious: int, seed: int) -> bool:
    """Whether the searcher's last search found a move that is better than all others it tried some times, and that is
    not obvious.
    """
    seat, best = seen.seat or 0, thought.candidates[0]
    if best.move == obvious or not LIKELY[0] <= best.won(seat) <= LIKELY[1]:
        return False
    same = _turn(best_line.read_line(searcher, seen, best.move, seed), seen)
    others = [one for one in thought.candidates if PART * one.visits >= thought.simulations and one.move not in same]
    return obvious not in same and all(best.won(seat) - one.won(seat) >= LEAST_GAP for one in others)


def _turn(found: best_line.Line, seen: Observation) -> tuple[int, ...]:
    """The first move of a line, and those that its seat goes on with in the same turn: they may be played in another
    order.
    """
    return tuple(seen.setup.move(text).number for text in (found.moves[0], *found.same_turn))


def _checked(searcher: Searcher, seen: Observation, seed: int, obvious: int, digest: str) -> Iterator[Puzzle]:
    """The puzzle that this decision is, if a deep search finds one move clearly best, and another one, which knows
    nothing of the first, finds the same. What is kept is what the other one found: the move had no luck there.
    """
    first = searcher.search(seen, seed + 1, FIRST, STYLE)
    if not _promises(searcher, first, seen, obvious, seed + 1):
        return
    close = (*(one.move for one in first.candidates[:CLOSE]), obvious)
    sieved = well_tried(searcher, seen, seed + 4, replace(SIEVE, extra_moves=close))
    if not solutions(sieved, _turn(best_line.read_line(searcher, seen, sieved[0].move, seed + 4), seen), clear=0.0):
        return
    deep = well_tried(searcher, seen, seed + 2, replace(DEEP, extra_moves=close))
    goes_on = best_line.read_line(searcher, seen, deep[0].move, seed + 2)
    turn = _turn(goes_on, seen)
    right = solutions(deep, turn)
    if obvious in right or not right:
        return
    tried = well_tried(
        searcher, seen, seed + 3, Budget(0, extra_moves=tuple(one.move for one in deep), min_visits=DEEP.min_visits)
    )
    if solutions(tried, turn) == right:
        numbers = tuple(seen.setup.move(text).number for text in goes_on.moves)
        yield Puzzle(seen.number, right, tried, numbers, seed + 2, digest[:DIGEST_LENGTH])


def well_tried(searcher: Searcher, seen: Observation, seed: int, budget: Budget) -> tuple[TriedMove, ...]:
    """The moves that a search with this budget tries as often as it is to try each of those named, the best first."""
    seat = seen.seat or 0
    often = [one for one in searcher.search(seen, seed, budget, STYLE).candidates if one.visits >= budget.min_visits]
    best = sorted(often, key=lambda one: -one.won(seat))
    return tuple(TriedMove(o.move, round(o.won(seat), 4), o.visits, round(o.points[seat], 1)) for o in best)


def solutions(tried: Sequence[TriedMove], turn: Sequence[int], clear: float = CLEAR) -> tuple[int, ...]:
    """The numbers of the right moves, the first of the turn and those that may come before it: better than all others
    that were tried, and by so many standard errors. None where there are no such moves.
    """
    best = tried[0]
    near = [one for one in tried if one.move in turn and best.won - one.won < LEAST_GAP]
    others = [one for one in tried if one not in near]
    apart = all(one.won - other.won >= max(LEAST_GAP, clear * sqrt(one.doubt**2 + other.doubt**2))
                for one in near for other in others)  # fmt: skip
    right = tuple(move for move in turn if move in {one.move for one in near})
    likely = LIKELY[0] <= best.won <= LIKELY[1]
    return right if likely and apart and others and best in near and turn[0] in right else ()


def make_all(rules: Rules, seed: int, first: int, cores: Parallel) -> Iterator[BotGame | None]:
    """What is found in each game from the one with number `first` on, without an end. Raises as `in_order`."""
    pieces = (PuzzleTask(rules.key, seed, number) for number in count(first))
    yield from (game for _, game in map_in_order(cores, make_puzzles, pieces))
