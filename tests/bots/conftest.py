"""Provide searches: plain searches with few trial games, and compiled searches in the second tier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from spieltisch.bots import advice, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget

LibraryOf = Callable[[str], native_library.Library | None]


@pytest.fixture(scope="module", params=["plain", pytest.param("compiled", marks=pytest.mark.build)])
def library_of(request: pytest.FixtureRequest) -> Iterator[LibraryOf]:
    """Return a function that builds the compiled library of a game.

    Without a library, searches run in plain Python, and levels and advice use few playouts.
    """
    if request.param == "compiled":
        yield lambda key: native_library.load(native_library.build(key))
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_library, "find", lambda game, entry=native_library.SEARCH: None)
        patch.setattr(levels, "UNCOMPILED", Budget(24, report_moves=advice.MAX_MOVES, min_visits=4))
        patch.setattr(advice, "BUDGET", Budget(24, report_moves=advice.MAX_MOVES, min_visits=4))
        yield lambda key: None
