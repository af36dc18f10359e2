"""Folding: what is replayed has to come out as it was; anything else freezes this table, and only this one."""

from __future__ import annotations

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import UnknownGame
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.tables import Event, RecordedEvent, Table
from spieltisch.tables.events import Frozen, Moved, Opened, Started
from tests.tables.harness import ADA, SECRET, Sitting, refused, setup


def played() -> Sitting:
    """Three turns, with a move that reaches a city."""
    sitting = Sitting.running()
    for _ in range(3):
        for _ in range(3):
            sitting.plays()
        sitting.plays("done")
    return sitting


def changed(sitting: Sitting, number: int, **changes: object) -> list[RecordedEvent]:
    """The events, with the `number`-th move changed."""
    moves = [event.version for event in sitting.written if isinstance(event.event, Moved)]
    version = moves[number]
    written = list(sitting.written)
    event = msgspec.structs.replace(written[version - 1].event, **changes)
    written[version - 1] = RecordedEvent(version, written[version - 1].at, event)
    return written


def test_folding_all_at_once_and_one_by_one_is_the_same() -> None:
    sitting = played()
    folded = sitting.folded()
    assert folded.position is not None
    assert sitting.table.position is not None
    assert folded.position.digest() == sitting.table.position.digest()
    assert (folded.summary(), folded.moves, folded.log(None)) == (
        sitting.table.summary(),
        sitting.table.moves,
        sitting.table.log(None),
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"move": "done"}, "can no longer be replayed"),
        ({"move": "build red Atlantis"}, "can no longer be replayed"),
        ({"drew": ("red",)}, "results in a different draw"),
        ({"next_seat": 1, "seat": 0}, ""),
        ({"points": (99, 99, 99)}, "scores differently"),
    ],
)
def test_a_move_that_comes_out_differently_freezes_the_table(changes: dict[str, object], why: str) -> None:
    sitting = played()
    table = tables.fold("t", SECRET, changed(sitting, 4, **changes), setup)
    assert table.status == "frozen"
    assert table.replay_difference is not None
    assert table.frozen is not None
    assert why in str(table.frozen)
    assert len(table.moves) == 4, "it stays as it was before that move"
    assert table.position is not None
    assert table.to_decide is None
    assert table.log(0)
    assert table.record(0).moves
    with refused("frozen"):
        tables.play(table, ADA.id, "done", table.version)
    with refused("frozen"):
        tables.leave(table, ADA.id)


def test_a_frozen_table_still_keeps_what_is_its_own() -> None:
    sitting = Sitting.running(memory_aid=False)
    for _ in range(5):
        sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    table = tables.fold("t", SECRET, changed(sitting, 4, move="done"), setup)
    assert table.status == "frozen"
    assert not table.is_over
    assert table.secret is None
    assert table.hides_move(0)


def test_the_freeze_is_written_once() -> None:
    sitting = played()
    written = changed(sitting, 4, points=())
    table = tables.fold("t", SECRET, written, setup)
    assert table.replay_difference is not None
    written.append(RecordedEvent(table.version + 1, 2000.0, table.replay_difference))
    again = tables.fold("t", SECRET, written, setup)
    assert again.replay_difference is None
    assert again.status == "frozen"
    assert again.frozen == table.frozen
    assert len(again.moves) == 4
    assert str(again.log(None)[-1].messages[0]) == str(table.frozen)


def test_another_deal_freezes_the_table() -> None:
    sitting = played()
    table = tables.fold("t", bytes(32), sitting.written, setup)
    assert "deal" in str(table.frozen)
    assert not table.matches_commitment
    assert table.position is None
    with refused("not-running"):
        table.record(None)


def test_changed_components_are_noticed() -> None:
    """A rule that has changed: cities are worth something else."""
    sitting = played()
    rules = game("paris-connection")
    text = rules.components.text.replace("value = 1\n", "value = 2\n", 1)
    assert text != rules.components.text

    def richer(opened: Opened) -> Setup:
        return rules.setup(len(opened.seat_offers), rules.read_components(text))

    table = tables.fold("t", SECRET, sitting.written, richer)
    assert table.status == "frozen"
    assert len(table.moves) < len(sitting.table.moves)


