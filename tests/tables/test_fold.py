"""Check folding: a replay must give the same result, and any difference freezes this table only."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import UnknownGame
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.tables import Event, RecordedEvent, Table
from spieltisch.tables.events import Frozen, Moved, Opened, Started
from tests.sentences import sentence_after, template_after
from tests.tables.harness import ADA, SECRET, Sitting, refused, setup

IMPOSSIBLE = template_after("tables/fold.py", "def _frozen_by_error").text
OTHER_DRAW = template_after("tables/fold.py", "def _difference").text
OTHER_SEAT = template_after("tables/fold.py", "if next_seat != event.next_seat:").text
OTHER_POINTS = template_after("tables/fold.py", "if points != event.points:").text

joins = partial(sentence_after, "tables/fold_seats.py", "def _apply_seated")


def played() -> Sitting:
    """Return a table after three turns, with a move that reaches a city."""
    sitting = Sitting.running()
    for _ in range(3):
        for _ in range(3):
            sitting.plays()
        sitting.plays("done")
    return sitting


def changed(sitting: Sitting, number: int, **changes: object) -> list[RecordedEvent]:
    """Return the events with one move changed."""
    moves = [event.version for event in sitting.written if isinstance(event.event, Moved)]
    version = moves[number]
    events = list(sitting.written)
    event = msgspec.structs.replace(events[version - 1].event, **changes)
    events[version - 1] = RecordedEvent(version, events[version - 1].at, event)
    return events


def test_folding_events_at_once_or_one_by_one_gives_the_same_table() -> None:
    sitting = played()
    folded_table = sitting.folded()
    assert folded_table.position is not None
    assert sitting.table.position is not None
    assert folded_table.position.digest() == sitting.table.position.digest()
    assert (folded_table.summary(), folded_table.moves, folded_table.log(None)) == (
        sitting.table.summary(),
        sitting.table.moves,
        sitting.table.log(None),
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"move": "done"}, IMPOSSIBLE),
        ({"move": "build red Atlantis"}, IMPOSSIBLE),
        ({"drew": ("red",)}, OTHER_DRAW),
        ({"next_seat": 1, "seat": 0}, OTHER_SEAT),
        ({"points": (99, 99, 99)}, OTHER_POINTS),
    ],
)
def test_a_move_with_a_different_result_on_replay_freezes_the_table(changes: dict[str, object], why: str) -> None:
    sitting = played()
    table = tables.fold("t", SECRET, changed(sitting, 4, **changes), setup)
    assert table.status == "frozen"
    assert table.replay_difference is not None
    assert table.frozen is not None
    assert table.frozen.text == why
    assert len(table.moves) == 4, "it stays as it was before that move"
    assert table.position is not None
    assert table.to_decide is None
    assert table.log(0)
    assert table.record(0).moves
    with refused("frozen"):
        tables.play(table, ADA.id, "done", table.version)
    with refused("frozen"):
        tables.leave(table, ADA.id)


def test_the_reason_for_freezing_does_not_reveal_a_hand() -> None:
    sitting = played()
    version = next(event.version for event in sitting.written if isinstance(event.event, Moved))
    before = tables.fold("t", SECRET, sitting.written[: version - 1], setup).position
    assert before is not None
    refusals = ((move, before.why_not(move)) for move in before.setup.moves)
    trade = next(str(move) for move, refusal in refusals if refusal is not None and refusal.rule == "P12")
    table = tables.fold("t", SECRET, changed(sitting, 0, move=trade), setup)
    assert str(table.frozen) == sentence_after("tables/fold.py", "def _frozen_by_error", version=version, problem="?")


def test_a_frozen_table_still_hides_its_secrets() -> None:
    sitting = Sitting.running(memory_aid=False)
    for _ in range(5):
        sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))
    table = tables.fold("t", SECRET, changed(sitting, 4, move="done"), setup)
    assert table.status == "frozen"
    assert not table.is_over
    assert table.secret is None
    assert table.hides_move(0)


def test_the_freezing_of_a_table_is_stored_once() -> None:
    sitting = played()
    events = changed(sitting, 4, points=())
    table = tables.fold("t", SECRET, events, setup)
    assert table.replay_difference is not None
    events.append(RecordedEvent(table.version + 1, 2000.0, table.replay_difference))
    refolded = tables.fold("t", SECRET, events, setup)
    assert refolded.replay_difference is None
    assert refolded.status == "frozen"
    assert refolded.frozen == table.frozen
    assert len(refolded.moves) == 4
    assert str(refolded.log(None)[-1].messages[0]) == str(table.frozen)


def test_a_table_whose_replay_differs_is_frozen_although_the_operator_has_thawed_it() -> None:
    sitting = played()
    sitting.does(tables.suspend)
    sitting.does(tables.resume)
    table = tables.fold("t", SECRET, changed(sitting, 4, points=()), setup)
    assert table.status == "frozen"
    assert table.replay_difference is not None


def test_a_different_deal_on_replay_freezes_the_table() -> None:
    sitting = played()
    table = tables.fold("t", bytes(32), sitting.written, setup)
    assert "deal" in str(table.frozen)
    assert not table.matches_commitment
    assert table.position is None
    with refused("not-running"):
        table.record(None)


def test_a_table_whose_components_have_changed_is_frozen() -> None:
    """The changed components have another value of cities."""
    sitting = played()
    rules = game("paris-connection")
    text = rules.components.text.replace("value = 1\n", "value = 2\n", 1)
    assert text != rules.components.text

    def change_components(opened_event: Opened) -> Setup:
        return rules.setup(len(opened_event.seat_offers), rules.read_components(text))

    table = tables.fold("t", SECRET, sitting.written, change_components)
    assert table.status == "frozen"
    assert len(table.moves) < len(sitting.table.moves)


def gone(opened_event: Opened) -> Setup:
    raise UnknownGame(f"there is no game {opened_event.game!r}")


def test_an_uninstalled_game_freezes_its_tables() -> None:
    table = tables.fold("t", SECRET, played().written, gone)
    assert table.status == "frozen"
    assert table.names == ("Ada", "Ben", "Cleo")
    assert table.summary().status == "frozen"
    assert [str(line.messages[0]) for line in table.log(None)][:2] == [joins(name="Ada"), joins(name="Ben")]
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
def test_events_without_the_opening_of_a_table_are_refused(events: list[Event]) -> None:
    with pytest.raises(ValueError, match="begin with its opening"):
        tables.fold("t", SECRET, [RecordedEvent(n, 0.0, event) for n, event in enumerate(events, 1)], setup)


def test_events_out_of_order_are_refused() -> None:
    sitting = Sitting.running()
    with pytest.raises(ValueError, match="cannot follow"):
        tables.apply(sitting.table, [sitting.written[-1]])
    opened_event = sitting.written[0]
    with pytest.raises(ValueError, match="cannot stand there"):
        tables.apply(sitting.table, [RecordedEvent(sitting.table.version + 1, 0.0, opened_event.event)])
    early_sitting = Sitting.open("me", "open", "open")
    move = RecordedEvent(early_sitting.table.version + 1, 0.0, Moved(seat=0, move="done"))
    with pytest.raises(ValueError, match="of table t is a move before"):
        tables.apply(early_sitting.table, [move])


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"event":"flown"}', b'{"event":"moved","seat":"x","move":"done"}', b"\xff"]
)
def test_decoding_damaged_json_as_an_event_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # whichever it is
        tables.decode(data)


def test_the_state_of_a_table_is_immutable() -> None:
    sitting = Sitting.running()
    before: Table = sitting.table
    assert before.position is not None
    properties_before = (before.position.digest(), before.version, before.moves, before.log(0), before.summary())
    sitting.plays()
    sitting.plays()
    assert (
        before.position.digest(),
        before.version,
        before.moves,
        before.log(0),
        before.summary(),
    ) == properties_before


def test_every_event_is_unchanged_after_encoding_and_decoding() -> None:
    from spieltisch.core.words import message

    event = Frozen(version=3, message=message("The deal comes out differently."))
    assert tables.decode(tables.encode(event)) == event


def test_a_table_of_an_uninstalled_game_can_be_read() -> None:
    sitting = played()
    sitting.plays()
    sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    sitting.plays()
    real_table = sitting.table
    table = tables.fold("t", SECRET, sitting.written, gone)
    assert table.status == "frozen"
    assert [play.move for play in table.moves] == [play.move for play in real_table.moves]
    lines = [str(line.messages[0]) for line in table.log(0)]
    assert f"Player {real_table.moves[0].seat + 1}: {real_table.moves[0].move}" in lines
    assert any("undoes 1 move" in sentence for sentence in lines)
    record = table.record(0)
    assert record == Record.parse(record.text)
    assert record.moves == tuple(
        RecordedMove(play.seat, play.move, ("?",) * len(play.drew)) for play in real_table.moves
    )
    assert set(record.drew) == {"?"}, "what was dealt is not told, for the game is not over"
    assert (record.secret, table.secret) == (None, None)
    assert (record.players, record.components_digest) == (real_table.names, real_table.opened.components)


def test_the_record_of_a_finished_game_can_be_exported_without_its_rules() -> None:
    sitting = Sitting.running().to_the_end()
    record = tables.fold("t", SECRET, sitting.written, gone).record(None)
    assert record.secret == SECRET.hex()
    position = sitting.table.position
    assert position is not None
    assert Record.parse(record.text).replay().digest() == position.digest()


def test_a_table_of_an_uninstalled_game_has_no_record_before_the_game_begins() -> None:
    sitting = Sitting.open("me", "open", "open")
    with refused("not-running"):
        tables.fold("t", SECRET, sitting.written, gone).record(None)
