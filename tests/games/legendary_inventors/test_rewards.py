"""Check completing an invention: rules L10 to L14 and the rulings S8, S13."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.words import Message
from spieltisch.games.legendary_inventors.log import TAKES_PATENT, TAKES_TOKEN
from tests.games.legendary_inventors.positions import (
    completion_line,
    cubes_in_supply,
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

# Canoe 2012: what is missing is one space of physics.
MISSING = {2: (1, 0, 0, 1), 3: (0, 0, 1, 0), 4: (0, 0, 0, 1)}


@pytest.mark.rule("L10")
def test_filling_the_last_space_completes_the_invention_and_wins_leonardo(game: Game) -> None:
    position = position_with(game, seats=4, leonardo=3, cubes={"canoe": {2: (1, 0, 0, 1), 3: (0, 0, 1, 0)}})
    position.play("send fewer with Aristotle to Canoe")  # physics 1, mathematics 1
    position.play("place 1 physics 0 chemistry 0 mechanics 0 mathematics")
    assert (position.state.leonardo, position.seat) == (2, 1)  # one space of mathematics is still free
    position = position_with(game, seats=4, leonardo=3, cubes={"canoe": MISSING})
    log = play_and_log(position, "send Aristotle to Canoe")
    assert log[1] == completion_line(1, "Canoe", [2, 1, 3])
    assert position.state.leonardo == 0
    assert texts(position) == ["take patent", "take upgrade-3", "take points-1"]


@pytest.mark.rule("L10")
def test_only_complete_inventions_give_rewards(game: Game) -> None:
    position = position_with(game)
    for move in ("take patent", "take upgrade-2", "take refresh"):
        assert refused(position, move) == "L10"


@pytest.mark.rule("L11")
def test_players_with_more_cubes_choose_rewards_first(game: Game) -> None:
    position = position_with(
        game, seats=4, cubes={"canoe": {3: (0, 0, 1, 2), 2: (0, 0, 0, 0)}}, knowledge={"archimedes": (2, 0, 0, 0)}
    )
    position.play("send Archimedes to Canoe")
    assert position.seat == 2
    for move in ("ready", "pass", "send Hypatia to Bow", "upgrade Isaac Newton in physics", "refresh", "done"):
        assert refused(position, move) in ("L11", "S1")
    position.play("take patent")
    assert position.seat == 0
    position.play("take points-1")
    assert position.seat == 1  # left of Leonardo, who is with seat 1


@pytest.mark.rule("L11")
def test_players_without_a_cube_get_no_reward(game: Game) -> None:
    position = position_with(game, seats=5, cubes={"canoe": {2: (1, 0, 1, 2)}})
    position.play("send Archimedes to Canoe")
    assert [p for p in position.state.queue if p >= 0] == [1, 0]


@pytest.mark.rule("L12")
@pytest.mark.parametrize(
    ("cubes", "order"),
    [
        (MISSING, [1, 0, 2]),
        ({2: (0, 0, 0, 1), 3: (1, 0, 0, 1), 4: (0, 0, 1, 0)}, [2, 0, 1]),
        ({4: (1, 0, 0, 0), 3: (0, 0, 1, 0), 5: (0, 0, 0, 2)}, [4, 0, 2]),
        ({5: (1, 0, 0, 0), 4: (0, 0, 1, 2)}, [3, 0, 4]),
    ],
)
def test_ties_for_rewards_are_broken_clockwise_from_leonardo(
    game: Game, cubes: dict[int, tuple[int, ...]], order: list[int]
) -> None:
    position = position_with(game, seats=5, leonardo=3, cubes={"canoe": cubes}, knowledge={"archimedes": (1, 0, 0, 0)})
    position.play("send Archimedes to Canoe")
    assert list(position.state.queue) == order


@pytest.mark.rule("L12")
def test_ties_for_rewards_are_broken_from_the_player_who_completed_the_invention(game: Game) -> None:
    cubes = {"canoe": {1: (1, 0, 0, 0), 2: (0, 0, 0, 1), 4: (0, 0, 0, 1), 5: (0, 0, 1, 0)}}
    position = position_with(game, seats=5, seat=3, leonardo=1, cubes=cubes, knowledge={"isaac-newton": (1, 0, 0, 0)})
    position.play("send Isaac Newton to Canoe")
    assert list(position.state.queue) == [2, 3, 4]


@pytest.mark.rule("L13")
def test_at_most_three_players_take_one_reward_each(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    position.play("send Aristotle to Canoe")
    assert position.seat == 1
    assert play_and_log(position, "take patent") == [log_line(TAKES_PATENT, 2, invention="Canoe")]
    assert player(position, 2)["patents"] == ["canoe"]
    assert refused(position, "take patent") == "L13"
    assert refused(position, "take upgrade-4") == "L13"
    assert play_and_log(position, "take upgrade-3") == [
        log_line(TAKES_TOKEN, 1, token=token_text("upgrade-3")),
        log_line(TAKES_TOKEN, 3, token=token_text("points-1")),
    ]
    assert [player(position, p)["tokens"] for p in (1, 2, 3, 4)] == [{"upgrade-3": 1}, {}, {"points-1": 1}, {}]
    assert "canoe" not in open_inventions(position)


@pytest.mark.rule("L13")
def test_a_taken_reward_token_is_no_longer_offered(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    position.play("send Aristotle to Canoe")
    position.play("take points-1")
    assert refused(position, "take points-1") == "L13"
    assert texts(position) == ["take patent", "take upgrade-3"]


@pytest.mark.rule("L13")
def test_two_equal_reward_tokens_are_offered_as_one_choice(game: Game) -> None:
    position = position_with(
        game,
        cubes={"bow": {2: (1, 0, 1, 1)}, "canoe": {1: (1, 0, 0, 0)}},
        table={"bow": ("points-1", "points-1"), "canoe": ("genius", "refresh"), "fire": ("number", "number")},
        knowledge={"archimedes": (0, 0, 1, 1)},
    )
    position.play("send Archimedes to Bow")
    assert texts(position) == ["take patent", "take points-1"]
    log = play_and_log(position, "take patent")
    assert log[1] == log_line(TAKES_TOKEN, 1, token=token_text("points-1"))
    assert position.document()["state"]["tokens_gone"] == {"points-1": 1}


@pytest.mark.rule("L13")
def test_rewards_left_over_return_to_the_box(game: Game) -> None:
    position = position_with(game, cubes={"canoe": {2: (1, 0, 0, 2)}})
    position.play("send Archimedes to Canoe")
    position.play("take upgrade-3")
    position.play("take points-1")
    assert position.document()["state"]["gone"] == ["canoe"]
    assert player(position, 1)["patents"] == player(position, 2)["patents"] == []
    position = position_with(game, cubes={"canoe": {2: (1, 0, 0, 2)}})
    position.play("send Archimedes to Canoe")
    position.play("take patent")
    position.play("take points-1")
    assert position.document()["state"]["tokens_gone"] == {"upgrade-3": 1}


@pytest.mark.rule("L14")
def test_cubes_return_to_their_owners_and_play_continues_left_of_leonardo(game: Game) -> None:
    position = position_with(game, seats=4, seat=1, cubes={"canoe": MISSING, "bow": {2: (1, 0, 0, 0)}})
    assert [cubes_in_supply(position, p) for p in (1, 2, 3, 4)] == [15, 12, 14, 14]
    position.play("send Aristotle to Canoe")
    assert [cubes_in_supply(position, p) for p in (1, 2, 3, 4)] == [14, 12, 14, 14]
    position.play("take patent")
    position.play("take points-1")
    assert [cubes_in_supply(position, p) for p in (1, 2, 3, 4)] == [15, 14, 15, 15]
    assert position.seat == 1
    assert open_inventions(position)["bow"]["cubes"][1] == [1, 0, 0, 0]


@pytest.mark.rule("L14")
def test_the_last_choice_of_rewards_leaves_no_trace_in_the_state(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    for move in ("send Aristotle to Canoe", "take patent", "take points-1"):
        position.play(move)
    restored_game = position.setup.game.position(
        position.document()
    )  # a document says nothing of rewards that are taken
    assert restored_game.digest() == position.digest()


@pytest.mark.rule("S8")
def test_a_single_rewarded_player_takes_one_reward_and_the_other_rewards_leave_the_game(game: Game) -> None:
    position = position_with(game, cubes={"canoe": {1: (1, 0, 0, 2)}})
    log = play_and_log(position, "send Archimedes to Canoe")
    assert log[1] == completion_line(1, "Canoe", [1])
    assert (position.seat, len(position.legal_moves)) == (0, 3)
    position.play("take points-1")
    assert position.seat == 1
    assert position.document()["state"]["gone"] == ["canoe"]
    assert position.document()["state"]["tokens_gone"] == {"upgrade-3": 1}


@pytest.mark.rule("S13")
def test_the_age_changes_immediately_after_the_last_reward(game: Game) -> None:
    table = {"canoe": ("upgrade-2", "points-1"), "bow": ("genius", "refresh")}
    position = position_with(game, table=table, cubes={"canoe": {2: (1, 0, 0, 2)}, "bow": {2: (1, 0, 0, 0)}})
    position.play("send Archimedes to Canoe")
    assert (position.state.age, set(open_inventions(position))) == (1, {"canoe", "bow"})
    position.play("take upgrade-2")
    assert (position.state.age, position.seat) == (1, 0)
    assert refused(position, "turn upgrade-2 for Hypatia in physics") == "L11"
    move_result = position.play("take patent")
    assert len(move_result.drew) == 5 + 10
    assert (position.state.age, position.seat) == (2, 1)
    assert allowed(position, "turn upgrade-2 for James Watt in physics")


@pytest.mark.rule("L11")
@pytest.mark.rule("L12")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_hint_names_the_players_who_would_be_rewarded(game: Game, seats: int) -> None:
    position, count = game.start(seats, seed=seats), 0
    while not position.is_over:
        turn = position.seat
        assert turn is not None
        before = position.observe(turn)
        for move in position.legal_moves if position.number % 5 == 0 else ():
            move_result = position.copy().play(move, collect_events=True)
            lines = game.log(position.setup, move_result.events, turn)
            order = [named(message) for message in lines if {"invention", "first"} <= message.values.keys()]
            note = position.hint(move)
            assert game.needs_confirmation(before, move) == bool(order), move
            if move.text.startswith(("turn ", "take ", "refresh")):  # what these say has tests of its own
                assert order == [], move
                continue
            told_before = note.values.get("completion", note) if note else None
            assert isinstance(told_before, Message | None)
            assert order == ([named(told_before)] if told_before and named(told_before) else []), move
            count += bool(order)
        position.play(position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)])
    assert count > 5


def named(message: Message) -> list[Any]:
    """Return the rewarded players in the order in which a sentence names them."""
    return [message.values[name] for name in ("first", "second", "third") if name in message.values]


@pytest.mark.parametrize("seats", [2, 4])
def test_the_reason_for_sending_an_inventor_is_the_lead_in_cubes(game: Game, seats: int) -> None:
    position, count = game.start(seats, seed=seats), 0
    while not position.is_over:
        seat = position.seat
        assert seat is not None
        before, points_before = position.observe(seat), position.scores[seat]
        move_result = position.play(position.legal_moves[0], collect_events=True)
        reasons = game.advice_reasons(before, move_result.events)
        worked = [e for e in move_result.events if e.kind in ("works", "works by genius") and e.seat == seat]
        for event in worked:
            slot = next(slot for slot in before.view.slots if slot.card == event.numbers[1])
            own_cubes, most_cubes = (
                sum(slot.cubes[seat]) + event.numbers[2],
                max(sum(slot.cubes[p]) for p in range(seats) if p != seat),
            )
            left = sum(slot.free) - event.numbers[2]
            found_reasons = []
            for reason in reasons:
                text = reason.values.get("comparison", reason)
                if isinstance(text, Message) and "invention" in text.values:
                    found_reasons.append((text.count, text.values.get("most", 0), reason.values.get("left", 0)))
            assert (own_cubes, most_cubes, left) in found_reasons
        gained_points = sum(e.numbers[0] for e in move_result.events if e.kind == "points" and e.seat == seat)
        points = {"before": points_before, "after": points_before + gained_points}
        assert (points in [reason.values for reason in reasons]) == bool(gained_points)
        count += len(worked)
    assert count > 20


def test_the_reason_for_a_team_is_what_it_knows_most_of(game: Game) -> None:
    position = game.start(3, seed=1, teams="choose")
    seat, board, found_reasons = position.seat, position.setup.board, set[str]()
    assert seat is not None
    for move in position.legal_moves:
        events = position.copy().play(move, collect_events=True).events
        reason = game.advice_reasons(position.observe(seat), events)[0]
        inventors = [board.inventors[number] for number in board.teams[move.args[0]].inventors]
        known = {
            str(field.name): sum(inventor.start[f] for inventor in inventors) for f, field in enumerate(board.fields)
        }
        most = sorted(known.values(), reverse=True)[:2]
        assert [reason.values["number"], reason.values["second"]] == most
        assert [known[str(reason.values[name])] for name in ("field", "second_field")] == most
        found_reasons.add(str(reason))
    assert len(found_reasons) > 1
