"""Check bonus discs: rules E42 to E45 and the rulings R1, R6, R7, R23 to R25, R29, R31."""

from __future__ import annotations

import pytest

from spieltisch.core.errors import DocumentError
from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import KEEPS_BONUS_DISC, USES_BONUS_DISC
from spieltisch.games.era_of_inventions.refusals import (
    AFTER_A_DISC,
    FACTORIES_IN_TURN,
    NO_BONUS_DISC_NOW,
    PATENTS_IN_TURN,
)
from tests.games.era_of_inventions.positions import (
    BUILD,
    BUY,
    DEVELOP,
    MARKET,
    PRODUCE,
    YIELD,
    count_of_good,
    field,
    goods,
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
from tests.sentences import sentence_after

RICH = {"wood": 9, "coal": 9, "metal": 9, "technology": 9, "tool": 9, "coin": 9, "stone": 9}


@pytest.mark.rule("E42")
@pytest.mark.rule("E43")
@pytest.mark.rule("R6")
@pytest.mark.rule("R23")
def test_a_bonus_disc_may_be_used_after_each_action_disc_of_the_player(game: Game) -> None:
    position = position_with(game, seats=3, discs={YIELD: [1], BUY: [1], MARKET: [1]})
    for field_, step in ((YIELD, ()), (BUY, ("buy metal ship", "done")), (MARKET, ("take stone",))):
        assert refusing_rule(position, "run brown sawmill") == "E43"
        play(position, f"use {field_}", *step)
        assert phase(position) == ("bonus", 1)
        remaining_discs = number(position, 1, "bonus")
        bonus_question = sentence_after(
            "games/era_of_inventions/prompt.py", "if view.phase == Phase.BONUS", count=remaining_discs
        )
        assert str(game.prompt(position.observe(1))) == bonus_question
        play(position, "run brown sawmill")
    assert number(position, 1, "bonus") == 0
    assert position.document()["state"]["round"] == 2  # the board was empty


@pytest.mark.rule("E42")
def test_only_one_bonus_disc_is_used_per_turn(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1, 2], BUY: [1]})
    assert refused(position, "keep bonus disc") == reason(AFTER_A_DISC)
    play(position, f"use {YIELD}")
    assert refusing_rule(position, "done") == "E42"
    assert refusing_rule(position, f"use {BUY}") == "E15"
    play(position, "run brown sawmill")
    assert phase(position) == ("choosing", 2)
    assert number(position, 1, "bonus") == 4


@pytest.mark.rule("E42")
def test_a_bonus_disc_may_be_skipped(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1, 2]})
    play(position, f"use {YIELD}")
    assert log(position, "keep bonus disc") == [log_line(KEEPS_BONUS_DISC, 1)]
    assert (phase(position), number(position, 1, "bonus")) == (("choosing", 2), 5)


@pytest.mark.rule("E43")
@pytest.mark.parametrize(
    ("move", "expected_gain"),
    [
        ("produce light bulb", {"technology": 8, "coal": 8, "coin": 11}),
        ("run foundry 3", {"metal": 11}),
        ("buy coal warehouse 1", {"coin": 8, "coal": 12}),
        ("exchange wood coal for coin", {"wood": 8, "coal": 8, "coin": 10}),
        ("exchange coin coin for stone", {"coin": 7, "stone": 10}),
        ("develop telephone gold", {"stone": 7}),
        ("patent nothing", {"coin": 8}),
        ("build coal mine 1", {"wood": 8}),
    ],
)
def test_a_bonus_disc_has_seven_uses_at_the_usual_cost(game: Game, move: str, expected_gain: dict[str, int]) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, goods={1: RICH}, owned={1: ["foundry 3"]},
                             numbers={1: {"bonus": 2}})  # fmt: skip
    log_lines = log(position, move)
    assert log_lines[0] == log_line(USES_BONUS_DISC, 1)
    assert goods(position, 1) == RICH | expected_gain
    assert phase(position) == ("choosing", 2)
    assert number(position, 1, "bonus") == 1


