"""Check which level of bots a won game has beaten."""

from __future__ import annotations

import pytest

from spieltisch.tables import GameResult, ResultPlayer
from spieltisch.tables.bot_levels import beaten_level, opposed_level

BEN = ResultPlayer("person", "Ben", 10, 2, person="ben")


@pytest.mark.parametrize(
    ("place", "others", "is_rated", "level"),
    [
        (1, ("hard", "easy", "expert"), True, "easy"),
        (2, ("easy",), True, ""),
        (1, ("easy",), False, ""),
        (1, ("random", "easy"), True, ""),
        (1, ("easy", BEN), True, ""),
    ],
)
def test_a_won_game_against_bots_alone_beats_the_weakest_level(
    place: int, others: tuple[str | ResultPlayer, ...], is_rated: bool, level: str
) -> None:
    opponents = [
        ResultPlayer("bot", "Basil", 10, 3 - place, bot=other) if isinstance(other, str) else other for other in others
    ]
    players = (ResultPlayer("person", "Ada", 20, place, person="ada"), *opponents)
    result = GameResult("toy", 1.0, players, is_rated)
    assert beaten_level(result, "ada") == level
    assert opposed_level(result, "ada") == (level or ("easy" if is_rated and others == ("easy",) else ""))
