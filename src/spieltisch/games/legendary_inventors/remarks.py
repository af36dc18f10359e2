"""The moments of Legendary Inventors on which bots remark."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation


def wanted(before: Observation, after: Observation, move: Move) -> int | None:
    """Return the player who chooses next, if they needed the patent just claimed for a run (L26)."""
    view = before.view
    place = next((n for n, seat in enumerate(view.queue) if seat == view.seat), len(view.queue))
    rival = view.queue[place + 1] if place + 1 < len(view.queue) else -1
    if move.kind != "take patent" or rival < 0:
        return None
    number = before.setup.board.inventions[view.slots[view.slot].card].classification
    held = view.players[rival].numbers
    is_beside = any(0 <= other < len(held) and held[other] for other in (number - 1, number + 1))
    return int(rival) if is_beside and not held[number] else None


REMARKS: Final[Mapping[str, Callable[[Observation, Observation, Move], int | None]]] = MappingProxyType(
    {"wanted": wanted}
)
"""The moments by name."""
