"""The games of this project, by name.

Each game is a package with a class `Game`; its line here is all that the rest of the project needs.
"""

from spieltisch.core import registry
from spieltisch.core.registry import game, game_modules

GAMES = {
    "paris-connection": "spieltisch.games.paris_connection",
    "era-of-inventions": "spieltisch.games.era_of_inventions",
    "legendary-inventors": "spieltisch.games.legendary_inventors",
}

registry.register(GAMES)

__all__ = ["GAMES", "game", "game_modules"]
