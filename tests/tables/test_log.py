"""The log, as each perspective may read it."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from spieltisch import tables
from spieltisch.core.position import Position
from spieltisch.core.words import Words
from spieltisch.tables import Table
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused


def log_texts(table: Table, perspective: int | None = None) -> list[str]:
    words = Words("en")
    return [" ".join(words.say(message, line.names) for message in line.messages) for line in table.log(perspective)]


def test_what_happened_is_told_in_order() -> None:
    sitting = Sitting.open("me", "open", "bot:easy")
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table) == [
        "Ada joins the table.",
        "Hertha (bot) joins the table.",
        "Ben joins the table.",
        "The game begins.",
    ]
    sitting.does(tables.leave, BEN.id)
    sitting.does(tables.replace_with_bot, ADA.id, 1, "random")
    assert log_texts(sitting.table)[4:] == ["Ben has left the table.", "Gustave (bot) takes over for Ben."]
    assert [line.version for line in sitting.table.log(0)] == [2, 3, 4, 5, 6, 7]


def test_a_move_is_told_with_its_place_in_the_replay() -> None:
    sitting = Sitting.running()
    sitting.plays()
    line = sitting.table.log(None)[-1]
    assert (line.number, line.seat) == (0, sitting.table.moves[0].seat)
    assert sitting.table.names[sitting.table.moves[0].seat] in log_texts(sitting.table)[-1]
    assert sitting.folded().log(1) == sitting.table.log(1)


def test_a_line_names_who_sat_there_then() -> None:
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
        f"{first.name} has left the table.",
        f"Dora takes over {first.name}’s seat.",
    ]
    sitting.plays()
    assert log_texts(sitting.table)[-1].startswith("Dora ")
    assert log_texts(sitting.folded()) == log_texts(sitting.table)


def test_who_comes_back_is_back() -> None:
    sitting = Sitting.running()
    sitting.does(tables.leave, BEN.id)
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table)[-2:] == ["Ben has left the table.", "Ben is back."]
    sitting.does(tables.reclaim_seat, ADA.id, 1, lambda person: False)
    sitting.does(tables.sit, BEN)
    assert log_texts(sitting.table)[-2:] == ["Ada has given Ben’s seat away.", "Ben is back."]


def test_who_takes_a_seat_under_the_name_of_its_player_is_not_said_to_be_back() -> None:
    sitting = Sitting.running()
    sitting.does(tables.reclaim_seat, ADA.id, 1, lambda person: False)
    sitting.does(tables.sit, Somebody("another", "Ben"), 1, by_link=True)
    assert log_texts(sitting.table)[-1] == "Ben takes over Ben’s seat."
    assert log_texts(sitting.folded()) == log_texts(sitting.table)


def test_moves_taken_back_leave_one_line() -> None:
    sitting = Sitting.running()
    before = log_texts(sitting.table)
    name = sitting.decider.name
    for _ in range(3):
        sitting.plays()
        sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    assert log_texts(sitting.table)[len(before) :] == [f"{name} undoes 3 moves."]


def test_moves_of_others_that_go_back_are_not_called_ones_own() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    others = [person for person in (ADA, BEN, CLEO) if person != asker]
    for _ in range(2):
        sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    sitting.does(tables.ask_undo, asker.id)
    assert (
        log_texts(sitting.table)[-1] == f"{asker.name} requests a takeback of a turn and everything after it: 2 moves."
    )
    for person in others:
        sitting.does(tables.agree_undo, person.id)
    assert log_texts(sitting.table)[-1] == f"{asker.name} takes back a turn and everything after it: 2 moves."
    sitting.plays()
    sitting.does(tables.undo, asker.id, sitting.table.version)
    assert log_texts(sitting.table)[-1] == f"{asker.name} undoes 1 move.", "these lines do not run together"


def test_questions_and_answers_are_told() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    sitting.does(tables.refuse_abort, CLEO.id)
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.refuse_abort, ADA.id)
    assert log_texts(sitting.table)[-5:] == [
        "Ada proposes ending the game without a result.",
        "Ben agrees.",
        "Cleo declines.",
        "Ada proposes ending the game without a result.",
        "Ada withdraws the request.",
    ]


def test_a_bots_trouble_is_told_once() -> None:
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
    shown = [line.number for line in sitting.table.log(0) if line.number is not None]
    assert shown == [5, 6, 7]
    assert sitting.table.hides_move(0)
    with refused("memory-game"):
        sitting.table.record(0)
    sitting.does(tables.ask_abort, ADA.id)
    for person in (BEN, CLEO):
        sitting.does(tables.agree_abort, person.id)
    assert len([line for line in sitting.table.log(0) if line.number is not None]) == 8
    assert len(sitting.table.record(0).moves) == 8


def test_from_memory_nobody_has_the_game_so_far_analysed() -> None:
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


def test_a_line_is_put_into_words_once() -> None:
    sitting = Sitting.running()
    sitting.plays()
    first = sitting.table.log(0)[-1]
    sitting.plays()
    assert sitting.table.log(0)[-2].messages[0] is first.messages[0]


def test_the_first_log_plays_each_move_once_for_all_perspectives() -> None:
    sitting = Sitting.running().to_the_end()
    moves, known = len(sitting.table.moves), [sitting.table.log(seat) for seat in (None, 0, 1)]
    table = sitting.folded()
    assert moves > 20
    with patch.object(Position, "play", autospec=True, side_effect=Position.play) as play:
        assert table.log(None) == known[0]
        assert play.call_count == moves
        assert [table.log(seat) for seat in (0, 1)] == known[1:]
        assert play.call_count == moves
