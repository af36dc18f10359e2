"""Simulation: whole games of bots against each other, on compiled rules.

Games whose bots must sample what they do not see are played in Python (`spieltisch.lab.python_loops`). A game depends
only on its seed, and the seed on the simulation's seed and the game's number: game 17 is the same no matter how many
games are played, in batches of any size. The bots move up one seat from game to game, so that no bot benefits from its
seat.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import msgspec
import numpy as np

from spieltisch.bots import SearchRng, check
from spieltisch.bots.search.game_buffers import GameBuffers
from spieltisch.core import game_loops, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.lab import python_loops
from spieltisch.lab.engines import library_of, on_plain_python, say_slow
from spieltisch.lab.game_log import LOG_SIZE, logged_moves
from spieltisch.lab.tally import Tally

__all__ = ["GameOutcome", "PlayedGame", "Simulation", "record"]


BATCH_SIZE = 128
"""The number of games between two reports of progress.

It takes a fraction of a second, and bounds the memory for results.
"""

MAX_GAMES = 1 << 32
"""The exclusive upper bound of a game's number."""
MAX_SEEDS = 1 << 30
"""The exclusive upper bound of a simulation's seed."""

MAX_MOVES = 5_000
"""The number of moves after which a game is stopped, unless another one is given."""
MOVE_LIMIT = "move limit"
"""Takes the place of the rule that ended a game if it was stopped after the maximum number of moves.

All seats share its win.
"""

DRIVER_BOTS = {"random": game_loops.RANDOM, "easy": game_loops.GREEDY}
"""The codes of the bots that the compiled loops know; games of others are played in Python."""


class GameOutcome(NamedTuple):
    """The outcome of a game, by bot.

    - `points`: the bots' points
    - `won`: the winners (by number)
    - `turns`: the bots' places in turn order, from 1; 0 for one that never moved
    - `ended_by`, `moves`: the rule that ended the game, and the number of its moves

    If the game was stopped, `ended_by` is `MOVE_LIMIT`, and all bots share the win.

    >>> import spieltisch
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> (outcome,) = simulation.results(1, 1)
    >>> outcome.points, outcome.won, outcome.turns, outcome.ended_by, outcome.moves
    ([-24, 55, -25], [1], [1, 2, 3], 'P14', 198)
    """

    points: list[int]
    won: list[int]
    turns: list[int]
    ended_by: str
    moves: int


class PlayedGame(msgspec.Struct, frozen=True):
    """One game as it was logged.

    - `seed`: its seed
    - `players`: the bots' names by seat
    - `dealt`: the codes drawn during setup
    - `steps`: for each move the seat, the move's number and the codes drawn
    - `state`: the last state as a twin of the game's `State`

    >>> import spieltisch
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> game = simulation.game(1)
    >>> game.players, game.seed == simulation.seed_of(1), len(game.steps) == simulation.result(game).moves
    (('random', 'random', 'random'), True, True)
    """

    seed: int
    players: tuple[str, ...]
    dealt: tuple[int, ...]
    steps: tuple[tuple[int, int, tuple[int, ...]], ...]
    state: Any

    @property
    def turns(self) -> dict[int, int]:
        """The place in turn order, from 1, of each seat that has moved.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.game(1).turns
        {2: 1, 0: 2, 1: 3}
        """
        return {seat: turn for turn, seat in enumerate(dict.fromkeys(seat for seat, _, _ in self.steps), 1)}


