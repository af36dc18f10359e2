"""Check the worked examples of the three rulebooks with their figures."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    DEVELOP,
    MARKET,
    PRODUCE,
    count_of_good,
    field,
    goods,
    moves,
    number,
    phase,
    pile,
    play,
    position_with,
    row,
)
from tests.games.refusals import allowed

BROWN, GREEN, YELLOW, ORANGE = 1, 2, 3, 4
"""The examples name players by colour; these are our seats."""
IDLE = {p: {"bonus": 0} for p in (1, 2, 3, 4)}


def test_examples_use_the_colours_of_the_rulebooks_as_seats(game: Game) -> None:
    assert [colour.id for colour in game.components.contents.colours][:4] == ["brown", "green", "yellow", "orange"]


@pytest.mark.rule("E30")
@pytest.mark.rule("E31")
@pytest.mark.rule("E33")
def test_the_rulebook_example_of_five_market_exchanges(game: Game) -> None:
    position = position_with(
        game,
        seat=ORANGE,
        action=MARKET,
        numbers=IDLE,
        goods={ORANGE: {"coin": 6, "stone": 0, "metal": 2, "coal": 2, "tool": 0, "wood": 0}},
    )
    play(position, *["exchange coin coin for stone"] * 3)
    assert not allowed(position, "exchange stone for coin coin")  # the upper box was used three times
    play(position, "exchange metal metal for tool")
    assert phase(position) == ("acting", ORANGE)
    position.play("exchange coal coal for wood")
    assert goods(position, ORANGE) == {"stone": 3, "tool": 1, "wood": 1, "technology": 1}
    assert phase(position)[0] != "acting"  # five are the most


@pytest.mark.rule("E22")
@pytest.mark.rule("E46")
@pytest.mark.rule("R19")
def test_the_rulebook_example_of_the_telephone_and_the_cash_register(game: Game) -> None:
    cards = ["telephone a", "cash register a", "light bulb"]
    cubes = {"metal": 2, "technology": 2, "tool": 1, "coal": 3, "coin": 0, "wood": 0}
    position = position_with(game, seat=ORANGE, action=PRODUCE, row=cards, goods={ORANGE: cubes},
                             numbers=IDLE | {ORANGE: {"bonus": 0, "influence": 6}})  # fmt: skip
    play(position, "produce telephone a")
    assert number(position, ORANGE, "influence") == 9
    assert goods(position, ORANGE) == {"metal": 1, "technology": 1, "coal": 1, "coin": 1, "stone": 1}
    assert pile(position, "discards") == {"telephone a"}
    position.play("produce cash register a")
    assert number(position, ORANGE, "influence") == 11
    assert goods(position, ORANGE) == {"coin": 1, "wood": 1, "stone": 1}
    assert {"telephone-a", "cash-register-a"} <= {*position.document()["state"]["discards"],
                                                  *position.document()["state"]["pile"]}  # fmt: skip


@pytest.mark.rule("E38")
@pytest.mark.rule("E46")
@pytest.mark.rule("R22")
def test_the_rulebook_example_of_two_patents(game: Game) -> None:
    position = position_with(game, seat=GREEN, action=DEVELOP, goods={GREEN: {"coin": 3, "tool": 0, "metal": 0}},
                             holders={"camera gold": GREEN, "camera silver": GREEN},
                             numbers={GREEN: {"influence": 5}})  # fmt: skip
    play(position, "patent camera gold")
    assert (
        count_of_good(position, GREEN, "coin"),
        number(position, GREEN, "influence"),
        count_of_good(position, GREEN, "tool"),
    ) == (
        2,
        6,
        1,
    )
    assert field(position, "camera gold") == (GREEN, True)
    assert count_of_good(position, GREEN, "metal") == 0
    play(position, "patent camera silver")
    assert (
        count_of_good(position, GREEN, "coin"),
        number(position, GREEN, "influence"),
        count_of_good(position, GREEN, "metal"),
    ) == (
        0,
        7,
        1,
    )
    assert field(position, "camera silver") == (GREEN, True)
    assert number(position, GREEN, "steps") == 2


@pytest.mark.rule("E24")
@pytest.mark.rule("E26")
@pytest.mark.rule("E36")
@pytest.mark.rule("E37")
@pytest.mark.rule("E49")
def test_the_rulebook_example_of_a_counterfeit_sewing_machine(game: Game) -> None:
    position = position_with(game, seat=YELLOW, action=DEVELOP, discs={}, numbers=IDLE, row=[], piles={"pile": []})
    assert count_of_good(position, YELLOW, "stone") == 1
    position.play("develop sewing machine gold")
    assert (count_of_good(position, YELLOW, "stone"), number(position, YELLOW, "influence")) == (0, 1)
    # Nobody else has a disc, so the round has ended: the three cards are shuffled in and lie on the row.
    assert set(row(position)) == {"sewing machine a", "sewing machine b", "sewing machine counterfeit", None}
    cubes = {"metal": 2, "tool": 2, "coal": 2, "technology": 0}
    position = position_with(
        game,
        seat=GREEN,
        action=PRODUCE,
        holders={"sewing machine gold": YELLOW},
        goods={GREEN: cubes},
        row=["sewing machine a", "sewing machine counterfeit"],
        numbers={YELLOW: {"influence": 1}},
    )
    play(position, "produce sewing machine a")
    assert (number(position, GREEN, "influence"), number(position, YELLOW, "influence")) == (2, 2)
    play(position, "produce sewing machine counterfeit for 1 metal 1 tool")
    assert (number(position, GREEN, "influence"), number(position, YELLOW, "influence")) == (4, 2)
    assert [count_of_good(position, GREEN, kind) for kind in ("metal", "tool")] == [0, 0]
    assert count_of_good(position, GREEN, "coal") == 1  # two paid, one from space 2 of the track


@pytest.mark.rule("E38")
@pytest.mark.rule("E39")
@pytest.mark.rule("E40")
def test_the_rulebook_example_of_a_lost_patent(game: Game) -> None:
    holders = {"telephone gold": BROWN, "typewriter gold": ORANGE}
    discs_by_action = {DEVELOP: [BROWN, ORANGE]}
    position = position_with(game, discs=discs_by_action, holders=holders, goods={ORANGE: {"coin": 3}}, numbers=IDLE)
    play(position, f"use {DEVELOP}", "patent telephone gold")
    assert (
        count_of_good(position, BROWN, "coin"),
        number(position, BROWN, "influence"),
        number(position, BROWN, "steps"),
    ) == (
        1,
        1,
        1,
    )
    assert field(position, "telephone gold") == (BROWN, True)
    play(position, f"use {DEVELOP}", "patent typewriter gold")
    assert moves(position, "patent") == {"patent nothing"}
    position.play("patent nothing")
    assert (count_of_good(position, ORANGE, "coin"), number(position, ORANGE, "influence")) == (0, 2)
    assert number(position, ORANGE, "steps") == 2
    assert field(position, "typewriter gold") == (ORANGE, True)
    remaining_steps = len(position.setup.board.contents.patent_steps) - number(position, ORANGE, "steps")
    assert 1 + remaining_steps == 5  # inventions that orange can patent in the whole game


@pytest.mark.rule("E34")
def test_the_rulebook_example_of_inventions_that_cost_seven_stones(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={BROWN: {"stone": 8}})
    play(position, "develop steam locomotive gold", "develop car gold")
    assert count_of_good(position, BROWN, "stone") == 1
    assert phase(position) == ("bonus", BROWN)  # seven stones are the most


@pytest.mark.rule("E56")
@pytest.mark.rule("E57")
def test_the_rulebook_example_of_ties_in_the_bonuses(game: Game) -> None:
    holders = {"telephone gold": GREEN, "camera gold": GREEN, "car gold": YELLOW}
    no_goods = {
        p: dict.fromkeys(("wood", "coal", "metal", "technology", "tool", "coin", "stone"), 0) for p in (2, 3, 4)
    }
    steps = {GREEN: {"steps": 3}, YELLOW: {"steps": 3}, BROWN: {"steps": 1}}
    position = position_with(game, phase="last exchange", action=MARKET, round_number=8, goods=no_goods,
                             holders=holders, numbers=steps, owned={GREEN: ["coal mine 1", "foundry 1"]})  # fmt: skip
    position.play("done")
    earned = [player["earned"] for player in position.document()["state"]["players"]]
    assert [player["most patents"] for player in earned] == [0, 3, 3, 0]  # yellow and green stand highest
    assert [player["most invested"] for player in earned] == [0, 5, 0, 0]  # green has invested most
    assert [player["most capacity"] for player in earned] == [0, 5, 0, 0]
    assert sum(position.state.players[GREEN - 1].output) == 4  # green's start factory and the others
