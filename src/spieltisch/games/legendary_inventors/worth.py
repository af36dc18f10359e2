"""How good a position of Legendary Inventors is for one seat: the greedy bot's and the playouts' evaluation."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.rules import points


@rule
def worth(s: Any, c: Any, p: int) -> int:
    return points(s, c, p)
