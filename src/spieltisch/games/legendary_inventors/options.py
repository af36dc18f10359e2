"""The options of Legendary Inventors for type checkers; `Game.options` declares them."""

from typing import Literal, TypedDict

from spieltisch.core.game import StartArguments


class SetupOptions(TypedDict, total=False):
    """The options of `Game.setup`."""

    teams: Literal["choose", "random"]
    cubes: Literal["enough", "box"]
    patents_in_run: Literal[1, 2]


class StartOptions(SetupOptions, StartArguments, total=False):
    """The options and arguments of `Game.start`."""
