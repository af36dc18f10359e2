"""Planned turns: what is planned is what is played, or nothing; and nothing else than what one knows decides on it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spieltisch import game, tables
from spieltisch.games import game_modules
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.planning import (
    Condition,
    PlannedTurn,
    draft,
    execute_plan,
    is_condition_met,
    plan,
    planning_seat,
)
from spieltisch.tables.table_settings import MINUTE
from tests.tables.harness import ADA, BEN, CLEO, Sitting, Somebody, refused
from tests.tiers import examples


def next_to(sitting: Sitting) -> Somebody:
    """Return the next player after the one who decides."""
    seat = sitting.table.to_decide
    assert seat is not None
    next_seat = sitting.table.seats[(seat + 1) % len(sitting.table.seats)]
    return Somebody(next_seat.person, next_seat.name)


def offered(table: Table, person: Somebody, *moves: str) -> list[str]:
    """Return the moves that may be planned after these."""
    return [str(move) for move in draft(table, person.id, moves).position.legal_moves]


def carry_out(sitting: Sitting, planned: PlannedTurn) -> str:
    """Carry out the plan; return the message to its owner."""
    done = execute_plan(sitting.table, planned)
    sitting.does(lambda table: done.events)
    return str(done.outcome)


def played(sitting: Sitting) -> list[str]:
    return [play.move for play in sitting.table.moves]


@pytest.fixture
def sitting() -> Sitting:
    return Sitting.running()


@pytest.fixture
def lanterns(toy: str) -> Sitting:
    """Ada and Ben play a game that draws, and in which cards are looked at."""
    sitting = Sitting.plan(NewTable(toy, ("me", "open")))
    sitting.does(tables.sit, BEN)
    return sitting


def test_what_was_planned_is_played_when_the_turn_comes(sitting: Sitting) -> None:
    person = next_to(sitting)
    moves = [offered(sitting.table, person)[0], "done"]
    planned = plan(sitting.table, person.id, moves)
    assert planning_seat(sitting.table) != planned.seat
    trade = sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    assert planning_seat(sitting.table) == planned.seat
    assert carry_out(sitting, planned) == "Your plan was played."
    assert played(sitting) == [trade, *moves]
    assert sitting.table.to_decide == (planned.seat + 1) % 3


def test_nothing_of_a_plan_is_played_where_one_move_of_it_cannot_be(sitting: Sitting) -> None:
    person = next_to(sitting)
    first = offered(sitting.table, person)[0]
    other = next(move for move in offered(sitting.table, person, first) if move in sitting.moves)
    planned = plan(sitting.table, person.id, [first, other])
    sitting.plays(other)
    sitting.plays("done")
    assert carry_out(sitting, planned).startswith("Your plan was dropped. Move 2 is not possible: ")
    assert played(sitting) == [other, "done"]


def test_a_plan_that_would_bring_something_else_is_dropped(sitting: Sitting) -> None:
    person = next_to(sitting)
    trade = next(move for move in offered(sitting.table, person) if move.startswith("trade"))
    planned = plan(sitting.table, person.id, [trade])
    assert len(planned.expected_gains[0]) > 1, "what is given, and what is taken"
    sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    shown = msgspec.structs.replace(planned, expected_gains=((*planned.expected_gains[0], (-1, 3)),))
    assert carry_out(sitting, shown) == "Your plan was dropped. Move 1 would no longer have the same effect."
    assert carry_out(sitting, planned) == "Your plan was played."


def test_a_condition_is_what_somebody_else_plays(sitting: Sitting) -> None:
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
    later = [msgspec.structs.replace(plan, made_after=1) for plan in plans]
    assert not any(is_condition_met(sitting.table, planned_turn) for planned_turn in later), (
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


def test_after_the_sight_of_something_new_only_a_plan_for_whatever_happens_is_played(lanterns: Sitting) -> None:
    for move, stops in (("take 1", False), ("spark", True)):
        ben = [plan(lanterns.table, BEN.id, ["take 2"], always=always) for always in (False, True)]
        lanterns.plays(move)
        dropped = execute_plan(lanterns.table, ben[0])
        assert bool(dropped.events) is not stops
        assert stops is ("couldn’t know when you planned" in str(dropped.outcome))
        assert carry_out(lanterns, ben[1]) == "Your plan was played."


def test_a_look_at_a_card_is_nothing_new_for_the_others(lanterns: Sitting) -> None:
    ben = plan(lanterns.table, BEN.id, ["take 2"])
    lanterns.plays("look 2")
    lanterns.plays("take 1")
    assert carry_out(lanterns, ben) == "Your plan was played."


def test_a_plan_stops_where_a_move_of_its_own_shows_something_new(lanterns: Sitting) -> None:
    once, always = (plan(lanterns.table, BEN.id, ["look 1", "take 2"], always=always) for always in (False, True))
    lanterns.plays("take 1")
    assert [len(execute_plan(lanterns.table, planned_turn).events) for planned_turn in (once, always)] == [1, 2]
    assert (
        carry_out(lanterns, once)
        == "Your plan was played up to move 1 and then dropped. The last move showed you something new."
    )
    assert lanterns.table.to_decide == 1, "the turn goes on"
    steps = draft(lanterns.table, ADA.id, ["look 2", "take 2"])
    assert [step.reveals for step in steps.steps] == [True, False]
    assert steps.is_over


def test_what_was_secret_and_is_not_turned_over_yet_is_nothing_new(lots: str) -> None:
    sitting = Sitting.plan(NewTable(lots, ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    planned = plan(sitting.table, CLEO.id, [offered(sitting.table, CLEO)[0]])
    word = planned.moves[0].split()[0]
    watching = PlannedTurn(2, 0, (), (), Condition(0, word))
    sitting.plays()
    assert not is_condition_met(sitting.table, watching), "she may not know yet what it was"
    sitting.plays()
    assert carry_out(sitting, planned) == "Your plan was played."


def test_what_cannot_be_planned_is_refused_with_a_reason(sitting: Sitting) -> None:
    person, decides = next_to(sitting), sitting.decider
    legal = offered(sitting.table, person)
    with refused("own-turn"):
        draft(sitting.table, decides.id, [])
    for nobody in (None, "", "dora"):
        with refused("not-your-seat"):
            draft(sitting.table, nobody, [])
    with refused("unknown-move"):
        draft(sitting.table, person.id, ["fly to the moon"])
    with refused("unknown-move"):
        draft(sitting.table, person.id, ["x" * 100_000])
    with pytest.raises(tables.TableRefusal) as no:
        draft(sitting.table, person.id, [legal[0], legal[0]])
    assert no.value.code == "illegal"
    assert str(no.value.message).startswith(f"“{legal[0]}” can’t be played at that point: ")
    with pytest.raises(tables.TableRefusal) as late:
        draft(sitting.table, person.id, [legal[0], "done", legal[1]])
    assert str(late.value.message) == f"“{legal[1]}” can’t be played at that point: Your turn is already over by then."
    with refused("no-moves"):
        plan(sitting.table, person.id, [])
    with refused("too-many-moves"):
        plan(sitting.table, person.id, [legal[0]] * 31)
    sitting.to_the_end()
    with refused("over", "over"):
        draft(sitting.table, person.id, [])


def test_nobody_plans_where_several_share_a_device_or_a_bot_plays() -> None:
    together = Sitting.open("me", "here:Bea", "open")
    together.does(tables.sit, CLEO)
    while together.table.to_decide != 2:
        together.plays(next(move for move in together.moves if move.startswith("trade")))
    with refused("hot-seat"):
        draft(together.table, ADA.id, [])
    charter = TableSettings("live", time_bank=MINUTE, turn_time=30, on_timeout="bot-sits", bot="random")
    clocked = Sitting.on_the_clock(charter)
    seat, now = clocked.table.to_decide, clocked.now
    assert seat is not None
    away = clocked.decider
    clocked.does(tables.time_out, now + 1000)
    turn = clocked.table.bot_to_move()
    assert turn is not None
    clocked.does(tables.play_bot_move, turn, clocked.moves[-1])
    assert planning_seat(clocked.table) == (seat + 1) % 3
    with refused("bot-substitute"):
        draft(clocked.table, away.id, [])


@examples(8, 30)
@given(st.data())
def test_in_every_game_a_turn_can_be_planned_and_only_what_one_knows_decides_on_it(data: st.DataObject) -> None:
    rules = game(data.draw(st.sampled_from(sorted(game_modules()))))
    many = data.draw(st.sampled_from([seats for seats in rules.seats if seats > 2]))
    chance = data.draw(st.randoms(use_true_random=False))
    sitting = Sitting.plan(NewTable(rules.key, ("me", *["open"] * (many - 1))))
    people = [Somebody(f"p{n}", f"P{n}") for n in range(1, many)]
    for somebody in people:
        sitting.does(tables.sit, somebody)
    for _ in range(data.draw(st.integers(0, 60))):
        assume(sitting.moves)  # the game has not come to its end
        sitting.plays(chance.choice(sitting.moves))
    assume(sitting.moves)
    person = next_to(sitting)
    moves: list[str] = []
    while not (steps := draft(sitting.table, person.id, moves)).is_over and len(moves) < 6:
        moves.append(str(chance.choice(list(steps.position.legal_moves))))
    planned = plan(sitting.table, person.id, moves)
    before = sitting.table.position
    assert before is not None
    for _ in range(60):
        if planning_seat(sitting.table) in (planned.seat, None):
            break
        sitting.plays(chance.choice(sitting.moves))
    if planning_seat(sitting.table) == planned.seat:
        fates = {outcome_text(sitting.table, planned)}
        seen = sitting.table.position.observe(planned.seat)  # type: ignore[union-attr]  # it runs
        for seed in range(3):
            fates.add(outcome_text(replace(sitting.table, position=seen.imagine(seed)), planned))
        assert len(fates) == 1


def outcome_text(table: Table, planned: PlannedTurn) -> str:
    return str(execute_plan(table, planned).outcome)
