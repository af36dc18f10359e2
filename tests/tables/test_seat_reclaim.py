"""Check that the host can give the seat of an absent player to another person."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from spieltisch import tables
from spieltisch.core.words import Words
from spieltisch.tables import TableRefusal, TableSettings
from spieltisch.tables.events import ReclaimRefused, ReclaimRequested
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused
from tests.tiers import examples


def is_present(_: str, _hours: float) -> bool:
    return True


def is_absent(_: str, _hours: float) -> bool:
    return False


def test_a_player_absent_for_the_set_number_of_hours_is_not_asked_for_the_seat() -> None:
    sitting = Sitting.on_the_clock(TableSettings(away_hours=3))
    assert sitting.does(tables.reclaim_seat, ADA.id, 1, lambda _, hours: hours != 3) != (ReclaimRequested(seat=1),)
    assert sitting.table.seats[1].kind == "left"


def test_a_present_player_is_asked_for_the_seat_and_keeps_it_or_gives_it_up() -> None:
    sitting = Sitting.running()
    assert sitting.does(tables.reclaim_seat, ADA.id, 1, is_present) == (ReclaimRequested(seat=1),)
    assert (sitting.table.seats[1].kind, sitting.table.seats[1].reclaim_requested) == ("person", True)
    with refused("already-asked"):
        sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
    for other_player in (ADA, CLEO):
        with refused("nothing-asked"):
            sitting.does(tables.accept_reclaim, other_player.id)
    with refused("not-your-seat"):
        sitting.does(tables.accept_reclaim, DORA.id)
    with refused("seat-taken"):
        sitting.does(tables.sit, DORA, 1, by_link=True)
    assert sitting.does(tables.refuse_reclaim, BEN.id) == (ReclaimRefused(seat=1),)
    with refused("nothing-asked"):
        sitting.does(tables.accept_reclaim, BEN.id)
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
    sitting.does(tables.accept_reclaim, BEN.id)
    assert (sitting.table.seats[1].kind, sitting.table.seats[1].reclaim_requested) == ("left", False)
    sentences = [Words("en").say(line.messages[0], line.names) for line in sitting.table.log(None)[-4:]]
    request = sentence_after("tables/fold_seats.py", "def _apply_reclaim_requested", player="Ben")
    assert sentences == [
        request,
        sentence_after(
            "tables/fold_seats.py", "player=SeatName(event.seat))\n    else:\n        words =", player="Ben"
        ),
        request,
        sentence_after("tables/fold_seats.py", "def _apply_left", name="Ben"),
    ]
    assert sitting.folded().summary() == sitting.table.summary()


def test_the_host_may_withdraw_the_request_for_a_seat() -> None:
    sitting = Sitting.running()
    with refused("nothing-asked"):
        sitting.does(tables.cancel_reclaim, ADA.id, 1)
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
    with refused("not-host"):
        sitting.does(tables.cancel_reclaim, CLEO.id, 1)
    sitting.does(tables.cancel_reclaim, ADA.id, 1)
    assert not sitting.table.seats[1].reclaim_requested


def test_a_player_who_was_asked_and_becomes_absent_loses_the_seat() -> None:
    sitting = Sitting.running()
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
    assert (sitting.table.seats[1].kind, sitting.table.seats[1].reclaim_requested) == ("left", False)


def test_seats_before_the_game_and_on_the_hosts_device_are_reclaimed_without_asking() -> None:
    before = Sitting.open("me", "open", "open")
    before.does(tables.sit, BEN)
    before.does(tables.reclaim_seat, ADA.id, 1, is_present)
    assert before.table.seats[1].kind == "open"
    local_sitting = Sitting.open("me", "here:Ben", "bot:easy")
    local_sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
    assert local_sitting.table.seats[1].kind == "left"


class HandOuts(RuleBasedStateMachine):
    """Check any order of requests for a seat, answers and absences: no present player loses a seat without consent."""

    def __init__(self) -> None:
        super().__init__()
        self.sitting = Sitting.running()
        self.here = {BEN.id, CLEO.id}
        self.asked: set[str] = set()

    @rule(person=st.sampled_from((BEN, CLEO)))
    def goes_or_comes(self, person: Somebody) -> None:
        self.here ^= {person.id}

    @rule(seat=st.sampled_from((1, 2)))
    def host_asks(self, seat: int) -> None:
        person = self.sitting.table.seats[seat].person
        with suppress(TableRefusal):
            self.sitting.does(tables.reclaim_seat, ADA.id, seat, lambda person, _: person in self.here)
            if person in self.here:
                assert self.sitting.table.seat_of(person) == seat
                self.asked.add(person)
            else:
                assert self.sitting.table.seat_of(person) is None
                self.asked.discard(person)

    @rule(person=st.sampled_from((BEN, CLEO)), agrees=st.booleans())
    def answers(self, person: Somebody, agrees: bool) -> None:
        answer = tables.accept_reclaim if agrees else tables.refuse_reclaim
        is_done = True
        try:
            self.sitting.does(answer, person.id)
        except TableRefusal:
            is_done = False
        assert is_done == (person.id in self.asked)
        self.asked.discard(person.id)
        if is_done:
            assert (self.sitting.table.seat_of(person.id) is None) == agrees

    @rule(person=st.sampled_from((BEN, CLEO)))
    def is_back(self, person: Somebody) -> None:
        with suppress(TableRefusal):
            self.sitting.does(tables.sit, person)

    @invariant()
    def who_is_asked_sits(self) -> None:
        assert {seat.person for seat in self.sitting.table.seats if seat.reclaim_requested} == self.asked
        assert all(self.sitting.table.seat_of(person) is not None for person in self.asked)


TestHandOuts = HandOuts.TestCase
TestHandOuts.settings = settings(examples(8, 30), stateful_step_count=20)


def test_a_person_with_a_new_link_takes_a_reclaimed_seat_and_the_game_continues() -> None:
    sitting = Sitting.running()
    while sitting.decider != BEN:
        sitting.plays()
    moves = sitting.moves
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
    seat = sitting.table.seats[1]
    assert (seat.kind, seat.person, seat.name, seat.link_version) == ("left", BEN.id, BEN.name, 1)
    assert sitting.table.status == "running"
    (line,) = sitting.table.log(None)[-1:]
    assert Words("en").say(line.messages[0], line.names) == sentence_after(
        "tables/fold_seats.py", "elif event.reclaimed and host is not None:", player="Ada", name="Ben"
    )
    with refused("not-invited"):
        sitting.does(tables.sit, DORA, 1)
    sitting.does(tables.sit, DORA, 1, by_link=True)
    assert sitting.decider == DORA
    assert sitting.moves == moves
    sitting.plays()
    with refused("seat-taken"):
        sitting.does(tables.sit, BEN, 1)
    sitting.does(tables.leave, DORA.id)
    assert sitting.table.seats_reserved_for(BEN.id)[0].name == BEN.name
    sitting.does(tables.sit, BEN)
    assert sitting.table.seat_of(BEN.id) == 1
    assert sitting.table.summary().dispossessed == frozenset()
    with refused("seat-taken"):
        sitting.does(tables.sit, DORA, 1)


@pytest.mark.parametrize("loses", ["agrees", "leaves"])
def test_a_player_who_gave_up_a_seat_may_return_until_another_player_takes_it(loses: str) -> None:
    sitting = Sitting.running()
    if loses == "agrees":
        sitting.does(tables.reclaim_seat, ADA.id, 1, is_present)
        sitting.does(tables.accept_reclaim, BEN.id)
    else:
        sitting.does(tables.leave, BEN.id)
    sitting.does(tables.sit, DORA, 1, by_link=True)
    sitting.does(tables.leave, DORA.id)
    assert sitting.table.summary().dispossessed == frozenset()
    with refused("not-invited"):
        sitting.does(tables.sit, BEN, 1)


def test_a_player_who_lost_a_seat_sees_the_table_until_they_give_the_seat_up() -> None:
    sitting = Sitting.running(watch_policy="off")
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
    sitting.does(tables.sit, DORA, 1, by_link=True)
    assert tables.seat_of_viewer(sitting.table, BEN.id) is None, "as a spectator"
    assert BEN.id in sitting.table.summary().people
    assert tables.leaving(sitting.table, BEN.id)[0] == "declines"
    sitting.does(tables.leave, BEN.id)
    assert BEN.id not in sitting.table.summary().people
    with refused("no-table"):
        tables.seat_of_viewer(sitting.table, BEN.id)
    with refused("not-your-seat"):
        sitting.does(tables.leave, BEN.id)
    sitting.does(tables.leave, DORA.id)
    with refused("not-invited"):
        sitting.does(tables.sit, BEN, 1)
    assert sitting.folded().summary() == sitting.table.summary()
    assert sitting.folded().summary() == sitting.table.summary()


def test_a_player_who_lost_a_seat_returns_without_a_link() -> None:
    sitting = Sitting.running()
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
    sitting.does(tables.sit, BEN)
    assert sitting.table.seat_of(BEN.id) == 1


def test_a_seat_reclaimed_before_the_game_is_open_again() -> None:
    sitting = Sitting.open("me", "open", "link")
    sitting.does(tables.sit, BEN, 2, by_link=True)
    sitting.does(tables.reclaim_seat, ADA.id, 2, is_absent)
    assert (sitting.table.seats[2].kind, sitting.table.seats[2].link_version) == ("link", 1)


def test_reclaiming_the_seat_of_the_last_player_to_answer_completes_an_abort() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, CLEO.id)
    sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
    assert sitting.table.status == "aborted"


@pytest.mark.parametrize(
    ("person", "seat", "code"),
    [
        (BEN, 2, "not-host"),
        (DORA, 1, "not-host"),
        (ADA, 0, "own-seat"),
        (ADA, 3, "seat"),
        (ADA, -1, "seat"),
    ],
)
def test_invalid_requests_for_a_seat_are_refused(person: Somebody, seat: int, code: str) -> None:
    sitting = Sitting.running()
    with refused(code):
        sitting.does(tables.reclaim_seat, person.id, seat, is_present)


def test_reclaiming_an_empty_seat_is_refused() -> None:
    sitting = Sitting.open("me", "open", "bot:easy")
    for seat in (1, 2):
        with refused("seat-empty"):
            sitting.does(tables.reclaim_seat, ADA.id, seat, is_present)
    finished_sitting = Sitting.running().to_the_end()
    with refused("over", "over"):
        finished_sitting.does(tables.reclaim_seat, ADA.id, 1, is_absent)
