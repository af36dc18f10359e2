"""The games as environments of other libraries: `gymnasium`, `openspiel` and `pettingzoo`, one module for each.

Each module needs its library (`spieltisch[gymnasium]`, `spieltisch[openspiel]`, `spieltisch[pettingzoo]`) and nothing
else here imports one.
"""

from collections.abc import Collection
from typing import SupportsIndex

from spieltisch.core.game import Game
from spieltisch.core.options import OptionValue
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.lab.simulation import MAX_MOVES

__all__ = ["MAX_MOVES", "rewards_of", "setup_of", "shares_of_win"]


def setup_of(rules: Game, seats: SupportsIndex | None, **options: OptionValue) -> Setup:
    """Return the setup for `seats` players (None: for as few as can play). Raise OptionError.

    >>> from spieltisch.games import game
    >>> setup_of(game("paris-connection"), None)
    <Setup paris-connection, 3 seats>
    """
    return rules.setup(rules.seats.start if seats is None else seats, None, **options)


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
