"""The supply, without limit or with what the box holds: R8."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.drawing_helpers import scene
from tests.games.era_of_inventions.positions import (
    BUY,
    MARKET,
    PRODUCE,
    YIELD,
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
)

NOTHING = dict.fromkeys(("wood", "coal", "metal", "technology", "tool", "coin", "stone"), 0)
EMPTY = ("R8", "None of these are left in the supply.")
HELD = {"wood": 36, "coal": 36, "metal": 30, "technology": 30, "tool": 30, "coin": 40, "stone": 30}
SUPPLIES = pytest.mark.parametrize("supply", ["unlimited", "box"])


def scarce(game: Game, left: dict[str, int], supply: str, **different: object) -> Position:
    """A position in which the supply holds so many of some kinds, the third player having the rest, and the loads lie
    empty of them.
    """
    stores = game.setup(4).board.contents.stores
    loads = {store.id.replace("-", " "): 0 for store in stores if store.good in left}
    given = dict(different.pop("goods", {}))  # type: ignore[call-overload]  # as the test says
    for p in (1, 2, 4):
        given[p] = NOTHING | given.get(p, {})
    held = {kind: sum(stock.get(kind, 0) for stock in given.values()) for kind in left}
    given[3] = {kind: HELD[kind] - number - held[kind] for kind, number in left.items()}
    position = position_with(game, goods=given, loads=loads, supply=supply, **different)  # type: ignore[arg-type]  # as the test says
    assert all(position.document()["state"]["supply"][kind] == number for kind, number in left.items())
    return position


@pytest.mark.rule("R8")
@pytest.mark.rule("E20")
@SUPPLIES
def test_a_yield_gives_what_is_left(game: Game, supply: str) -> None:
    position = scarce(game, {"coal": 1}, supply, discs={YIELD: [1, 2]}, owned={1: ["coal mine 1", "coal mine 2"]})
    output = position.state.players[0].output[1]
    assert output > 1
    log_lines = log(position, f"use {YIELD}")
    assert has(position, 1, "coal") == (output if supply == "unlimited" else 1)
    short = f"Player 1 misses out on {output - 1} coal: none left in the supply."
    assert (short in log_lines) == (supply == "box")


@pytest.mark.rule("R8")
@pytest.mark.rule("R40")
@SUPPLIES
def test_what_yields_nothing_is_not_carried_out(game: Game, supply: str) -> None:
    position = scarce(game, {"wood": 0}, supply, discs={YIELD: [1, 2]}, phase="bonus")
    assert allowed(position, "run brown sawmill") == (supply == "unlimited")
    if supply == "box":
        assert refused(position, "run brown sawmill") == EMPTY
    position = scarce(game, {"wood": 0}, supply, discs={YIELD: [1, 2], BUY: [1]})
    assert allowed(position, f"use {YIELD}") == (supply == "unlimited")


@pytest.mark.rule("R8")
@pytest.mark.rule("E24")
@SUPPLIES
def test_holders_are_paid_what_is_left(game: Game, supply: str) -> None:
    cubes = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
    holders = {"telephone gold": 2, "telephone silver": 2}
    position = scarce(game, {"coin": 1}, supply, action=PRODUCE, row=["telephone a"], goods={1: cubes},
                      holders=holders)  # fmt: skip
    card = next(card for card in position.setup.board.cards if card.word == "telephone a")
    telephone = next(invention for invention in position.setup.board.inventions if invention.id == "telephone")
    yields, paid = card.gain[5], telephone.silver.reward.coin
    play(position, "produce telephone a")
    assert yields + paid > 1
    received = (has(position, 1, "coin"), has(position, 2, "coin"))
    first = min(1, yields)
    assert received == ((yields, paid) if supply == "unlimited" else (first, 1 - first))


@pytest.mark.rule("R8")
@pytest.mark.rule("E29")
@pytest.mark.rule("E31")
@SUPPLIES
def test_nothing_is_exchanged_for_what_is_not_there(game: Game, supply: str) -> None:
    position = scarce(game, {"stone": 0, "tool": 0}, supply, action=MARKET, goods={1: {"coin": 4, "wood": 2}})
    for move in ("take stone", "exchange coin coin for stone", "exchange wood wood for tool"):
        assert allowed(position, move) == (supply == "unlimited")
        if supply == "box":
            assert refused(position, move) == EMPTY
    assert allowed(position, "exchange wood wood for metal")


@pytest.mark.rule("R8")
@SUPPLIES
def test_a_market_that_has_nothing_to_give(game: Game, supply: str) -> None:
    left = dict.fromkeys(("coal", "metal", "technology", "tool", "coin", "stone"), 0)
    position = scarce(game, left, supply, discs={MARKET: [1], BUY: [1, 2]}, goods={1: {"wood": 2}})
    assert allowed(position, f"use {MARKET}") == (supply == "unlimited")


@pytest.mark.rule("R8")
@pytest.mark.rule("E46")
@SUPPLIES
def test_a_symbol_gives_what_is_there(game: Game, supply: str) -> None:
    position = scarce(game, {"tool": 0}, supply, action=MARKET, goods={1: {"stone": 1}}, numbers={1: {"influence": 5}})
    log_lines = log(position, "exchange stone for influence")
    assert (number(position, 1, "influence"), has(position, 1, "tool")) == (6, int(supply == "unlimited"))
    assert ("Player 1 gets 1 tool from space 6 of the influence track." in log_lines) == (supply == "unlimited")
    assert ("Player 1 misses out on 1 tool: none left in the supply." in log_lines) == (supply == "box")


@pytest.mark.rule("R8")
@pytest.mark.rule("E52")
@SUPPLIES
def test_ships_and_warehouses_get_what_is_left(game: Game, supply: str) -> None:
    position = scarce(game, {"coal": 4}, supply, discs={BUY: [1]}, numbers={p: {"bonus": 0} for p in range(1, 5)})
    shown = {store["id"]: store["refill"] for store in scene(position.observe(None))["stores"]}
    play(position, f"take back {BUY}")
    assert phase(position) == ("placing", 2)
    stores = position.document()["state"]["stores"]
    coal = [stores[f"coal-warehouse-{n}"] for n in (1, 2)]
    assert coal == ([3, 3] if supply == "unlimited" else [3, 1])
    assert shown == stores


@pytest.mark.rule("R8")
def test_what_is_paid_can_be_received_again(game: Game) -> None:
    position = scarce(game, {"coin": 0}, "box", action=MARKET, goods={1: {"coin": 2, "wood": 2}})
    assert not {move for move in moves(position, "exchange") if move.endswith("for coin")}
    play(position, "exchange coin coin for stone", "exchange wood wood for coin")
    assert goods(position, 1) == {"stone": 1, "coin": 1}


@pytest.mark.rule("R8")
@SUPPLIES
def test_the_supply_is_shown_where_it_ends(game: Game, supply: str) -> None:
    shown = scene(position_with(game, supply=supply).observe(None))["market"]["supply"]
    assert (shown is None) == (supply == "unlimited")
    if shown:
        state = position_with(game, supply=supply).document()["state"]["supply"]
        assert [pile["count"] for pile in shown] == [state[kind] for kind in HELD]


def test_the_market_shows_what_has_run_out_too(game: Game) -> None:
    shown = scene(scarce(game, {"coal": 0, "wood": 1}, "box").observe(None))["market"]["supply"]
    assert [(pile["sign"], pile["count"], pile["text"]) for pile in shown][:2] == [
        ("good-wood", 1, "1 wood"),
        ("good-coal", 0, "0 coal"),
    ]
    assert len(shown) == len(HELD)
