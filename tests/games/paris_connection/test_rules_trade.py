"""Trading: P12, P13 and the rulings T2, T6, T9."""

from __future__ import annotations

from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.lab.simulation import Simulation
from tests.games.paris_connection.positions import COLOURS, allowed, depot, held, position_with, refused


@pytest.mark.rule("P12")
@pytest.mark.parametrize("many", [1, 2])
def test_one_back_into_its_depot_and_one_or_two_out_of_another(game: Game, many: int) -> None:
    position = position_with(game, seat=2)
    depots = {colour: depot(position, colour) for colour in COLOURS}
    shares_before = {colour: held(position, 2, colour) for colour in COLOURS}
    played = position.play(f"trade brown for {many} red")
    assert played.ended_decision
    assert {colour: depot(position, colour) for colour in COLOURS} == depots | {
        "brown": depots["brown"] + 1,
        "red": depots["red"] - many,
    }
    assert {colour: held(position, 2, colour) for colour in COLOURS} == shares_before | {
        "brown": shares_before["brown"] - 1,
        "red": shares_before["red"] + many,
    }
    assert [held(position, p, colour) for p in (1, 3) for colour in COLOURS] == [2, 2, 2, 2, 1, 1] * 2
    assert position.observe(None).view.players[1].held == 9 + many
    assert position.number == 1


@pytest.mark.rule("P12")
def test_the_locomotive_given_is_in_the_portfolio(game: Game) -> None:
    position = position_with(game, shares={1: {"red": 0}, 2: {"red": 2}})
    assert refused(position, "trade red for 1 blue") == ("P12", "You hold no shares in Ruby.")
    assert refused(position, "trade red for 2 blue") == ("P12", "You hold no shares in Ruby.")
    position.play("trade purple for 1 brown")
    assert allowed(position, "trade red for 1 blue")


@pytest.mark.rule("P12")
def test_the_last_of_a_colour_may_be_given(game: Game) -> None:
    position = position_with(game, shares={1: {"red": 1}})
    position.play("trade red for 1 blue")
    assert held(position, 1, "red") == 0


@pytest.mark.rule("T2")
def test_a_colour_is_not_traded_for_itself(game: Game) -> None:
    position = position_with(game)
    for colour in COLOURS:
        for many in (1, 2):
            assert refused(position, f"trade {colour} for {many} {colour}") == (
                "T2",
                "Take shares in a different company from the one you give back.",
            )


@pytest.mark.rule("P12")
@pytest.mark.rule("T2")
def test_the_depot_holds_what_is_taken(game: Game) -> None:
    position = position_with(game, depots={"red": 1, "blue": 0, "black": 2})
    assert allowed(position, "trade purple for 1 red")
    assert refused(position, "trade purple for 2 red") == ("P12", "Ruby’s depot has fewer than two locomotives.")
    assert refused(position, "trade purple for 1 blue") == ("P12", "Sapphire’s depot is empty.")
    assert refused(position, "trade purple for 2 blue") == ("P12", "Sapphire’s depot is empty.")
    assert allowed(position, "trade purple for 2 black")
    position.play("trade purple for 2 black")
    assert depot(position, "black") == 0


@pytest.mark.rule("P12")
def test_components_may_allow_only_one_for_one(game: Game) -> None:
    components = game.read_components(game.components.text.replace("most_taken = 2", "most_taken = 1"))
    position = position_with(game, depots={"red": 1, "blue": 0}, components=components)
    assert allowed(position, "trade purple for 1 black")
    for take in ("black", "red"):
        assert refused(position, f"trade purple for 2 {take}") == (
            "P12",
            "You may take only one locomotive in a trade.",
        )
    assert refused(position, "trade purple for 2 blue") == ("P12", "Sapphire’s depot is empty.")


@pytest.mark.rule("T2")
def test_both_locomotives_taken_are_of_one_colour(game: Game) -> None:
    texts = {tuple(move.text.split()) for move in position_with(game).legal_moves if move.text.startswith("trade")}
    assert len(texts) == 6 * 5 * 2
    assert all(
        len(words) == 5 and words[3] in ("1", "2") and words[4] in COLOURS and words[4] != words[1] for words in texts
    )


