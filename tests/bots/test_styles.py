"""Check that the style of a bot shows in its moves and changes nothing else."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.chance import Rng, randbelow
from spieltisch.games import GAMES
from spieltisch.tables import Seat, style_of
from spieltisch.tables.bot_characters import BOT_CHARACTERS

CHANCES = 12
"""Decisions for each style at which some moves are to its taste, and others not."""


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_bot_style_prefers_some_moves_to_other_moves(key: str) -> None:
    setup = spieltisch.game(key).setup(4)
    for name, likes in setup.game.styles.items():
        assert name in levels.STYLES
        count = sum(map(likes, setup.moves))
        assert 0 < count < len(setup.moves)


def test_the_trader_style_prefers_only_trades_for_two_shares() -> None:
    setup = spieltisch.game("paris-connection").setup(4)
    liked = [move.text for move in setup.moves if setup.game.styles["trader"](move)]
    assert all(re.fullmatch(r"trade \w+ for 2 \w+", text) for text in liked)


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_style_changes_the_moves_of_a_bot(key: str) -> None:
    game = spieltisch.game(key)
    position, chance = game.start(4, seed=1), Rng(1)
    searcher = Searcher(position.setup, library=native_library.load(native_library.build(key)))
    chances, plain_counts, tasting = Counter[str](), Counter[str](), Counter[str]()
    while position.seat is not None and any(chances[style] < CHANCES for style in game.styles):
        legal, observation = position.legal_moves, position.observe(position.seat)
        first = None
        for style, likes in game.styles.items():
            if chances[style] < CHANCES and 0 < sum(map(likes, legal)) < len(legal):
                first = first or searcher.search(observation, position.number, Budget(60), SearchParams())
                second = searcher.search(observation, position.number, Budget(60), SearchParams(), likes=likes)
                chances[style] += 1
                plain_counts[style] += likes(position.setup.move(first.move))
                tasting[style] += likes(position.setup.move(second.move))
        position.play(legal[randbelow(chance, len(legal))])
    assert all(tasting[style] > plain_counts[style] for style in game.styles), (plain_counts, tasting)


def test_a_bot_name_may_contain_a_style() -> None:
    assert bots.parse_bot_name("expert+builder@0.5") == ("expert", "builder", 0.5)
    assert bots.parse_bot_name("mine.py:Bot+builder") == ("mine.py:Bot+builder", "", None)
    for name in ("expert+miser", "easy+builder"):
        with pytest.raises(UnknownBot, match="there is no bot"):
            bots.check(name)


def test_a_searching_bot_has_the_style_of_its_character() -> None:
    for level, cast in BOT_CHARACTERS.items():
        for character in cast:
            assert character.style in ("", *levels.STYLES)
            assert style_of(Seat(0, "bot", name=character.name, bot=level)) == character.style
    assert {bot.style for level in levels.LEVELS for bot in BOT_CHARACTERS[level]} == {"", *levels.STYLES}
    assert style_of(Seat(0, "person", name="Ottilie")) == ""
    assert style_of(Seat(0, "bot", name="Ottilie", bot="easy")) == ""
