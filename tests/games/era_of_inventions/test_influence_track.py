"""The influence track: E46 and the rulings R2, R10, R19, R36."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    MARKET,
    PRODUCE,
    goods,
    has,
    log,
    moves,
    number,
    play,
    position_with,
)

RICH = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}


@pytest.mark.rule("E46")
def test_a_symbol_where_a_move_ends(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"stone": 3}}, numbers={1: {"influence": 5}})
    log_lines = log(position, "exchange stone for influence")
    assert log_lines == [
        "Player 1 exchanges 1 development stone for 1 influence point.",
        "Player 1 gets 1 tool from space 6 of the influence track.",
    ]
    assert has(position, 1, "tool") == 2
    play(position, "exchange stone for influence")  # each gain is a move of its own
    assert has(position, 1, "metal") == 2


@pytest.mark.rule("E46")
def test_passing_a_symbol_gives_nothing(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, numbers={1: {"influence": 5}})
    play(position, "produce telephone a")  # from 5 to 8
    assert number(position, 1, "influence") == 8
    assert goods(position, 1) == {"wood": 1, "coal": 7, "metal": 8, "technology": 8, "tool": 8, "coin": 2, "stone": 1}


@pytest.mark.rule("E46")
def test_also_with_a_bonus_disc(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, numbers={1: {"influence": 5}})
    play(position, "exchange stone for influence")
    assert has(position, 1, "tool") == 2


@pytest.mark.rule("R2")
@pytest.mark.parametrize(("symbols", "tools"), [("own action", 1), ("any gain", 2)])
def test_who_is_paid_while_another_acts(game: Game, symbols: str, tools: int) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 2},
                             numbers={2: {"influence": 5}}, track_symbols=symbols)  # fmt: skip
    log_lines = log(position, "produce telephone a")
    assert (number(position, 2, "influence"), has(position, 2, "tool")) == (6, tools)
    assert ("Player 2 gets 1 tool from space 6 of the influence track." in log_lines) == (tools == 2)


@pytest.mark.rule("R10")
def test_none_in_the_last_exchange_and_for_the_bonuses(game: Game) -> None:
    numbers = {1: {"influence": 5, "steps": 0}, 2: {"influence": 3, "steps": 1}}
    position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, numbers=numbers,
                             goods={p: {"stone": 0, "coin": 0, "wood": 0} for p in (2, 3)}, seat=1,
                             last_exchange="no symbols")  # fmt: skip
    before = has(position, 1, "tool")
    log_lines = log(position, "exchange stone for influence")
    assert log_lines == ["Player 1 exchanges 1 development stone for 1 influence point."]
    assert (number(position, 1, "influence"), has(position, 1, "tool")) == (6, before)
    coal = has(position, 2, "coal")
    while not position.is_over:
        position.play("done")
    assert number(position, 2, "influence") >= 3 + 5
    assert has(position, 2, "coal") == coal


@pytest.mark.rule("R10")
@pytest.mark.rule("R2")
@pytest.mark.parametrize(
    ("ruling", "tools"),
    [({"last_exchange": "no symbols"}, 1), ({"last_exchange": "symbols"}, 2), ({}, 2)],
    ids=["no symbols", "symbols", "by default"],
)
def test_the_last_exchange_gives_them_unless_a_table_wants_none(game: Game, ruling: dict[str, Any], tools: int) -> None:
    numbers = {1: {"influence": 5}, 2: {"influence": 1, "steps": 1}}
    position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, numbers=numbers,
                             goods={p: {"coin": 0, "stone": 0} for p in (2, 3)}, track_symbols="any gain",
                             **ruling)  # fmt: skip
    log_lines = log(position, "exchange stone for influence")
    assert ("Player 1 gets 1 tool from space 6 of the influence track." in log_lines) == (tools == 2)
    assert (number(position, 1, "influence"), has(position, 1, "tool")) == (6, tools)
    coal = has(position, 2, "coal")
    while not position.is_over:
        position.play("done")
    assert number(position, 2, "influence") == 1 + 5 + 2  # the first of the two moves ends on space 6
    assert (has(position, 2, "coal"), has(position, 2, "tool")) == (coal, 1)


@pytest.mark.rule("R10")
def test_what_they_give_there_can_be_exchanged(game: Game) -> None:
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
    assert has(position, 1, "coin") == 1


@pytest.mark.rule("R19")
def test_what_the_track_gives_can_be_used_at_once(game: Game) -> None:
    row = ["telephone a", "pocket watch"]
    cubes = {"coal": 3, "metal": 1, "technology": 1, "tool": 1}
    position = position_with(game, action=PRODUCE, row=row, goods={1: cubes}, numbers={1: {"influence": 4}})
    assert position.why_not("produce pocket watch") is None
    play(position, "produce telephone a", "produce pocket watch")  # the metal lay on space 7
    assert has(position, 1, "metal") == 0


@pytest.mark.rule("R36")
def test_beyond_the_end_points_go_on_and_symbols_repeat(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"stone": 3}}, numbers={1: {"influence": 105}})
    play(position, "exchange stone for influence")
    assert (number(position, 1, "influence"), has(position, 1, "tool")) == (106, 2)
    assert position.scores[0] == 106
