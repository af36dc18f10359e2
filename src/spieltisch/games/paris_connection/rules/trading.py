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
def check_other_company(given: int, taken: int) -> int:
    """Check that the colour taken is not the colour given (T2)."""
    return SAME_COMPANY if given == taken else 0


@rule
def check_depot(s: Any, c: Any, taken: int, count: int) -> int:
    """Check that the depot has the locomotives to be taken, and that the limit of a trade allows them (P12, T2)."""
    if s.depot[taken] == 0:
        return NOTHING_TO_TAKE
    if count > c.most_taken:
        return ONE_FOR_ONE
    return TOO_FEW_TO_TAKE if s.depot[taken] < count else 0


@rule
def refusal_to_trade(s: Any, c: Any, given: int, taken: int, count: int) -> int:
    """Return the reason why this trade is not allowed, or 0 (P12, T2)."""
    return (
        check_turn_begins(s)
        or check_own_locomotive(s, given)
        or check_other_company(given, taken)
        or check_depot(s, c, taken, count)
    )


@rule
def list_trades(s: Any, c: Any, out: Any, n: int) -> int:
    """Add the legal trades to the `n` moves in `out`, and return the new count."""
    if s.phase != Phase.TURN:
        return n
    for given in range(COMPANIES):
        if check_own_locomotive(s, given) != 0:
            continue
        for taken in range(COMPANIES):
            if s.depot[taken] == 0 or check_other_company(given, taken) != 0:
                continue
            for count in range(1, 3):
                if check_depot(s, c, taken, count) == 0:
                    out[n] = number(TRADE, given, taken, count)
                    n += 1
    return n


@rule
def trade(s: Any, c: Any, w: Any, given: int, taken: int, count: int) -> None:
    """Give one locomotive back to its depot and take one or two of another colour out of theirs (P12).

    P14 is tested after the whole trade (T3).
    """
    player = s.players[s.seat]
    cost = penalty(s, c, s.seat) if w.events.listening != 0 else 0
    player.shares[given] -= 1
    player.given[given] += 1
    player.owed[given] = max(player.owed[given], player.given[given] - player.taken[given])
    s.depot[given] += 1
    player.shares[taken] += count
    player.taken[taken] += count
    s.depot[taken] -= count
    player.held += count - 1
    s.idle = min(s.idle + 1, c.idle_limit) if count == 1 else 0
    if w.events.listening != 0:
        emit(w, TRADED, s.seat, given, taken, count)
        emit(w, MOVED, s.seat, given, 1, PORTFOLIO + s.seat, DEPOT)
        emit(w, MOVED, s.seat, taken, count, DEPOT, PORTFOLIO + s.seat)
        emit(w, POINTS, s.seat, -s.value[given], given)
        emit(w, POINTS, s.seat, count * s.value[taken], taken)
        emit(w, POINTS, s.seat, cost - penalty(s, c, s.seat), PENALTY)
    if depots_empty(s, w) or stalled(s, c, w):
        return
    pass_on(s)
