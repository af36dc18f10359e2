"""A puzzle: a decision in a game of bots, and the results of the search for its moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from spieltisch.bots import best_line
from spieltisch.bots.advice import Advice, AdvisedMove
from spieltisch.bots.comparing import Comparison, Difference
from spieltisch.core.calibration import shrinkage, standard_error
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.results import MoveResult
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message
from spieltisch.puzzles.turn_orders import first_moves


class PuzzleError(ValueError):
    """A puzzle that no longer fits the rules or components of its game. The text names it and the reason."""


GRADING_TRIES: Final = 4
"""The number of times that each weak player tries a puzzle for its grade."""
LEAST_SHARES: Final = {"easy": 0.58, "medium": 0.3}
"""The shares of these tries that must find a solution; fewer make a puzzle hard."""


class TriedMove(msgspec.Struct, frozen=True, array_like=True):
    """A move by its number: the proportion of playouts that its seat won, their number, and its mean points."""

    move: int
    won: float
    games: int
    points: float

    @property
    def doubt(self) -> float:
        """The standard error of `won`."""
        return standard_error(self.won, self.games)


class Puzzle(msgspec.Struct, frozen=True):
    """A decision after `move_number` moves of its game.

    `solutions` are the best move and others of the same turn that were found as good; `PosedPuzzle.solutions` has all
    that are right. `tried` are the moves that were searched in depth, in the order of their results. `line` is the
    continuation after the best move, in the world that the seat imagines with the seed `imagined_seed`. `digest` is
    that of the position. `times_found` counts how often each of several weak players found a solution in
    `GRADING_TRIES` tries; empty if the puzzle has not been graded. `differences` are the points that the best move
    brings more or less, by source, than the best of the moves that are not right; None if they have not been compared.
    """

    move_number: int
    solutions: tuple[int, ...]
    tried: tuple[TriedMove, ...]
    line: tuple[int, ...]
    imagined_seed: int
    digest: str
    times_found: tuple[int, ...] = ()
    differences: tuple[Difference, ...] | None = None

    @property
    def difficulty(self) -> str:
        """Return "easy", "medium" or "hard", by how often weak players found it, or "" if it has not been graded."""
        if not self.times_found:
            return ""
        share = sum(self.times_found) / (len(self.times_found) * GRADING_TRIES)
        return next((difficulty for difficulty, least in LEAST_SHARES.items() if share >= least), "hard")


class BotGame(msgspec.Struct, frozen=True):
    """A game of bots.

    `number` counts the games that were searched for puzzles. `moves` contains the numbers of the moves up to the last
    puzzle.
    """

    number: int
    seats: int
    seed: int
    moves: str
    puzzles: tuple[Puzzle, ...]


DIGEST_LENGTH: Final = 16
"""The number of characters of a digest that are stored."""
MAX_EARLIER_MOVES: Final = 12
"""The number of moves before a puzzle that are shown."""


class EarlierMove(msgspec.Struct, frozen=True):
    """An earlier move of the game, and its log messages for the seat that decides."""

    move: Move
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class PosedPuzzle:
    """A puzzle on its board.

    `seen` and what depends on it raise PuzzleError if the game does not lead to the position.
    """

    game: BotGame
    puzzle: Puzzle
    setup: Setup

    @property
    def id(self) -> str:
        """The name of the puzzle among those of its game, which stays the same when more are made."""
        return f"{self.game.number}-{self.puzzle.move_number}"

    @property
    def seen(self) -> Observation:
        """The observation of the seat that decides. Nothing else may be shown."""
        return self._replayed[0]

    @property
    def before(self) -> tuple[EarlierMove, ...]:
        """The last moves before the puzzle, as far as that seat may know them."""
        return self._replayed[1]

    @cached_property
    def _replayed(self) -> tuple[Observation, tuple[EarlierMove, ...]]:
        where = f"{self.setup.game.key}, game {self.game.number}, move {self.puzzle.move_number + 1}"
        position, played = Position.start(self.setup, seed=self.game.seed), list[MoveResult]()
        try:
            for move in self.game.moves.split()[: self.puzzle.move_number]:
                collects_events = self.puzzle.move_number - position.number <= MAX_EARLIER_MOVES
                played.append(position.play(int(move), collect_events=collects_events))
        except ValueError as error:
            raise PuzzleError(f"{where}: {error}") from error
        if position.digest()[:DIGEST_LENGTH] != self.puzzle.digest or position.seat is None:
            raise PuzzleError(f"{where}: the position is another one; the rules have changed")
        return position.observe(position.seat), tuple(self._earlier_moves(played, position.seat))

    def _earlier_moves(self, played: list[MoveResult], seat: int) -> Iterator[EarlierMove]:
        game, plays = self.setup.game, [(play.seat, play.move) for play in played]
        for index in range(max(0, len(played) - MAX_EARLIER_MOVES), len(played)):
            visibility = game.move_visibility(self.setup, plays, index, seat)
            if visibility is True:
                yield EarlierMove(played[index].move, tuple(game.log(self.setup, played[index].events, seat)))

    @property
    def position(self) -> Position:
        """The position as that seat imagines it. What it cannot know may differ from the game."""
        return self.seen.imagine(self.puzzle.imagined_seed)

    @cached_property
    def solutions(self) -> tuple[int, ...]:
        """The right moves, the best one first.

        These are `Puzzle.solutions`, and the moves of the best turn with which it may also begin: in another order it
        reaches the same position, whatever a search made of that order.
        """
        return tuple(dict.fromkeys((*self.puzzle.solutions, *first_moves(self.position, self.puzzle.line))))

    @property
    def runner_up(self) -> int | None:
        """The best of the moves that are not right, or None if only right ones were searched in depth."""
        return next((result.move for result in self.puzzle.tried if result.move not in self.solutions), None)

    def tried(self, move: int) -> TriedMove | None:
        """Return the results for a move, or None if it was not searched in depth."""
        return next((result for result in self.puzzle.tried if result.move == move), None)

    @cached_property
    def advice(self) -> Advice:
        """The searched moves as advice, with a continuation of the best one.

        Without those that are right only in another order: their results are those of other turns.
        """
        game, seats, best = self.setup.game, self.setup.seats, self.puzzle.solutions[0]
        no_line = best_line.Line((), (), (), ())
        best_replay = best_line.replay_line(self.seen, self.puzzle.line, self.puzzle.imagined_seed)
        shown = [
            result
            for result in self.puzzle.tried
            if result.move in self.puzzle.solutions or result.move not in self.solutions
        ]
        # The reasons compare with the second move that is shown.
        is_second_wrong = [result.move for result in shown[1:2]] == [self.runner_up]
        differences = self.puzzle.differences or () if is_second_wrong else ()
        moves = tuple(
            AdvisedMove(
                self.setup.move(result.move).text,
                result.games,
                result.won,
                result.doubt,
                result.points,
                best_replay if result.move == best else no_line,
                Comparison(differences) if differences and result.move == best else None,
            )
            for result in shown
        )
        return Advice(1 / seats, shrinkage(game.calibration, self.seen.number // seats), moves)
