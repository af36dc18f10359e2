"""Making puzzles: bots play, and where a search finds one move clearly best, a deeper search must agree.

The deeper search is independent of the first.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import inf, sqrt
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from spieltisch.bots import best_line, levels
from spieltisch.bots.comparing import compare
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams, SearchResult
from spieltisch.core.game import Game as Rules
from spieltisch.core.observation import Observation
from spieltisch.core.registry import game as known_game
from spieltisch.core.setup import Setup
from spieltisch.lab.parallel import Parallel, map_in_order
from spieltisch.puzzles.puzzle import DIGEST_LENGTH, GRADING_TRIES, BotGame, PosedPuzzle, Puzzle, TriedMove
from spieltisch.puzzles.puzzle_set import PuzzleSet
from spieltisch.puzzles.turn_orders import first_moves

STYLE: Final = SearchParams(margin=0.0)
"""The parameters of the searches: a move is right because of how often it wins, and nothing else."""
SEATS: Final = (3, 4)
"""The numbers of players of the games."""
ALL_MOVES_PERCENT: Final = 100
"""The percentage of the legal moves that a seat compares one ply ahead: all of them."""
MIN_MOVES: Final = 6
"""The number of legal moves that a puzzle has at least."""
MIN_GAP: Final = 0.06
"""The share of all simulated games by which the best move must win more often than any other."""
MIN_STANDARD_ERRORS: Final = 3.0
"""The number of standard errors of the difference by which it must win more often."""
CHANCE_RANGE: Final = (0.12, 0.97)
"""The range of the best move's chance to win.

Outside it nothing can be lost or won any more, so there is nothing to find.
"""
OPENING_MOVES: Final = 40
"""The number of moves that are played greedily at first.

From then on most of the seats look for puzzles while they play, if they have enough moves to choose from.
"""
GLIMPSE_BUDGET: Final = Budget(100)
"""The budget of the first look, whose playouts are cut where those of the game's bots are."""
COMPARED_FRACTION: Final = 12
"""Moves with at least one part in this many of the simulations are compared with the best."""
FIRST_BUDGET: Final = Budget(500)
"""The budget of the search that finds a promising decision."""
SIEVE_BUDGET: Final = Budget(0, min_visits=200)
"""The budget of a quick check of the candidate moves.

It shows whether the deep search is worth its time.
"""
DEEP_PLAYOUTS: Final = 1600
DEEP_BUDGET: Final = Budget(DEEP_PLAYOUTS, report_moves=5, min_visits=800)
"""The budget of the deep search."""
CHECKED_MOVES: Final = 7
"""The number of best moves of the first search that the deep search checks."""
MIN_MOVES_BETWEEN: Final = 12
"""The minimum number of moves between two puzzles of a game."""
MAX_PUZZLES: Final = 3
"""The maximum number of puzzles of a game."""


GRADING_BUDGETS: Final = (Budget(40), Budget(120))
"""The budgets of the searches that try a puzzle for its grade: a shallow one, and that of the bot "medium"."""


class PuzzleTask(NamedTuple):
    """One game to search for puzzles: game `number` of the series with this seed and these options."""

    key: str
    seed: int
    number: int
    options: tuple[tuple[str, Any], ...]


def make_puzzles(task: PuzzleTask) -> BotGame | None:
    """Play a game and look for puzzles; return None if there are none. Equal tasks give equal results."""
    key, seed, number, options = task
    rng = random.Random(f"{key} {seed} {number}")  # noqa: S311  # no secret
    seats, start = rng.choice(SEATS), rng.randrange(1 << 48)
    thinking = [rng.random() < 0.7 for _ in range(seats)]
    position = known_game(key).start(seats, seed=start, **dict(options))
    moves: list[int] = []
    puzzles: list[Puzzle] = []
    searcher, params = levels.searcher(position.setup), levels.search_params_of(position.setup.game)
    quick = replace(STYLE, max_playout=params.max_playout, scale=params.scale)
    while position.seat is not None and len(puzzles) < MAX_PUZZLES:
        legal = position.legal_moves.numbers
        move = int(legal[0])
        if len(legal) > 1:
            observation, chance = position.observe(position.seat), rng.randrange(1 << 48)
            move = obvious = searcher.glance(observation, chance, ALL_MOVES_PERCENT)
            is_far = position.number >= (puzzles[-1].move_number + MIN_MOVES_BETWEEN if puzzles else OPENING_MOVES)
            if thinking[position.seat] and len(legal) >= MIN_MOVES and is_far:
                result = searcher.search(observation, chance, GLIMPSE_BUDGET, quick)
                move = result.move
                if _is_promising(searcher, result, observation, obvious, chance):
                    puzzles += _confirmed_puzzles(searcher, observation, chance, obvious, position.digest())
        moves.append(move)
        position.play(move)
    last = puzzles[-1].move_number if puzzles else 0
    return BotGame(number, seats, start, " ".join(map(str, moves[:last])), tuple(puzzles)) if puzzles else None


