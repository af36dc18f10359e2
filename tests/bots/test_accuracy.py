"""Check what an analysis says about its turns and players: costs, marks, accuracy, levels, turning points and luck."""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean, harmonic_mean, pstdev

import pytest

from spieltisch.bots.analysis import SIGNIFICANCE, TURNING_POINTS, Analysis, JudgedDecision, turn_accuracy
from spieltisch.bots.judging import REJUDGED
from tests.bots.judged_turns import judged_turn


def test_a_move_whose_loss_is_within_the_margin_of_error_counts_as_no_mistake() -> None:
    loss_within_doubt, beyond = judged_turn(1, 0, 0.05), judged_turn(2, 0, 0.12)
    assert loss_within_doubt.loss < SIGNIFICANCE * loss_within_doubt.loss_doubt
    assert loss_within_doubt.cost == 0
    assert beyond.cost == pytest.approx(0.12)
    assert judged_turn(3, 0, 0.12, counts=False).cost == 0


def test_a_turn_is_marked_by_its_cost_at_the_first_move_that_leaves_the_best_line() -> None:
    assert [judged_turn(1, 0, loss, 0.01).mark for loss in (0.0, 0.02, 0.04, 0.07, 0.2)] == ["", "", "?!", "?", "??"]
    assert judged_turn(1, 0, 0.2, 0.15).mark == "", "below the margin of error"
    assert judged_turn(1, 0, 0.0, 0.0, is_only=True).mark == "!"
    other_order = judged_turn(7, 0, 0.2, 0.01, moves=("b", "a", "x", "c"), best_moves=("a", "b", "c"))
    assert other_order.marked == 9


def test_accuracy_ignores_forced_and_decided_turns() -> None:
    own_turns = [
        judged_turn(1, 0, 0.01),
        judged_turn(3, 0, 0.0),
        judged_turn(5, 0, 0.3),
        judged_turn(7, 0, 0.5, counts=False),
    ]
    analysis = Analysis(9, (1.0, 0.0), (*own_turns, judged_turn(8, 1, 0.1)))
    first, other_accuracy = analysis.accuracy(0), analysis.accuracy(1)
    assert (first.turns, first.without_mistake, other_accuracy.turns, other_accuracy.without_mistake) == (3, 2, 1, 0)
    assert first.mean_loss == pytest.approx((0.01 + 0.3) / 3)
    accuracies = [1, 1, turn_accuracy(0.3)]  # a loss of less than its error is none
    assert harmonic_mean(accuracies) < first.share < fmean(accuracies), "the chances are the same at all turns"
    assert first.doubt == pytest.approx(pstdev(accuracies) / 3**0.5)
    assert Analysis(9, (1.0, 0.0), ()).accuracy(0)[:2] == (0, 1)


def test_a_mistake_weighs_more_where_more_is_at_stake() -> None:
    def accuracy(mistake: int) -> float:
        chances = [0.5] * 20 + [0.5, 0.8, 0.2, 0.9, 0.1] * 4
        turns = [
            judged_turn(n, 0, 0.1 if n == mistake else 0.0, 0.01, won=(chance, 1 - chance))
            for n, chance in enumerate(chances)
        ]
        return Analysis(99, (1.0, 0.0), tuple(turns)).accuracy(0).share

    assert accuracy(30) < accuracy(5)


def test_one_blunder_does_not_outweigh_many_good_turns() -> None:
    def accuracy(*losses: float) -> float:
        turns = tuple(judged_turn(n, 0, loss, 0.01) for n, loss in enumerate(losses))
        return Analysis(99, (1.0, 0.0), turns).accuracy(0).share

    assert accuracy(0.8, *[0.0] * 25) > accuracy(*[0.05] * 26)


def test_a_lower_accuracy_is_rated_as_a_lower_level() -> None:
    def rated(loss: float, turns: int = 9) -> tuple[str, ...]:
        return Analysis(99, (1.0,), tuple(judged_turn(n, 0, loss, 0.0) for n in range(turns))).accuracy(0).levels

    rated_levels = [level for loss in range(300, -1, -1) for level in rated(loss / 2000)]
    ordered = ["random", "beginner", "easy", "medium", "hard", "expert"]
    assert [current for current, following in pairwise([*rated_levels, ""]) if current != following] == ordered
    assert rated(0.06, turns=3) == (), "too few turns to say"


def test_no_level_is_named_where_the_accuracy_is_uncertain() -> None:
    turns = tuple(judged_turn(n, 0, 0.0 if n else 0.5, 0.01) for n in range(6))
    assert Analysis(99, (1.0,), turns).accuracy(0).levels == ()


def test_turning_points_are_the_costliest_turns() -> None:
    analysis = Analysis(9, (1.0, 0.0), tuple(judged_turn(n, n % 2, 0.01 * n) for n in range(1, 30)))
    turning = [decision.number for decision in analysis.turning_points()]
    assert turning == [29, 28, 27, 26, 25]
    assert len(turning) == TURNING_POINTS < REJUDGED
    assert Analysis(9, (1.0, 0.0), (judged_turn(1, 0, 0.01),)).turning_points() == ()


def test_luck_is_the_change_of_expected_points_by_draws() -> None:
    """Of three stretches between decisions, only the middle stretch contains a draw."""

    def expecting(number: int, before: float, after: float) -> JudgedDecision:
        return judged_turn(number, 0, 0.0, before=(before, 9.0), after=(after, 9.0))

    decisions = (expecting(1, 10.0, 11.0), expecting(3, 11.3, 11.0), expecting(6, 14.0, 14.0))
    analysis = Analysis(7, (1.0, 0.0), decisions, (14, 9), (5,))
    luck = analysis.luck(0)
    assert luck is not None
    assert luck.draws == 1
    assert luck.points == pytest.approx(3.0)
    assert luck.doubt == pytest.approx((0.3**2 / 2) ** 0.5)
    assert Analysis(7, (1.0, 0.0), decisions, (14, 9)).luck(0) is None
    assert Analysis(7, (1.0, 0.0), (judged_turn(1, 0, 0.1),), (14, 9), (1,)).luck(0) is None, "kept by an older version"
