"""Check the moves that searching bots leave out, and their goal when they are behind."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from spieltisch.bots import choose, levels
from spieltisch.bots.search import mcts, native_library
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.position import Position
from spieltisch.games import game
from spieltisch.games.paris_connection.evaluate import prunable
from tests.bots.played_positions import played
from tests.games.paris_connection.positions import position_with


def half_trades(position: Position) -> dict[int, int]:
    """Map each one-for-one trade to its two-for-one trade, where that scores more and neither ends the game."""
    texts = {move.text: move.number for move in position.legal_moves}
    twins = {}
    for text, number in texts.items():
        twin = texts.get(text.replace(" for 1 ", " for 2 ")) if " for 1 " in text else None
        if twin is None or " for 0 " in text:
            continue
        half_trade, whole_position = position.copy(), position.copy()
        half_trade.play(number)
        whole_position.play(twin)
        gained_points = whole_position.scores[position.seat or 0], half_trade.scores[position.seat or 0]
        if not half_trade.is_over and not whole_position.is_over and (gained_points[0] or 0) > (gained_points[1] or 0):
            twins[number] = twin
    return twins


@pytest.mark.parametrize("seed", range(12))
def test_searches_leave_out_only_one_for_one_trades_where_two_for_one_is_possible(seed: int) -> None:
    """Such a trade may remain where the depot has only two locomotives."""
    position = played("paris-connection", 4, seed, 12 * seed)
    state, board = position.state, position.setup.plain_params
    pruned = {number for number in position.legal_moves.numbers if prunable(state, board, number)}
    expected = half_trades(position)
    assert pruned <= set(expected)
    for number in set(expected) - pruned:
        assert state.depot[position.setup.move(number).args[1]] == 2


@pytest.mark.build
@pytest.mark.parametrize("seed", [44, 70, 78, 79, 111])
def test_no_search_trades_one_for_one_where_two_for_one_is_possible(seed: int) -> None:
    """In these positions an earlier version of the search ranked a one-for-one trade among its three best moves."""
    native_library.build("paris-connection")
    position = played("paris-connection", 4, seed, 3 * (seed % 40))
    state, board, game = position.state, position.setup.plain_params, position.setup.game
    observation, budget = position.observe(position.seat), Budget(40, report_moves=3, min_visits=10)
    search_result = levels.search(observation, seed, budget, levels.search_params_of(game))
    tried_moves = [candidate.move for candidate in search_result.candidates if candidate.visits]
    assert len(tried_moves) >= 3
    assert not any(prunable(state, board, move) for move in tried_moves)
    waste = next(candidate.move for candidate in search_result.candidates if prunable(state, board, candidate.move))
    searched_advice = levels.search(
        observation, seed, Budget(0, extra_moves=(waste,), min_visits=10), levels.search_params_of(game)
    )
    assert searched_advice.of(waste).visits == 10, "who has played it may ask what it was worth"


@pytest.mark.rule("T6")
@pytest.mark.parametrize("seed", range(3))
def test_bots_do_not_continue_a_series_of_one_for_one_trades(seed: int) -> None:
    """Neither a search nor the easy bot plays the trade that would end the game with the default options."""
    rules = game("paris-connection")
    position = position_with(rules, seats=4, idle=11, standstill="goes on")
    setup, observation = position.setup, position.observe(position.seat)
    row = {move.number for move in position.legal_moves if " for 1 " in move.text}
    assert {n for n in position.legal_moves.numbers if prunable(position.state, setup.plain_params, n)} == row != set()
    params = SearchParams(temperature=1e6, max_playout=0)  # no move is favoured
    search_result = Searcher(setup, nodes=2_000).search(
        observation, seed, Budget(2 * len(position.legal_moves)), params
    )
    tried_moves = {candidate.move for candidate in search_result.candidates if candidate.visits}
    assert len(tried_moves) > len(position.legal_moves) - len(row) - 5
    assert not tried_moves & row
    assert position.move(choose("easy", observation.bytes, seed)).number not in row
    ending = position_with(rules, seats=4, idle=11, standstill="ends")
    assert not any(prunable(ending.state, ending.setup.plain_params, number) for number in row)


def value_of_points(points: list[float]) -> float:
    """Return the value of a game with these final points to the first seat, as the search computes it."""
    style, shares = levels.search_params_of(game("paris-connection")), [0.0] * len(points)
    settings = SimpleNamespace(scale=style.scale, unit=1.0)
    mcts.softmax(settings, SimpleNamespace(seats=len(points)), points, shares)
    return (1 - style.margin) * (points[0] == max(points)) + style.margin * shares[0]


def test_losing_by_one_point_is_worth_less_than_a_five_percent_chance_of_winning() -> None:
    going_on = 0.05 * value_of_points([129, 128, 120, 120]) + 0.95 * value_of_points([115, 130, 120, 120])
    assert value_of_points([127, 128, 120, 120]) < going_on


def test_a_few_points_more_are_worth_something_in_a_lost_game() -> None:
    assert value_of_points([94, 130, 120, 120]) - value_of_points([90, 130, 120, 120]) > 0.003
