"""Building: P4 to P9, P11 and the rulings T8, T11. P10 is in `test_rules_cut.py`."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.paris_connection.board import Board, neighbours
from tests.games.paris_connection.positions import (
    COLOURS,
    allowed,
    builds,
    depot,
    on_map,
    position_with,
    refused,
    value,
)

RIVALS = {"blue": ["Le Mans NE"], "yellow": ["Le Mans NE"], "red": ["Caen E"]}
"""Sapphire and Topaz fill Le Mans NE, and Ruby stands beside it."""


@pytest.mark.rule("P4")
def test_one_to_five_from_one_depot_one_after_the_other(game: Game) -> None:
    position = position_with(game, seat=2)
    before = depot(position, "red")
    for n, place in enumerate(["Amiens W", "Calais", "Lille", "Lille SE", "Reims NE"], 1):
        assert position.seat == 1
        played = position.play(f"build red {place}")
        assert depot(position, "red") == before - n
        assert played.ended_decision == (n == 5)
    assert on_map(position, "red") == {"Gare Saint-Lazare", "Amiens W", "Calais", "Lille", "Lille SE", "Reims NE"}
    assert (position.seat, position.observe(None).view.built) == (2, 0)
    assert all(text.startswith(("build", "trade")) for text in map(str, position.legal_moves))


@pytest.mark.rule("P4")
def test_the_fifth_is_the_last(game: Game) -> None:
    position = position_with(game, building=("red", 4))
    assert position.play("build red Rouen").ended_decision
    position = position_with(game, building=("red", 3))
    assert not position.play("build red Rouen").ended_decision


@pytest.mark.rule("P4")
def test_all_of_one_turn_come_from_one_depot(game: Game) -> None:
    position = position_with(game)
    position.play("build red Rouen")
    assert refused(position, "build blue Caen E") == (
        "P4",
        "All locomotives in a turn must come from one depot; you’re building for Ruby.",
    )
    assert {move.text.split()[1] for move in position.legal_moves if move.text.startswith("build")} == {"red"}
    position.play("done")
    assert allowed(position, "build blue Caen E")


@pytest.mark.rule("P4")
def test_a_turn_is_one_action(game: Game) -> None:
    position = position_with(game)
    position.play("build red Rouen")
    rule, sentence = refused(position, "trade purple for 1 brown")
    assert (rule, sentence) == ("P4", "You have begun to build; a turn is either building or trading.")
    assert not any(move.text.startswith("trade") for move in position.legal_moves)
    position = position_with(game)
    assert position.play("trade purple for 1 brown").ended_decision


@pytest.mark.rule("P4")
def test_an_empty_depot_builds_nothing(game: Game) -> None:
    position = position_with(game, depots={"red": 0})
    assert refused(position, "build red Rouen") == ("P4", "Ruby’s depot is empty.")
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
def test_a_locomotive_stands_next_to_one_of_its_colour(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "build red Lyon") == ("P5", "Ruby has no locomotive next to this hex (Lyon).")
    assert refused(position, "build red Calais")[0] == "P5"
    assert allowed(position, "build red Amiens W")
    position.play("build red Amiens W")
    assert allowed(position, "build red Calais")


@pytest.mark.rule("P5")
def test_another_companys_track_is_of_no_use(game: Game) -> None:
    position = position_with(game, track={"blue": ["Caen E", "Caen"]})
    assert allowed(position, "build blue Cherbourg") is False
    assert refused(position, "build red Le Havre")[0] == "P5"
    assert allowed(position, "build blue Le Havre")


@pytest.mark.rule("P5")
def test_first_moves_of_all_companies(game: Game) -> None:
    position = position_with(game)
    assert {colour: builds(position, colour) for colour in COLOURS} == {
        "purple": {"Amiens", "Lille SE", "Reims"},
        "brown": {"Reims", "Reims SE", "Troyes"},
        "black": {"Troyes", "Orléans E", "Orléans"},
        "yellow": {"Orléans", "Le Mans E", "Le Mans NE"},
        "blue": {"Le Mans NE", "Caen E", "Rouen"},
        "red": {"Rouen", "Amiens W", "Amiens"},
    }


def borders(board: Board) -> list[tuple[str, str]]:
    """Return the borders of our map of France as pairs of hexes, in both directions."""
    pairs = [tuple(board.hexes[h].move_name for h in border.hexes) for border in board.borders]
    return [(a, b) for a, b in pairs] + [(b, a) for a, b in pairs]


@pytest.mark.rule("P6")
def test_no_track_over_a_border_in_either_direction(game: Game) -> None:
    board = position_with(game).setup.board
    assert len(borders(board)) == 42
    for inside, outside in borders(board):
        position = position_with(game, track={"red": [inside]})
        rule, sentence = refused(position, f"build red {outside}")
        assert rule == "P6"
        assert sentence.startswith("A hatched border separates this hex (")
        assert sentence.endswith(") from Ruby’s locomotives.")


@pytest.mark.rule("P6")
def test_the_way_round_a_border_is_free(game: Game) -> None:
    assert allowed(position_with(game, track={"red": ["Strasbourg W", "Strasbourg"]}), "build red Strasbourg SW")
    assert allowed(position_with(game, track={"red": ["Strasbourg W", "Mulhouse"]}), "build red Strasbourg SW")


@pytest.mark.rule("P5")
@pytest.mark.rule("P6")
def test_from_every_hex_exactly_its_neighbours_can_be_built(game: Game) -> None:
    board = position_with(game).setup.board
    parted = {frozenset(pair) for pair in borders(board)}
    around_saint_lazare = builds(position_with(game), "red")
    for hexagon in board.hexes:
        if hexagon.kind in ("rural", "city") and not hexagon.ends_game:
            near = {board.at[place] for place in neighbours(hexagon.column, hexagon.row) if place in board.at}
            expected = {
                other.move_name
                for other in near
                if other.kind in ("rural", "city") and frozenset((hexagon.move_name, other.move_name)) not in parted
            }
            built = builds(position_with(game, track={"red": [hexagon.move_name]}), "red")
            assert built == (expected | around_saint_lazare) - {hexagon.move_name}


@pytest.mark.rule("P7")
def test_never_two_of_a_colour_in_one_hex(game: Game) -> None:
    position = position_with(game, track={"red": ["Amiens W", "Rouen"]})
    assert refused(position, "build red Amiens W")[0] == "P7"
    assert refused(position, "build red Rouen")[0] == "P7"
    rule, sentence = refused(position, "build red Gare Saint-Lazare")
    assert (rule, sentence) == ("P7", "Ruby already has a locomotive in this hex (Gare Saint-Lazare).")
    position = position_with(game)
    position.play("build red Amiens W")
    position.play("build red Calais")
    assert refused(position, "build red Amiens W")[0] == "P7"


@pytest.mark.rule("P8")
def test_a_rural_hex_holds_two_colours(game: Game) -> None:
    rural = position_with(game, track=RIVALS | {"yellow": []})
    assert allowed(rural, "build red Le Mans NE")
    two = position_with(game, track=RIVALS)
    rule, sentence = refused(two, "build red Le Mans NE")
    assert rule == "P8"
    assert sentence.startswith("This rural hex is full: it holds 2 locomotives")
    assert "north-east of Le\xa0Mans" in sentence
    rural.play("build red Le Mans NE")
    rural.play("done")
    assert refused(rural, "build yellow Le Mans NE")[0] == "P8"


@pytest.mark.rule("P8")
def test_a_city_holds_one(game: Game) -> None:
    position = position_with(game)
    assert allowed(position, "build blue Rouen")
    position.play("build red Rouen")
    position.play("done")
    rule, sentence = refused(position, "build blue Rouen")
    assert rule == "P8"
    assert sentence.startswith("This city is full: it holds 1 locomotive")


@pytest.mark.rule("P8")
def test_every_city_holds_one_and_every_other_hex_two(game: Game) -> None:
    board = position_with(game).setup.board
    for hexagon in board.hexes:
        if hexagon.kind not in ("rural", "city") or hexagon.ends_game:
            continue
        name = hexagon.move_name
        beside = [board.hexes[h] for h in board.adjacent[hexagon.number]]
        stop = next(other.move_name for other in beside if other.kind in ("rural", "city"))
        room = 2 if hexagon.kind == "rural" else 1
        for many in range(room + 1):
            position = position_with(
                game, track={"red": [stop]} | {other: [name] for other in ("blue", "yellow")[:many]}
            )
            refusal = position.why_not(f"build red {name}")
            assert (refusal is not None and refusal.rule == "P8") == (many == room)


@pytest.mark.rule("P9")
def test_the_eiffel_tower_is_never_occupied(game: Game) -> None:
    position = position_with(game)
    for colour in COLOURS:
        assert refused(position, f"build {colour} tour Eiffel") == (
            "P9",
            "You can’t build on the Eiffel Tower.",
        )
    assert "tour Eiffel" not in builds(position)


@pytest.mark.rule("P11")
@pytest.mark.parametrize(
    ("beside", "place", "worth"),
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
    game: Game, beside: list[str], place: str, worth: int
) -> None:
    position = position_with(game, track={"red": beside}, shares={1: {"red": 3}, 2: {"red": 0}})
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
        stop = next(
            setup.board.hexes[h]
            for h in setup.board.adjacent[hexagon.number]
            if setup.board.hexes[h].kind in ("rural", "city")
        )
        if stop.ends_game:
            continue
        position = position_with(game, track={"blue": [stop.move_name]})
        before = value(position, "blue")
        position.play(f"build blue {hexagon.move_name}")
        assert value(position, "blue") - before == by_class[hexagon.city_class]


@pytest.mark.rule("T8")
def test_a_value_goes_on_above_30(game: Game) -> None:
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
def test_a_building_stops_after_the_first_at_any_time(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "done") == ("T11", "You may stop only after placing at least one locomotive.")
    for placed in range(1, 5):
        position = position_with(game, seat=3, building=("red", placed))
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
        [depot(position, colour) for colour in COLOURS],
        [on_map(position, colour) for colour in COLOURS],
        position.scores,
    )
    position.play("done")
    assert (
        [depot(position, colour) for colour in COLOURS],
        [on_map(position, colour) for colour in COLOURS],
        position.scores,
    ) == before
