"""The game on both engines."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game


@pytest.fixture(params=["plain", "compiled"])
def game(request: pytest.FixtureRequest) -> Game:
    """Paris Connection, on plain Python and compiled."""
    return spieltisch.game("paris-connection", compiled=request.param == "compiled")


@pytest.fixture
def plain() -> Game:
    """Paris Connection on plain Python."""
    return spieltisch.game("paris-connection")
