"""Check the influence track: rule E46 and the rulings R2, R10, R19, R36."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import EXCHANGES, GETS_SYMBOL
from tests.games.era_of_inventions.goods import RICH
from tests.games.era_of_inventions.positions import (
    MARKET,
    PRODUCE,
    count_of_good,
    goods,
    goods_text,
    log,
    log_line,
    moves,
    number,
    play,
    position_with,
)


@pytest.mark.rule("E46")
def test_a_pawn_that_stops_on_a_symbol_receives_the_symbol(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"stone": 3}}, numbers={1: {"influence": 5}})
    log_lines = log(position, "exchange stone for influence")
    assert log_lines == [
        log_line(EXCHANGES, 1, give=goods_text(stone=1), get=goods_text(influence=1)),
        log_line(GETS_SYMBOL, 1, goods=goods_text(tool=1), space=6),
    ]
    assert count_of_good(position, 1, "tool") == 2
    play(position, "exchange stone for influence")  # each gain is a move of its own
    assert count_of_good(position, 1, "metal") == 2


@pytest.mark.rule("E46")
def test_a_pawn_that_passes_a_symbol_receives_nothing(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, numbers={1: {"influence": 5}})
    play(position, "produce telephone a")  # from 5 to 8
    assert number(position, 1, "influence") == 8
    assert goods(position, 1) == {"wood": 1, "coal": 7, "metal": 8, "technology": 8, "tool": 8, "coin": 2, "stone": 1}


@pytest.mark.rule("E46")
def test_influence_from_a_bonus_disc_also_gives_symbols(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, numbers={1: {"influence": 5}})
    play(position, "exchange stone for influence")
    assert count_of_good(position, 1, "tool") == 2


@pytest.mark.rule("R2")
@pytest.mark.parametrize(("symbols", "tools"), [("own action", 1), ("any gain", 2)])
def test_an_option_decides_whether_paid_players_get_symbols(game: Game, symbols: str, tools: int) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 2},
                             numbers={2: {"influence": 5}}, track_symbols=symbols)  # fmt: skip
    log_lines = log(position, "produce telephone a")
    assert (number(position, 2, "influence"), count_of_good(position, 2, "tool")) == (6, tools)
    assert (log_line(GETS_SYMBOL, 2, goods=goods_text(tool=1), space=6) in log_lines) == (tools == 2)


@pytest.mark.rule("R10")
def test_with_an_option_the_last_exchange_and_final_bonuses_give_no_symbols(game: Game) -> None:
    numbers = {1: {"influence": 5, "steps": 0}, 2: {"influence": 3, "steps": 1}}
    position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, numbers=numbers,
                             goods={p: {"stone": 0, "coin": 0, "wood": 0} for p in (2, 3)}, seat=1,
                             last_exchange="no symbols")  # fmt: skip
    before = count_of_good(position, 1, "tool")
    log_lines = log(position, "exchange stone for influence")
    assert log_lines == [log_line(EXCHANGES, 1, give=goods_text(stone=1), get=goods_text(influence=1))]
    assert (number(position, 1, "influence"), count_of_good(position, 1, "tool")) == (6, before)
    coal = count_of_good(position, 2, "coal")
    while not position.is_over:
        position.play("done")
    assert number(position, 2, "influence") >= 3 + 5
    assert count_of_good(position, 2, "coal") == coal


@pytest.mark.rule("R10")
@pytest.mark.rule("R2")
@pytest.mark.parametrize(
    ("ruling", "tools"),
    [({"last_exchange": "no symbols"}, 1), ({"last_exchange": "symbols"}, 2), ({}, 2)],
    ids=["no symbols", "symbols", "by default"],
)
def test_the_last_exchange_gives_symbols_by_default(game: Game, ruling: dict[str, Any], tools: int) -> None:
    numbers = {1: {"influence": 5}, 2: {"influence": 1, "steps": 1}}
    position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, numbers=numbers,
                             goods={p: {"coin": 0, "stone": 0} for p in (2, 3)}, track_symbols="any gain",
                             **ruling)  # fmt: skip
    log_lines = log(position, "exchange stone for influence")
    assert (log_line(GETS_SYMBOL, 1, goods=goods_text(tool=1), space=6) in log_lines) == (tools == 2)
    assert (number(position, 1, "influence"), count_of_good(position, 1, "tool")) == (6, tools)
    coal = count_of_good(position, 2, "coal")
    while not position.is_over:
        position.play("done")
    assert number(position, 2, "influence") == 1 + 5 + 2  # the first of the two moves ends on space 6
    assert (count_of_good(position, 2, "coal"), count_of_good(position, 2, "tool")) == (coal, 1)


@pytest.mark.rule("R10")
def test_goods_from_symbols_can_be_exchanged_in_the_last_exchange(game: Game) -> None:
    position = position_with(
        game,
        phase="last exchange",
        action=MARKET,
        round_number=8,
        numbers={1: {"influence": 5}},
        goods={1: {"wood": 0, "coal": 0, "metal": 0, "technology": 0, "tool": 1, "coin": 0, "stone": 1}},
        last_exchange="symbols",
    )
    assert not moves(position, "exchange tool")
    play(position, "exchange stone for influence", "exchange tool tool for coin")
    assert count_of_good(position, 1, "coin") == 1


@pytest.mark.rule("R19")
def test_goods_from_the_track_can_be_used_at_once(game: Game) -> None:
    row = ["telephone a", "pocket watch"]
    cubes = {"coal": 3, "metal": 1, "technology": 1, "tool": 1}
    position = position_with(game, action=PRODUCE, row=row, goods={1: cubes}, numbers={1: {"influence": 4}})
    assert position.why_not("produce pocket watch") is None
    play(position, "produce telephone a", "produce pocket watch")  # the metal lay on space 7
    assert count_of_good(position, 1, "metal") == 0


@pytest.mark.rule("R36")
def test_beyond_the_end_of_the_track_points_continue_and_symbols_repeat(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"stone": 3}}, numbers={1: {"influence": 105}})
    play(position, "exchange stone for influence")
    assert (number(position, 1, "influence"), count_of_good(position, 1, "tool")) == (106, 2)
    assert position.scores[0] == 106
