"""The players in the seats of a `VectorEnv`: learners, compiled bots, and opponents that are asked for their moves."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

import numpy as np

from spieltisch import bots as all_bots
from spieltisch.core.game import Game
from spieltisch.core.game_loops import GREEDY, RANDOM
from spieltisch.core.setup import Setup
from spieltisch.core.vector_loops import LEARNER

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

COMPILED = {"random": RANDOM, "easy": GREEDY}
"""The bots that play in compiled code."""


class VectorPolicy(Protocol):
    """A function from the observations of games and the masks of their legal moves to the number of a move in each.

    >>> def first(observations: NDArray[np.int16], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    ...     return legal.argmax(axis=1)
    >>> policy: VectorPolicy = first
    """

    def __call__(self, observations: NDArray[np.int16], legal: NDArray[np.bool_], /) -> ArrayLike:
        """Return the number of a legal move in each game."""
        ...


Opponent: TypeAlias = str | all_bots.Bot | VectorPolicy
"""The name of a bot, a bot, or a function that plays many games at once."""
Player: TypeAlias = Opponent | None
"""The player of a seat: None for a learner."""
Bots: TypeAlias = Sequence[Player] | Sequence[Sequence[Player]]
"""The players of each seat, or of each game and seat."""


def plays_compiled(rules: Game, bot: str) -> bool:
    """Return True if a bot of this name can play in compiled code.

    Easy bots try their moves on the true state, so they would know too much where moves reveal what is hidden.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection")
    >>> plays_compiled(game, "easy"), plays_compiled(game, "hard")
    (True, False)
    """
    return bot == "random" or (bot == "easy" and not (rules.has_hidden_information and rules.moves_reveal))


def plays_many(opponent: Opponent) -> TypeGuard[VectorPolicy]:
    """Return True if an opponent plays many games at once: it takes two arguments."""
    return not isinstance(opponent, str) and _takes(opponent, 2)


def _takes(opponent: object, arguments: int) -> bool:
    try:
        inspect.signature(opponent).bind(*[None] * arguments)  # type: ignore[arg-type]  # TypeError if it is no callable
    except (TypeError, ValueError):
        return False
    return True


class Players:
    """The numbers of the players of a `VectorEnv`: `LEARNER`, those of `COMPILED`, and lower ones for `asked`."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.opponents: list[Opponent] = []
        """The players that are asked for their moves, from the number `LEARNER` - 1 downwards."""

    def asked(self, number: int) -> Opponent:
        """Return the player with a number below `LEARNER`."""
        return self.opponents[LEARNER - 1 - number]

    def player(self, number: int) -> Player:
        """Return the player with this number."""
        return self.asked(number) if number < LEARNER else {LEARNER: None, RANDOM: "random", GREEDY: "easy"}[number]

    def number(self, player: Player) -> int:
        """Return the number of a player. Raise ValueError."""
        if player is None:
            return LEARNER
        if isinstance(player, str):
            all_bots.check(player)
            if plays_compiled(self._setup.game, player):
                return COMPILED[player]
        elif not (_takes(player, 2) or _takes(player, 3)):
            raise ValueError(f"bots: {player!r} is neither None, nor the name of a bot, nor takes what bots are given")
        if player not in self.opponents:
            self.opponents.append(player)
        return LEARNER - 1 - self.opponents.index(player)

    def rows(self, bots: Bots, games: int) -> NDArray[np.int64]:
        """Return the numbers of the players of each game and seat. Raise ValueError."""
        seats = self._setup.seats
        rows: Sequence[Any] = [bots] if isinstance(bots[0], str | None) or callable(bots[0]) else bots
        if len(rows) not in (1, games):
            raise ValueError(f"bots: {len(rows)} rows for {games} games")
        for row in rows:
            if len(row) != seats:
                raise ValueError(f"{len(row)} bots cannot take {seats} seats")
        numbers = np.array([[self.number(bot) for bot in row] for row in rows], np.int64)
        if not (numbers == LEARNER).any(axis=1).all():
            raise ValueError("bots: no seat is left for a learner")
        return numbers
