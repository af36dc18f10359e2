"""Searches: plain ones of a few trial games, and compiled ones in the second tier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from spieltisch.bots import advice, levels
from spieltisch.bots.search import library
from spieltisch.bots.search.searcher import Budget

LibraryOf = Callable[[str], library.Library | None]


@pytest.fixture(scope="module", params=["plain", pytest.param("compiled", marks=pytest.mark.build)])
def library_of(request: pytest.FixtureRequest) -> Iterator[LibraryOf]:
    """What makes the library of a game, or None where the search is to be plain: then levels and advice are content
    with few trial games.
    """
    if request.param == "compiled":
        yield lambda key: library.load(library.build(key))
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "find", lambda game, what=library.SEARCH: None)
        patch.setattr(levels, "UNCOMPILED", Budget(24, shown=advice.SHOWN, least=4))
        patch.setattr(advice, "BUDGET", Budget(24, shown=advice.SHOWN, least=4))
        yield lambda key: None
