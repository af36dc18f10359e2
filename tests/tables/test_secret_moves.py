"""Moves that are secret until they are shown: what a table tells of them, and to whom."""

from __future__ import annotations

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import RecordError, UnknownGame
from spieltisch.core.record import Record
from spieltisch.core.record import RecordedMove as Deed
from spieltisch.core.setup import Setup
from spieltisch.tables import NewTable, RecordedEvent, Table
from spieltisch.tables.events import Moved, Opened
from tests.tables.harness import ADA, BEN, CLEO, SECRET, Sitting, setup

OTHERS = (None, 1, 2)
"""The spectators, and the seats that are not Ada's."""


@pytest.fixture
def sitting(lots: str) -> Sitting:
    """Ada, Ben and Cleo hold cards and are to bid, in this order."""
    sitting = Sitting.plan(NewTable(lots, ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    return sitting


def log(table: Table, seat: int | None) -> list[str]:
    return [str(sentence) for line in table.log(seat) if line.number is not None for sentence in line.messages]


def everything(table: Table, seat: int | None) -> object:
    """Return everything that a perspective may know of a table."""
    position = table.position
    assert position is not None
    seen = position.observe(seat)
    return table.log(seat), table.record(seat).text, table.last_moves(seat), seen.bytes, seen.scores, table.summary()


def test_a_bid_is_told_to_nobody_else_until_all_are_turned_over(sitting: Sitting) -> None:
    ada = sitting.plays()
    assert log(sitting.table, 0) == [f"Player 1 bids {ada[-1]}."]
    assert [log(sitting.table, seat) for seat in OTHERS] == [["Player 1 bids."]] * 3
    assert sitting.table.record(0).moves == (Deed(0, ada),)
    assert [sitting.table.record(seat).moves for seat in OTHERS] == [(Deed(0, "?"),)] * 3
    assert [str(move) for move in sitting.table.last_moves(0)] == [ada]
    assert [sitting.table.last_moves(seat) for seat in OTHERS] == [()] * 3
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


def test_nothing_tells_one_bid_from_another(sitting: Sitting) -> None:
    """The same table goes on with another bid of Ada, and again with another of Ben."""
    first, *_, last = sitting.moves
    lines = []
    for bid in (first, last):
        other = Sitting([event.event for event in sitting.written])
        other.plays(bid)
        lines.append([everything(other.table, seat) for seat in OTHERS])
        other.plays()
        lines[-1] += [everything(other.table, seat) for seat in OTHERS]
    assert lines[0] == lines[1]


def test_only_what_is_hidden_is_secret_in_the_events(sitting: Sitting) -> None:
    for _ in range(3):
        sitting.plays()
    moved = [event.event for event in sitting.written if isinstance(event.event, Moved)]
    assert [event.secret for event in moved] == [True, True, False], "the third bid turns all of them over"


def test_who_bids_last_sees_what_the_others_have_bid(sitting: Sitting) -> None:
    """The last bid reveals all and cannot be undone; a bid that is still hidden can, if the others agree."""
    sitting.plays()
    assert sitting.table.undo_target(0) == 0
    sitting.plays()
    preview = tables.preview(sitting.table, CLEO.id, sitting.moves[0])
    assert [str(sentence) for sentence in preview.messages] == [f"Player 3 bids {sitting.moves[0][-1]}."]
    sitting.plays()
    assert sitting.table.moves[-1].revealed
    assert [sitting.table.undo_target(seat) for seat in range(3)] == [None] * 3


def test_the_record_replays_up_to_the_first_hidden_bid(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.plays()
    text = sitting.table.record(1).text
    assert text.splitlines()[-1] == "4 seat 1: ?"
    read = Record.parse(text)
    assert read == sitting.table.record(1)
    with pytest.raises(RecordError, match="hides draws from its viewer"):
        read.replay()
    assert sitting.table.position is not None
    start = sitting.table.position_at(0)
    open_deal = Record.parse(text.replace(f"drew: {', '.join(read.drew)}", f"drew: {', '.join(start.setup_draws)}"))
    numbers: list[int] = []
    with pytest.raises(RecordError, match="move 4: this record of a running game hides a move from its viewer"):
        numbers.extend(position.number for position in open_deal.positions())
    with pytest.raises(RecordError, match="move 4: this record of a running game hides a move from its viewer"):
        open_deal.verify()


def test_all_is_open_when_the_game_is_over(sitting: Sitting) -> None:
    sitting.to_the_end()
    record = sitting.table.record(None)
    assert "?" not in record.text
    assert record.verify().is_over
    assert len({tuple(map(str, log(sitting.table, seat))) for seat in (None, 0, 1, 2)}) == 1


def test_a_game_broken_off_is_open_to_all(sitting: Sitting) -> None:
    ada = sitting.plays()
    for command, person in ((tables.ask_abort, ADA), (tables.agree_abort, BEN), (tables.agree_abort, CLEO)):
        sitting.does(command, person.id)
    assert sitting.table.status == "aborted"
    assert log(sitting.table, None) == [f"Player 1 bids {ada[-1]}."]


def gone(opened: Opened) -> Setup:
    raise UnknownGame(opened.game)


def test_without_its_game_a_table_keeps_the_secret(sitting: Sitting) -> None:
    moves = [sitting.plays() for _ in range(4)]
    table = tables.fold("t", SECRET, sitting.written, gone)
    lines = [str(line.messages[0]) for line in table.log(0) if line.number is not None]
    assert lines == ["Player 1: ?", "Player 2: ?", f"Player 3: {moves[2]}", "Player 1: ?"]
    assert [play.move for play in table.record(0).moves] == ["?", "?", moves[2], "?"]
    sitting.to_the_end()
    assert "?" not in tables.fold("t", SECRET, sitting.written, gone).record(None).text


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"drew": ("5",)}, "The move “?” results in a different draw."),
        ({"next_seat": 0}, "After “?”, a different player is to move."),
        ({"move": "bid 9"}, "Event 6 can no longer be replayed: ?"),
    ],
)
def test_what_freezes_a_table_does_not_tell_it_either(sitting: Sitting, change: dict[str, object], says: str) -> None:
    sitting.plays()
    last = sitting.written[-1]
    damaged = RecordedEvent(last.version, last.at, msgspec.structs.replace(last.event, **change))
    table = tables.fold("t", SECRET, [*sitting.written[:-1], damaged], setup)
    assert str(table.frozen) == says


def test_a_finished_game_is_read_in(lots: str, sitting: Sitting) -> None:
    sitting.to_the_end()
    events = tables.import_record(Record.parse(sitting.table.record(None).text), game(lots).components)
    assert Sitting(events).table.status == "finished"