def _is_promising(searcher: Searcher, result: SearchResult, observation: Observation, obvious: int, seed: int) -> bool:
    """Return True if the searcher's last search found a move that is clearly best and not obvious.

    It must be better than all others that were tried often enough.
    """
    seat, best = observation.seat or 0, result.candidates[0]
    if best.move == obvious or not CHANCE_RANGE[0] <= best.won(seat) <= CHANCE_RANGE[1]:
        return False
    turn = _turn(best_line.read_line(searcher, observation, best.move, seed), observation)
    others = [
        candidate
        for candidate in result.candidates
        if COMPARED_FRACTION * candidate.visits >= result.simulations and candidate.move not in turn
    ]
    return obvious not in turn and all(best.won(seat) - candidate.won(seat) >= MIN_GAP for candidate in others)


def _turn(line: best_line.Line, observation: Observation) -> tuple[int, ...]:
    """Return the first move of a line and the further ones of its seat in the same turn.

    They may be played in another order.
    """
    return tuple(observation.setup.move(text).number for text in (line.moves[0], *line.same_turn))


def _confirmed_puzzles(
    searcher: Searcher, observation: Observation, seed: int, obvious: int, digest: str
) -> Iterator[Puzzle]:
    """Yield the puzzle of this decision, if a deep search and another, independent one find the same best move.

    The puzzle has the results of the other search, in which the move was not picked by luck.
    """
    first = searcher.search(observation, seed + 1, FIRST_BUDGET, STYLE)
    if not _is_promising(searcher, first, observation, obvious, seed + 1):
        return
    extra_moves = (*(candidate.move for candidate in first.candidates[:CHECKED_MOVES]), obvious)
    sieved = search_deeply(searcher, observation, seed + 4, replace(SIEVE_BUDGET, extra_moves=extra_moves))
    if not solutions(
        sieved, _turn(best_line.read_line(searcher, observation, sieved[0].move, seed + 4), observation), clear=0.0
    ):
        return
    deep = search_deeply(searcher, observation, seed + 2, replace(DEEP_BUDGET, extra_moves=extra_moves))
    line = best_line.read_line(searcher, observation, deep[0].move, seed + 2)
    turn = _turn(line, observation)
    solution = solutions(deep, turn)
    if obvious in solution or not solution:
        return
    tried = search_deeply(
        searcher,
        observation,
        seed + 3,
        Budget(0, extra_moves=tuple(candidate.move for candidate in deep), min_visits=DEEP_BUDGET.min_visits),
    )
    if solutions(tried, turn) == solution:
        numbers = tuple(observation.setup.move(text).number for text in line.moves)
        puzzle = Puzzle(observation.number, solution, tried, numbers, seed + 2, digest[:DIGEST_LENGTH])
        yield compare_best(searcher, observation, grade(searcher, observation, puzzle))


