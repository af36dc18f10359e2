"""Bots: players that get the bytes of an observation and nothing else, and answer with a move.

`random` plays any legal move; `apprentice` looks at half of the moves, `greedy` at all, one move ahead, by the game's
evaluation; `engineer`, `inventor` and `master` search (`spieltisch.bots.search`), the better the longer. All imagine
what they cannot see, so they know no more than a player in their seat. Others come from outside
(`spieltisch.bots.external`).
"""

import re
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from spieltisch.bots import external, levels
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search.searcher import Budget
from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.compiled import MASK
from spieltisch.core.observation import Observation

BOTS = ("random", "apprentice", "greedy", *levels.LEVELS)
"""The names of the bots there are, from the weakest to the strongest."""

SearchRng = np.dtype([("rng", "u8")])
"""What a bot keeps while it decides: a generator of its own."""


class BotName(NamedTuple):
    """A bot as it is asked for: what it is, the style in which it searches ("": none), its budget in seconds."""

    kind: str
    style: str
    seconds: float | None


_BUDGET = re.compile(r"(.+)@([0-9]{1,3}(?:\.[0-9]{1,3})?)")


def parse_bot_name(name: str) -> BotName:
    """The parts of a bot's name.

    >>> parse_bot_name("master+builder@0.5")
    BotName(kind='master', style='builder', seconds=0.5)
    """
    found = _BUDGET.fullmatch(name)
    rest, seconds = (found[1], float(found[2])) if found else (name, None)
    kind, plus, style = rest.partition("+")
    return BotName(kind, style, seconds) if plus and kind in levels.LEVELS else BotName(rest, "", seconds)


def check(name: str) -> str:
    """The name of a bot, if there is one; searching bots, and those from outside, may have a budget of seconds:
    "master@0.5", and searching ones a style (`levels.STYLES`): "master+trader". Runs the code of one from outside.
    Raises UnknownBot.

    >>> check("master+trader@0.5")
    'master+trader@0.5'
    """
    kind, style, seconds = parse_bot_name(name)
    if kind not in BOTS:
        if not external.is_file(kind) and kind not in external.installed_bots():
            known = ", ".join((*BOTS, *external.installed_bots()))
            raise UnknownBot(f"there is no bot {name!r}; there are {known}, and FILE.py:NAME is one of your own")
        external.load(kind)
    elif seconds is not None and kind not in levels.LEVELS:
        raise UnknownBot(f"there is no bot {name!r}; {', '.join(levels.LEVELS)} may have a budget such as @0.5")
    elif style and style not in levels.STYLES:
        raise UnknownBot(f"there is no bot {name!r}; the styles are {', '.join(levels.STYLES)}")
    return name


def choose(name: str, observation: bytes, seed: SupportsIndex, *, compiled: bool = False) -> str:
    """The text of the move that the bot plays for the seat that observes. Equal arguments give equal moves.

    Raises UnknownBot, ValueError when it is not that seat's decision, and what a bot from outside raises.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> seen = position.observe(position.seat)
    >>> choose("greedy", seen.bytes, seed=1) in position.legal_moves
    True
    """
    seen = Observation.read(observation, compiled=compiled)
    return seen.setup.move(decide(name, seen, seed)).text


def decide(name: str, seen: Observation, seed: SupportsIndex) -> int:
    """The number of the move that the bot plays for the seat whose observation this is; as `choose`."""
    seed = require_int("seed", seed)
    kind, style, seconds = parse_bot_name(check(name))
    if seen.seat is None or seen.to_decide != seen.seat:
        raise ValueError("a bot decides only for the seat whose turn it is")
    if kind in levels.LEVELS:
        return levels.search_as_level(
            kind, seen, seed, None if seconds is None else Budget(seconds=seconds), style
        ).move
    if name == "apprentice":
        return levels.apprentice_move(seen, seed)
    if kind not in BOTS:
        return external.decide(kind, seen, seed, seconds)
    setup = seen.setup
    engine = setup.game.engine
    mind: Any = engine.blank_record(SearchRng)
    mind.rng = setup.rng(seed & MASK)
    pool = engine.record_array(setup.game.State, 2)
    if setup.game.compiled:
        pool[0] = np.frombuffer(twin.pack(setup.game.State, seen.imagine(seed).state), setup.game.State)[0]
    else:
        pool[0] = seen.imagine(seed).state
    if name == "greedy":
        number = engine.driver("greedy_move")(pool, 0, setup.params, setup.work, setup.move_buffer, mind)
    else:
        number = engine.driver("random_move")(pool[0], setup.params, setup.work, setup.move_buffer, mind)
    return int(number)
