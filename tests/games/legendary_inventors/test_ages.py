"""Check ages and the end of the game: rules L15 to L17, L29, and the rulings S1, S2, S14."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.log import (
    AGE_BEGINS,
    AGE_COMPLETE,
    AGE_PASSED,
    DONE_UPGRADING,
    ENDS_COMPLETE,
    ENDS_PASSED,
    PASSES,
    TURNS_OVER,
)
from tests.games.legendary_inventors.positions import (
    cubes_in_supply,
    exhausted_inventors,
    log_line,
    open_inventions,
    play_and_log,
    player,
    position_with,
    refused,
    texts,
    token_text,
)
from tests.games.refusals import allowed

LAST_TWO = {"canoe": ("upgrade-2", "points-1"), "bow": ("genius", "refresh")}
ALMOST = {"canoe": {2: (1, 0, 0, 2)}, "bow": {2: (1, 0, 0, 0)}}
LATE = {"zeppelin": ("upgrade-2", "points-1"), "radio": ("genius", "refresh")}
LATE_ALMOST = {"zeppelin": {1: (1, 4, 0, 2), 2: (1, 0, 0, 0)}, "radio": {2: (1, 0, 0, 0)}}
ANCIENT = ("hypatia", "archimedes", "aristotle", "hippocrates")
MODERN = ("james-watt", "ada-lovelace", "antoine-lavoisier", "benjamin-franklin")
NOBODY_FITS = dict.fromkeys(ANCIENT, (0, 0, 0, 0))
NOBODY_OF_TWO_FITS = dict.fromkeys(MODERN, (0, 0, 0, 0))


def end_of_age(game: Game, **changes: Any) -> Position:
    """Return a position in which seat 1 is about to take the last reward of an age."""
    position = position_with(game, table=LAST_TWO, cubes=ALMOST, **changes)
    position.play("send Archimedes to Canoe")
    position.play("take upgrade-2")
    return position


@pytest.mark.rule("L15")
def test_an_age_ends_when_only_one_invention_is_open(game: Game) -> None:
    position = end_of_age(game)
    assert (cubes_in_supply(position, 1), cubes_in_supply(position, 2)) == (13, 11)
    log = play_and_log(position, "take patent")
    assert log[1] == log_line(AGE_COMPLETE, None, age="age I")
    assert log[2] == log_line(AGE_BEGINS, 2, age="age II")
    assert (cubes_in_supply(position, 1), cubes_in_supply(position, 2)) == (15, 15)
    state = position.document()["state"]
    assert state["gone"] == ["bow"]
    assert state["tokens_gone"] == {"genius": 1, "refresh": 1, "points-1": 1}


@pytest.mark.rule("L15")
def test_an_age_continues_while_two_inventions_are_open(game: Game) -> None:
    position = position_with(game, table=LAST_TWO | {"fire": ("number", "points-2")}, cubes=ALMOST)
    position.play("send Archimedes to Canoe")
    position.play("take upgrade-2")
    position.play("take patent")
    assert (position.state.age, set(open_inventions(position))) == (1, {"bow", "fire"})


@pytest.mark.rule("L16")
@pytest.mark.parametrize("age", [1, 2])
def test_a_new_age_lays_out_new_inventions_and_keeps_the_inventors_unchanged(game: Game, age: int) -> None:
    position = end_of_age(game, age=age, exhausted=["hypatia", "ada-lovelace"])
    position.play("take patent")
    assert (position.state.age, position.state.leonardo, position.seat) == (age + 1, 0, 1)
    table = open_inventions(position)
    ages = {card.id: card.age for card in position.setup.board.inventions}
    assert len(table) == 5
    assert {ages[name] for name in table} == {age + 1}
    assert all(None not in invention["tokens"] and invention["cubes"] == [[0] * 4] * 2 for invention in table.values())
    assert exhausted_inventors(position, 1) == {"hypatia", "archimedes"}
    assert exhausted_inventors(position, 2) == {"ada-lovelace"}


@pytest.mark.rule("L16")
def test_the_player_to_the_left_of_leonardo_begins_the_next_age(game: Game) -> None:
    position = position_with(
        game,
        seats=3,
        seat=3,
        table=LAST_TWO,
        cubes={"canoe": {2: (1, 0, 0, 2)}},
        knowledge={"isaac-newton": (1, 0, 1, 0)},
    )
    position.play("send Isaac Newton to Canoe")
    position.play("take patent")
    position.play("take points-1")
    assert (position.state.age, position.seat) == (2, 0)


@pytest.mark.rule("L17")
def test_the_game_ends_when_one_invention_of_the_third_age_is_left(game: Game) -> None:
    position = position_with(game, age=3, table=LATE, cubes=LATE_ALMOST)
    log = play_and_log(position, "send Archimedes to Zeppelin")
    assert "completes Zeppelin" in log[1]
    assert not position.is_over
    position.play("take patent")
    log = play_and_log(position, "take points-1")
    assert log[1] == log_line(AGE_COMPLETE, None, age="age III")
    assert position.seat == 1  # P2 may turn the token over (S1)
    position.play("done")
    assert position.is_over
    assert position.outcome is not None
    assert position.outcome.ended_by == "L17"
    assert position.setup.game.position(position.document()).digest() == position.digest()
    assert refused_when_over(position) == "over"


@pytest.mark.rule("L17")
def test_no_player_takes_a_turn_after_the_last_age(game: Game) -> None:
    position = ended(game, tokens={1: {"upgrade-2": 1}, 2: {"refresh": 1, "genius": 1}}, exhausted=["james-watt"])
    assert position.seat == 1
    moves = ("ready", "refresh", "pass", "send Ada Lovelace to Radio", "send genius with Ada Lovelace to Radio")
    assert [refused(position, move) for move in moves] == ["L17"] * 5


def ended(game: Game, **changes: Any) -> Position:
    """Return a position in which the last reward of the last age has been taken."""
    position = position_with(game, age=3, table=LATE, cubes=LATE_ALMOST, **changes)
    position.play("send Archimedes to Zeppelin")
    position.play("take patent")
    position.play("take points-1")
    return position


def refused_when_over(position: Position) -> str:
    refusal = position.why_not("done")
    assert refusal is not None
    return refusal.rule


@pytest.mark.rule("S1")
def test_every_player_may_upgrade_once_more_before_the_scoring(game: Game) -> None:
    position = ended(game, tokens={1: {"upgrade-2": 2}})
    assert position.seat == 1  # left of Leonardo
    assert len(texts(position, "turn points-1")) == len(position.legal_moves) - 1
    log = play_and_log(position, "turn points-1 for James Watt in physics")
    assert log == [log_line(TURNS_OVER, 2, token=token_text("points-1"), inventor="James Watt", field="physics")]
    assert position.seat == 0  # P2 has no token left and is not asked again
    assert not position.is_over
    position.play("upgrade Archimedes in physics")
    assert position.seat == 0
    log = play_and_log(position, "done")
    assert log == [log_line(DONE_UPGRADING, 1), log_line(ENDS_COMPLETE, None)]
    assert position.is_over
    assert player(position, 1)["tokens"] == {"upgrade-2": 1}


@pytest.mark.rule("S1")
def test_players_who_cannot_upgrade_before_the_scoring_are_skipped(game: Game) -> None:
    position = ended(game, knowledge=dict.fromkeys(MODERN, (1, 2, 1, 2)))
    assert position.is_over


@pytest.mark.rule("S1")
def test_an_upgrade_before_the_action_does_not_end_the_turn(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-2": 1}, 2: {"upgrade-2": 1}})
    assert refused(position, "done") == "S1"
    assert refused(position, "upgrade James Watt in mechanics") == "L19"
    position.play("upgrade Archimedes in physics")
    assert position.seat == 0
    position.play("send Archimedes to Bow")
    assert (position.seat, player(position, 2)["tokens"]) == (1, {"upgrade-2": 1})


@pytest.mark.rule("S2")
def test_passing_is_allowed_only_if_no_action_is_possible_without_tokens(game: Game) -> None:
    position = position_with(game, knowledge=NOBODY_FITS, tokens={1: {"genius": 1}})
    assert allowed(position, "pass")
    assert allowed(position, "send genius with Hypatia to Bow")
    assert refused(position_with(game), "pass") == "S2"
    exhausted_one = position_with(game, knowledge=NOBODY_FITS, tokens={1: {"genius": 1}}, exhausted=["hypatia"])
    assert refused(exhausted_one, "pass") == "S2"
    position.play("turn genius for Hypatia in physics")
    assert refused(position, "pass") == "S2"  # now she can work


@pytest.mark.rule("S2")
def test_the_age_ends_when_all_players_have_passed_in_a_row(game: Game) -> None:
    position = position_with(
        game,
        leonardo=2,
        knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS,
        tokens={1: {"genius": 1}, 2: {"genius": 1}},
        cubes={"bow": {1: (1, 0, 0, 0)}},
    )
    assert play_and_log(position, "pass") == [log_line(PASSES, 1)]
    assert (position.seat, position.state.passes) == (1, 1)
    log = play_and_log(position, "pass")
    assert log[1] == log_line(AGE_PASSED, None, age="age I")
    state = position.document()["state"]
    assert (state["age"], state["seat"], state["passes_in_a_row"]) == (2, 1, 0)  # left of Leonardo, who is with P2
    assert sorted(state["gone"]) == ["bow", "canoe", "fire", "papyrus", "sundial"]
    assert sum(state["tokens_gone"].values()) == 10
    assert cubes_in_supply(position, 1) == 15


@pytest.mark.rule("S2")
def test_any_action_but_passing_resets_the_count_of_passes(game: Game) -> None:
    tokens = {1: {"genius": 1}, 2: {"genius": 1}, 3: {"genius": 1}}
    position = position_with(game, seats=3, seat=1, passes=2, knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS, tokens=tokens)
    position.play("send genius with Hypatia to Bow")
    position.play("place 1 physics 0 chemistry 0 mechanics 0 mathematics")
    assert position.state.passes == 0
    position = position_with(
        game,
        seats=3,
        seat=3,
        passes=2,
        knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS,
        tokens=tokens,
        exhausted=["isaac-newton"],
    )
    position.play("ready")
    assert position.state.passes == 0
    position.play("pass")
    position.play("pass")
    assert (position.state.age, position.seat) == (1, 2)


@pytest.mark.rule("S2")
def test_the_game_ends_when_all_players_have_passed_in_the_last_age(game: Game) -> None:
    position = position_with(
        game, age=3, table=LATE, passes=1, knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS, tokens={1: {"genius": 1}}
    )
    log = play_and_log(position, "pass")
    assert log[1] == log_line(AGE_PASSED, None, age="age III")
    assert position.seat == 0  # the token may still be turned over (S1)
    position.play("done")
    assert position.outcome is not None
    assert position.outcome.ended_by == "S2"
    assert str(position.outcome.message) == log_line(ENDS_PASSED, None)


@pytest.mark.rule("S14")
def test_players_able_to_act_with_a_token_are_asked_and_all_others_pass_automatically(game: Game) -> None:
    position = position_with(
        game, seats=3, seat=3, knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS, tokens={2: {"genius": 1}}
    )
    log = play_and_log(position, "send Isaac Newton to Bow")
    assert log[1:] == [log_line(PASSES, 1)]
    assert position.seat == 1
    assert allowed(position, "pass")
    assert allowed(position, "send genius with James Watt to Bow")
    assert position.state.passes == 1


@pytest.mark.rule("S14")
def test_the_age_ends_automatically_when_no_player_can_act(game: Game) -> None:
    position = position_with(game, passes=0, knowledge=NOBODY_FITS | NOBODY_OF_TWO_FITS, tokens={1: {"genius": 1}})
    log = play_and_log(position, "pass")
    assert log[:3] == [log_line(PASSES, 1), log_line(PASSES, 2), log_line(AGE_PASSED, None, age="age I")]


@pytest.mark.rule("L29")
@pytest.mark.parametrize(
    ("patents", "points", "winners"),
    [
        ({1: ["bow"], 2: ["fire", "canoe"]}, {}, (1,)),  # 1 and 2
        ({1: ["bow", "canoe"], 2: ["pistol"]}, {2: {"points-1": 1}}, (0,)),  # 2 + 1 for the run, 2 + 1: more patents
        ({1: ["fire"], 2: ["oil-lamp"]}, {}, (0, 1)),  # 1 each, one patent each
        ({1: ["fire"], 2: []}, {2: {"points-2": 1}}, (1,)),  # points come first
    ],
)
def test_ranks_follow_points_then_patents_and_are_shared_in_a_tie(
    game: Game, patents: dict[int, list[str]], points: dict[int, dict[str, int]], winners: tuple[int, ...]
) -> None:
    position = position_with(
        game, seat=None, phase="over", ended_by="L17", age=3, table={}, patents=patents, tokens=points
    )
    assert position.is_over
    assert position.outcome is not None
    assert position.outcome.winners == winners
