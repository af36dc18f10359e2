"""Fixtures shared by the tests of all games."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    """The game of the folder, on plain Python; that the compiled rules do the same is the business of `check_game`, of
    the golden games and of the fuzzer.
    """
    return spieltisch.game(request.path.parent.name.replace("_", "-"))
