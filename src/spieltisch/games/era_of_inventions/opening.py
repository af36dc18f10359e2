"""Setting up (E2 to E11), and what a seat may see (R37)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.goods import own_factory, receive
from spieltisch.games.era_of_inventions.numbers import DRAWN_SEAT
from spieltisch.games.era_of_inventions.rounds import fill_factory_row, fill_row
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    CARDS,
    FACTORIES,
    FACTORY_ROW,
    GOODS,
    INVENTIONS,
    NOBODY,
    NONE,
    PLACING,
    ROW,
    SPACES,
    START_CARDS,
    START_FACTORIES,
)
from spieltisch.games.era_of_inventions.stores import fill_stores


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """E2, E3, E4, E5, E6, E7, E8, E9, E10, E11: set up."""
    s.seats = c.seats
    for action in range(ACTIONS):
        for i in range(SPACES):
            s.discs[action][i] = NOBODY
    for its in range(INVENTIONS):
        for k in range(2):
            s.holder[its][k] = NOBODY
    for kind in range(GOODS):
        s.supply[kind] = c.total[kind]
    s.bonus_supply = c.bonus_total
    for factory in range(FACTORIES):
        s.owner[factory] = NOBODY
        s.factory_pile[factory] = 1 if factory >= START_FACTORIES else 0
    for p in range(c.seats):
        me = s.players[p]
        for kind in range(GOODS):
            receive(s, p, kind, c.start[kind])
        me.hand, me.markers, me.bonus = c.action_discs, c.markers, c.bonus_discs
        s.bonus_supply -= c.bonus_discs
        own_factory(s, c, p, p)
    for card in range(CARDS):
        s.pile[card] = 1 if card < START_CARDS else 0
        s.aside[card] = 1 - s.pile[card]
    for i in range(ROW):
        s.row[i] = NONE
    for i in range(FACTORY_ROW):
        s.factory_row[i] = NONE
    fill_factory_row(s, w)
    fill_row(s, w)
    fill_stores(s, c)
    for p in range(c.seats):
        w.set[p] = 1
    s.first = draw(s, w.draws, w.set, c.seats, DRAWN_SEAT)
    s.round_number = 1
    s.seat = s.first
    s.phase = PLACING
    s.action = NONE


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