@pytest.mark.rule("T9")
def test_what_is_received_differs_from_what_is_given_and_that_may_be_any(game: Game) -> None:
    position = position_with(game)
    assert refused(position, "trade red for 1 red")[0] == "T2"
    for give in COLOURS:
        assert all(allowed(position, f"trade {give} for 1 {take}") for take in COLOURS if take != give)
    before = depot(position, "red")
    position.play("trade red for 1 blue")
    assert depot(position, "red") == before + 1


@pytest.mark.rule("P13")
@pytest.mark.parametrize(("seats", "limit"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_more_than_the_limit_may_be_held(game: Game, seats: int, limit: int) -> None:
    position = position_with(game, seats=seats, shares={1: {"red": limit + 3}})
    before = position.observe(None).view.players[0].held
    assert before > limit
    position.play("trade red for 2 blue")
    assert position.observe(None).view.players[0].held == before + 1


@pytest.mark.rule("T6")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_game_ends_after_three_rounds_of_trades_of_one_for_one(game: Game, seats: int) -> None:
    position = position_with(game, seats=seats, seat=2, standstill="ends")
    for n in range(3 * seats):
        assert not position.is_over
        assert position.observe(None).view.idle == n
        given, wanted = ("purple", "brown") if n // seats % 2 == 0 else ("brown", "purple")
        position.play(f"trade {given} for 1 {wanted}")
    assert position.is_over
    assert position.outcome is not None
    assert position.outcome.ended_by == "T6"
    assert str(position.outcome.message).startswith(
        "The game is over after three rounds of nothing but one-for-one trades."
    )
    assert position.observe(None).view.idle == 3 * seats
    assert position.why_not("trade purple for 2 brown") is not None


@pytest.mark.rule("T6")
@pytest.mark.parametrize("other", ["trade purple for 2 brown", "build red Rouen"])
def test_any_other_move_begins_the_count_anew(game: Game, other: str) -> None:
    position = position_with(game, idle=8, standstill="ends")
    position.play(other)
    assert not position.is_over
    assert position.observe(None).view.idle == 0
    if other.startswith("build"):
        position.play("done")
        assert position.observe(None).view.idle == 0
    position.play("trade purple for 1 brown")
    assert position.observe(None).view.idle == 1
    assert not position.is_over


@pytest.mark.rule("T6")
def test_one_short_of_three_rounds_the_game_goes_on(game: Game) -> None:
    position = position_with(game, idle=7, standstill="ends")
    position.play("trade purple for 1 brown")
    assert not position.is_over
    position.play("trade purple for 1 brown")
    assert position.is_over


@pytest.mark.rule("T6")
def test_such_an_end_is_scored(game: Game) -> None:
    position = position_with(
        game, idle=8, track={"red": ["Lyon"], "blue": ["Nice"]}, shares={2: {"red": 5}}, standstill="ends"
    )
    position.play("trade red for 1 blue")
    assert position.scores == [0 * 3 + 2 * 3, 5 * 3 + 1 * 3, 1 * 3 + 1 * 3]
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


@pytest.mark.rule("T6")
@pytest.mark.parametrize("options", [{}, {"standstill": "goes on"}], ids=["by default", "named"])
def test_the_game_goes_on_however_long_is_traded(game: Game, options: dict[str, Any]) -> None:
    position = position_with(game, **options)
    for n in range(4 * 9):
        given, wanted = ("purple", "brown") if n // 3 % 2 == 0 else ("brown", "purple")
        assert position.observe(None).view.idle == min(n, 9)
        position.play(f"trade {given} for 1 {wanted}")
    assert not position.is_over
    assert game.position(position.document()).document() == position.document()
    position.play("build red Rouen")
    assert position.observe(None).view.idle == 0


@pytest.mark.build
@pytest.mark.rule("T6")
@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("bots", [("easy",), ("easy", "random")])
def test_bots_end_every_game_that_goes_on(bots: tuple[str, ...], seats: int) -> None:
    game = spieltisch.game("paris-connection", compiled=True)
    sitting = [bots[seat % len(bots)] for seat in range(seats)]
    ended = {
        standstill: Simulation(game.setup(seats, standstill=standstill), sitting, seed=1).play(100).ended
        for standstill in ("ends", "goes on")
    }
    assert ended["ends"]["T6"] > 0 or "random" in bots
    assert ended["goes on"].total() == 100
    assert set(ended["goes on"]) == {"P14", "P15"}
    assert Simulation(game.setup(seats), sitting, seed=1).play(100).ended == ended["goes on"], "by default"
