"""Actions A to C: E18 to E21 and the rulings R21, R30, R34."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    BUILD,
    BUY,
    YIELD,
    allowed,
    factory_row,
    goods,
    has,
    log,
    moves,
    number,
    phase,
    play,
    position_with,
    refused,
    rule,
)

RICH = {"wood": 20, "coal": 20}


@pytest.mark.rule("E18")
def test_up_to_three_factories_from_the_row(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: RICH}, discs={BUY: [1, 2]})
    assert moves(position, "build") == {f"build coal mine {n}" for n in (1, 2, 3, 4)} | {"build sawmill 1"}
    assert log(position, "build coal mine 3") == ["Player 1 builds coal mine 3 for 2 wood, 1 coal."]
    assert (has(position, 1, "wood"), has(position, 1, "coal")) == (18, 19)
    assert factory_row(position) == ["coal mine 1", "coal mine 2", None, "coal mine 4", "sawmill 1"]
    assert "coal-mine-3" in position.document()["state"]["players"][0]["factories"]
    play(position, "build coal mine 4")
    assert phase(position) == ("acting", 1)
    play(position, "build coal mine 1")
    assert phase(position) == ("bonus", 1)  # three are the most
    assert factory_row(position) == [None, "coal mine 2", None, None, "sawmill 1"]


@pytest.mark.rule("E18")
def test_not_a_fourth(game: Game) -> None:
    position = position_with(game, action=BUILD, done=3, goods={1: RICH})
    assert refused(position, "build coal mine 1") == ("E18", "You can build at most 3 factories per action.")


@pytest.mark.rule("E18")
def test_only_what_lies_there_and_is_paid(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 2, "coal": 0}})
    assert refused(position, "build foundry 1") == ("E18", "This factory isn’t in the factory row.")
    assert refused(position, "build coal mine 3") == (
        "E18",
        "You can’t afford this (coal mine 3): it costs 2 wood, 1 coal.",
    )
    assert rule(position, "build coal mine 4") == "E18"
    assert allowed(position, "build coal mine 2")
    play(position, "build coal mine 1")
    assert rule(position, "build coal mine 1") == "E18"


@pytest.mark.rule("E19")
@pytest.mark.rule("R21")
def test_only_cards_with_the_symbol_give_influence(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: RICH})
    play(position, "build coal mine 1")
    assert number(position, 1, "influence") == 0
    play(position, "build coal mine 2")
    assert number(position, 1, "influence") == 1
    assert position.document()["state"]["players"][0]["earned"]["factories"] == 1
    shown = {works.id for works in position.setup.board.works if works.influence}
    assert len(shown) == 8


@pytest.mark.rule("E20")
def test_all_own_factories_yield_and_nobody_elses(game: Game) -> None:
    owned = {1: ["foundry 3", "counting house 1", "drawing office 1"], 2: ["workshop 4"]}
    position = position_with(game, discs={YIELD: [1, 2]}, owned=owned)
    before = goods(position, 1), goods(position, 2)
    assert log(position, f"use {YIELD}") == [
        "Player 1 carries out Produce resources: 1 wood, 2 metal, 1 coin, 1 development stone."
    ]
    assert goods(position, 1) == before[0] | {"wood": 2, "metal": 3, "coin": 3, "stone": 2}
    assert goods(position, 2) == before[1]
    assert phase(position) == ("bonus", 1)  # the action is over


@pytest.mark.rule("E20")
def test_a_single_factory_of_ones_own(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={BUY: [2]}, owned={1: ["foundry 3"], 2: ["workshop 4"]})
    assert refused(position, "run workshop 4") == ("E20", "This factory isn’t yours.")
    assert rule(position, "run coal mine 1") == "E20"
    assert moves(position, "run") == {"run brown sawmill", "run foundry 3"}


@pytest.mark.rule("E21")
@pytest.mark.rule("R34")
def test_a_coin_buys_a_whole_load_up_to_three(game: Game) -> None:
    position = position_with(game, action=BUY, goods={1: {"coin": 5}}, loads={"metal ship": 4})
    assert log(position, "buy metal ship") == ["Player 1 buys the load from metal ship: 4 metal."]
    assert (has(position, 1, "metal"), has(position, 1, "coin")) == (5, 4)
    play(position, "buy coal warehouse 1", "buy tool ship")
    assert (has(position, 1, "coal"), has(position, 1, "tool"), has(position, 1, "coin")) == (6, 3, 2)
    assert phase(position) == ("bonus", 1)
    assert position.document()["state"]["stores"]["metal-ship"] == 0


@pytest.mark.rule("E21")
def test_not_a_fourth_load_and_not_without_a_coin(game: Game) -> None:
    position = position_with(game, action=BUY, done=3)
    assert refused(position, "buy metal ship") == ("E21", "You can buy at most 3 loads per action.")
    position = position_with(game, action=BUY, goods={1: {"coin": 0}})
    assert refused(position, "buy metal ship") == ("E21", "You can’t afford a load: it costs 1 coin.")


@pytest.mark.rule("R30")
def test_an_empty_ship_is_not_for_sale_and_none_is_ever_full(game: Game) -> None:
    position = position_with(game, action=BUY, loads={"metal ship": 0, "tool ship": 30})
    assert refused(position, "buy metal ship") == ("R30", "There’s nothing left to buy there.")
    play(position, "buy tool ship")
    assert has(position, 1, "tool") == 31