@pytest.mark.rule("E43")
@pytest.mark.rule("E29")
def test_a_bonus_disc_takes_no_development_stone(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]})
    assert refusing_rule(position, "take stone") == "E29"
    assert refusing_rule(position, "exchange wood wood for coin") == "E33"
    assert refusing_rule(position, "build coal mine 3") == "E18"


@pytest.mark.rule("E44")
def test_a_used_bonus_disc_returns_to_the_supply(game: Game) -> None:
    position = position_with(game, seats=3, phase="bonus", discs={MARKET: [2]}, numbers={1: {"bonus": 3}})
    before = position.document()["state"]["supply"]["bonus disc"]
    play(position, "run brown sawmill")
    assert position.document()["state"]["supply"]["bonus disc"] == before + 1


@pytest.mark.rule("E45")
@pytest.mark.rule("R29")
def test_a_bonus_disc_is_not_used_in_the_turn_in_which_it_was_bought(game: Game) -> None:
    position = position_with(game, seats=3, discs={MARKET: [1, 2]}, numbers={1: {"bonus": 0}})
    play(position, f"use {MARKET}", "exchange coin coin for bonus disc", "done")
    assert phase(position) == ("choosing", 2)
    position = position_with(game, seats=3, discs={MARKET: [1, 2]}, numbers={1: {"bonus": 1}})
    play(position, f"use {MARKET}", "exchange coin coin for bonus disc", "done")
    assert phase(position) == ("bonus", 1)  # the one owned before
    play(position, "run brown sawmill")
    assert (number(position, 1, "bonus"), phase(position)) == (1, ("choosing", 2))


@pytest.mark.rule("R1")
@pytest.mark.parametrize(("wait", "has_question"), [("turn", True), ("round", False)])
def test_an_option_decides_whether_a_bought_bonus_disc_waits_a_turn_or_a_round(
    game: Game, wait: str, has_question: bool
) -> None:
    position = position_with(
        game,
        seats=3,
        discs={MARKET: [1], YIELD: [1, 2]},
        numbers={p: {"bonus": 0} for p in (1, 2)},
        bonus_disc_wait=wait,
    )
    play(position, f"use {MARKET}", "exchange coin coin for bonus disc", "done", f"use {YIELD}")
    assert phase(position) == ("choosing", 1)
    play(position, f"use {YIELD}")
    assert (phase(position) == ("bonus", 1)) == has_question
    if has_question:
        play(position, "keep bonus disc")
    assert position.document()["state"]["round"] == 2
    assert (number(position, 1, "bonus"), number(position, 1, "bought")) == (1, 0)  # usable from now on


@pytest.mark.rule("R1")
def test_the_action_of_a_bonus_disc_may_buy_another_bonus_disc(game: Game) -> None:
    position = position_with(
        game, seats=3, phase="bonus", discs={MARKET: [2]}, numbers={1: {"bonus": 1}}, goods={1: {"coin": 2}}
    )
    play(position, "exchange coin coin for bonus disc")
    assert (number(position, 1, "bonus"), count_of_good(position, 1, "coin")) == (1, 0)


@pytest.mark.rule("R7")
def test_a_bonus_disc_may_be_used_after_an_action_disc_was_taken_back_unused(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1, 2]})
    play(position, f"take back {YIELD}")
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("R7")
@pytest.mark.parametrize(("after", "expected"), [("disc", ("bonus", 1)), ("action carried out", ("choosing", 2))])
def test_an_option_allows_a_bonus_disc_only_after_a_carried_out_action(
    game: Game, after: str, expected: tuple[str, int]
) -> None:
    position = position_with(game, discs={YIELD: [1, 2]}, bonus_disc_after=after)
    play(position, f"take back {YIELD}")
    assert phase(position) == expected
    position = position_with(game, discs={BUY: [1, 2]}, bonus_disc_after=after)
    play(position, f"use {BUY}", "done")  # nothing was bought
    assert phase(position) == expected
    position = position_with(game, discs={YIELD: [1], BUY: [2]}, goods={2: {"coin": 0}}, bonus_disc_after=after)
    play(position, f"use {YIELD}", "keep bonus disc")  # the last disc of seat 2 can do nothing
    assert number(position, 2, "hand") == 2
    assert (phase(position) == ("bonus", 2)) == (after == "disc")


