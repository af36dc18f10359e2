"""Check the pool of search parameters that are tuned together by playing against each other."""

from __future__ import annotations

from collections import Counter

import pytest
from bench.pool import EXPERT, SEATS, draw_table, play_game, play_greedily, strategies

import spieltisch
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.games import GAMES


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_expert_bot_plays_in_every_tuning_game_and_other_strategies_take_turns(key: str) -> None:
    game = spieltisch.game(key)
    tables = [draw_table(game, Budget(4), 1, number) for number in range(80)]
    assert [table.players.index(EXPERT) for table in tables[:SEATS]] == [0, 1, 2, 3]
    sat = Counter(name for table in tables for name in table.players)
    assert sat.pop(EXPERT) == len(tables)
    assert set(sat) == set(strategies(game)) - {EXPERT} >= {*game.styles, "miser", "easy", "random"}
    assert max(sat.values()) < 2 * min(sat.values())


@pytest.mark.build
def test_every_kind_of_opponent_plays_a_game_to_its_end() -> None:
    """Opponents search a fixed number of trial games, so that equal tables have equal results."""
    native_library.build("paris-connection")
    game = spieltisch.game("paris-connection")
    tables = [draw_table(game, Budget(4), 1, number) for number in range(12)]
    assert {name for table in tables for name in table.players} == set(strategies(game))
    for table in tables:
        parts = play_game(table)
        assert sum(parts) == pytest.approx(1)
        assert parts == play_game(table)


def test_a_greedy_strategy_takes_the_move_with_the_most_immediate_points() -> None:
    position = spieltisch.game("paris-connection").start(seats=4, seed=3)
    for _ in range(12):
        seat, observation = position.seat, position.observe(position.seat)
        assert seat is not None
        after = {}
        for move in position.legal_moves.numbers:
            tried_position = observation.imagine(7)
            tried_position.play(int(move))
            after[int(move)] = tried_position.scores[seat]
        (chosen_move,) = play_greedily(observation, 7, Budget())
        assert after[position.move(chosen_move.move).number] == max(after.values())
        position.play(chosen_move.move)
