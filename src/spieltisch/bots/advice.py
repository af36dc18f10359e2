"""Advice: the best moves according to the search, and why, from simulated games based on what the seat knows."""

import time
from collections.abc import Sequence
from typing import Final

import msgspec

from spieltisch.bots import best_line, levels
from spieltisch.bots.comparing import SECONDS, Comparison, compare
from spieltisch.bots.search.searcher import Budget, Candidate, SearchParams
from spieltisch.core.calibration import shrinkage
from spieltisch.core.observation import Observation

MAX_MOVES: Final = 3
"""The number of moves that are advised at most."""
BUDGET: Final = Budget(seconds=0.6, report_moves=MAX_MOVES, min_visits=40)
"""The budget of the search for one piece of advice."""
PREPARING: Final = Budget(simulations=1, min_visits=1)
"""The budget of a search for which a new process loads what advice needs."""
COMPARED_GAMES: Final = 640
"""The maximum number of games after each move for its comparison: late in a game many fit into the time."""
WALL_SECONDS: Final = 0.9
"""The time after which the search ends even if other work has kept it from its budget: a person waits for the text."""


class AdvisedMove(msgspec.Struct, frozen=True):
    """An advised move, by its text.

    - `games`: the number of simulated games that began with it
    - `won`: the share of them that its seat won; a win shared by n seats counts 1/n
    - `doubt`: the standard error of `won`
    - `points`: the seat's mean points
    - `line`: how the game may continue
    - `comparison`: how it compares with the second move, or if this is not the best one, with the best; None if that
      was not measured
    """

    move: str
    games: int
    won: float
    doubt: float
    points: float
    line: best_line.Line
    comparison: Comparison | None = None


class Advice(msgspec.Struct, frozen=True):
    """The best moves, best first, with the chance to win that is even for all seats.

    `trust` is the share of a chance's distance from the even chance that is kept at this stage of the game
    (`Game.calibration`).
    """

    even_chance: float
    trust: float
    moves: tuple[AdvisedMove, ...]

    def chance(self, advised: AdvisedMove) -> float:
        """Return the calibrated chance to win with a move.

        >>> sure = AdvisedMove("build red Lyon", 100, 0.75, 0.04, 31.0, best_line.Line((), (), (), ()))
        >>> Advice(0.25, 0.5, (sure,)).chance(sure)
        0.5
        """
        return self.even_chance + self.trust * (advised.won - self.even_chance)

    def doubt(self, advised: AdvisedMove) -> float:
        """Return the standard error of the calibrated chance."""
        return self.trust * advised.doubt


def advise(
    name: str,
    observation: bytes,
    seed: int,
    before: int = 0,
    budget: Budget | None = None,
    comparing_seconds: float | None = None,
) -> str:
    """Return the moves that were tried most for the observing seat, best chances first, as JSON of `Advice`.

    `name` is that of a level; `before` is the number of moves that were played in the game from which this one
    continues. The moves are compared for `comparing_seconds`; by default not at all with a counted `budget`. Needs the
    compiled search: plain Python is too slow to simulate enough games. Raise ValueError if it is not that seat's
    decision.
    """
    seen, budget = Observation.read(observation), budget or BUDGET
    searcher = levels.searcher(seen.setup)
    # To the end, because people are shown results, not forecasts.
    style = msgspec.structs.replace(levels.search_params_of(seen.setup.game), max_playout=SearchParams().max_playout)
    end = time.monotonic() + WALL_SECONDS
    result = searcher.search(seen, seed, budget, style, lambda: time.monotonic() > end)
    candidates = [candidate for candidate in result.candidates if candidate.visits >= budget.min_visits]
    candidates.sort(key=lambda candidate: -candidate.visits)
    seat, seats = seen.seat or 0, seen.setup.seats
    # By the chances that are shown: a few trials more make no move better.
    best = sorted(candidates[:MAX_MOVES], key=lambda candidate: candidate.doubt(seat) - candidate.won(seat))
    advised = [_advised_move(seen, candidate, seed) for candidate in best]
    if comparing_seconds is None:
        comparing_seconds = SECONDS if budget.simulations is None else 0.0
    moves = [candidate.move for candidate in best]
    found: Sequence[Comparison | None] = compare(searcher, seen, moves, seed, style, comparing_seconds, COMPARED_GAMES)
    pairs = zip(advised, found or [None] * len(advised), strict=True)
    advised = [msgspec.structs.replace(move, comparison=comparison) for move, comparison in pairs]
    return msgspec.json.encode(
        Advice(1 / seats, shrinkage(seen.setup.game.calibration, (before + seen.number) // seats), tuple(advised))
    ).decode()


def _advised_move(seen: Observation, candidate: Candidate, seed: int) -> AdvisedMove:
    seat, searcher = seen.seat or 0, levels.searcher(seen.setup)
    line = best_line.read_line(searcher, seen, candidate.move, seed)
    return AdvisedMove(
        seen.setup.move(candidate.move).text,
        candidate.visits,
        candidate.won(seat),
        candidate.doubt(seat),
        candidate.points[seat],
        line,
    )
