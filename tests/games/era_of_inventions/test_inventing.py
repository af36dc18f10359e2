"""Action F: E34 to E41 and the rulings R4, R14, R22, R27, R28, R41."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.board import words_of
from tests.games.era_of_inventions.positions import (
    DEVELOP,
    MARKET,
    allowed,
    field,
    has,
    log,
    moves,
    number,
    phase,
    pile,
    play,
    position_with,
    refused,
    row,
    rule,
)


@pytest.mark.rule("E34")
def test_any_number_of_inventions_up_to_seven_stones(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 20}})
    play(position, "develop steam locomotive gold", "develop typewriter gold")
    assert phase(position) == ("acting", 1)
    assert refused(position, "develop telephone gold") == (
        "E34",
        "You can pay at most 7 development stones per action.",
    )
    assert allowed(position, "develop cash register gold")
    play(position, "develop cash register gold")
    assert has(position, 1, "stone") == 13
    assert phase(position) == ("bonus", 1)  # nothing costs nothing
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 20}}, stones=3, way="developing")
    assert rule(position, "develop aeroplane gold") == "E34"


@pytest.mark.rule("E34")
@pytest.mark.rule("E38")
def test_either_inventions_or_patents(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9, "coin": 9}})
    play(position, "develop telephone gold")
    assert refused(position, "patent telephone gold") == (
        "E38",
        "In one action, you can either develop inventions or register patents.",
    )
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9, "coin": 9}})
    play(position, "patent nothing")
    assert rule(position, "develop telephone gold") == "E34"


@pytest.mark.rule("E35")
@pytest.mark.rule("R28")
def test_gold_before_silver_also_in_one_action(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    assert refused(position, "develop telephone silver") == (
        "E35",
        "The silver field opens only once the gold field is taken.",
    )
    play(position, "develop telephone gold", "develop telephone silver")
    assert field(position, "telephone gold")[0] == field(position, "telephone silver")[0] == 1
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders={"telephone gold": 3})
    assert allowed(position, "develop telephone silver")


@pytest.mark.rule("R41")
def test_a_gold_field_opens_no_silver_field_but_its_own(game: Game) -> None:
    gold = {"telephone gold": 3, "camera gold": 1}
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders=gold)
    silver = {f"{words_of(invention.id)} silver" for invention in position.setup.board.inventions}
    opened = {f"{name.removesuffix(' gold')} silver" for name in gold}
    assert {name for name in silver if allowed(position, f"develop {name}")} == opened
    assert {rule(position, f"develop {name}") for name in silver - opened} == {"E35"}


@pytest.mark.rule("E36")
def test_marker_stones_and_influence(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 4}})
    assert log(position, "develop camera gold") == [
        "Player 1 develops camera (gold) for 3 development stones and gains 5 influence points."
    ]
    assert (has(position, 1, "stone"), number(position, 1, "influence"), number(position, 1, "markers")) == (1, 5, 14)
    assert field(position, "camera gold") == (1, False)
    assert position.document()["state"]["players"][0]["earned"]["inventing"] == 5


@pytest.mark.rule("E36")
def test_a_taken_field_and_too_few_stones(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 2}}, holders={"typewriter gold": 2})
    assert refused(position, "develop typewriter gold") == ("E36", "This field is already taken: typewriter (gold).")
    assert refused(position, "develop camera gold") == (
        "E36",
        "You can’t afford this (camera (gold)): it costs 3 development stones.",
    )


@pytest.mark.rule("E37")
def test_a_gold_field_brings_three_cards_a_silver_field_none(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    play(position, "develop telephone gold")
    assert pile(position, "fresh") == {"telephone a", "telephone b", "telephone counterfeit"}
    assert not pile(position, "fresh") & pile(position, "aside")
    play(position, "develop telephone silver")
    assert len(pile(position, "fresh")) == 3
    assert row(position)[0] == "light bulb"  # nothing enters before the end of the round


@pytest.mark.rule("E38")
def test_two_steps_in_an_action_six_in_a_game(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 40}})
    play(position, "patent nothing", "patent nothing")
    assert (has(position, 1, "coin"), number(position, 1, "steps"), number(position, 1, "influence")) == (37, 2, 2)
    assert phase(position) == ("bonus", 1)
    position = position_with(game, action=DEVELOP, done=2, way="patenting", goods={1: {"coin": 40}})
    assert refused(position, "patent nothing") == ("E38", "You can register at most 2 patents per action.")
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 40}}, numbers={1: {"steps": 6}})
    assert refused(position, "patent nothing") == ("E38", "Your patent marker has reached the last space.")
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 2}}, numbers={1: {"steps": 2}})
    assert refused(position, "patent nothing") == (
        "E38",
        "You can’t afford the next space on the patent track: it costs 3 coins.",
    )


@pytest.mark.rule("E38")
@pytest.mark.rule("R34")
def test_several_players_on_one_step_and_six_for_each(game: Game) -> None:
    numbers = {p: {"steps": 5} for p in (1, 2, 3, 4)}
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 6}}, numbers=numbers)
    play(position, "patent nothing")
    assert [number(position, p, "steps") for p in (1, 2, 3, 4)] == [6, 5, 5, 5]


@pytest.mark.rule("E39")
def test_the_marker_goes_to_an_own_field_of_free_choice(game: Game) -> None:
    holders = {"telephone gold": 1, "telephone silver": 2, "car gold": 2, "car silver": 1}
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders=holders)
    assert moves(position, "patent") == {"patent telephone gold", "patent car silver"}
    sentence = "You can only patent your own inventions that have no patent yet."
    assert refused(position, "patent car gold") == ("E39", sentence)
    assert rule(position, "patent camera gold") == "E39"
    play(position, "patent car silver")
    assert field(position, "car silver") == (1, True)
    assert number(position, 1, "markers") == 12
    assert refused(position, "patent car silver") == ("E39", sentence)
    assert moves(position, "patent") == {"patent telephone gold"}


@pytest.mark.rule("E40")
@pytest.mark.rule("R14")
def test_without_an_invention_no_marker_with_one_it_is_placed(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders={"telephone gold": 1})
    assert refused(position, "patent nothing") == (
        "R14",
        "Choose an invention to patent: you still have one without a patent.",
    )
    play(position, "patent telephone gold")
    assert allowed(position, "patent nothing")
    log_lines = log(position, "patent nothing")
    assert log_lines[0] == "Player 1 registers a patent for 2 coins without a marker and gains 1 influence point."
    assert number(position, 1, "markers") == 13


@pytest.mark.rule("E40")
def test_the_right_to_a_marker_is_lost_for_good(game: Game) -> None:
    lying = {DEVELOP: [1, 2], MARKET: [1]}
    position = position_with(game, seats=3, discs=lying, goods={1: {"coin": 9}}, numbers={1: {"bonus": 3}})
    play(position, f"use {DEVELOP}", "patent nothing", "done", "develop sewing machine gold")
    assert field(position, "sewing machine gold") == (1, False)
    assert number(position, 1, "steps") == 1
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders={"telephone gold": 1},
                             numbers={1: {"steps": 1}})  # fmt: skip
    play(position, "patent telephone gold")  # a later step may
    assert field(position, "telephone gold") == (1, True)


@pytest.mark.rule("R8")
def test_without_a_marker_no_field_and_no_patent(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9, "stone": 9}}, holders={"telephone gold": 1},
                             numbers={1: {"markers": 0}})  # fmt: skip
    assert refused(position, "develop car gold") == ("R8", "None of these are left in the supply.")
    assert rule(position, "patent telephone gold") == "R8"
    play(position, "patent nothing")
    assert number(position, 1, "steps") == 1


@pytest.mark.rule("R4")
def test_the_sewing_machine_gives_one(game: Game) -> None:
    position = position_with(game, action=DEVELOP)
    play(position, "develop sewing machine gold")
    assert number(position, 1, "influence") == 1
    text = (game.folder / "components.toml").read_text("utf-8")
    head, mark, rest = text.partition('[[inventions]]\nid = "sewing-machine"')
    french = game.read_components(head + mark + rest.replace("influence = 1", "influence = 2", 1))
    position = position_with(game, action=DEVELOP, components=french)
    play(position, "develop sewing machine gold")
    assert number(position, 1, "influence") == 2


@pytest.mark.rule("R22")
def test_patents_are_registered_step_by_step(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, numbers={1: {"influence": 5}})
    play(position, "patent nothing")
    assert (number(position, 1, "influence"), has(position, 1, "tool"), has(position, 1, "metal")) == (6, 2, 1)
    play(position, "patent nothing")
    assert (number(position, 1, "influence"), has(position, 1, "tool"), has(position, 1, "metal")) == (7, 2, 2)


@pytest.mark.rule("R27")
def test_a_silver_field_is_no_new_invention(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders={"telephone gold": 3})
    play(position, "develop telephone silver")
    assert position.document()["state"]["new_original"] is False
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    play(position, "develop telephone gold")
    assert position.document()["state"]["new_original"] is True
