"""Check that a planned turn is played exactly as planned or not at all, and depends only on the planner's knowledge."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spieltisch import game, tables
from spieltisch.features.planned_turns.commands import (
    Condition,
    PlannedTurn,
    draft,
    execute_plan,
    is_condition_met,
    plan,
    planning_seat,
)
from spieltisch.games import game_modules
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.table_settings import MINUTE
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, Sitting, Somebody, refused
from tests.tiers import examples

plan_sentence = partial(sentence_after, "features/planned_turns/commands.py")
PLAYED = plan_sentence("_PLAYED: Final =")
impossible = partial(plan_sentence, "def _obstacle", "if refusal is not None:")
other_effect = partial(plan_sentence, "!= planned.expected_gains[number]:")
illegal = partial(plan_sentence, "def _illegal_move")
dropped = partial(plan_sentence, "def _dropped_result")


def next_to(sitting: Sitting) -> Somebody:
    """Return the next player after the one who decides."""
    seat = sitting.table.to_decide
    assert seat is not None
    next_seat = sitting.table.seats[(seat + 1) % len(sitting.table.seats)]
    return Somebody(next_seat.person, next_seat.name)


def offered(table: Table, person: Somebody, *moves: str) -> list[str]:
    """Return the moves that can be planned next after these planned moves."""
    return [str(move) for move in draft(table, person.id, moves).position.legal_moves]


def carry_out(sitting: Sitting, turn_plan: PlannedTurn) -> str:
    """Carry out a plan; return the message about it to its owner."""
    plan_result = execute_plan(sitting.table, turn_plan)
    sitting.does(lambda table: plan_result.events)
    return str(plan_result.outcome)


def played(sitting: Sitting) -> list[str]:
    return [play.move for play in sitting.table.moves]


@pytest.fixture
def sitting() -> Sitting:
    return Sitting.running()


@pytest.fixture
def lanterns(toy: str) -> Sitting:
    """Return a game of Ada and Ben with draws and secret looks at cards."""
    sitting = Sitting.plan(NewTable(toy, ("me", "open")))
    sitting.does(tables.sit, BEN)
    return sitting


def test_a_plan_is_played_when_its_players_turn_begins(sitting: Sitting) -> None:
    person = next_to(sitting)
    moves = [offered(sitting.table, person)[0], "done"]
    turn_plan = plan(sitting.table, person.id, moves)
    assert planning_seat(sitting.table) != turn_plan.seat
    trade = sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    assert planning_seat(sitting.table) == turn_plan.seat
    assert carry_out(sitting, turn_plan) == PLAYED
    assert played(sitting) == [trade, *moves]
    assert sitting.table.to_decide == (turn_plan.seat + 1) % 3


def test_no_move_of_a_plan_with_an_illegal_move_is_played(sitting: Sitting) -> None:
    person = next_to(sitting)
    first = offered(sitting.table, person)[0]
    other_move = next(move for move in offered(sitting.table, person, first) if move in sitting.moves)
    turn_plan = plan(sitting.table, person.id, [first, other_move])
    sitting.plays(other_move)
    sitting.plays("done")
    assert carry_out(sitting, turn_plan).startswith(dropped(reason=impossible(number=2, reason="")))
    assert played(sitting) == [other_move, "done"]


def test_a_plan_whose_effect_differs_from_the_expected_one_is_dropped(sitting: Sitting) -> None:
    person = next_to(sitting)
    trade = next(move for move in offered(sitting.table, person) if move.startswith("trade"))
    turn_plan = plan(sitting.table, person.id, [trade])
    assert len(turn_plan.expected_gains[0]) > 1, "what is given, and what is taken"
    sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    shown = msgspec.structs.replace(turn_plan, expected_gains=((*turn_plan.expected_gains[0], (-1, 3)),))
    assert carry_out(sitting, shown) == dropped(reason=other_effect(number=1))
    assert carry_out(sitting, turn_plan) == PLAYED


def test_the_condition_of_a_plan_is_a_move_of_another_player(sitting: Sitting) -> None:
    person, mover = next_to(sitting), sitting.table.to_decide
    assert mover is not None
    moves = [next(move for move in offered(sitting.table, person) if move.startswith("trade"))]
    build = next(move for move in sitting.moves if move.startswith("build"))
    _, company, place = build.split(maxsplit=2)
    words = ("build", f"build {place}", f"BUILD {company}", build, "trade", f"{place} build", f"{build} again")
    for seat in (mover, 3 - mover - planned_seat(sitting, person)):
        for word in words[:5]:
            assert plan(sitting.table, person.id, moves, Condition(seat, word)).condition == Condition(seat, word)
    plans = [PlannedTurn(planned_seat(sitting, person), 0, (), (), Condition(mover, word)) for word in words]
    assert not any(is_condition_met(sitting.table, plan) for plan in plans)
    sitting.plays(build)
    assert [is_condition_met(sitting.table, plan) for plan in plans] == [True] * 4 + [False] * 3
    later_plans = [msgspec.structs.replace(plan, made_after=1) for plan in plans]
    assert not any(is_condition_met(sitting.table, planned_turn) for planned_turn in later_plans), (
        "only what happens after the plan was made"
    )
    for condition in (*words[5:], "", "fly"):
        with refused("condition"):
            plan(sitting.table, person.id, moves, Condition(mover, condition))
    for seat in (planned_seat(sitting, person), 3, -1):
        with refused("condition"):
            plan(sitting.table, person.id, moves, Condition(seat, "build"))


def planned_seat(sitting: Sitting, person: Somebody) -> int:
    seat = sitting.table.seat_of(person.id)
    assert seat is not None
    return seat


def test_new_information_stops_all_plans_but_unconditional_ones(lanterns: Sitting) -> None:
    for move, stops in (("take 1", False), ("spark", True)):
        ben = [plan(lanterns.table, BEN.id, ["take 2"], always=is_always) for is_always in (False, True)]
        lanterns.plays(move)
        dropped_plan = execute_plan(lanterns.table, ben[0])
        assert bool(dropped_plan.events) is not stops
        assert stops is (plan_sentence("_LEARNT: Final =") in str(dropped_plan.outcome))
        assert carry_out(lanterns, ben[1]) == PLAYED


def test_a_secret_look_at_a_card_stops_no_plan_of_other_players(lanterns: Sitting) -> None:
    ben = plan(lanterns.table, BEN.id, ["take 2"])
    lanterns.plays("look 2")
    lanterns.plays("take 1")
    assert carry_out(lanterns, ben) == PLAYED


def test_a_plan_stops_after_a_planned_move_that_reveals_new_information(lanterns: Sitting) -> None:
    plan_once, is_always = (
        plan(lanterns.table, BEN.id, ["look 1", "take 2"], always=is_always) for is_always in (False, True)
    )
    lanterns.plays("take 1")
    assert [len(execute_plan(lanterns.table, planned_turn).events) for planned_turn in (plan_once, is_always)] == [1, 2]
    assert carry_out(lanterns, plan_once) == plan_sentence(
        "def _dropped_result", "words =", number=1, reason=plan_sentence("_REVEALED: Final =")
    )
    assert lanterns.table.to_decide == 1, "the turn goes on"
    steps = draft(lanterns.table, ADA.id, ["look 2", "take 2"])
    assert [step.reveals for step in steps.steps] == [True, False]
    assert steps.is_over


def test_a_secret_move_neither_fulfils_the_condition_of_a_plan_nor_stops_a_plan(game_with_bids: str) -> None:
    sitting = Sitting.plan(NewTable(game_with_bids, ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    turn_plan = plan(sitting.table, CLEO.id, [offered(sitting.table, CLEO)[0]])
    word = turn_plan.moves[0].split()[0]
    watching = PlannedTurn(2, 0, (), (), Condition(0, word))
    sitting.plays()
    assert not is_condition_met(sitting.table, watching), "she may not know yet what it was"
    sitting.plays()
    assert carry_out(sitting, turn_plan) == PLAYED


def test_moves_that_cannot_be_planned_are_refused_with_a_reason(sitting: Sitting) -> None:
    person, decides = next_to(sitting), sitting.decider
    legal = offered(sitting.table, person)
    with refused("own-turn"):
        draft(sitting.table, decides.id, [])
    for person_without_turn in (None, "", "dora"):
        with refused("not-your-seat"):
            draft(sitting.table, person_without_turn, [])
    with refused("unknown-move"):
        draft(sitting.table, person.id, ["fly to the moon"])
    with refused("unknown-move"):
        draft(sitting.table, person.id, ["x" * 100_000])
    with pytest.raises(tables.TableRefusal) as no:
        draft(sitting.table, person.id, [legal[0], legal[0]])
    assert no.value.code == "illegal"
    assert str(no.value.message).startswith(illegal(move=legal[0], reason=""))
    with pytest.raises(tables.TableRefusal) as late_error:
        draft(sitting.table, person.id, [legal[0], "done", legal[1]])
    assert str(late_error.value.message) == plan_sentence(
        "def _illegal_move", move=legal[1], reason=plan_sentence("raise _illegal_move(text,")
    )
    with refused("no-moves"):
        plan(sitting.table, person.id, [])
    with refused("too-many-moves"):
        plan(sitting.table, person.id, [legal[0]] * 31)
    sitting.to_the_end()
    with refused("over", "over"):
        draft(sitting.table, person.id, [])


def test_planning_is_refused_on_shared_devices_and_while_a_bot_holds_the_seat() -> None:
    shared_device = Sitting.open("me", "here:Bea", "open")
    shared_device.does(tables.sit, CLEO)
    while shared_device.table.to_decide != 2:
        shared_device.plays(next(move for move in shared_device.moves if move.startswith("trade")))
    with refused("hot-seat"):
        draft(shared_device.table, ADA.id, [])
    charter = TableSettings("live", time_bank=MINUTE, turn_time=30, on_timeout="bot-sits", bot="random")
    clocked = Sitting.on_the_clock(charter)
    seat, now = clocked.table.to_decide, clocked.now
    assert seat is not None
    absent_person = clocked.decider
    clocked.does(tables.time_out, now + 1000)
    turn = clocked.table.bot_to_move()
    assert turn is not None
    clocked.does(tables.play_bot_move, turn, clocked.moves[-1])
    assert planning_seat(clocked.table) == (seat + 1) % 3
    with refused("bot-substitute"):
        draft(clocked.table, absent_person.id, [])


@examples(8, 30)
@given(st.data())
def test_plans_in_every_game_depend_only_on_what_the_planner_knows(data: st.DataObject) -> None:
    rules = game(data.draw(st.sampled_from(sorted(game_modules()))))
    count = data.draw(st.sampled_from([seats for seats in rules.seats if seats > 2]))
    chance = data.draw(st.randoms(use_true_random=False))
    sitting = Sitting.plan(NewTable(rules.key, ("me", *["open"] * (count - 1))))
    people = [Somebody(f"p{n}", f"P{n}") for n in range(1, count)]
    for player in people:
        sitting.does(tables.sit, player)
    for _ in range(data.draw(st.integers(0, 60))):
        assume(sitting.moves)  # the game has not come to its end
        sitting.plays(chance.choice(sitting.moves))
    assume(sitting.moves)
    person = next_to(sitting)
    moves: list[str] = []
    while not (steps := draft(sitting.table, person.id, moves)).is_over and len(moves) < 6:
        moves.append(str(chance.choice(list(steps.position.legal_moves))))
    turn_plan = plan(sitting.table, person.id, moves)
    before = sitting.table.position
    assert before is not None
    for _ in range(60):
        if planning_seat(sitting.table) in (turn_plan.seat, None):
            break
        sitting.plays(chance.choice(sitting.moves))
    if planning_seat(sitting.table) == turn_plan.seat:
        outcomes = {outcome_text(sitting.table, turn_plan)}
        observation = sitting.table.position.observe(turn_plan.seat)  # type: ignore[union-attr]  # it runs
        for seed in range(3):
            outcomes.add(outcome_text(replace(sitting.table, position=observation.imagine(seed)), turn_plan))
        assert len(outcomes) == 1


def outcome_text(table: Table, turn_plan: PlannedTurn) -> str:
    return str(execute_plan(table, turn_plan).outcome)
