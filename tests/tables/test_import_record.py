"""Check that a finished game played elsewhere becomes a table."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record, RecordedMove
from spieltisch.tables import Event, RecordedEvent, Table
from tests.sentences import sentence_after
from tests.tables.harness import SECRET, Sitting, refused, setup

GAME = game("paris-connection")


def simulated(players: Sequence[str] = ("easy", "random", "random"), moves: int | None = None) -> Record:
    """Return the record of a random game."""
    chance = random.Random(3)
    position = GAME.start(seats=3, seed=3)
    plays: list[RecordedMove] = []
    while not position.is_over and len(plays) != moves:
        move_result = position.play(chance.choice(list(position.legal_moves)))
        plays.append(RecordedMove(move_result.seat, move_result.move.text, move_result.drew))
    return Record.of(position, plays, players=players, seed=3)


def table_of(events: Sequence[Event], secret: bytes = b"") -> Table:
    written_events = [
        RecordedEvent(version, 5.0, tables.decode(tables.encode(event))) for version, event in enumerate(events, 1)
    ]
    return tables.fold("t", secret, written_events, setup)


def test_a_record_without_secret_is_imported_by_its_draws() -> None:
    record = simulated()
    table = table_of(tables.import_record(record, GAME.components))
    assert table.status == "finished"
    assert table.replay_difference is None
    assert table.position is not None
    assert table.position.digest() == record.digest
    assert table.names == ("easy", "random", "random")
    assert table.draws_from_record
    assert table.matches_commitment
    assert (table.commitment, table.secret, table.host, table.people[0].person) == ("", None, "", "")
    assert str(table.log(None)[0].messages[0]) == sentence_after("tables/fold.py", "if opened.imported")
    exported_record = table.record(None)
    exported_record.verify()
    assert (exported_record.moves, exported_record.drew, exported_record.result) == (
        record.moves,
        record.drew,
        record.result,
    )
    assert table.position_at(4).number == 4


def test_an_imported_record_with_its_secret_is_verified_like_any_table() -> None:
    record = Sitting.running().to_the_end().table.record(None)
    events = tables.import_record(record, GAME.components)
    table = table_of(events, SECRET)
    assert not table.draws_from_record
    assert table.secret == SECRET.hex()
    assert table.matches_commitment
    assert table.record(None).text == record.text
    assert table_of(events, bytes(32)).replay_difference is not None, "another secret gives another deal"


def test_players_without_a_name_in_an_imported_record_are_numbered() -> None:
    assert table_of(tables.import_record(simulated(()), GAME.components)).names == ("P1", "P2", "P3")


def test_importing_a_record_with_a_changed_draw_is_refused() -> None:
    events = list(tables.import_record(simulated(), GAME.components))
    changed_index = next(n for n, event in enumerate(events) if isinstance(event, tables.events.Moved))
    events[changed_index] = msgspec.structs.replace(events[changed_index], drew=("red",))
    assert table_of(events).status == "frozen"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (simulated(moves=5), "the game is not over"),
        (simulated(("Ada", "Ben")), "2 names for 3 seats"),
        (simulated(("Ada", "Ben", "\x07")), "players: "),
        (msgspec.structs.replace(simulated(), digest="0" * 64), "digest"),
        (msgspec.structs.replace(simulated(), seed=4), "seed"),
        (msgspec.structs.replace(simulated(), moves=simulated().moves[1:]), "move"),
    ],
)
def test_invalid_requests_to_import_a_record_are_refused(record: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        tables.import_record(record, GAME.components)


def test_moves_at_an_imported_table_are_refused() -> None:
    table = table_of(tables.import_record(simulated(), GAME.components))
    assert tables.seat_of_viewer(table, None) is None
    for command in (tables.ask_abort, tables.leave):
        with refused("over", "over"):
            command(table, "")
    with refused("not-your-seat"):
        tables.rematch_plan(table, "ada")
