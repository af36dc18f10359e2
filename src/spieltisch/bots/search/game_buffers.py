"""What whole games are played in by a library: states, components, working memory as native arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from spieltisch.bots.search.search_buffers import Mind
from spieltisch.core import twin
from spieltisch.core.setup import Setup


class GameBuffers:
    """Memory for `play_games` of the driver, with one setup."""

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
        """What `play_games` is called with, to read the types from."""
        row, table = np.zeros(1, np.int64), np.zeros((1, self.seats), np.int64)
        court = (self.pool, self.BLANK, self.params[0], self.work[0], self.moves, self.mind[0])
        return (*court, 1, 1, table, table, row, row, row)


def _records(dtype: np.dtype[Any], many: int) -> Any:
    return np.zeros(many, dtype).view(np.recarray)
