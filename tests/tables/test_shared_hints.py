"""Check hints that all players of a table agree on."""

from __future__ import annotations

from spieltisch import tables
from spieltisch.tables import permissions
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, refused


def allowed(sitting: Sitting) -> list[bool]:
    """Return for each of the three players whether they may use hints."""
    return [permissions.allows_hints(sitting.table, person.id) for person in (ADA, BEN, CLEO)]


def test_friends_get_hints_once_all_have_agreed() -> None:
    sitting = Sitting.running()
    assert permissions.can_ask_hints(sitting.table, BEN.id)
    with refused("not-your-seat"):
        sitting.does(tables.ask_hints, DORA.id)
    with refused("nothing-asked"):
        sitting.does(tables.agree_hints, ADA.id)
    sitting.does(tables.ask_hints, BEN.id)
    with refused("already-asked"):
        sitting.does(tables.ask_hints, ADA.id)
    sitting.does(tables.agree_hints, ADA.id)
    with refused("nothing-asked"):
        sitting.does(tables.agree_hints, ADA.id)
    assert allowed(sitting) == [False] * 3
    sitting.does(tables.agree_hints, CLEO.id)
    assert allowed(sitting) == [True] * 3
    assert sitting.table.hints == "all"
    assert not permissions.can_ask_hints(sitting.table, BEN.id)
    sitting.plays()
    assert allowed(sitting) == [True] * 3
    sitting.does(tables.refuse_hints, ADA.id)
    assert allowed(sitting) == [False] * 3
    assert permissions.can_ask_hints(sitting.table, BEN.id)


def test_one_player_who_declines_ends_the_request() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_hints, BEN.id)
    sitting.does(tables.agree_hints, ADA.id)
    sitting.does(tables.refuse_hints, CLEO.id)
    assert sitting.table.hints_asked is None
    assert allowed(sitting) == [False] * 3


def test_a_player_who_leaves_is_not_asked_and_another_in_their_seat_is() -> None:
    sitting = Sitting.running()
    sitting.does(tables.ask_hints, BEN.id)
    sitting.does(tables.agree_hints, CLEO.id)
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.hints == "all"
    sitting.does(tables.leave, CLEO.id)
    sitting.does(tables.sit, DORA, 2, by_link=True)
    assert sitting.table.hints_asked is not None
    assert sitting.table.awaiting_consent(sitting.table.hints_asked) == (2,)
