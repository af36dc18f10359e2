"""Check trading: rules P12, P13 and the rulings T2, T6, T9."""

from __future__ import annotations

from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.games.paris_connection.log import STALLED
from spieltisch.games.paris_connection.refusals import (
    NOT_HELD,
    NOTHING_TO_TAKE,
    ONE_FOR_ONE,
    SAME_COMPANY,
    TOO_FEW_TO_TAKE,
)
from spieltisch.lab.simulation import Simulation
from tests.games.paris_connection.positions import COLOURS, depot_count, log_line, position_with, reason, shares_held
from tests.games.refusals import allowed, refused


@pytest.mark.rule("P12")
@pytest.mark.parametrize("count", [1, 2])
def test_a_trade_returns_one_share_and_takes_one_or_two_of_another_company(game: Game, count: int) -> None:
    position = position_with(game, seat=2)
    depots = {colour: depot_count(position, colour) for colour in COLOURS}
    shares_before = {colour: shares_held(position, 2, colour) for colour in COLOURS}
    move_result = position.play(f"trade brown for {count} red")
    assert move_result.ended_decision
    assert {colour: depot_count(position, colour) for colour in COLOURS} == depots | {
        "brown": depots["brown"] + 1,
        "red": depots["red"] - count,
    }
    assert {colour: shares_held(position, 2, colour) for colour in COLOURS} == shares_before | {
        "brown": shares_before["brown"] - 1,
        "red": shares_before["red"] + count,
    }
    assert [shares_held(position, p, colour) for p in (1, 3) for colour in COLOURS] == [2, 2, 2, 2, 1, 1] * 2
    assert position.observe(None).view.players[1].held == 9 + count
    assert position.number == 1


@pytest.mark.rule("P12")
def test_only_a_share_in_the_portfolio_can_be_given(game: Game) -> None:
    position = position_with(game, shares={1: {"red": 0}, 2: {"red": 2}})
    assert refused(position, "trade red for 1 blue") == reason(NOT_HELD, company="Ruby")
    assert refused(position, "trade red for 2 blue") == reason(NOT_HELD, company="Ruby")
    position.play("trade purple for 1 brown")
    assert allowed(position, "trade red for 1 blue")


@pytest.mark.rule("P12")
def test_the_last_share_in_a_company_may_be_given(game: Game) -> None:
    position = position_with(game, shares={1: {"red": 1}})
    position.play("trade red for 1 blue")
    assert shares_held(position, 1, "red") == 0


@pytest.mark.rule("T2")
def test_a_company_is_not_traded_for_itself(game: Game) -> None:
    position = position_with(game)
    for colour in COLOURS:
        for count in (1, 2):
            assert refused(position, f"trade {colour} for {count} {colour}") == reason(SAME_COMPANY)


@pytest.mark.rule("P12")
@pytest.mark.rule("T2")
def test_a_trade_takes_no_more_than_the_depot_holds(game: Game) -> None:
    position = position_with(game, depots={"red": 1, "blue": 0, "black": 2})
    assert allowed(position, "trade purple for 1 red")
    assert refused(position, "trade purple for 2 red") == reason(TOO_FEW_TO_TAKE, company="Ruby")
    assert refused(position, "trade purple for 1 blue") == reason(NOTHING_TO_TAKE, company="Sapphire")
    assert refused(position, "trade purple for 2 blue") == reason(NOTHING_TO_TAKE, company="Sapphire")
    assert allowed(position, "trade purple for 2 black")
    position.play("trade purple for 2 black")
    assert depot_count(position, "black") == 0


@pytest.mark.rule("P12")
def test_a_component_file_may_allow_only_one_for_one_trades(game: Game) -> None:
    components = game.read_components(game.components.text.replace("most_taken = 2", "most_taken = 1"))
    position = position_with(game, depots={"red": 1, "blue": 0}, components=components)
    assert allowed(position, "trade purple for 1 black")
    for company_to_take in ("black", "red"):
        assert refused(position, f"trade purple for 2 {company_to_take}") == reason(ONE_FOR_ONE)
    assert refused(position, "trade purple for 2 blue") == reason(NOTHING_TO_TAKE, company="Sapphire")


@pytest.mark.rule("T2")
def test_two_shares_taken_in_one_trade_are_of_the_same_company(game: Game) -> None:
    texts = {tuple(move.text.split()) for move in position_with(game).legal_moves if move.text.startswith("trade")}
    assert len(texts) == 6 * 5 * 2
    assert all(
        len(words) == 5 and words[3] in ("1", "2") and words[4] in COLOURS and words[4] != words[1] for words in texts
    )


