"""Check cases in which two rules interact."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from spieltisch.core.errors import DocumentError, DrawError
from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import (
    BUILD,
    BUY,
    DEVELOP,
    KINDS,
    MARKET,
    PRODUCE,
    YIELD,
    count_of_good,
    factory_row,
    field,
    goods,
    moves,
    number,
    phase,
    pile,
    play,
    position_with,
    refusing_rule,
    row,
)
from tests.games.refusals import allowed

RICH = dict.fromkeys(KINDS, 20)
NOTHING = dict.fromkeys(KINDS, 0)
TAKE_BACK = f"take back {MARKET}"
COINS_FOR_INFLUENCE = "exchange coin coin for influence"
COINS_FOR_A_DISC = "exchange coin coin for bonus disc"


@pytest.mark.rule("E12")
@pytest.mark.rule("E15")
@pytest.mark.parametrize(("seats", "discs"), [(3, 9), (4, 8), (5, 10)])
def test_each_player_has_as_many_turns_as_discs(game: Game, seats: int, discs: int) -> None:
    position = position_with(game, seats=seats, numbers={p: {"bonus": 0} for p in range(1, seats + 1)})
    turn_count = 0
    while phase(position)[0] == "placing":
        hands = [number(position, p, "hand") for p in range(1, seats + 1)]
        play(position, sorted(moves(position))[0])
        turn_count += sum(hands) - sum(number(position, p, "hand") for p in range(1, seats + 1))
    assert turn_count == discs
    turns: Counter[int] = Counter()
    while position.document()["state"]["round"] == 1:
        seat = phase(position)[1]
        assert seat is not None
        turns[seat] += 1
        play(position, sorted(moves(position, "take back"))[0])
    assert set(turns.values()) == {discs // seats}


@pytest.mark.rule("E18")
@pytest.mark.rule("E46")
@pytest.mark.rule("R19")
def test_coal_from_the_track_pays_for_the_next_factory(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 9, "coal": 0}}, numbers={1: {"influence": 1}})
    assert refusing_rule(position, "build coal mine 3") == "E18"
    play(position, "build sawmill 1", "build coal mine 3")  # one influence point, and space 2 shows coal
    assert (
        number(position, 1, "influence"),
        count_of_good(position, 1, "wood"),
        count_of_good(position, 1, "coal"),
    ) == (2, 6, 0)


@pytest.mark.rule("E20")
@pytest.mark.rule("E18")
def test_a_factory_built_this_round_yields_this_round(game: Game) -> None:
    position = position_with(game, seats=3, discs={BUILD: [1], YIELD: [1]}, goods={1: {"wood": 1, "coal": 0}},
                             numbers={1: {"bonus": 0}})  # fmt: skip
    play(position, f"use {BUILD}", "build coal mine 1")  # nothing else can be paid: the action is over
    play(position, f"use {YIELD}")
    assert (count_of_good(position, 1, "wood"), count_of_good(position, 1, "coal")) == (1, 2)


@pytest.mark.rule("E24")
@pytest.mark.rule("E25")
def test_a_producer_who_holds_both_fields_pays_nothing(game: Game) -> None:
    holders = {"aeroplane gold": 1, "aeroplane silver": 1}
    position = position_with(
        game, action=PRODUCE, row=["aeroplane a"], goods={1: RICH}, holders=holders, patents=holders
    )
    play(position, "produce aeroplane a")
    assert (number(position, 1, "influence"), count_of_good(position, 1, "coin")) == (7, 20)


@pytest.mark.rule("E26")
@pytest.mark.rule("E41")
def test_both_patents_of_one_holder_are_paid(game: Game) -> None:
    holders = {"aeroplane gold": 2, "aeroplane silver": 2}
    fake = "produce aeroplane counterfeit for 7 metal"
    for patents, paid in ((holders, (3, 5)), ((), (0, 2))):
        position = position_with(game, action=PRODUCE, row=["aeroplane counterfeit"], goods={1: RICH}, holders=holders,
                                 patents=patents)  # fmt: skip
        play(position, fake)
        assert (number(position, 2, "influence"), count_of_good(position, 2, "coin")) == paid


@pytest.mark.rule("E33")
@pytest.mark.rule("R9")
def test_every_exchange_of_the_lower_box_is_legal(game: Game) -> None:
    position = position_with(game, seats=3, action=MARKET, goods={1: RICH})
    lower = {move for move in moves(position, "exchange") if "stone" not in move and "influence" not in move}
    assert len(lower) == 6 * 5 + 15 * 4 + 1  # two alike for five kinds, two that differ for four, and a bonus disc
    assert allowed(position, "exchange coin coin for wood")


@pytest.mark.rule("E34")
@pytest.mark.rule("E35")
def test_the_limit_of_seven_stones_includes_silver_fields(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: RICH}, holders={"aeroplane gold": 2, "camera gold": 3})
    play(position, "develop aeroplane silver", "develop camera silver")  # three and two stones
    assert refusing_rule(position, "develop car gold") == "E34"
    play(position, "develop cash register gold", "develop cash register silver")
    assert count_of_good(position, 1, "stone") == 13
    assert phase(position) == ("bonus", 1)


@pytest.mark.rule("E37")
def test_two_gold_fields_bring_six_new_cards(game: Game) -> None:
    position = position_with(game, discs={DEVELOP: [1, 2]}, goods={1: RICH, 2: RICH}, numbers={1: {"bonus": 0}})
    play(position, f"use {DEVELOP}", "develop telephone gold", "done", f"use {DEVELOP}", "develop car gold")
    assert len(pile(position, "fresh")) == 6


@pytest.mark.rule("E38")
def test_the_steps_of_the_patent_track_cost_and_give_the_printed_values(game: Game) -> None:
    paid = []
    for steps in (0, 2, 4):
        expected_value = 21 - sum(range(steps + 1))
        position = position_with(
            game, action=DEVELOP, goods={1: {"coin": expected_value}}, numbers={1: {"steps": steps, "influence": 50}}
        )
        play(position, "patent nothing", "patent nothing")
        paid.append((expected_value - count_of_good(position, 1, "coin"), number(position, 1, "influence") - 50))
    assert paid == [(3, 2), (7, 5), (11, 9)]


@pytest.mark.rule("E39")
def test_gold_and_silver_field_of_an_invention_can_be_taken_in_one_action(game: Game) -> None:
    holders = {"car gold": 1, "car silver": 1}
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 3}}, holders=holders)
    play(position, "patent car gold", "patent car silver")
    assert field(position, "car gold") == field(position, "car silver") == (1, True)
    assert number(position, 1, "markers") == 11


@pytest.mark.rule("E44")
@pytest.mark.rule("R8")
def test_the_bonus_disc_in_use_cannot_be_bought(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={BUY: [2]}, goods={1: RICH})
    assert refusing_rule(position, COINS_FOR_A_DISC) == "R8"
    play(position, COINS_FOR_INFLUENCE)
    assert position.document()["state"]["supply"]["bonus disc"] == 1


@pytest.mark.rule("R1")
def test_a_bought_bonus_disc_cannot_be_used_this_round_even_if_an_older_disc_is_used(game: Game) -> None:
    position = position_with(game, seats=3, discs={MARKET: [1], YIELD: [1], BUY: [1]}, goods={1: {"coin": 3}},
                             numbers={1: {"bonus": 1}}, bonus_disc_wait="round")  # fmt: skip
    play(position, f"use {MARKET}", COINS_FOR_A_DISC, "done", "run brown sawmill", f"use {YIELD}")
    assert phase(position) == ("choosing", 1)
    assert (number(position, 1, "bonus"), number(position, 1, "bought")) == (1, 1)


@pytest.mark.rule("R2")
@pytest.mark.parametrize(("symbols", "coal"), [("own action", 3), ("any gain", 4)])
def test_a_player_paid_through_a_bonus_disc_gets_symbols_if_an_option_grants_symbols(
    game: Game, symbols: str, coal: int
) -> None:
    position = position_with(
        game,
        phase="bonus",
        discs={BUY: [2]},
        row=["car a"],
        goods={1: RICH},
        holders={"car gold": 2},
        track_symbols=symbols,
    )
    play(position, "produce car a")
    assert (number(position, 2, "influence"), count_of_good(position, 2, "coal")) == (2, coal)
    assert count_of_good(position, 1, "technology") == 20  # one paid, one from space 4


@pytest.mark.rule("R24")
@pytest.mark.rule("E42")
def test_a_third_patent_and_a_fourth_load_are_possible_with_a_bonus_disc(game: Game) -> None:
    position = position_with(game, discs={DEVELOP: [1, 2]}, goods={1: RICH})
    play(position, f"use {DEVELOP}", "patent nothing", "patent nothing", "patent nothing")
    assert (number(position, 1, "steps"), count_of_good(position, 1, "coin"), number(position, 1, "bonus")) == (
        3,
        14,
        4,
    )
    position = position_with(game, discs={BUY: [1, 2]}, goods={1: NOTHING | {"coin": 4}})
    play(position, f"use {BUY}", "buy metal ship", "buy tool ship", "buy technology ship", "buy coal warehouse 2")
    assert goods(position, 1) == {"metal": 2, "tool": 2, "technology": 2, "coal": 3}


@pytest.mark.rule("R36")
def test_the_influence_track_begins_again_after_its_last_space(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: NOTHING | {"coin": 6}}, numbers={1: {"influence": 99}})
    play(position, COINS_FOR_INFLUENCE, COINS_FOR_INFLUENCE)
    assert goods(position, 1) == {"coin": 2}  # spaces 0 and 1 show nothing
    play(position, COINS_FOR_INFLUENCE)
    assert goods(position, 1) == {"coal": 1}


@pytest.mark.rule("E47")
@pytest.mark.rule("E48")
def test_a_start_card_on_an_arrow_space_leaves_the_game(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1]}, row=["car a", None, None, None, "light bulb", "car b"],
                             piles={"pile": [], "discards": []}, numbers={1: {"bonus": 0}})  # fmt: skip
    play(position, TAKE_BACK)
    assert pile(position, "gone") == {"light bulb"}
    assert row(position) == ["car b", None, None, None, None, None, "car a"]  # the discard pile was turned over


@pytest.mark.rule("E49")
def test_a_card_just_discarded_is_also_shuffled_in(game: Game) -> None:
    piles = {"pile": ["umbrella"], "fresh": ["camera a", "camera b", "camera counterfeit"]}
    position = position_with(
        game,
        discs={MARKET: [1]},
        row=["car a", None, None, None, None, None, "car b"],
        piles=piles,
        new_original=True,
        numbers={1: {"bonus": 0}},
    )
    recorded_draws = ["car b", "camera a", "camera counterfeit", "umbrella", "camera b"]
    position.play(TAKE_BACK, drew=[*recorded_draws, "foundry 1", "foundry 2", "foundry 3"])
    assert row(position) == [*recorded_draws, None, "car a"]


@pytest.mark.rule("E47")
def test_a_card_that_left_the_game_is_never_drawn(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1]}, row=["light bulb"], piles={"pile": ["umbrella"]},
                             numbers={1: {"bonus": 0}})  # fmt: skip
    with pytest.raises(DrawError):
        position.play(TAKE_BACK, drew=["light bulb", "workshop 1", "workshop 2", "workshop 3"])
    assert row(position)[0] == "light bulb"


@pytest.mark.rule("E51")
def test_a_factory_row_bought_empty_gets_five_new_cards(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1]}, factory_row=[None] * 5, factory_discards=["foundry 4"],
                             factory_pile=["foundry 1", "foundry 2"], numbers={1: {"bonus": 0}})  # fmt: skip
    play(position, TAKE_BACK)
    assert set(factory_row(position)[:2]) == {"foundry 1", "foundry 2"}
    assert factory_row(position)[2:] == ["foundry 4", None, None]


@pytest.mark.rule("E55")
@pytest.mark.rule("E30")
def test_the_last_exchange_keeps_the_limits_of_the_boxes(game: Game) -> None:
    position = position_with(
        game, seats=5, phase="last exchange", action=MARKET, round_number=10, goods={1: RICH, 2: RICH}
    )
    play(position, *["exchange wood wood for coin"] * 3)
    assert refusing_rule(position, "exchange coal coal for coin") == "E30"
    play(position, "exchange stone for coin coin", "exchange coin coin for influence")
    assert phase(position) == ("last exchange", 2)
    assert allowed(position, "exchange wood wood for coin")  # the next player's boxes are unused


@pytest.mark.rule("E57")
@pytest.mark.rule("R11")
@pytest.mark.parametrize(
    ("steps", "bonuses"),
    [((6, 6, 1, 0, 0), (3, 3, 0, 0, 0)), ((2, 0, 2, 0, 2), (2, 0, 2, 0, 2)), ((4, 4, 3, 4, 4), (1, 1, 0, 1, 1)),
     ((0, 0, 0, 0, 1), (0, 0, 0, 0, 5)), ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0))],
)  # fmt: skip
def test_ties_of_five_players_share_the_bonuses(game: Game, steps: tuple[int, ...], bonuses: tuple[int, ...]) -> None:
    numbers = {p: {"steps": steps[p - 1]} for p in range(1, 6)}
    position = position_with(game, seats=5, phase="last exchange", action=MARKET, round_number=10, numbers=numbers,
                             goods=dict.fromkeys((2, 3, 4, 5), NOTHING))  # fmt: skip
    play(position, "done")
    assert tuple(player["earned"]["most patents"] for player in position.document()["state"]["players"]) == bonuses


@pytest.mark.rule("E58")
def test_silver_fields_break_a_tie_but_patents_do_not(game: Game) -> None:
    holders = {"telephone gold": 1, "cash register gold": 2, "cash register silver": 2}  # two stones each
    position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, holders=holders,
                             patents=["telephone gold"], goods=dict.fromkeys((2, 3), NOTHING),
                             numbers={p: {"influence": 9} for p in (1, 2)})  # fmt: skip
    play(position, "done")
    assert position.scores == [14, 14, 2]
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


@pytest.mark.rule("E55")
def test_a_bonus_disc_refused_in_the_last_exchange_names_the_phase_before_other_reasons(game: Game) -> None:
    for changes in ({"goods": {1: {"coin": 0}}}, {"boxes": {"lower": 3}, "done": 3}):
        position = position_with(game, seats=3, phase="last exchange", action=MARKET, round_number=9, **changes)
        assert refusing_rule(position, COINS_FOR_A_DISC) == "E55"


@pytest.mark.parametrize(
    ("path", "changes", "expected_text"),
    [
        ("acting", {"discs": {"exchange-market": [2, 2]}}, "discs.exchange-market"),
        ("acting", {"discs": {"buy-resources": [None, None]}}, "action"),
        ("acting", {"action": None}, "action"),
        ("choosing", {"seat": 4}, "seat"),
        ("choosing", {"hands": 3}, "players.1.hand"),
        ("placing", {"hands": 0}, "seat"),
        ("placing", {"action": "buy-resources"}, "action"),
        ("last exchange", {"action": "buy-resources"}, "action"),
    ],
)
def test_a_position_document_whose_deciding_seat_has_no_legal_move_is_refused(
    game: Game, path: str, changes: dict[str, Any], expected_text: str
) -> None:
    acting = position_with(game, action=BUY).document()
    valid_fields = {
        "acting": acting,
        "choosing": position_with(game, discs={BUY: [1, 2]}).document(),
        "placing": position_with(game).document(),
        "last exchange": position_with(game, phase="last exchange", action=MARKET, round_number=8).document(),
    }[path]
    assert game.position(valid_fields).document() == valid_fields
    state = valid_fields["state"]
    if "discs" in changes:
        state["discs"] |= changes["discs"]
    elif "hands" in changes:
        for player in state["players"]:
            player["hand"] = changes["hands"]
    elif changes.get("action"):
        state["action"] = acting["state"]["action"]
    else:
        state |= changes
    with pytest.raises(DocumentError) as error:
        game.position(valid_fields)
    assert str(error.value).startswith(f"{expected_text}: ")
