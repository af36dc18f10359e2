"""The game on plain Python; that the compiled rules do the same is `check_game`'s business."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game


@pytest.fixture
def game() -> Game:
    """Era of Inventions."""
    return spieltisch.game("era-of-inventions")
