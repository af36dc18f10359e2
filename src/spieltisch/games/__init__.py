"""The games of this project, by name.

Belongs here: one folder per game with its rules, messages, boards, lessons and component file. Does not belong here:
what two games share (`core`, `drawing`, `guides`): games do not know each other.

A game's line here is all that the rest of the project needs to know it.
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
