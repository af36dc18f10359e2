"""Check sending and readying inventors: rules L6 to L9, L22, and the rulings S3, S6, S9, S11."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.log import MAKES_READY, SENDS, WORKS, WORKS_BY_GENIUS
from tests.games.legendary_inventors.positions import (
    cubes_in_supply,
    exhausted_inventors,
    log_line,
    open_inventions,
    play_and_log,
    player,
    position_with,
    refused,
    texts,
)
from tests.games.refusals import allowed

FULL = {"bow": {2: (0, 0, 2, 2)}, "sundial": {2: (2, 0, 0, 2)}}


@pytest.mark.rule("L6")
def test_the_rulebook_example_of_archimedes_and_the_bow(game: Game) -> None:
    position = position_with(game, knowledge={"archimedes": (1, 0, 2, 0)})
    assert play_and_log(position, "send Archimedes to Bow") == [
        log_line(WORKS, 1, inventor="Archimedes", invention="Bow", count=3)
    ]
    assert open_inventions(position)["bow"]["cubes"] == [[1, 0, 2, 0], [0, 0, 0, 0]]
    assert exhausted_inventors(position, 1) == {"archimedes"}
    assert (cubes_in_supply(position, 1), position.seat) == (12, 1)


@pytest.mark.rule("L6")
def test_only_active_inventors_of_the_players_team_work_on_face_up_inventions(game: Game) -> None:
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
def test_an_inventor_places_at_most_their_knowledge_in_each_field(game: Game) -> None:
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
def test_no_cube_is_placed_without_sending_an_inventor(game: Game) -> None:
    assert refused(position_with(game), "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"


@pytest.mark.rule("L7")
def test_an_inventor_places_at_least_one_cube(game: Game) -> None:
    position = position_with(game, cubes=FULL)
    assert refused(position, "send Hippocrates to Bow") == "L7"  # chemistry alone
    assert refused(position, "send Hypatia to Papyrus") == "L7"
    position.play("send fewer with Aristotle to Canoe")
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 0 mathematics") == "L7"


@pytest.mark.rule("L7")
def test_an_inventor_places_all_cubes_on_one_invention(game: Game) -> None:
    position = position_with(game)
    position.play("send Aristotle to Fire")
    cube_counts = [sum(map(sum, invention["cubes"])) for invention in open_inventions(position).values()]
    assert cube_counts == [0, 0, 0, 0, 2]


@pytest.mark.rule("L8")
def test_cubes_without_a_free_space_are_not_placed(game: Game) -> None:
    position = position_with(game, cubes=FULL, knowledge={"hypatia": (3, 0, 0, 4)})
    assert play_and_log(position, "send Hypatia to Sundial")[0] == log_line(
        WORKS, 1, inventor="Hypatia", invention="Sundial", count=1
    )
    assert cubes_in_supply(position, 1) == 14
    position = position_with(game, cubes=FULL, knowledge={"hypatia": (3, 2, 0, 4)})
    position.play("send Hypatia to Bow")
    assert open_inventions(position)["bow"]["cubes"][0] == [1, 0, 0, 0]


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
def test_a_stroke_of_genius_lists_only_cubes_with_a_free_space(game: Game) -> None:
    position = position_with(game, cubes=FULL, tokens={1: {"genius": 1}}, knowledge={"hypatia": (1, 0, 0, 3)})
    position.play("send genius with Hypatia to Canoe")
    listed_moves = texts(position)
    assert "place 2 physics 0 chemistry 0 mechanics 0 mathematics" in listed_moves
    assert all(allowed(position, move) for move in listed_moves)


@pytest.mark.rule("L9")
def test_readying_makes_all_exhausted_inventors_active(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia", "aristotle", "james-watt"])
    assert play_and_log(position, "ready") == [log_line(MAKES_READY, 1)]
    assert exhausted_inventors(position, 1) == set()
    assert exhausted_inventors(position, 2) == {"james-watt"}
    assert position.seat == 1


@pytest.mark.rule("L9")
def test_readying_needs_an_exhausted_inventor(game: Game) -> None:
    assert refused(position_with(game), "ready") == "L9"
    assert allowed(position_with(game, exhausted=["hypatia"]), "ready")


@pytest.mark.rule("L9")
def test_readying_is_automatic_if_no_other_move_is_legal(game: Game) -> None:
    all_inventors = ["james-watt", "ada-lovelace", "antoine-lavoisier", "benjamin-franklin"]
    position = position_with(game, exhausted=all_inventors)
    assert play_and_log(position, "send Hypatia to Bow")[1:] == [log_line(MAKES_READY, 2)]
    assert position.seat == 0
    position = position_with(game, exhausted=all_inventors, tokens={2: {"refresh": 1}})
    position.play("send Hypatia to Bow")
    assert position.seat == 1  # a token is a choice


@pytest.mark.rule("S6")
def test_a_player_with_all_fifteen_cubes_placed_cannot_send_an_inventor(game: Game) -> None:
    full_state = {
        "bow": {1: (1, 0, 2, 1)},
        "canoe": {1: (2, 0, 1, 1)},
        "papyrus": {1: (0, 3, 1, 0)},
        "sundial": {1: (2, 0, 0, 1)},
    }
    position = position_with(game, cubes=full_state, exhausted=["hypatia"], tokens={1: {"genius": 1}})
    assert cubes_in_supply(position, 1) == 0
    assert refused(position, "send Aristotle to Fire") == "S6"
    assert refused(position, "send genius with Aristotle to Fire") == "S6"


@pytest.mark.rule("S6")
def test_in_a_game_of_two_each_player_may_have_cubes_of_two_colours(game: Game) -> None:
    full_state = {
        "bow": {1: (1, 0, 2, 1)},
        "canoe": {1: (2, 0, 1, 1)},
        "sundial": {1: (2, 0, 0, 1)},
        "fire": {1: (3, 0, 0, 1)},
    }
    assert cubes_in_supply(position_with(game, cubes=full_state), 1) == 0
    position = position_with(game, cubes=full_state, has_enough_cubes=True)
    assert cubes_in_supply(position, 1) == 15
    position.play("send Hippocrates to Papyrus")
    assert cubes_in_supply(position, 1) == 13
    for seats in (2, 3, 4, 5):
        supplies = {
            cubes: cubes_in_supply(position_with(game, seats=seats, has_enough_cubes=cubes == "enough"), seats)
            for cubes in ("enough", "box")
        }
        assert supplies == {"enough": 30 if seats == 2 else 15, "box": 15}


@pytest.mark.rule("S6")
def test_with_fewer_cubes_than_fit_the_player_chooses_the_fields(game: Game) -> None:
    table = {"zeppelin": ("refresh", "genius"), "telephone": ("points-1", "points-2"), "radio": ("points-3", "number")}
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (1, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes, knowledge={"aristotle": (2, 0, 0, 1)})
    assert cubes_in_supply(position, 1) == 2
    log = play_and_log(position, "send Aristotle to Telephone")
    assert log == [log_line(SENDS, 1, inventor="Aristotle", invention="Telephone")]
    assert position.seat == 0
    assert texts(position) == [
        "place 1 physics 0 chemistry 0 mechanics 1 mathematics",
        "place 2 physics 0 chemistry 0 mechanics 0 mathematics",
    ]
    assert refused(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "S6"
    assert refused(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == "S6"
    assert refused(position, "place 3 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"
    position.play("place 2 physics 0 chemistry 0 mechanics 0 mathematics")
    assert (cubes_in_supply(position, 1), exhausted_inventors(position, 1)) == (0, {"aristotle"})


@pytest.mark.rule("S6")
def test_cubes_for_a_single_field_are_placed_without_a_choice(game: Game) -> None:
    table = {
        "zeppelin": ("refresh", "genius"),
        "quartz-clock": ("points-1", "points-2"),
        "radio": ("points-3", "number"),
    }
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (2, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes)
    assert cubes_in_supply(position, 1) == 1
    position.play("send Hypatia to Quartz clock")  # mathematics 2, one cube left
    assert open_inventions(position)["quartz-clock"]["cubes"][0] == [0, 0, 0, 1]
    assert position.seat == 1


@pytest.mark.rule("S9")
def test_a_player_may_place_fewer_cubes_and_chooses_the_fields(game: Game) -> None:
    position = position_with(game, knowledge={"aristotle": (2, 0, 0, 2)})
    position.play("send fewer with Aristotle to Sundial")
    assert position.seat == 0
    assert refused(position, "place 2 physics 0 chemistry 0 mechanics 2 mathematics") == "S9"
    assert len(texts(position, "place")) == 9 - 2
    assert play_and_log(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == [
        log_line(WORKS, 1, inventor="Aristotle", invention="Sundial", count=3)
    ]
    assert open_inventions(position)["sundial"]["cubes"][0] == [2, 0, 0, 1]


@pytest.mark.rule("S9")
def test_fewer_cubes_are_offered_only_where_there_is_a_choice(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "send fewer with Archimedes to Fire") == "S9"  # physics 1, no mechanics there
    position.play("send fewer with Hypatia to Bow")
    assert open_inventions(position)["bow"]["cubes"][0] == [0, 0, 0, 1]
    assert position.seat == 1


@pytest.mark.rule("L22")
def test_a_stroke_of_genius_adds_up_to_two_cubes_in_any_field(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    position.play("send genius with Hypatia to Fire")  # mathematics 2
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 1 mathematics") == "L22"
    assert refused(position, "place 3 physics 0 chemistry 0 mechanics 0 mathematics") == "L22"
    assert refused(position, "place 2 physics 1 chemistry 0 mechanics 1 mathematics") == "L22"
    assert allowed(position, "place 1 physics 1 chemistry 0 mechanics 1 mathematics")
    assert allowed(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics")
    assert play_and_log(position, "place 2 physics 0 chemistry 0 mechanics 1 mathematics") == [
        log_line(WORKS_BY_GENIUS, 1, inventor="Hypatia", invention="Fire", count=3, genius=1)
    ]
    assert open_inventions(position)["fire"]["cubes"][0] == [2, 0, 0, 1]
    assert player(position, 1)["tokens"] == {}
    assert position.document()["state"]["tokens_gone"] == {"genius": 1}
    assert (exhausted_inventors(position, 1), position.seat, cubes_in_supply(position, 1)) == ({"hypatia"}, 1, 12)


@pytest.mark.rule("L22")
def test_a_stroke_of_genius_needs_its_token(game: Game) -> None:
    assert refused(position_with(game), "send genius with Hypatia to Fire") == "L22"
    assert allowed(position_with(game, tokens={1: {"genius": 1}}), "send genius with Hypatia to Fire")


@pytest.mark.rule("S3")
def test_several_strokes_of_genius_may_be_used_in_one_turn(game: Game) -> None:
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
def test_several_refresh_tokens_may_be_used_in_one_turn(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia"], tokens={1: {"refresh": 2}})
    position.play("refresh")
    assert position.seat == 0
    assert refused(position, "refresh") == "L21"  # nobody is exhausted now
    assert player(position, 1)["tokens"] == {"refresh": 1}


@pytest.mark.rule("S11")
def test_a_stroke_of_genius_is_possible_where_the_inventor_alone_can_place_no_cube(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    assert refused(position, "send Hippocrates to Sundial") == "L7"
    position.play("send genius with Hippocrates to Sundial")
    assert refused(position, "place 0 physics 0 chemistry 0 mechanics 0 mathematics") == "L7"
    position.play("place 1 physics 0 chemistry 0 mechanics 1 mathematics")
    assert open_inventions(position)["sundial"]["cubes"][0] == [1, 0, 0, 1]


@pytest.mark.rule("S11")
def test_a_stroke_of_genius_needs_a_free_space(game: Game) -> None:
    position = position_with(
        game, tokens={1: {"genius": 1}}, cubes={"sundial": {2: (2, 0, 0, 1)}, "canoe": {2: (2, 0, 0, 1)}}
    )
    assert refused(position, "send genius with Hypatia to Sundial") == "S11"  # two spaces, both hers
    assert allowed(position, "send genius with Hypatia to Canoe")


@pytest.mark.rule("S11")
def test_a_stroke_of_genius_is_refused_if_the_supply_has_too_few_cubes(game: Game) -> None:
    table = {
        "zeppelin": ("refresh", "points-3"),
        "telephone": ("points-1", "points-2"),
        "radio": ("points-3", "number"),
    }
    cubes = {"zeppelin": {1: (2, 4, 1, 1)}, "radio": {1: (2, 1, 2, 1)}}
    position = position_with(game, age=3, table=table, cubes=cubes, tokens={1: {"genius": 1}})
    assert cubes_in_supply(position, 1) == 1
    assert allowed(position, "send genius with Hypatia to Telephone")  # one cube in another field
    position = position_with(
        game, age=3, table=table, cubes=cubes, tokens={1: {"genius": 1}}, knowledge={"hypatia": (1, 1, 1, 2)}
    )
    assert refused(position, "send genius with Hypatia to Telephone") == "S11"


@pytest.mark.rule("L6")
def test_a_choice_of_cubes_leaves_no_trace_in_the_state(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}})
    position.play("send genius with Hypatia to Fire")
    position.play("place 2 physics 0 chemistry 0 mechanics 1 mathematics")
    restored_game = game.position(position.document())  # a document says nothing of a sending that is over
    assert restored_game.digest() == position.digest()
    assert refused(position, "place 1 physics 0 chemistry 0 mechanics 0 mathematics") == "L6"


def test_the_question_for_an_inventor_says_what_the_inventor_will_do(position_in_mid_game: Position) -> None:
    setup, questions = position_in_mid_game.setup, dict[str, set[str]]()
    for move in setup.moves:
        for word in setup.words(move):
            if word.element_id.startswith("inventor-"):
                assert word.question is not None
                questions.setdefault(move.kind, set()).add(str(word.question))
    assert set(questions) == {"send", "send fewer", "send genius", "upgrade", "turn"}
    assert all(len(asked) == 1 for asked in questions.values())
    assert len(set[str]().union(*questions.values())) == len(questions)