@pytest.mark.rule("R7")
@pytest.mark.parametrize("after", ["disc", "action carried out"])
def test_a_bonus_disc_may_be_used_after_every_carried_out_action(game: Game, after: str) -> None:
    position = position_with(game, discs={YIELD: [1, 2]}, bonus_disc_after=after)
    play(position, f"use {YIELD}")
    assert phase(position) == ("bonus", 1)
    position = position_with(game, discs={BUY: [1, 2]}, bonus_disc_after=after)
    play(position, f"use {BUY}", "buy metal ship", "done")
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("R24")
def test_the_limits_of_an_action_start_again_with_a_bonus_disc(game: Game) -> None:
    cards = ["light bulb", "pocket watch", "umbrella", "oil lamp"]
    position = position_with(game, discs={PRODUCE: [1, 2]}, goods={1: RICH}, row=cards)
    play(position, f"use {PRODUCE}", *(f"produce {card}" for card in cards[:3]))
    assert allowed(position, "produce oil lamp")  # a fourth
    position = position_with(game, discs={DEVELOP: [1, 2], BUILD: [2, 3]}, goods={1: RICH})
    play(position, f"use {DEVELOP}", "develop steam locomotive gold", "develop car gold")
    play(position, "patent car gold")
    assert field(position, "car gold") == (1, True)
    position = position_with(game, discs={DEVELOP: [1, 2], BUILD: [2, 3]}, goods={1: RICH})
    play(position, f"use {DEVELOP}", "develop steam locomotive gold", "develop car gold")
    assert allowed(position, "develop typewriter gold")  # two stones more
    assert allowed(position, "build coal mine 1")  # though others' discs lie there
    position = position_with(game, discs={MARKET: [1, 2]}, goods={1: RICH})
    play(position, f"use {MARKET}", *["exchange coin coin for stone"] * 3, "exchange stone for influence", "done")
    assert allowed(position, "exchange coin coin for stone")


@pytest.mark.rule("R24")
def test_a_bonus_disc_does_not_affect_the_limits_of_the_next_player(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2], DEVELOP: [3]}, goods={1: RICH, 2: RICH, 3: RICH},
                             numbers={2: {"bonus": 0}})  # fmt: skip
    play(position, "exchange coin coin for stone", f"use {MARKET}", *["exchange coin coin for stone"] * 3, "done")
    assert phase(position) == ("choosing", 3)
    position = position_with(game, phase="bonus", discs={DEVELOP: [2]}, goods={1: RICH, 2: RICH})
    play(position, "develop telephone gold", f"use {DEVELOP}", "patent nothing")
    assert number(position, 2, "steps") == 1


@pytest.mark.rule("R24")
@pytest.mark.parametrize("limits", ["each action", "each turn"])
def test_a_fourth_factory_in_one_turn_is_allowed_or_refused_by_an_option(game: Game, limits: str) -> None:
    position = position_with(game, discs={BUILD: [1, 2]}, goods={1: RICH, 2: RICH}, limits=limits)
    play(position, f"use {BUILD}", *(f"build coal mine {n}" for n in (1, 2, 3)))
    if limits == "each action":
        assert allowed(position, "build coal mine 4")
    else:
        assert refused(position, "build coal mine 4") == reason(FACTORIES_IN_TURN, count=3)
        assert game.position(position.document()) == position
    assert allowed(position, "patent nothing")
    assert moves(position, "exchange")
    play(position, "buy metal ship", f"use {BUILD}", "build coal mine 4")  # the next player's turn


