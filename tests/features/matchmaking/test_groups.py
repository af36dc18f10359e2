"""Check who is brought together: whoever can play does, no one twice, and only at tables they asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.features.matchmaking.commands import (
    BOT_MINUTES,
    CLOCKS,
    PEOPLE_WITH_BOTS,
    Group,
    Kind,
    Seek,
    find_group,
    parse_kind,
)
from spieltisch.games import game
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import MINUTE

NOW = 10_000.0


def seek(name: str, fewest: int = 3, most: int = 5, *, minutes: int = 3, waited: float = 0.0, clock: str = "") -> Seek:
    return Seek(name.lower(), name, Kind("paris-connection", fewest, most, clock, minutes), NOW - waited)


@st.composite
def all_seeks(draw: st.DrawFn) -> list[Seek]:
    """Return what some people seek, who have different names."""
    seeks = []
    for number in range(draw(st.integers(0, 7))):
        fewest = draw(st.integers(2, 4))
        kind = Kind(
            draw(st.sampled_from(["one", "two"])),
            fewest,
            draw(st.integers(fewest, 5)),
            draw(st.sampled_from(CLOCKS)),
            draw(st.sampled_from(BOT_MINUTES)),
        )
        since = NOW - draw(st.sampled_from([0, 30, 60, 180, 600]))
        seeks.append(Seek(f"person-{number}", "ABCDEFG"[number] * 3, kind, since))
    return seeks


def allows(seeks: Sequence[Seek], seats: int) -> bool:
    """Return True if these people can sit at a table with so many seats."""
    kinds = [each.kind for each in seeks]
    same = len({(kind.game, kind.clock) for kind in kinds}) == 1
    return same and all(kind.fewest <= seats <= kind.most for kind in kinds)


def could_play(seeks: Sequence[Seek]) -> bool:
    """Return True if some of these people could sit at a table now, found by trying all subsets."""
    for size in range(PEOPLE_WITH_BOTS, len(seeks) + 1):
        for some in combinations(seeks, size):
            if allows(some, size):
                return True
            may_have_bots = all(each.kind.bot_minutes for each in some)
            is_due = any(each.since + each.kind.bot_minutes * MINUTE <= NOW for each in some)
            if may_have_bots and is_due and any(allows(some, seats) for seats in range(size, 6)):
                return True
    return False


@given(all_seeks())
def test_no_one_is_seated_twice_and_no_one_waits_while_enough_others_seek_the_same(seeks: list[Seek]) -> None:
    waiting = list(seeks)
    while (group := find_group(waiting, NOW)) is not None:
        assert allows(group.seeks, group.seats)
        assert PEOPLE_WITH_BOTS <= len(group.seeks) <= group.seats
        assert len(set(group.seeks)) == len(group.seeks)
        if len(group.seeks) < group.seats:
            assert all(each.kind.bot_minutes for each in group.seeks)
            assert min(each.bots_from for each in group.seeks) <= NOW
        for each in group.seeks:
            waiting.remove(each)  # fails for someone who does not wait
    assert not could_play(waiting)


def test_the_largest_full_table_is_opened_for_those_who_wait_longest() -> None:
    people = [seek(name, waited=waited) for name, waited in (("Cleo", 1), ("Ada", 3), ("Dora", 0), ("Ben", 2))]
    group = find_group(people, NOW)
    assert group is not None
    assert ([each.name for each in group.seeks], group.seats) == (["Ada", "Ben", "Cleo", "Dora"], 4)


def test_bots_fill_a_table_when_the_first_of_two_has_waited_for_the_minutes() -> None:
    ada, ben = seek("Ada", waited=180), seek("Ben", 4, 5)
    assert find_group([ada, ben], NOW - 1) is None
    assert find_group([ada, ben], NOW) == Group((ada, ben), 4)
    assert find_group([ada], NOW) is None, "against bots alone nobody has to wait"
    assert find_group([ada, seek("Ben", minutes=0)], NOW) is None


def test_people_whose_names_look_alike_are_not_seated_together() -> None:
    ada, other_ada, ben = seek("Ada"), seek("Аda", waited=1), seek("Ben", waited=2)
    assert find_group([ada, other_ada, ben], NOW) is None
    cleo = seek("Cleo")
    assert find_group([ada, other_ada, ben, cleo], NOW) == Group((ben, other_ada, cleo), 3)


def test_a_form_asks_for_a_table_of_the_sizes_that_the_game_allows() -> None:
    paris = game("paris-connection")
    form = {"fewest": "2", "most": "4", "clock": "live", "bot_minutes": "3"}
    assert parse_kind(paris, form) == Kind("paris-connection", 3, 4, "live", 3)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"fewest": "5", "most": "4"}, RefusalCode.SEATS),
        ({"most": "2"}, RefusalCode.SEATS),
        ({"most": "²"}, RefusalCode.SEATS),
        ({"clock": "days"}, RefusalCode.SETTINGS),
        ({"bot_minutes": "2"}, RefusalCode.SETTINGS),
    ],
)
def test_a_kind_of_game_that_does_not_exist_is_refused(wrong: dict[str, str], code: RefusalCode) -> None:
    form = {"fewest": "3", "most": "4", "clock": "live", "bot_minutes": "3"}
    with pytest.raises(TableRefusal) as refused:
        parse_kind(game("paris-connection"), form | wrong)
    assert refused.value.code == code