class Simulation:
    """Games of `bots` (one name for each seat) with one setup. Raise UnknownBot, ValueError.

    A game is stopped after `max_moves` moves, whatever the rules of the game say. The games are played by the compiled
    library of the game if there is one that can play them, otherwise as the setup's game runs; always so without
    `use_library`. The log says if that is far slower than need be.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection", compiled=False)
    >>> simulation = Simulation(game.setup(3), ["random"] * 3, seed=1)
    >>> simulation.play(2).games
    2
    """

    def __init__(
        self,
        setup: Setup,
        bots: Sequence[str],
        seed: SupportsIndex,
        *,
        max_moves: SupportsIndex = MAX_MOVES,
        use_library: bool = True,
    ) -> None:
        for name in bots:
            check(name)
        if len(bots) != setup.seats:
            raise ValueError(f"{len(bots)} bots cannot take {setup.seats} seats")
        if not 0 <= (seed := require_int("seed", seed)) < MAX_SEEDS:
            raise ValueError(f"seed: {seed} is not from 0 to {MAX_SEEDS - 1}")
        if (max_moves := require_int("max_moves", max_moves)) < 1:
            raise ValueError(f"max_moves: {max_moves} is less than 1")
        self.in_python = python_loops.needs_python(setup, bots)
        """True if the games are played in Python, which is far slower."""
        self.setup = setup = on_plain_python(setup) if self.in_python else setup
        self.bots = tuple(bots)
        self.seed = seed
        self.max_moves = max_moves
        game, engine = setup.game, setup.game.engine
        library = library_of(setup) if use_library and not self.in_python else None
        memory = None if library is None else GameBuffers(setup)
        self._arrays = game.compiled or memory is not None
        """True if games are played on arrays, not on twins and lists."""
        self._pool = engine.record_array(game.State, 3) if memory is None else memory.pool
        self._mind = engine.blank_record(SearchRng)
        self._by_library = None if library is None or memory is None else library.bind_games(memory)
        self.use_library = use_library
        if use_library and not self._arrays and not self.in_python:
            say_slow(game.key)
        codes = [DRIVER_BOTS.get(name, game_loops.GREEDY) for name in bots]  # unused if games are played in Python
        self._bot_codes = [[codes[self.bot_at(p, turn)] for p in range(setup.seats)] for turn in range(setup.seats)]
        self._no_log: Any = []
        if self._arrays:
            # Compiled code needs arrays.
            self._bot_codes, self._no_log = np.array(self._bot_codes, np.int64), np.zeros(0, np.int64)  # type: ignore[assignment]  # arrays

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_simulation, (self.setup, self.bots, self.seed, self.max_moves, self.use_library)

    def seed_of(self, number: SupportsIndex) -> int:
        """Return the seed of the game with this number, from 1: no two games of any simulations share one.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.seed_of(17)
        4294967313
        """
        return self.seed * MAX_GAMES + require_int("number", number)

    def bot_at(self, seat: SupportsIndex, seed: SupportsIndex) -> int:
        """Return the number of the bot that has this seat in the game with this seed.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> [simulation.bot_at(0, simulation.seed_of(number)) for number in (1, 2, 3)]
        [1, 0, 2]
        """
        return (require_int("seat", seat) - require_int("seed", seed)) % self.setup.seats

    def play(self, games: SupportsIndex, first: SupportsIndex = 1) -> Tally:
        """Return the tally of `games` games, from number `first` on.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.play(2).games
        2
        """
        tally = Tally.of(self.bots)
        for _ in self.play_in_batches(tally, games, first):
            pass
        return tally

    def play_in_batches(
        self, tally: Tally, games: SupportsIndex, first: SupportsIndex = 1, piece: SupportsIndex = BATCH_SIZE
    ) -> Iterator[int]:
        """Play `games` games, from number `first` on, in batches of `piece`, and add them to the tally.

        Yield the number of games that were played since the last time.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> tally = Tally.of(simulation.bots)
        >>> list(simulation.play_in_batches(tally, 3, piece=2)), tally.games
        ([2, 1], 3)
        """
        begin, step = require_int("first", first), require_int("piece", piece)
        end = begin + require_int("games", games)
        for at in range(begin, end, step):
            count = min(step, end - at)
            for result in self.results(at, count):
                tally.add(*result)
            yield count

    def results(self, number: SupportsIndex, count: SupportsIndex) -> tuple[GameOutcome, ...]:
        """Return the outcomes of `count` games, from this number on.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> [outcome.ended_by for outcome in simulation.results(1, 2)]
        ['P14', 'P14']
        """
        number, count = require_int("number", number), require_int("count", count)
        totals, orders, ends, lengths, _ = self._drive(number, count, self._no_log)
        seats, names = self.setup.seats, self.setup.game.rule_names
        outcomes = []
        for g in range(count):
            seed = self.seed_of(number + g)
            points = [int(total) for total in totals[g][:seats]]
            winners = tuple(p for p in range(seats) if points[p] == max(points))
            if ends[g] == game_loops.STOPPED:
                winners = tuple(range(seats))
            elif len(winners) > 1:
                winners = self._break_tie(points, number + g)
            by_bot = [points[(bot + seed) % seats] for bot in range(seats)]
            won = [self.bot_at(p, seed) for p in winners]
            turns = [int(orders[g][(bot + seed) % seats]) for bot in range(seats)]
            ended_by = MOVE_LIMIT if ends[g] == game_loops.STOPPED else names[int(ends[g])]
            outcomes.append(GameOutcome(by_bot, won, turns, ended_by, int(lengths[g])))
        return tuple(outcomes)

    def result(self, played: PlayedGame) -> GameOutcome:
        """Return the outcome of a played game.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.result(simulation.game(2)) == simulation.results(2, 1)[0]
        True
        """
        end = self.end(played)
        winners, ended_by = ending(end)
        seats = [(bot + played.seed) % self.setup.seats for bot in range(self.setup.seats)]
        won = [self.bot_at(p, played.seed) for p in winners]
        turns = played.turns
        return GameOutcome(
            [end.scores[p] for p in seats], won, [turns.get(p, 0) for p in seats], ended_by, len(played.steps)
        )

    def drive(self, number: SupportsIndex, count: SupportsIndex) -> int:
        """Play games and count only their moves, to time the compiled loop alone.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.drive(1, 1) == simulation.results(1, 1)[0].moves
        True
        """
        return int(self._drive(require_int("number", number), require_int("count", count), self._no_log)[4])

    def _drive(self, number: int, count: int, log: Any) -> tuple[Any, Any, Any, Any, int]:
        setup = self.setup
        ends, lengths = self._numbers(count), self._numbers(count)
        width = setup.seats
        totals, orders = self._table(count), self._table(count)
        first = self.seed_of(number)
        if self.in_python:
            bots = [[self.bots[self.bot_at(p, turn)] for p in range(width)] for turn in range(width)]
            return (
                totals,
                orders,
                ends,
                lengths,
                python_loops.play_games(
                    setup, self._pool, first, count, bots, self.max_moves, totals, orders, ends, lengths, log
                ),
            )
        arguments = (first, count, self._bot_codes, self.max_moves, totals, orders, ends, lengths, log)
        if self._by_library is not None:
            return totals, orders, ends, lengths, self._by_library(*arguments)
        moves = setup.game.engine.driver("play_games")(
            self._pool, GameBuffers.BLANK, setup.params, setup.work, setup.move_buffer, self._mind, *arguments
        )
        return totals, orders, ends, lengths, int(moves)

    def _table(self, count: int) -> Any:
        """Return a table with a row for each game and a column for each seat."""
        width = self.setup.seats
        return np.zeros((count, width), np.int64) if self._arrays else [[0] * width for _ in range(count)]

    def _numbers(self, count: int) -> Any:
        return np.zeros(count, np.int64) if self._arrays else [0] * count

    def _break_tie(self, points: Sequence[int], number: int) -> tuple[int, ...]:
        """Return the winners among tied seats, as the game decides them on the final position."""
        self._drive(number, 1, self._no_log)
        game = self.setup.game
        return game.winners(points, Position.of_twin(self.setup, self._end()).observe(None))

    def _end(self) -> Any:
        """Return the end of the last game, as a twin."""
        state = self._pool[0]
        if self._arrays:
            return twin.unpack(self.setup.game.State, state.tobytes())
        return twin.clone(state)

    def end(self, played: PlayedGame) -> Position:
        """Return the position at the end of one of the simulation's games.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.end(simulation.game(1)).is_over
        True
        """
        return Position.of_twin(on_plain_python(self.setup), played.state, len(played.steps))

    def game(self, number: SupportsIndex) -> PlayedGame:
        """Return one game of this simulation with all its moves.

        >>> import spieltisch
        >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
        >>> simulation.game(1).players
        ('random', 'random', 'random')
        """
        number = require_int("number", number)
        room = LOG_SIZE
        while True:
            log = self._numbers(room)
            self._drive(number, 1, log)
            if log[0] > 0:
                break
            room *= 2
        steps = list(logged_moves([int(n) for n in log[1 : log[0]]]))
        seed = self.seed_of(number)
        players = tuple(self.bots[self.bot_at(p, seed)] for p in range(self.setup.seats))
        return PlayedGame(seed, players, steps[0][2], tuple(steps[1:]), self._end())


