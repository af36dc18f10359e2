"""The baselines: fixed bots such as `medium-1`, with which others are compared; docs/baselines.md describes them.

A baseline always plays the same. Its settings are data, `baselines.toml`, so that other settings of the levels change
nothing here. Its search has as many playouts compiled as in plain Python. Where the code of a game or of the
search changes what it plays, it needs a new number: tests compare its moves with those of its first release.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.bots import levels
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.bots.search.turn_search import search_turn
from spieltisch.bots.turns import Answer
from spieltisch.core.observation import Observation

SEATS: Final = 4
"""The number of seats with which baselines are rated."""
OTHER_GAMES: Final = "other games"
"""The key of the parameters for games that have none of their own."""


class Baseline(msgspec.Struct, frozen=True):
    """The settings of a baseline.

    - `plays`: `random`, `beginner`, `easy`, or the name of a search
    - `percentage`: the percentage of the legal moves that `beginner` compares
    - `simulations`: the playouts of a search for a turn
    """

    plays: str
    percentage: int = 0
    simulations: int = 0


_FILE: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
BASELINES: Final[Mapping[str, Baseline]] = {name: Baseline(**settings) for name, settings in _FILE["bots"].items()}
"""The settings of the baselines by name, from the weakest to the strongest."""
SETUPS: Final[Mapping[str, Mapping[str, str | bool | int]]] = _FILE["setups"]
"""The options with which baselines are rated, by game."""


def is_searching(name: str) -> bool:
    """Return True if this is the name of a baseline that searches.

    >>> is_searching("medium-1"), is_searching("easy-1"), is_searching("medium")
    (True, False, False)
    """
    return name in BASELINES and BASELINES[name].plays in _FILE["searches"]


def other_version(name: str) -> str:
    """Return the baseline of this version of Spieltisch whose name differs in the number alone, or "".

    >>> other_version("medium-7"), other_version("mason-7")
    ('medium-1', '')
    """
    match = re.fullmatch(r"(.+-)\d+", name)
    return next((known for known in BASELINES if match and re.fullmatch(rf"{re.escape(match[1])}\d+", known)), "")


def answer_of_search(name: str, seen: Observation, seed: int) -> Answer:
    """Return the answer of a baseline that searches. Raise ValueError if it is not the seat's decision."""
    baseline, setup = BASELINES[name], seen.setup
    search = _FILE["searches"][baseline.plays]
    params = SearchParams(**search.get(setup.game.key, search[OTHER_GAMES]))
    return search_turn(levels.searcher(setup, search["nodes"]), seen, seed, Budget(baseline.simulations), params)
