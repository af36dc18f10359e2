"""Simulation: whole games of bots against each other, on compiled rules; where bots have to imagine what they do not
see, in Python (`spieltisch.lab.python_loops`).

A game depends on its seed alone, and that on the simulation's seed and the game's number: game 17 is the same however
many games are played, in pieces of any size. The bots move up one seat from game to game, so that nobody gains by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, SupportsIndex

import msgspec
import numpy as np

from spieltisch.bots import SearchRng, check
from spieltisch.bots.search.game_buffers import GameBuffers
from spieltisch.bots.search.native_library import GAMES, Library, find, load
from spieltisch.core import game_loops, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.games import game as find_game
from spieltisch.lab import python_loops
from spieltisch.lab.tally import Tally

BATCH_SIZE = 128
"""How many games are played before somebody may look: a fraction of a second, and the memory for their results."""

MOST_GAMES = 1 << 32
MOST_SEEDS = 1 << 30

LOG_SIZE = 1 << 12
"""Numbers in a log of one game to begin with."""

DRIVER_BOTS = {"random": game_loops.RANDOM, "greedy": game_loops.GREEDY}
"""How the driver calls the bots that it knows; games of others are played in Python."""


class GameOutcome(NamedTuple):
    """What came of a game: the bots' points, which of them won (by number), the rule that ended it, its moves."""

    points: list[int]
    won: list[int]
    ended_by: str
    moves: int


class PlayedGame(msgspec.Struct, frozen=True):
    """One game as the driver logged it: its seed, the bots' names by seat, the codes drawn at the set-up, the steps.

    A step is a seat, a move's number and the codes drawn. `state` is the end as a twin of the game's `State`.
    """

    seed: int
    players: tuple[str, ...]
    dealt: tuple[int, ...]
    steps: tuple[tuple[int, int, tuple[int, ...]], ...]
    state: Any


