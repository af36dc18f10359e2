"""Advice: what the master would do here and why, in trial games from what the seat knows."""

from __future__ import annotations

from typing import Final

import msgspec

from spieltisch.bots import best_line, levels
from spieltisch.bots.search.searcher import Budget, Candidate
from spieltisch.core.calibration import shrinkage
from spieltisch.core.observation import Observation

MAX_MOVES: Final = 3
BUDGET: Final = Budget(seconds=0.6, report_moves=MAX_MOVES, min_visits=40)


class AdvisedMove(msgspec.Struct, frozen=True):
    """A move, by its text: in how many trial games it was played, which part of them its seat won (a win that n share
    counts 1/n), the standard error of that, the seat's points on average, and how it may go on.
    """

    move: str
    games: int
    won: float
    doubt: float
    points: float
    line: best_line.Line


class Advice(msgspec.Struct, frozen=True, rename={"even_chance": "even"}):
    """The best moves, best first; an even chance, and which part of a chance's distance from it is to be trusted at
    this stage of the game (`Game.trust`).
    """

    even_chance: float
    trust: float
    moves: tuple[AdvisedMove, ...]

    def chance(self, one: AdvisedMove) -> float:
        """The chance to win with a move, calibrated.

        >>> sure = AdvisedMove("build red Lyon", 100, 0.75, 0.04, 31.0, best_line.Line((), (), (), ()))
        >>> Advice(0.25, 0.5, (sure,)).chance(sure)
        0.5
        """
        return self.even_chance + self.trust * (one.won - self.even_chance)

    def doubt(self, one: AdvisedMove) -> float:
        """The standard error of that."""
        return self.trust * one.doubt


def advise(name: str, observation: bytes, seed: int, before: int = 0) -> str:
    """The best moves for the seat that observes, as JSON of `Advice`; `name` is that of a level, `before` how many
    moves were played in the game that this one goes on from. Needs the compiled search: as plain Python too few games
    can be tried. Raises ValueError when it is not that seat's decision.
    """
    seen = Observation.read(observation)
    thought = levels.search(seen, seed, BUDGET)
    tried = sorted((one for one in thought.candidates if one.visits >= BUDGET.min_visits), key=lambda one: -one.visits)
    seats = seen.setup.seats
    advised = tuple(_advised(seen, one, seed) for one in tried[:MAX_MOVES])
    return msgspec.json.encode(
        Advice(1 / seats, shrinkage(seen.setup.game.calibration, (before + seen.number) // seats), advised)
    ).decode()


def _advised(seen: Observation, one: Candidate, seed: int) -> AdvisedMove:
    seat, searcher = seen.seat or 0, levels.searcher(seen.setup)
    found = best_line.read_line(searcher, seen, one.move, seed)
    return AdvisedMove(
        seen.setup.move(one.move).text, one.visits, one.won(seat), one.doubt(seat), one.points[seat], found
    )
