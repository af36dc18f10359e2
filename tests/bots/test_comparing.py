"""Check the comparison of advised moves by the sources of points."""

from __future__ import annotations

from math import inf

import pytest

import spieltisch
from spieltisch.bots import comparing, levels
from spieltisch.bots.comparing import OTHERS, Comparison, Difference, Mean, compare
from spieltisch.core.game_texts import GameTexts
from spieltisch.games import GAMES
from spieltisch.lab.result_rows import DEALT, points_by_source
from spieltisch.lab.simulation import Simulation
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import SMALL, played
from tests.tiers import first_alone


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_points_of_a_state_by_source_are_those_of_the_events(key: str) -> None:
    simulation = Simulation(spieltisch.game(key).setup(3), ["random"] * 3, seed=4)
    game = simulation.game(1)
    end = simulation.end(game)
    for seat, by_source in enumerate(points_by_source(simulation, game)):
        assert by_source.pop(DEALT) == 0
        assert [*simulation.setup.game.seat_sources(end.setup, end.state, seat)] == [*by_source.values()]


def test_only_certain_differences_of_some_points_are_found() -> None:
    first = [[5.0 + game % 2, 1.0 + 20 * (game % 2), 2.0, 7.0] for game in range(40)]
    second = [[2.0 + game % 2, 3.0 + 20 * (game % 3 == 0), 1.5, 9.0] for game in range(40)]
    found = comparing._differences(first, second)
    assert found == (Difference(0, 3.0), Difference(OTHERS, -2.0))
    assert [difference.is_good for difference in found] == [True, True]
    assert [difference.is_good for difference in comparing._differences(second, first)] == [False, False]


@pytest.mark.parametrize("key", first_alone("paris-connection", sorted(GAMES), "build"))
def test_moves_are_compared_in_the_same_worlds(
    key: str, library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    library_of(key)
    monkeypatch.setattr(comparing, "CHUNK", 2)
    monkeypatch.setattr(comparing, "SURE_ERRORS", 0.0)
    position = played(key, 3, 2, 24)
    seen = position.observe(position.seat)
    moves = [*seen.legal_moves.numbers][:2]
    searcher = levels.searcher(seen.setup)
    first, second, again = compare(searcher, seen, [*moves, moves[0]], 5, SMALL, inf, 2)
    assert {(gap.source, gap.points) for gap in first.differences} == {
        (gap.source, -gap.points) for gap in second.differences
    }
    assert [first.won, first.lead] == [Mean(-gap.mean, gap.error) for gap in (second.won, second.lead) if gap]
    few = Mean(0.0, comparing.LEAST_ERROR / 2)
    assert again == Comparison((), few, Mean(0.0, 0.0)), "the same move in the same worlds"
    assert compare(searcher, seen, moves, 5, SMALL, seconds=0.0) == []
    assert compare(searcher, seen, moves[:1], 5, SMALL) == []
    monkeypatch.setattr(type(seen.setup.game), "seat_sources", GameTexts.seat_sources)
    compared = compare(searcher, seen, moves, 5, SMALL, inf, 2)
    assert [comparison.differences for comparison in compared] == [(), ()], (
        "a game that does not distinguish its points"
    )


def test_two_measurements_together_are_surer_than_either() -> None:
    one, other = Mean(0.1, 0.05), Mean(0.2, 0.06)
    both = one.joined(other)
    assert both == other.joined(one)
    assert one.mean < both.mean < other.mean
    assert both.error < one.error
    assert [mean.is_sure for mean in (one, Mean(0.1, 0.039), Mean(-0.1, 0.039))] == [False, True, True]


@pytest.mark.parametrize(
    ("won", "lead", "is_equal"),
    [
        (Mean(0.0, 0.0), Mean(0.2, 0.1), True),
        (Mean(0.0, 0.01), Mean(0.2, 0.1), False),
        (Mean(0.0, 0.0), Mean(-0.4, 0.1), False),
        (None, None, False),
    ],
)
def test_moves_are_equal_if_it_is_certain_that_neither_is_better(
    won: Mean | None, lead: Mean | None, *, is_equal: bool
) -> None:
    assert Comparison((), won, lead).is_equal is is_equal
