"""Check opening a table, sitting down, leaving, and bots in empty seats."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.tables import NewTable
from spieltisch.tables.events import Seated
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused


def test_the_game_starts_when_the_last_player_sits_down() -> None:
    sitting = Sitting.open("me", "open", "bot:easy")
    assert sitting.table.status == "open"
    sitting.does(tables.sit, BEN)
    table = sitting.table
    assert table.status == "running"
    assert table.names == ("Ada", "Ben", "Hertha")
    assert table.position is not None
    assert table.position.number == 0
    assert table.secret is None
    assert table.matches_commitment
    assert [type(event.event).__name__ for event in table.events] == [
        "Opened",
        "Seated",
        "BotSeated",
        "Seated",
        "Started",
    ]


def test_a_table_of_bots_starts_at_once() -> None:
    assert Sitting.open("bot:easy", "bot:random", "bot:easy").table.status == "running"


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (NewTable("paris-connection", ("me", "open")), "seats"),
        (NewTable("paris-connection", ("me",) * 3), "seats"),
        (NewTable("paris-connection", ("me", "open", "throne")), "seats"),
        (NewTable("paris-connection", ("me", "open", "reserved")), "seats"),
        (NewTable("paris-connection", ("me", "open", "bot:<b>")), "bot"),
        (NewTable("paris-connection", ("me", "open", "open"), {"cut_off": "perhaps"}), "options"),
        (NewTable("paris-connection", ("me", "open", "open"), {"gravity": "strong"}), "options"),
        (NewTable("paris-connection", ("me", "open", "open"), watch="secretly"), "watch"),
    ],
)
def test_settings_of_a_new_table_unknown_to_the_game_are_refused(plan: NewTable, code: str) -> None:
    with refused(code):
        Sitting.plan(plan)


def test_options_are_read_from_the_text_of_a_form() -> None:
    plan = NewTable("paris-connection", ("me", "open", "open"), {"memory_aid": "False", "cut_off": "weak"})
    assert Sitting.plan(plan).table.opened.options == {
        "memory_aid": False,
        "cut_off": "weak",
        "stations": "closed",
        "standstill": "goes on",
    }


def test_the_kind_of_a_seat_decides_who_may_take_it() -> None:
    sitting = Sitting.open("me", "open", "link", "link")
    with refused("already-seated"):
        sitting.does(tables.sit, ADA, 1)
    with refused("not-invited"):
        sitting.does(tables.sit, BEN, 2)
    with refused("seat-taken"):
        sitting.does(tables.sit, BEN, 0)
    with refused("seat"):
        sitting.does(tables.sit, BEN, 9)
    sitting.does(tables.sit, BEN, 2, by_link=True)
    sitting.does(tables.sit, CLEO)
    assert sitting.table.seat_of(CLEO.id) == 1
    with refused("not-invited"):
        sitting.does(tables.sit, DORA)
    sitting.does(tables.sit, DORA, by_link=True)
    assert sitting.table.status == "running"
    with refused("seat-taken"):
        sitting.does(tables.sit, tables_person("Eve"), by_link=True)


def test_a_link_to_the_table_gives_only_open_seats_and_the_seat_of_the_visitor() -> None:
    sitting = Sitting.running()
    sitting.does(tables.leave, CLEO.id)
    with refused("not-invited"):
        sitting.does(tables.sit, DORA, by_link=True)
    sitting.does(tables.sit, CLEO, by_link=True)
    assert sitting.table.seat_of(CLEO.id) == 2, "one's own seat"


def tables_person(name: str) -> tables.Participant:
    return type(ADA)(name.lower(), name)


def test_a_player_who_leaves_before_the_game_frees_the_seat() -> None:
    sitting = Sitting.open("me", "open", "link")
    sitting.does(tables.sit, BEN, 1)
    sitting.does(tables.leave, BEN.id)
    assert sitting.table.seats[1].kind == "open"
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.status == "aborted", "nobody is left, not even as host"


def test_the_host_role_passes_to_another_player() -> None:
    sitting = Sitting.running()
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.host == BEN.id
    assert sitting.table.seats[0].kind == "left"
    assert sitting.table.status == "running"


def test_the_seat_of_a_player_who_left_can_be_taken_by_a_bot_another_person_or_that_player() -> None:
    sitting = Sitting.running()
    sitting.does(tables.leave, BEN.id)
    with refused("not-host"):
        sitting.does(tables.replace_with_bot, CLEO.id, 1, "easy")
    with refused("seat-taken"):
        sitting.does(tables.replace_with_bot, ADA.id, 2, "easy")
    with refused("bot"):
        sitting.does(tables.replace_with_bot, ADA.id, 1, "champion")
    with refused("not-invited"):
        sitting.does(tables.sit, DORA)
    sitting.does(tables.sit, BEN)
    assert sitting.table.seats[1].person == BEN.id
    sitting.does(tables.leave, BEN.id)
    sitting.does(tables.replace_with_bot, ADA.id, 1, "easy")
    assert sitting.table.seats[1].kind == "bot"
    sitting.does(tables.leave, CLEO.id)
    sitting.does(tables.sit, DORA, 2, by_link=True)
    assert sitting.table.seats[2].person == DORA.id
    assert sitting.table.status == "running"


def test_the_last_person_to_leave_closes_the_table() -> None:
    sitting = Sitting.running()
    for person in (ADA, BEN, CLEO):
        assert sitting.table.status == "running"
        sitting.does(tables.leave, person.id)
    assert sitting.table.status == "aborted"
    with refused("over", "over"):
        sitting.does(tables.leave, ADA.id)


def test_the_announced_consequence_of_leaving_depends_on_the_state_of_the_table() -> None:
    sitting = Sitting.open("me", "open", "open")
    assert tables.leaving(sitting.table, ADA.id)[0] == "closes"
    sitting.does(tables.sit, BEN)
    assert tables.leaving(sitting.table, ADA.id)[0] == "free"
    sitting = Sitting.running()
    assert tables.leaving(sitting.table, BEN.id)[0] == "waits"
    sitting.does(tables.ask_abort, ADA.id)
    assert tables.leaving(sitting.table, BEN.id)[0] == "waits"
    sitting.does(tables.agree_abort, CLEO.id)
    assert tables.leaving(sitting.table, BEN.id)[0] == "ends"
    with refused("not-your-seat"):
        tables.leaving(sitting.table, DORA.id)
    sitting = Sitting.open("me", "bot:easy", "bot:easy")
    assert tables.leaving(sitting.table, ADA.id)[0] == "closes"
    version = sitting.table.version
    assert tables.leaving(sitting.table, ADA.id) == tables.leaving(sitting.folded(), ADA.id)
    assert sitting.table.version == version


def test_the_seat_of_a_player_who_left_is_kept_and_its_turn_is_assigned_to_no_player() -> None:
    sitting = Sitting.running()
    people = (ADA, BEN, CLEO)
    assert sitting.table.to_decide is not None
    mover, other_player = people[sitting.table.to_decide], people[(sitting.table.to_decide + 1) % 3]
    sitting.does(tables.leave, other_player.id)
    summary = sitting.table.summary()
    assert summary.mover == summary.seats[sitting.table.to_decide]
    assert (list(summary.seats_to_take_again(other_player.id)), summary.seats_to_take_again(mover.id)) == (
        [people.index(other_player)],
        {},
    )
    sitting.does(tables.leave, mover.id)
    assert sitting.table.summary().mover is None
    assert sitting.table.summary().waiting_for == ""
    sitting.does(tables.sit, mover)
    assert sitting.table.summary().waiting_for == mover.id
    assert sitting.table.summary().seats_to_take_again(mover.id) == {}


def test_a_host_without_a_seat_remains_the_host() -> None:
    sitting = Sitting.open("open", "bot:easy", "bot:easy")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.leave, BEN.id)
    assert (sitting.table.status, sitting.table.host) == ("running", ADA.id)
    sitting.does(tables.replace_with_bot, ADA.id, 0, "random")
    sitting.does(tables.ask_abort, ADA.id)
    assert sitting.table.status == "aborted"


def test_a_host_who_leaves_stays_host_while_their_device_has_a_player() -> None:
    sitting = Sitting.open("open", "me", "here:Ben")
    sitting.does(tables.sit, CLEO)
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.host == ADA.id
    sitting.does(tables.reclaim_seat, ADA.id, 2, lambda person, hours: False)
    assert sitting.table.host == ADA.id, "who hands a seat out does not give the table away"
    sitting.does(tables.sit, tables_neighbour("Ben", 2))
    sitting.does(tables.leave, tables.hot_seat_id(ADA.id, 2))
    assert sitting.table.host == CLEO.id


def test_a_hot_seat_player_on_the_hosts_device_is_no_host() -> None:
    sitting = Sitting.open("open", "here:Cleo", "here:Dora")
    sitting.does(tables.sit, BEN)
    for number in (1, 2):
        sitting.does(tables.leave, tables.hot_seat_id(ADA.id, number))
        assert sitting.table.host == ADA.id, "a host who only watches keeps the table"
    sitting = Sitting.open("me", "here:Cleo", "open", watch_policy="off")
    sitting.does(tables.sit, BEN)
    sitting.does(tables.leave, tables.hot_seat_id(ADA.id, 1))
    sitting.does(tables.leave, ADA.id)
    assert sitting.table.host == BEN.id
    assert [seat.number for seat in sitting.table.seats_reserved_for(ADA.id)] == [0, 1]
    assert [seat.number for seat in sitting.table.seats_reserved_for(BEN.id)] == []
    assert tables.seat_of_viewer(sitting.table, ADA.id) is None
    sitting.does(tables.replace_with_bot, BEN.id, 0, "random")
    assert tables.seat_of_viewer(sitting.table, ADA.id) is None, "a seat is reserved for who plays beside her"
    sitting.does(tables.replace_with_bot, BEN.id, 1, "random")
    with refused("no-table"):
        tables.seat_of_viewer(sitting.table, ADA.id)


def tables_neighbour(name: str, seat: int) -> tables.Participant:
    """Return the player on Ada's device."""
    return type(ADA)(tables.hot_seat_id(ADA.id, seat), name)


