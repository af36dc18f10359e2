"""The moments of Paris Connection on which bots remark, from what spectators see."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation


def wanted(before: Observation, after: Observation, move: Move) -> int | None:
    """Return the player to move next, if a trade leaves at most one share of the company of which they have taken most.

    Without the memory aid nothing says so: players have to remember what others took (T5).
    """
    rival, company = after.to_decide, move.args[1] if move.kind == "trade" else -1
    if rival is None or company < 0 or after.view.depot[company] > 1 or not before.setup.options["memory_aid"]:
        return None
    player = before.view.players[rival]
    gained = [taken - given for taken, given in zip(player.taken, player.given, strict=True)]
    return rival if gained[company] == max(gained) > 1 else None


def limit(before: Observation, after: Observation, move: Move) -> int | None:
    """Return the seat that has moved, if it holds more shares than the limit for the first time (P17)."""
    seat, most = before.view.seat, before.setup.plain_params.limit
    return seat if before.view.players[seat].held <= most < after.view.players[seat].held else None


REMARKS: Final[Mapping[str, Callable[[Observation, Observation, Move], int | None]]] = MappingProxyType(
    {"wanted": wanted, "limit": limit}
)
"""The moments by name."""
