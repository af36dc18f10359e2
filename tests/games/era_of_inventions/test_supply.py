"""Check ruling R8: the supply is unlimited or has the contents of the box."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.era_of_inventions.log import GETS_SYMBOL, GOES_WITHOUT
from spieltisch.games.era_of_inventions.refusals import SUPPLY_EMPTY
from tests.games.drawing_helpers import scene_context
from tests.games.era_of_inventions.positions import (
    BUY,
    MARKET,
    PRODUCE,
    YIELD,
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
)
from tests.games.refusals import allowed, refused

NOTHING = dict.fromkeys(("wood", "coal", "metal", "technology", "tool", "coin", "stone"), 0)
EMPTY = reason(SUPPLY_EMPTY)
HELD = {"wood": 36, "coal": 36, "metal": 30, "technology": 30, "tool": 30, "coin": 40, "stone": 30}
SUPPLIES = pytest.mark.parametrize("supply", ["unlimited", "box"])


def position_with_scarce_supply(
    game: Game, remaining_goods: dict[str, int], supply: str, **changes: object
) -> Position:
    """Return a position with few goods of some kinds in the supply, none in the loads, and the rest at seat 3."""
    stores = game.setup(4).board.contents.stores
    loads = {store.id.replace("-", " "): 0 for store in stores if store.good in remaining_goods}
    goods_by_seat = dict(changes.pop("goods", {}))  # type: ignore[call-overload]  # as the test says
    for p in (1, 2, 4):
        goods_by_seat[p] = NOTHING | goods_by_seat.get(p, {})
    held_goods = {kind: sum(stock.get(kind, 0) for stock in goods_by_seat.values()) for kind in remaining_goods}
    goods_by_seat[3] = {kind: HELD[kind] - number - held_goods[kind] for kind, number in remaining_goods.items()}
    position = position_with(game, goods=goods_by_seat, loads=loads, supply=supply, **changes)  # type: ignore[arg-type]  # as the test says
    assert all(position.document()["state"]["supply"][kind] == number for kind, number in remaining_goods.items())
    return position


@pytest.mark.rule("R8")
@pytest.mark.rule("E20")
@SUPPLIES
def test_a_yield_is_limited_to_the_goods_left_in_the_supply(game: Game, supply: str) -> None:
    position = position_with_scarce_supply(
        game, {"coal": 1}, supply, discs={YIELD: [1, 2]}, owned={1: ["coal mine 1", "coal mine 2"]}
    )
    output = position.state.players[0].output[1]
    assert output > 1
    log_lines = log(position, f"use {YIELD}")
    assert count_of_good(position, 1, "coal") == (output if supply == "unlimited" else 1)
    short_line = log_line(GOES_WITHOUT, 1, goods=goods_text(coal=output - 1))
    assert (short_line in log_lines) == (supply == "box")


@pytest.mark.rule("R8")
@pytest.mark.rule("R40")
@SUPPLIES
def test_an_action_that_would_yield_nothing_is_refused(game: Game, supply: str) -> None:
    position = position_with_scarce_supply(game, {"wood": 0}, supply, discs={YIELD: [1, 2]}, phase="bonus")
    assert allowed(position, "run brown sawmill") == (supply == "unlimited")
    if supply == "box":
        assert refused(position, "run brown sawmill") == EMPTY
    position = position_with_scarce_supply(game, {"wood": 0}, supply, discs={YIELD: [1, 2], BUY: [1]})
    assert allowed(position, f"use {YIELD}") == (supply == "unlimited")


@pytest.mark.rule("R8")
@pytest.mark.rule("E24")
@SUPPLIES
def test_payments_to_holders_are_limited_to_the_supply(game: Game, supply: str) -> None:
    cubes = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
    holders = {"telephone gold": 2, "telephone silver": 2}
    position = position_with_scarce_supply(
        game, {"coin": 1}, supply, action=PRODUCE, row=["telephone a"], goods={1: cubes}, holders=holders
    )
    card = next(card for card in position.setup.board.cards if card.word == "telephone a")
    telephone = next(invention for invention in position.setup.board.inventions if invention.id == "telephone")
    yields, paid = card.gain[5], telephone.silver.reward.coin
    play(position, "produce telephone a")
    assert yields + paid > 1
    received_coins = (count_of_good(position, 1, "coin"), count_of_good(position, 2, "coin"))
    first = min(1, yields)
    assert received_coins == ((yields, paid) if supply == "unlimited" else (first, 1 - first))


@pytest.mark.rule("R8")
@pytest.mark.rule("E29")
@pytest.mark.rule("E31")
@SUPPLIES
def test_goods_that_the_supply_lacks_cannot_be_received(game: Game, supply: str) -> None:
    position = position_with_scarce_supply(
        game, {"stone": 0, "tool": 0}, supply, action=MARKET, goods={1: {"coin": 4, "wood": 2}}
    )
    for move in ("take stone", "exchange coin coin for stone", "exchange wood wood for tool"):
        assert allowed(position, move) == (supply == "unlimited")
        if supply == "box":
            assert refused(position, move) == EMPTY
    assert allowed(position, "exchange wood wood for metal")


@pytest.mark.rule("R8")
@SUPPLIES
def test_choosing_the_market_with_an_exhausted_supply_is_refused(game: Game, supply: str) -> None:
    remaining_goods = dict.fromkeys(("coal", "metal", "technology", "tool", "coin", "stone"), 0)
    position = position_with_scarce_supply(
        game, remaining_goods, supply, discs={MARKET: [1], BUY: [1, 2]}, goods={1: {"wood": 2}}
    )
    assert allowed(position, f"use {MARKET}") == (supply == "unlimited")


@pytest.mark.rule("R8")
@pytest.mark.rule("E46")
@SUPPLIES
def test_a_symbol_gives_only_goods_left_in_the_supply(game: Game, supply: str) -> None:
    position = position_with_scarce_supply(
        game, {"tool": 0}, supply, action=MARKET, goods={1: {"stone": 1}}, numbers={1: {"influence": 5}}
    )
    log_lines = log(position, "exchange stone for influence")
    assert (number(position, 1, "influence"), count_of_good(position, 1, "tool")) == (6, int(supply == "unlimited"))
    assert (log_line(GETS_SYMBOL, 1, goods=goods_text(tool=1), space=6) in log_lines) == (supply == "unlimited")
    assert (log_line(GOES_WITHOUT, 1, goods=goods_text(tool=1)) in log_lines) == (supply == "box")


@pytest.mark.rule("R8")
@pytest.mark.rule("E52")
@SUPPLIES
def test_ships_and_warehouses_are_filled_with_the_goods_left_in_the_supply(game: Game, supply: str) -> None:
    position = position_with_scarce_supply(
        game, {"coal": 4}, supply, discs={BUY: [1]}, numbers={p: {"bonus": 0} for p in range(1, 5)}
    )
    refills = {store["id"]: store["refill"] for store in scene_context(position.observe(None))["stores"]}
    play(position, f"take back {BUY}")
    assert phase(position) == ("placing", 2)
    stores = position.document()["state"]["stores"]
    coal = [stores[f"coal-warehouse-{n}"] for n in (1, 2)]
    assert coal == ([3, 3] if supply == "unlimited" else [3, 1])
    assert refills == stores


@pytest.mark.rule("R8")
def test_goods_returned_to_the_supply_can_be_received_again(game: Game) -> None:
    position = position_with_scarce_supply(game, {"coin": 0}, "box", action=MARKET, goods={1: {"coin": 2, "wood": 2}})
    assert not {move for move in moves(position, "exchange") if move.endswith("for coin")}
    play(position, "exchange coin coin for stone", "exchange wood wood for coin")
    assert goods(position, 1) == {"stone": 1, "coin": 1}


@pytest.mark.rule("R8")
@SUPPLIES
def test_the_supply_is_shown_if_an_option_limits_the_supply(game: Game, supply: str) -> None:
    market_scene = scene_context(position_with(game, supply=supply).observe(None))["market"]["supply"]
    assert (market_scene is None) == (supply == "unlimited")
    if market_scene:
        state = position_with(game, supply=supply).document()["state"]["supply"]
        assert [pile["count"] for pile in market_scene] == [state[kind] for kind in HELD]


def test_the_market_also_shows_goods_that_have_run_out(game: Game) -> None:
    market_scene = scene_context(position_with_scarce_supply(game, {"coal": 0, "wood": 1}, "box").observe(None))[
        "market"
    ]["supply"]
    assert [(pile["icon"], pile["count"], pile["text"]) for pile in market_scene][:2] == [
        ("good-wood", 1, "1 wood"),
        ("good-coal", 0, "0 coal"),
    ]
    assert len(market_scene) == len(HELD)
