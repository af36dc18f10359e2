"""Action D: E22 to E28 and the rulings R18, R38, R39."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    PRODUCE,
    allowed,
    goods,
    has,
    log,
    moves,
    number,
    phase,
    pile,
    play,
    position_with,
    refused,
    row,
    rule,
)

RICH = {"coal": 20, "metal": 9, "technology": 9, "tool": 9}
ROW = ["telephone a", "telephone counterfeit", "car a", "camera a", "light bulb", "oil lamp", "microscope"]


@pytest.mark.rule("E22")
def test_up_to_three_cards_paid_and_yielding(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    assert str(game.prompt(position.observe(1))) == "Produce up to 3 inventions."
    assert log(position, "produce camera a") == [
        "Player 1 produces camera, card a for 2 coal, 1 metal, 2 technology and receives 2 coins, 2 influence points.",
        "Player 1 gets 1 coal from space 2 of the influence track.",
    ]
    assert goods(position, 1) == {"wood": 1, "coal": 19, "metal": 8, "technology": 7, "tool": 9, "coin": 4, "stone": 1}
    assert str(game.prompt(position.observe(1))) == "Produce up to 2 more inventions."
    play(position, "produce oil lamp")
    assert has(position, 1, "stone") == 2
    assert phase(position) == ("acting", 1)
    play(position, "produce telephone a")
    assert phase(position) == ("bonus", 1)
    assert number(position, 1, "influence") == 5


@pytest.mark.rule("E22")
def test_not_a_fourth_and_not_without_the_cubes(game: Game) -> None:
    position = position_with(game, action=PRODUCE, done=3, row=ROW, goods={1: RICH})
    assert refused(position, "produce camera a") == ("E22", "You can produce at most 3 inventions per action.")
    position = position_with(game, action=PRODUCE, row=ROW)
    assert refused(position, "produce camera a") == (
        "E22",
        "You can’t afford this (camera, card a): it costs 2 coal, 1 metal, 2 technology.",
    )
    assert refused(position, "produce car counterfeit for 1 metal 1 technology 2 tool")[0] == "E23"
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH | {"coal": 1}})
    assert rule(position, "produce telephone counterfeit for 3 tool") == "E22"


@pytest.mark.rule("E23")
def test_the_card_lies_on_the_discard_pile_at_once(game: Game) -> None:
    position = position_with(game, seats=3, discs={PRODUCE: [1, 2]}, row=ROW, goods={1: RICH, 2: RICH})
    play(position, f"use {PRODUCE}", "produce camera a", "done", "keep bonus disc", f"use {PRODUCE}")
    assert pile(position, "discards") == {"camera a"}
    assert row(position) == [
        "telephone a",
        "telephone counterfeit",
        "car a",
        None,
        "light bulb",
        "oil lamp",
        "microscope",
    ]
    assert refused(position, "produce camera a") == ("E23", "This card isn’t in the invention row.")
    assert phase(position) == ("acting", 2)


@pytest.mark.rule("E24")
def test_a_start_card_pays_nobody(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"cash register gold": 2})
    play(position, "produce light bulb")
    assert [number(position, p, "influence") for p in (1, 2, 3, 4)] == [0, 0, 0, 0]


@pytest.mark.rule("E24")
@pytest.mark.rule("R38")
def test_an_official_card_pays_gold_then_silver(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 3})
    assert log(position, "produce car a")[-2:] == [
        "Player 2 receives 2 influence points for car (gold).",
        "Player 3 receives 2 coins for car (silver).",
    ]
    assert (number(position, 2, "influence"), has(position, 3, "coin")) == (2, 4)
    assert position.document()["state"]["players"][1]["earned"]["paid by others"] == 2
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 2})
    play(position, "produce car a")
    assert (number(position, 2, "influence"), has(position, 2, "coin")) == (2, 4)


@pytest.mark.rule("E25")
def test_an_own_field_pays_nothing_the_other_one_still_its_holder(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 1, "car silver": 3})
    play(position, "produce car a")
    assert (number(position, 1, "influence"), has(position, 3, "coin")) == (4, 4)
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 1})
    play(position, "produce car a")
    assert (number(position, 2, "influence"), has(position, 1, "coin")) == (2, 2)


@pytest.mark.rule("E26")
@pytest.mark.rule("E41")
def test_a_counterfeit_pays_for_patented_fields_only(game: Game) -> None:
    holders = {"telephone gold": 2, "telephone silver": 3}
    fake = "produce telephone counterfeit for 3 metal"
    for patents, paid in (((), (0, 2)), (("telephone gold",), (1, 2)), (("telephone silver",), (0, 4))):
        position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders=holders, patents=patents)
        play(position, fake)
        assert (number(position, 2, "influence"), has(position, 3, "coin")) == paid


@pytest.mark.rule("E27")
@pytest.mark.rule("R39")
def test_the_mix_is_free_and_paid_with_coal_besides(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    mixes = moves(position, "produce telephone counterfeit")
    assert len(mixes) == 10  # three cubes of three kinds
    assert "produce telephone counterfeit for 1 metal 1 technology 1 tool" in mixes
    play(position, "produce telephone counterfeit for 1 metal 2 technology")
    assert goods(position, 1) == {"wood": 1, "coal": 18, "metal": 8, "technology": 7, "tool": 9, "coin": 2, "stone": 1}


@pytest.mark.rule("E27")
def test_only_cubes_that_are_there(game: Game) -> None:
    position = position_with(
        game, action=PRODUCE, row=ROW, goods={1: {"metal": 2, "technology": 0, "tool": 1, "wood": 9}}
    )
    assert moves(position, "produce telephone counterfeit") == {"produce telephone counterfeit for 2 metal 1 tool"}
    assert refused(position, "produce telephone counterfeit for 3 metal") == (
        "E27",
        "You don’t have these cubes: 3 metal.",
    )
    assert rule(position, "produce telephone counterfeit for 2 metal 1 technology") == "E27"
    assert rule(position, "produce telephone counterfeit for 3 tool") == "E27"
    assert not any(
        "wood" in move.text or "coin" in move.text for move in position.setup.moves if "counterfeit" in move.text
    )


@pytest.mark.rule("R39")
def test_a_mix_is_chosen_word_by_word_and_undone_freely(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    words = position.words("produce telephone counterfeit for 1 metal 2 tool")
    assert [word.text for word in words] == ["produce", "telephone counterfeit", "for 1 metal", "2 tool"]
    assert [str(word.label) for word in words[2:]] == ["for 1 metal and …", "2 tools"]
    played = position.play("produce telephone counterfeit for 1 metal 2 tool", detect_reveal=True)
    assert not played.final


@pytest.mark.rule("E28")
def test_nobody_counterfeits_an_own_invention(game: Game) -> None:
    fake = "produce telephone counterfeit for 3 metal"
    for field in ("telephone gold", "telephone silver"):
        for patents in ((), (field,)):
            holders = {"telephone gold": 2, field: 1}
            position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders=holders, patents=patents)
            assert refused(position, fake) == (
                "E28",
                "You developed this invention, so you can’t produce its counterfeit.",
            )
            assert allowed(position, "produce telephone a")
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"telephone gold": 2})
    assert allowed(position, fake)


@pytest.mark.rule("R18")
def test_components_may_ask_for_coins(game: Game) -> None:
    text = (game.folder / "components.toml").read_text("utf-8")
    head, mark, rest = text.partition('[[start_cards]]\nid = "light-bulb"')
    dear = rest.replace("technology = 1 }", "technology = 1, coin = 2 }", 1)
    components = game.read_components(head + mark + dear)
    position = position_with(game, action=PRODUCE, components=components, goods={1: {"coin": 1}})
    assert rule(position, "produce light bulb") == "E22"
    position = position_with(game, action=PRODUCE, components=components, goods={1: {"coin": 2}})
    play(position, "produce light bulb")
    assert has(position, 1, "coin") == 2  # two paid, two received
