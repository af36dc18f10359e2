"""What moves name and what their events move is drawn: a script finds where it comes from and where it goes."""

from __future__ import annotations

import random

import pytest

import spieltisch
from spieltisch.core.position import Position
from spieltisch.games import modules
from spieltisch.tables import LogLine
from spieltisch.web.http.assets import Assets, Drawn
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.happened import moved
from spieltisch.web.pages.templates import Pages

NAMES = ("Ada", "Grace", "Mary")


def page(pages: Pages, position: Position) -> str:
    """The boards as the first seat sees them."""
    setup = position.setup
    words = pages.words("en", setup.game)
    parts = drawn(pages, setup.game, NAMES, position.observe(0), words, [], ended=False)
    return f"{parts['pieces']}{parts['panel']}"


@pytest.mark.parametrize("key", modules())
def test_things_travel_between_what_is_drawn(key: str) -> None:
    pages, chance = Pages(Assets(), Drawn()), random.Random(2)
    position = spieltisch.game(key).start(seats=3, seed=5)
    setup, game = position.setup, position.setup.game
    assert game.drawing is not None
    words = pages.words("en", game)
    board = pages.render_drawing(game, "board.svg", "en", (), game.drawing.static(setup, words))
    signs, after, many = pages.drawn_once(setup, "en").signs, page(pages, position), 0
    for _ in range(90):
        move = chance.choice(list(position.legal_moves))
        before, mover, events = after, position.seat, position.play(move, listen=True).events
        after = page(pages, position)
        line = LogLine(1, 0.0, mover, 0, (), NAMES, move, events)
        shown = moved(line, position.observe(0))
        # What belongs to others may have no place of its own; then it is where they are.
        places = [f'data-place="{shown.place}"', f'id="board-{mover}"', f'id="player-{mover}"']
        assert any(place in before + after + board for place in places), move
        for travel in game.drawing.travels(position.observe(0), events):
            assert f'id="sign-{travel.mark}"' in signs
            assert travel.many > 0
            for end in (travel.start, travel.end):
                assert not end or f'id="{end}"' in before + after, (move, travel)
            many += 1
    assert many > 40
