"""Sending inventors and making ready: L6 to L9, L22, and the rulings S3, S6, S9, S11."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.legendary_inventors.positions import (
    allowed,
    exhausted,
    on_table,
    play_and_log,
    player,
    position_with,
    refused,
    supply,
    texts,
)

FULL = {"bow": {2: (0, 0, 2, 2)}, "sundial": {2: (2, 0, 0, 2)}}


@pytest.mark.rule("L6")
def test_the_example_of_archimedes_and_the_bow(game: Game) -> None:
    position = position_with(game, knowledge={"archimedes": (1, 0, 2, 0)})
    assert play_and_log(position, "send Archimedes to Bow") == ["P1 sends Archimedes to work on Bow: 3 cubes."]
    assert on_table(position)["bow"]["cubes"] == [[1, 0, 2, 0], [0, 0, 0, 0]]
    assert exhausted(position, 1) == {"archimedes"}
    assert (supply(position, 1), position.seat) == (12, 1)


@pytest.mark.rule("L6")
def test_only_active_inventors_of_the_own_team_work_on_inventions_face_up(game: Game) -> None:
    position = position_with(game, exhausted=["archimedes"])
    assert refused(position, "send Archimedes to Bow") == "L6"
    assert refused(position, "send James Watt to Bow") == "L6"
    assert refused(position, "send Aristotle to Wheel") == "L6"
    assert refused(position, "send Aristotle to Radio") == "L6"
    assert allowed(position, "send Aristotle to Bow")
    assert texts(position, "send Hypatia") == [
        f"send Hypatia to {name}" for name in ("Bow", "Canoe", "Sundial", "Fire")
    ]


@pytest.mark.rule("L6")
def test_in_each_field_at_most_the_value(game: Game) -> None:
    position = position_with(game)
    position.play("send fewer with Archimedes to Bow")  # physics 1, mechanics 1
    assert refused(position, "place 0 physics 0 chemistry 2 mechanics 0 mathematics") == "L6"
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 1 mathematics") == "L6"
    assert refused(position, "send Aristotle to Bow") == "L6"
    assert refused(position, "ready") == "L6"
    assert refused(position, "upgrade Archimedes in physics") == "L6"
    assert texts(position) == [
        "place 0 physics 0 chemistry 1 mechanics 0 mathematics",
        "place 1 physics 0 chemistry 0 mechanics 0 mathematics",
    ]


@pytest.mark.rule("L6")
def test_nobody_places_cubes_without_sending_an_inventor(game: Game) -> None:
    assert refused(position_with(game), "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"


@pytest.mark.rule("L7")
def test_at_least_one_cube(game: Game) -> None:
    position = position_with(game, cubes=FULL)
    assert refused(position, "send Hippocrates to Bow") == "L7"  # chemistry alone
    assert refused(position, "send Hypatia to Papyrus") == "L7"
    position.play("send fewer with Aristotle to Canoe")
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 0 mathematics") == "L7"


@pytest.mark.rule("L7")
def test_all_on_the_same_invention(game: Game) -> None:
    position = position_with(game)
    position.play("send Aristotle to Fire")
    placed = [sum(map(sum, invention["cubes"])) for invention in on_table(position).values()]
    assert placed == [0, 0, 0, 0, 2]


@pytest.mark.rule("L8")
def test_what_finds_no_free_space_is_not_placed(game: Game) -> None:
    position = position_with(game, cubes=FULL, knowledge={"hypatia": (3, 0, 0, 4)})
    assert play_and_log(position, "send Hypatia to Sundial")[0] == "P1 sends Hypatia to work on Sundial: 1 cube."
    assert supply(position, 1) == 14
    position = position_with(game, cubes=FULL, knowledge={"hypatia": (3, 2, 0, 4)})
    position.play("send Hypatia to Bow")
    assert on_table(position)["bow"]["cubes"][0] == [1, 0, 0, 0]


@pytest.mark.rule("L8")
def test_a_cube_needs_a_free_space_of_its_field(game: Game) -> None:
    position = position_with(game, cubes=FULL, tokens={1: {"genius": 1}}, knowledge={"hypatia": (1, 0, 0, 3)})
    position.play("send fewer with Hypatia to Canoe")
    for move in (
        "place 0 physics 1 chemistry 0 mechanics 1 mathematics",
        "place 0 physics 0 chemistry 0 mechanics 3 mathematics",
    ):
        assert refused(position, move) == "L8"
    assert allowed(position, "place 0 physics 0 chemistry 0 mechanics 2 mathematics")


@pytest.mark.rule("L8")
def test_with_a_stroke_of_genius_only_what_finds_a_space_is_listed(game: Game) -> None:
    position = position_with(game, cubes=FULL, tokens={1: {"genius": 1}}, knowledge={"hypatia": (1, 0, 0, 3)})
    position.play("send genius with Hypatia to Canoe")
    listed = texts(position)
    assert "place 2 physics 0 chemistry 0 mechanics 0 mathematics" in listed
    assert all(allowed(position, move) for move in listed)


@pytest.mark.rule("L9")
def test_make_all_exhausted_inventors_active_again(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia", "aristotle", "james-watt"])
    assert play_and_log(position, "ready") == ["P1 readies all inventors."]
    assert exhausted(position, 1) == set()
    assert exhausted(position, 2) == {"james-watt"}
    assert position.seat == 1


@pytest.mark.rule("L9")
def test_at_least_one_must_be_exhausted(game: Game) -> None:
    assert refused(position_with(game), "ready") == "L9"
    assert allowed(position_with(game, exhausted=["hypatia"]), "ready")


@pytest.mark.rule("L9")
def test_who_can_do_nothing_else_makes_ready_without_being_asked(game: Game) -> None:
    everybody = ["james-watt", "ada-lovelace", "antoine-lavoisier", "benjamin-franklin"]
    position = position_with(game, exhausted=everybody)
    assert play_and_log(position, "send Hypatia to Bow")[1:] == ["P2 readies all inventors."]
    assert position.seat == 0
    position = position_with(game, exhausted=everybody, tokens={2: {"refresh": 1}})
    position.play("send Hypatia to Bow")
    assert position.seat == 1  # a token is a choice


@pytest.mark.rule("S6")
def test_fifteen_cubes_and_none_left(game: Game) -> None:
    everything = {
        "bow": {1: (1, 0, 2, 1)},
        "canoe": {1: (2, 0, 1, 1)},
        "papyrus": {1: (0, 3, 1, 0)},
        "sundial": {1: (2, 0, 0, 1)},
    }
    position = position_with(game, cubes=everything, exhausted=["hypatia"], tokens={1: {"genius": 1}})
    assert supply(position, 1) == 0
    assert refused(position, "send Aristotle to Fire") == "S6"
    assert refused(position, "send genius with Aristotle to Fire") == "S6"


@pytest.mark.rule("S6")
def test_two_players_may_have_the_cubes_of_two_colours(game: Game) -> None:
    everything = {
        "bow": {1: (1, 0, 2, 1)},
        "canoe": {1: (2, 0, 1, 1)},
        "sundial": {1: (2, 0, 0, 1)},
        "fire": {1: (3, 0, 0, 1)},
    }
    assert supply(position_with(game, cubes=everything), 1) == 0
    position = position_with(game, cubes=everything, enough=True)
    assert supply(position, 1) == 15
    position.play("send Hippocrates to Papyrus")
    assert supply(position, 1) == 13
    for seats in (2, 3, 4, 5):
        supplies = {
            cubes: supply(position_with(game, seats=seats, enough=cubes == "enough"), seats)
            for cubes in ("enough", "box")
        }
        assert supplies == {"enough": 30 if seats == 2 else 15, "box": 15}


@pytest.mark.rule("S6")
def test_with_fewer_cubes_than_fit_the_player_chooses_the_fields(game: Game) -> None:
    table = {"zeppelin": ("refresh", "genius"), "telephone": ("points-1", "points-2"), "radio": ("points-3", "number")}
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (1, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes, knowledge={"aristotle": (2, 0, 0, 1)})
    assert supply(position, 1) == 2
    log = play_and_log(position, "send Aristotle to Telephone")
    assert log == ["P1 sends Aristotle to work on Telephone and chooses the cubes."]
    assert position.seat == 0
    assert texts(position) == [
        "place 1 physics 0 chemistry 0 mechanics 1 mathematics",
        "place 2 physics 0 chemistry 0 mechanics 0 mathematics",
    ]
    assert refused(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "S6"
    assert refused(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == "S6"
    assert refused(position, "place 3 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"
    position.play("place 2 physics 0 chemistry 0 mechanics 0 mathematics")
    assert (supply(position, 1), exhausted(position, 1)) == (0, {"aristotle"})


@pytest.mark.rule("S6")
def test_with_one_field_there_is_nothing_to_choose(game: Game) -> None:
    table = {
        "zeppelin": ("refresh", "genius"),
        "quartz-clock": ("points-1", "points-2"),
        "radio": ("points-3", "number"),
    }
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (2, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes)
    assert supply(position, 1) == 1
    position.play("send Hypatia to Quartz clock")  # mathematics 2, one cube left
    assert on_table(position)["quartz-clock"]["cubes"][0] == [0, 0, 0, 1]
    assert position.seat == 1


@pytest.mark.rule("S9")
def test_fewer_cubes_than_possible_by_field(game: Game) -> None:
    position = position_with(game, knowledge={"aristotle": (2, 0, 0, 2)})
    position.play("send fewer with Aristotle to Sundial")
    assert position.seat == 0
    assert refused(position, "place 2 physics 0 chemistry 0 mechanics 2 mathematics") == "S9"
    assert len(texts(position, "place")) == 9 - 2
    assert play_and_log(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == [
        "P1 sends Aristotle to work on Sundial: 3 cubes."
    ]
    assert on_table(position)["sundial"]["cubes"][0] == [2, 0, 0, 1]


@pytest.mark.rule("S9")
def test_fewer_than_one_is_none_and_fewer_than_two_is_no_choice(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "send fewer with Archimedes to Fire") == "S9"  # physics 1, no mechanics there
    position.play("send fewer with Hypatia to Bow")
    assert on_table(position)["bow"]["cubes"][0] == [0, 0, 0, 1]
    assert position.seat == 1


@pytest.mark.rule("L22")
def test_a_stroke_of_genius_is_up_to_two_additional_cubes_in_any_field(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    position.play("send genius with Hypatia to Fire")  # mathematics 2
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 1 mathematics") == "L22"
    assert refused(position, "place 3 physics 0 chemistry 0 mechanics 0 mathematics") == "L22"
    assert refused(position, "place 2 physics 1 chemistry 0 mechanics 1 mathematics") == "L22"
    assert allowed(position, "place 1 physics 1 chemistry 0 mechanics 1 mathematics")
    assert allowed(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics")
    assert play_and_log(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == [
        "P1 sends Hypatia to work on Fire: 3 cubes, with strokes of genius (1)."
    ]
    assert on_table(position)["fire"]["cubes"][0] == [2, 0, 0, 1]
    assert player(position, 1)["tokens"] == {}
    assert position.document()["state"]["tokens_gone"] == {"genius": 1}
    assert (exhausted(position, 1), position.seat, supply(position, 1)) == ({"hypatia"}, 1, 12)


@pytest.mark.rule("L22")
def test_without_a_token_there_is_no_genius(game: Game) -> None:
    assert refused(position_with(game), "send genius with Hypatia to Fire") == "L22"
    assert allowed(position_with(game, tokens={1: {"genius": 1}}), "send genius with Hypatia to Fire")


@pytest.mark.rule("S3")
def test_several_strokes_of_genius_in_one_turn(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 2}})
    position.play("send genius with Hippocrates to Canoe")  # chemistry 2, and no chemistry there
    assert allowed(position, "place 2 physics 0 chemistry 1 mechanics 1 mathematics")
    assert refused(position, "place 2 physics 0 chemistry 1 mechanics 2 mathematics") == "L22"
    position.play("place 2 physics 0 chemistry 1 mechanics 0 mathematics")
    assert player(position, 1)["tokens"] == {}
    position = position_with(game, tokens={1: {"genius": 2}})
    position.play("send genius with Hippocrates to Canoe")
    position.play("place 2 physics 0 chemistry 0 mechanics 0 mathematics")
    assert player(position, 1)["tokens"] == {"genius": 1}


@pytest.mark.rule("S3")
def test_several_refreshes_in_one_turn(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia"], tokens={1: {"refresh": 2}})
    position.play("refresh")
    assert position.seat == 0
    assert refused(position, "refresh") == "L21"  # nobody is exhausted now
    assert player(position, 1)["tokens"] == {"refresh": 1}


@pytest.mark.rule("S11")
def test_a_stroke_of_genius_when_the_inventor_can_place_nothing_himself(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    assert refused(position, "send Hippocrates to Sundial") == "L7"
    position.play("send genius with Hippocrates to Sundial")
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 0 mathematics") == "L7"
    position.play("place 1 physics 0 chemistry 0 mechanics 1 mathematics")
    assert on_table(position)["sundial"]["cubes"][0] == [1, 0, 0, 1]


@pytest.mark.rule("S11")
def test_no_free_space_no_cube(game: Game) -> None:
    position = position_with(
        game, tokens={1: {"genius": 1}}, cubes={"sundial": {2: (2, 0, 0, 1)}, "canoe": {2: (2, 0, 0, 1)}}
    )
    assert refused(position, "send genius with Hypatia to Sundial") == "S11"  # two spaces, both hers
    assert allowed(position, "send genius with Hypatia to Canoe")


@pytest.mark.rule("S11")
def test_an_additional_cube_comes_from_the_supply(game: Game) -> None:
    table = {
        "zeppelin": ("refresh", "points-3"),
        "telephone": ("points-1", "points-2"),
        "radio": ("points-3", "number"),
    }
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (2, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes, tokens={1: {"genius": 1}})
    assert supply(position, 1) == 1
    assert allowed(position, "send genius with Hypatia to Telephone")  # one cube in another field
    position = position_with(
        game, age=3, table=table, cubes=cubes, tokens={1: {"genius": 1}}, knowledge={"hypatia": (1, 1, 1, 2)}
    )
    assert refused(position, "send genius with Hypatia to Telephone") == "S11"


@pytest.mark.rule("L6")
def test_nothing_is_left_over_of_a_choice_of_cubes(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    position.play("send genius with Hypatia to Fire")
    position.play("place 2 physics 0 chemistry 0 mechanics 1 mathematics")
    again = game.position(position.document())  # a document says nothing of a sending that is over
    assert again.digest() == position.digest()
    assert refused(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"