def ending(end: Position) -> tuple[tuple[int, ...], str]:
    """Return the winners and the rule that ended a game; if it was stopped, all seats and `MOVE_LIMIT`."""
    outcome = end.outcome
    return (tuple(range(end.seats)), MOVE_LIMIT) if outcome is None else (outcome.winners, outcome.ended_by)


def _restore_simulation(setup: Setup, bots: Sequence[str], seed: int, max_moves: int, use_library: bool) -> Simulation:
    """Return a simulation that was pickled.

    Games are the same with and without the library, so a missing one does no harm.
    """
    return Simulation(setup, bots, seed, max_moves=max_moves, use_library=use_library)


def record(simulation: Simulation, number: SupportsIndex) -> Record:
    """Return the record of one game of a simulation.

    >>> import spieltisch
    >>> setup = spieltisch.game("paris-connection").setup(3)
    >>> record(Simulation(setup, ["random"] * 3, seed=1), number=5).verify().is_over
    True
    """
    return record_of(simulation, simulation.game(number))


def record_of(simulation: Simulation, played: PlayedGame) -> Record:
    """Return the record of a played game."""
    setup = on_plain_python(simulation.setup)
    draw_texts = setup.draw_texts
    position = simulation.end(played)
    position.setup_draws = tuple(draw_texts[code] for code in played.dealt)
    plays = [
        RecordedMove(seat, setup.move(move).text, tuple(draw_texts[code] for code in drawn))
        for seat, move, drawn in played.steps
    ]
    return Record.of(position, plays, players=played.players, seed=played.seed)


def record_path(folder: Path, key: str, seed: int, number: int) -> Path:
    """Return the path of the record of a simulated game."""
    return folder / f"{key}-{seed}-{number:06}.txt"
