"""Bots: players that choose a move from the bytes of an observation alone.

Belongs here: how a move is chosen from an observation, and the levels of bots. Does not belong here: what a seat may
observe (`core`), when a bot moves at a table (`live`), and how strong it is (`lab`).

`random` plays any legal move. `beginner` compares half of the moves and `easy` all of them, one move ahead, by the
game's evaluation. `medium`, `hard` and `expert` search (`spieltisch.bots.search`); more time makes them stronger.
All of them sample what is hidden from their seat, so they know no more than a player in that seat. Baselines such as
`medium-1` always play the same (`spieltisch.bots.baselines`). External bots come from files and installed packages
(`spieltisch.bots.external`).
"""

import re
from collections.abc import Callable
from itertools import dropwhile
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np

from spieltisch.bots import baselines, external, levels, styles
from spieltisch.bots.external import Bot, UnknownBot
from spieltisch.bots.search.searcher import Budget
from spieltisch.bots.turns import Answer, digest, single
from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.compiled import MASK
from spieltisch.core.observation import Observation
from spieltisch.core.suggestions import did_you_mean

__all__ = ["BOTS", "Answer", "Bot", "UnknownBot", "choose", "choose_turn"]

BOTS = ("random", "beginner", "easy", *levels.LEVELS)
"""The names of the built-in bots, from the weakest to the strongest."""

STYLED = tuple(bot for bot in BOTS if bot != "random")
"""The bots that may have a style."""

BEGINNER = "beginner"
"""The bot of the beginner's level: that of first games."""

SearchRng = np.dtype([("rng", "u8")])
"""The state of a bot while it decides: its own random generator."""


class BotName(NamedTuple):
    """The parts of a bot's name: kind, search style ("": none) and budget in seconds."""

    kind: str
    style: str
    seconds: float | None


_BUDGET = re.compile(r"(.+)@([0-9]{1,3}(?:\.[0-9]{1,3})?)")
"""A name that ends with a budget in seconds."""


def parse_bot_name(name: str) -> BotName:
    """Split a bot's name into kind, style and budget.

    >>> parse_bot_name("expert+builder@0.5")
    BotName(kind='expert', style='builder', seconds=0.5)
    """
    match = _BUDGET.fullmatch(name)
    base, seconds = (match[1], float(match[2])) if match else (name, None)
    kind, plus, style = base.partition("+")
    return BotName(kind, style, seconds) if plus and kind in STYLED else BotName(base, "", seconds)


def check(name: str) -> str:
    """Return the name of a bot if it is valid.

    Searching and external bots may have a budget in seconds ("expert@0.5"), and searching bots a style
    (`styles.STYLES`): "expert+trader". Runs the code of an external bot. Raise UnknownBot if there is no such bot.

    >>> check("expert+trader@0.5")
    'expert+trader@0.5'
    """
    kind, style, seconds = parse_bot_name(name)
    if kind in baselines.BASELINES:
        if seconds is not None:
            raise UnknownBot(f"there is no bot {name!r}; {kind} always has the same budget")
    elif kind not in BOTS:
        if not external.is_file(kind) and kind not in external.installed_bots():
            if other := baselines.other_version(kind):
                raise UnknownBot(f"this version of Spieltisch plays {other}, not {kind!r}; see docs/baselines.md")
            known = (*BOTS, *external.installed_bots())
            question = did_you_mean(name, (*known, *baselines.BASELINES))
            choices = f"choose from {', '.join(known)}, or FILE.py:NAME for one of your own{question}"
            raise UnknownBot(f"there is no bot {name!r}; {choices}")
        external.load(kind)
    elif seconds is not None and kind not in levels.LEVELS:
        raise UnknownBot(f"there is no bot {name!r}; only {', '.join(levels.LEVELS)} may have a budget such as @0.5")
    elif style and style not in styles.STYLES:
        raise UnknownBot(f"there is no bot {name!r}; the styles are {', '.join(styles.STYLES)}")
    return name


def is_built_in(name: str) -> bool:
    """Return True if a bot comes with Spieltisch: it is a level or a baseline, perhaps with a style or a budget.

    >>> is_built_in("expert@0.5"), is_built_in("medium-1"), is_built_in("mine.py:Bot")
    (True, True, False)
    """
    kind = parse_bot_name(name).kind
    return kind in BOTS or kind in baselines.BASELINES


