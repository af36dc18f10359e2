"""Check action E: rules E29 to E33 and the rulings R3, R8, R9, R13."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import EXCHANGES, TAKES_STONE
from spieltisch.games.era_of_inventions.refusals import (
    LOWER_UNPAID,
    MANY_EXCHANGES,
    MANY_IN_BOX,
    OTHER_KIND,
    STONE_OR_EXCHANGES,
    SUPPLY_EMPTY,
    UPPER_UNPAID,
)
from tests.games.era_of_inventions.positions import (
    MARKET,
    count_of_good,
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


@pytest.mark.rule("E29")
def test_taking_a_development_stone_ends_the_action(game: Game) -> None:
    position = position_with(game, action=MARKET)
    assert log(position, "take stone") == [log_line(TAKES_STONE, 1)]
    assert count_of_good(position, 1, "stone") == 2
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("E29")
def test_no_development_stone_is_taken_after_an_exchange(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 9}})
    play(position, "exchange coin coin for stone")
    assert refused(position, "take stone") == reason(STONE_OR_EXCHANGES)


@pytest.mark.rule("E30")
@pytest.mark.rule("R3")
def test_a_market_action_allows_at_most_five_exchanges_and_three_in_each_box(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 20, "stone": 9}})
    play(position, "exchange coin coin for stone", "exchange stone for coin coin", "exchange coin coin for stone")
    assert refused(position, "exchange stone for coin coin") == reason(MANY_IN_BOX, count=3, box="upper box")
    assert refusing_rule(position, "exchange coin coin for stone") == "E30"
    play(position, "exchange coin coin for influence")
    assert phase(position) == ("acting", 1)
    play(position, "exchange stone for influence")
    assert phase(position) == ("bonus", 1)
    position = position_with(game, action=MARKET, done=5, boxes={"upper": 3, "middle": 2}, goods={1: {"coin": 20}})
    assert refused(position, "exchange coin coin for wood") == reason(MANY_EXCHANGES, count=5)
    assert refusing_rule(position, "exchange coin coin for influence") == "E30"
    position = position_with(game, action=MARKET, done=3, boxes={"lower": 3}, goods={1: {"coin": 20}})
    assert refusing_rule(position, "exchange coin coin for wood") == "E30"
    assert refusing_rule(position, "exchange coin coin for bonus disc") == "E30"
    assert allowed(position, "exchange coin coin for stone")


@pytest.mark.rule("E31")
def test_the_upper_box_exchanges_for_stones_points_and_coins(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 1, "stone": 0}})
    assert refused(position, "exchange coin coin for stone") == reason(UPPER_UNPAID, goods=goods_text(coin=2))
    assert refused(position, "exchange stone for coin coin") == reason(UPPER_UNPAID, goods=goods_text(stone=1))
    position = position_with(game, action=MARKET, goods={1: {"coin": 2, "stone": 0}})
    assert log(position, "exchange coin coin for stone") == [
        log_line(EXCHANGES, 1, give=goods_text(coin=2), get=goods_text(stone=1))
    ]
    assert (count_of_good(position, 1, "coin"), count_of_good(position, 1, "stone")) == (0, 1)
    play(position, "exchange stone for coin coin")
    assert (count_of_good(position, 1, "coin"), count_of_good(position, 1, "stone")) == (2, 0)


@pytest.mark.rule("E32")
def test_the_middle_box_exchanges_cubes(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 1, "stone": 0}})
    assert refusing_rule(position, "exchange coin coin for influence") == "E32"
    assert refusing_rule(position, "exchange stone for influence") == "E32"
    position = position_with(game, action=MARKET, goods={1: {"coin": 2, "stone": 1}})
    play(position, "exchange coin coin for influence", "exchange stone for influence")
    assert number(position, 1, "influence") == 2
    assert position.document()["state"]["players"][0]["earned"]["market"] == 2
    assert (count_of_good(position, 1, "coin"), count_of_good(position, 1, "stone")) == (0, 0)


@pytest.mark.rule("E33")
@pytest.mark.rule("R34")
def test_the_lower_box_accepts_any_two_cubes_or_coins(game: Game) -> None:
    position = position_with(game, action=MARKET)
    play(position, "exchange wood coin for tool", "exchange coal coal for coin", "exchange metal technology for wood")
    assert goods(position, 1) == {"wood": 1, "coal": 1, "tool": 2, "coin": 2, "stone": 1}
    position = position_with(game, action=MARKET)
    assert refused(position, "exchange wood wood for tool") == reason(LOWER_UNPAID, goods=goods_text(wood=2))
    position = position_with(game, action=MARKET, goods={1: {"metal": 0}})
    assert refused(position, "exchange wood metal for tool") == reason(LOWER_UNPAID, goods=goods_text(wood=1, metal=1))
    assert not any("stone" in move.text for move in position.setup.moves if move.text.startswith("exchange wood"))


@pytest.mark.rule("E33")
@pytest.mark.rule("R29")
def test_the_lower_box_sells_bonus_discs(game: Game) -> None:
    position = position_with(game, seats=3, action=MARKET)
    assert (number(position, 1, "bonus"), position.document()["state"]["supply"]["bonus disc"]) == (3, 11)
    assert log(position, "exchange coin coin for bonus disc") == [
        log_line(EXCHANGES, 1, give=goods_text(coin=2), get=goods_text(bonus_disc=1))
    ]
    assert (number(position, 1, "bonus"), number(position, 1, "bought")) == (4, 1)
    assert position.document()["state"]["supply"]["bonus disc"] == 10
    position = position_with(game, seats=3, action=MARKET, goods={1: {"coin": 1}})
    assert refusing_rule(position, "exchange coin coin for bonus disc") == "E33"


@pytest.mark.rule("R8")
def test_bonus_discs_are_limited_and_goods_are_unlimited(game: Game) -> None:
    position = position_with(game, seats=4, action=MARKET, goods={1: {"coin": 60, "wood": 60}})
    supply = position.document()["state"]["supply"]
    assert (supply["bonus disc"], supply["coin"] < 0, supply["wood"] < 0) == (0, True, True)
    assert refused(position, "exchange coin coin for bonus disc") == reason(SUPPLY_EMPTY)
    play(position, "exchange coal coal for wood", "exchange metal technology for coin")


@pytest.mark.rule("R9")
def test_an_exchange_gives_another_kind_of_goods(game: Game) -> None:
    position = position_with(game, action=MARKET)
    for move in ("exchange wood coin for wood", "exchange wood coin for coin", "exchange coal coal for coal"):
        assert refused(position, move) == reason(OTHER_KIND)
    assert moves(position, "exchange coal coal") == {
        f"exchange coal coal for {kind}" for kind in ("wood", "metal", "technology", "tool", "coin")
    }


@pytest.mark.rule("R3")
def test_the_limit_of_three_exchanges_applies_to_boxes_not_rows(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 20, "stone": 9}})
    play(
        position, "exchange coin coin for influence", "exchange stone for influence", "exchange coin coin for influence"
    )
    assert refusing_rule(position, "exchange stone for influence") == "E30"
    position = position_with(game, seats=3, action=MARKET, goods={1: {"wood": 9, "coin": 9}})
    play(position, *["exchange wood wood for coin"] * 3)
    assert refusing_rule(position, "exchange wood wood for coin") == "E30"
    assert refusing_rule(position, "exchange coin coin for bonus disc") == "E30"
    assert allowed(position, "exchange coin coin for stone")
