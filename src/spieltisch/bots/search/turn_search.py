"""The search of a whole turn: one budget for all of its decisions, and trees that are kept from one to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from spieltisch.bots.search.searcher import Budget, MovePredicate, Searcher, SearchParams
from spieltisch.bots.turns import Answer, play_ahead
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

DECISION_SHARE: Final = 0.4
"""The share of what is left of the budget that a decision gets at once."""
SMALLEST_SHARE: Final = 1 / 16
"""The share of a turn's budget that is left for decisions after one that seemed to be the last."""


class TurnSearch:
    """The search of a turn by one or more searchers, one thread each.

    A decision gets a share of what is left of the budget. While the best move seems to end what can be foreseen, it
    gets the same share of the rest again: a turn of one decision is searched with almost all of the budget. Later
    decisions of a long turn keep the simulations in which they were reached before.
    """

    def __init__(
        self,
        searchers: Sequence[Searcher],
        seed: int,
        budget: Budget,
        style: SearchParams,
        likes: MovePredicate | None = None,
    ) -> None:
        self._searchers, self._style, self._likes = searchers, style, likes
        self._rng, self._budget, self._left = Rng(seed), budget, 1.0

    def next_move(self, world: Position, played: Sequence[int]) -> int:
        """Return the move for a decision of the turn, after those that were played."""
        assert world.seat is not None  # noqa: S101  # the turn goes on
        seen, after = world.observe(world.seat), played[-1] if played else None
        for searcher in self._searchers:
            count = searcher.begin(seen, next_u64(self._rng) >> 1, self._style, self._likes, after)
        if count == 1:
            return self._best(world)
        while True:
            self._spend(DECISION_SHARE * self._left)
            best = self._best(world)
            if self._left <= SMALLEST_SHARE or not _ends(world, best):
                return best

    def _spend(self, share: float) -> None:
        """Search for a share of the turn's budget."""
        self._left -= share
        simulations, seconds = self._budget.simulations, self._budget.seconds
        each = None if simulations is None else round(share * simulations / len(self._searchers))
        allowed = None if seconds is None else share * seconds
        if len(self._searchers) == 1:
            self._searchers[0].simulate(each, allowed)
            return
        with ThreadPoolExecutor(len(self._searchers)) as threads:
            for done in [threads.submit(searcher.simulate, each, allowed) for searcher in self._searchers]:
                done.result()

    def _best(self, world: Position) -> int:
        """Return the legal move that was tried most; if several were, the one with the highest prior."""
        visits, priors = Counter[int](), Counter[int]()
        for searcher in self._searchers:
            for move, (tried, prior) in searcher.tried().items():
                visits[move] += tried
                priors[move] += prior  # type: ignore[assignment]  # a sum of shares
        ranked = sorted(visits, key=lambda move: (visits[move], priors[move]), reverse=True)
        return next(move for move in ranked if world.why_not(move) is None)


def _ends(world: Position, move: int) -> bool:
    """Return True if nothing can be foreseen after this move: it draws, or passes the decision."""
    result = world.copy().play(move)
    return bool(result.drew) or result.ended_decision


def search_turn(
    searchers: Sequence[Searcher],
    seen: Observation,
    seed: int,
    budget: Budget,
    style: SearchParams,
    likes: MovePredicate | None = None,
) -> Answer:
    """Return the moves of the observing seat's turn, as far as they can be foreseen.

    Raise ValueError if it is not the seat's decision.
    """
    return play_ahead(seen, seed, TurnSearch(searchers, seed, budget, style, likes).next_move)
