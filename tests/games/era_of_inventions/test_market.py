"""Action E: E29 to E33 and the rulings R3, R8, R9, R13."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    MARKET,
    allowed,
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


@pytest.mark.rule("E29")
def test_a_development_stone_and_the_action_is_over(game: Game) -> None:
    position = position_with(game, action=MARKET)
    assert log(position, "take stone") == ["Player 1 takes a development stone."]
    assert has(position, 1, "stone") == 2
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("E29")
def test_no_stone_after_an_exchange(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 9}})
    play(position, "exchange coin coin for stone")
    assert refused(position, "take stone") == (
        "E29",
        "You can take the stone only with an action disc and instead of exchanging.",
    )


@pytest.mark.rule("E30")
@pytest.mark.rule("R3")
def test_five_exchanges_and_each_box_three_times(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 20, "stone": 9}})
    play(position, "exchange coin coin for stone", "exchange stone for coin coin", "exchange coin coin for stone")
    assert refused(position, "exchange stone for coin coin") == (
        "E30",
        "You can use a box at most 3 times per action (upper box).",
    )
    assert rule(position, "exchange coin coin for stone") == "E30"
    play(position, "exchange coin coin for influence")
    assert phase(position) == ("acting", 1)
    play(position, "exchange stone for influence")
    assert phase(position) == ("bonus", 1)
    position = position_with(game, action=MARKET, done=5, boxes={"upper": 3, "middle": 2}, goods={1: {"coin": 20}})
    assert refused(position, "exchange coin coin for wood") == ("E30", "You can make at most 5 exchanges per action.")
    assert rule(position, "exchange coin coin for influence") == "E30"
    position = position_with(game, action=MARKET, done=3, boxes={"lower": 3}, goods={1: {"coin": 20}})
    assert rule(position, "exchange coin coin for wood") == "E30"
    assert rule(position, "exchange coin coin for bonus disc") == "E30"
    assert allowed(position, "exchange coin coin for stone")


@pytest.mark.rule("E31")
def test_the_upper_box(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 1, "stone": 0}})
    assert refused(position, "exchange coin coin for stone") == ("E31", "You don’t have 2 coins.")
    assert refused(position, "exchange stone for coin coin") == ("E31", "You don’t have 1 development stone.")
    position = position_with(game, action=MARKET, goods={1: {"coin": 2, "stone": 0}})
    assert log(position, "exchange coin coin for stone") == ["Player 1 exchanges 2 coins for 1 development stone."]
    assert (has(position, 1, "coin"), has(position, 1, "stone")) == (0, 1)
    play(position, "exchange stone for coin coin")
    assert (has(position, 1, "coin"), has(position, 1, "stone")) == (2, 0)


@pytest.mark.rule("E32")
def test_the_middle_box(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 1, "stone": 0}})
    assert rule(position, "exchange coin coin for influence") == "E32"
    assert rule(position, "exchange stone for influence") == "E32"
    position = position_with(game, action=MARKET, goods={1: {"coin": 2, "stone": 1}})
    play(position, "exchange coin coin for influence", "exchange stone for influence")
    assert number(position, 1, "influence") == 2
    assert position.document()["state"]["players"][0]["earned"]["market"] == 2
    assert (has(position, 1, "coin"), has(position, 1, "stone")) == (0, 0)


@pytest.mark.rule("E33")
@pytest.mark.rule("R34")
def test_the_lower_box_takes_any_two_cubes_or_coins(game: Game) -> None:
    position = position_with(game, action=MARKET)
    play(position, "exchange wood coin for tool", "exchange coal coal for coin", "exchange metal technology for wood")
    assert goods(position, 1) == {"wood": 1, "coal": 1, "tool": 2, "coin": 2, "stone": 1}
    position = position_with(game, action=MARKET)
    assert refused(position, "exchange wood wood for tool") == ("E33", "You don’t have 2 wood.")
    position = position_with(game, action=MARKET, goods={1: {"metal": 0}})
    assert refused(position, "exchange wood metal for tool") == ("E33", "You don’t have 1 wood, 1 metal.")
    assert not any("stone" in move.text for move in position.setup.moves if move.text.startswith("exchange wood"))


@pytest.mark.rule("E33")
@pytest.mark.rule("R29")
def test_the_lower_box_sells_bonus_discs(game: Game) -> None:
    position = position_with(game, seats=3, action=MARKET)
    assert (number(position, 1, "bonus"), position.document()["state"]["supply"]["bonus disc"]) == (3, 11)
    assert log(position, "exchange coin coin for bonus disc") == ["Player 1 exchanges 2 coins for 1 bonus disc."]
    assert (number(position, 1, "bonus"), number(position, 1, "bought")) == (4, 1)
    assert position.document()["state"]["supply"]["bonus disc"] == 10
    position = position_with(game, seats=3, action=MARKET, goods={1: {"coin": 1}})
    assert rule(position, "exchange coin coin for bonus disc") == "E33"


@pytest.mark.rule("R8")
def test_bonus_discs_are_limited_goods_are_not(game: Game) -> None:
    position = position_with(game, seats=4, action=MARKET, goods={1: {"coin": 60, "wood": 60}})
    supply = position.document()["state"]["supply"]
    assert (supply["bonus disc"], supply["coin"] < 0, supply["wood"] < 0) == (0, True, True)
    assert refused(position, "exchange coin coin for bonus disc") == ("R8", "None of these are left in the supply.")
    play(position, "exchange coal coal for wood", "exchange metal technology for coin")


@pytest.mark.rule("R9")
def test_another_kind_is_received(game: Game) -> None:
    position = position_with(game, action=MARKET)
    for move in ("exchange wood coin for wood", "exchange wood coin for coin", "exchange coal coal for coal"):
        assert refused(position, move) == ("R9", "You must receive a different kind from those you give.")
    assert moves(position, "exchange coal coal") == {
        f"exchange coal coal for {kind}" for kind in ("wood", "metal", "technology", "tool", "coin")
    }


@pytest.mark.rule("R3")
def test_the_limit_counts_boxes_not_rows(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 20, "stone": 9}})
    play(
        position, "exchange coin coin for influence", "exchange stone for influence", "exchange coin coin for influence"
    )
    assert rule(position, "exchange stone for influence") == "E30"
    position = position_with(game, seats=3, action=MARKET, goods={1: {"wood": 9, "coin": 9}})
    play(position, *["exchange wood wood for coin"] * 3)
    assert rule(position, "exchange wood wood for coin") == "E30"
    assert rule(position, "exchange coin coin for bonus disc") == "E30"
    assert allowed(position, "exchange coin coin for stone")
