"""The memory in which a library plays whole games: states, parameters and working memory as native arrays."""

from typing import Any, Final

import numpy as np

from spieltisch.bots.search.search_buffers import Mind
from spieltisch.core import twin
from spieltisch.core.setup import Setup


class GameBuffers:
    """The memory for `play_games` of `spieltisch.core.game_loops`, with one setup."""

    BLANK: Final = 2
    """The slot of the pool that stays empty."""

    def __init__(self, setup: Setup) -> None:
        game = setup.game
        self.pool = _records(game.State, 3)
        self.params = _records(game.Params, 1)
        self.params[0] = np.frombuffer(twin.pack(game.Params, setup.plain_params), game.Params)[0]
        self.work, self.mind = _records(game.Work, 1), _records(Mind, 1)
        self.moves = np.zeros(game.moves, np.int64)
        self.seats = setup.seats

    def example(self) -> tuple[Any, ...]:
        """Return example arguments of `play_games`, from which the types are read."""
        row, table = np.zeros(1, np.int64), np.zeros((1, self.seats), np.int64)
        memory = (self.pool, self.BLANK, self.params[0], self.work[0], self.moves, self.mind[0])
        return (*memory, 1, 1, table, 1, table, table, row, row, row)


def _records(dtype: np.dtype[Any], count: int) -> Any:
    return np.zeros(count, dtype).view(np.recarray)
