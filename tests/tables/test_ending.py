"""Ending by consent, the end of a game, going on at another table."""

from __future__ import annotations

from spieltisch import game, tables
from spieltisch.core.record import Record
from tests.tables.harness import ADA, BEN, CLEO, DORA, SECRET, Sitting, refused


def test_all_people_have_to_agree_to_end() -> None:
    sitting = Sitting.running()
    with refused("not-your-seat"):
        sitting.does(tables.ask_abort, DORA.id)
    with refused("nothing-asked"):
        sitting.does(tables.refuse_abort, ADA.id)
    sitting.does(tables.ask_abort, BEN.id)
    with refused("already-asked"):
        sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, ADA.id)
    with refused("nothing-asked"):
        sitting.does(tables.agree_abort, ADA.id)
    sitting.does(tables.refuse_abort, CLEO.id)
    assert sitting.table.abort_asked is None
    sitting.does(tables.ask_abort, BEN.id)
    sitting.plays()
    assert sitting.table.abort_asked is not None, "a move does not answer this question"
    sitting.does(tables.agree_abort, ADA.id)
    sitting.does(tables.agree_abort, CLEO.id)
    assert sitting.table.status == "aborted"
    assert sitting.table.secret == SECRET.hex()


def test_a_table_that_waits_is_closed_by_its_host_alone() -> None:
    sitting = Sitting.open("me", "open", "open")
    sitting.does(tables.sit, BEN)
    with refused("not-host"):
        sitting.does(tables.ask_abort, BEN.id)
    sitting.does(tables.ask_abort, ADA.id)
    assert sitting.table.status == "aborted"


def test_leaving_agrees_to_end() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    sitting.does(tables.leave, CLEO.id)
    assert sitting.table.status == "aborted"


def test_who_asked_and_left_asks_no_more() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.abort_asked is None


def test_a_finished_game_shows_everything_and_verifies() -> None:
    sitting = Sitting.running().to_the_end()
    table = sitting.table
    assert table.status == "finished"
    assert table.position is not None
    assert table.position.outcome is not None
    assert table.summary().winners == table.position.outcome.winners
    assert table.to_decide is None
    record = Record.parse(table.record(None).text)
    assert record.secret == SECRET.hex() == table.secret
    assert record.replay().digest() == table.position.digest()
    replayed = game("paris-connection").start(seats=3, secret=SECRET, standstill="ends")
    for play in table.moves:
        replayed.play(play.move)
    assert replayed.digest() == table.position.digest()
    with refused("over", "over"):
        sitting.does(tables.play, ADA.id, "done", table.version)


def test_a_record_of_a_running_game_keeps_the_secrets() -> None:
    sitting = Sitting.running()
    sitting.plays()
    text = sitting.table.record(1).text
    assert SECRET.hex() not in text
    assert sitting.table.commitment in text
    assert sitting.table.secret is None


def test_a_table_passes_on_to_the_device_of_who_plays_beside_somebody() -> None:
    sitting = Sitting.open("me", "here:Cleo", "open")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    plan, kept = tables.rematch_plan(sitting.table, BEN.id)
    rules = game("paris-connection")
    again = Sitting(tables.open_table(plan, rules, rules.components, BEN, SECRET, reserved=kept))
    assert [seat.name for seat in again.table.seats_kept_for(ADA.id)] == ["Ada", "Cleo"]
    again.does(tables.sit, ADA)
    again.does(tables.sit, type(ADA)(tables.hot_seat_id(ADA.id, 1), "Cleo"))
    again.does(tables.leave, ADA.id)
    assert again.table.host == BEN.id
    again.does(tables.leave, BEN.id)
    assert again.table.host == ADA.id, "Cleo has no session of her own"


def test_a_rematch_keeps_the_seats_of_the_same_people() -> None:
    sitting = Sitting.running()
    with refused("not-over"):
        tables.rematch_plan(sitting.table, ADA.id)
    with refused("not-over"):
        sitting.does(tables.rematch_opened, "t2")
    sitting.to_the_end()
    with refused("not-your-seat"):
        tables.rematch_plan(sitting.table, DORA.id)
    plan, kept = tables.rematch_plan(sitting.table, BEN.id)
    assert plan.seats == ("reserved", "me", "reserved")
    sitting.does(tables.rematch_opened, "t2")
    assert sitting.table.rematch == "t2"
    with refused("not-your-seat"):
        tables.rematch_plan(sitting.table, "")
    rules = game("paris-connection")
    again = Sitting(tables.open_table(plan, rules, rules.components, BEN, SECRET, reserved=kept))
    assert again.table.names == ("Ada", "Ben", "Cleo")
    for by_link in (False, True):
        with refused("not-invited"):
            again.does(tables.sit, DORA, by_link=by_link)  # a link to the table gives no kept seat
    again.does(tables.sit, CLEO)
    assert again.table.seat_of(CLEO.id) == 2
    assert tables.seat_of_viewer(again.table, ADA.id) is None
    again.does(tables.sit, ADA)
    assert again.table.status == "running"
