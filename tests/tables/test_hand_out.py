"""A lost link: the host hands a person's seat out again."""

from __future__ import annotations

import pytest

from spieltisch import tables
from tests.tables.sitting import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused


def test_somebody_takes_the_seat_by_a_new_link_and_plays_on() -> None:
    sitting = Sitting.running()
    while sitting.decider != BEN:
        sitting.plays()
    moves = sitting.moves
    sitting.does(tables.hand_out, ADA.id, 1)
    seat = sitting.table.seats[1]
    assert (seat.kind, seat.person, seat.name, seat.links) == ("left", BEN.id, BEN.name, 1)
    assert sitting.table.status == "running"
    assert str(sitting.table.log(None)[-1].messages[0]) == "The seat of Ben is handed out again."
    with refused("not-invited"):
        sitting.does(tables.sit, DORA, 1)
    sitting.does(tables.sit, DORA, 1, by_link=True)
    assert sitting.decider == DORA
    assert sitting.moves == moves
    sitting.plays()
    with refused("not-your-seat"):
        sitting.does(tables.leave, BEN.id)
    assert sitting.folded().summary() == sitting.table.summary()


def test_who_finds_their_way_in_again_sits_down_without_a_link() -> None:
    sitting = Sitting.running()
    sitting.does(tables.hand_out, ADA.id, 1)
    sitting.does(tables.sit, BEN)
    assert sitting.table.seat_of(BEN.id) == 1


def test_before_the_game_the_seat_is_free_again() -> None:
    sitting = Sitting.open("me", "open", "link")
    sitting.does(tables.sit, BEN, 2, by_link=True)
    sitting.does(tables.hand_out, ADA.id, 2)
    assert (sitting.table.seats[2].kind, sitting.table.seats[2].links) == ("link", 1)


def test_a_question_that_only_they_had_not_answered_is_settled() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_abort, ADA.id)
    sitting.does(tables.agree_abort, CLEO.id)
    sitting.does(tables.hand_out, ADA.id, 1)
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
def test_what_is_refused(person: Somebody, seat: int, code: str) -> None:
    sitting = Sitting.running()
    with refused(code):
        sitting.does(tables.hand_out, person.id, seat)


def test_a_seat_that_nobody_has_cannot_be_taken_back() -> None:
    sitting = Sitting.open("me", "open", "bot:greedy")
    for seat in (1, 2):
        with refused("not-taken"):
            sitting.does(tables.hand_out, ADA.id, seat)
    over = Sitting.running().to_the_end()
    with refused("over", "over"):
        over.does(tables.hand_out, ADA.id, 1)
