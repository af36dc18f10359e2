"""The styles of bots in Era of Inventions: the traits of moves, and what each is worth to a style, in points."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.games.era_of_inventions.state import NONE, STONE, Action


def _is_for(move: Move, *actions: Action) -> bool:
    """Return True if a move places a disc for one of these actions.

    A style shows in where discs are placed. Which of them is used first depends on what is there to work with.
    """
    return move.kind == "place" and move.args[0] in actions


def builds(seen: Observation, move: Move) -> float:
    """Return 1 for building factories."""
    return float(_is_for(move, Action.BUILD) or move.kind == "build")


def trades(seen: Observation, move: Move) -> float:
    """Return 1 for going to buy or exchange goods; each exchange is then worth what it brings."""
    return float(_is_for(move, Action.BUY, Action.MARKET))


def produces(seen: Observation, move: Move) -> float:
    """Return 1 for goods and inventions from the player's own factories."""
    return float(_is_for(move, Action.YIELD, Action.PRODUCE) or move.kind in ("run", "produce", "produce counterfeit"))


def develops(seen: Observation, move: Move) -> float:
    """Return 1 for going to develop if the seat can pay for a field, and else for going where there are stones."""
    if move.kind != "place":
        return 0.0
    view, prices = seen.view, seen.setup.plain_params.price
    stones = view.players[seen.seat].goods[STONE]
    is_payable = any(
        stones >= price and seat == NONE
        for fields in zip(prices, view.holder, strict=True)
        for price, seat in zip(*fields, strict=True)
    )
    return float(_is_for(move, Action.DEVELOP if is_payable else Action.MARKET))


def closes(seen: Observation, move: Move) -> float:
    """Return 1 for the last space of an action field, where another player may have wanted to go (E13)."""
    if move.kind != "place":
        return 0.0
    left = [seat for seat in seen.view.discs[move.args[0]] if seat != NONE]
    return float(bool(left) and seen.seat not in left)


TRAITS: Final[Mapping[str, Callable[[Observation, Move], float]]] = MappingProxyType(
    {"builds": builds, "trades": trades, "produces": produces, "develops": develops, "closes": closes}
)
"""The traits of moves."""

STYLES: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        "builder": {"builds": 0.5},
        "trader": {"trades": 0.3},
        "collector": {"produces": 1.0},
        "blocker": {"closes": 0.7},
        "hunter": {"develops": 0.5},
    }
)
"""The weights of each style's traits, in points."""
