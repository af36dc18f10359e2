"""Bots: players that get the bytes of an observation and nothing else, and answer with a move.

`random` plays any legal move; `apprentice` looks at half of the moves, `greedy` at all, one move ahead, by the game's
evaluation; `engineer`, `inventor` and `master` search (`spieltisch.bots.search`), the better the longer. All imagine
what they cannot see, so they know no more than a player in their seat.
"""

import re
from typing import Any

import numpy as np

from spieltisch.bots import levels
from spieltisch.bots.search.searcher import Budget
from spieltisch.core import twin
from spieltisch.core.compiled import MASK
from spieltisch.core.observation import Observation

BOTS = ("random", "apprentice", "greedy", *levels.LEVELS)
"""The names of the bots there are, from the weakest to the strongest."""

Mind = np.dtype([("rng", "u8")])
"""What a bot keeps while it decides: a generator of its own."""


_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")


class UnknownBot(ValueError):
    """There is no bot of that name."""


def check(name: str) -> str:
    """The name of a bot, if there is one; searching bots may have a budget of seconds: "master@0.5". Raises UnknownBot.

    >>> check("master@0.5")
    'master@0.5'
    """
    kind, at, seconds = name.partition("@")
    if kind not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are {', '.join(BOTS)}")
    if at and (kind not in levels.LEVELS or not _SECONDS.fullmatch(seconds)):
        raise UnknownBot(f"there is no bot {name!r}; {', '.join(levels.LEVELS)} may have a budget such as @0.5")
    return name


def choose(name: str, observation: bytes, seed: int, *, compiled: bool = False) -> str:
    """The text of the move that the bot plays for the seat that observes. Equal arguments give equal moves.

    Raises UnknownBot, and ValueError when it is not that seat's decision.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> seen = position.observe(position.seat)
    >>> choose("greedy", seen.bytes, seed=1) in position.legal_moves
    True
    """
    seen = Observation.read(observation, compiled=compiled)
    return seen.setup.move(decide(name, seen, seed)).text


def decide(name: str, seen: Observation, seed: int) -> int:
    """The number of the move that the bot plays for the seat whose observation this is; as `choose`."""
    kind, _, seconds = check(name).partition("@")
    if seen.seat is None or seen.to_decide != seen.seat:
        raise ValueError("a bot decides only for the seat whose turn it is")
    if kind in levels.LEVELS:
        return levels.think(kind, seen, seed, Budget(seconds=float(seconds)) if seconds else None).move
    if name == "apprentice":
        return levels.glance(seen, seed)
    setup = seen.setup
    engine = setup.game.engine
    mind: Any = engine.blank(Mind)
    mind.rng = setup.rng(seed & MASK)
    pool = engine.slots(setup.game.State, 2)
    if setup.game.compiled:
        pool[0] = np.frombuffer(twin.pack(setup.game.State, seen.imagine(seed).state), setup.game.State)[0]
    else:
        pool[0] = seen.imagine(seed).state
    if name == "greedy":
        number = engine.driver("greedy_move")(pool, 0, setup.params, setup.work, setup.room, mind)
    else:
        number = engine.driver("random_move")(pool[0], setup.params, setup.work, setup.room, mind)
    return int(number)
