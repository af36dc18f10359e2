"""The players of Era of Inventions, one row each.

A row contains goods and the joint yield of the factories, discs, inventions, and the figures for the three bonuses at
the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spieltisch.games.era_of_inventions.rules.ending import bonus_for, bonus_measure, inventions_of
from spieltisch.games.era_of_inventions.state import GOODS

if TYPE_CHECKING:
    from spieltisch.games.era_of_inventions.panel import EraScene

BONUSES = range(3)
"""The three bonuses at the end (E56): patents, stones invested, capacity."""


def holdings(scene: EraScene, seat: int) -> dict[str, Any]:
    """Return everything that a player has."""
    view, params, me = scene.view, scene.params, scene.view.players[seat]
    return {
        "first": seat == view.first,
        "influence": me.influence,
        "symbol": scene.symbol_after(me.influence),
        "goods": [
            {"id": good.id, "sign": f"good-{good.id}", "name": scene.say(good.many)}
            | {"count": me.goods[kind], "output": me.output[kind]}
            for kind, good in enumerate(scene.board.contents.goods[:GOODS])
        ],
        "hand": me.hand,
        "discs": params.action_discs,
        "bonus": me.bonus,
        "waiting": me.bought,
        "markers": me.markers,
        "inventions": int(inventions_of(view, seat)),
        "factories": [scene.factory(works) for works in scene.board.works if view.owner[works.number] == seat],
        "bonuses": [
            {
                "value": int(bonus_measure(view, params, seat, which)),
                # At the end the influence includes them.
                "points": 0 if scene.over else int(bonus_for(view, params, seat, which)),
            }
            for which in BONUSES
        ],
    }
