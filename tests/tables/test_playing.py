"""Check moves, reasons, previews and undo."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.bots.turns import TurnMove, digest
from spieltisch.core.words import Words
from spieltisch.tables import NewTable, TableRefusal, permissions, turns
from spieltisch.tables.events import Moved, Undone
from spieltisch.tables.refusals import NOT_YOUR_TURN
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, refused


def build_and_end_turn(sitting: Sitting) -> None:
    """Build once for the deciding seat and end its turn."""
    sitting.plays()
    sitting.plays("done")


def trade_and_pass(sitting: Sitting) -> str:
    """Trade once for the deciding seat, which ends its turn."""
    assert sitting.table.position is not None
    return sitting.plays(
        next(str(move) for move in sitting.table.position.legal_moves if str(move).startswith("trade"))
    )


def newest_log_texts(sitting: Sitting) -> list[str]:
    """Return the sentences of the newest line of the log."""
    words = Words("en")
    return [words.say(message, line.names) for line in sitting.table.log(None)[-1:] for message in line.messages]


def test_only_the_player_of_the_deciding_seat_may_move() -> None:
    sitting = Sitting.running()
    table = sitting.table
    decider = sitting.decider
    other_player = BEN if decider == ADA else ADA
    assert table.position is not None
    move = str(table.position.legal_moves[0])
    with refused("turn", "turn"):
        sitting.does(tables.play, other_player.id, move, table.version)
    with refused("not-your-seat"):
        sitting.does(tables.play, DORA.id, move, table.version)
    with refused("not-your-seat"):
        sitting.does(tables.play, "", move, table.version)
    sitting.does(tables.play, decider.id, move, table.version)
    assert sitting.table.moves[0].move == move
    assert sitting.folded().summary() == sitting.table.summary()


def trade_for_itself(sitting: Sitting) -> str:
    """Return a trade of a share that the seat to move holds for shares of the same company, which T2 forbids."""
    assert sitting.table.position is not None
    moves = map(str, sitting.table.position.legal_moves)
    company = next(move.split()[1] for move in moves if move.startswith("trade "))
    return f"trade {company} for 2 {company}"


def test_unknown_and_illegal_moves_are_refused() -> None:
    sitting = Sitting.running()
    decider, version = sitting.decider, sitting.table.version
    with refused("unknown-move"):
        sitting.does(tables.play, decider.id, "build red <script>", version)
    with refused("unknown-move"):
        sitting.does(tables.play, decider.id, "done" * 10_000, version)
    with refused("illegal", "T11"):
        sitting.does(tables.play, decider.id, "done", version)
    with refused("illegal", "T2"):
        sitting.does(tables.play, decider.id, trade_for_itself(sitting), version)


def test_a_decision_sent_from_an_outdated_page_is_refused() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    move = str(sitting.table.position.legal_moves[0])
    decider, version = sitting.decider, sitting.table.version
    for seen_version in (version - 1, version + 1, -1):
        with refused("stale"):
            sitting.does(tables.play, decider.id, move, seen_version)
    sitting.does(tables.ask_abort, next(person.id for person in (ADA, BEN) if person != decider))
    sitting.does(tables.play, decider.id, move, version)
    with refused("stale"):
        sitting.does(tables.play, decider.id, "done", version)


def test_only_the_player_to_move_learns_why_a_move_is_illegal() -> None:
    sitting = Sitting.running()
    decider = sitting.decider
    for person in (ADA, BEN, CLEO, DORA):
        for move in ("done", trade_for_itself(sitting)):
            refusal = tables.why_not(sitting.table, person.id, move)
            assert refusal is not None
            if person != decider:
                assert refusal == NOT_YOUR_TURN
                with refused("turn", "turn"):
                    tables.preview(sitting.table, person.id, move)
            else:
                assert refusal.rule in ("T11", "T2")
                with refused("illegal", refusal.rule):
                    tables.preview(sitting.table, person.id, move)
    assert tables.why_not(sitting.table, None, "no such move") == NOT_YOUR_TURN


def test_a_preview_leaves_the_table_unchanged() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    move = str(sitting.table.position.legal_moves[0])
    before = sitting.table.position.digest()
    preview = tables.preview(sitting.table, sitting.decider.id, move)
    assert preview.messages
    assert not preview.passes
    assert sitting.table.position.digest() == before


def test_the_observation_after_a_move_is_predicted_unless_the_move_draws_or_ends_the_game() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open"), {"teams": "random"}))
    sitting.does(tables.sit, BEN)
    shown_count = hidden_count = 0
    while sitting.table.position is not None and not sitting.table.position.is_over:
        position, seat = sitting.table.position, sitting.table.to_decide
        move = str(position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)])
        assert tables.observation_after(sitting.table, 1 - (seat or 0), move) is None
        seen, later_position = tables.observation_after(sitting.table, seat, move), position.copy()
        move_result = later_position.play(move)
        if move_result.drew or later_position.is_over:
            assert seen is None
            hidden_count += 1
        else:
            assert seen is not None
            assert seen.bytes == later_position.observe(seat).bytes
            shown_count += 1
        sitting.does(tables.play, sitting.decider.id, move, sitting.table.version)
    assert shown_count > hidden_count > 1
    for seat in (0, 1):
        assert tables.observation_after(sitting.table, seat, move) is None, (
            "what ended the game is asked about a moment too late"
        )


def test_moves_of_the_current_turn_can_be_undone_one_by_one() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    start = sitting.table.position.digest()
    decider = sitting.decider
    with refused("nothing-to-undo"):
        sitting.does(tables.undo, decider.id, sitting.table.version)
    moves = [sitting.plays(), sitting.plays()]
    assert sitting.table.undoable == 2
    with refused("turn", "turn"):
        sitting.does(tables.undo, next(person.id for person in (ADA, BEN) if person != decider), sitting.table.version)
    sitting.does(tables.undo, decider.id, sitting.table.version)
    assert [play.move for play in sitting.table.moves] == moves[:1]
    with refused("stale"):
        sitting.does(tables.undo, decider.id, sitting.table.version - 1)
    sitting.does(tables.undo, decider.id, sitting.table.version)
    assert sitting.table.position.digest() == start
    kept_events = [event.event for event in sitting.table.events if isinstance(event.event, Moved | Undone)]
    assert len(kept_events) == 4, "what was taken back stays among the events"
    assert sitting.table.record(0).moves == ()


def test_the_current_turn_can_be_undone_as_a_whole() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    start, decider = sitting.table.position.digest(), sitting.decider
    with refused("nothing-to-undo"):
        sitting.does(tables.undo_turn, decider.id, sitting.table.version)
    assert not sitting.table.current_turn
    assert turns.turn_start(sitting.table) is None
    moves = [sitting.plays(), sitting.plays(), sitting.plays()]
    assert [play.move for play in sitting.table.current_turn] == moves
    start_version = turns.turn_start(sitting.table)
    assert start_version is not None
    assert start_version.data == sitting.table.position_at(0).observe(sitting.table.to_decide).data
    with refused("turn", "turn"):
        sitting.does(
            tables.undo_turn, next(person.id for person in (ADA, BEN) if person != decider), sitting.table.version
        )
    with refused("stale"):
        sitting.does(tables.undo_turn, decider.id, sitting.table.version - 1)
    sitting.does(tables.undo_turn, decider.id, sitting.table.version)
    assert sitting.table.position.digest() == start
    assert not sitting.table.current_turn
    assert sitting.folded().summary() == sitting.table.summary()
    build_and_end_turn(sitting)
    with refused("nothing-to-undo"):
        sitting.does(tables.undo_turn, sitting.decider.id, sitting.table.version)


def test_taking_back_a_finished_turn_needs_the_consent_of_all_players() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    build_and_end_turn(sitting)
    assert sitting.table.undoable == 0
    other_people = [person for person in (ADA, BEN, CLEO) if person != asker]
    with refused("turn", "turn"):
        sitting.does(tables.undo, asker.id, sitting.table.version)
    with refused("nothing-to-undo"):
        sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    with refused("nothing-asked"):
        sitting.does(tables.agree_undo, other_people[0].id)
    assert permissions.can_ask_undo(sitting.table, asker.id)
    assert not permissions.can_ask_undo(sitting.table, other_people[0].id)
    with refused("nothing-to-undo"):
        sitting.does(tables.ask_undo, other_people[0].id)
    sitting.does(tables.ask_undo, asker.id)
    with refused("already-asked"):
        sitting.does(tables.ask_undo, asker.id)
    with refused("nothing-asked"):
        sitting.does(tables.agree_undo, asker.id)
    sitting.does(tables.refuse_undo, other_people[0].id)
    assert sitting.table.undo_asked is None
    sitting.does(tables.ask_undo, asker.id)
    sitting.does(tables.agree_undo, other_people[0].id)
    assert sitting.table.undo_asked is not None
    assert sitting.table.awaiting_consent(sitting.table.undo_asked) == (sitting.table.seat_of(other_people[1].id),)
    sitting.does(tables.agree_undo, other_people[1].id)
    assert sitting.table.undo_asked is None
    assert sitting.decider == asker
    assert len(sitting.table.moves) == 1, "what came before the turn was handed on can now be taken back freely"
    sitting.does(tables.undo, asker.id, sitting.table.version)
    assert not sitting.table.moves


def test_a_move_of_another_player_ends_a_takeback_request() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    build_and_end_turn(sitting)
    sitting.does(tables.ask_undo, asker.id)
    decider = sitting.decider
    sitting.plays()
    assert sitting.table.undo_asked is None
    assert newest_log_texts(sitting)[-1] == sentence_after(
        "tables/log.py", "def question_dropped_text", player=decider.name
    )
    sitting.does(tables.ask_undo, asker.id)
    assert sitting.table.undo_asked is not None
    assert sitting.table.undo_asked.undo_to == 1


def test_bots_wait_while_a_takeback_is_requested() -> None:
    sitting = Sitting.open("me", "open", "bot:random")
    sitting.does(tables.sit, BEN)

    def bot() -> None:
        turn = sitting.table.bot_to_move()
        assert turn is not None
        sitting.does(tables.play_bot_move, turn, next(move for move in sitting.moves if move.startswith("trade")))

    while sitting.table.to_decide != 1:
        bot() if sitting.table.to_decide == 2 else trade_and_pass(sitting)
    trade_and_pass(sitting)
    turn, number = sitting.table.bot_to_move(), len(sitting.table.moves)
    assert turn is not None
    sitting.does(tables.ask_undo, BEN.id)
    assert sitting.table.bot_to_move() is None
    with refused("stale"):  # it had thought already
        sitting.does(tables.play_bot_move, turn, sitting.moves[0])
    with refused("stale"):
        sitting.does(tables.report_bot_failure, turn, "it took too long")
    sitting.does(tables.refuse_undo, ADA.id)
    assert sitting.table.bot_to_move() == turn, "after a No it goes on where it was"
    sitting.does(tables.ask_undo, BEN.id)
    sitting.does(tables.leave, BEN.id)
    assert sitting.table.bot_to_move() == turn, "nor does it wait for an answer that nobody wants"
    sitting.does(tables.sit, BEN)
    sitting.does(tables.ask_undo, BEN.id)
    sitting.does(tables.agree_undo, ADA.id)
    assert len(sitting.table.moves) == number - 1
    assert sitting.decider == BEN


def test_the_last_player_to_agree_completes_a_takeback_by_leaving() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    other_people = [person for person in (ADA, BEN, CLEO) if person != asker]
    build_and_end_turn(sitting)
    sitting.does(tables.ask_undo, asker.id)
    sitting.does(tables.agree_undo, other_people[0].id)
    sitting.does(tables.leave, other_people[1].id)
    assert sitting.decider == asker


def test_a_player_alone_with_bots_takes_back_a_turn_without_consent() -> None:
    sitting = Sitting.open("me", "bot:random", "bot:random")
    while sitting.table.to_decide != 0:
        turn = sitting.table.bot_to_move()
        assert turn is not None
        assert sitting.table.position is not None
        sitting.does(tables.play_bot_move, turn, str(sitting.table.position.legal_moves[0]))
    number = len(sitting.table.moves)
    trade_and_pass(sitting)
    sitting.does(tables.ask_undo, ADA.id)
    assert len(sitting.table.moves) == number
    assert sitting.table.to_decide == 0


def test_a_move_of_a_bot_is_refused_unless_it_is_legal_and_for_the_current_turn() -> None:
    sitting = Sitting.open("bot:random", "bot:random", "bot:random")
    turn = sitting.table.bot_to_move()
    assert turn is not None
    assert sitting.table.position is not None
    with refused("illegal", "T11"):
        sitting.does(tables.play_bot_move, turn, "done")
    sitting.does(tables.report_bot_failure, turn, "x" * 9999)
    failing = sitting.table.bot_to_move()
    assert failing is not None
    assert failing.failures == 1
    assert sitting.table.bot_trouble is not None
    assert len(sitting.table.bot_trouble.what) < 1000
    with refused("stale"):
        sitting.does(tables.play_bot_move, turn, str(sitting.table.position.legal_moves[0]))
    sitting.does(tables.play_bot_move, failing, str(sitting.table.position.legal_moves[0]))
    assert sitting.table.bot_trouble is None


def test_moves_of_a_bots_turn_are_played_together_while_the_position_is_as_expected() -> None:
    sitting = Sitting.open("bot:random", "bot:random", "bot:random")
    turn, position = sitting.table.bot_to_move(), sitting.table.position
    assert turn is not None
    assert position is not None
    world, answer = position.observe(turn.seat).imagine(1), list[TurnMove]()
    for _ in range(3):
        move = next(move.text for move in world.legal_moves if move.text.startswith("build"))
        answer.append(TurnMove(move, digest(world.observe(turn.seat))))
        world.play(move)
    first, *following = answer
    started_table = sitting.table
    with refused("illegal", "T11"):
        sitting.does(tables.play_bot_move, turn, "done", following)
    with refused("illegal", "P4"):
        sitting.does(tables.play_bot_move, turn, first.move, [TurnMove("trade red for 2 blue", following[0].expected)])
    assert sitting.table == started_table, "nothing of a refused answer is played"
    builds = [move for move in sitting.moves if move.startswith("build")]
    other_move = next(move for move in builds if move != first.move)
    sitting.does(tables.play_bot_move, turn, other_move, following)
    assert [play.move for play in sitting.table.moves] == [other_move], (
        "what was meant for another position is not played"
    )
    sitting = Sitting.open("bot:random", "bot:random", "bot:random")
    sitting.does(tables.play_bot_move, turn, first.move, following)
    assert [play.move for play in sitting.table.moves] == [move.move for move in answer]
    assert sitting.table.version == started_table.version + 3
    assert sitting.folded().summary() == sitting.table.summary()


def test_past_positions_and_moves_since_the_last_turn_are_found() -> None:
    sitting = Sitting.running()
    digests = []
    for _ in range(40):
        assert sitting.table.position is not None
        digests.append(sitting.table.position.digest())
        if sitting.table.undoable >= 2:
            sitting.plays("done")
        else:
            sitting.plays()
    table = sitting.table
    assert [table.position_at(n).digest() for n in range(40)] == digests
    for wrong_number in (-1, 41):
        with pytest.raises(ValueError, match="has no position"):
            table.position_at(wrong_number)
    for seat in range(3):
        moves_of_others = turns.moves_since_turn(table, seat)
        assert moves_of_others
        if table.moves[-1].seat != seat:
            assert all(play.seat != seat for play in moves_of_others)
            before = table.moves[moves_of_others[0].number - 1]
            assert (before.seat, before.ended_decision) == (seat, True)
    assert {play.seat for play in turns.moves_since_turn(table, None)} == {table.moves[-1].seat}
    assert turns.last_moves(table, None)[-1].text == table.moves[-1].move


def test_before_the_first_turn_every_move_is_new_and_a_turn_just_begun_hides_no_move() -> None:
    sitting = Sitting.running()
    assert [turns.moves_since_turn(sitting.table, seat) for seat in (None, 0, 1, 2)] == [()] * 4
    first = sitting.table.to_decide
    assert first is not None
    second, third = (first + 1) % 3, (first + 2) % 3

    def numbers(seat: int | None) -> list[int]:
        return [play.number for play in turns.moves_since_turn(sitting.table, seat)]

    def build(count: int) -> None:
        assert sitting.table.position is not None
        for _ in range(count):
            moves = [str(move) for move in sitting.table.position.legal_moves]
            sitting.plays(next(move for move in moves if move.startswith("build")))

    build(2)
    assert numbers(first) == numbers(second) == numbers(third) == [0, 1]
    sitting.plays("done")
    assert numbers(second) == numbers(third) == [0, 1, 2]
    assert turns.last_moves(sitting.table, third) == turns.last_moves(sitting.table, second) != ()
    build(1)
    sitting.plays("done")
    assert numbers(first) == [3, 4]
    assert numbers(third) == [0, 1, 2, 3, 4]
    assert numbers(second) == [3, 4]  # nobody has moved since: the last turn
    build(1)
    sitting.plays("done")
    build(1)
    assert sitting.table.to_decide == first
    assert numbers(first) == [3, 4, 5, 6, 7]  # what the others did, and what it has begun


def test_commands_are_refused_before_and_after_the_game() -> None:
    sitting = Sitting.open("me", "open", "open")
    for command in (tables.ask_undo, tables.agree_undo, tables.refuse_undo):
        with refused("not-running"):
            sitting.does(command, ADA.id)
    with refused("not-running"):
        sitting.does(tables.play, ADA.id, "done", sitting.table.version)
    with pytest.raises(TableRefusal):
        sitting.table.record(None)
    sitting.does(tables.ask_abort, ADA.id)
    for command in (tables.ask_undo, tables.ask_abort, tables.leave):
        with refused("over", "over"):
            sitting.does(command, ADA.id)
