"""The games, by name. Each is a package with a class `Game`; adding one here is all that the rest of the house needs.
 Others' games join through the entry point group `spieltisch.games`, or, for a developer, through the environment
variable `SPIELTISCH_GAMES` (modules separated by commas; a game's name is its class's `key`).
"""

import importlib
import os
from functools import cache
from importlib.metadata import entry_points

from spieltisch.core.game import Game
from spieltisch.core.refusal import UnknownGame

GAMES = {
    "paris-connection": "spieltisch.games.paris_connection",
}


@cache
def modules() -> dict[str, str]:
    """The package of every game that can be played here, by the game's name."""
    found = dict(GAMES)
    for entry in entry_points(group="spieltisch.games"):
        found[entry.name] = entry.value
    for module in filter(None, os.environ.get("SPIELTISCH_GAMES", "").split(",")):
        found[importlib.import_module(module).Game.key] = module
    return found


@cache
def _game(key: str, compiled: bool) -> Game:
    if key not in modules():
        raise UnknownGame(f"there is no game {key!r}; there are {', '.join(modules())}")
    made: Game = importlib.import_module(modules()[key]).Game(compiled=compiled)
    return made


def game(key: str, *, compiled: bool = False) -> Game:
    """The game of that name, on plain Python or compiled. Raises UnknownGame.

    >>> game("paris-connection").title.de
    'Paris Connection'
    """
    return _game(key, compiled)
