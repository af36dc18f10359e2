"""Check that every element named by moves and events is drawn, so that the script can animate it."""

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
from tests.guides.guide_paths import lessons

NAMES = ("Ada", "Grace", "Mary")


def page(pages: Renderer, position: Position) -> str:
    """Return the boards as the first seat sees them."""
    setup = position.setup
    words = pages.words("en", setup.game)
    parts = render_boards(pages, setup.game, NAMES, position.observe(0), words, [], ended=False)
    return f"{parts['pieces']}{parts['panel']}"


@pytest.mark.parametrize("key", game_modules())
def test_every_element_where_an_animated_move_starts_or_ends_is_drawn(key: str) -> None:
    pages, chance = Renderer(Assets(), DrawnFiles()), random.Random(2)
    position = spieltisch.game(key).start(seats=3, seed=5)
    setup, game = position.setup, position.setup.game
    assert game.drawing is not None
    words = pages.words("en", game)
    board = pages.render_drawing(game, "board.svg", "en", (), game.drawing.static_context(setup, words))
    icons, after, count = pages.static_drawing(setup, "en").icons, page(pages, position), 0
    for _ in range(90):
        move = chance.choice(list(position.legal_moves))
        before, mover, events = after, position.seat, position.play(move, collect_events=True).events
        after = page(pages, position)
        animation = move_animation(position.observe(0), mover, move, events)
        # What belongs to others may have no place of its own; then it is where they are.
        places = [f'data-place="{animation.place}"', f'id="board-{mover}"', f'id="player-{mover}"']
        assert any(place in before + after + board for place in places), move
        for travel in game.drawing.animations(position.observe(0), events):
            assert f'id="icon-{travel.icon}"' in icons
            assert travel.amount > 0
            for end in (travel.start, travel.end):
                assert not end or f'id="{end}"' in before + after, (move, travel)
            count += 1
    assert count > 40


def lesson_pages(key: str) -> list[Lesson]:
    """Yield every page of the guided first round and of the worked examples of a game."""
    game = spieltisch.game(key)
    guide = guide_of(game)
    assert guide is not None
    shown_lessons: list[Lesson] = lessons(game)
    for example in examples(game).values():
        shown_lessons += [play_lesson(game, example, number) for number in range(1, len(example.steps) + 1)]
    return shown_lessons


@pytest.mark.parametrize("key", GAMES)
def test_moves_of_a_lesson_are_animated_from_the_previous_board(key: str) -> None:
    pages, game, count = Renderer(Assets(), DrawnFiles()), spieltisch.game(key), 0
    icons = pages.static_drawing(game.setup(3), "en").icons
    for step in lesson_pages(key):
        boards = [moment(pages, game, step, after, "en") for after in range(step.fresh, len(step.scripted_moves) + 1)]
        for scripted, before, after in zip(step.scripted_moves[step.fresh :], boards, boards[1:], strict=False):
            line = re.search(
                r'<p class="last-move" id="last-move" data-seat="(\d)"'
                r'.* data-animations="([^"]*)"(?: data-is-own-move)?>(.+)</p>',
                after,
            )
            assert line is not None
            assert line[1] == str(scripted.seat)
            for travel in line[2].split():
                mark, number, *places_of_travel = travel.split(",")
                assert f'id="icon-{mark}"' in icons
                assert int(number) > 0
                assert all(f'id="{end}"' in before + after for end in places_of_travel if end), travel
                count += 1
        for wrong_number in (step.fresh - 1, len(step.scripted_moves) + 1):
            with pytest.raises(PageRefusal):
                moment(pages, game, step, wrong_number, "en")
    assert count > 5
