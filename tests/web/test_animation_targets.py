"""Everything that moves name and events move is drawn, so that the script finds where it starts and where it ends."""

from __future__ import annotations

import random
import re

import pytest

import spieltisch
from spieltisch.core.position import Position
from spieltisch.games import GAMES, game_modules
from spieltisch.guides import Lesson, examples, guide_of, play_lesson
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.lesson import moment
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.renderer import Renderer
from tests.guide_paths import lessons

HAPPENED = re.compile(r'<p class="happened" id="happened" data-seat="(\d)".* data-animations="([^"]*)">(.+)</p>')
NAMES = ("Ada", "Grace", "Mary")


def page(pages: Renderer, position: Position) -> str:
    """The boards as the first seat sees them."""
    setup = position.setup
    words = pages.words("en", setup.game)
    parts = render_boards(pages, setup.game, NAMES, position.observe(0), words, [], ended=False)
    return f"{parts['pieces']}{parts['panel']}"


@pytest.mark.parametrize("key", game_modules())
def test_things_travel_between_what_is_drawn(key: str) -> None:
    pages, chance = Renderer(Assets(), DrawnFiles()), random.Random(2)
    position = spieltisch.game(key).start(seats=3, seed=5)
    setup, game = position.setup, position.setup.game
    assert game.drawing is not None
    words = pages.words("en", game)
    board = pages.render_drawing(game, "board.svg", "en", (), game.drawing.static_context(setup, words))
    signs, after, many = pages.static_drawing(setup, "en").signs, page(pages, position), 0
    for _ in range(90):
        move = chance.choice(list(position.legal_moves))
        before, mover, events = after, position.seat, position.play(move, collect_events=True).events
        after = page(pages, position)
        shown = move_animation(position.observe(0), mover, move, events)
        # What belongs to others may have no place of its own; then it is where they are.
        places = [f'data-place="{shown.place}"', f'id="board-{mover}"', f'id="player-{mover}"']
        assert any(place in before + after + board for place in places), move
        for travel in game.drawing.animations(position.observe(0), events):
            assert f'id="sign-{travel.icon}"' in signs
            assert travel.amount > 0
            for end in (travel.start, travel.end):
                assert not end or f'id="{end}"' in before + after, (move, travel)
            many += 1
    assert many > 40


def taught(key: str) -> list[Lesson]:
    """Every page of the guided first round and of the worked examples of a game."""
    game = spieltisch.game(key)
    guide = guide_of(game)
    assert guide is not None
    shown: list[Lesson] = lessons(game)
    for example in examples(game).values():
        shown += [play_lesson(game, example, number) for number in range(1, len(example.steps) + 1)]
    return shown


@pytest.mark.parametrize("key", GAMES)
def test_what_is_taught_is_shown_move_by_move_from_the_board_before(key: str) -> None:
    pages, game, many = Renderer(Assets(), DrawnFiles()), spieltisch.game(key), 0
    signs = pages.static_drawing(game.setup(3), "en").signs
    for step in taught(key):
        boards = [moment(pages, game, step, after, "en") for after in range(step.fresh, len(step.scripted_moves) + 1)]
        for scripted, before, after in zip(step.scripted_moves[step.fresh :], boards, boards[1:], strict=False):
            line = re.search(
                r'<p class="happened" id="happened" data-seat="(\d)"'
                r'.* data-animations="([^"]*)"(?: data-own)?>(.+)</p>',
                after,
            )
            assert line is not None
            assert line[1] == str(scripted.seat)
            for travel in line[2].split():
                mark, number, *ends = travel.split(",")
                assert f'id="sign-{mark}"' in signs
                assert int(number) > 0
                assert all(f'id="{end}"' in before + after for end in ends if end), travel
                many += 1
        for wrong in (step.fresh - 1, len(step.scripted_moves) + 1):
            with pytest.raises(PageRefusal):
                moment(pages, game, step, wrong, "en")
    assert many > 5