def choose(name: str, observation: Observation | bytes, seed: SupportsIndex, *, compiled: bool = False) -> str:
    """Return the text of the move that the bot plays for the observing seat. Equal arguments give equal moves.

    `compiled` chooses the rules of an observation in bytes. Raise DocumentError for bytes that are none, UnknownBot,
    ValueError if it is not that seat's decision, and whatever an external bot raises.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> seen = position.observe(position.seat)
    >>> choose("easy", seen, seed=1) == choose("easy", seen.bytes, seed=1) in position.legal_moves
    True
    """
    return answer(name, _read(observation, compiled), seed)[0].move


def choose_turn(name: str, observation: Observation | bytes, seed: SupportsIndex) -> Answer:
    """Return the bot's answer for the observing seat: its move, and those of the same turn that it has chosen with it.

    Equal arguments give equal answers. Raise as `choose` does.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> for answered in choose_turn("easy", position.observe(position.seat).bytes, seed=1):
    ...     played = position.play(answered.move)
    >>> position.number
    1
    """
    return answer(name, _read(observation), seed)


def _read(observation: Observation | bytes, compiled: bool = False) -> Observation:
    return observation if isinstance(observation, Observation) else Observation.read(observation, compiled=compiled)


def decide(name: str, seen: Observation, seed: SupportsIndex) -> int:
    """Return the number of the move that the bot plays for the observing seat. Raise as `choose` does."""
    return seen.setup.move(answer(name, seen, seed)[0].move).number


AnswerOf: TypeAlias = Callable[[Observation, int], Answer]
"""A function from what a seat sees and a seed to an answer."""


class Turns:
    """The turns of the bots in one game: a bot is asked when its last answer does not hold or has been played.

    `left` is what is left of that answer.

    >>> import spieltisch
    >>> position, turns = spieltisch.game("paris-connection").start(seats=3, seed=1), Turns()
    >>> while position.number < 10:
    ...     move = turns.decide("easy", position.observe(position.seat), lambda: position.number)
    ...     played = position.play(move)
    """

    def __init__(self) -> None:
        self.left: Answer = ()

    def decide(self, bot: str | AnswerOf, seen: Observation, seed: Callable[[], int]) -> int:
        """Return the number of the move that the bot, or what answers like one, plays. Raise as `choose` does.

        `seed` is called if the bot is asked.
        """
        here = digest(seen) if self.left else b""
        left = tuple(dropwhile(lambda move: move.expected != here, self.left))
        left = left or (answer(bot, seen, seed()) if isinstance(bot, str) else bot(seen, seed()))
        self.left = left[1:]
        return seen.setup.move(left[0].move).number


def answer(name: str, seen: Observation, seed: SupportsIndex) -> Answer:
    """Return the bot's answer for the observing seat. Raise as `choose` does."""
    seed = require_int("seed", seed)
    kind, style, seconds = parse_bot_name(check(name))
    if seen.seat is None or seen.to_decide != seen.seat:
        raise ValueError("a bot decides only for the seat whose turn it is")
    if kind in levels.LEVELS:
        budget = None if seconds is None else Budget(seconds=seconds)
        return levels.answer_as_level(kind, seen, seed, budget, style)
    if baselines.is_searching(kind):
        return baselines.answer_of_search(kind, seen, seed)
    if not is_built_in(kind):
        return external.answer(kind, seen, seed, seconds)
    if style:
        share = levels.BEGINNER_SHARE if kind == BEGINNER else 100
        bonus, seed = styles.bonus_of(seen.setup.game, style), styles.seed_of(seed, style)
        return single(seen, styles.one_ply_move(levels.searcher(seen.setup), seen, seed, share, bonus))
    plain = baselines.BASELINES.get(kind, baselines.Baseline(kind, levels.BEGINNER_SHARE))
    if plain.plays == "beginner":
        number = levels.sampled_move(seen, seed, plain.percentage)
    else:
        number = _one_ply(plain.plays, seen, seed)
    return single(seen, number)


def _one_ply(name: str, seen: Observation, seed: int) -> int:
    """Return the move of a bot that searches nothing: the best one move ahead, or any."""
    setup = seen.setup
    engine = setup.game.engine
    mind: Any = engine.blank_record(SearchRng)
    mind.rng = setup.rng(seed & MASK)
    pool = engine.record_array(setup.game.State, 2)
    if setup.game.compiled:
        pool[0] = np.frombuffer(twin.pack(setup.game.State, seen.imagine(seed).state), setup.game.State)[0]
    else:
        pool[0] = seen.imagine(seed).state
    if name == "easy":
        number = engine.driver("greedy_move")(pool, 0, setup.params, setup.work, setup.move_buffer, mind)
    else:
        number = engine.driver("random_move")(pool[0], setup.params, setup.work, setup.move_buffer, mind)
    return int(number)
