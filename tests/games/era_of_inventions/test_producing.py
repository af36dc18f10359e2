"""Check action D: rules E22 to E28 and the rulings R18, R38, R39."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.document import SOURCES
from spieltisch.games.era_of_inventions.log import GETS_SYMBOL, IS_PAID, PRODUCES
from spieltisch.games.era_of_inventions.refusals import (
    CARD_UNPAID,
    MANY_CARDS,
    MIX_UNPAID,
    NO_SUCH_CARD,
    OWN_COUNTERFEIT,
)
from spieltisch.games.era_of_inventions.state import PAID
from tests.games.era_of_inventions.positions import (
    PRODUCE,
    card_text,
    count_of_good,
    field_text,
    goods,
    goods_text,
    log,
    log_line,
    moves,
    number,
    phase,
    pile,
    play,
    position_with,
    reason,
    refusing_rule,
    row,
)
from tests.games.refusals import allowed, refused
from tests.sentences import sentence_after

PROMPT = "games/era_of_inventions/prompt.py"
RICH = {"coal": 20, "metal": 9, "technology": 9, "tool": 9}
ROW = ["telephone a", "telephone counterfeit", "car a", "camera a", "light bulb", "oil lamp", "microscope"]


@pytest.mark.rule("E22")
def test_up_to_three_cards_can_be_produced_for_their_price(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    assert str(game.prompt(position.observe(1))) == sentence_after(
        PROMPT, "if action == Action.PRODUCE and not done:", count=3
    )
    assert log(position, "produce camera a") == [
        log_line(
            PRODUCES,
            1,
            card=card_text("camera a"),
            cost=goods_text(coal=2, metal=1, technology=2),
            gain=goods_text(coin=2, influence=2),
        ),
        log_line(GETS_SYMBOL, 1, goods=goods_text(coal=1), space=2),
    ]
    assert goods(position, 1) == {"wood": 1, "coal": 19, "metal": 8, "technology": 7, "tool": 9, "coin": 4, "stone": 1}
    assert str(game.prompt(position.observe(1))) == sentence_after(PROMPT, "if action == Action.PRODUCE:", count=2)
    play(position, "produce oil lamp")
    assert count_of_good(position, 1, "stone") == 2
    assert phase(position) == ("acting", 1)
    play(position, "produce telephone a")
    assert phase(position) == ("bonus", 1)
    assert number(position, 1, "influence") == 5


@pytest.mark.rule("E22")
def test_producing_a_fourth_card_or_without_its_cubes_is_refused(game: Game) -> None:
    position = position_with(game, action=PRODUCE, done=3, row=ROW, goods={1: RICH})
    assert refused(position, "produce camera a") == reason(MANY_CARDS, count=3)
    position = position_with(game, action=PRODUCE, row=ROW)
    assert refused(position, "produce camera a") == reason(
        CARD_UNPAID, thing=card_text("camera a"), cost=goods_text(coal=2, metal=1, technology=2)
    )
    assert refused(position, "produce car counterfeit for 1 metal 1 technology 2 tool")[0] == "E23"
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH | {"coal": 1}})
    assert refusing_rule(position, "produce telephone counterfeit for 3 tool") == "E22"


@pytest.mark.rule("E23")
def test_a_produced_card_is_discarded_at_once(game: Game) -> None:
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
    assert refused(position, "produce camera a") == reason(NO_SUCH_CARD)
    assert phase(position) == ("acting", 2)


@pytest.mark.rule("E24")
def test_a_start_card_pays_no_player(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"cash register gold": 2})
    play(position, "produce light bulb")
    assert [number(position, p, "influence") for p in (1, 2, 3, 4)] == [0, 0, 0, 0]


@pytest.mark.rule("E24")
@pytest.mark.rule("R38")
def test_an_official_card_pays_the_gold_field_then_the_silver_field(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 3})
    assert log(position, "produce car a")[-2:] == [
        log_line(IS_PAID, 2, reward=goods_text(influence=2), field=field_text("car gold")),
        log_line(IS_PAID, 3, reward=goods_text(coin=2), field=field_text("car silver")),
    ]
    assert (number(position, 2, "influence"), count_of_good(position, 3, "coin")) == (2, 4)
    assert position.document()["state"]["players"][1]["earned"][SOURCES[PAID]] == 2
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 2})
    play(position, "produce car a")
    assert (number(position, 2, "influence"), count_of_good(position, 2, "coin")) == (2, 4)


@pytest.mark.rule("E25")
def test_a_field_that_the_producer_holds_pays_nothing_and_the_other_field_pays_its_holder(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 1, "car silver": 3})
    play(position, "produce car a")
    assert (number(position, 1, "influence"), count_of_good(position, 3, "coin")) == (4, 4)
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"car gold": 2, "car silver": 1})
    play(position, "produce car a")
    assert (number(position, 2, "influence"), count_of_good(position, 1, "coin")) == (2, 2)


@pytest.mark.rule("E26")
@pytest.mark.rule("E41")
def test_a_counterfeit_pays_only_for_patented_fields(game: Game) -> None:
    holders = {"telephone gold": 2, "telephone silver": 3}
    fake = "produce telephone counterfeit for 3 metal"
    for patents, paid in (((), (0, 2)), (("telephone gold",), (1, 2)), (("telephone silver",), (0, 4))):
        position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders=holders, patents=patents)
        play(position, fake)
        assert (number(position, 2, "influence"), count_of_good(position, 3, "coin")) == paid


@pytest.mark.rule("E27")
@pytest.mark.rule("R39")
def test_a_counterfeit_costs_any_mix_of_cubes_and_coal_besides(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    mixes = moves(position, "produce telephone counterfeit")
    assert len(mixes) == 10  # three cubes of three kinds
    assert "produce telephone counterfeit for 1 metal 1 technology 1 tool" in mixes
    play(position, "produce telephone counterfeit for 1 metal 2 technology")
    assert goods(position, 1) == {"wood": 1, "coal": 18, "metal": 8, "technology": 7, "tool": 9, "coin": 2, "stone": 1}


@pytest.mark.rule("E27")
def test_only_available_cubes_can_be_mixed(game: Game) -> None:
    position = position_with(
        game, action=PRODUCE, row=ROW, goods={1: {"metal": 2, "technology": 0, "tool": 1, "wood": 9}}
    )
    assert moves(position, "produce telephone counterfeit") == {"produce telephone counterfeit for 2 metal 1 tool"}
    assert refused(position, "produce telephone counterfeit for 3 metal") == reason(
        MIX_UNPAID, goods=goods_text(metal=3)
    )
    assert refusing_rule(position, "produce telephone counterfeit for 2 metal 1 technology") == "E27"
    assert refusing_rule(position, "produce telephone counterfeit for 3 tool") == "E27"
    assert not any(
        "wood" in move.text or "coin" in move.text for move in position.setup.moves if "counterfeit" in move.text
    )


@pytest.mark.rule("R39")
def test_a_mix_of_cubes_is_chosen_step_by_step_and_each_step_can_be_undone(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH})
    words = position.words("produce telephone counterfeit for 1 metal 2 tool")
    assert [word.text for word in words] == ["produce", "telephone counterfeit", "for 1 metal", "2 tool"]
    assert [str(word.label) for word in words[2:]] == ["for 1 metal and …", "2 tools"]
    move_result = position.play("produce telephone counterfeit for 1 metal 2 tool", detect_reveal=True)
    assert not move_result.final


@pytest.mark.rule("E28")
def test_counterfeiting_an_invention_that_the_player_holds_is_refused(game: Game) -> None:
    fake = "produce telephone counterfeit for 3 metal"
    for field in ("telephone gold", "telephone silver"):
        for patents in ((), (field,)):
            holders = {"telephone gold": 2, field: 1}
            position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders=holders, patents=patents)
            assert refused(position, fake) == reason(OWN_COUNTERFEIT)
            assert allowed(position, "produce telephone a")
    position = position_with(game, action=PRODUCE, row=ROW, goods={1: RICH}, holders={"telephone gold": 2})
    assert allowed(position, fake)


@pytest.mark.rule("R18")
def test_a_component_file_may_set_a_price_in_coins(game: Game) -> None:
    text = (game.folder / "components.toml").read_text("utf-8")
    head, mark, text_after = text.partition('[[start_cards]]\nid = "light-bulb"')
    dear = text_after.replace("technology = 1 }", "technology = 1, coin = 2 }", 1)
    components = game.read_components(head + mark + dear)
    position = position_with(game, action=PRODUCE, components=components, goods={1: {"coin": 1}})
    assert refusing_rule(position, "produce light bulb") == "E22"
    position = position_with(game, action=PRODUCE, components=components, goods={1: {"coin": 2}})
    play(position, "produce light bulb")
    assert count_of_good(position, 1, "coin") == 2  # two paid, two received
