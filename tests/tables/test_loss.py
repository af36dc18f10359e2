"""A table whose file came back without its newest events."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.core.words import LANGUAGES, Words
from tests.tables.harness import ADA, Sitting, refused


def came_back(moves: int, lost: int) -> Sitting:
    """A running table of which so many of these moves are gone, which has been told."""
    sitting = Sitting.running()
    for _ in range(moves):
        sitting.plays()
    noted = sitting.table.version
    sitting.written = sitting.written[:-lost]
    sitting.table = sitting.folded()
    sitting.does(tables.report_lost_events, noted)
    assert sitting.table.version > noted
    return sitting


@pytest.mark.parametrize("lost", [1, 4])
def test_versions_go_on_where_pages_are_and_who_moves_has_heard(lost: int) -> None:
    sitting = came_back(6, lost)
    table = sitting.table
    assert (table.status, len(table.moves), table.events_lost) == ("running", 6 - lost, lost)
    assert sitting.does(tables.report_lost_events, table.version - 1) == (), "told once"
    for seen in range(table.version):
        with refused("stale"):
            sitting.does(tables.play, sitting.decider.id, sitting.moves[0], seen)
    assert all(table.shows_loss_notice(seat) for seat in (None, 0, 1, 2))
    decider = table.to_decide
    sitting.plays()
    assert [seat for seat in (None, 0, 1, 2) if not sitting.table.shows_loss_notice(seat)] == [None, decider]
    assert sitting.folded().summary() == sitting.table.summary()
    for language in LANGUAGES:
        (message,) = table.log(None)[-1].messages
        assert str(lost) in Words(language).say(message)


def test_before_the_game_and_after_it() -> None:
    before = Sitting.open("me", "open", "open")
    before.does(tables.report_lost_events, 3)
    assert (before.table.status, before.table.events_lost) == ("open", 1)
    assert before.table.shows_loss_notice(0)
    over = Sitting.running().to_the_end()
    over.does(tables.report_lost_events, over.table.version + 1)
    assert (over.table.status, over.table.shows_loss_notice(0)) == ("finished", False)
    assert "lost" in str(over.table.log(None)[-1].messages[0])


def test_a_question_that_still_stands_can_be_answered() -> None:
    sitting = came_back(6, 2)
    sitting.does(tables.ask_abort, ADA.id)
    assert sitting.table.abort_asked is not None