@pytest.mark.parametrize(
    ("watch_policy", "has_link", "allowed"),
    [("open", False, True), ("link", False, False), ("link", True, True), ("off", True, False)],
)
def test_the_spectator_policy_decides_who_may_watch(watch_policy: str, has_link: bool, allowed: bool) -> None:
    sitting = Sitting.running(watch_policy=watch_policy)
    assert tables.seat_of_viewer(sitting.table, BEN.id) == 1
    for stranger in (DORA.id, None):
        if allowed:
            assert tables.seat_of_viewer(sitting.table, stranger, by_link=has_link) is None
        else:
            with refused("no-table"):
                tables.seat_of_viewer(sitting.table, stranger, by_link=has_link)


def test_only_the_host_can_renew_links() -> None:
    sitting = Sitting.open("me", "open", "link")
    with refused("not-host"):
        sitting.does(tables.renew_links, BEN.id, 2)
    with refused("seat"):
        sitting.does(tables.renew_links, ADA.id, -1)
    sitting.does(tables.renew_links, ADA.id, 2)
    with refused("not-host"):
        sitting.does(tables.renew_table_links, BEN.id)
    sitting.does(tables.renew_table_links, ADA.id)
    assert sitting.table.table_link_version == 1
    assert sitting.table.seats[2].link_version == 1


