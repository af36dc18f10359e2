"""Opponents of learners in a `VectorEnv` that are asked for their moves: bots, and functions that play many games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from spieltisch.bots import Answer, Bot, Turns, external
from spieltisch.bots.search.vector_buffers import VectorBuffers
from spieltisch.core import twin
from spieltisch.core.chance import Rng, next_u64
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.vector_loops import LEARNER, RUNNING, STEP
from spieltisch.lab.vector_players import Players, plays_many

if TYPE_CHECKING:
    from numpy.typing import NDArray


def position_of(setup: Setup, state: bytes, number: int = 0) -> Position:
    """Return the position with the record of a state after so many moves."""
    return Position.of_twin(setup, twin.unpack(setup.game.State, state), number)


class Opponents:
    """The players in the games of some memory that are asked for their moves.

    `step` plays on as `step_games` of `spieltisch.core.vector_loops` does. `answers` are what bots will play on in
    their turns, by game.
    """

    def __init__(
        self, setup: Setup, memory: VectorBuffers, players: Players, step: Callable[[int, int, int], None]
    ) -> None:
        self._setup, self._memory, self._players, self._step = setup, memory, players, step
        self.answers: list[Answer] = [()] * memory.games

    def play_on(self, games: Iterable[int], scores: NDArray[np.int64] | None = None) -> None:
        """Play the moves of the players that are asked, and those of bots after them, up to a learner's.

        `scores` are the points before this step. Without them the games have begun, and nothing that happens is shown
        before the first step; so it is with a game that began in this step.
        """
        memory = self._memory
        waiting = self._waiting(np.fromiter(games, np.int64))
        if not waiting.size:
            return
        before, begun = (memory.scores.copy() if scores is None else scores), dict[int, list[Any]]()
        for g in waiting[(scores is None) | (memory.ended[waiting] != RUNNING)].tolist():
            begun[g], before[g] = memory.outcome(g), memory.scores[g]
        while waiting.size:
            self._ask(waiting)
            for g in waiting.tolist():
                memory.scores[g] = before[g]  # so that the rewards are those of the whole step
                self._step(STEP, g, g + 1)
                if memory.ended[g] != RUNNING:
                    before[g] = memory.scores[g]
                    begun.setdefault(g, memory.outcome(g))
            waiting = self._waiting(waiting)
        for g, outcome in begun.items():
            memory.show_outcome(g, outcome)
            memory.scores[g] = before[g]

    def _waiting(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which of these games wait for a player that is asked."""
        memory = self._memory
        return games[memory.players[games, memory.to_move[games]] < LEARNER]

    def _ask(self, games: NDArray[np.int64]) -> None:
        """Ask the players to move for their moves. Raise ValueError if one is not legal."""
        memory = self._memory
        numbers = memory.players[games, memory.to_move[games]]
        for number in np.unique(numbers).tolist():
            player, rows = self._players.asked(number), games[numbers == number]
            if plays_many(player):
                moves = np.asarray(player(memory.observations[rows], memory.mask[rows].view(np.bool_)))
            else:
                bot = cast(str | Bot, player)
                moves = np.array([self._decide(bot, g) for g in rows.tolist()])
            if moves.shape != rows.shape or moves.dtype.kind not in "iu":
                raise ValueError(
                    f"bots: {player} plays {moves.dtype} of {moves.shape}, not {len(rows)} numbers of moves"
                )
            for g, move in zip(rows.tolist(), moves.tolist(), strict=True):
                if not (0 <= move < memory.mask.shape[1] and memory.mask[g, move]):
                    raise ValueError(f"bots: {player} plays {move}, which is not a legal move in game {g}")
                memory.actions[g] = move

    def _decide(self, player: str | Bot, g: int) -> int:
        """Return the number of the move that a bot plays in game g."""
        memory, turns = self._memory, Turns()
        turns.left = self.answers[g]
        bot = player if isinstance(player, str) else partial(external.answer_of, player, repr(player), seconds=None)
        position = position_of(self._setup, memory.pool[g].tobytes(), int(memory.lengths[g]))
        chance = Rng(int(memory.minds[g].rng))
        number = turns.decide(bot, position.observe(position.seat), lambda: next_u64(chance))
        memory.minds[g].rng, self.answers[g] = chance.rng, turns.left
        return number
