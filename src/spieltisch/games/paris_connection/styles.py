"""The styles of bots in Paris Connection: the traits of moves, and what each is worth to a style, in points.

A trait reads what its seat sees, and nothing else.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spieltisch.core import bit_sets
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.games.paris_connection.state import COMPANIES


def _company(move: Move) -> int | None:
    """Return the company that a move takes or builds for."""
    if move.kind == "trade":
        return move.args[1]
    return move.args[0] if move.kind == "build" else None


def _keeps_points(seen: Observation, move: Move) -> bool:
    """Return True for a trade that takes shares worth at least as much as the one given."""
    if move.kind != "trade":
        return False
    given, taken, count = move.args
    value = seen.view.value
    return bool(count * value[taken] >= value[given])


def takes_two(seen: Observation, move: Move) -> float:
    """Return 1 for a trade for two shares that costs no points."""
    return float(_keeps_points(seen, move) and move.args[2] == 2)


def gathers(seen: Observation, move: Move) -> float:
    """Return 1 for a share of the company of which the seat holds most, if the trade costs no points."""
    shares = seen.view.players[seen.seat].shares
    return float(_keeps_points(seen, move) and shares[move.args[1]] == max(shares))


def denies(seen: Observation, move: Move) -> float:
    """Return 1 for a share of the scarcest company at no cost, and for track where two other companies could build."""
    view = seen.view
    if move.kind == "trade":
        return float(_keeps_points(seen, move) and view.depot[move.args[1]] == min(n for n in view.depot if n > 0))
    if move.kind != "build":
        return 0.0
    others = (other for other in range(COMPANIES) if other != move.args[0])
    return float(sum(bit_sets.has(view.front[other], move.args[1]) for other in others) >= 2)


def chases(seen: Observation, move: Move) -> float:
    """Return 1 for a move for a company that is worth most."""
    company = _company(move)
    return float(company is not None and seen.view.value[company] == max(seen.view.value))


TRAITS: Final[Mapping[str, Callable[[Observation, Move], float]]] = MappingProxyType(
    {
        "builds": lambda seen, move: float(move.kind == "build"),
        "takes two": takes_two,
        "gathers": gathers,
        "denies": denies,
        "chases": chases,
    }
)
"""The traits of moves."""

STYLES: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        "builder": {"builds": 1.5},
        "trader": {"takes two": 2.0},
        "collector": {"gathers": 2.0},
        "blocker": {"denies": 2.0},
        "hunter": {"chases": 2.0},
    }
)
"""The weights of each style's traits, in points."""
