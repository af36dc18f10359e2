"""The games of this project, by name.

Belongs here: one folder per game with its rules, messages, boards, lessons and component file. Does not belong here:
what two games share (`core`, `drawing`, `guides`): games do not know each other.

One line here makes a game known to the rest of the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from spieltisch.core import registry
from spieltisch.core.registry import game_modules

if TYPE_CHECKING:
    from spieltisch.core.game import Game
    from spieltisch.games import era_of_inventions, legendary_inventors, paris_connection

GAMES = {
    "paris-connection": "spieltisch.games.paris_connection",
    "era-of-inventions": "spieltisch.games.era_of_inventions",
    "legendary-inventors": "spieltisch.games.legendary_inventors",
}

registry.register(GAMES)

__all__ = ["GAMES", "game", "game_modules", "game_names"]


def game_names() -> tuple[str, ...]:
    """Return the names of all installed games, those of this project first.

    >>> game_names()[:3]
    ('paris-connection', 'era-of-inventions', 'legendary-inventors')
    """
    return tuple(game_modules())


@overload
def game(key: Literal["paris-connection"], *, compiled: bool = ...) -> paris_connection.Game: ...
@overload
def game(key: Literal["era-of-inventions"], *, compiled: bool = ...) -> era_of_inventions.Game: ...
@overload
def game(key: Literal["legendary-inventors"], *, compiled: bool = ...) -> legendary_inventors.Game: ...
@overload
def game(key: str, *, compiled: bool = ...) -> Game: ...
def game(key: str, *, compiled: bool = False) -> Game:
    """Return the game of that name, with plain or compiled rules. Raise UnknownGame if it is not installed.

    Compiled rules pay where whole games are played in compiled code, as in `spieltisch.lab.simulation`: they are a
    hundred times faster or more. Move by move through `Position` they gain little or nothing; with short rules they
    take more than twice the time of plain ones, because each call crosses from Python into compiled code and back. So
    use plain rules for a table, for analysing positions, or for a bot in Python.

    >>> import spieltisch
    >>> game("paris-connection").title.de
    'Paris Connection'
    """
    return registry.game(key, compiled=compiled)
