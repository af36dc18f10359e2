"""The rules for setting up (P1 to P3)."""

from typing import Any

from spieltisch.core.bit_sets import add
from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.moves import DRAWN_COMPANY, DRAWN_SEAT
from spieltisch.games.paris_connection.rules.network import place_locomotive, update_paths
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """Set up: portfolios from one bag (P1, P2, T10), depots, stations and the start player (P3)."""
    s.seats = c.seats
    for k in range(COMPANIES):
        w.bag[k] = c.bag
    for p in range(c.seats):
        for _ in range(c.portfolio):
            company = draw(s, w.draws, w.bag, COMPANIES, DRAWN_COMPANY)
            s.players[p].shares[company] += 1
        s.players[p].held = c.portfolio
    for k in range(COMPANIES):
        s.depot[k] = w.bag[k]
        w.bag[k] = 1
    add(s.full, c.tower)
    for k in range(COMPANIES):
        company = draw(s, w.draws, w.bag, COMPANIES, DRAWN_COMPANY)
        place_locomotive(s, c, company, c.station[k])
    for k in range(COMPANIES):
        w.bag[k] = 1
    s.seat = draw(s, w.draws, w.bag, c.seats, DRAWN_SEAT)
    s.phase = Phase.TURN
    s.company = NOBODY
    update_paths(s, c, w, NOBODY, NOBODY)
