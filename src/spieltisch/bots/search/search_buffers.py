"""What a search works in: states, tree, settings, allotted once and used again by every search."""

from __future__ import annotations

from typing import Any

import numpy as np

from spieltisch.bots.search import mcts
from spieltisch.core import twin
from spieltisch.core.setup import Setup

Mind = np.dtype([("rng", "u8")])
"""The searcher's own generator."""

LONGEST = 4096
"""Moves from the root to a leaf at most."""


class SearchBuffers:
    """`native`: as arrays and records, for compiled code; else as twins and lists, for plain Python. `nodes` is how
    many sequences of moves the tree may hold.
    """

    def __init__(self, setup: Setup, nodes: int, *, native: bool) -> None:
        self.native = native
        self.state = setup.game.State
        self.arrays: list[Any] = []
        self.pool = self._records(self.state, 3)
        self.params = self._records(setup.game.Params, 1)[0] if native else setup.plain_params
        if native:
            self.arrays[-1][0] = np.frombuffer(twin.pack(setup.game.Params, setup.plain_params), setup.game.Params)[0]
        self.work = self._records(setup.game.Work, 1)[0]
        self.moves = self._numbers(setup.game.moves)
        self.kin = self._numbers(setup.game.moves)
        self.mind = self._records(Mind, 1)[0]
        self.tree = self._records(mcts.Node, nodes)
        self.path = self._numbers(LONGEST)
        self.look = self._numbers(mcts.MOST_SEATS, 0.0)
        self.out = self._numbers(2 * mcts.MOST_SEATS, 0.0)
        self.settings = self._records(mcts.Settings, 1)[0]

    def _records(self, dtype: np.dtype[Any], many: int) -> Any:
        if not self.native:
            return [twin.new(dtype) for _ in range(many)]
        self.arrays.append(np.zeros(many, dtype).view(np.recarray))
        return self.arrays[-1]

    def _numbers(self, many: int, zero: float = 0) -> Any:
        if not self.native:
            return [zero] * many
        self.arrays.append(np.full(many, zero, np.int64 if isinstance(zero, int) else np.float64))
        return self.arrays[-1]

    def load_state(self, state: Any) -> None:
        """Put a state, a twin, before the search."""
        if self.native:
            self.pool[mcts.WORLD] = np.frombuffer(twin.pack(self.state, state), self.state)[0]
        else:
            twin.assign(state, self.pool[mcts.WORLD])

    def arguments(self, what: int, forced: int, many: int) -> tuple[Any, ...]:
        """What `tree.search` is called with."""
        return (what, self.pool, self.params, self.work, self.moves, self.kin, self.mind, self.tree, self.path,
                self.look, self.out, self.settings, forced, many)  # fmt: skip

    def seed(self, number: int) -> None:
        """Set the searcher's generator."""
        self.mind.rng = np.uint64(number) if self.native else number
