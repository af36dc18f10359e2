"""Provide fixtures shared by the tests of all games."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.drawing_helpers import play_moves
from tests.web.conftest import (  # noqa: F401 - fixtures of the tests of pages
    ada,
    device,
    open_page,
    own_server,
    pages_without_server,
    prepared,
    prepared_folder,
    prepared_in_longest_words,
    quick_server,
    server,
    without_server,
)

DRAWN = {"legendary-inventors": 4, "paris-connection": 1}
"""Seeds of games in which there is something of all that is drawn."""


@pytest.fixture(scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """Return the game of the folder with plain Python rules; other tests compare compiled rules with these."""
    return spieltisch.game(request.path.parent.name.replace("_", "-"))


@pytest.fixture(scope="module")
def position_in_mid_game(game: Game) -> Position:
    """Return a position after 60 moves."""
    return play_moves(game.start(seats=4, seed=DRAWN[game.key]), 60)


@pytest.fixture(scope="module")
def final_position(game: Game) -> Position:
    return play_moves(game.start(seats=4, seed=DRAWN[game.key]), 10_000)
