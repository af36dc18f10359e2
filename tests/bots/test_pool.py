"""The pool of search parameters that are tuned together: each joins the games, the expert always, and plays with its
own values.
"""

from __future__ import annotations

from collections import Counter

import pytest
from bench.pool import EXPERT, SEATS, drawn, miser, played, ways

import spieltisch
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.games import GAMES


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_master_sits_everywhere_and_all_others_as_it_comes(key: str) -> None:
    game = spieltisch.game(key)
    tables = [drawn(game, Budget(4), 1, number) for number in range(80)]
    assert [table.players.index(EXPERT) for table in tables[:SEATS]] == [0, 1, 2, 3]
    sat = Counter(name for table in tables for name in table.players)
    assert sat.pop(EXPERT) == len(tables)
    assert set(sat) == set(ways(game)) - {EXPERT} >= {*game.styles, "miser", "easy", "random"}
    assert max(sat.values()) < 2 * min(sat.values())


@pytest.mark.build
def test_every_way_is_played_to_the_end() -> None:
    """With trial games of equal number, so equal tables come to the same."""
    native_library.build("paris-connection")
    game = spieltisch.game("paris-connection")
    tables = [drawn(game, Budget(4), 1, number) for number in range(5)]
    assert {name for table in tables for name in table.players} == set(ways(game))
    for table in tables:
        parts = played(table)
        assert sum(parts) == pytest.approx(1)
        assert parts == played(table)


def test_a_miser_takes_the_most_points_at_once() -> None:
    position = spieltisch.game("paris-connection").start(seats=4, seed=3)
    for _ in range(12):
        seat, seen = position.seat, position.observe(position.seat)
        assert seat is not None
        after = {}
        for move in position.legal_moves.numbers:
            tried = seen.imagine(7)
            tried.play(int(move))
            after[int(move)] = tried.scores[seat]
        (chosen,) = miser(seen, 7, Budget())
        assert after[position.move(chosen.move).number] == max(after.values())
        position.play(chosen.move)
