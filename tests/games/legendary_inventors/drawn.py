"""Provide drawings of a position, and positions to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.board import Board, board
from tests.games import drawing_helpers
from tests.games.drawing_helpers import render, scene_context

BOX: Board = board(spieltisch.game("legendary-inventors").components)


def rendered(observation: Observation, language: str = "en", last_moves: Sequence[Move] = ()) -> str:
    """Return the drawing of a position for one perspective, with the icons of the page."""
    game = observation.setup.game
    assert game.drawing is not None
    icons = drawing_helpers.static_context(observation.setup, language)
    context = {**scene_context(observation, language, last_moves), "rules_page": "/games/legendary-inventors/rules"}
    wanted_parts = ("panel.html", "end.html") if observation.is_over else ("panel.html",)
    return "".join(
        [
            render(game, "icons.svg", icons, language),
            *(render(game, template, context, language) for template in wanted_parts),
        ]
    )


def after(game: Game, moves: int, seats: int = 4, **options: Any) -> Position:
    return drawing_helpers.play_moves(game.start(seats=seats, seed=4, **options), moves)
