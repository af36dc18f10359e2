"""Check the standings of seasons and evenings: points, ties and who is in them."""

from __future__ import annotations

from spieltisch.features.seasons.rows import Plan, Rules, Season, SeasonMember
from spieltisch.features.seasons.standings import ABORTED_PLACE, Game, aborted_game, against_deal, points_for, standings
from spieltisch.tables.summary import SeatSummary, TableSummary


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


def evening_of(*since: int) -> Season:
    """Return an evening whose members take part since these rounds."""
    return season_of(*since)._replace(rules=Rules(is_evening=True))


def scored(people: str, *points: int, at: int = 0) -> Game:
    """Return a game of a deal by the points of its seats."""
    places = tuple(1 + sum(other > each for other in points) for each in points)
    return game(people, *places, at=at, players=tuple("abcdef".index(person) for person in people.lower()))._replace(
        people=tuple("" if person.isupper() else person for person in people), points=points
    )


def test_points_against_a_deal_are_those_beyond_the_seat_at_the_other_tables() -> None:
    first, second, third = against_deal([scored("ab", 30, 20), scored("cd", 10, 20), scored("ef", 20, 26)])
    assert [list(map(float, each.against)) for each in (first, second, third)] == [[15, -3], [-15, -3], [0, 6]]
    alone, aborted = against_deal([scored("ab", 30, 20), game("cd", ABORTED_PLACE, ABORTED_PLACE)])
    assert (alone.against, aborted.against) == ((), ()), "there is nothing to compare with"


def test_an_evening_is_ranked_by_the_sums_of_places_and_then_of_points_against_the_deals() -> None:
    season = evening_of(0, 0, 0, 0)
    games = [
        *against_deal([scored("ab", 30, 20), scored("cd", 10, 8)]),
        *against_deal([scored("db", 7, 7, at=1), scored("ac", 3, 5, at=1)]),
    ]
    rows = standings(season, games)
    assert [(row.member.id, row.rank, float(row.places), float(row.against)) for row in rows] == [
        ("c", 1, 2.0, -22.0),
        ("a", 2, 3.0, 16.0),
        ("b", 3, 3.5, 14.0),
        ("d", 4, 3.5, -8.0),
    ]


def test_a_missed_deal_is_a_last_place_also_before_someone_came() -> None:
    season = evening_of(0, 0, 0, 1)
    games = [
        *against_deal([scored("ab", 9, 5), scored("cD", 9, 5)]),
        *against_deal([scored("ad", 9, 5, at=1), scored("cB", 5, 9, at=1)]),
    ]
    rows = {row.member.id: row for row in standings(season, games)}
    assert {key: (float(row.places), row.missed) for key, row in rows.items()} == {
        "a": (2.0, 0),
        "b": (4.0, 1),
        "c": (3.0, 0),
        "d": (4.0, 1),
    }
    assert float(rows["b"].against) == 0.0, "those of the bot count for no one"


def test_an_aborted_table_is_level_for_those_who_were_there_together() -> None:
    def seat(person: str) -> SeatSummary:
        return SeatSummary("person", person) if person else SeatSummary("left")

    def aborted(*people: str) -> Game:
        return aborted_game(0, (0, 1, 2), TableSummary("aborted", tuple(map(seat, people))))

    for season in (season_of(0, 0, 0), evening_of(0, 0, 0)):
        rows = {row.member.id: row for row in standings(season, [aborted("a", "b", "")])}
        assert {key: (float(row.points), float(row.wins), row.missed) for key, row in rows.items()} == {
            "a": (50.0, 0.0, 0),
            "b": (50.0, 0.0, 0),
            "c": (0.0, 0.0, 1),
        }
        assert [row.missed for row in standings(season, [aborted("a", "", "")])] == [1, 1, 1], "no one wins alone"
