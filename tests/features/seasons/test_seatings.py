"""Check that the seatings of a season are even, for all sizes of groups and tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.features.seasons.seatings import (
    Seatings,
    evening_seatings,
    rounds_for,
    seatings,
    table_sizes,
    tables_of_evening,
)

MOST = 16
"""The number of people who can take part."""


def spread(counts: list[int]) -> int:
    """Return the difference between the most and the least."""
    return max(counts) - min(counts)


def meetings(plan: Seatings, players: int) -> list[int]:
    """Return how often each pair meets."""
    met = Counter(pair for tables in plan for table in tables for pair in combinations(sorted(table), 2))
    return [met[pair] for pair in combinations(range(players), 2)]


def evenly(total: int, parts: int) -> list[int]:
    """Return numbers with this sum that differ by one at most."""
    return [total // parts + (number < total % parts) for number in range(parts)]


def least_squares(players: int, sizes: tuple[int, ...], rounds: int) -> int:
    """Return a sum of the squares of the meetings that no seatings of all players fall below.

    Meetings can be no more even than equal; and in any two rounds, those who sat at one table in the first sit at as
    many tables as there are in the second, so that some pairs meet in both.
    """
    total = rounds * sum(size * (size - 1) // 2 for size in sizes)
    again = sum(part * (part - 1) // 2 for size in sizes for part in evenly(size, len(sizes)))
    even = evenly(total, players * (players - 1) // 2)
    return max(sum(count**2 for count in even), total + rounds * (rounds - 1) * again)


@given(st.integers(3, MOST), st.integers(2, 6), st.integers(2, 6), st.integers(0, 4), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_everyone_sits_once_in_a_round_and_in_each_place_evenly(
    players: int, wanted: int, fewest: int, more: int, each: int
) -> None:
    sizes = table_sizes(players, wanted, range(fewest, min(6, fewest + more) + 1))
    if not sizes:
        assert players < fewest
        return
    assert spread(list(sizes)) <= 1
    plan = seatings(players, sizes, rounds_for(players, sizes, each))
    for tables in plan:
        seated = [player for table in tables for player in table]
        assert len(set(seated)) == len(seated) == sum(sizes)
        assert set(seated) <= set(range(players))
        assert tuple(map(len, tables)) == sizes
    games = Counter(player for tables in plan for table in tables for player in table)
    counts = [games[player] for player in range(players)]
    assert min(counts) >= each
    assert spread(counts) <= 1
    had = Counter((player, place) for tables in plan for table in tables for place, player in enumerate(table))
    for player in range(players):
        assert spread([had[player, place] for place in range(min(sizes))]) <= 1


@pytest.mark.parametrize("players", range(3, MOST + 1))
def test_all_meet_as_evenly_as_possible_at_tables_of_all_sizes(players: int) -> None:
    for sizes in {table_sizes(players, wanted, range(2, 7)) for wanted in range(2, 7)}:
        met = meetings(seatings(players, sizes, 6), players)
        beyond = sum(count**2 for count in met) - least_squares(players, sizes, 6)
        assert 0 <= beyond <= 6, sizes
        if len(sizes) == 2 or max(sizes) == 2:
            assert beyond == 0 or (players, sizes) == (9, (3, 2, 2, 2)), "no seatings are more even"


def test_friends_with_a_perfect_plan_get_it() -> None:
    assert set(meetings(seatings(8, (2, 2, 2, 2), 7), 8)) == {1}
    assert set(meetings(seatings(9, (3, 3, 3), 4), 9)) == {1}
    assert seatings(7, (4, 3), 5) == seatings(7, (4, 3), 5)


@given(st.integers(1, MOST), st.integers(2, 6), st.integers(2, 4), st.integers(0, 4), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_at_an_evening_all_sit_at_equal_tables_and_bots_take_the_seats_that_are_left(
    players: int, wanted: int, fewest: int, more: int, rounds: int
) -> None:
    seats = range(fewest, min(6, fewest + more) + 1)
    sizes = tables_of_evening(players, wanted, seats)
    if not sizes:
        assert players < 4 or not [tables for tables in range(2, players // 2 + 1) if tables * seats[-1] >= players]
        return
    assert len(set(sizes)) == 1
    assert len(sizes) > 1
    assert sizes[0] in seats
    plan = evening_seatings(players, sizes, rounds)
    assert len(plan) == rounds
    for tables in plan:
        assert tuple(map(len, tables)) == sizes
        assert sorted(player for table in tables for player in table) == list(range(sum(sizes)))
        people = [sum(player < players for player in table) for table in tables]
        assert min(people) >= 2
        assert spread(people) <= 1
        bots = [{seat for seat, player in enumerate(table) if player >= players} for table in tables]
        assert min(bots, key=len) <= max(bots, key=len), "in the same seats"
        assert len(set().union(*bots)) == max(map(len, bots))


@pytest.mark.parametrize("players", range(4, MOST + 1))
def test_at_an_evening_all_meet_and_sit_evenly(players: int) -> None:
    for sizes in {tables_of_evening(players, wanted, range(2, 7)) for wanted in range(2, 7)}:
        plan = evening_seatings(players, sizes, 6)
        people = tuple(sorted((sum(player < players for player in table) for table in plan[0]), reverse=True))
        beyond = sum(count**2 for count in meetings(plan, players)) - least_squares(players, people, 6)
        assert 0 <= beyond <= 6, sizes
        had = Counter((player, place) for tables in plan for table in tables for place, player in enumerate(table))
        for player in range(players):
            assert spread([had[player, place] for place in range(sizes[0])]) <= 1, sizes
