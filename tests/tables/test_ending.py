"""Check aborting by consent, the end of a game, and rematches."""

from __future__ import annotations

from spieltisch import game, tables
from spieltisch.core.record import Record
from tests.tables.harness import ADA, BEN, CLEO, DORA, SECRET, Sitting, refused


def test_a_game_is_aborted_only_if_all_people_agree() -> None:
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


def test_only_the_host_can_close_a_waiting_table() -> None:
    sitting = Sitting.open("me", "open", "open")
    sitting.does(tables.sit, BEN)
    with refused("not-host"):
        sitting.does(tables.ask_abort, BEN.id)
    sitting.does(tables.ask_abort, ADA.id)
    assert sitting.table.status == "aborted"


def test_a_player_who_leaves_agrees_to_a_requested_abort() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    sitting.does(tables.leave, CLEO.id)
    assert sitting.table.status == "aborted"


def test_a_player_who_leaves_withdraws_their_request_to_abort() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.abort_asked is None


def test_a_finished_game_reveals_everything_and_its_record_is_verified() -> None:
    sitting = Sitting.running().to_the_end()
    table = sitting.table
    assert table.status == "finished"
    assert table.position is not None
    assert table.position.outcome is not None
    assert table.summary().winners == table.position.outcome.winners
    assert table.to_decide is None
    assert Sitting.running().table.summary().turns == 0 < table.summary().turns <= len(table.moves)
    record = Record.parse(table.record(None).text)
    assert record.secret == SECRET.hex() == table.secret
    assert record.replay().digest() == table.position.digest()
    replayed = game("paris-connection").start(seats=3, secret=SECRET, standstill="ends")
    for play in table.moves:
        replayed.play(play.move)
    assert replayed.digest() == table.position.digest()
    with refused("over", "over"):
        sitting.does(tables.play, ADA.id, "done", table.version)


def test_the_record_of_a_running_table_contains_no_secrets() -> None:
    sitting = Sitting.running()
    sitting.plays()
    text = sitting.table.record(1).text
    assert SECRET.hex() not in text
    assert sitting.table.commitment in text
    assert sitting.table.secret is None


def test_a_rematch_reserves_hot_seats_for_their_device() -> None:
    sitting = Sitting.open("me", "here:Cleo", "open")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, BEN.id)
    plan, kept_seats = tables.rematch_plan(sitting.table, BEN.id)
    rules = game("paris-connection")
    rematch_sitting = Sitting(tables.open_table(plan, rules, rules.components, BEN, SECRET, reserved=kept_seats))
    assert [seat.name for seat in rematch_sitting.table.seats_reserved_for(ADA.id)] == ["Ada", "Cleo"]
    rematch_sitting.does(tables.sit, ADA)
    rematch_sitting.does(tables.sit, type(ADA)(tables.hot_seat_id(ADA.id, 1), "Cleo"))
    rematch_sitting.does(tables.leave, ADA.id)
    assert rematch_sitting.table.host == BEN.id
    rematch_sitting.does(tables.leave, BEN.id)
    assert rematch_sitting.table.host == ADA.id, "Cleo has no session of her own"


def test_a_rematch_keeps_the_seats_of_the_same_people() -> None:
    sitting = Sitting.running()
    with refused("not-over"):
        tables.rematch_plan(sitting.table, ADA.id)
    with refused("not-over"):
        sitting.does(tables.rematch_opened, "t2")
    sitting.to_the_end()
    with refused("not-your-seat"):
        tables.rematch_plan(sitting.table, DORA.id)
    plan, kept_seats = tables.rematch_plan(sitting.table, BEN.id)
    assert plan.seats == ("reserved", "me", "reserved")
    sitting.does(tables.rematch_opened, "t2")
    assert sitting.table.rematch == "t2"
    with refused("not-your-seat"):
        tables.rematch_plan(sitting.table, "")
    rules = game("paris-connection")
    rematch_sitting = Sitting(tables.open_table(plan, rules, rules.components, BEN, SECRET, reserved=kept_seats))
    assert rematch_sitting.table.names == ("Ada", "Ben", "Cleo")
    for has_link in (False, True):
        with refused("not-invited"):
            rematch_sitting.does(tables.sit, DORA, by_link=has_link)  # a link to the table gives no kept seat
    rematch_sitting.does(tables.sit, CLEO)
    assert rematch_sitting.table.seat_of(CLEO.id) == 2
    assert tables.seat_of_viewer(rematch_sitting.table, ADA.id) is None
    rematch_sitting.does(tables.sit, ADA)
    assert rematch_sitting.table.status == "running"


def test_a_game_continues_unchanged_after_the_operator_has_frozen_and_thawed_it() -> None:
    sitting = Sitting.running()
    sitting.plays()
    before = sitting.table
    with refused("not-suspended"):
        sitting.does(tables.resume)
    sitting.does(tables.suspend)
    assert (sitting.table.status, sitting.table.summary().status) == ("frozen", "frozen")
    assert sitting.table.to_decide is None
    with refused("frozen"):
        tables.play(sitting.table, ADA.id, "done", sitting.table.version)
    with refused("frozen"):
        sitting.does(tables.suspend)
    sitting.does(tables.resume)
    assert sitting.table.status == "running"
    assert (sitting.table.to_decide, sitting.table.moves) == (before.to_decide, before.moves)
    sitting.plays()


def test_a_frozen_open_table_is_open_after_thawing() -> None:
    sitting = Sitting.open("me", "open", "open")
    sitting.does(tables.suspend)
    with refused("frozen"):
        sitting.does(tables.sit, BEN)
    sitting.does(tables.resume)
    sitting.does(tables.sit, BEN)
    assert sitting.table.status == "open"


def test_the_operator_can_close_running_and_frozen_tables() -> None:
    for frozen in (False, True):
        sitting = Sitting.running()
        if frozen:
            sitting.does(tables.suspend)
        sitting.does(tables.close)
        assert sitting.table.status == "aborted"
        with refused("over", "over"):
            sitting.does(tables.close)