def gone(opened: Opened) -> Setup:
    raise UnknownGame(f"there is no game {opened.game!r}")


def test_a_game_that_is_gone_freezes_its_tables() -> None:
    table = tables.fold("t", SECRET, played().written, gone)
    assert table.status == "frozen"
    assert table.names == ("Ada", "Ben", "Cleo")
    assert table.summary().status == "frozen"
    assert [str(line.messages[0]) for line in table.log(None)][:2] == ["Ada joins the table.", "Ben joins the table."]
    with refused("frozen"):
        _ = table.game
    with refused("frozen"):
        tables.sit(table, ADA)


@pytest.mark.parametrize(
    "events",
    [
        [Started()],
        [Moved(seat=0, move="done")],
    ],
)
def test_events_of_no_table_are_refused(events: list[Event]) -> None:
    with pytest.raises(ValueError, match="begin with its opening"):
        tables.fold("t", SECRET, [RecordedEvent(n, 0.0, event) for n, event in enumerate(events, 1)], setup)


def test_events_have_to_follow_each_other() -> None:
    sitting = Sitting.running()
    with pytest.raises(ValueError, match="cannot follow"):
        tables.apply(sitting.table, [sitting.written[-1]])
    opened = sitting.written[0]
    with pytest.raises(ValueError, match="cannot stand there"):
        tables.apply(sitting.table, [RecordedEvent(sitting.table.version + 1, 0.0, opened.event)])
    early = Sitting.open("me", "open", "open")
    move = RecordedEvent(early.table.version + 1, 0.0, Moved(seat=0, move="done"))
    with pytest.raises(ValueError, match="before the game began"):
        tables.apply(early.table, [move])


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"event":"flown"}', b'{"event":"moved","seat":"x","move":"done"}', b"\xff"]
)
def test_damaged_json_is_no_event(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # whichever it is
        tables.decode(data)


def test_a_table_is_a_value() -> None:
    sitting = Sitting.running()
    before: Table = sitting.table
    assert before.position is not None
    seen = (before.position.digest(), before.version, before.moves, before.log(0), before.summary())
    sitting.plays()
    sitting.plays()
    assert (before.position.digest(), before.version, before.moves, before.log(0), before.summary()) == seen


def test_every_event_prints_and_reads() -> None:
    from spieltisch.core.words import message

    event = Frozen(version=3, message=message("The deal comes out differently."))
    assert tables.decode(tables.encode(event)) == event


def test_without_its_game_a_table_is_still_read() -> None:
    sitting = played()
    sitting.plays()
    sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    sitting.plays()
    real = sitting.table
    table = tables.fold("t", SECRET, sitting.written, gone)
    assert table.status == "frozen"
    assert [play.move for play in table.moves] == [play.move for play in real.moves]
    lines = [str(line.messages[0]) for line in table.log(0)]
    assert f"Player {real.moves[0].seat + 1}: {real.moves[0].move}" in lines
    assert any("undoes 1 move" in sentence for sentence in lines)
    record = table.record(0)
    assert record == Record.parse(record.text)
    assert record.moves == tuple(RecordedMove(play.seat, play.move, ("?",) * len(play.drew)) for play in real.moves)
    assert set(record.drew) == {"?"}, "what was dealt is not told, for the game is not over"
    assert (record.secret, table.secret) == (None, None)
    assert (record.players, record.components_digest) == (real.names, real.opened.components)


def test_without_its_game_a_finished_game_can_be_taken_where_it_is() -> None:
    sitting = Sitting.running().to_the_end()
    record = tables.fold("t", SECRET, sitting.written, gone).record(None)
    assert record.secret == SECRET.hex()
    position = sitting.table.position
    assert position is not None
    assert Record.parse(record.text).replay().digest() == position.digest()


def test_without_its_game_a_table_that_had_not_begun_has_no_record() -> None:
    sitting = Sitting.open("me", "open", "open")
    with refused("not-running"):
        tables.fold("t", SECRET, sitting.written, gone).record(None)
