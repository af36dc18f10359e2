"""Check action F: rules E34 to E41 and the rulings R4, R14, R22, R27, R28, R41."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.board import words_of
from spieltisch.games.era_of_inventions.log import DEVELOPS, PATENTS_NOTHING
from spieltisch.games.era_of_inventions.refusals import (
    DEVELOPING_NOW,
    FIELD_TAKEN,
    FIELD_UNPAID,
    GOLD_FIRST,
    MANY_PATENTS,
    MANY_STONES,
    MARKER_MUST_GO,
    NOT_TO_PATENT,
    STEP_UNPAID,
    SUPPLY_EMPTY,
    TOP_OF_THE_TRACK,
)
from tests.games.era_of_inventions.positions import (
    DEVELOP,
    MARKET,
    count_of_good,
    field,
    field_text,
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


@pytest.mark.rule("E34")
def test_inventions_of_one_action_use_up_to_seven_stones(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 20}})
    play(position, "develop steam locomotive gold", "develop typewriter gold")
    assert phase(position) == ("acting", 1)
    assert refused(position, "develop telephone gold") == reason(MANY_STONES, count=7)
    assert allowed(position, "develop cash register gold")
    play(position, "develop cash register gold")
    assert count_of_good(position, 1, "stone") == 13
    assert phase(position) == ("bonus", 1)  # nothing costs nothing
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 20}}, stones=3, way="developing")
    assert refusing_rule(position, "develop aeroplane gold") == "E34"


@pytest.mark.rule("E34")
@pytest.mark.rule("E38")
def test_an_action_allows_either_inventing_or_patenting(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9, "coin": 9}})
    play(position, "develop telephone gold")
    assert refused(position, "patent telephone gold") == reason(DEVELOPING_NOW)
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9, "coin": 9}})
    play(position, "patent nothing")
    assert refusing_rule(position, "develop telephone gold") == "E34"


@pytest.mark.rule("E35")
@pytest.mark.rule("R28")
def test_the_gold_field_must_be_taken_before_the_silver_field(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    assert refused(position, "develop telephone silver") == reason(GOLD_FIRST)
    play(position, "develop telephone gold", "develop telephone silver")
    assert field(position, "telephone gold")[0] == field(position, "telephone silver")[0] == 1
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders={"telephone gold": 3})
    assert allowed(position, "develop telephone silver")


@pytest.mark.rule("R41")
def test_a_gold_field_unlocks_only_the_silver_field_of_the_same_invention(game: Game) -> None:
    gold = {"telephone gold": 3, "camera gold": 1}
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders=gold)
    silver = {f"{words_of(invention.id)} silver" for invention in position.setup.board.inventions}
    open_fields = {f"{name.removesuffix(' gold')} silver" for name in gold}
    assert {name for name in silver if allowed(position, f"develop {name}")} == open_fields
    assert {refusing_rule(position, f"develop {name}") for name in silver - open_fields} == {"E35"}


@pytest.mark.rule("E36")
def test_inventing_places_a_marker_costs_stones_and_gives_influence(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 4}})
    assert log(position, "develop camera gold") == [
        log_line(
            DEVELOPS, 1, field=field_text("camera gold"), stones=goods_text(stone=3), influence=goods_text(influence=5)
        )
    ]
    assert (count_of_good(position, 1, "stone"), number(position, 1, "influence"), number(position, 1, "markers")) == (
        1,
        5,
        14,
    )
    assert field(position, "camera gold") == (1, False)
    assert position.document()["state"]["players"][0]["earned"]["inventing"] == 5


@pytest.mark.rule("E36")
def test_a_taken_field_or_too_few_stones_is_refused(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 2}}, holders={"typewriter gold": 2})
    assert refused(position, "develop typewriter gold") == reason(FIELD_TAKEN, field=field_text("typewriter gold"))
    assert refused(position, "develop camera gold") == reason(
        FIELD_UNPAID, thing=field_text("camera gold"), cost=goods_text(stone=3)
    )


@pytest.mark.rule("E37")
def test_a_gold_field_adds_three_cards_and_a_silver_field_none(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    play(position, "develop telephone gold")
    assert pile(position, "fresh") == {"telephone a", "telephone b", "telephone counterfeit"}
    assert not pile(position, "fresh") & pile(position, "aside")
    play(position, "develop telephone silver")
    assert len(pile(position, "fresh")) == 3
    assert row(position)[0] == "light bulb"  # nothing enters before the end of the round


@pytest.mark.rule("E38")
def test_at_most_two_patent_steps_per_action_and_six_per_game(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 40}})
    play(position, "patent nothing", "patent nothing")
    assert (count_of_good(position, 1, "coin"), number(position, 1, "steps"), number(position, 1, "influence")) == (
        37,
        2,
        2,
    )
    assert phase(position) == ("bonus", 1)
    position = position_with(game, action=DEVELOP, done=2, way="patenting", goods={1: {"coin": 40}})
    assert refused(position, "patent nothing") == reason(MANY_PATENTS, count=2)
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 40}}, numbers={1: {"steps": 6}})
    assert refused(position, "patent nothing") == reason(TOP_OF_THE_TRACK)
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 2}}, numbers={1: {"steps": 2}})
    assert refused(position, "patent nothing") == reason(STEP_UNPAID, cost=goods_text(coin=3))


@pytest.mark.rule("E38")
@pytest.mark.rule("R34")
def test_several_players_may_stand_on_the_same_patent_step(game: Game) -> None:
    numbers = {p: {"steps": 5} for p in (1, 2, 3, 4)}
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 6}}, numbers=numbers)
    play(position, "patent nothing")
    assert [number(position, p, "steps") for p in (1, 2, 3, 4)] == [6, 5, 5, 5]


@pytest.mark.rule("E39")
def test_a_patent_marker_may_be_placed_on_any_field_that_the_player_holds(game: Game) -> None:
    holders = {"telephone gold": 1, "telephone silver": 2, "car gold": 2, "car silver": 1}
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders=holders)
    assert moves(position, "patent") == {"patent telephone gold", "patent car silver"}
    assert refused(position, "patent car gold") == reason(NOT_TO_PATENT)
    assert refusing_rule(position, "patent camera gold") == "E39"
    play(position, "patent car silver")
    assert field(position, "car silver") == (1, True)
    assert number(position, 1, "markers") == 12
    assert refused(position, "patent car silver") == reason(NOT_TO_PATENT)
    assert moves(position, "patent") == {"patent telephone gold"}


@pytest.mark.rule("E40")
@pytest.mark.rule("R14")
def test_a_patent_marker_is_placed_only_with_an_invention(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders={"telephone gold": 1})
    assert refused(position, "patent nothing") == reason(MARKER_MUST_GO)
    play(position, "patent telephone gold")
    assert allowed(position, "patent nothing")
    log_lines = log(position, "patent nothing")
    assert log_lines[0] == log_line(PATENTS_NOTHING, 1, coins=goods_text(coin=2), influence=goods_text(influence=1))
    assert number(position, 1, "markers") == 13


@pytest.mark.rule("E40")
def test_a_patent_without_a_marker_is_lost_for_good(game: Game) -> None:
    discs_by_action = {DEVELOP: [1, 2], MARKET: [1]}
    position = position_with(game, seats=3, discs=discs_by_action, goods={1: {"coin": 9}}, numbers={1: {"bonus": 3}})
    play(position, f"use {DEVELOP}", "patent nothing", "done", "develop sewing machine gold")
    assert field(position, "sewing machine gold") == (1, False)
    assert number(position, 1, "steps") == 1
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, holders={"telephone gold": 1},
                             numbers={1: {"steps": 1}})  # fmt: skip
    play(position, "patent telephone gold")  # a later step may
    assert field(position, "telephone gold") == (1, True)


@pytest.mark.rule("R8")
def test_inventing_and_patenting_need_a_marker(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9, "stone": 9}}, holders={"telephone gold": 1},
                             numbers={1: {"markers": 0}})  # fmt: skip
    assert refused(position, "develop car gold") == reason(SUPPLY_EMPTY)
    assert refusing_rule(position, "patent telephone gold") == "R8"
    play(position, "patent nothing")
    assert number(position, 1, "steps") == 1


@pytest.mark.rule("R4")
def test_the_sewing_machine_gives_one_influence_point(game: Game) -> None:
    position = position_with(game, action=DEVELOP)
    play(position, "develop sewing machine gold")
    assert number(position, 1, "influence") == 1
    text = (game.folder / "components.toml").read_text("utf-8")
    head, mark, text_after = text.partition('[[inventions]]\nid = "sewing-machine"')
    french = game.read_components(head + mark + text_after.replace("influence = 1", "influence = 2", 1))
    position = position_with(game, action=DEVELOP, components=french)
    play(position, "develop sewing machine gold")
    assert number(position, 1, "influence") == 2


@pytest.mark.rule("R22")
def test_patent_steps_are_taken_one_after_another(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}}, numbers={1: {"influence": 5}})
    play(position, "patent nothing")
    assert (
        number(position, 1, "influence"),
        count_of_good(position, 1, "tool"),
        count_of_good(position, 1, "metal"),
    ) == (6, 2, 1)
    play(position, "patent nothing")
    assert (
        number(position, 1, "influence"),
        count_of_good(position, 1, "tool"),
        count_of_good(position, 1, "metal"),
    ) == (7, 2, 2)


@pytest.mark.rule("R27")
def test_a_silver_field_does_not_count_as_a_new_invention(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}}, holders={"telephone gold": 3})
    play(position, "develop telephone silver")
    assert position.document()["state"]["new_original"] is False
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 9}})
    play(position, "develop telephone gold")
    assert position.document()["state"]["new_original"] is True
