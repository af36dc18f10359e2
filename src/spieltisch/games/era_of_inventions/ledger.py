"""The players of Era of Inventions as the lines of a ledger: goods and what the factories yield together, discs,
inventions, and how each stands in the three bonuses at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spieltisch.games.era_of_inventions.rules.ending import bonus_for, inventions_of, standing
from spieltisch.games.era_of_inventions.rules.factories import factories_of
from spieltisch.games.era_of_inventions.state import GOODS

if TYPE_CHECKING:
    from spieltisch.games.era_of_inventions.layout import Layout

BONUSES = range(3)
"""The three bonuses at the end (E56): patents, stones invested, capacity."""


def players(layout: Layout) -> list[dict[str, Any]]:
    """The players clockwise, the seat that looks first."""
    viewer = int(layout.view.viewer)
    around = [(viewer + n) % len(layout.seats) for n in layout.seats] if viewer >= 0 else list(layout.seats)
    return [player(layout, seat) for seat in around]


def player(layout: Layout, seat: int) -> dict[str, Any]:
    """All of one player."""
    view, me = layout.view, layout.view.players[seat]
    return {
        **(layout.person(seat) or {}),
        "own": seat == view.viewer,
        "deciding": seat == view.seat,
        "first": seat == view.first,
        "influence": int(me.influence),
        "symbol": layout.symbol_after(int(me.influence)),
        "goods": [
            {"sign": f"good-{good.id}", "name": layout.say(good.many), "count": int(me.goods[kind])}
            | {"output": int(me.output[kind])}
            for kind, good in enumerate(layout.board.contents.goods[:GOODS])
        ],
        "hand": int(me.hand),
        "discs": layout.table.action_discs,
        "bonus": int(me.bonus),
        "waiting": int(me.bought),
        "markers": int(me.markers),
        "inventions": int(inventions_of(view, seat)),
        "factories": [layout.factory(works) for works in layout.board.works if int(view.owner[works.number]) == seat],
        "many_factories": int(factories_of(view, seat)),
        "bonuses": [
            {
                "value": int(standing(view, layout.table, seat, which)),
                # At the end they are part of the influence.
                "points": 0 if layout.observation.over else int(bonus_for(view, layout.table, seat, which)),
            }
            for which in BONUSES
        ],
    }