def test_confusable_names_cannot_sit_together() -> None:
    double = Somebody("another", "\u0410d\u0430")  # as it may stand in an old database: two letters are Cyrillic
    sitting = Sitting.open("me", "here:Cleo", "open", "link")
    for name in ("Ada", "Сleo", double.name):
        with refused("name"):
            sitting.does(tables.sit, Somebody("another", name))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, double._replace(name="Bea"), by_link=True)
    assert sitting.table.names == ("Ada", "Cleo", "Ben", "Bea")
    with refused("name"):
        Sitting.open("me", "here:Adа", "open")
    with refused("name"):
        Sitting.open("me", "here:Ben", "here:ben")


def test_a_player_with_a_confusable_name_may_return() -> None:
    """Two players at a table of an old database have names that look the same."""
    sitting = Sitting.open("me", "open", "open")
    double = Somebody("another", "Ada")
    sitting.does(lambda table: [Seated(seat=1, person=double.id, name=double.name)])
    sitting.does(tables.sit, BEN)
    sitting.does(tables.leave, double.id)
    with refused("name"):
        sitting.does(tables.sit, Somebody("a third", "Ada"), 1, by_link=True)
    sitting.does(tables.sit, double)
    assert sitting.table.names == ("Ada", "Ada", "Ben")
