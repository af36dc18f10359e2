"""The installed games, by name.

`spieltisch.games` lists the games of this project. Others are installed through the entry point group
`spieltisch.games` or, during development, through the environment variable `SPIELTISCH_GAMES` (modules separated by
commas; the name of a game is the `key` of its class).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING

from spieltisch.core.errors import UnknownGame
from spieltisch.core.suggestions import did_you_mean

if TYPE_CHECKING:
    from spieltisch.core.game import Game

_registered_modules: dict[str, str] = {}


def register(modules: Mapping[str, str]) -> None:
    """Add games to the registry: the package of each, by its name."""
    _registered_modules.update(modules)
    game_modules.cache_clear()


@cache
def game_modules() -> dict[str, str]:
    """Return the packages of all installed games, by name."""
    packages = dict(_registered_modules)
    for entry in entry_points(group="spieltisch.games"):
        packages[entry.name] = entry.value
    for module in filter(None, os.environ.get("SPIELTISCH_GAMES", "").split(",")):
        packages[importlib.import_module(module).Game.key] = module
    return packages


@cache
def _shared_game(key: str, module: str, compiled: bool) -> Game:
    game: Game = importlib.import_module(module).Game(compiled=compiled)
    return game


def game(key: str, *, compiled: bool = False) -> Game:
    """Return the game of that name, with plain or compiled rules; see `spieltisch.game`.

    Raise UnknownGame if it is not installed, and ImportError for compiled rules without Numba.
    """
    if key not in game_modules():
        known = game_modules()
        raise UnknownGame(f"there is no game {key!r}; there are {', '.join(known)}{did_you_mean(key, known)}")
    if compiled and find_spec("numba") is None:
        raise ImportError(
            "compiled=True compiles the rules with Numba, which is not installed: pip install 'spieltisch[compile]'. "
            "Simulation and VectorEnv need it only where the wheel contains no compiled library"
        )
    return _shared_game(key, game_modules()[key], compiled)
