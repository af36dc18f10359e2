"""Moves that searching bots do not try, and their goal when they are behind."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from spieltisch.bots import choose, levels
from spieltisch.bots.search import mcts, native_library
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.core.position import Position
from spieltisch.games import game
from spieltisch.games.paris_connection.evaluate import prunable
from tests.bots.test_search import played
from tests.games.paris_connection.positions import position_with


def halves(position: Position) -> dict[int, int]:
    """Legal trades for one locomotive of a company that is worth something, by their numbers, with the trade for two,
    where two cost nothing and neither ends the game.
    """
    texts = {move.text: move.number for move in position.legal_moves}
    twins = {}
    for text, number in texts.items():
        twin = texts.get(text.replace(" for 1 ", " for 2 ")) if " for 1 " in text else None
        if twin is None or " for 0 " in text:
            continue
        half, whole = position.copy(), position.copy()
        half.play(number)
        whole.play(twin)
        gained = whole.scores[position.seat or 0], half.scores[position.seat or 0]
        if not half.is_over and not whole.is_over and (gained[0] or 0) > (gained[1] or 0):
            twins[number] = twin
    return twins


@pytest.mark.parametrize("seed", range(12))
def test_one_for_one_is_a_waste_where_two_can_be_had(seed: int) -> None:
    """It is said of such trades alone, and of all but those that leave their depot empty or nearly."""
    position = played("paris-connection", 4, seed, 12 * seed)
    state, board = position.state, position.setup.plain_params
    pruned = {number for number in position.legal_moves.numbers if prunable(state, board, number)}
    expected = halves(position)
    assert pruned <= set(expected)
    for number in set(expected) - pruned:
        assert state.depot[position.setup.move(number).args[1]] == 2


@pytest.mark.build
@pytest.mark.parametrize("seed", [44, 70, 78, 79, 111])
def test_no_search_trades_one_for_one_where_two_can_be_had(seed: int) -> None:
    """In positions in which such a trade was among the three best, before it was left alone."""
    native_library.build("paris-connection")
    position = played("paris-connection", 4, seed, 3 * (seed % 40))
    state, board, game = position.state, position.setup.plain_params, position.setup.game
    seen, budget = position.observe(position.seat), Budget(40, report_moves=3, min_visits=10)
    thought = levels.search(seen, seed, budget, levels.search_params_of(game))
    tried = [candidate.move for candidate in thought.candidates if candidate.visits]
    assert len(tried) >= 3
    assert not any(prunable(state, board, move) for move in tried)
    waste = next(candidate.move for candidate in thought.candidates if prunable(state, board, candidate.move))
    named = levels.search(seen, seed, Budget(0, extra_moves=(waste,), min_visits=10), levels.search_params_of(game))
    assert named.of(waste).visits == 10, "who has played it may ask what it was worth"


@pytest.mark.rule("T6")
@pytest.mark.parametrize("seed", range(3))
def test_bots_do_not_go_on_with_a_row_of_one_for_one_trades(seed: int) -> None:
    """Neither search nor the easy bot plays the trade that would end the game at another table."""
    rules = game("paris-connection")
    position = position_with(rules, seats=4, idle=11, standstill="goes on")
    setup, seen = position.setup, position.observe(position.seat)
    row = {move.number for move in position.legal_moves if " for 1 " in move.text}
    assert {n for n in position.legal_moves.numbers if prunable(position.state, setup.plain_params, n)} == row != set()
    params = SearchParams(temperature=1e6, max_playout=0)  # no move is favoured
    thought = Searcher(setup, nodes=2_000).search(seen, seed, Budget(2 * len(position.legal_moves)), params)
    tried = {candidate.move for candidate in thought.candidates if candidate.visits}
    assert len(tried) > len(position.legal_moves) - len(row) - 5
    assert not tried & row
    assert position.move(choose("easy", seen.bytes, seed)).number not in row
    ending = position_with(rules, seats=4, idle=11, standstill="ends")
    assert not any(prunable(ending.state, ending.setup.plain_params, number) for number in row)


def worth(points: list[float]) -> float:
    """Return the value of a game with these final points to the first seat, as the search computes it."""
    style, shares = levels.search_params_of(game("paris-connection")), [0.0] * len(points)
    settings = SimpleNamespace(scale=style.scale, unit=1.0)
    mcts.softmax(settings, SimpleNamespace(seats=len(points)), points, shares)
    return (1 - style.margin) * (points[0] == max(points)) + style.margin * shares[0]


def test_who_is_one_point_behind_does_not_end_the_game_while_one_chance_in_twenty_is_left() -> None:
    going_on = 0.05 * worth([129, 128, 120, 120]) + 0.95 * worth([115, 130, 120, 120])
    assert worth([127, 128, 120, 120]) < going_on


def test_who_cannot_win_any_more_plays_for_points() -> None:
    """Far behind, too, four points more are a difference that some trial games can show."""
    assert worth([94, 130, 120, 120]) - worth([90, 130, 120, 120]) > 0.003
