"""Check the course of a round: rules E12 to E17 and the ruling R40."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import CAN_DO_NOTHING, PLACES, PLACES_LAST, TAKES_BACK
from spieltisch.games.era_of_inventions.refusals import (
    BOTH_SPACES_TAKEN,
    CHOOSE_FIRST,
    NO_DISC_THERE,
    NOBODY_PASSES,
    NOTHING_TO_DO,
    OTHER_ACTION,
    OWN_DISC_THERE,
)
from tests.games.era_of_inventions.positions import (
    ACTIONS,
    BUILD,
    BUY,
    DEVELOP,
    MARKET,
    PRODUCE,
    YIELD,
    all_yield_line,
    goods,
    log,
    log_line,
    moves,
    number,
    phase,
    play,
    position_with,
    reason,
    refusing_rule,
)
from tests.games.refusals import allowed, refused


@pytest.mark.rule("E12")
def test_players_place_discs_in_turn_until_no_disc_is_left(game: Game) -> None:
    position = position_with(game, seat=3, start=3)
    order = []
    for field in (BUILD, BUILD, YIELD, YIELD, BUY, BUY, PRODUCE, PRODUCE):
        order.append(phase(position)[1])
        assert phase(position)[0] == "placing"
        play(position, f"place {field}")
    assert order == [3, 4, 1, 2, 3, 4, 1, 2]
    assert phase(position) == ("choosing", 3)
    assert refusing_rule(position, f"place {MARKET}") == "E12"


@pytest.mark.rule("E12")
def test_no_other_move_is_legal_while_discs_are_placed(game: Game) -> None:
    position = position_with(game)
    for move in (f"use {BUILD}", f"take back {BUILD}", "build coal mine 1", "run brown sawmill", "buy metal ship",
                 "produce light bulb", "take stone", "exchange coin coin for stone", "develop telephone gold",
                 "patent nothing"):  # fmt: skip
        assert refusing_rule(position, move) == "E12", move
    assert moves(position) == {f"place {field}" for field in ACTIONS}


@pytest.mark.rule("E13")
def test_at_most_two_discs_lie_on_a_field(game: Game) -> None:
    position = position_with(game)
    play(position, f"place {BUILD}", f"place {BUILD}")
    assert refused(position, f"place {BUILD}") == reason(BOTH_SPACES_TAKEN)
    assert allowed(position, f"place {YIELD}")


@pytest.mark.rule("E14")
def test_a_player_cannot_place_discs_on_both_spaces_of_a_field(game: Game) -> None:
    position = position_with(game)
    play(position, f"place {BUILD}", f"place {YIELD}", f"place {BUY}", f"place {PRODUCE}")
    assert refused(position, f"place {BUILD}") == reason(OWN_DISC_THERE)
    assert moves(position) == {f"place {field}" for field in ACTIONS if field != BUILD}


@pytest.mark.rule("E15")
def test_each_player_in_turn_carries_out_a_disc_of_their_choice(game: Game) -> None:
    position = position_with(game, seat=2, start=2, seats=3, discs={YIELD: [2, 3], MARKET: [2, 1], BUY: [1, 3]},
                             numbers={p: {"bonus": 0} for p in (1, 2, 3)})  # fmt: skip
    assert moves(position) == {f"use {YIELD}", f"use {MARKET}", f"take back {YIELD}", f"take back {MARKET}"}
    assert refused(position, f"use {BUY}") == reason(NO_DISC_THERE)
    assert refusing_rule(position, f"take back {BUY}") == "E15"
    play(position, f"use {MARKET}", "take stone")
    assert phase(position) == ("choosing", 3)
    assert number(position, 2, "hand") == 2  # of three discs one was in hand in this position
    assert position.document()["state"]["discs"]["exchange-market"] == [None, 1]
    play(position, f"take back {YIELD}", f"use {BUY}", "buy metal ship", "done", f"use {YIELD}", f"take back {BUY}")
    assert phase(position) == ("choosing", 1)


@pytest.mark.rule("E15")
def test_only_one_disc_is_carried_out_at_a_time(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1], BUY: [1, 2]})
    assert refused(position, "buy metal ship") == reason(CHOOSE_FIRST)
    assert refusing_rule(position, "take stone") == "E15"
    play(position, f"use {BUY}")
    assert refused(position, "take stone") == reason(OTHER_ACTION, action="Buy resources")
    assert refusing_rule(position, f"use {MARKET}") == "E15"
    assert refusing_rule(position, f"take back {MARKET}") == "E15"
    assert refusing_rule(position, "build coal mine 1") == "E15"
    assert refusing_rule(position, "produce light bulb") == "E15"
    assert refusing_rule(position, "develop sewing machine gold") == "E15"


@pytest.mark.rule("E16")
def test_a_disc_may_be_taken_back_unused(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1, 2], BUY: [1]}, numbers={1: {"bonus": 0}})
    before = goods(position, 1)
    assert refusing_rule(position, "done") == "E16"
    assert log(position, f"take back {MARKET}") == [log_line(TAKES_BACK, 1, action="Exchange market")]
    assert goods(position, 1) == before
    assert phase(position) == ("choosing", 2)
    assert position.document()["state"]["discs"]["exchange-market"] == [None, 2]


@pytest.mark.rule("E17")
def test_an_action_may_be_ended_before_its_maximum(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2]}, numbers={1: {"bonus": 0}})
    play(position, f"use {BUY}", "buy metal ship")
    assert phase(position) == ("acting", 1)
    play(position, "done")
    assert phase(position) == ("choosing", 2)
    position = position_with(game, discs={BUY: [1, 2]}, numbers={1: {"bonus": 0}})
    assert phase(play(position, f"use {BUY}", "done")) == ("choosing", 2)


@pytest.mark.rule("E17")
def test_an_action_ends_when_no_further_step_is_possible(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2]}, goods={1: {"coin": 1}}, numbers={1: {"bonus": 0}})
    assert phase(play(position, f"use {BUY}", "buy metal ship")) == ("choosing", 2)


@pytest.mark.rule("R40")
def test_a_disc_whose_action_is_impossible_must_be_taken_back(game: Game) -> None:
    position = position_with(game, discs={BUY: [1, 2], MARKET: [1]}, goods={1: {"coin": 0}})
    assert refused(position, f"use {BUY}") == reason(NOTHING_TO_DO)
    assert allowed(position, f"take back {BUY}")


@pytest.mark.rule("R40")
def test_a_last_disc_whose_action_is_impossible_is_taken_back_automatically(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1], BUY: [2, 3]}, goods={2: {"coin": 0}},
                             numbers={p: {"bonus": 0} for p in (1, 2, 3, 4)})  # fmt: skip
    assert log(position, f"use {YIELD}") == [
        all_yield_line(1, wood=1),
        log_line(CAN_DO_NOTHING, 2, action="Buy resources"),
    ]
    assert phase(position) == ("choosing", 3)
    assert number(position, 2, "hand") == 2


@pytest.mark.rule("R40")
@pytest.mark.rule("R7")
def test_a_bonus_disc_may_be_used_after_a_disc_whose_action_was_impossible(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1], BUY: [2, 3]}, goods={2: {"coin": 0}}, numbers={1: {"bonus": 0}})
    play(position, f"use {YIELD}")
    assert phase(position) == ("bonus", 2)


@pytest.mark.rule("R40")
def test_placing_a_disc_cannot_be_passed(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "done") == reason(NOBODY_PASSES)
    assert refusing_rule(position, "keep bonus disc") == "E42"


@pytest.mark.rule("R40")
def test_the_only_field_left_is_chosen_automatically(game: Game) -> None:
    discs_by_action = {BUILD: [1, 2], YIELD: [3, 4], BUY: [1, 2], PRODUCE: [3], MARKET: [5]}
    position = position_with(game, seats=5, seat=4, phase="placing", discs=discs_by_action)
    assert log(position, f"place {PRODUCE}") == [
        log_line(PLACES, 4, action="Produce inventions"),
        log_line(PLACES_LAST, 5, action="Develop or patent"),
    ]
    assert phase(position) == ("choosing", 1)
    position = position_with(game, seats=5, seat=4, phase="placing", discs=discs_by_action)
    play(position, f"place {DEVELOP}")  # two fields are open for the last disc now
    assert phase(position) == ("placing", 5)
    assert moves(position) == {f"place {PRODUCE}", f"place {DEVELOP}"}
