"""Provide templates, scenes and positions for the tests of all games' drawings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Words
from spieltisch.drawing import environment

NAMES = ["Marguerite", '<b>O\'Brien</b> & "Söhne"', "]]>", "Ada", "Grace"]


def words(game: Game, language: str) -> Words:
    return Words(language, game.folder / "locale")


@cache
def templates(game: Game, language: str = "en") -> Environment:
    """Return the environment of a game's templates in a language."""
    assert game.drawing is not None
    env = environment(game.drawing.templates)
    env.globals.update(words(game, language).template_functions(NAMES))
    return env


def render(game: Game, template: str, context: dict[str, Any], language: str = "en") -> str:
    return templates(game, language).get_template(template).render(**context)


def static_context(setup: Setup, language: str = "en") -> dict[str, Any]:
    """Return the context of the templates that are drawn once for a table."""
    game, words_of_game = setup.game, words(setup.game, language)
    assert game.drawing is not None
    names = {mark: words_of_game.say(name) for name, mark in game.drawing.icons_by_name(setup).items()}
    meanings = game.drawing.symbol_meanings(setup, words_of_game)
    return {**game.drawing.static_context(setup, words_of_game), "icon_names": names, "symbol_meanings": meanings}


def scene_context(observation: Observation, language: str = "en", last_moves: Sequence[Move] = ()) -> dict[str, Any]:
    """Return the context of the templates for an observation."""
    game = observation.setup.game
    assert game.drawing is not None
    return dict(game.drawing.scene_context(observation, words(game, language), NAMES, last_moves))


def play_some_move(position: Position) -> None:
    """Play an arbitrary legal move, the same in every run."""
    moves = position.legal_moves
    position.play(moves[7919 * (position.number + 1) % len(moves)])


def play_moves(position: Position, moves: int) -> Position:
    """Return the position after this number of moves, or at the end of the game."""
    while not position.is_over and position.number < moves:
        play_some_move(position)
    return position


def element_ids(text: str) -> list[str]:
    return re.findall(r'\sid="([^"]+)"', text)


def place_names(text: str) -> list[str]:
    return re.findall(r'\sdata-place="([^"]+)"', text)


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<page>{text}</page>")  # noqa: S314 (our own text)
