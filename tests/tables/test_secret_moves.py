"""Check who learns of secret moves before they are revealed."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import RecordError, UnknownGame
from spieltisch.core.record import Record
from spieltisch.core.record import RecordedMove as Deed
from spieltisch.core.setup import Setup
from spieltisch.tables import NewTable, RecordedEvent, Table, permissions, turns
from spieltisch.tables.events import Moved, Opened
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, SECRET, Sitting, setup

OTHERS = (None, 1, 2)
"""The spectators, and the seats that are not Ada's."""


@pytest.fixture
def sitting(game_with_bids: str) -> Sitting:
    """Return a table at which Ada, Ben and Cleo are to bid in this order."""
    sitting = Sitting.plan(NewTable(game_with_bids, ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    return sitting


def log(table: Table, seat: int | None) -> list[str]:
    return [str(sentence) for line in table.log(seat) if line.number is not None for sentence in line.messages]


def everything(table: Table, seat: int | None) -> object:
    """Return everything that a viewer with this perspective may know of a table."""
    position = table.position
    assert position is not None
    observation = position.observe(seat)
    return (
        table.log(seat),
        table.record(seat).text,
        turns.last_moves(table, seat),
        observation.bytes,
        observation.scores,
        table.summary(),
    )


def test_a_secret_bid_is_hidden_until_all_are_revealed(sitting: Sitting) -> None:
    ada = sitting.plays()
    assert log(sitting.table, 0) == [f"Player 1 bids {ada[-1]}."]
    assert [log(sitting.table, seat) for seat in OTHERS] == [["Player 1 bids."]] * 3
    assert sitting.table.record(0).moves == (Deed(0, ada),)
    assert [sitting.table.record(seat).moves for seat in OTHERS] == [(Deed(0, "?"),)] * 3
    assert [str(move) for move in turns.last_moves(sitting.table, 0)] == [ada]
    assert [turns.last_moves(sitting.table, seat) for seat in OTHERS] == [()] * 3
    ben = sitting.plays()
    assert sitting.table.record(1).moves == (Deed(0, "?"), Deed(1, ben))
    cleo = sitting.plays(sitting.moves[-1])
    for seat in (None, 0, 1, 2):
        assert log(sitting.table, seat)[:3] == [
            f"Player {n} bids {bid[-1]}." for n, bid in enumerate((ada, ben, cleo), 1)
        ]
        assert sitting.table.record(seat).moves == (Deed(0, ada), Deed(1, ben), Deed(2, cleo))
    sitting.plays()
    assert log(sitting.table, 2)[-1] == "Player 1 bids."
    assert sitting.table.record(2).moves[2:] == (Deed(2, cleo), Deed(0, "?"))


def test_two_hidden_bids_cannot_be_distinguished_by_other_players(sitting: Sitting) -> None:
    """The same table is continued with two different bids, which must look the same to the other players."""
    first, *_, last_move = sitting.moves
    lines = []
    for bid in (first, last_move):
        other_sitting = Sitting([event.event for event in sitting.written])
        other_sitting.plays(bid)
        lines.append([everything(other_sitting.table, seat) for seat in OTHERS])
        other_sitting.plays()
        lines[-1] += [everything(other_sitting.table, seat) for seat in OTHERS]
    assert lines[0] == lines[1]


def test_only_events_of_hidden_moves_are_marked_as_secret(sitting: Sitting) -> None:
    for _ in range(3):
        sitting.plays()
    move_events = [event.event for event in sitting.written if isinstance(event.event, Moved)]
    assert [event.secret for event in move_events] == [True, True, False], "the third bid turns all of them over"


def test_the_last_bidder_sees_the_bids_of_the_other_players(sitting: Sitting) -> None:
    """The last bid reveals all bids and cannot be undone; earlier bids can be undone with consent."""
    sitting.plays()
    assert permissions.undo_target(sitting.table, 0) == 0
    sitting.plays()
    preview = tables.preview(sitting.table, CLEO.id, sitting.moves[0])
    assert [str(sentence) for sentence in preview.messages] == [f"Player 3 bids {sitting.moves[0][-1]}."]
    sitting.plays()
    assert sitting.table.moves[-1].revealed
    assert [permissions.undo_target(sitting.table, seat) for seat in range(3)] == [None] * 3


def test_whether_a_hidden_bid_revealed_something_decides_no_takeback_of_others(sitting: Sitting) -> None:
    for _ in range(2):
        sitting.plays()
    for revealed in (False, True):
        moves = (*sitting.table.moves[:-1], msgspec.structs.replace(sitting.table.moves[-1], revealed=revealed))
        table = replace(sitting.table, moves=moves)
        assert permissions.undo_target(table, 0) is None
        assert permissions.undo_target(table, 1) == (None if revealed else 1)


def test_the_record_replays_up_to_the_first_hidden_bid(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.plays()
    text = sitting.table.record(1).text
    assert text.splitlines()[-1] == "4 seat 1: ?"
    read_record = Record.parse(text)
    assert read_record == sitting.table.record(1)
    with pytest.raises(RecordError, match="hides draws from its viewer"):
        read_record.replay()
    assert sitting.table.position is not None
    start = sitting.table.position_at(0)
    open_deal = Record.parse(
        text.replace(f"drew: {', '.join(read_record.drew)}", f"drew: {', '.join(start.setup_draws)}")
    )
    numbers: list[int] = []
    with pytest.raises(RecordError, match="move 4: this record of a running game hides a move from its viewer"):
        numbers.extend(position.number for position in open_deal.positions())
    with pytest.raises(RecordError, match="move 4: this record of a running game hides a move from its viewer"):
        open_deal.verify()


def test_all_hidden_information_is_shown_when_the_game_is_over(sitting: Sitting) -> None:
    sitting.to_the_end()
    record = sitting.table.record(None)
    assert "?" not in record.text
    assert record.verify().is_over
    assert len({tuple(map(str, log(sitting.table, seat))) for seat in (None, 0, 1, 2)}) == 1


def test_an_aborted_game_reveals_hidden_bids_to_all_viewers(sitting: Sitting) -> None:
    ada = sitting.plays()
    for command, person in ((tables.ask_abort, ADA), (tables.agree_abort, BEN), (tables.agree_abort, CLEO)):
        sitting.does(command, person.id)
    assert sitting.table.status == "aborted"
    assert log(sitting.table, None) == [f"Player 1 bids {ada[-1]}."]


def gone(opened_event: Opened) -> Setup:
    raise UnknownGame(opened_event.game)


def test_a_table_of_an_uninstalled_game_keeps_secret_moves_hidden(sitting: Sitting) -> None:
    moves = [sitting.plays() for _ in range(4)]
    table = tables.fold("t", SECRET, sitting.written, gone)
    lines = [str(line.messages[0]) for line in table.log(0) if line.number is not None]
    assert lines == ["Player 1: ?", "Player 2: ?", f"Player 3: {moves[2]}", "Player 1: ?"]
    assert [play.move for play in table.record(0).moves] == ["?", "?", moves[2], "?"]
    sitting.to_the_end()
    assert "?" not in tables.fold("t", SECRET, sitting.written, gone).record(None).text


@pytest.mark.parametrize(
    ("change", "expected_text"),
    [
        ({"drew": ("5",)}, sentence_after("tables/fold.py", "def _difference", move="?")),
        ({"next_seat": 0}, sentence_after("tables/fold.py", "if next_seat != event.next_seat:", move="?")),
        ({"move": "bid 9"}, sentence_after("tables/fold.py", "def _frozen_by_error", version=6, problem="?")),
    ],
)
def test_the_reason_for_freezing_does_not_reveal_secret_moves(
    sitting: Sitting, change: dict[str, object], expected_text: str
) -> None:
    sitting.plays()
    last_event = sitting.written[-1]
    damaged = RecordedEvent(last_event.version, last_event.at, msgspec.structs.replace(last_event.event, **change))
    table = tables.fold("t", SECRET, [*sitting.written[:-1], damaged], setup)
    assert str(table.frozen) == expected_text


def test_a_finished_game_with_secret_moves_is_imported(game_with_bids: str, sitting: Sitting) -> None:
    sitting.to_the_end()
    events = tables.import_record(Record.parse(sitting.table.record(None).text), game(game_with_bids).components)
    assert Sitting(events).table.status == "finished"
