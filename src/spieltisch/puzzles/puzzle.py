"""A puzzle: a decision in a game of bots, and what the search found of its moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from spieltisch.bots import best_line
from spieltisch.bots.advice import Advice, AdvisedMove
from spieltisch.core.calibration import shrinkage, standard_error
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import MoveResult, Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message


class PuzzleError(ValueError):
    """A puzzle that the rules or the components of its game no longer lead to; the text says which and why."""


class TriedMove(msgspec.Struct, frozen=True, array_like=True):
    """A move, by its number: which part of the trial games its seat won, how many there were, its points on average."""

    move: int
    won: float
    games: int
    points: float

    @property
    def doubt(self) -> float:
        """The standard error of `won`."""
        return standard_error(self.won, self.games)


class Puzzle(msgspec.Struct, frozen=True, rename={"solutions": "right", "imagined_seed": "world", "move_number": "at"}):
    """The decision after `at` moves of its game. The right moves: the best, and others of the same turn that may come
    before it. The moves that were looked at closely, by what they won; how the search went on after the best, in the
    world that the seat imagines by the seed `world`; and the digest of the position.
    """

    move_number: int
    solutions: tuple[int, ...]
    tried: tuple[TriedMove, ...]
    line: tuple[int, ...]
    imagined_seed: int
    digest: str


class BotGame(msgspec.Struct, frozen=True):
    """A game of bots, the `number`-th that was looked at: its seats, its seed, the numbers of its moves up to the last
    puzzle, and its puzzles.
    """

    number: int
    seats: int
    seed: int
    moves: str
    puzzles: tuple[Puzzle, ...]


DIGEST_LENGTH: Final = 16
"""How much of a digest is kept."""
MAX_EARLIER_MOVES: Final = 12
"""Of how many moves before a puzzle is told."""


class EarlierMove(msgspec.Struct, frozen=True):
    """A move of the game before, and what the log says of it to the seat that decides."""

    move: Move
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class PosedPuzzle:
    """A puzzle on its board. `seen` and what depends on it raise PuzzleError where the game does not come to it."""

    game: BotGame
    puzzle: Puzzle
    setup: Setup

    @property
    def seen(self) -> Observation:
        """What the seat that decides sees: all that may be shown."""
        return self._reached[0]

    @property
    def before(self) -> tuple[EarlierMove, ...]:
        """The last moves before, as that seat may know them."""
        return self._reached[1]

    @cached_property
    def _reached(self) -> tuple[Observation, tuple[EarlierMove, ...]]:
        where = f"{self.setup.game.key}, game {self.game.number}, move {self.puzzle.move_number + 1}"
        position, played = Position.start(self.setup, seed=self.game.seed), list[MoveResult]()
        try:
            for move in self.game.moves.split()[: self.puzzle.move_number]:
                listen = self.puzzle.move_number - position.number <= MAX_EARLIER_MOVES
                played.append(position.play(int(move), collect_events=listen))
        except ValueError as problem:
            raise PuzzleError(f"{where}: {problem}") from problem
        if position.digest()[:DIGEST_LENGTH] != self.puzzle.digest or position.seat is None:
            raise PuzzleError(f"{where}: the position is another one; the rules have changed")
        return position.observe(position.seat), tuple(self._told(played, position.seat))

    def _told(self, played: list[MoveResult], seat: int) -> Iterator[EarlierMove]:
        game, plays = self.setup.game, [(one.seat, one.move) for one in played]
        for index in range(max(0, len(played) - MAX_EARLIER_MOVES), len(played)):
            shown = game.move_visibility(self.setup, plays, index, seat)
            if shown is True:
                yield EarlierMove(played[index].move, tuple(game.log(self.setup, played[index].events, seat)))

    @property
    def position(self) -> Position:
        """The position as that seat imagines it: what it cannot know is not what it was in the game."""
        return self.seen.imagine(self.puzzle.imagined_seed)

    def tried(self, move: int) -> TriedMove | None:
        """What was found of a move; None of one that was not looked at closely."""
        return next((one for one in self.puzzle.tried if one.move == move), None)

    @cached_property
    def advice(self) -> Advice:
        """The moves that were looked at, as advice has them; how it goes on is told of the best."""
        game, seats, best = self.setup.game, self.setup.seats, self.puzzle.solutions[0]
        nothing = best_line.Line((), (), (), ())
        found = best_line.replay_line(self.seen, self.puzzle.line, self.puzzle.imagined_seed)
        moves = tuple(
            AdvisedMove(
                self.setup.move(one.move).text,
                one.games,
                one.won,
                one.doubt,
                one.points,
                found if one.move == best else nothing,
            )
            for one in self.puzzle.tried
        )
        return Advice(1 / seats, shrinkage(game.calibration, self.seen.number // seats), moves)
