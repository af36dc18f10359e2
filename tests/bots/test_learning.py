"""Learning a forecast: the same again, what is linear is found, and the weights in the package tell the end better than
points alone.
"""

from __future__ import annotations

import numpy as np
import pytest
from bench.learning import Lesson, Seen, fitted, joined, likeness, seen

import spieltisch
from spieltisch.bots.search import library
from spieltisch.games.paris_connection import forecast
from spieltisch.lab.cores import HERE, Cores, in_order

LESSONS = [Lesson("paris-connection", 77, number, 4) for number in range(4)]


@pytest.fixture(scope="module")
def lessons() -> list[Seen]:
    library.build("paris-connection")
    return [one for _, one in in_order(HERE, seen, LESSONS)]


def test_the_same_whatever_the_number_of_jobs(lessons: list[Seen]) -> None:
    others = [one for _, one in in_order(Cores(2), seen, LESSONS)]
    for one, other in zip(lessons, others, strict=True):
        assert all((mine == its).all() for mine, its in zip(one, other, strict=True))


def test_every_player_of_a_position_is_a_row_and_the_table_is_even(lessons: list[Seen]) -> None:
    for lesson, one in zip(LESSONS, lessons, strict=True):
        seats = 3 if lesson.number % 3 == 1 else 4
        terms = one.terms.reshape(-1, seats, len(forecast.WEIGHTS))
        assert len(one.ahead) == len(one.coming) == terms.shape[0] * seats
        assert np.allclose(terms.sum(1), 0)
        assert np.allclose(one.ahead.reshape(-1, seats).sum(1), 0)
        assert (np.diff(one.coming[::seats]) == -5).all()


def test_what_is_linear_is_found(lessons: list[Seen]) -> None:
    terms = np.random.default_rng(1).normal(size=(5000, 3))
    weights = np.array([2.0, -1.0, 0.0])
    found = fitted(Seen(terms, terms @ weights, np.zeros(5000)))
    assert found == pytest.approx(weights, abs=0.01)


def test_the_forecast_tells_the_end_better_than_points_do(lessons: list[Seen]) -> None:
    """In games that the weights were not learned from."""
    others = [Lesson("paris-connection", 77, number, 30) for number in range(8)]
    terms, ahead, coming = joined([one for _, one in in_order(HERE, seen, others)])
    middle = (coming >= 50) & (coming < 120)
    told = terms[middle] @ np.array(forecast.BY_TERM)
    assert likeness(told, ahead[middle]) > likeness(terms[middle, 0], ahead[middle]) + 0.05


def test_a_game_without_a_forecast_has_nothing_to_learn() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"era_of_inventions\.forecast"):
        seen(Lesson("era-of-inventions", 1, 0, 4))


def test_terms_are_those_of_the_position() -> None:
    position = spieltisch.game("paris-connection").start(4, seed=3)
    left = sum(position.state.depot)
    for seat in range(4):
        found = dict(
            zip(forecast.WEIGHTS, forecast.terms(position.state, position.setup.plain_params, seat), strict=True)
        )
        assert found["points"] == position.scores[seat]
        assert found["points, times locomotives in depots"] == left * position.scores[seat]
        assert found["locomotives held"] == sum(position.state.players[seat].shares)
        assert found["locomotives held above the limit"] == 0
