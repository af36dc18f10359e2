"""The options of Paris Connection for type checkers; `Game.options` declares them."""

from typing import Literal, TypedDict

from spieltisch.core.game import StartArguments


class SetupOptions(TypedDict, total=False):
    """The options of `Game.setup`."""

    cut_off: Literal["strict", "weak"]
    stations: Literal["closed", "open"]
    standstill: Literal["ends", "goes on"]
    memory_aid: bool


class StartOptions(SetupOptions, StartArguments, total=False):
    """The options and arguments of `Game.start`."""
