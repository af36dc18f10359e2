"""Check a table whose database has lost its newest events."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.core.words import LANGUAGES, Words
from tests.tables.harness import ADA, Sitting, refused


def table_after_loss(moves: int, lost_count: int) -> Sitting:
    """Return a running table that has lost this number of moves and reported the loss."""
    sitting = Sitting.running()
    for _ in range(moves):
        sitting.plays()
    noted_version = sitting.table.version
    sitting.written = sitting.written[:-lost_count]
    sitting.table = sitting.folded()
    sitting.does(tables.report_lost_events, noted_version)
    assert sitting.table.version > noted_version
    return sitting


@pytest.mark.parametrize("lost_count", [1, 4])
def test_version_numbers_of_a_table_go_on_after_lost_events_and_the_log_tells_the_players(lost_count: int) -> None:
    sitting = table_after_loss(6, lost_count)
    table = sitting.table
    assert (table.status, len(table.moves), table.events_lost) == ("running", 6 - lost_count, lost_count)
    assert sitting.does(tables.report_lost_events, table.version - 1) == (), "told once"
    for seen_version in range(table.version):
        with refused("stale"):
            sitting.does(tables.play, sitting.decider.id, sitting.moves[0], seen_version)
    assert all(table.shows_loss_notice(seat) for seat in (None, 0, 1, 2))
    decider = table.to_decide
    sitting.plays()
    assert [seat for seat in (None, 0, 1, 2) if not sitting.table.shows_loss_notice(seat)] == [None, decider]
    assert sitting.folded().summary() == sitting.table.summary()
    for language in LANGUAGES:
        (message,) = table.log(None)[-1].messages
        assert str(lost_count) in Words(language).say(message)


def test_lost_events_are_logged_before_and_after_a_game() -> None:
    before = Sitting.open("me", "open", "open")
    before.does(tables.report_lost_events, 3)
    assert (before.table.status, before.table.events_lost) == ("open", 1)
    assert before.table.shows_loss_notice(0)
    finished_sitting = Sitting.running().to_the_end()
    finished_sitting.does(tables.report_lost_events, finished_sitting.table.version + 1)
    assert (finished_sitting.table.status, finished_sitting.table.shows_loss_notice(0)) == ("finished", False)
    assert "lost" in str(finished_sitting.table.log(None)[-1].messages[0])


def test_an_abort_can_be_requested_after_events_were_lost() -> None:
    sitting = table_after_loss(6, 2)
    sitting.does(tables.ask_abort, ADA.id)
    assert sitting.table.abort_asked is not None
