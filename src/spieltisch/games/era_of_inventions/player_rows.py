"""The players of Era of Inventions, one row each.

A row contains goods and the joint yield of the factories, discs, inventions, the figures for the three bonuses at the
end, and the three facts that matter most now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spieltisch.games.era_of_inventions.icons import BONUSES, NAMES
from spieltisch.games.era_of_inventions.rules.ending import bonus_for, bonus_measure, inventions_of
from spieltisch.games.era_of_inventions.state import COIN, GOODS, STONE, Phase

if TYPE_CHECKING:
    from spieltisch.games.era_of_inventions.panel import EraScene


def facts(scene: EraScene, seat: int) -> list[dict[str, Any]]:
    """Return the three facts about a player that matter most now, as icons with their names and numbers.

    Coins and development stones, with the discs still to be placed, the bonus discs while players act, or the
    inventions, which decide a tie (E58).
    """
    view, me = scene.view, scene.view.players[seat]
    if view.phase == Phase.PLACING:
        first = ("action-disc", scene.say(NAMES["action-disc"]), me.hand)
    elif view.phase in (Phase.LAST_EXCHANGE, Phase.OVER):
        first = ("inventions", scene.say(NAMES["inventions"]), inventions_of(view, seat))
    else:
        first = ("bonus-disc", scene.say(NAMES["bonus-disc"]), me.bonus)
    goods = [
        (f"good-{good.id}", scene.say(good.many), me.goods[kind])
        for kind, good in enumerate(scene.board.contents.goods[:GOODS])
        if kind in (COIN, STONE)
    ]
    return [{"icon": icon, "name": name, "count": int(count)} for icon, name, count in (first, *goods)]


def holdings(scene: EraScene, seat: int) -> dict[str, Any]:
    """Return everything that a player has."""
    view, params, me = scene.view, scene.params, scene.view.players[seat]
    return {
        "first": seat == view.first,
        "influence": me.influence,
        "symbol": scene.symbol_after(me.influence),
        "goods": [
            {"id": good.id, "icon": f"good-{good.id}", "name": scene.say(good.many)}
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
        "facts": facts(scene, seat),
        "bonuses": [
            {
                "icon": icon,
                "name": scene.say(name),
                "value": int(bonus_measure(view, params, seat, bonus)),
                # At the end the influence includes them.
                "points": 0 if scene.is_over else int(bonus_for(view, params, seat, bonus)),
            }
            for bonus, (icon, name) in enumerate(BONUSES.items())
        ],
    }
