"""A finished game that was played elsewhere becomes a table."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record, RecordedMove
from spieltisch.tables import Event, RecordedEvent, Table
from tests.tables.harness import SECRET, Sitting, refused, setup

GAME = game("paris-connection")


def simulated(players: Sequence[str] = ("easy", "random", "random"), moves: int | None = None) -> Record:
    """The record of a game by a seed, random throughout."""
    chance = random.Random(3)
    position = GAME.start(seats=3, seed=3)
    plays: list[RecordedMove] = []
    while not position.is_over and len(plays) != moves:
        played = position.play(chance.choice(list(position.legal_moves)))
        plays.append(RecordedMove(played.seat, played.move.text, played.drew))
    return Record.of(position, plays, players=players, seed=3)


def table_of(events: Sequence[Event], secret: bytes = b"") -> Table:
    written = [
        RecordedEvent(version, 5.0, tables.decode(tables.encode(event))) for version, event in enumerate(events, 1)
    ]
    return tables.fold("t", secret, written, setup)


def test_by_the_draws_of_a_record_without_secret() -> None:
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
    assert "imported from a game record" in str(table.log(None)[0].messages[0])
    again = table.record(None)
    again.verify()
    assert (again.moves, again.drew, again.result) == (record.moves, record.drew, record.result)
    assert table.position_at(4).number == 4


def test_with_its_secret_it_is_verified_like_any_table() -> None:
    record = Sitting.running().to_the_end().table.record(None)
    events = tables.import_record(record, GAME.components)
    table = table_of(events, SECRET)
    assert not table.draws_from_record
    assert table.secret == SECRET.hex()
    assert table.matches_commitment
    assert table.record(None).text == record.text
    assert table_of(events, bytes(32)).replay_difference is not None, "another secret gives another deal"


def test_names_that_are_missing_are_numbered() -> None:
    assert table_of(tables.import_record(simulated(()), GAME.components)).names == ("P1", "P2", "P3")


def test_a_draw_that_was_changed_is_noticed() -> None:
    events = list(tables.import_record(simulated(), GAME.components))
    at = next(n for n, event in enumerate(events) if isinstance(event, tables.events.Moved))
    events[at] = msgspec.structs.replace(events[at], drew=("red",))
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
def test_what_is_refused(record: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        tables.import_record(record, GAME.components)


def test_nobody_plays_on_at_it() -> None:
    table = table_of(tables.import_record(simulated(), GAME.components))
    assert tables.seat_of_viewer(table, None) is None
    for command in (tables.ask_abort, tables.leave):
        with refused("over", "over"):
            command(table, "")
    with refused("not-your-seat"):
        tables.rematch_plan(table, "ada")
