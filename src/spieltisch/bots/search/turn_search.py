"""The search of a whole turn: one budget for all of its decisions, and a tree that is kept from one to the next."""

from collections.abc import Sequence
from heapq import nlargest
from typing import Final

from msgspec.structs import replace

from spieltisch.bots.search.searcher import Budget, MoveBonus, Searcher, SearchParams
from spieltisch.bots.turns import Answer, play_ahead
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

DECISION_SHARE: Final = 0.4
"""The share of the remaining budget that a decision gets unless it seems to be the last."""
SMALLEST_SHARE: Final = 1 / 16
"""The share of a turn's budget that is left for decisions after one that seemed to be the last."""
STEP: Final = 1 / 12
"""The share of a turn's budget that is searched before it is checked whether a decision is clear."""

LOST: Final = 0.5
"""The share of the playouts that win below which a game that a move ends is being lost."""


class TurnSearch:
    """The search of a turn.

    A decision gets a share of what is left of the budget, or almost all while the best move seems to end what can be
    foreseen. Its search ends early when no other move can be tried as often as the best one with what is left for it:
    later decisions get the rest. They also keep the simulations in which they were reached before.
    """

    def __init__(
        self,
        searcher: Searcher,
        seed: int,
        budget: Budget,
        style: SearchParams,
        bonus: MoveBonus | None = None,
        *,
        plays_on: bool = False,
    ) -> None:
        self._searcher, self._style, self._bonus = searcher, style, bonus
        self._plays_on = plays_on
        self._rng, self._budget, self._left = Rng(seed), budget, 1.0

    def next_move(self, world: Position, played: Sequence[int]) -> int:
        """Return the move for a decision of the turn, after those that were played."""
        assert world.seat is not None  # noqa: S101  # the turn goes on
        seen, after = world.observe(world.seat), played[-1] if played else None
        if self._searcher.begin(seen, next_u64(self._rng) >> 1, self._style, self._bonus, after) == 1:
            return self._most_visited_move(world)
        best = self._best_move(world)
        return self._move_instead(world, best) if self._plays_on else best

    def _best_move(self, world: Position) -> int:
        """Search the decision that has begun; return its best move."""
        visits, left, ends = self._visits(), self._left, dict[int, bool]()
        while True:
            self._spend_share(min(STEP, DECISION_SHARE * self._left))
            best = self._most_visited_move(world)
            if best not in ends:
                ends[best] = _ends_foresight(world, best)
            until = SMALLEST_SHARE if ends[best] else (1 - DECISION_SHARE) * left
            to_come = (self._left - until) * (self._visits() - visits) / (left - self._left)
            if to_come <= 0 or self._lead() > to_come:
                return best

    def _spend_share(self, share: float) -> None:
        """Search for a share of the turn's budget."""
        simulations, seconds, left = self._budget.simulations, self._budget.seconds, self._left - share
        done = None if simulations is None else round(self._left * simulations) - round(left * simulations)
        self._searcher.simulate(
            replace(self._budget, simulations=done, seconds=None if seconds is None else share * seconds)
        )
        self._left = left

    def _move_instead(self, world: Position, best: int) -> int:
        """Return the move, or one that wins more often if the move would end a game that its seat is losing."""
        after, won = world.copy(), self._searcher.win_shares()
        after.play(best)
        if not after.is_over or won[best] >= LOST:
            return best
        better = sorted((move for move in won if won[move] > won[best]), key=won.__getitem__, reverse=True)
        return next((move for move in better if world.why_not(move) is None), best)

    def _visits(self) -> int:
        """Return the number of simulations in the tree of the decision."""
        return sum(visits for visits, _ in self._searcher.tried().values())

    def _lead(self) -> int:
        """Return how much more often the best move was tried than any other."""
        best, second = nlargest(2, (visits for visits, _ in self._searcher.tried().values()))
        return best - second

    def _most_visited_move(self, world: Position) -> int:
        """Return the legal move that was tried most; if several were, the one with the highest prior."""
        tried = self._searcher.tried()
        return next(move for move in sorted(tried, key=tried.__getitem__, reverse=True) if world.why_not(move) is None)


def _ends_foresight(world: Position, move: int) -> bool:
    """Return True if nothing can be foreseen after this move: it draws, or passes the decision."""
    result = world.copy().play(move)
    return bool(result.drew) or result.ended_decision


def search_turn(
    searcher: Searcher,
    seen: Observation,
    seed: int,
    budget: Budget,
    style: SearchParams,
    bonus: MoveBonus | None = None,
    *,
    plays_on: bool = False,
) -> Answer:
    """Return the moves of the observing seat's turn, as far as they can be foreseen.

    With `plays_on`, no move ends a game that is being lost if another one wins more often. Raise
    ValueError if it is not the seat's decision.
    """
    return play_ahead(seen, seed, TurnSearch(searcher, seed, budget, style, bonus, plays_on=plays_on).next_move)
