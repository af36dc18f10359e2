"""The memory in which a library steps many games at once, with one setup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import twin, vector_loops
from spieltisch.core.setup import Setup

if TYPE_CHECKING:
    from numpy.typing import NDArray

BotRng = np.dtype([("rng", "u8")])
"""The random generator of the bots of one game."""


def rule_names(setup: Setup) -> dict[str, Any]:
    """Return what `vector_loops` needs to know besides the rules that every game has."""
    own_view = setup.game.rules.observe is not None
    return {"OWN_VIEW": int(own_view)} if own_view else {"OWN_VIEW": 0, "observe": vector_loops.observe_nothing}


class VectorBuffers:
    """The memory for `step_games` of `spieltisch.core.vector_loops`: `games` games and some threads.

    `players` are those of each seat, or of each game and seat.
    """

    def __init__(
        self,
        setup: Setup,
        games: int,
        players: Sequence[int] | NDArray[np.int64],
        max_moves: int,
        threads: int,
        *,
        rotates: bool = False,
        by_points: bool = False,
    ) -> None:
        game, spec = setup.game, setup.game.observation_spec
        self.games, self.seats = games, setup.seats
        self.ends, self.blank, self.trials = games, 2 * games, 2 * games + 1
        self.pool = _records(game.State, self.trials + 2 * threads)
        own_view = game.rules.observe is not None
        dtype = game.View if own_view else game.State
        self.views = [_records(game.View, 2) for _ in range(threads)]
        shown = self.views if own_view else [self.pool] * threads
        bytes_ = [records.view(np.uint8).reshape(len(records), dtype.itemsize) for records in shown]
        self.numbers = [records.view(np.int16) for records in bytes_]
        has_words = dtype.itemsize % 8 == 0
        self.words = [records.view(np.uint64) if has_words else np.zeros((1, 1), np.uint64) for records in bytes_]
        self.params = _records(game.Params, 1)
        self.params[0] = np.frombuffer(twin.pack(game.Params, setup.plain_params), game.Params)[0]
        self.work = [_records(game.Work, 1) for _ in range(threads)]
        self.moves = [np.zeros(game.moves, np.int64) for _ in range(threads)]
        self.minds = _records(BotRng, games)
        self.players = np.broadcast_to(np.array(players, np.int64), (games, setup.seats)).copy()
        self.rotates, self.by_points, self.max_moves = int(rotates), int(by_points), max_moves
        orders = [spec.seat_order(dtype, setup.seats, viewer) for viewer in range(setup.seats)]
        runs = [_runs(order.sources, order.places) for order in orders]
        self.runs = np.array([run for some in runs for run in some], np.uint64)
        self.run_starts = np.cumsum([0, *map(len, runs)], dtype=np.int64)
        self.planes = orders[0].word_places.astype(np.uint64)
        self.sources = np.array([order.word_sources for order in orders], np.uint64).reshape(setup.seats, -1)
        self.seat_places, self.seats_from = orders[0].seat_places.astype(np.uint64), orders[0].seats_from
        self.seeds, self.actions, self.learners = (np.zeros(games, np.int64) for _ in range(3))
        self.observations, self.finals = (np.zeros((games, spec.size), spec.dtype) for _ in range(2))
        self.shown, self.finals_shown = (np.zeros((games, len(self.planes)), np.uint64) for _ in range(2))
        self.mask = np.zeros((games, game.moves), np.uint8)
        self.listed = np.zeros((games, game.moves), np.int32)
        self.counts, self.to_move, self.ended, self.lengths = (np.zeros(games, np.int64) for _ in range(4))
        self.totals, self.scores = (np.zeros((games, setup.seats), np.int64) for _ in range(2))
        self.rewards = np.zeros((games, setup.seats), np.float32)

    def contents(self) -> list[Any]:
        """Return copies of all that lasts from one step to the next."""
        return [array.copy() for array in self._persistent_arrays]

    def restore(self, contents: Sequence[Any]) -> None:
        """Take over the `contents` of other memory of the same size."""
        for array, saved in zip(self._persistent_arrays, contents, strict=True):
            array[...] = saved

    def outcome(self, g: int) -> list[Any]:
        """Return copies of what is shown of the end of game g."""
        return [array[at].copy() for array, at in self._shown_of_end(g)]

    def show_outcome(self, g: int, outcome: Sequence[Any]) -> None:
        """Show an `outcome` of game g again."""
        for (array, at), shown in zip(self._shown_of_end(g), outcome, strict=True):
            array[at] = shown

    def _shown_of_end(self, g: int) -> list[tuple[Any, int]]:
        arrays = self.ended, self.rewards, self.totals, self.finals, self.finals_shown
        return [*((array, g) for array in arrays), (self.pool, self.ends + g)]

    @property
    def _persistent_arrays(self) -> list[Any]:
        return [
            self.pool, self.minds, self.seeds, self.actions, self.learners, self.observations, self.finals, self.shown,
            self.finals_shown, self.mask, self.listed, self.counts, self.to_move, self.ended, self.lengths, self.totals,
            self.rewards, self.players, self.scores,
        ]  # fmt: skip

    def arguments(self, thread: int) -> list[Any]:
        """Return the arguments of `step_games` for a thread, up to `trial`; records are arrays of one."""
        return [
            self.pool, self.ends, self.blank, self.views[thread], self.numbers[thread], self.words[thread],
            self.params, self.work[thread], self.moves[thread], self.minds, self.players, self.rotates,
            self.max_moves, self.scores, self.by_points, self.runs, self.run_starts, self.planes, self.sources,
            self.seat_places, self.seats_from, self.seeds, self.actions, self.learners, self.observations, self.shown,
            self.mask, self.listed, self.counts, self.to_move, self.totals, self.rewards, self.ended, self.finals,
            self.finals_shown, self.lengths, self.trials + 2 * thread,
        ]  # fmt: skip

    def example(self) -> tuple[Any, ...]:
        """Return example arguments of `step_games`, from which the types are read."""
        single = {id(self.params), id(self.work[0])}
        fixed = (given[0] if id(given) in single else given for given in self.arguments(0))
        return (*fixed, vector_loops.RESET, 0, self.games)


def _runs(sources: Any, places: Any) -> list[tuple[int, int, int]]:
    """Return the ranges of numbers that follow each other in the record and in the vector: source, place, length."""
    runs: list[tuple[int, int, int]] = []
    for source, place in zip(sources.tolist(), places.tolist(), strict=True):
        if runs and (runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]) == (source, place):
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((source, place, 1))
    return runs


def _records(dtype: np.dtype[Any], count: int) -> Any:
    return np.zeros(count, dtype).view(np.recarray)
