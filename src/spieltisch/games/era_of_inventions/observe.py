"""What a seat of Era of Inventions may see, and the state that fits it: all but the generator is public (R37)."""

from typing import Any

from spieltisch.core import twin
from spieltisch.core.chance import Chance
from spieltisch.core.compiled import rule
from spieltisch.core.observation import Observation
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    CARDS,
    FACTORIES,
    FACTORY_ROW,
    GOODS,
    INVENTIONS,
    ROW,
    SPACES,
    State,
)


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view: all but the generator is public (R37)."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.ended_by = s.seats, s.seat, s.phase, s.ended_by
    o.round_number, o.first, o.action = s.round_number, s.first, s.action
    o.many, o.spent, o.way, o.new_original = s.many, s.spent, s.way, s.new_original
    for i in range(len(s.used)):
        o.used[i] = s.used[i]
    for action in range(ACTIONS):
        for i in range(SPACES):
            o.discs[action][i] = s.discs[action][i]
    for its in range(INVENTIONS):
        for k in range(2):
            o.holder[its][k], o.patented[its][k] = s.holder[its][k], s.patented[its][k]
    for i in range(ROW):
        o.row[i] = s.row[i]
    for card in range(CARDS):
        o.pile[card], o.discards[card], o.fresh[card] = s.pile[card], s.discards[card], s.fresh[card]
        o.aside[card], o.gone[card] = s.aside[card], s.gone[card]
    for i in range(FACTORY_ROW):
        o.factory_row[i] = s.factory_row[i]
    for factory in range(FACTORIES):
        o.factory_pile[factory], o.factory_discards[factory] = s.factory_pile[factory], s.factory_discards[factory]
        o.owner[factory] = s.owner[factory]
    for i in range(len(s.load)):
        o.load[i] = s.load[i]
    for kind in range(GOODS):
        o.supply[kind] = s.supply[kind]
    o.bonus_supply = s.bonus_supply
    for p in range(s.seats):
        shown, one = o.players[p], s.players[p]
        for kind in range(GOODS):
            shown.goods[kind], shown.output[kind] = one.goods[kind], one.output[kind]
        for i in range(len(one.earned)):
            shown.earned[i] = one.earned[i]
        shown.influence, shown.hand, shown.bonus, shown.bought = one.influence, one.hand, one.bonus, one.bought
        shown.markers, shown.steps = one.markers, one.steps


def imagine(observation: Observation, chance: Chance) -> Any:
    """The state that the view shows."""
    view, s = observation.view, twin.new(State)
    for name in s.__slots__:
        if name in ("rng", "players"):
            continue
        value = getattr(view, name)
        if isinstance(value, list):
            value = [row[:] if isinstance(row, list) else row for row in value]
        setattr(s, name, value)
    for p in range(observation.setup.seats):
        twin.assign(view.players[p], s.players[p])
    return s