@pytest.mark.rule("R24")
@pytest.mark.parametrize("limits", ["each action", "each turn"])
def test_a_third_factory_in_one_turn_is_allowed(game: Game, limits: str) -> None:
    position = position_with(game, discs={BUILD: [1, 2]}, goods={1: RICH}, limits=limits)
    play(position, f"use {BUILD}", "build coal mine 1", "build coal mine 2", "done", "build coal mine 3")


@pytest.mark.rule("R24")
@pytest.mark.parametrize("limits", ["each action", "each turn"])
def test_a_third_patent_in_one_turn_is_allowed_or_refused_by_an_option(game: Game, limits: str) -> None:
    position = position_with(game, discs={DEVELOP: [1, 2]}, goods={1: RICH, 2: RICH}, limits=limits)
    play(position, f"use {DEVELOP}", "patent nothing", "patent nothing")
    if limits == "each action":
        assert allowed(position, "patent nothing")
    else:
        assert refused(position, "patent nothing") == reason(PATENTS_IN_TURN, count=2)
        assert game.position(position.document()) == position
    assert allowed(position, "build coal mine 1")
    play(position, "develop telephone gold", f"use {DEVELOP}", "patent nothing")
    assert number(position, 2, "steps") == 1


@pytest.mark.rule("R24")
@pytest.mark.rule("E34")
def test_with_limits_per_turn_all_other_limits_still_apply_to_each_action(game: Game) -> None:
    cards = ["light bulb", "pocket watch", "umbrella", "oil lamp"]
    position = position_with(game, discs={PRODUCE: [1, 2]}, goods={1: RICH}, row=cards, limits="each turn")
    play(position, f"use {PRODUCE}", *(f"produce {card}" for card in cards[:3]), "produce oil lamp")
    position = position_with(game, discs={DEVELOP: [1, 2]}, goods={1: RICH}, limits="each turn")
    play(position, f"use {DEVELOP}", "develop steam locomotive gold", "develop car gold", "patent car gold")
    assert field(position, "car gold") == (1, True)
    position = position_with(game, discs={DEVELOP: [1, 2]}, goods={1: RICH}, limits="each turn")
    play(position, f"use {DEVELOP}", "patent nothing", "done", "patent nothing")
    assert number(position, 1, "steps") == 2


@pytest.mark.rule("R24")
def test_only_limits_of_factories_and_patents_apply_to_the_whole_turn(game: Game) -> None:
    position = position_with(game, discs={BUILD: [1, 2]}, goods={1: RICH}, limits="each turn")
    play(position, f"use {BUILD}", "build coal mine 1", "done")
    state = position.document()["state"]
    assert (state["action"]["field"], state["action"]["done"]) == ("build-factories", 1)
    state["action"]["field"] = "buy-resources"
    with pytest.raises(DocumentError, match="it does not fit the phase"):
        game.restore(position.setup, state)


@pytest.mark.rule("R25")
def test_a_bonus_disc_is_offered_only_if_the_disc_makes_an_action_possible(game: Game) -> None:
    text = (game.folder / "components.toml").read_text("utf-8")
    text = text.replace("output = { wood = 1 }", "output = {}", 1)
    idle = game.read_components(text)
    no_goods = dict.fromkeys(RICH, 0)
    position = position_with(game, discs={BUY: [1, 2]}, goods={1: no_goods}, components=idle)
    play(position, f"take back {BUY}")
    assert (phase(position), number(position, 1, "bonus")) == (("choosing", 2), 5)
    position = position_with(game, discs={BUY: [1, 2]}, goods={1: no_goods | {"coin": 1}}, components=idle)
    play(position, f"take back {BUY}")
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("R31")
def test_no_bonus_disc_is_used_in_the_last_exchange(game: Game) -> None:
    position = position_with(game, phase="last exchange", action=MARKET, round_number=8)
    assert refused(position, "run brown sawmill") == reason(NO_BONUS_DISC_NOW)
    assert not moves(position, "run")
    assert moves(position, "exchange")
