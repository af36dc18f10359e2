"""Provide the drawings of a position and of its unchanging parts."""

from __future__ import annotations

from typing import Any

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.games.paris_connection.board import board
from tests.games import drawing_helpers
from tests.games.drawing_helpers import render, scene_context

GAME = spieltisch.game("paris-connection")
FRANCE = board(GAME.components)
OF_A_SCENE = ("pieces.svg", "panel.html")


def static(game: Game, language: str = "en") -> dict[str, Any]:
    return drawing_helpers.static_context(game.start(seats=4, seed=7).setup, language)


def rendered(observation: Observation, language: str = "en") -> str:
    """Return the drawing of a position for one perspective."""
    context = scene_context(observation, language)
    wanted_parts = (*OF_A_SCENE, "end.html") if observation.is_over else OF_A_SCENE
    return "".join(render(observation.setup.game, template, context, language) for template in wanted_parts)


def after(game: Game, moves: int, seed: int = 1, **options: Any) -> Position:
    return drawing_helpers.play_moves(game.start(seats=4, seed=seed, **options), moves)
