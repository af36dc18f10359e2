"""Setting up the game (E2 to E11)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.rules.factories import give_factory
from spieltisch.games.era_of_inventions.rules.goods import receive
from spieltisch.games.era_of_inventions.rules.rounds import fill_factory_row, fill_row
from spieltisch.games.era_of_inventions.rules.stores import fill_stores
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    CARDS,
    DRAWN_SEAT,
    FACTORIES,
    FACTORY_ROW,
    GOODS,
    INVENTIONS,
    NOBODY,
    NONE,
    ROW,
    SPACES,
    START_CARDS,
    START_FACTORIES,
    Phase,
)


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """Set up the game (E2, E3, E4, E5, E6, E7, E8, E9, E10, E11)."""
    s.seats = c.seats
    for action in range(ACTIONS):
        for i in range(SPACES):
            s.discs[action][i] = NOBODY
    for invention in range(INVENTIONS):
        for k in range(2):
            s.holder[invention][k] = NOBODY
    for kind in range(GOODS):
        s.supply[kind] = c.total[kind]
    s.bonus_supply = c.bonus_total
    for factory in range(FACTORIES):
        s.owner[factory] = NOBODY
        s.factory_pile[factory] = 1 if factory >= START_FACTORIES else 0
    for p in range(c.seats):
        player = s.players[p]
        for kind in range(GOODS):
            receive(s, w, p, kind, c.start[kind])
        player.hand, player.markers, player.bonus = c.action_discs, c.markers, c.bonus_discs
        s.bonus_supply -= c.bonus_discs
        give_factory(s, c, p, p)
    for card in range(CARDS):
        s.pile[card] = 1 if card < START_CARDS else 0
        s.aside[card] = 1 - s.pile[card]
    for i in range(ROW):
        s.row[i] = NONE
    for i in range(FACTORY_ROW):
        s.factory_row[i] = NONE
    fill_factory_row(s, c, w)
    fill_row(s, c, w)
    fill_stores(s, c, w)
    for p in range(c.seats):
        w.set[p] = 1
    s.first = draw(s, w.draws, w.set, c.seats, DRAWN_SEAT)
    s.round_number = 1
    s.seat = s.first
    s.phase = Phase.PLACING
    s.action = NONE
