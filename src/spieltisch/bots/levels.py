"""The bots by level: how far, how widely and by what a bot looks before it moves.

None blunders at random: an apprentice looks at half of the moves, a journeyman at all of them one move ahead, the
others search, with budgets that grow. A budget counts simulations, so that equal seeds give equal moves; the seconds
are a cap for slow machines. Where no compiled search lies ready a searching bot runs as plain Python, with the small
budget of `UNCOMPILED`, and is weaker for it. A style makes a bot look more at some moves, not at fewer.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, MovePredicate, Searcher, SearchParams, SearchResult
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup

APPRENTICE_SHARE: Final = 50
"""How many moves in a hundred an apprentice looks at."""
UNCOMPILED: Final = Budget(simulations=48, seconds=3.0)
UNCOMPILED_NODES: Final = 4000
UNCOMPILED_STYLE: Final = SearchParams(sampled_share=1.0, max_playout=6)

MAX_SEARCHERS: Final = 2
"""For how many setups the memory of a search is kept in a process."""

LEVELS: Final[dict[str, Budget]] = {
    "engineer": Budget(simulations=60, seconds=1.0),
    "inventor": Budget(simulations=300, seconds=1.5),
    "master": Budget(simulations=4000, seconds=2.0),
}
"""The levels that search, from the weakest to the strongest, with their budgets."""

STYLES: Final = ("builder", "trader", "hunter")
"""What a searching bot may have a taste for, as each game understands it (`Game.styles`); a hunter hunts patents."""


def seconds(level: str) -> float | None:
    """How long a level may search, in seconds of processor; None for one that does not.

    >>> seconds("master"), seconds("greedy")
    (2.0, None)
    """
    return LEVELS[level].seconds if level in LEVELS else None


def search_params_of(game: Game) -> SearchParams:
    """How a game is searched for a move, by its own parameters (`Game.search`).

    >>> import spieltisch
    >>> search_params_of(spieltisch.game("era-of-inventions")) == SearchParams()
    True
    """
    return msgspec.structs.replace(SearchParams(), **game.search_params)


def search_as_level(
    level: str, seen: Observation, seed: int, budget: Budget | None = None, style: str = ""
) -> SearchResult:
    """What a level that searches makes of a decision; another budget than its own if asked for, and with a taste for
    what a style likes, if the game knows that style. Raises ValueError when the decision is not that seat's.
    """
    game = seen.setup.game
    return search(seen, seed, budget or LEVELS[level], search_params_of(game), likes=game.styles.get(style))


def search(
    seen: Observation, seed: int, budget: Budget, style: SearchParams | None = None, likes: MovePredicate | None = None
) -> SearchResult:
    """What a search makes of a decision, in the game's style, but with trial games to their end (what is shown is no
    forecast), unless told another; uncompiled in its own budget and style. Raises as `think` does.
    """
    compiled = native_library.find(seen.setup.game)
    if compiled is None:
        return _searcher(seen.setup, None).search(seen, seed, UNCOMPILED, UNCOMPILED_STYLE, likes=likes)
    style = style or msgspec.structs.replace(search_params_of(seen.setup.game), max_playout=SearchParams().max_playout)
    return _searcher(seen.setup, compiled).search(seen, seed, budget, style, likes=likes)


def searcher(setup: Setup) -> Searcher:
    """What searches for a setup in this process; its tree is that of the last search."""
    return _searcher(setup, native_library.find(setup.game))


def apprentice_move(seen: Observation, seed: int) -> int:
    """The number of the apprentice's move. Raises ValueError when the decision is not that seat's."""
    return searcher(seen.setup).glance(seen, seed, APPRENTICE_SHARE)


@lru_cache(maxsize=MAX_SEARCHERS)
def _searcher(setup: Setup, compiled: Path | None) -> Searcher:
    if compiled is None:
        return Searcher(setup, nodes=UNCOMPILED_NODES)
    return Searcher(setup, library=native_library.load(compiled))
