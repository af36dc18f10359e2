"""What the points of a player will come to, in a learned forecast: a sum of named terms with weights.

The weights are thousandths of a 144th of a point. `python -m bench.learning paris-connection --games 200 --seed 1` made
them by ridge regression, from how far players of searching bots' games ended ahead of the mean.
"""

from typing import Any, Final

from spieltisch.core.compiled import Lookup, rule
from spieltisch.games.paris_connection.evaluate import ahead
from spieltisch.games.paris_connection.rules.turns import points
from spieltisch.games.paris_connection.state import COMPANIES

WEIGHTS: Final = {
    "points": 156_459,
    "points, times locomotives in depots": -623,
    "locomotives held": -1_003_245,
    "locomotives held, times those in depots": 2_399,
    "locomotives held above the limit": 768_870,
    "cities ahead of the own companies": 22_879,
    "cities ahead, times locomotives in depots": -146,
    "shares in companies that can build": 107_081,
    "value of those shares": -31_619,
    "depots of the own companies": 14_051,
}
BY_TERM: Final = Lookup(WEIGHTS.values())


@rule
def terms(s: Any, c: Any, p: int) -> tuple[int, ...]:
    """The terms of a player, in the order of `WEIGHTS`; cities ahead count in 24ths of a point."""
    left, held, cities, able, worth, depots = 0, 0, 0, 0, 0, 0
    for k in range(COMPANIES):
        left += s.depot[k]
        many = s.players[p].shares[k]
        held += many
        if many > 0 and s.depot[k] > 0:
            cities += many * ahead(s, c, k)
            able += many
            worth += many * s.value[k]
            depots += many * s.depot[k]
    own = points(s, c, p)
    return own, own * left, held, held * left, max(0, held - c.limit), cities, cities * left, able, worth, depots


@rule
def outlook(s: Any, c: Any, p: int) -> int:
    """How far ahead a player may expect to end, in 144ths of a point, apart from what all players have in common."""
    total, own = 0, terms(s, c, p)
    for i in range(len(BY_TERM)):
        total += BY_TERM[i] * own[i]
    return total // 1000
