"""Check the points of a finished game over time."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.core.words import Words
from tests.tables.finished_tables import finished
from tests.tables.harness import Sitting


@pytest.mark.rule("E54")
@pytest.mark.parametrize(("seats", "rounds"), [(3, 9), (4, 8), (5, 10)])
def test_the_score_history_of_era_of_inventions_has_each_round(seats: int, rounds: int) -> None:
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


def test_points_scored_at_the_end_of_a_round_count_for_that_round() -> None:
    table = finished("era-of-inventions", 3)
    history = table.score_history
    assert history is not None
    for n, stage in enumerate(history.stages[:-1], 1):
        first = next(step for step in range(len(table.moves)) if table.position_at(step).state.round_number == n + 1)
        assert list(stage.points) == table.position_at(first).scores


def test_the_score_history_of_legendary_inventors_has_each_age() -> None:
    table = finished("legendary-inventors", 4)
    assert table.score_history is not None
    assert table.position is not None
    assert [str(stage.name) for stage in table.score_history.stages] == ["age I", "age II", "age III"]
    assert list(table.score_history.stages[-1].points) == table.position.scores


def test_the_score_history_of_a_game_without_rounds_has_one_score_after_each_player_had_a_turn() -> None:
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


def test_running_and_aborted_games_have_no_score_history() -> None:
    sitting = Sitting.running()
    assert sitting.table.score_history is None
    seat = sitting.table.to_decide
    assert seat is not None
    person = sitting.table.seats[seat].person
    assert sitting.table.position is not None
    sitting.does(tables.play, person, str(sitting.table.position.legal_moves[0]), sitting.table.version)
    assert sitting.table.score_history is None
    for other_player in sitting.table.people:
        command = tables.agree_abort if sitting.table.abort_asked else tables.ask_abort
        sitting.does(command, other_player.person)
    assert sitting.table.status == "aborted"
    assert sitting.table.score_history is None


def test_open_tables_have_no_score_history() -> None:
    assert Sitting.open("me", "open", "open").table.score_history is None
