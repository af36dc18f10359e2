"""The game on both engines."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game


@pytest.fixture(params=["plain", "compiled"])
def game(request: pytest.FixtureRequest) -> Game:
    """Legendary Inventors, on plain Python and compiled."""
    return spieltisch.game("legendary-inventors", compiled=request.param == "compiled")


@pytest.fixture
def plain() -> Game:
    """Legendary Inventors on plain Python."""
    return spieltisch.game("legendary-inventors")
