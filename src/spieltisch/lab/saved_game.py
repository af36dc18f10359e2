"""A game of a `VectorEnv` as a value."""

from typing import NamedTuple

from spieltisch.bots import Answer
from spieltisch.core.setup import Setup
from spieltisch.lab.vector_players import Player


class SavedGame(NamedTuple):
    """A game of a `VectorEnv` as a value: it can be compared, kept, pickled, and loaded again.

    `state` is the record of the state, `bot_rng` the generator of the bots, `moves` the number of moves, `seed` that of
    the game, `players` the players by seat, `scores` the points at the last step (none unless they are the rewards),
    `answer` what a bot will play on in its turn.

    >>> from spieltisch.vector import VectorEnv
    >>> env = VectorEnv("paris-connection", 2)
    >>> saved = env.save(0)
    >>> env.load(1, saved)
    >>> env.save(1) == saved
    True
    """

    setup: Setup
    state: bytes
    bot_rng: int
    moves: int
    seed: int
    players: tuple[Player, ...]
    scores: tuple[int, ...]
    answer: Answer
