"""The games as environments of other libraries: `gymnasium`, `openspiel` and `pettingzoo`, one module for each.

Each module needs its library (`spieltisch[gymnasium]`, `spieltisch[openspiel]`, `spieltisch[pettingzoo]`) and nothing
else here imports one.
"""

from collections.abc import Collection

from spieltisch.core.position import Position
from spieltisch.lab.simulation import MAX_MOVES

__all__ = ["MAX_MOVES", "rewards_of", "shares_of_win"]


def shares_of_win(seats: int, winners: Collection[int]) -> list[float]:
    """Return the part of the win of each seat.

    >>> shares_of_win(3, (0, 2))
    [0.5, 0.0, 0.5]
    """
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]


def rewards_of(position: Position) -> list[float]:
    """Return the part of the win of each seat; all share a game that was stopped."""
    outcome = position.outcome
    return shares_of_win(position.seats, outcome.winners if outcome else range(position.seats))
