"""Check the standings of a season: points, ties and who is in them."""

from __future__ import annotations

from spieltisch.features.seasons.rows import Plan, Rules, Season, SeasonMember
from spieltisch.features.seasons.standings import Game, points_for, standings


def season_of(*since: int) -> Season:
    """Return a season whose members, in the order of the alphabet, take part since these rounds."""
    members = tuple(SeasonMember("abcdef"[number], "", number, at) for number, at in enumerate(since))
    return Season("s", "g", "Autumn", Rules(), Plan(len(members)), 1, 0.0, 0, False, members)


def game(people: str, *places: int, at: int = 0, players: tuple[int, ...] = ()) -> Game:
    """Return a game of these people ("-": a bot in the place of someone)."""
    numbers = players or tuple("abcdef".index(person) for person in people)
    return Game(at, numbers, tuple(person.replace("-", "") for person in people), places)


def ranks(season: Season, *games: Game) -> dict[str, int]:
    """Return the ranks by person."""
    return {row.member.id: row.rank for row in standings(season, games)}


def test_tables_of_all_sizes_bring_the_same_points() -> None:
    for places in ((1, 2), (1, 2, 3), (1, 2, 3, 4, 5, 6)):
        points = [points_for(place, places) for place in places]
        assert [float(points[0]), float(points[-1]), float(sum(points))] == [100.0, 0.0, 50.0 * len(places)]
    assert [points_for(place, (1, 1, 1, 4)) for place in (1, 4)] == [points_for(2, (1, 2, 2, 2, 5)) * 4 / 3, 0]


def test_the_average_counts_and_a_missed_game_brings_nothing() -> None:
    season = season_of(0, 0, 0)
    games = (game("abc", 1, 2, 3), game("ab-", 2, 3, 1, at=1, players=(0, 1, 2)))
    first, second, third = standings(season, games)
    assert [(row.member.id, float(row.points), row.missed, row.games) for row in (first, second, third)] == [
        ("a", 75.0, 0, 2),
        ("b", 25.0, 0, 2),
        ("c", 0.0, 1, 2),
    ]


def test_a_pause_is_no_game() -> None:
    season = season_of(0, 0, 0)
    rows = {row.member.id: row for row in standings(season, (game("ab", 1, 2), game("bc", 2, 1, at=1)))}
    assert (rows["a"].games, rows["b"].games, rows["c"].games) == (1, 2, 1)
    assert rows["a"].points == rows["c"].points == 100


def test_ties_are_broken_by_wins_then_by_their_own_games_then_by_presence() -> None:
    season = season_of(0, 0, 0, 0)
    wins = (game("abc", 1, 3, 2), game("acb", 3, 2, 1, at=1), game("bac", 3, 2, 1, at=2), game("cab", 2, 3, 1, at=3))
    assert ranks(season, *wins)["b"] < ranks(season, *wins)["a"], "as many points, more wins"
    own = (game("ab", 1, 2), game("cb", 2, 1), game("dc", 2, 1), game("ad", 2, 1))
    assert ranks(season, *own) == {"a": 1, "b": 1, "c": 1, "d": 1}, "a circle stays level"
    direct = (game("ab", 1, 2), game("ca", 1, 2), game("bc", 1, 2), game("dc", 1, 2))
    assert ranks(season, *direct) == {"d": 1, "a": 2, "b": 3, "c": 4}, "the first of two has beaten the second"
    absent = (game("ac", 1, 2), game("-d", 2, 1, players=(0, 3)), game("bc", 1, 2), game("bd", 2, 1))
    assert ranks(season, *absent) == {"d": 1, "b": 2, "a": 3, "c": 4}, "one has missed a game"


def test_a_substitute_is_not_blamed_for_earlier_games() -> None:
    season = season_of(0, 0, 1)
    rows = {row.member.id: row for row in standings(season, (game("abx", 1, 2, 3, players=(0, 1, 2)),))}
    assert set(rows) == {"a", "b"}
    rows = {row.member.id: row for row in standings(season, (game("abc", 3, 2, 1, at=1),))}
    assert rows["c"].rank == 1
