"""No bot with a style ends a game that it is losing, unless every alternative is worse for it."""

from collections.abc import Mapping
from typing import Final

from spieltisch.bots.search.searcher import SearchParams
from spieltisch.core.observation import Observation

WORLDS: Final = 3
"""The number of imagined worlds in which an end is tried."""
PATIENCE: Final = 0.1
"""The part of a game's `SearchParams.scale` by which another move may seem worse than an end that is certain."""


def ends_lost(seen: Observation, seed: int, move: int) -> bool:
    """Return True if a move ends the game and the observing seat does not win it, in most of the imagined worlds."""
    lost = 0
    for number in range(WORLDS):
        world = seen.imagine(seed + number)
        world.play(move)
        if (outcome := world.outcome) is None:
            return False
        lost += seen.seat not in outcome.winners
    return 2 * lost > WORLDS


def move_instead(seen: Observation, seed: int, move: int, gains: Mapping[int, float]) -> int:
    """Return the move, or the best one by its gain that plays on if the move would end a game that is being lost."""
    if not ends_lost(seen, seed, move):
        return move
    patience = PATIENCE * seen.setup.game.search_params.get("scale", SearchParams().scale)
    others = sorted((other for other in gains if gains[other] >= gains[move] - patience), key=gains.__getitem__)
    return next((other for other in reversed(others) if not ends_lost(seen, seed, other)), move)
