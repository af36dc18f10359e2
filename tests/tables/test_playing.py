"""Moves, reasons, previews, taking back."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.bots.turns import TurnMove, digest
from spieltisch.core.words import Words
from spieltisch.tables import NewTable, TableRefusal
from spieltisch.tables.events import Moved, Undone
from spieltisch.tables.refusals import NOT_YOUR_TURN
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, refused


def ends_turn(sitting: Sitting) -> None:
    """The deciding seat builds once and is done."""
    sitting.plays()
    sitting.plays("done")


def trades(sitting: Sitting) -> str:
    """The deciding seat trades: one move that passes the decision."""
    assert sitting.table.position is not None
    return sitting.plays(
        next(str(move) for move in sitting.table.position.legal_moves if str(move).startswith("trade"))
    )


def newest_log_texts(sitting: Sitting) -> list[str]:
    """Return the sentences of the newest line of the log."""
    words = Words("en")
    return [words.say(message, line.names) for line in sitting.table.log(None)[-1:] for message in line.messages]


def test_only_who_holds_the_deciding_seat_moves() -> None:
    sitting = Sitting.running()
    table = sitting.table
    decider = sitting.decider
    other = BEN if decider == ADA else ADA
    assert table.position is not None
    move = str(table.position.legal_moves[0])
    with refused("turn", "turn"):
        sitting.does(tables.play, other.id, move, table.version)
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


def test_a_move_that_is_none_or_forbidden_is_refused() -> None:
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


def test_a_decision_on_an_old_page_is_stale() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    move = str(sitting.table.position.legal_moves[0])
    decider, version = sitting.decider, sitting.table.version
    for seen in (version - 1, version + 1, -1):
        with refused("stale"):
            sitting.does(tables.play, decider.id, move, seen)
    sitting.does(tables.ask_abort, next(person.id for person in (ADA, BEN) if person != decider))
    sitting.does(tables.play, decider.id, move, version)
    with refused("stale"):
        sitting.does(tables.play, decider.id, "done", version)


def test_nobody_else_learns_a_reason() -> None:
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


def test_a_preview_plays_nothing() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    move = str(sitting.table.position.legal_moves[0])
    before = sitting.table.position.digest()
    preview = tables.preview(sitting.table, sitting.decider.id, move)
    assert preview.messages
    assert not preview.passes
    assert sitting.table.position.digest() == before


def test_what_would_be_seen_after_a_move_is_what_is_seen_then_unless_chance_or_the_end_decides() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open"), {"teams": "random"}))
    sitting.does(tables.sit, BEN)
    shown = hidden = 0
    while sitting.table.position is not None and not sitting.table.position.is_over:
        position, seat = sitting.table.position, sitting.table.to_decide
        move = str(position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)])
        assert tables.observation_after(sitting.table, 1 - (seat or 0), move) is None
        seen, later = tables.observation_after(sitting.table, seat, move), position.copy()
        played = later.play(move)
        if played.drew or later.is_over:
            assert seen is None
            hidden += 1
        else:
            assert seen is not None
            assert seen.bytes == later.observe(seat).bytes
            shown += 1
        sitting.does(tables.play, sitting.decider.id, move, sitting.table.version)
    assert shown > hidden > 1
    for seat in (0, 1):
        assert tables.observation_after(sitting.table, seat, move) is None, (
            "what ended the game is asked about a moment too late"
        )


def test_moves_of_a_turn_are_taken_back_one_by_one() -> None:
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
    kept = [event.event for event in sitting.table.events if isinstance(event.event, Moved | Undone)]
    assert len(kept) == 4, "what was taken back stays among the events"
    assert sitting.table.record(0).moves == ()


def test_a_turn_is_taken_back_as_a_whole() -> None:
    sitting = Sitting.running()
    assert sitting.table.position is not None
    start, decider = sitting.table.position.digest(), sitting.decider
    with refused("nothing-to-undo"):
        sitting.does(tables.undo_turn, decider.id, sitting.table.version)
    assert not sitting.table.current_turn
    assert sitting.table.turn_start() is None
    moves = [sitting.plays(), sitting.plays(), sitting.plays()]
    assert [play.move for play in sitting.table.current_turn] == moves
    begun = sitting.table.turn_start()
    assert begun is not None
    assert begun.data == sitting.table.position_at(0).observe(sitting.table.to_decide).data
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
    ends_turn(sitting)
    with refused("nothing-to-undo"):
        sitting.does(tables.undo_turn, sitting.decider.id, sitting.table.version)


def test_a_turn_that_is_over_needs_consent() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    ends_turn(sitting)
    assert sitting.table.undoable == 0
    others = [person for person in (ADA, BEN, CLEO) if person != asker]
    with refused("turn", "turn"):
        sitting.does(tables.undo, asker.id, sitting.table.version)
    with refused("nothing-to-undo"):
        sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    with refused("nothing-asked"):
        sitting.does(tables.agree_undo, others[0].id)
    assert sitting.table.can_ask_undo(asker.id)
    assert not sitting.table.can_ask_undo(others[0].id)
    with refused("nothing-to-undo"):
        sitting.does(tables.ask_undo, others[0].id)
    sitting.does(tables.ask_undo, asker.id)
    with refused("already-asked"):
        sitting.does(tables.ask_undo, asker.id)
    with refused("nothing-asked"):
        sitting.does(tables.agree_undo, asker.id)
    sitting.does(tables.refuse_undo, others[0].id)
    assert sitting.table.undo_asked is None
    sitting.does(tables.ask_undo, asker.id)
    sitting.does(tables.agree_undo, others[0].id)
    assert sitting.table.undo_asked is not None
    assert sitting.table.awaiting_consent(sitting.table.undo_asked) == (sitting.table.seat_of(others[1].id),)
    sitting.does(tables.agree_undo, others[1].id)
    assert sitting.table.undo_asked is None
    assert sitting.decider == asker
    assert len(sitting.table.moves) == 1, "what came before the turn was handed on can now be taken back freely"
    sitting.does(tables.undo, asker.id, sitting.table.version)
    assert not sitting.table.moves


def test_a_move_settles_the_question() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    ends_turn(sitting)
    sitting.does(tables.ask_undo, asker.id)
    decider = sitting.decider
    sitting.plays()
    assert sitting.table.undo_asked is None
    assert newest_log_texts(sitting)[-1] == f"{decider.name} plays on; the takeback is cancelled."
    sitting.does(tables.ask_undo, asker.id)
    assert sitting.table.undo_asked is not None
    assert sitting.table.undo_asked.undo_to == 1


def test_bots_wait_while_a_turn_is_asked_back() -> None:
    sitting = Sitting.open("me", "open", "bot:random")
    sitting.does(tables.sit, BEN)

    def bot() -> None:
        turn = sitting.table.bot_to_move()
        assert turn is not None
        sitting.does(tables.play_bot_move, turn, next(move for move in sitting.moves if move.startswith("trade")))

    while sitting.table.to_decide != 1:
        bot() if sitting.table.to_decide == 2 else trades(sitting)
    trades(sitting)
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


def test_leaving_settles_the_question_too() -> None:
    sitting = Sitting.running()
    asker = sitting.decider
    others = [person for person in (ADA, BEN, CLEO) if person != asker]
    ends_turn(sitting)
    sitting.does(tables.ask_undo, asker.id)
    sitting.does(tables.agree_undo, others[0].id)
    sitting.does(tables.leave, others[1].id)
    assert sitting.decider == asker


def test_alone_with_bots_a_turn_is_given_back_at_once() -> None:
    sitting = Sitting.open("me", "bot:random", "bot:random")
    while sitting.table.to_decide != 0:
        turn = sitting.table.bot_to_move()
        assert turn is not None
        assert sitting.table.position is not None
        sitting.does(tables.play_bot_move, turn, str(sitting.table.position.legal_moves[0]))
    number = len(sitting.table.moves)
    trades(sitting)
    sitting.does(tables.ask_undo, ADA.id)
    assert len(sitting.table.moves) == number
    assert sitting.table.to_decide == 0


def test_a_bots_move_is_checked_and_belongs_to_its_turn() -> None:
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


def test_the_moves_of_a_bots_turn_come_together_while_the_position_is_as_foreseen() -> None:
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
    started = sitting.table
    with refused("illegal", "T11"):
        sitting.does(tables.play_bot_move, turn, "done", following)
    with refused("illegal", "P4"):
        sitting.does(tables.play_bot_move, turn, first.move, [TurnMove("trade red for 2 blue", following[0].expected)])
    assert sitting.table == started, "nothing of a refused answer is played"
    builds = [move for move in sitting.moves if move.startswith("build")]
    other = next(move for move in builds if move != first.move)
    sitting.does(tables.play_bot_move, turn, other, following)
    assert [play.move for play in sitting.table.moves] == [other], "what was meant for another position is not played"
    sitting = Sitting.open("bot:random", "bot:random", "bot:random")
    sitting.does(tables.play_bot_move, turn, first.move, following)
    assert [play.move for play in sitting.table.moves] == [move.move for move in answer]
    assert sitting.table.version == started.version + 3
    assert sitting.folded().summary() == sitting.table.summary()


def test_since_and_positions_of_the_past() -> None:
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
    for wrong in (-1, 41):
        with pytest.raises(ValueError, match="has no position"):
            table.position_at(wrong)
    for seat in range(3):
        since = table.moves_since_turn(seat)
        assert since
        if table.moves[-1].seat != seat:
            assert all(play.seat != seat for play in since)
            before = table.moves[since[0].number - 1]
            assert (before.seat, before.ended_decision) == (seat, True)
    assert {play.seat for play in table.moves_since_turn(None)} == {table.moves[-1].seat}
    assert table.last_moves(None)[-1].text == table.moves[-1].move


def test_before_the_first_turn_all_is_new_and_a_turn_that_has_only_begun_hides_nothing() -> None:
    sitting = Sitting.running()
    assert [sitting.table.moves_since_turn(seat) for seat in (None, 0, 1, 2)] == [()] * 4
    first = sitting.table.to_decide
    assert first is not None
    second, third = (first + 1) % 3, (first + 2) % 3

    def numbers(seat: int | None) -> list[int]:
        return [play.number for play in sitting.table.moves_since_turn(seat)]

    def build(many: int) -> None:
        assert sitting.table.position is not None
        for _ in range(many):
            moves = [str(move) for move in sitting.table.position.legal_moves]
            sitting.plays(next(move for move in moves if move.startswith("build")))

    build(2)
    assert numbers(first) == numbers(second) == numbers(third) == [0, 1]
    sitting.plays("done")
    assert numbers(second) == numbers(third) == [0, 1, 2]
    assert sitting.table.last_moves(third) == sitting.table.last_moves(second) != ()
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


def test_what_cannot_be_done_before_and_after_the_game() -> None:
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
