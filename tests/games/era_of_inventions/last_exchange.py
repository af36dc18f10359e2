"""Provide positions in the last exchange of the game."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.era_of_inventions.positions import MARKET, position_with

NOTHING = dict.fromkeys(("wood", "coal", "metal", "technology", "tool", "coin", "stone"), 0)
LAST = {3: 9, 4: 8, 5: 10}


def last(game: Game, seats: int = 3, **changes: object) -> Position:
    """Return a position in the last exchange in which only seat 1 has goods by default."""
    goods_held_by_seat = dict.fromkeys(range(2, seats + 1), NOTHING)
    position_fields: dict[str, object] = {
        "seats": seats, "phase": "last exchange", "action": MARKET, "round_number": LAST[seats],
        "goods": goods_held_by_seat,
    }  # fmt: skip
    return position_with(game, **(position_fields | changes))  # type: ignore[arg-type]  # as the test says
