"""A round: E12 to E17 and the ruling R40."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    ACTIONS,
    BUILD,
    BUY,
    DEVELOP,
    MARKET,
    PRODUCE,
    YIELD,
    allowed,
    goods,
    log,
    moves,
    number,
    phase,
    play,
    position_with,
    refused,
    rule,
)


@pytest.mark.rule("E12")
def test_discs_are_placed_in_turn_until_none_is_left(game: Game) -> None:
    position = position_with(game, seat=3, start=3)
    order = []
    for field in (BUILD, BUILD, YIELD, YIELD, BUY, BUY, PRODUCE, PRODUCE):
        order.append(phase(position)[1])
        assert phase(position)[0] == "placing"
        play(position, f"place {field}")
    assert order == [3, 4, 1, 2, 3, 4, 1, 2]
    assert phase(position) == ("choosing", 3)
    assert rule(position, f"place {MARKET}") == "E12"


@pytest.mark.rule("E12")
def test_nothing_else_is_done_while_discs_are_placed(game: Game) -> None:
    position = position_with(game)
    for move in (f"use {BUILD}", f"take back {BUILD}", "build coal mine 1", "run brown sawmill", "buy metal ship",
                 "produce light bulb", "take stone", "exchange coin coin for stone", "develop telephone gold",
                 "patent nothing"):  # fmt: skip
        assert rule(position, move) == "E12", move
    assert moves(position) == {f"place {field}" for field in ACTIONS}


@pytest.mark.rule("E13")
def test_two_discs_at_most_on_a_field(game: Game) -> None:
    position = position_with(game)
    play(position, f"place {BUILD}", f"place {BUILD}")
    assert refused(position, f"place {BUILD}") == ("E13", "Both spaces of this field are taken.")
    assert allowed(position, f"place {YIELD}")


@pytest.mark.rule("E14")
def test_never_both_spaces_by_one_player(game: Game) -> None:
    position = position_with(game)
    play(position, f"place {BUILD}", f"place {YIELD}", f"place {BUY}", f"place {PRODUCE}")
    assert refused(position, f"place {BUILD}") == ("E14", "You already have a disc on this field.")
    assert moves(position) == {f"place {field}" for field in ACTIONS if field != BUILD}


@pytest.mark.rule("E15")
def test_each_in_turn_carries_out_a_disc_of_its_choice(game: Game) -> None:
    position = position_with(game, seat=2, start=2, seats=3, discs={YIELD: [2, 3], MARKET: [2, 1], BUY: [1, 3]},
                             numbers={p: {"bonus": 0} for p in (1, 2, 3)})  # fmt: skip
    assert moves(position) == {f"use {YIELD}", f"use {MARKET}", f"take back {YIELD}", f"take back {MARKET}"}
    assert refused(position, f"use {BUY}") == ("E15", "You don’t have a disc there.")
    assert rule(position, f"take back {BUY}") == "E15"
    play(position, f"use {MARKET}", "take stone")
    assert phase(position) == ("choosing", 3)
    assert number(position, 2, "hand") == 2  # of three discs one was in hand in this position
    assert position.document()["state"]["discs"]["exchange-market"] == [None, 1]
    play(position, f"take back {YIELD}", f"use {BUY}", "buy metal ship", "done", f"use {YIELD}", f"take back {BUY}")
    assert phase(position) == ("choosing", 1)


@pytest.mark.rule("E15")
def test_one_disc_at_a_time(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1], BUY: [1, 2]})
    assert refused(position, "buy metal ship") == ("E15", "First choose one of your discs.")
    assert rule(position, "take stone") == "E15"
    play(position, f"use {BUY}")
    assert refused(position, "take stone") == ("E15", "Finish your current action first: Buy resources.")
    assert rule(position, f"use {MARKET}") == "E15"
    assert rule(position, f"take back {MARKET}") == "E15"
    assert rule(position, "build coal mine 1") == "E15"
    assert rule(position, "produce light bulb") == "E15"
    assert rule(position, "develop sewing machine gold") == "E15"


@pytest.mark.rule("E16")
def test_a_disc_may_be_taken_back_unused(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1, 2], BUY: [1]}, numbers={1: {"bonus": 0}})
    before = goods(position, 1)
    assert rule(position, "done") == "E16"
    assert log(position, f"take back {MARKET}") == ["Player 1 takes the disc back from Exchange market unused."]
    assert goods(position, 1) == before
    assert phase(position) == ("choosing", 2)
    assert position.document()["state"]["discs"]["exchange-market"] == [None, 2]


@pytest.mark.rule("E17")
def test_less_than_the_maximum(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2]}, numbers={1: {"bonus": 0}})
    play(position, f"use {BUY}", "buy metal ship")
    assert phase(position) == ("acting", 1)
    play(position, "done")
    assert phase(position) == ("choosing", 2)
    position = position_with(game, discs={BUY: [1, 2]}, numbers={1: {"bonus": 0}})
    assert phase(play(position, f"use {BUY}", "done")) == ("choosing", 2)


@pytest.mark.rule("E17")
def test_an_action_in_which_no_more_can_be_done_is_over(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2]}, goods={1: {"coin": 1}}, numbers={1: {"bonus": 0}})
    assert phase(play(position, f"use {BUY}", "buy metal ship")) == ("choosing", 2)


@pytest.mark.rule("R40")
def test_who_can_do_nothing_takes_the_disc_back(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2], MARKET: [1]}, goods={1: {"coin": 0}})
    assert refused(position, f"use {BUY}") == (
        "R40",
        "There’s nothing to do there now. You can take the disc back unused.",
    )
    assert allowed(position, f"take back {BUY}")


@pytest.mark.rule("R40")
def test_a_last_disc_that_can_do_nothing_comes_back_by_itself(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1], BUY: [2, 3]}, goods={2: {"coin": 0}},
                             numbers={p: {"bonus": 0} for p in (1, 2, 3, 4)})  # fmt: skip
    assert log(position, f"use {YIELD}") == [
        "Player 1 carries out Produce resources: 1 wood.",
        "Player 2 can’t use the disc on Buy resources and takes it back.",
    ]
    assert phase(position) == ("choosing", 3)
    assert number(position, 2, "hand") == 2


@pytest.mark.rule("R40")
@pytest.mark.rule("R7")
def test_and_a_bonus_disc_may_follow(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1], BUY: [2, 3]}, goods={2: {"coin": 0}}, numbers={1: {"bonus": 0}})
    play(position, f"use {YIELD}")
    assert phase(position) == ("bonus", 2)


@pytest.mark.rule("R40")
def test_nobody_passes_a_placement(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "done") == ("R40", "You can’t pass while placing discs.")
    assert rule(position, "keep bonus disc") == "E42"


@pytest.mark.rule("R40")
def test_the_only_field_left_is_taken_without_asking(game: Game) -> None:
    lying = {BUILD: [1, 2], YIELD: [3, 4], BUY: [1, 2], PRODUCE: [3], MARKET: [5]}
    position = position_with(game, seats=5, seat=4, phase="placing", discs=lying)
    assert log(position, f"place {PRODUCE}") == [
        "Player 4 places a disc on Produce inventions.",
        "Player 5 places a disc on Develop or patent, the only field left.",
    ]
    assert phase(position) == ("choosing", 1)
    position = position_with(game, seats=5, seat=4, phase="placing", discs=lying)
    play(position, f"place {DEVELOP}")  # two fields are open for the last disc now
    assert phase(position) == ("placing", 5)
    assert moves(position) == {f"place {PRODUCE}", f"place {DEVELOP}"}
