"""The moments of Era of Inventions on which bots remark."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.games.era_of_inventions.state import GOODS, NONE, Action


def wanted(before: Observation, after: Observation, move: Move) -> int | None:
    """Return the next player, if their disc waits to build, and the only factory that they could pay for is gone."""
    view, c = before.view, before.setup.plain_params
    rival = (view.seat + 1) % view.seats
    if move.kind != "build" or rival not in view.discs[Action.BUILD]:
        return None
    goods = view.players[rival].goods
    payable = [
        factory
        for factory in view.factory_row
        if factory != NONE and all(goods[k] >= c.factory_cost[factory][k] for k in range(GOODS))
    ]
    return rival if payable == [move.args[0]] else None


REMARKS: Final[Mapping[str, Callable[[Observation, Observation, Move], int | None]]] = MappingProxyType(
    {"wanted": wanted}
)
"""The moments by name."""
