"""A puzzle: a decision in a game of bots, and what the search found of its moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from spieltisch.bots import line
from spieltisch.bots.advice import Advice, Advised
from spieltisch.core.calibration import doubt, trusted
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Played, Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message


class PuzzleError(ValueError):
    """A puzzle that the rules or the components of its game no longer lead to; the text says which and why."""


class Tried(msgspec.Struct, frozen=True, array_like=True):
    """A move, by its number: which part of the trial games its seat won, how many there were, its points on average."""

    move: int
    won: float
    games: int
    points: float

    @property
    def doubt(self) -> float:
        """The standard error of `won`."""
        return doubt(self.won, self.games)


class Puzzle(msgspec.Struct, frozen=True):
    """The decision after `at` moves of its game. The right moves: the best, and others of the same turn that may come
    before it. The moves that were looked at closely, by what they won; how the search went on after the best, in the
    world that the seat imagines by the seed `world`; and the digest of the position.
    """

    at: int
    right: tuple[int, ...]
    tried: tuple[Tried, ...]
    line: tuple[int, ...]
    world: int
    digest: str


class Game(msgspec.Struct, frozen=True):
    """A game of bots, the `number`-th that was looked at: its seats, its seed, the numbers of its moves up to the last
    puzzle, and its puzzles.
    """

    number: int
    seats: int
    seed: int
    moves: str
    puzzles: tuple[Puzzle, ...]


DIGITS: Final = 16
"""How much of a digest is kept."""
RECENT: Final = 12
"""Of how many moves before a puzzle is told."""


class Told(msgspec.Struct, frozen=True):
    """A move of the game before, and what the log says of it to the seat that decides."""

    move: Move
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Posed:
    """A puzzle on its board. `seen` and what depends on it raise PuzzleError where the game does not come to it."""

    game: Game
    puzzle: Puzzle
    setup: Setup

    @property
    def seen(self) -> Observation:
        """What the seat that decides sees: all that may be shown."""
        return self._reached[0]

    @property
    def before(self) -> tuple[Told, ...]:
        """The last moves before, as that seat may know them."""
        return self._reached[1]

    @cached_property
    def _reached(self) -> tuple[Observation, tuple[Told, ...]]:
        where = f"{self.setup.game.key}, game {self.game.number}, move {self.puzzle.at + 1}"
        position, played = Position.start(self.setup, seed=self.game.seed), list[Played]()
        try:
            for move in self.game.moves.split()[: self.puzzle.at]:
                listen = self.puzzle.at - position.number <= RECENT
                played.append(position.play(int(move), listen=listen))
        except ValueError as problem:
            raise PuzzleError(f"{where}: {problem}") from problem
        if position.digest()[:DIGITS] != self.puzzle.digest or position.seat is None:
            raise PuzzleError(f"{where}: the position is another one; the rules have changed")
        return position.observe(position.seat), tuple(self._told(played, position.seat))

    def _told(self, played: list[Played], seat: int) -> Iterator[Told]:
        game, plays = self.setup.game, [(one.seat, one.move) for one in played]
        for index in range(max(0, len(played) - RECENT), len(played)):
            shown = game.sees_move(self.setup, plays, index, seat)
            if shown is True:
                yield Told(played[index].move, tuple(game.log(self.setup, played[index].events, seat)))

    @property
    def position(self) -> Position:
        """The position as that seat imagines it: what it cannot know is not what it was in the game."""
        return self.seen.imagine(self.puzzle.world)

    def tried(self, move: int) -> Tried | None:
        """What was found of a move; None of one that was not looked at closely."""
        return next((one for one in self.puzzle.tried if one.move == move), None)

    @cached_property
    def advice(self) -> Advice:
        """The moves that were looked at, as advice has them; how it goes on is told of the best."""
        game, seats, best = self.setup.game, self.setup.seats, self.puzzle.right[0]
        nothing = line.Line((), (), (), ())
        found = line.again(self.seen, self.puzzle.line, self.puzzle.world)
        moves = tuple(
            Advised(
                self.setup.move(one.move).text,
                one.games,
                one.won,
                one.doubt,
                one.points,
                found if one.move == best else nothing,
            )
            for one in self.puzzle.tried
        )
        return Advice(1 / seats, trusted(game.trust, self.seen.number // seats), moves)
