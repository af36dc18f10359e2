"""Check the standings of a group: counts, places, ratings, who is named, and games against each other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.features.groups.standings import head_to_head, standings
from spieltisch.tables.ratings import Ladder, displayed_rating
from spieltisch.tables.results import GameResult, ResultPlayer

PEOPLE = ("ada", "ben", "cleo", "dora")


def game(at: float, *order: str, kind: str = "toy") -> tuple[str, GameResult]:
    """Return a game in which these people came in this order."""
    players = tuple(
        ResultPlayer("person", person.title(), 10 - place, place, person=person)
        for place, person in enumerate(order, 1)
    )
    return f"t{at}", GameResult(kind, at, players, is_rated=True)


orders = st.permutations(PEOPLE).flatmap(lambda people: st.integers(2, 4).map(lambda count: tuple(people[:count])))


def test_a_member_has_games_wins_and_the_mean_place_in_each_game() -> None:
    results = [game(1, "ada", "ben"), game(2, "ben", "cleo", "ada"), game(3, "ada", "ben", kind="other")]
    tables = standings(results, ["ada", "ben"])
    assert list(tables) == ["other", "toy"]
    rows = {row.person: row for row in tables["toy"]}
    assert (rows["ada"].games, rows["ada"].wins, rows["ada"].place) == (2, 1, 2.0)
    assert (rows["ben"].games, rows["ben"].wins, rows["ben"].place) == (2, 1, 1.5)
    assert [row.person for row in tables["other"]] == ["ada", "ben"]


def test_pairs_count_who_was_ahead() -> None:
    results = [game(1, "ada", "ben"), game(2, "ben", "cleo", "ada"), game(3, "ada", "ben")]
    assert head_to_head(results, ["ada", "ben"]) == [("ada", "ben", 2, 0, 1)]
    level = GameResult(
        "toy", 4.0, tuple(ResultPlayer("person", name, 1, 1, person=name) for name in ("ada", "ben")), is_rated=True
    )
    assert head_to_head([("t4", level)], ["ben", "ada"]) == [("ben", "ada", 0, 1, 0)]


@given(st.lists(orders, max_size=6), st.sets(st.sampled_from(PEOPLE)))
def test_only_those_who_agreed_are_named_and_their_numbers_do_not_depend_on_others_agreeing(
    played: Sequence[Sequence[str]], ranked: set[str]
) -> None:
    results = [game(number, *order) for number, order in enumerate(played)]
    of_all, of_some = (
        {row.person: row for rows in standings(results, people).values() for row in rows}
        for people in (PEOPLE, sorted(ranked))
    )
    assert of_some == {person: row for person, row in of_all.items() if person in ranked}
    pairs = head_to_head(results, sorted(ranked))
    assert {person for pair in pairs for person in pair[:2]} <= ranked
    for pair in pairs:
        assert pair.ahead + pair.level + pair.behind == sum({pair.first, pair.second} <= set(order) for order in played)


@given(st.lists(orders, min_size=1, max_size=5))
def test_the_rating_is_that_of_the_ladder_with_its_uncertainty(played: Sequence[Sequence[str]]) -> None:
    results = [game(number, *order) for number, order in enumerate(played)]
    ladder = Ladder(results)
    for row in standings(results, PEOPLE)["toy"]:
        assert row.rating == displayed_rating(ladder.people[row.person])


def test_the_best_rating_is_first() -> None:
    rows = standings([game(number, "ben", "ada") for number in range(3)], ["ada", "ben"])["toy"]
    assert [row.person for row in rows] == ["ben", "ada"]
    assert rows[0].rating is not None
    assert rows[0].rating.doubt == pytest.approx(displayed_rating(None).doubt, rel=0.3)
