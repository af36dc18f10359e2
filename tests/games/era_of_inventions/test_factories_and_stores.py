"""Check actions A to C: rules E18 to E21 and the rulings R21, R30, R34."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import BUILDS, BUYS
from spieltisch.games.era_of_inventions.refusals import (
    FACTORY_UNPAID,
    LOAD_UNPAID,
    MANY_FACTORIES,
    MANY_LOADS,
    NO_SUCH_FACTORY,
    NOT_YOURS,
    NOTHING_THERE,
)
from tests.games.era_of_inventions.positions import (
    BUILD,
    BUY,
    YIELD,
    all_yield_line,
    count_of_good,
    factory_row,
    goods,
    goods_text,
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

RICH = {"wood": 20, "coal": 20}


@pytest.mark.rule("E18")
def test_up_to_three_factories_are_built_from_the_row(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: RICH}, discs={BUY: [1, 2]})
    assert moves(position, "build") == {f"build coal mine {n}" for n in (1, 2, 3, 4)} | {"build sawmill 1"}
    assert log(position, "build coal mine 3") == [
        log_line(BUILDS, 1, factory="coal mine 3", cost=goods_text(wood=2, coal=1))
    ]
    assert (count_of_good(position, 1, "wood"), count_of_good(position, 1, "coal")) == (18, 19)
    assert factory_row(position) == ["coal mine 1", "coal mine 2", None, "coal mine 4", "sawmill 1"]
    assert "coal-mine-3" in position.document()["state"]["players"][0]["factories"]
    play(position, "build coal mine 4")
    assert phase(position) == ("acting", 1)
    play(position, "build coal mine 1")
    assert phase(position) == ("bonus", 1)  # three are the most
    assert factory_row(position) == [None, "coal mine 2", None, None, "sawmill 1"]


@pytest.mark.rule("E18")
def test_a_fourth_factory_is_refused(game: Game) -> None:
    position = position_with(game, action=BUILD, done=3, goods={1: RICH})
    assert refused(position, "build coal mine 1") == reason(MANY_FACTORIES, count=3)


@pytest.mark.rule("E18")
def test_only_factories_in_the_row_that_the_player_can_pay_are_built(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 2, "coal": 0}})
    assert refused(position, "build foundry 1") == reason(NO_SUCH_FACTORY)
    assert refused(position, "build coal mine 3") == reason(
        FACTORY_UNPAID, thing="coal mine 3", cost=goods_text(wood=2, coal=1)
    )
    assert refusing_rule(position, "build coal mine 4") == "E18"
    assert allowed(position, "build coal mine 2")
    play(position, "build coal mine 1")
    assert refusing_rule(position, "build coal mine 1") == "E18"


@pytest.mark.rule("E19")
@pytest.mark.rule("R21")
def test_only_factories_with_the_influence_symbol_give_influence(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: RICH})
    play(position, "build coal mine 1")
    assert number(position, 1, "influence") == 0
    play(position, "build coal mine 2")
    assert number(position, 1, "influence") == 1
    assert position.document()["state"]["players"][0]["earned"]["factories"] == 1
    influence_factories = {works.id for works in position.setup.board.works if works.influence}
    assert len(influence_factories) == 8


@pytest.mark.rule("E20")
def test_producing_yields_the_goods_of_all_factories_of_the_player_and_of_no_others(game: Game) -> None:
    owned = {1: ["foundry 3", "counting house 1", "drawing office 1"], 2: ["workshop 4"]}
    position = position_with(game, discs={YIELD: [1, 2]}, owned=owned)
    before = goods(position, 1), goods(position, 2)
    assert log(position, f"use {YIELD}") == [all_yield_line(1, wood=1, metal=2, coin=1, stone=1)]
    assert goods(position, 1) == before[0] | {"wood": 2, "metal": 3, "coin": 3, "stone": 2}
    assert goods(position, 2) == before[1]
    assert phase(position) == ("bonus", 1)  # the action is over


@pytest.mark.rule("E20")
def test_a_bonus_disc_produces_with_only_one_factory_of_the_player(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={BUY: [2]}, owned={1: ["foundry 3"], 2: ["workshop 4"]})
    assert refused(position, "run workshop 4") == reason(NOT_YOURS)
    assert refusing_rule(position, "run coal mine 1") == "E20"
    assert moves(position, "run") == {"run brown sawmill", "run foundry 3"}


@pytest.mark.rule("E21")
@pytest.mark.rule("R34")
def test_a_coin_buys_a_whole_load_at_most_three_times(game: Game) -> None:
    position = position_with(game, action=BUY, goods={1: {"coin": 5}}, loads={"metal ship": 4})
    assert log(position, "buy metal ship") == [log_line(BUYS, 1, store="metal ship", goods=goods_text(metal=4))]
    assert (count_of_good(position, 1, "metal"), count_of_good(position, 1, "coin")) == (5, 4)
    play(position, "buy coal warehouse 1", "buy tool ship")
    assert (
        count_of_good(position, 1, "coal"),
        count_of_good(position, 1, "tool"),
        count_of_good(position, 1, "coin"),
    ) == (6, 3, 2)
    assert phase(position) == ("bonus", 1)
    assert position.document()["state"]["stores"]["metal-ship"] == 0


@pytest.mark.rule("E21")
def test_buying_a_fourth_load_or_without_a_coin_is_refused(game: Game) -> None:
    position = position_with(game, action=BUY, done=3)
    assert refused(position, "buy metal ship") == reason(MANY_LOADS, count=3)
    position = position_with(game, action=BUY, goods={1: {"coin": 0}})
    assert refused(position, "buy metal ship") == reason(LOAD_UNPAID, cost=goods_text(coin=1))


@pytest.mark.rule("R30")
def test_an_empty_ship_is_not_for_sale_and_a_ship_holds_any_number_of_goods(game: Game) -> None:
    position = position_with(game, action=BUY, loads={"metal ship": 0, "tool ship": 30})
    assert refused(position, "buy metal ship") == reason(NOTHING_THERE)
    play(position, "buy tool ship")
    assert count_of_good(position, 1, "tool") == 31
