"""The options of Era of Inventions for type checkers; `Game.options` declares them."""

from typing import Literal, TypedDict

from spieltisch.core.game import StartArguments


class SetupOptions(TypedDict, total=False):
    """The options of `Game.setup`."""

    bonus_disc_wait: Literal["turn", "round"]
    track_symbols: Literal["own action", "any gain"]
    capacity: Literal["all", "cubes"]
    limits: Literal["each action", "each turn"]
    last_exchange: Literal["no symbols", "symbols"]
    bonus_disc_after: Literal["disc", "action carried out"]
    turn_over: Literal["when needed", "when the last is drawn"]
    supply: Literal["unlimited", "box"]


class StartOptions(SetupOptions, StartArguments, total=False):
    """The options and arguments of `Game.start`."""
