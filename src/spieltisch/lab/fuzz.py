"""Fuzzing: hundreds of thousands of games, played to the end to find what must never happen.

Compiled rules play all of them and check every decision: a seat that takes part decides, and has a move; the game ends;
every move is either legal or refused (at one decision in `SAMPLE_EVERY`). At the end of each game a rule must have
ended it, and no piece may be lost or created. Some games are played again on both engines in parallel, where each list
of moves, each draw and each state must agree, and positions can be inspected.
"""

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

import numpy as np

from spieltisch.bots import SearchRng
from spieltisch.core import game_loops, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.lab.engines import on_plain_python
from spieltisch.lab.game_log import LOG_SIZE, logged_moves
from spieltisch.lab.simulation import MAX_GAMES, MAX_SEEDS

BATCH_SIZE = 128
"""The number of games that are played between two reports of progress."""

SAMPLE_EVERY = 53
"""The interval of decisions at which the refusal of every move of the move space is checked.

It is a prime, so that all kinds of decisions are covered.
"""

MAX_MOVES = 20_000
"""The number of moves above which a game counts as endless."""

GREEDY_INTERVAL = 16
"""One seat is greedy in one game of this many; in fewer still, all seats are.

Random play alone rarely reaches some endings.
"""

CLOSE_LOOK_EVERY = 41
"""In a game that is played again, every position with a multiple of this number is inspected, and the last one."""

FLAW_TEXTS = {
    game_loops.DEAD_END: "a seat decides and has no move",
    game_loops.ENDLESS: f"the game goes on after {MAX_MOVES:,} moves",
    game_loops.NOBODY: "a seat decides that is not at the table",
    game_loops.UNSORTED: "the legal moves are not ascending, or {move} is no move of this board",
    game_loops.LISTED: "{move} is legal and refused",
    game_loops.UNLISTED: "{move} is neither legal nor refused",
}
"""The text of each flaw that the compiled loop reports."""

Inspection = Callable[[Position], None]
"""A function that inspects a position, also of a finished game, and raises what it finds."""


class FuzzFailure(Exception):
    """A finding; `what` is its text, `record` the game up to that point."""

    def __init__(self, what: str, record: Record) -> None:
        super().__init__(what, record)
        self.what = what
        self.record = record

    def __str__(self) -> str:
        return self.what


