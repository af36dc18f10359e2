"""The rules of Paris Connection, P1 to P18 with the rulings T1 to T11, as functions over records.

`s` is the state, `c` components and options (`params.py`), `w` working memory (`state.py`). Legality is defined once:
`refusal` returns the code of the reason that forbids a move, or 0, and calls one function for each rule; `legal` calls
the same functions for every move that may be legal.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.paris_connection.moves import BUILD, DONE, kind_of, part
from spieltisch.games.paris_connection.rules.building import (
    build,
    check_building_begun,
    list_buildings,
    refusal_to_build,
    stop,
)
from spieltisch.games.paris_connection.rules.setup import start
from spieltisch.games.paris_connection.rules.trading import list_trades, refusal_to_trade, trade
from spieltisch.games.paris_connection.rules.turns import P14, P15, RULES, T6, depots_left, points
from spieltisch.games.paris_connection.state import Phase

__all__ = ["P14", "P15", "RULES", "T6", "depots_left", "legal", "play", "points", "refusal", "start"]


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """Return the code of the reason that forbids the move to the seat that decides, or 0.

    The game must not be over; a hex in the move must be on the map.
    """
    kind = kind_of(move)
    if kind == BUILD:
        return refusal_to_build(s, c, w, part(move, 0), part(move, 1))
    if kind == DONE:
        return check_building_begun(s)
    return refusal_to_trade(s, c, part(move, 0), part(move, 1), part(move, 2))


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the numbers of the legal moves into `out`, ascending, and return their count."""
    if s.phase == Phase.OVER:
        return 0
    return list_trades(s, c, out, list_buildings(s, c, w, out))


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move."""
    kind = kind_of(move)
    if kind == BUILD:
        build(s, c, w, part(move, 0), part(move, 1))
    elif kind == DONE:
        stop(s, w)
    else:
        trade(s, c, w, part(move, 0), part(move, 1), part(move, 2))
