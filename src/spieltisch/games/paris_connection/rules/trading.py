"""The rules for trading locomotives (P12)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.paris_connection.log import DEPOT, PENALTY, PORTFOLIO, TRADED
from spieltisch.games.paris_connection.moves import TRADE, number
from spieltisch.games.paris_connection.refusals import (
    NOT_HELD,
    NOTHING_TO_TAKE,
    ONE_FOR_ONE,
    SAME_COMPANY,
    TOO_FEW_TO_TAKE,
)
from spieltisch.games.paris_connection.rules.turns import check_turn_begins, depots_empty, pass_on, penalty, stalled
from spieltisch.games.paris_connection.state import COMPANIES, Phase


@rule
def check_own_locomotive(s: Any, company: int) -> int:
    """Check that the player holds a locomotive of the company to be given back (P12)."""
    return 0 if s.players[s.seat].shares[company] > 0 else NOT_HELD


@rule
def check_other_company(give: int, take: int) -> int:
    """Check that the colour taken is not the colour given (T2)."""
    return SAME_COMPANY if give == take else 0


@rule
def check_depot(s: Any, c: Any, take: int, count: int) -> int:
    """Check that the depot has the locomotives to be taken, and that the limit of a trade allows them (P12, T2)."""
    if s.depot[take] == 0:
        return NOTHING_TO_TAKE
    if count > c.most_taken:
        return ONE_FOR_ONE
    return TOO_FEW_TO_TAKE if s.depot[take] < count else 0


@rule
def refusal_to_trade(s: Any, c: Any, give: int, take: int, count: int) -> int:
    """Return the reason why this trade is not allowed, or 0 (P12, T2)."""
    return (
        check_turn_begins(s)
        or check_own_locomotive(s, give)
        or check_other_company(give, take)
        or check_depot(s, c, take, count)
    )


@rule
def list_trades(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the legal trades to the `n` moves in `out`, and return the new count."""
    if s.phase != Phase.TURN:
        return n
    for give in range(COMPANIES):
        if check_own_locomotive(s, give) != 0:
            continue
        for take in range(COMPANIES):
            if s.depot[take] == 0 or check_other_company(give, take) != 0:
                continue
            for count in range(1, 3):
                if check_depot(s, c, take, count) == 0:
                    out[n] = number(TRADE, give, take, count)
                    n += 1
    return n


@rule
def trade(s: Any, c: Any, w: Any, give: int, take: int, count: int) -> None:
    """Give one locomotive back to its depot and take one or two of another colour out of theirs (P12).

    P14 is tested after the whole trade (T3).
    """
    me = s.players[s.seat]
    cost = penalty(s, c, s.seat) if w.events.listening != 0 else 0
    me.shares[give] -= 1
    me.given[give] += 1
    me.owed[give] = max(me.owed[give], me.given[give] - me.taken[give])
    s.depot[give] += 1
    me.shares[take] += count
    me.taken[take] += count
    s.depot[take] -= count
    me.held += count - 1
    s.idle = min(s.idle + 1, c.idle_limit) if count == 1 else 0
    if w.events.listening != 0:
        emit(w, TRADED, s.seat, give, take, count)
        emit(w, MOVED, s.seat, give, 1, PORTFOLIO + s.seat, DEPOT)
        emit(w, MOVED, s.seat, take, count, DEPOT, PORTFOLIO + s.seat)
        emit(w, POINTS, s.seat, -s.value[give], give)
        emit(w, POINTS, s.seat, count * s.value[take], take)
        emit(w, POINTS, s.seat, cost - penalty(s, c, s.seat), PENALTY)
    if depots_empty(s, w) or stalled(s, c, w):
        return
    pass_on(s)
