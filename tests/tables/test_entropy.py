"""Chance from a secret, and tables at which players of earlier versions added texts to it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.chance import commitment
from spieltisch.core.record import Record
from spieltisch.tables import RecordedEvent, Table
from spieltisch.tables.events import EntropyAdded, Opened
from tests.tables.harness import ADA, BEN, CLEO, DORA, SECRET, Sitting, setup

OLD = Path(__file__).parents[1] / "golden" / "era-of-inventions" / "4-greedy-secret.txt"


def waiting() -> Sitting:
    return Sitting.open("me", "open", "open")


def old(sitting: Sitting) -> Sitting:
    """The same table as it was opened before players could add anything."""
    opened = sitting.written[0].event
    assert isinstance(opened, Opened)
    before = msgspec.json.decode(tables.encode(opened))
    del before["scheme"]
    assert opened.chance_scheme == 2
    sitting.written[0] = RecordedEvent(1, 1000.0, tables.decode(msgspec.json.encode(before)))
    sitting.table = sitting.folded()
    return sitting


def dealt(table: Table) -> tuple[str, ...]:
    assert table.position is not None
    return table.position.setup_draws


def adds(sitting: Sitting, seat: int, text: str) -> None:
    """Add a player's text for the shuffle to the table, as an earlier version did."""
    sitting.does(lambda _: (EntropyAdded(seat=seat, text=text),))


def test_the_deal_comes_from_the_secret_alone() -> None:
    sitting = waiting()
    assert sitting.table.commitment == commitment(SECRET)
    sitting.does(tables.sit, BEN)
    events = sitting.does(tables.sit, CLEO)
    assert [type(event).__name__ for event in events] == ["Seated", "Started"]
    table = sitting.table
    assert (table.opened.chance_scheme, table.entropy_texts) == (2, ("", "", ""))
    assert dealt(table) == game("paris-connection").start(seats=3, secret=SECRET).setup_draws == dealt(sitting.folded())
    sitting.to_the_end().table.record(None).verify()


# --- Texts that were added. ---


def test_texts_that_were_added_before_go_into_the_deal() -> None:
    sitting = waiting()
    adds(sitting, 0, "kettle 7")
    sitting.does(tables.sit, BEN)
    adds(sitting, 1, "rain on tin")
    sitting.does(tables.sit, CLEO)
    table = sitting.table
    assert table.entropy_texts == ("kettle 7", "rain on tin", "")
    expected = game("paris-connection").start(seats=3, secret=SECRET, texts=table.entropy_texts)
    assert dealt(table) == expected.setup_draws == dealt(sitting.folded())
    assert dealt(table) != game("paris-connection").start(seats=3, secret=SECRET).setup_draws
    sentences = [str(sentence) for line in table.log(None) for sentence in line.messages]
    assert sum("kettle 7" in line for line in sentences) == 1, "everybody can read it, and when it came"
    assert table.record(None).texts == table.entropy_texts
    late = RecordedEvent(sitting.table.version + 1, 2000.0, EntropyAdded(seat=2, text="late"))
    with pytest.raises(ValueError, match="adds to chance when the game has begun"):
        tables.apply(sitting.table, [late])


def test_a_finished_game_with_texts_verifies_and_is_read_in_again() -> None:
    sitting = waiting()
    adds(sitting, 0, "one")
    sitting.does(tables.sit, BEN)
    adds(sitting, 1, "zwei")
    sitting.does(tables.sit, CLEO)
    record = sitting.to_the_end().table.record(None)
    assert (record.scheme, record.texts) == (2, ("one", "zwei", ""))
    record.verify()
    events = tables.import_record(record, game("paris-connection").components)
    written = [RecordedEvent(version, 5.0, event) for version, event in enumerate(events, 1)]
    again = tables.fold("t", SECRET, written, setup)
    assert again.status == "finished"
    assert again.record(None).text == record.text


def test_who_gets_up_while_the_table_waits_takes_their_text_along() -> None:
    sitting = waiting()
    sitting.does(tables.sit, BEN)
    adds(sitting, 1, "mine")
    sitting.does(tables.leave, BEN.id)
    assert sitting.table.entropy_texts == ("", "", "")
    sitting.does(tables.sit, DORA)
    adds(sitting, 1, "other")
    sitting.does(tables.sit, CLEO)
    before = sitting.table.entropy_texts
    assert before == ("", "other", "")
    sitting.does(tables.leave, DORA.id)
    sitting.does(tables.replace_with_bot, ADA.id, 1, "random")
    assert sitting.table.entropy_texts == before, "in a game that runs, they stand"
    assert dealt(sitting.folded()) == dealt(sitting.table)


# --- Tables from before texts. ---


def test_a_table_that_waited_when_this_came_begins_by_its_own_scheme() -> None:
    sitting = old(waiting())
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    assert dealt(sitting.table) == game("paris-connection").start(seats=3, secret=SECRET, scheme=1).setup_draws
    record = sitting.to_the_end().table.record(None)
    assert "scheme" not in record.text
    record.verify()


@pytest.mark.parametrize("moves", [0, 60])
def test_a_game_that_ran_when_this_came_goes_on_as_it_would_have(moves: int) -> None:
    """The game of a record from before is laid on a table up to there: it goes on to draw what was drawn."""
    record = Record.read(OLD)
    assert record.secret is not None
    assert sum(bool(play.drew) for play in record.moves[moves:]) > 3
    opened, *events = tables.import_record(record, game(record.game).components)
    assert b"scheme" not in tables.encode(opened)
    begun = [opened, *events][: -len(record.moves) or None]
    written = [
        RecordedEvent(version, 5.0, event)
        for version, event in enumerate([*begun, *events[len(begun) - 1 :][:moves]], 1)
    ]
    table = tables.fold("t", bytes.fromhex(record.secret), written, setup)
    assert (table.status, table.replay_difference, len(table.moves)) == ("running", None, moves)
    position = table.position_at(moves)
    assert position.setup_draws == record.drew
    for play in record.moves[moves:]:
        assert position.play(play.move).drew == play.drew
    assert position.digest() == record.digest
