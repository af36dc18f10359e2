"""The bots by level: how far, how widely and by which criteria a bot looks before it moves.

No level makes random blunders: the beginner compares half of the moves and the easy bot all of them, one move
ahead; the others search, with increasing budgets. A budget counts simulations, so that equal seeds give equal moves;
its seconds are a cap for slow machines. Without a compiled search a searching bot runs as plain Python, with the small
budget `UNCOMPILED`, and is weaker for it. A style makes a bot try some moves more often; it excludes none.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.bots import styles
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import NODES, Budget, MoveBonus, Searcher, SearchParams, SearchResult
from spieltisch.bots.search.turn_search import search_turn
from spieltisch.bots.turns import Answer
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup

BEGINNER_SHARE: Final = 50
"""The percentage of the legal moves that the beginner compares."""
UNCOMPILED: Final = Budget(simulations=48, seconds=3.0)
"""The budget of a searching bot that runs as plain Python."""
UNCOMPILED_NODES: Final = 4000
"""The size of the tree of a search in plain Python."""
UNCOMPILED_STYLE: Final = SearchParams(sampled_share=1.0, max_playout=6)
"""The parameters of a search in plain Python."""

MAX_SEARCHERS: Final = 2
"""The number of setups for which a process keeps the memory of a search."""

LEVELS: Final[dict[str, Budget]] = {
    "medium": Budget(simulations=120, seconds=1.0),
    "hard": Budget(simulations=600, seconds=1.5),
    "expert": Budget(simulations=12000, seconds=1.2, threads=2),
}
"""The levels that search, from the weakest to the strongest, with their budgets for a turn."""

MAX_THREADS: Final = max(budget.threads for budget in LEVELS.values())
"""The number of threads that a search may have."""


def seconds(level: str) -> float | None:
    """Return the seconds that a level may search for a turn on idle processors, or None if it does not search.

    >>> seconds("expert"), seconds("easy")
    (1.2, None)
    """
    return LEVELS[level].seconds if level in LEVELS else None


def search_params_of(game: Game) -> SearchParams:
    """Return the parameters with which a game is searched for a move (`Game.search_params`).

    >>> import spieltisch
    >>> search_params_of(spieltisch.game("era-of-inventions")) == SearchParams()
    True
    """
    return msgspec.structs.replace(SearchParams(), **game.search_params)


def answer_as_level(level: str, seen: Observation, seed: int, budget: Budget | None = None, style: str = "") -> Answer:
    """Search a turn as a level does.

    `budget` replaces the level's own; `style` gives preference to certain moves, if the game has that style.
    Raise ValueError if it is not the seat's decision.
    """
    game = seen.setup.game
    bonus = styles.bonus_of(game, style)
    return turn(seen, styles.seed_of(seed, style), budget or LEVELS[level], search_params_of(game), bonus)


def turn(seen: Observation, seed: int, budget: Budget, style: SearchParams, bonus: MoveBonus | None = None) -> Answer:
    """Search a turn. Without a compiled search, the uncompiled budget and parameters apply."""
    budget, style = _feasible_search(seen.setup, budget, style)
    return search_turn(searcher(seen.setup), seen, seed, budget, style, bonus, plays_on=True)


def search(seen: Observation, seed: int, budget: Budget, style: SearchParams | None = None) -> SearchResult:
    """Search a decision with the game's parameters, but with playouts to the end unless `style` is given.

    Playouts run to the end because a cut one is valued by a forecast, and people are shown results, not forecasts.
    Without a compiled search, the uncompiled budget and parameters apply. Raise as `Searcher.search` does.
    """
    whole = msgspec.structs.replace(search_params_of(seen.setup.game), max_playout=SearchParams().max_playout)
    budget, style = _feasible_search(seen.setup, budget, style or whole)
    return searcher(seen.setup).search(seen, seed, budget, style)


def _feasible_search(setup: Setup, budget: Budget, style: SearchParams) -> tuple[Budget, SearchParams]:
    """Return the budget and the parameters, or those of plain Python if the search is not compiled."""
    return (UNCOMPILED, UNCOMPILED_STYLE) if native_library.find(setup.game) is None else (budget, style)


def searcher(setup: Setup, nodes: int | None = None) -> Searcher:
    """Return the searcher for a setup in this process; its tree is that of the last search.

    The tree holds `nodes` sequences of moves (None: as many as suit a compiled search, or one in plain Python).
    """
    compiled = native_library.find(setup.game)
    return _make_searcher(setup, compiled, nodes or (UNCOMPILED_NODES if compiled is None else NODES))


def sampled_move(seen: Observation, seed: int, percentage: int) -> int:
    """Return the number of the best move, one move ahead, of a random part of the legal moves.

    Raise ValueError if it is not the seat's decision.
    """
    return searcher(seen.setup).glance(seen, seed, percentage)


@lru_cache(maxsize=MAX_SEARCHERS)
def _make_searcher(setup: Setup, compiled: Path | None, nodes: int) -> Searcher:
    if compiled is None:
        return Searcher(setup, nodes=nodes)
    return Searcher(setup, nodes=nodes, library=native_library.load(compiled), threads=MAX_THREADS)
