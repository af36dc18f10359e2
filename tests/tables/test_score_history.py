"""The points of a finished game over time: one value for each part of it, and none while the game runs."""

from __future__ import annotations

import random

import pytest

from spieltisch import game, tables
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.words import Words
from spieltisch.tables import RecordedEvent, Table
from tests.tables.harness import Sitting, setup


def finished(key: str, seats: int, seed: int = 5) -> Table:
    """A table that has had a random game."""
    rules, chance = game(key), random.Random(seed)
    position, plays = rules.start(seats, seed=seed), []
    while not position.is_over:
        played = position.play(chance.choice(position.legal_moves))
        plays.append(RecordedMove(played.seat, played.move.text, played.drew))
    events = tables.import_record(Record.of(position, plays, seed=seed), rules.components)
    return tables.fold("t", b"", [RecordedEvent(n, 5.0, event) for n, event in enumerate(events, 1)], setup)


@pytest.mark.rule("E54")
@pytest.mark.parametrize(("seats", "rounds"), [(3, 9), (4, 8), (5, 10)])
def test_a_value_for_each_round_of_era_of_inventions(seats: int, rounds: int) -> None:
    table = finished("era-of-inventions", seats)
    history = table.score_history
    assert history is not None
    assert table.position is not None
    stage_names = [Words("en", table.game.folder / "locale").say(stage.name) for stage in history.stages if stage.name]
    assert stage_names == [f"Round {n}" for n in range(1, rounds + 1)]
    assert list(history.stages[-1].points) == table.position.scores
    assert history.dealt == (0,) * seats
    for before, after in zip(history.stages, history.stages[1:], strict=False):  # influence is never lost
        assert all(a <= b for a, b in zip(before.points, after.points, strict=True))


def test_what_ends_a_round_belongs_to_it() -> None:
    table = finished("era-of-inventions", 3)
    history = table.score_history
    assert history is not None
    for n, stage in enumerate(history.stages[:-1], 1):
        first = next(step for step in range(len(table.moves)) if table.position_at(step).state.round_number == n + 1)
        assert list(stage.points) == table.position_at(first).scores


def test_a_value_for_each_age_of_legendary_inventors() -> None:
    table = finished("legendary-inventors", 4)
    assert table.score_history is not None
    assert table.position is not None
    assert [str(stage.name) for stage in table.score_history.stages] == ["age I", "age II", "age III"]
    assert list(table.score_history.stages[-1].points) == table.position.scores


def test_rounds_of_turns_where_a_game_has_no_parts() -> None:
    table = finished("paris-connection", 4)
    history = table.score_history
    assert history is not None
    assert table.position is not None
    turns = sum(play.ended_decision for play in table.moves)
    assert len(history.stages) == -(-turns // 4)
    assert all(stage.name is None for stage in history.stages)
    assert list(history.stages[-1].points) == table.position.scores
    assert list(history.dealt) == table.position_at(0).scores
    assert table.score_history is history  # walked through once


def test_nothing_of_it_while_the_game_runs_or_when_it_was_broken_off() -> None:
    sitting = Sitting.running()
    assert sitting.table.score_history is None
    seat = sitting.table.to_decide
    assert seat is not None
    person = sitting.table.seats[seat].person
    assert sitting.table.position is not None
    sitting.does(tables.play, person, str(sitting.table.position.legal_moves[0]), sitting.table.version)
    assert sitting.table.score_history is None
    for other in sitting.table.people:
        command = tables.agree_abort if sitting.table.abort_asked else tables.ask_abort
        sitting.does(command, other.person)
    assert sitting.table.status == "aborted"
    assert sitting.table.score_history is None


def test_open_tables_have_none() -> None:
    assert Sitting.open("me", "open", "open").table.score_history is None
