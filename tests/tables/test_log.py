"""Check the log as each perspective may read it."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import pytest

from spieltisch import tables
from spieltisch.core.position import Position
from spieltisch.core.words import Words
from spieltisch.tables import Table
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused

is_back = partial(sentence_after, "tables/fold_seats.py", "# a name alone is anyone's")

joins = partial(sentence_after, "tables/fold_seats.py", "def _apply_seated")
has_left = partial(sentence_after, "tables/fold_seats.py", "name=seat.name)\n    else:\n        words =")
takes_over_seat = partial(sentence_after, "tables/fold_seats.py", "name=event.name)\n    else:\n        words =")
undoes = partial(sentence_after, "tables/log.py", "remaining = remaining[:-1]")
proposes_end = partial(sentence_after, "tables/fold.py", "def _apply_abort_requested")


def log_texts(table: Table, perspective: int | None = None) -> list[str]:
    words = Words("en")
    return [" ".join(words.say(message, line.names) for message in line.messages) for line in table.log(perspective)]


def test_the_log_of_a_table_lists_events_in_order() -> None:
    sitting = Sitting.open("me", "open", "bot:easy")
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table) == [
        joins(name="Ada"),
        sentence_after("tables/fold_seats.py", "def _apply_bot_seated", name="Hertha"),
        joins(name="Ben"),
        sentence_after("tables/fold.py", "moves=()\n    )"),
    ]
    sitting.does(tables.leave, BEN.id)
    sitting.does(tables.replace_with_bot, ADA.id, 1, "random")
    assert log_texts(sitting.table)[4:] == [
        has_left(name="Ben"),
        sentence_after("tables/fold_seats.py", "def _apply_replaced", name="Gustave", other="Ben"),
    ]
    assert [line.version for line in sitting.table.log(0)] == [2, 3, 4, 5, 6, 7]


def test_a_move_in_the_log_has_its_replay_step() -> None:
    sitting = Sitting.running()
    sitting.plays()
    line = sitting.table.log(None)[-1]
    assert (line.number, line.seat) == (0, sitting.table.moves[0].seat)
    assert sitting.table.names[sitting.table.moves[0].seat] in log_texts(sitting.table)[-1]
    assert sitting.folded().log(1) == sitting.table.log(1)


def test_a_log_line_names_the_player_who_had_the_seat_at_the_time() -> None:
    sitting = Sitting.running()
    first = sitting.decider
    sitting.plays()
    before = log_texts(sitting.table)
    assert before[-1].startswith(f"{first.name} ")
    seat = sitting.table.seat_of(first.id)
    assert seat is not None
    sitting.does(tables.leave, first.id)
    sitting.does(tables.sit, DORA, seat, by_link=True)
    assert log_texts(sitting.table) == [
        *before,
        has_left(name=first.name),
        takes_over_seat(name="Dora", other=first.name),
    ]
    sitting.plays()
    assert log_texts(sitting.table)[-1].startswith("Dora ")
    assert log_texts(sitting.folded()) == log_texts(sitting.table)


def test_a_returning_player_is_logged_as_back() -> None:
    sitting = Sitting.running()
    sitting.does(tables.leave, BEN.id)
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table)[-2:] == [has_left(name="Ben"), is_back(name="Ben")]
    sitting.does(tables.reclaim_seat, ADA.id, 1, lambda person, hours: False)
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table)[-2:] == [
        sentence_after("tables/fold_seats.py", "elif event.reclaimed and host is not None:", player="Ada", name="Ben"),
        is_back(name="Ben"),
    ]


def test_another_person_with_the_same_name_is_not_logged_as_back() -> None:
    sitting = Sitting.running()
    sitting.does(tables.reclaim_seat, ADA.id, 1, lambda person, hours: False)
    sitting.does(tables.sit, Somebody("another", "Ben"), 1, by_link=True)
    assert log_texts(sitting.table)[-1] == takes_over_seat(name="Ben", other="Ben")
    assert log_texts(sitting.folded()) == log_texts(sitting.table)


def test_undone_moves_leave_one_line_in_the_log() -> None:
    sitting = Sitting.running()
    before = log_texts(sitting.table)
    name = sitting.decider.name
    for _ in range(3):
        sitting.plays()
        sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    assert log_texts(sitting.table)[len(before) :] == [undoes(player=name, count=3)]


def test_a_takeback_by_consent_is_logged_differently_from_an_undo_by_the_player_alone() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    other_people = [person for person in (ADA, BEN, CLEO) if person != asker]
    for _ in range(2):
        sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    sitting.does(tables.ask_undo, asker.id)
    assert log_texts(sitting.table)[-1] == sentence_after(
        "tables/log.py", "def undo_request_text", player=asker.name, count=2
    )
    for person in other_people:
        sitting.does(tables.agree_undo, person.id)
    assert log_texts(sitting.table)[-1] == sentence_after(
        "tables/log.py", "if any(play.seat != event.seat for play in undone):", player=asker.name, count=2
    )
    sitting.plays()
    sitting.does(tables.undo, asker.id, sitting.table.version)
    assert log_texts(sitting.table)[-1] == undoes(player=asker.name, count=1), "these lines do not run together"


def test_requests_for_consent_and_responses_are_logged() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    sitting.does(tables.refuse_abort, CLEO.id)
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.refuse_abort, ADA.id)
    assert log_texts(sitting.table)[-5:] == [
        proposes_end(player="Ada"),
        sentence_after("tables/log.py", "def agreement_text", player="Ben"),
        sentence_after("tables/log.py", "player=SeatName(seat))\n    return", player="Cleo"),
        proposes_end(player="Ada"),
        sentence_after("tables/log.py", "def refusal_text", player="Ada"),
    ]


def test_a_bot_failure_is_logged_once() -> None:
    sitting = Sitting.open("bot:random", "bot:random", "bot:random")
    before = len(log_texts(sitting.table))
    for _ in range(5):
        turn = sitting.table.bot_to_move()
        assert turn is not None
        sitting.does(tables.report_bot_failure, turn, "it raised ZeroDivisionError")
    assert len(log_texts(sitting.table)) == before + 1


@pytest.mark.rule("T5")
def test_without_the_memory_aid_old_trades_are_not_shown_until_the_end() -> None:
    sitting = Sitting.running(memory_aid=False)
    for _ in range(8):
        sitting.plays(next(move for move in sitting.moves if move.startswith("trade") and " for 2 " in move))
    logged_moves = [line.number for line in sitting.table.log(0) if line.number is not None]
    assert logged_moves == [5, 6, 7]
    assert sitting.table.hides_move(0)
    with refused("memory-game"):
        sitting.table.record(0)
    sitting.does(tables.ask_abort, ADA.id)
    for person in (BEN, CLEO):
        sitting.does(tables.agree_abort, person.id)
    assert len([line for line in sitting.table.log(0) if line.number is not None]) == 8
    assert len(sitting.table.record(0).moves) == 8


def test_without_the_memory_aid_no_partial_analysis_is_available() -> None:
    sitting = Sitting.open("me", "bot:random", "bot:random", memory_aid=False)
    assert sitting.does(tables.request_analysis, ADA.id) == ()
    while not sitting.table.hides_any_move():
        bot_turn, move = sitting.table.bot_to_move(), next(move for move in sitting.moves if move.startswith("trade"))
        if bot_turn is None:
            sitting.does(tables.play, ADA.id, move, sitting.table.version)
        else:
            sitting.does(tables.play_bot_move, bot_turn, move)
    with refused("memory-game"):
        tables.request_analysis(sitting.table, ADA.id)


def test_each_log_line_is_worded_only_once() -> None:
    sitting = Sitting.running()
    sitting.plays()
    first = sitting.table.log(0)[-1]
    sitting.plays()
    assert sitting.table.log(0)[-2].messages[0] is first.messages[0]


def test_rendering_the_log_for_all_perspectives_replays_each_move_once() -> None:
    sitting = Sitting.running().to_the_end()
    moves, known_logs = len(sitting.table.moves), [sitting.table.log(seat) for seat in (None, 0, 1)]
    table = sitting.folded()
    assert moves > 20
    with patch.object(Position, "play", autospec=True, side_effect=Position.play) as play:
        assert table.log(None) == known_logs[0]
        assert play.call_count == moves
        assert [table.log(seat) for seat in (0, 1)] == known_logs[1:]
        assert play.call_count == moves
