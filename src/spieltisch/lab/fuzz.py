"""Fuzzing: games by the hundred thousand, played to the end in search of what must never happen.

Compiled rules play all of them and look at every decision: somebody who is at the table decides, and has a move; the
game ends; what may be played is what is not refused (at one decision in `EVERY`). Of every game's end it is asked
whether a rule ended it and nothing was lost or made. Some games are played again on both engines side by side, where
each list of moves, draw and state must agree, and positions can be looked at closely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

import numpy as np

from spieltisch.bots import SearchRng
from spieltisch.core import game_loops, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.lab.simulation import LOG_SIZE, MOST_GAMES, MOST_SEEDS, logged, on_plain_python

PIECE = 128
"""How many games are played before somebody may look."""

SAMPLE_EVERY = 53
"""One decision in so many is asked for the refusal of every move there is. A prime, so that all moments come up."""

MOST_MOVES = 20_000
"""A game with more moves is called endless."""

ROUND = 16
"""In one game of so many, one seat is greedy; in fewer still, all are. Random play alone seldom sees some endings."""

CLOSE_LOOK_EVERY = 41
"""In games played again, one position in so many is looked at closely, and the last one."""

FLAW_TEXTS = {
    game_loops.DEAD_END: "a seat decides and has no move",
    game_loops.ENDLESS: f"the game goes on after {MOST_MOVES:,} moves",
    game_loops.NOBODY: "a seat decides that is not at the table",
    game_loops.UNSORTED: "the legal moves are not ascending, or {move} is no move of this board",
    game_loops.LISTED: "{move} is legal and refused",
    game_loops.UNLISTED: "{move} is neither legal nor refused",
}

Inspection = Callable[[Position], None]
"""Looks at a position, also of a game that is over, and raises what it finds."""


class FuzzFailure(Exception):
    """Something that must not be; `what` says it, `record` is the game up to there."""

    def __init__(self, what: str, record: Record) -> None:
        super().__init__(what, record)
        self.what = what
        self.record = record

    def __str__(self) -> str:
        return self.what


class Fuzzer:
    """Games with one setup on compiled rules. Raises ValueError for a seed that is none.

    >>> import spieltisch
    >>> fuzzer = Fuzzer(spieltisch.game("paris-connection").setup(3), seed=1)
    >>> sum(fuzzer.run(2)), fuzzer.moves > 100
    (2, True)
    """

    def __init__(self, setup: Setup, seed: SupportsIndex) -> None:
        if not 0 <= (seed := require_int("seed", seed)) < MOST_SEEDS:
            raise ValueError(f"seed: {seed} is not from 0 to {MOST_SEEDS - 1}")
        self.setup = setup
        self.plain = on_plain_python(setup)
        self.seed = seed
        self.moves = 0
        """How many were played until now."""
        game, engine, seats = setup.game, setup.game.engine, setup.seats
        self._run = engine.driver("fuzz_games")
        self._mind = engine.blank_record(SearchRng)
        random, greedy = game_loops.RANDOM, game_loops.GREEDY
        who = [[random] * seats for _ in range(ROUND * seats)]
        for p in range(seats):
            who[p][p] = greedy
        who[seats] = [greedy] * seats
        space = [move.number for move in setup.moves]
        self._who: Any = np.array(who, np.int64) if game.compiled else who
        self._space: Any = np.array(space, np.int64) if game.compiled else space

    def run(self, games: SupportsIndex, first: SupportsIndex = 1) -> Iterator[int]:
        """Play so many games, from the one with number `first` on, and yield how many since the last time. Raises
        Found.
        """
        begin = require_int("first", first)
        end = begin + require_int("games", games)
        for at in range(begin, end, PIECE):
            many = min(PIECE, end - at)
            states, found, lengths = self._drive(at, many)
            for g in range(many):
                self._judge(at + g, int(found[g]), states[2 * g], states[2 * g + 1])
            self.moves += sum(int(length) for length in lengths)
            yield many

    def replay(self, number: SupportsIndex, look: Inspection) -> int:
        """Play a game again on both engines side by side; returns how many moves it has. Raises Found."""
        number = require_int("number", number)
        plays: list[RecordedMove] = []
        sound, following = None, ""
        try:
            slow, fast = (Position.start(setup, seed=self._seed(number)) for setup in (self.plain, self.setup))
            _agree(slow, fast)
            sound = slow.copy()
            for _, move, _ in self._steps(number)[1:]:
                if (slow.number + number) % CLOSE_LOOK_EVERY == 0:
                    look(slow.copy())
                following = f"then {self._text(move)}: "
                played, same = slow.play(move), fast.play(move)
                if played != same:
                    raise ValueError(f"plain rules say {played}, compiled ones {same}")
                _agree(slow, fast)
                plays.append(RecordedMove(played.seat, played.move.text, played.drew))
                sound, following = slow.copy(), ""
            look(slow.copy())
        except Exception as error:  # whatever a rule raises is a finding
            raise self._found(number, f"{following}{str(error) or repr(error)}", sound, plays) from error
        return len(plays)

    def _judge(self, number: int, flaw: int, start: Any, end: Any) -> None:
        """A game from its flaw and its first and last state."""
        game = self.setup.game
        if flaw:
            what = FLAW_TEXTS[flaw % game_loops.FLAWS]
            raise self._stopped(number, what.format(move=self._text(flaw // game_loops.FLAWS)))
        rule = game.rule_names.get(int(end.ended_by))
        if rule is None:
            raise self._stopped(number, f"the next move ends the game by rule {int(end.ended_by)}, which is none", -1)
        before, after = (game.totals(Position.of_twin(self.plain, state)) for state in (start, end))
        if before != after:
            raise self._stopped(number, f"{before} became {after}")

    def _stopped(self, number: int, what: str, last: int | None = None) -> FuzzFailure:
        """The finding with its game (-1: but for its last move), played again on plain rules as far as these allow."""
        plays: list[RecordedMove] = []
        position = Position.start(self.plain, seed=self._seed(number))
        for _, move, _ in self._steps(number)[1:last]:
            try:
                played = position.play(move)
            except Exception as error:  # told with the finding
                what += f"; before, plain rules say: {error!r}"
                break
            plays.append(RecordedMove(played.seat, played.move.text, played.drew))
        return self._found(number, what, position, plays)

    def _found(self, number: int, what: str, position: Position | None, plays: list[RecordedMove]) -> FuzzFailure:
        seed = self._seed(number)
        options = "".join(f", {name}={str(value).lower()}" for name, value in self.setup.options.items())
        where = f"{self.setup.game.key}, {self.setup.seats} seats{options}, seed {seed}, after move {len(plays)}"
        at = position or Position.of_twin(self.plain, twin.new(self.setup.game.State))
        return FuzzFailure(f"{where}: {what}", Record.of(at, plays, seed=seed))

    def _text(self, number: int) -> str:
        return next((repr(move.text) for move in self.setup.moves if move.number == number), f"move {number}")

    def _seed(self, number: int) -> int:
        return self.seed * MOST_GAMES + number

    def _steps(self, number: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """The set-up and the moves of one game: seat, move and draws."""
        room = LOG_SIZE
        while True:
            log = self.setup.game.engine.move_buffer(room)
            self._drive(number, 1, log)
            if log[0] > 0:
                return list(logged([int(n) for n in log[1 : log[0]]]))
            room *= 2

    def _drive(self, number: int, many: int, log: Any = None) -> tuple[list[Any], Any, Any]:
        """First and last states as twins, flaws and lengths of so many games."""
        game, engine, setup = self.setup.game, self.setup.game.engine, self.setup
        pool, found, lengths = (
            engine.record_array(game.State, 3 + 2 * many),
            engine.move_buffer(many),
            engine.move_buffer(many),
        )
        self._run(
            pool, 2, setup.params, setup.work, setup.move_buffer, self._mind, self._seed(number), many, self._who,
            MOST_MOVES, SAMPLE_EVERY, self._space, found, lengths, engine.move_buffer(0) if log is None else log,
        )  # fmt: skip
        states = list(pool)[3:]
        if game.compiled:
            states = [twin.unpack(game.State, state.tobytes()) for state in states]
        return states, found, lengths


def _agree(slow: Position, fast: Position) -> None:
    """Both engines see the same position and the same moves. Raises ValueError."""
    if slow.digest() != fast.digest():
        raise ValueError("plain and compiled rules come to different positions")
    if slow.legal_moves.numbers != fast.legal_moves.numbers:
        raise ValueError("plain and compiled rules allow different moves")