class Fuzzer:
    """Games with one setup on compiled rules. Raise ValueError for an invalid seed.

    >>> import spieltisch
    >>> fuzzer = Fuzzer(spieltisch.game("paris-connection").setup(3), seed=1)
    >>> sum(fuzzer.run(2)), fuzzer.moves > 100
    (2, True)
    """

    def __init__(self, setup: Setup, seed: SupportsIndex) -> None:
        if not 0 <= (seed := require_int("seed", seed)) < MAX_SEEDS:
            raise ValueError(f"seed: {seed} is not from 0 to {MAX_SEEDS - 1}")
        self.setup = setup
        self.plain = on_plain_python(setup)
        self.seed = seed
        self.moves = 0
        """The number of moves played so far."""
        game, engine, seats = setup.game, setup.game.engine, setup.seats
        self._run = engine.driver("fuzz_games")
        self._mind = engine.blank_record(SearchRng)
        random, greedy = game_loops.RANDOM, game_loops.GREEDY
        codes = [[random] * seats for _ in range(GREEDY_INTERVAL * seats)]
        for p in range(seats):
            codes[p][p] = greedy
        codes[seats] = [greedy] * seats
        space = [move.number for move in setup.moves]
        self._codes: Any = np.array(codes, np.int64) if game.compiled else codes
        self._space: Any = np.array(space, np.int64) if game.compiled else space

    def run(self, games: SupportsIndex, first: SupportsIndex = 1) -> Iterator[int]:
        """Play `games` games, from number `first` on, and yield the number played since the last time.

        Raise FuzzFailure for a finding.
        """
        begin = require_int("first", first)
        end = begin + require_int("games", games)
        for at in range(begin, end, BATCH_SIZE):
            count = min(BATCH_SIZE, end - at)
            states, flaws, lengths = self._drive(at, count)
            for g in range(count):
                self._judge(at + g, int(flaws[g]), states[2 * g], states[2 * g + 1])
            self.moves += sum(int(length) for length in lengths)
            yield count

    def replay(self, number: SupportsIndex, look: Inspection) -> int:
        """Play a game again on both engines in parallel, and return the number of its moves.

        `look` inspects some of its positions. Raise FuzzFailure for a finding.
        """
        number = require_int("number", number)
        plays: list[RecordedMove] = []
        checked, following = None, ""
        try:
            slow, fast = (Position.start(setup, seed=self._seed(number)) for setup in (self.plain, self.setup))
            _require_equal(slow, fast)
            checked = slow.copy()
            for _, move, _ in self._steps(number)[1:]:
                if (slow.number + number) % CLOSE_LOOK_EVERY == 0:
                    look(slow.copy())
                following = f"then {self._text(move)}: "
                played, compiled = slow.play(move), fast.play(move)
                if played != compiled:
                    raise ValueError(f"plain rules say {played}, compiled ones {compiled}")
                _require_equal(slow, fast)
                plays.append(RecordedMove(played.seat, played.move.text, played.drew))
                checked, following = slow.copy(), ""
            look(slow.copy())
        except Exception as error:  # any exception of a rule is a finding
            raise self._finding(number, f"{following}{str(error) or repr(error)}", checked, plays) from error
        return len(plays)

    def _judge(self, number: int, flaw: int, start: Any, end: Any) -> None:
        """Check a game by its flaw and its first and last state."""
        game = self.setup.game
        if flaw:
            what = FLAW_TEXTS[flaw % game_loops.FLAWS]
            raise self._replay_finding(number, what.format(move=self._text(flaw // game_loops.FLAWS)))
        rule = game.rule_names.get(int(end.ended_by))
        if rule is None:
            raise self._replay_finding(
                number, f"the next move ends the game by rule {int(end.ended_by)}, which is none", -1
            )
        before, after = (game.totals(Position.of_twin(self.plain, state)) for state in (start, end))
        if before != after:
            raise self._replay_finding(number, f"{before} became {after}")

    def _replay_finding(self, number: int, what: str, last: int | None = None) -> FuzzFailure:
        """Return the finding with its game, played again on plain rules as far as these allow.

        `last` is -1 to leave out the last move.
        """
        plays: list[RecordedMove] = []
        position = Position.start(self.plain, seed=self._seed(number))
        for _, move, _ in self._steps(number)[1:last]:
            try:
                played = position.play(move)
            except Exception as error:  # reported with the finding
                what += f"; before, plain rules say: {error!r}"
                break
            plays.append(RecordedMove(played.seat, played.move.text, played.drew))
        return self._finding(number, what, position, plays)

    def _finding(self, number: int, what: str, position: Position | None, plays: list[RecordedMove]) -> FuzzFailure:
        seed = self._seed(number)
        options = "".join(f", {name}={str(value).lower()}" for name, value in self.setup.options.items())
        where = f"{self.setup.game.key}, {self.setup.seats} seats{options}, seed {seed}, after move {len(plays)}"
        at = position or Position.of_twin(self.plain, twin.new(self.setup.game.State))
        return FuzzFailure(f"{where}: {what}", Record.of(at, plays, seed=seed))

    def _text(self, number: int) -> str:
        return next((repr(move.text) for move in self.setup.moves if move.number == number), f"move {number}")

    def _seed(self, number: int) -> int:
        return self.seed * MAX_GAMES + number

    def _steps(self, number: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return the setup and the moves of one game: seat, move and draws."""
        room = LOG_SIZE
        while True:
            log = self.setup.game.engine.move_buffer(room)
            self._drive(number, 1, log)
            if log[0] > 0:
                return list(logged_moves([int(n) for n in log[1 : log[0]]]))
            room *= 2

    def _drive(self, number: int, count: int, log: Any = None) -> tuple[list[Any], Any, Any]:
        """Play `count` games; return their first and last states as twins, their flaws and their lengths."""
        game, engine, setup = self.setup.game, self.setup.game.engine, self.setup
        pool, flaws, lengths = (
            engine.record_array(game.State, 3 + 2 * count),
            engine.move_buffer(count),
            engine.move_buffer(count),
        )
        self._run(
            pool, 2, setup.params, setup.work, setup.move_buffer, self._mind, self._seed(number), count, self._codes,
            MAX_MOVES, SAMPLE_EVERY, self._space, flaws, lengths, engine.move_buffer(0) if log is None else log,
        )  # fmt: skip
        states = list(pool)[3:]
        if game.compiled:
            states = [twin.unpack(game.State, state.tobytes()) for state in states]
        return states, flaws, lengths


def _require_equal(slow: Position, fast: Position) -> None:
    """Raise ValueError unless both engines see the same position and the same legal moves."""
    if slow.digest() != fast.digest():
        raise ValueError("plain and compiled rules come to different positions")
    if slow.legal_moves.numbers != fast.legal_moves.numbers:
        raise ValueError("plain and compiled rules allow different moves")