def grade(searcher: Searcher, observation: Observation, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with the number of times that the easy bot and weak searches find a solution."""
    params = levels.search_params_of(observation.setup.game)
    seeds = range(puzzle.imagined_seed, puzzle.imagined_seed + GRADING_TRIES)
    right = _right_moves(observation, puzzle)
    answers = [[searcher.glance(observation, seed, ALL_MOVES_PERCENT) for seed in seeds]]
    answers += [
        [searcher.search(observation, seed, budget, params).move for seed in seeds] for budget in GRADING_BUDGETS
    ]
    return replace(puzzle, times_found=tuple(sum(move in right for move in moves) for moves in answers))


def _right_moves(observation: Observation, puzzle: Puzzle) -> set[int]:
    """Return the moves that solve a puzzle: its solutions, and the moves of its line that may come first."""
    return {*puzzle.solutions, *first_moves(observation.imagine(puzzle.imagined_seed), puzzle.line)}


def compare_best(searcher: Searcher, observation: Observation, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with what its best move brings more or less than the best of those that are not right."""
    right = _right_moves(observation, puzzle)
    wrong = [result.move for result in puzzle.tried if result.move not in right]
    found = compare(searcher, observation, (puzzle.solutions[0], *wrong[:1]), puzzle.imagined_seed, STYLE, seconds=inf)
    return replace(puzzle, differences=found[0].differences if found else ())


def grade_all(puzzle_set: PuzzleSet) -> Iterator[BotGame]:
    """Yield all games of a set in their order; puzzles get what they lack, grade or comparison. Raise PuzzleError."""
    for game in puzzle_set.games:
        setup = puzzle_set.setup(game.seats)
        yield replace(game, puzzles=tuple(_complete(setup, game, puzzle) for puzzle in game.puzzles))


def _complete(setup: Setup, game: BotGame, puzzle: Puzzle) -> Puzzle:
    if puzzle.times_found and puzzle.differences is not None:
        return puzzle
    searcher, seen = levels.searcher(setup), PosedPuzzle(game, puzzle, setup).seen
    graded = puzzle if puzzle.times_found else grade(searcher, seen, puzzle)
    return graded if graded.differences is not None else compare_best(searcher, seen, graded)


def search_deeply(searcher: Searcher, observation: Observation, seed: int, budget: Budget) -> tuple[TriedMove, ...]:
    """Return the moves that a search tries at least `budget.min_visits` times, the best first."""
    seat = observation.seat or 0
    candidates = [
        candidate
        for candidate in searcher.search(observation, seed, budget, STYLE).candidates
        if candidate.visits >= budget.min_visits
    ]
    best = sorted(candidates, key=lambda candidate: -candidate.won(seat))
    return tuple(TriedMove(c.move, round(c.won(seat), 4), c.visits, round(c.points[seat], 1)) for c in best)


def is_clearly_better(better: TriedMove, worse: TriedMove, clear: float = MIN_STANDARD_ERRORS) -> bool:
    """Return True if a move won more often than another by `MIN_GAP` and by `clear` standard errors."""
    return better.won - worse.won >= max(MIN_GAP, clear * sqrt(better.doubt**2 + worse.doubt**2))


def solutions(tried: Sequence[TriedMove], turn: Sequence[int], clear: float = MIN_STANDARD_ERRORS) -> tuple[int, ...]:
    """Return the numbers of the right moves: the first of the turn, and those that may come before it.

    They are better than all other tried moves, and by `clear` standard errors. Empty if there are no such moves.
    """
    best = tried[0]
    near = [candidate for candidate in tried if candidate.move in turn and best.won - candidate.won < MIN_GAP]
    others = [candidate for candidate in tried if candidate not in near]
    is_clear = all(is_clearly_better(candidate, other, clear) for candidate in near for other in others)
    right = tuple(move for move in turn if move in {candidate.move for candidate in near})
    likely = CHANCE_RANGE[0] <= best.won <= CHANCE_RANGE[1]
    return right if likely and is_clear and others and best in near and turn[0] in right else ()


def make_all(
    rules: Rules, options: Mapping[str, Any], seed: int, first: int, cores: Parallel
) -> Iterator[BotGame | None]:
    """Yield the puzzles of each game from number `first` on, endlessly, or None for a game without any.

    Raise as `map_in_order` does.
    """
    tasks = (PuzzleTask(rules.key, seed, number, tuple(options.items())) for number in count(first))
    yield from (game for _, game in map_in_order(cores, make_puzzles, tasks))
