"""Advice: what the master would do here, in trial games from what the seat knows."""

from __future__ import annotations

from typing import Final

import msgspec

from spieltisch.bots import levels
from spieltisch.bots.search.searcher import Budget, Candidate, Style
from spieltisch.core.observation import Observation

SHOWN: Final = 3
BUDGET: Final = Budget(seconds=0.6, shown=SHOWN, least=40)
STYLE: Final = Style(margin=0.0)
"""Trial games go on to the end, and count for who won alone, so that what is said of them is what happened in them."""


class Advised(msgspec.Struct, frozen=True):
    """A move, by its text: in how many trial games it was played, which part of them its seat won (a win that n share
    counts 1/n), the standard error of that, and the seat's points on average.
    """

    move: str
    games: int
    won: float
    doubt: float
    points: float


def advise(name: str, observation: bytes, seed: int) -> str:
    """The best moves for the seat that observes, best first, as JSON of a list of `Advised`; `name` is that of a level.
    Needs the compiled search: as plain Python too few games can be tried. Raises ValueError when it is not that seat's
    decision.
    """
    seen = Observation.read(observation)
    thought = levels.search(seen, seed, BUDGET, STYLE)
    tried = sorted((one for one in thought.candidates if one.visits >= BUDGET.least), key=lambda one: -one.visits)
    return msgspec.json.encode([_advised(seen, one) for one in tried[:SHOWN]]).decode()


def _advised(seen: Observation, one: Candidate) -> Advised:
    seat = seen.seat or 0
    return Advised(seen.setup.move(one.move).text, one.visits, one.won(seat), one.doubt(seat), one.points[seat])
