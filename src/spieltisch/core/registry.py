"""The games that can be played here, by name.

`spieltisch.games` lists ours. Others join through the entry point group `spieltisch.games`, or, for a developer,
through the environment variable `SPIELTISCH_GAMES` (modules separated by commas; a game's name is its class's `key`).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from spieltisch.core.errors import UnknownGame

if TYPE_CHECKING:
    from spieltisch.core.game import Game

_listed: dict[str, str] = {}


def register(listed: Mapping[str, str]) -> None:
    """Make games known: the package of each, by the game's name."""
    _listed.update(listed)
    game_modules.cache_clear()


@cache
def game_modules() -> dict[str, str]:
    """The package of every game that can be played here, by the game's name."""
    found = dict(_listed)
    for entry in entry_points(group="spieltisch.games"):
        found[entry.name] = entry.value
    for module in filter(None, os.environ.get("SPIELTISCH_GAMES", "").split(",")):
        found[importlib.import_module(module).Game.key] = module
    return found


@cache
def _game(key: str, module: str, compiled: bool) -> Game:
    made: Game = importlib.import_module(module).Game(compiled=compiled)
    return made


def game(key: str, *, compiled: bool = False) -> Game:
    """The game of that name, on plain Python or compiled. Raises UnknownGame.

    Compiled rules pay where whole games are played in compiled code, as `spieltisch.lab.simulation` does: a hundred
    times faster and more. Move by move through `Position` they gain little or nothing, and with short rules they are
    less than half as fast as plain ones, for each call crosses from Python into compiled code and back. So take plain
    rules for a table, a look at positions, a bot in Python.

    >>> import spieltisch
    >>> game("paris-connection").title.de
    'Paris Connection'
    """
    if key not in game_modules():
        raise UnknownGame(f"there is no game {key!r}; there are {', '.join(game_modules())}")
    return _game(key, game_modules()[key], compiled)