@pytest.mark.rule("T9")
def test_any_company_may_be_traded_for_any_other(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "trade red for 1 red")[0] == "T2"
    for company_to_give in COLOURS:
        assert all(
            allowed(position, f"trade {company_to_give} for 1 {company_to_take}")
            for company_to_take in COLOURS
            if company_to_take != company_to_give
        )
    before = depot_count(position, "red")
    position.play("trade red for 1 blue")
    assert depot_count(position, "red") == before + 1


@pytest.mark.rule("P13")
@pytest.mark.parametrize(("seats", "limit"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_a_player_may_hold_more_shares_than_the_limit(game: Game, seats: int, limit: int) -> None:
    position = position_with(game, seats=seats, shares={1: {"red": limit + 3}})
    before = position.observe(None).view.players[0].held
    assert before > limit
    position.play("trade red for 2 blue")
    assert position.observe(None).view.players[0].held == before + 1


@pytest.mark.rule("T6")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_game_ends_after_three_rounds_of_one_for_one_trades(game: Game, seats: int) -> None:
    position = position_with(game, seats=seats, seat=2, standstill="ends")
    for n in range(3 * seats):
        assert not position.is_over
        assert position.observe(None).view.idle == n
        given_colour, wanted_colour = ("purple", "brown") if n // seats % 2 == 0 else ("brown", "purple")
        position.play(f"trade {given_colour} for 1 {wanted_colour}")
    assert position.is_over
    assert position.outcome is not None
    assert position.outcome.ended_by == "T6"
    assert str(position.outcome.message) == log_line(STALLED, None)
    assert position.observe(None).view.idle == 3 * seats
    assert position.why_not("trade purple for 2 brown") is not None


@pytest.mark.rule("T6")
@pytest.mark.parametrize("other_move", ["trade purple for 2 brown", "build red Rouen"])
def test_any_other_move_resets_the_count_of_one_for_one_trades(game: Game, other_move: str) -> None:
    position = position_with(game, idle=8, standstill="ends")
    position.play(other_move)
    assert not position.is_over
    assert position.observe(None).view.idle == 0
    if other_move.startswith("build"):
        position.play("done")
        assert position.observe(None).view.idle == 0
    position.play("trade purple for 1 brown")
    assert position.observe(None).view.idle == 1
    assert not position.is_over


@pytest.mark.rule("T6")
def test_the_game_continues_one_trade_short_of_three_rounds(game: Game) -> None:
    position = position_with(game, idle=7, standstill="ends")
    position.play("trade purple for 1 brown")
    assert not position.is_over
    position.play("trade purple for 1 brown")
    assert position.is_over


@pytest.mark.rule("T6")
def test_a_game_ended_by_one_for_one_trades_is_scored(game: Game) -> None:
    position = position_with(
        game, idle=8, track={"red": ["Lyon"], "blue": ["Nice"]}, shares={2: {"red": 5}}, standstill="ends"
    )
    position.play("trade red for 1 blue")
    assert position.scores == [0 * 3 + 2 * 3, 5 * 3 + 1 * 3, 1 * 3 + 1 * 3]
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


@pytest.mark.rule("T6")
@pytest.mark.parametrize("options", [{}, {"standstill": "goes on"}], ids=["by default", "named"])
def test_without_the_limit_of_trades_repeated_trades_do_not_end_the_game(game: Game, options: dict[str, Any]) -> None:
    position = position_with(game, **options)
    for n in range(4 * 9):
        given_colour, wanted_colour = ("purple", "brown") if n // 3 % 2 == 0 else ("brown", "purple")
        assert position.observe(None).view.idle == min(n, 9)
        position.play(f"trade {given_colour} for 1 {wanted_colour}")
    assert not position.is_over
    assert game.position(position.document()).document() == position.document()
    position.play("build red Rouen")
    assert position.observe(None).view.idle == 0


@pytest.mark.build
@pytest.mark.rule("T6")
@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("bots", [("easy",), ("easy", "random")])
def test_bots_end_every_game_without_a_limit_of_trades(bots: tuple[str, ...], seats: int) -> None:
    game = spieltisch.game("paris-connection", compiled=True)
    sitting = [bots[seat % len(bots)] for seat in range(seats)]
    games_with_limit = {
        standstill: Simulation(game.setup(seats, standstill=standstill), sitting, seed=1).play(100).ended
        for standstill in ("ends", "goes on")
    }
    assert games_with_limit["ends"]["T6"] > 0 or "random" in bots
    assert games_with_limit["goes on"].total() == 100
    assert set(games_with_limit["goes on"]) == {"P14", "P15"}
    assert Simulation(game.setup(seats), sitting, seed=1).play(100).ended == games_with_limit["goes on"], "by default"
