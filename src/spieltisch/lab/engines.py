"""The engines that play the games of a simulation: the compiled library of a game, compiled rules, or plain Python."""

import logging
from functools import cache
from importlib.util import find_spec

from spieltisch.bots.search.native_library import GAMES, Library, find, load
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.games import game as find_game

_logger = logging.getLogger(__name__)


@cache  # once in a process
def say_slow(key: str) -> None:
    """Log that the games of a simulation are played in plain Python though they need not be."""
    advice = "compiled=True compiles them" if find_spec("numba") else "pip install 'spieltisch[compile]'"
    _logger.warning("%s: the rules run as plain Python, some 30 times slower than compiled: %s", key, advice)


def library_of(setup: Setup) -> Library | None:
    """Return the library that plays games with this setup, or None."""
    ready = None if setup.game.compiled else find(setup.game, GAMES)
    return None if ready is None else load(ready)


def is_compiled(game: Game, entry: str = "play_games") -> bool:
    """Return True if the cache has the rules, compiled by an earlier run for this entry point."""
    return any(game.engine.binding.folder.glob(f"*/*.{entry}-*.nbi"))


def on_plain_python(setup: Setup) -> Setup:
    """Return the same setup on plain Python."""
    if not setup.game.compiled:
        return setup
    return find_game(setup.game.key).setup(setup.seats, setup.components, **setup.options)
