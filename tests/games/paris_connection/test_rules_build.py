"""Check building: rules P4 to P9, P11 and the rulings T8, T11; P10 is in `test_rules_cut.py`."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.paris_connection.board import Board, neighbours
from spieltisch.games.paris_connection.refusals import (
    APART,
    BORDER,
    BUILDING_BEGUN,
    EMPTY,
    FULL_CITY,
    FULL_COUNTRY,
    NOTHING_BUILT,
    OTHER_DEPOT,
    THERE_ALREADY,
    TOWER,
)
from tests.games.paris_connection.positions import (
    COLOURS,
    builds,
    depot_count,
    hex_text,
    hexes_of_company,
    position_with,
    reason,
    value,
)
from tests.games.refusals import allowed, refused

RIVALS = {"blue": ["Le Mans NE"], "yellow": ["Le Mans NE"], "red": ["Caen E"]}
"""Sapphire and Topaz fill Le Mans NE, and Ruby stands beside it."""


@pytest.mark.rule("P4")
def test_a_turn_builds_one_to_five_locomotives_from_one_depot(game: Game) -> None:
    position = position_with(game, seat=2)
    before = depot_count(position, "red")
    for n, place in enumerate(["Amiens W", "Calais", "Lille", "Lille SE", "Reims NE"], 1):
        assert position.seat == 1
        move_result = position.play(f"build red {place}")
        assert depot_count(position, "red") == before - n
        assert move_result.ended_decision == (n == 5)
    assert hexes_of_company(position, "red") == {
        "Gare Saint-Lazare",
        "Amiens W",
        "Calais",
        "Lille",
        "Lille SE",
        "Reims NE",
    }
    assert (position.seat, position.observe(None).view.built) == (2, 0)
    assert all(text.startswith(("build", "trade")) for text in map(str, position.legal_moves))


@pytest.mark.rule("P4")
def test_a_turn_of_building_ends_with_the_fifth_locomotive(game: Game) -> None:
    position = position_with(game, building=("red", 4))
    assert position.play("build red Rouen").ended_decision
    position = position_with(game, building=("red", 3))
    assert not position.play("build red Rouen").ended_decision


@pytest.mark.rule("P4")
def test_all_locomotives_of_a_turn_come_from_one_depot(game: Game) -> None:
    position = position_with(game)
    position.play("build red Rouen")
    assert refused(position, "build blue Caen E") == reason(OTHER_DEPOT, company="Ruby")
    assert {move.text.split()[1] for move in position.legal_moves if move.text.startswith("build")} == {"red"}
    position.play("done")
    assert allowed(position, "build blue Caen E")


@pytest.mark.rule("P4")
def test_a_turn_is_either_building_or_trading(game: Game) -> None:
    position = position_with(game)
    position.play("build red Rouen")
    assert refused(position, "trade purple for 1 brown") == reason(BUILDING_BEGUN)
    assert not any(move.text.startswith("trade") for move in position.legal_moves)
    position = position_with(game)
    assert position.play("trade purple for 1 brown").ended_decision


@pytest.mark.rule("P4")
def test_an_empty_depot_builds_nothing(game: Game) -> None:
    position = position_with(game, depots={"red": 0})
    assert refused(position, "build red Rouen") == reason(EMPTY, company="Ruby")
    assert not builds(position, "red")


@pytest.mark.rule("P4")
def test_the_turn_passes_when_the_depot_is_empty(game: Game) -> None:
    position = position_with(game, depots={"red": 2})
    assert not position.play("build red Rouen").ended_decision
    assert position.play("build red Caen E").ended_decision
    assert not position.is_over


@pytest.mark.rule("P4")
def test_the_turn_passes_when_no_hex_is_left_to_the_company(game: Game) -> None:
    # Of the three hexes beside Ruby two are full; behind the third all is full, too.
    filled = {"blue": ["Rouen"], "purple": ["Amiens W", "Calais", "Lille"], "brown": ["Amiens W", "Lille SE"]}
    position = position_with(game, track=filled)
    assert not position.play("build red Amiens").ended_decision
    assert builds(position) == {"Lille SE"}
    position = position_with(game, track=filled | {"black": ["Lille SE"]})
    assert position.play("build red Amiens").ended_decision


@pytest.mark.rule("P5")
def test_a_locomotive_is_placed_next_to_one_of_its_company(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "build red Lyon") == reason(APART, company="Ruby", place="Lyon")
    assert refused(position, "build red Calais")[0] == "P5"
    assert allowed(position, "build red Amiens W")
    position.play("build red Amiens W")
    assert allowed(position, "build red Calais")


@pytest.mark.rule("P5")
def test_track_of_another_company_does_not_allow_building(game: Game) -> None:
    position = position_with(game, track={"blue": ["Caen E", "Caen"]})
    assert allowed(position, "build blue Cherbourg") is False
    assert refused(position, "build red Le Havre")[0] == "P5"
    assert allowed(position, "build blue Le Havre")


@pytest.mark.rule("P5")
def test_each_company_first_builds_next_to_its_station(game: Game) -> None:
    position = position_with(game)
    assert {colour: builds(position, colour) for colour in COLOURS} == {
        "purple": {"Amiens", "Lille SE", "Reims"},
        "brown": {"Reims", "Reims SE", "Troyes"},
        "black": {"Troyes", "Orléans E", "Orléans"},
        "yellow": {"Orléans", "Le Mans E", "Le Mans NE"},
        "blue": {"Le Mans NE", "Caen E", "Rouen"},
        "red": {"Rouen", "Amiens W", "Amiens"},
    }


def borders_of_france(board: Board) -> list[tuple[str, str]]:
    """Return the borders of our map of France as pairs of hexes, in both directions."""
    pairs = [tuple(board.hexes[h].move_name for h in border.hexes) for border in board.borders]
    return [(a, b) for a, b in pairs] + [(b, a) for a, b in pairs]


@pytest.mark.rule("P6")
def test_no_track_crosses_a_border_in_either_direction(game: Game) -> None:
    board = position_with(game).setup.board
    assert len(borders_of_france(board)) == 42
    for inner_hex, outer_hex in borders_of_france(board):
        position = position_with(game, track={"red": [inner_hex]})
        place = hex_text(position, outer_hex)
        assert refused(position, f"build red {outer_hex}") == reason(BORDER, company="Ruby", place=place)


@pytest.mark.rule("P6")
def test_building_around_a_border_is_allowed(game: Game) -> None:
    assert allowed(position_with(game, track={"red": ["Strasbourg W", "Strasbourg"]}), "build red Strasbourg SW")
    assert allowed(position_with(game, track={"red": ["Strasbourg W", "Mulhouse"]}), "build red Strasbourg SW")


@pytest.mark.rule("P5")
@pytest.mark.rule("P6")
def test_exactly_the_neighbours_of_an_occupied_hex_can_be_built_on(game: Game) -> None:
    board = position_with(game).setup.board
    parted = {frozenset(pair) for pair in borders_of_france(board)}
    around_saint_lazare = builds(position_with(game), "red")
    for hexagon in board.hexes:
        if hexagon.kind in ("rural", "city") and not hexagon.ends_game:
            neighbour_hexes = {
                board.at[place] for place in neighbours(hexagon.column, hexagon.row) if place in board.at
            }
            expected = {
                other_hex.move_name
                for other_hex in neighbour_hexes
                if other_hex.kind in ("rural", "city")
                and frozenset((hexagon.move_name, other_hex.move_name)) not in parted
            }
            built = builds(position_with(game, track={"red": [hexagon.move_name]}), "red")
            assert built == (expected | around_saint_lazare) - {hexagon.move_name}


@pytest.mark.rule("P7")
def test_a_hex_never_holds_two_locomotives_of_a_company(game: Game) -> None:
    position = position_with(game, track={"red": ["Amiens W", "Rouen"]})
    assert refused(position, "build red Amiens W")[0] == "P7"
    assert refused(position, "build red Rouen")[0] == "P7"
    assert refused(position, "build red Gare Saint-Lazare") == reason(
        THERE_ALREADY, company="Ruby", place="Gare Saint-Lazare"
    )
    position = position_with(game)
    position.play("build red Amiens W")
    position.play("build red Calais")
    assert refused(position, "build red Amiens W")[0] == "P7"


@pytest.mark.rule("P8")
def test_a_rural_hex_holds_two_companies(game: Game) -> None:
    rural = position_with(game, track=RIVALS | {"yellow": []})
    assert allowed(rural, "build red Le Mans NE")
    two = position_with(game, track=RIVALS)
    place = hex_text(two, "Le Mans NE")
    assert refused(two, "build red Le Mans NE") == reason(FULL_COUNTRY, count=2, place=place)
    rural.play("build red Le Mans NE")
    rural.play("done")
    assert refused(rural, "build yellow Le Mans NE")[0] == "P8"


@pytest.mark.rule("P8")
def test_a_city_holds_one_locomotive(game: Game) -> None:
    position = position_with(game)
    assert allowed(position, "build blue Rouen")
    position.play("build red Rouen")
    position.play("done")
    assert refused(position, "build blue Rouen") == reason(FULL_CITY, count=1, place="Rouen")


@pytest.mark.rule("P8")
def test_every_city_holds_one_locomotive_and_every_other_hex_holds_two(game: Game) -> None:
    board = position_with(game).setup.board
    for hexagon in board.hexes:
        if hexagon.kind not in ("rural", "city") or hexagon.ends_game:
            continue
        name = hexagon.move_name
        neighbours = [board.hexes[h] for h in board.adjacent[hexagon.number]]
        last_hex = next(other_hex.move_name for other_hex in neighbours if other_hex.kind in ("rural", "city"))
        room = 2 if hexagon.kind == "rural" else 1
        for count in range(room + 1):
            position = position_with(
                game, track={"red": [last_hex]} | {other: [name] for other in ("blue", "yellow")[:count]}
            )
            refusal = position.why_not(f"build red {name}")
            assert (refusal is not None and refusal.rule == "P8") == (count == room)


@pytest.mark.rule("P9")
def test_the_eiffel_tower_is_never_occupied(game: Game) -> None:
    position = position_with(game)
    for colour in COLOURS:
        assert refused(position, f"build {colour} tour Eiffel") == reason(TOWER)
    assert "tour Eiffel" not in builds(position)


@pytest.mark.rule("P11")
@pytest.mark.parametrize(
    ("neighbours", "place", "worth"),
    [
        (["Amiens W"], "Calais", 1),  # beige
        (["Calais"], "Lille", 2),  # purple
        (["Lyon NW"], "Lyon", 3),  # red
        (["Toulon"], "Marseille", 4),  # blue
        (["Calais"], "Amiens W", 0),  # rural
        (["Lille"], "Lille SE", 0),  # rural
    ],
)
def test_a_placed_locomotive_adds_to_its_companys_value_at_once(
    game: Game, neighbours: list[str], place: str, worth: int
) -> None:
    position = position_with(game, track={"red": neighbours}, shares={1: {"red": 3}, 2: {"red": 0}})
    before, scores = value(position, "red"), position.scores
    position.play(f"build red {place}")
    assert value(position, "red") == before + worth
    assert position.scores == [scores[0] + 3 * worth, scores[1], scores[2] + worth]
    assert [value(position, colour) for colour in COLOURS[:5]] == [0] * 5


@pytest.mark.rule("P11")
def test_every_hex_adds_its_printed_value(game: Game) -> None:
    setup = position_with(game).setup
    by_class = {"": 0, "beige": 1, "purple": 2, "red": 3, "blue": 4}
    for hexagon in setup.board.hexes:
        if hexagon.kind in ("tower", "station"):
            continue
        last_hex = next(
            setup.board.hexes[h]
            for h in setup.board.adjacent[hexagon.number]
            if setup.board.hexes[h].kind in ("rural", "city")
        )
        if last_hex.ends_game:
            continue
        position = position_with(game, track={"blue": [last_hex.move_name]})
        before = value(position, "blue")
        position.play(f"build blue {hexagon.move_name}")
        assert value(position, "blue") - before == by_class[hexagon.city_class]


@pytest.mark.rule("T8")
def test_a_value_can_exceed_30(game: Game) -> None:
    reds = ["Strasbourg", "Brest", "Lyon", "Bordeaux", "Nice", "Toulouse", "Toulon", "Perpignan"]
    purples = ["Lille", "Rennes", "Mulhouse"]
    position = position_with(game, track={"red": reds + purples}, shares={1: {"red": 2}})
    assert value(position, "red") == 30
    position.play("build red Rouen")
    assert value(position, "red") == 31
    position.play("build red Marseille")
    assert value(position, "red") == 35
    assert position.scores[0] == 2 * 35


@pytest.mark.rule("T11")
def test_building_may_stop_after_any_locomotive(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "done") == reason(NOTHING_BUILT)
    for locomotive_count in range(1, 5):
        position = position_with(game, seat=3, building=("red", locomotive_count))
        assert allowed(position, "done")
        assert position.play("done").ended_decision
        assert position.seat == 0
        assert refused(position, "done")[0] == "T11"
        assert allowed(position, "trade purple for 1 brown")
        assert allowed(position, "build blue Rouen")


@pytest.mark.rule("T11")
def test_stopping_places_nothing(game: Game) -> None:
    position = position_with(game)
    position.play("build red Amiens W")
    before = (
        [depot_count(position, colour) for colour in COLOURS],
        [hexes_of_company(position, colour) for colour in COLOURS],
        position.scores,
    )
    position.play("done")
    assert (
        [depot_count(position, colour) for colour in COLOURS],
        [hexes_of_company(position, colour) for colour in COLOURS],
        position.scores,
    ) == before
