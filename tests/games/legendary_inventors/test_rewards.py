"""Completing an invention: L10 to L14, and the rulings S8, S13."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.words import Message
from tests.games.legendary_inventors.positions import (
    allowed,
    on_table,
    play_and_log,
    player,
    position_with,
    refused,
    supply,
    texts,
)

# Canoe 2012: what is missing is one space of physics.
MISSING = {2: (1, 0, 0, 1), 3: (0, 0, 1, 0), 4: (0, 0, 0, 1)}


@pytest.mark.rule("L10")
def test_the_last_space_completes_the_invention_and_gives_leonardo(game: Game) -> None:
    position = position_with(game, seats=4, leonardo=3, cubes={"canoe": {2: (1, 0, 0, 1), 3: (0, 0, 1, 0)}})
    position.play("send fewer with Aristotle to Canoe")  # physics 1, mathematics 1
    position.play("place 1 physics 0 chemistry 0 mechanics 0 mathematics")
    assert (position.state.leonardo, position.seat) == (2, 1)  # one space of mathematics is still free
    position = position_with(game, seats=4, leonardo=3, cubes={"canoe": MISSING})
    log = play_and_log(position, "send Aristotle to Canoe")
    assert log[1] == "P1 completes Canoe and takes Leonardo. Rewards go to P2, then P1, then P3."
    assert position.state.leonardo == 0
    assert texts(position) == ["take patent", "take upgrade-3", "take points-1"]


@pytest.mark.rule("L10")
def test_rewards_are_for_complete_inventions(game: Game) -> None:
    position = position_with(game)
    for move in ("take patent", "take upgrade-2", "take refresh"):
        assert refused(position, move) == "L10"


@pytest.mark.rule("L11")
def test_players_choose_in_the_order_of_cubes(game: Game) -> None:
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
def test_who_has_no_cube_gets_nothing(game: Game) -> None:
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
def test_ties_go_to_leonardo_and_then_clockwise(
    game: Game, cubes: dict[int, tuple[int, ...]], order: list[int]
) -> None:
    position = position_with(game, seats=5, leonardo=3, cubes={"canoe": cubes}, knowledge={"archimedes": (1, 0, 0, 0)})
    position.play("send Archimedes to Canoe")
    assert list(position.state.queue) == order


@pytest.mark.rule("L12")
def test_a_tie_is_counted_from_who_completed_it(game: Game) -> None:
    cubes = {"canoe": {1: (1, 0, 0, 0), 2: (0, 0, 0, 1), 4: (0, 0, 0, 1), 5: (0, 0, 1, 0)}}
    position = position_with(game, seats=5, seat=3, leonardo=1, cubes=cubes, knowledge={"isaac-newton": (1, 0, 0, 0)})
    position.play("send Isaac Newton to Canoe")
    assert list(position.state.queue) == [2, 3, 4]


@pytest.mark.rule("L13")
def test_each_takes_one_and_three_at_most_are_rewarded(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    position.play("send Aristotle to Canoe")
    assert position.seat == 1
    assert play_and_log(position, "take patent") == ["P2 claims the patent for Canoe."]
    assert player(position, 2)["patents"] == ["canoe"]
    assert refused(position, "take patent") == "L13"
    assert refused(position, "take upgrade-4") == "L13"
    assert play_and_log(position, "take upgrade-3") == [
        "P1 takes a token: upgrade 3.",
        "P3 takes a token: 1 victory point.",
    ]
    assert [player(position, p)["tokens"] for p in (1, 2, 3, 4)] == [{"upgrade-3": 1}, {}, {"points-1": 1}, {}]
    assert "canoe" not in on_table(position)


@pytest.mark.rule("L13")
def test_a_token_that_is_taken_is_gone(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    position.play("send Aristotle to Canoe")
    position.play("take points-1")
    assert refused(position, "take points-1") == "L13"
    assert texts(position) == ["take patent", "take upgrade-3"]


@pytest.mark.rule("L13")
def test_two_equal_tokens_are_one_choice(game: Game) -> None:
    position = position_with(
        game,
        cubes={"bow": {2: (1, 0, 1, 1)}, "canoe": {1: (1, 0, 0, 0)}},
        table={"bow": ("points-1", "points-1"), "canoe": ("genius", "refresh"), "fire": ("number", "number")},
        knowledge={"archimedes": (0, 0, 1, 1)},
    )
    position.play("send Archimedes to Bow")
    assert texts(position) == ["take patent", "take points-1"]
    log = play_and_log(position, "take patent")
    assert log[1] == "P1 takes a token: 1 victory point."
    assert position.document()["state"]["tokens_gone"] == {"points-1": 1}


@pytest.mark.rule("L13")
def test_what_is_left_returns_to_the_box(game: Game) -> None:
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
def test_everybody_takes_the_cubes_back_and_play_goes_on_left_of_leonardo(game: Game) -> None:
    position = position_with(game, seats=4, seat=1, cubes={"canoe": MISSING, "bow": {2: (1, 0, 0, 0)}})
    assert [supply(position, p) for p in (1, 2, 3, 4)] == [15, 12, 14, 14]
    position.play("send Aristotle to Canoe")
    assert [supply(position, p) for p in (1, 2, 3, 4)] == [14, 12, 14, 14]
    position.play("take patent")
    position.play("take points-1")
    assert [supply(position, p) for p in (1, 2, 3, 4)] == [15, 14, 15, 15]
    assert position.seat == 1
    assert on_table(position)["bow"]["cubes"][1] == [1, 0, 0, 0]


@pytest.mark.rule("L14")
def test_nothing_is_left_over_of_the_rewards(game: Game) -> None:
    position = position_with(game, seats=4, cubes={"canoe": MISSING})
    for move in ("send Aristotle to Canoe", "take patent", "take points-1"):
        position.play(move)
    again = position.setup.game.position(position.document())  # a document says nothing of rewards that are taken
    assert again.digest() == position.digest()


@pytest.mark.rule("S8")
def test_a_single_player_takes_one_reward_and_the_others_leave_the_game(game: Game) -> None:
    position = position_with(game, cubes={"canoe": {1: (1, 0, 0, 2)}})
    log = play_and_log(position, "send Archimedes to Canoe")
    assert log[1] == "P1 completes Canoe and takes Leonardo. P1 gets a reward."
    assert (position.seat, len(position.legal_moves)) == (0, 3)
    position.play("take points-1")
    assert position.seat == 1
    assert position.document()["state"]["gone"] == ["canoe"]
    assert position.document()["state"]["tokens_gone"] == {"upgrade-3": 1}


@pytest.mark.rule("S13")
def test_the_age_changes_after_the_last_reward_and_before_anything_else(game: Game) -> None:
    table = {"canoe": ("upgrade-2", "points-1"), "bow": ("genius", "refresh")}
    position = position_with(game, table=table, cubes={"canoe": {2: (1, 0, 0, 2)}, "bow": {2: (1, 0, 0, 0)}})
    position.play("send Archimedes to Canoe")
    assert (position.state.age, set(on_table(position))) == (1, {"canoe", "bow"})
    position.play("take upgrade-2")
    assert (position.state.age, position.seat) == (1, 0)
    assert refused(position, "turn upgrade-2 for Hypatia in physics") == "L11"
    played = position.play("take patent")
    assert len(played.drew) == 5 + 10
    assert (position.state.age, position.seat) == (2, 1)
    assert allowed(position, "turn upgrade-2 for James Watt in physics")


@pytest.mark.rule("L11")
@pytest.mark.rule("L12")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_who_would_be_rewarded_is_said_of_every_move_before_it_is_played(game: Game, seats: int) -> None:
    position, count = game.start(seats, seed=seats), 0
    while not position.is_over:
        turn = position.seat
        assert turn is not None
        before = position.observe(turn)
        for move in position.legal_moves if position.number % 5 == 0 else ():
            played = position.copy().play(move, collect_events=True)
            lines = game.log(position.setup, played.events, turn)
            order = [named(message) for message in lines if "completes {invention}" in message.text]
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
def test_what_speaks_for_sending_somebody_is_how_one_then_stands(game: Game, seats: int) -> None:
    position, count = game.start(seats, seed=seats), 0
    while not position.is_over:
        seat = position.seat
        assert seat is not None
        before, points_before = position.observe(seat), position.scores[seat]
        played = position.play(position.legal_moves[0], collect_events=True)
        lines = [str(sentence) for sentence in game.advice_reasons(before, played.events)]
        worked = [e for e in played.events if e.kind in ("works", "works by genius") and e.seat == seat]
        for event in worked:
            slot = next(slot for slot in before.view.slots if slot.card == event.numbers[1])
            own, most = (
                sum(slot.cubes[seat]) + event.numbers[2],
                max(sum(slot.cubes[p]) for p in range(seats) if p != seat),
            )
            ending = f" has {most}." if most else "; the others have none."
            assert any(line.startswith(f"You’ll have {own} cube") and line.endswith(ending) for line in lines)
        gained = sum(e.numbers[0] for e in played.events if e.kind == "points" and e.seat == seat)
        assert (f"Your points {points_before} → {points_before + gained}." in lines) == bool(gained)
        count += len(worked)
    assert count > 20
