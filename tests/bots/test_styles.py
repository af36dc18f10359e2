"""Check that the style of a bot shows in its moves and changes nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import e

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels, styles
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search.searcher import Searcher
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.games import GAMES
from spieltisch.tables.bot_characters import BOT_CHARACTERS, style_of
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import SMALL, played

OPENINGS = 20
"""The number of opening positions of a game."""
NOISE = {"paris-connection": 1.0, "era-of-inventions": 0.5, "legendary-inventors": 0.5}
"""The points by which a move may seem worse than another one and still be as good, one ply ahead."""


def openings(key: str) -> Iterator[Observation]:
    """Yield what the seat to move sees, after up to nine random moves."""
    for seed in range(OPENINGS):
        position = played(key, 4, seed, seed % 10)
        yield position.observe(position.seat)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_game_has_every_style_and_uses_all_traits(key: str) -> None:
    game = spieltisch.game(key)
    assert tuple(game.styles) == styles.STYLES
    assert {trait for weights in game.styles.values() for trait in weights} == set(game.traits)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_style_prefers_some_moves_to_other_moves(key: str) -> None:
    for style in styles.STYLES:
        bonus = styles.bonus_of(spieltisch.game(key), style)
        assert bonus is not None
        position, told_apart = played(key, 4, 1, 0), False
        while not told_apart:
            seen = position.observe(position.seat)
            told_apart = len({bonus(seen, move) for move in position.legal_moves}) > 1
            position.play(position.legal_moves[position.number % len(position.legal_moves)])


@pytest.mark.parametrize("key", sorted(GAMES))
def test_three_characters_of_a_level_play_differently_from_the_same_position(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    firsts = list[dict[str, str]]()
    for seen in openings(key):
        gains = levels.searcher(seen.setup).gains(seen, 1)
        best, *others = sorted(gains.values(), reverse=True)
        if not others or others[0] < best - NOISE[key]:
            continue
        with monkeypatch.context() as patch:  # the draws of a move do not depend on who tries it
            patch.setattr(Searcher, "gains", lambda *_, known=gains: known)
            firsts.append({style: bots.choose(f"easy+{style}", seen, seed=1) for style in styles.STYLES})
    assert len(firsts) >= OPENINGS // 2
    for three in combinations(styles.STYLES, 3):
        differing = sum(len({first[style] for style in three}) > 1 for first in firsts)
        assert differing >= len(firsts) / 2, (three, differing, len(firsts))


def bonus_for(wanted: set[int], _: Observation, move: Move) -> float:
    return SMALL.temperature * (move.number in wanted)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_search_tries_earlier_what_a_style_prefers(key: str, library_of: LibraryOf) -> None:
    searcher = Searcher(spieltisch.game(key).setup(4), 4000, library_of(key))
    for seen in list(openings(key))[8:12]:
        wanted = {move.number for move in seen.legal_moves[::2]}
        searcher.begin(seen, 1, SMALL)
        plain = {move: prior for move, (_, prior) in searcher.tried().items()}
        searcher.begin(seen, 1, SMALL, partial(bonus_for, wanted))
        for move, (_, prior) in searcher.tried().items():
            assert prior == pytest.approx(plain[move] * (e if move in wanted else 1))


def test_the_trader_prefers_only_trades_for_two_shares() -> None:
    position = spieltisch.game("paris-connection").start(4, seed=1)
    bonus, seen = styles.bonus_of(position.setup.game, "trader"), position.observe(position.seat)
    assert bonus is not None
    liked = [move.text for move in position.legal_moves if bonus(seen, move)]
    assert liked
    assert all(re.fullmatch(r"trade \w+ for 2 \w+", text) for text in liked)


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.parametrize("level", ["beginner", "easy"])
def test_equal_seeds_and_characters_give_equal_moves(key: str, level: str) -> None:
    position = played(key, 3, 5, 12)
    seen = position.observe(position.seat)
    for style in styles.STYLES:
        name = f"{level}+{style}"
        move = bots.choose(name, seen, seed=3)
        assert move == bots.choose(name, seen.bytes, seed=3)
        assert position.why_not(move) is None


def test_a_bot_name_may_contain_a_style() -> None:
    assert bots.parse_bot_name("expert+builder@0.5") == ("expert", "builder", 0.5)
    assert bots.parse_bot_name("beginner+blocker") == ("beginner", "blocker", None)
    assert bots.parse_bot_name("mine.py:Bot+builder") == ("mine.py:Bot+builder", "", None)
    for name in ("expert+miser", "random+builder"):
        with pytest.raises(UnknownBot, match="there is no bot"):
            bots.check(name)


def test_three_seats_in_a_row_have_three_styles() -> None:
    for level, cast in BOT_CHARACTERS.items():
        found = [style_of(level, seat) for seat in range(len(cast))]
        assert found == [character.style for character in cast]
        assert set(found) <= set(styles.STYLES)
        assert all(len({found[(seat + n) % len(cast)] for n in range(3)}) == 3 for seat in range(len(cast)))
    assert style_of("random", 0) == style_of("mine.py:Bot", 0) == ""