class Simulation:
    """Games of `bots` (one name a seat) with one setup, by a `library` where it can play them, else as the setup's game
    runs. Raises UnknownBot, ValueError.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection", compiled=False)
    >>> simulation = Simulation(game.setup(3), ["random"] * 3, seed=1)
    >>> simulation.play(2).games
    2
    """

    def __init__(self, setup: Setup, bots: Sequence[str], seed: SupportsIndex, library: Library | None = None) -> None:
        for name in bots:
            check(name)
        if len(bots) != setup.seats:
            raise ValueError(f"{len(bots)} bots cannot take {setup.seats} seats")
        if not 0 <= (seed := require_int("seed", seed)) < MOST_SEEDS:
            raise ValueError(f"seed: {seed} is not from 0 to {MOST_SEEDS - 1}")
        self.in_python = python_loops.needs_python(setup, bots)
        """Whether the games are played in Python, far slower."""
        self.setup = setup = on_plain_python(setup) if self.in_python else setup
        self.bots = tuple(bots)
        self.seed = seed
        game, engine = setup.game, setup.game.engine
        court = None if library is None or self.in_python else GameBuffers(setup)
        self._arrays = game.compiled or court is not None
        """Whether games are played on arrays, not on twins and lists."""
        self._pool = engine.record_array(game.State, 3) if court is None else court.pool
        self._mind = engine.blank_record(SearchRng)
        self._by_library = None if library is None or court is None else library.bind_games(court)
        deciding = [
            DRIVER_BOTS.get(name, game_loops.GREEDY) for name in bots
        ]  # read where games are not played in Python
        self._who = [[deciding[self.bot_at(p, turn)] for p in range(setup.seats)] for turn in range(setup.seats)]
        self._no_log: Any = []
        if self._arrays:
            # Ignored below: from here on the list is held as an array, as compiled code wants it.
            self._who, self._no_log = np.array(self._who, np.int64), np.zeros(0, np.int64)  # type: ignore[assignment]  # arrays

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.setup, self.bots, self.seed, self._by_library is not None)

    def seed_of(self, number: SupportsIndex) -> int:
        """The seed of a game by its number, from 1: no two games of any two simulations have the same."""
        return self.seed * MOST_GAMES + require_int("number", number)

    def bot_at(self, seat: SupportsIndex, seed: SupportsIndex) -> int:
        """The number of the bot that has this seat in the game with this seed."""
        return (require_int("seat", seat) - require_int("seed", seed)) % self.setup.seats

    def play(self, games: SupportsIndex, first: SupportsIndex = 1) -> Tally:
        """The tally of that many games, from the one with number `first` on."""
        tally = Tally.of(self.bots)
        for _ in self.play_in_batches(tally, games, first):
            pass
        return tally

    def play_in_batches(
        self, tally: Tally, games: SupportsIndex, first: SupportsIndex = 1, piece: SupportsIndex = BATCH_SIZE
    ) -> Iterator[int]:
        """The same a piece at a time: adds to the tally and yields how many games were played since the last time."""
        begin, step = require_int("first", first), require_int("piece", piece)
        end = begin + require_int("games", games)
        for at in range(begin, end, step):
            many = min(step, end - at)
            for result in self.results(at, many):
                tally.add(*result)
            yield many

    def results(self, number: SupportsIndex, many: SupportsIndex) -> tuple[GameOutcome, ...]:
        """What came of so many games, from the one with this number on."""
        number, many = require_int("number", number), require_int("many", many)
        totals, ends, lengths, _ = self._drive(number, many, self._no_log)
        seats, names = self.setup.seats, self.setup.game.rule_names
        found = []
        for g in range(many):
            seed = self.seed_of(number + g)
            points = [int(total) for total in totals[g][:seats]]
            winners = tuple(p for p in range(seats) if points[p] == max(points))
            if len(winners) > 1:
                winners = self._settled(points, number + g)
            by_bot = [points[(bot + seed) % seats] for bot in range(seats)]
            won = [self.bot_at(p, seed) for p in winners]
            found.append(GameOutcome(by_bot, won, names[int(ends[g])], int(lengths[g])))
        return tuple(found)

    def result(self, played: PlayedGame) -> GameOutcome:
        """What came of a game that was played."""
        end = self.end(played)
        outcome = end.outcome
        assert outcome is not None  # noqa: S101  # a game of a simulation is played to its end
        by_bot = [end.scores[(bot + played.seed) % self.setup.seats] for bot in range(self.setup.seats)]
        won = [self.bot_at(p, played.seed) for p in outcome.winners]
        return GameOutcome(by_bot, won, outcome.ended_by, len(played.steps))

    def drive(self, number: SupportsIndex, many: SupportsIndex) -> int:
        """Play games and count nothing but their moves: the driver alone, to be timed."""
        return int(self._drive(require_int("number", number), require_int("many", many), self._no_log)[3])

    def _drive(self, number: int, many: int, log: Any) -> tuple[Any, Any, Any, int]:
        setup = self.setup
        ends, lengths = self._numbers(many), self._numbers(many)
        width = setup.seats
        totals: Any = np.zeros((many, width), np.int64) if self._arrays else [[0] * width for _ in range(many)]
        first = self.seed_of(number)
        if self.in_python:
            bots = [[self.bots[self.bot_at(p, turn)] for p in range(width)] for turn in range(width)]
            return (
                totals,
                ends,
                lengths,
                python_loops.play_games(setup, self._pool, first, many, bots, totals, ends, lengths, log),
            )
        given = (first, many, self._who, totals, ends, lengths, log)
        if self._by_library is not None:
            return totals, ends, lengths, self._by_library(*given)
        moves = setup.game.engine.driver("play_games")(
            self._pool, GameBuffers.BLANK, setup.params, setup.work, setup.move_buffer, self._mind, *given
        )
        return totals, ends, lengths, int(moves)

    def _numbers(self, many: int) -> Any:
        return np.zeros(many, np.int64) if self._arrays else [0] * many

    def _settled(self, points: Sequence[int], number: int) -> tuple[int, ...]:
        """The winners among the tied, by the game's own word on the final position."""
        self._drive(number, 1, self._no_log)
        game = self.setup.game
        return game.winners(points, Position.of_twin(self.setup, self._end()).observe(None))

    def _end(self) -> Any:
        """The end of the last game driven, as a twin."""
        state = self._pool[0]
        if self._arrays:
            return twin.unpack(self.setup.game.State, state.tobytes())
        return twin.clone(state)

    def end(self, played: PlayedGame) -> Position:
        """The position at the end of one of its games."""
        return Position.of_twin(on_plain_python(self.setup), played.state, len(played.steps))

    def game(self, number: SupportsIndex) -> PlayedGame:
        """One game of this simulation with all its moves."""
        number = require_int("number", number)
        room = LOG_SIZE
        while True:
            log = self._numbers(room)
            self._drive(number, 1, log)
            if log[0] > 0:
                break
            room *= 2
        steps = list(logged([int(n) for n in log[1 : log[0]]]))
        seed = self.seed_of(number)
        players = tuple(self.bots[self.bot_at(p, seed)] for p in range(self.setup.seats))
        return PlayedGame(seed, players, steps[0][2], tuple(steps[1:]), self._end())


def _restored(setup: Setup, bots: Sequence[str], seed: int, by_library: bool) -> Simulation:
    """Return a simulation that was pickled. Games are the same with and without the library, so one that is not there
    any more is not missed.
    """
    return Simulation(setup, bots, seed, library_of(setup) if by_library else None)


def library_of(setup: Setup) -> Library | None:
    """Return the library that plays games with this setup, where one is there."""
    ready = None if setup.game.compiled else find(setup.game, GAMES)
    return None if ready is None else load(ready)


def logged(log: list[int]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Seat, move and draws of the set-up (seat and move -1) and each move in a log of the driver."""
    at = 0
    while at < len(log):
        seat, move, drawn = log[at : at + 3]
        yield seat, move, tuple(log[at + 3 : at + 3 + drawn])
        at += 3 + drawn


def is_compiled(game: Game, entry: str = "play_games") -> bool:
    """Whether the rules lie in the cache, compiled by an earlier run for this entry point of the driver."""
    return any(game.engine.binding.folder.glob(f"*/*.{entry}-*.nbi"))


def on_plain_python(setup: Setup) -> Setup:
    """The same setup on plain Python."""
    if not setup.game.compiled:
        return setup
    return find_game(setup.game.key).setup(setup.seats, setup.components, **setup.options)
