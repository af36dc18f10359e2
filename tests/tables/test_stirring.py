"""Adding to chance before the game begins; and tables that began before anybody could."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch import game, tables
from spieltisch.core.chance import commitment
from spieltisch.core.record import Record
from spieltisch.tables import Table, TableRefusal, Written
from spieltisch.tables.events import Opened, Started, Stirred
from spieltisch.tables.stirring import check_text
from tests.tables.sitting import ADA, BEN, CLEO, DORA, SECRET, Sitting, refused, setup

OLD = Path(__file__).parents[1] / "golden" / "era-of-inventions" / "4-greedy-secret.txt"


def waiting() -> Sitting:
    return Sitting.open("me", "open", "open")


def old(sitting: Sitting) -> Sitting:
    """The same table as it was opened before players could add anything."""
    opened = sitting.written[0].event
    assert isinstance(opened, Opened)
    before = msgspec.json.decode(tables.encode(opened))
    del before["scheme"]
    assert opened.scheme == 2
    sitting.written[0] = Written(1, 1000.0, tables.decode(msgspec.json.encode(before)))
    sitting.table = sitting.folded()
    return sitting


def dealt(table: Table) -> tuple[str, ...]:
    assert table.position is not None
    return table.position.dealt


def test_texts_come_after_the_commitment_and_before_the_deal() -> None:
    sitting = waiting()
    assert sitting.table.commitment == commitment(SECRET)
    sitting.does(tables.stir, ADA.id, "  kettle  7 ")
    sitting.does(tables.sit, BEN)
    events = sitting.does(tables.sit, CLEO, text="rain on tin")
    assert [type(event).__name__ for event in events] == ["Seated", "Stirred", "Started"]
    table = sitting.table
    assert table.texts == ("kettle 7", "", "rain on tin")
    expected = game("paris-connection").start(seats=3, secret=SECRET, texts=table.texts)
    assert dealt(table) == expected.dealt == dealt(sitting.folded())
    assert dealt(table) != game("paris-connection").start(seats=3, secret=SECRET).dealt
    said = [str(sentence) for line in table.log(None) for sentence in line.messages]
    assert sum("kettle 7" in line for line in said) == 1, "everybody can read it, and when it came"
    assert table.record(None).texts == table.texts


def test_whoever_adds_last_decides_which_deal_it_is() -> None:
    """What was known until then, the server's secret and all other texts, leaves every deal open."""
    deals = set()
    for word in ("a", "b", "c", "d", ""):
        sitting = waiting()
        sitting.does(tables.stir, ADA.id, "same")
        sitting.does(tables.sit, BEN, text="same")
        sitting.does(tables.sit, CLEO, text=word)
        deals.add(dealt(sitting.table))
    assert len(deals) == 5


def test_a_finished_game_with_texts_verifies_and_is_read_in_again() -> None:
    sitting = waiting()
    sitting.does(tables.stir, ADA.id, "one")
    sitting.does(tables.sit, BEN, text="zwei")
    record = sitting.does(tables.sit, CLEO) and sitting.to_the_end().table.record(None)
    assert isinstance(record, Record)
    assert (record.scheme, record.texts) == (2, ("one", "zwei", ""))
    record.verify()
    events = tables.import_record(record, game("paris-connection").components)
    written = [Written(version, 5.0, event) for version, event in enumerate(events, 1)]
    again = tables.fold("t", SECRET, written, setup)
    assert again.status == "finished"
    assert again.record(None).text == record.text


def test_who_may_not_add_is_told() -> None:
    sitting = waiting()
    with refused("not-your-seat"):
        sitting.does(tables.stir, DORA.id, "x")
    sitting.does(tables.stir, ADA.id, "x")
    with refused("already-added"):
        sitting.does(tables.stir, ADA.id, "y")
    sitting.does(tables.sit, BEN)
    with refused("text"):
        sitting.does(tables.sit, CLEO, text="\u202e")
    assert sitting.table.status == "open"
    sitting.does(tables.sit, CLEO, text="   ")
    assert sitting.table.texts == ("x", "", "")
    with refused("begun"):
        sitting.does(tables.stir, BEN.id, "late")
    sitting.does(tables.leave, BEN.id)
    with refused("begun"):
        sitting.does(tables.sit, DORA, by_link=True, text="late")
    late = Written(sitting.table.version + 1, 2000.0, Stirred(seat=0, text="late"))
    with pytest.raises(ValueError, match="adds to chance when the game has begun"):
        tables.then(sitting.table, [late])


def test_who_gets_up_while_the_table_waits_takes_their_text_along() -> None:
    sitting = waiting()
    sitting.does(tables.sit, BEN, text="mine")
    sitting.does(tables.leave, BEN.id)
    assert sitting.table.texts == ("", "", "")
    sitting.does(tables.sit, DORA)
    sitting.does(tables.stir, DORA.id, "other")
    assert sitting.table.texts == ("", "other", "")
    sitting.does(tables.sit, CLEO)
    before = sitting.table.texts
    sitting.does(tables.leave, DORA.id)
    sitting.does(tables.replace, ADA.id, 1, "random")
    assert sitting.table.texts == before, "in a game that runs, they stand"
    assert dealt(sitting.folded()) == dealt(sitting.table)


def test_another_game_has_a_chance_of_its_own() -> None:
    sitting = waiting()
    sitting.does(tables.stir, ADA.id, "x")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    plan, kept = tables.rematch_plan(sitting.to_the_end().table, ADA.id)
    found = game(plan.game)
    events = tables.open_table(plan, found, found.components, ADA, bytes(32), kept=kept)
    assert not [event for event in events if isinstance(event, Stirred | Started)], "it waits, and asks anew"


@given(st.text(max_size=200))
def test_a_text_is_kept_so_that_it_can_be_typed_again(text: str) -> None:
    try:
        kept = check_text(text)
    except TableRefusal:
        return
    assert check_text(kept) == kept
    assert 0 < len(kept) <= 80
    assert kept.isprintable()
    assert tables.decode(tables.encode(Stirred(seat=1, text=kept))) == Stirred(seat=1, text=kept)


# --- Tables from before. ---


def test_a_table_that_waited_when_this_came_begins_by_its_own_scheme() -> None:
    sitting = old(waiting())
    assert not sitting.table.stirs
    with refused("begun"):
        sitting.does(tables.stir, ADA.id, "x")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    assert dealt(sitting.table) == game("paris-connection").start(seats=3, secret=SECRET, scheme=1).dealt
    record = sitting.to_the_end().table.record(None)
    assert "scheme" not in record.text
    record.verify()


@pytest.mark.parametrize("moves", [0, 60])
def test_a_game_that_ran_when_this_came_goes_on_as_it_would_have(moves: int) -> None:
    """The game of a record from before is laid on a table up to there: it goes on to draw what was drawn."""
    record = Record.read(OLD)
    assert record.secret is not None
    assert sum(bool(play.drew) for play in record.plays[moves:]) > 3
    opened, *events = tables.import_record(record, game(record.game).components)
    assert b"scheme" not in tables.encode(opened)
    begun = [opened, *events][: -len(record.plays) or None]
    written = [Written(version, 5.0, one) for version, one in enumerate([*begun, *events[len(begun) - 1 :][:moves]], 1)]
    table = tables.fold("t", bytes.fromhex(record.secret), written, setup)
    assert (table.status, table.differs, len(table.plays)) == ("running", None, moves)
    position = table.position_at(moves)
    assert position.dealt == record.drew
    for play in record.plays[moves:]:
        assert position.play(play.move).drew == play.drew
    assert position.digest() == record.digest
