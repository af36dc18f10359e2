"""The memory of a search: states, tree and settings, allocated once and used by every search."""

from typing import Any

import numpy as np

from spieltisch.bots.search import mcts
from spieltisch.core import twin
from spieltisch.core.setup import Setup

Mind = np.dtype([("rng", "u8"), ("base", "u8"), ("turn", "i8")])
"""The random generator of the searcher; its state when a simulation began, and the number of turns since then."""

MAX_PATH_LENGTH = 4096
"""The maximum number of moves from the root to a leaf."""


class SearchBuffers:
    """The memory of a search for one setup.

    `native` memory has arrays and records, for compiled code; otherwise it has twins and lists, for plain Python.
    `nodes` is the number of move sequences that the tree can hold. With `host`, tree and settings are those of another
    memory, for a second thread of the same search.
    """

    def __init__(self, setup: Setup, nodes: int, *, native: bool, host: "SearchBuffers | None" = None) -> None:
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
        self.tree: Any = self._records(mcts.Node, nodes) if host is None else self._record_array(host.tree)
        self.path = self._numbers(MAX_PATH_LENGTH)
        self.look = self._numbers(mcts.MAX_SEATS, 0.0)
        self.out = self._numbers(2 * mcts.MAX_SEATS, 0.0)
        settings: Any = self._records(mcts.Settings, 1) if host is None else self._record_array(host.settings_array)
        self.settings_array: Any = settings
        self.settings = settings[0]

    def _records(self, dtype: np.dtype[Any], count: int) -> Any:
        if not self.native:
            return [twin.new(dtype) for _ in range(count)]
        self.arrays.append(np.zeros(count, dtype).view(np.recarray))
        return self.arrays[-1]

    def _numbers(self, count: int, zero: float = 0) -> Any:
        if not self.native:
            return [zero] * count
        self.arrays.append(np.full(count, zero, np.int64 if isinstance(zero, int) else np.float64))
        return self.arrays[-1]

    def _record_array(self, array: Any) -> Any:
        if self.native:
            self.arrays.append(array)
        return array

    def load_state(self, state: Any) -> None:
        """Load the state, a twin, from which the search starts."""
        if self.native:
            self.pool[mcts.WORLD] = np.frombuffer(twin.pack(self.state, state), self.state)[0]
        else:
            twin.assign(state, self.pool[mcts.WORLD])

    def move_root(self, node: int) -> None:
        """Make a node the root of the tree; what is not below it is lost."""
        if self.native:
            self.tree[0] = self.tree[node]
        else:
            self.tree[0], self.tree[node] = self.tree[node], self.tree[0]

    def arguments(self, command: int, first_child: int, count: int) -> tuple[Any, ...]:
        """Return the arguments of `mcts.search`."""
        return (command, self.pool, self.params, self.work, self.moves, self.kin, self.mind, self.tree, self.path,
                self.look, self.out, self.settings, first_child, count)  # fmt: skip

    def seed(self, number: int) -> None:
        """Seed the searcher's generator."""
        self.mind.rng = np.uint64(number) if self.native else number
