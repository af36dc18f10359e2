"""Check which people get a new lobby version when a table changes."""

from __future__ import annotations

from collections.abc import Set

import pytest
from msgspec.structs import replace

from spieltisch.live import lobby_versions
from spieltisch.live.lobby_versions import LobbyVersions
from spieltisch.tables import SeatSummary, TableSummary

OPEN = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("open")), host="ada")
BY_LINK = TableSummary("open", (SeatSummary("person", "ada", "Ada"), SeatSummary("link")), host="ada")
RUNNING = TableSummary(
    "running",
    (SeatSummary("person", "ada", "Ada"), SeatSummary("person", "ben/1", "Bo"), SeatSummary("left", "cleo", "Cleo")),
    to_decide=0,
    host="dora",
)
NEXT = TableSummary("running", RUNNING.seats, to_decide=1, host="dora")
DELAYED = replace(RUNNING, watch_delay=5)
DELAYED_NEXT = replace(NEXT, watch_delay=5)
DELAYED_END = replace(NEXT, watch_delay=5, status="finished")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, OPEN, None),
        (OPEN, RUNNING, None),
        (None, BY_LINK, {"ada"}),
        (BY_LINK, RUNNING, {"ada", "ben", "cleo", "dora"}),
        (RUNNING, NEXT, {"ada", "ben", "cleo", "dora"}),
        (DELAYED, DELAYED_NEXT, {"ada", "ben"}),
        (DELAYED_NEXT, DELAYED_END, {"ada", "ben", "cleo", "dora"}),
    ],
)
def test_only_people_with_a_changed_lobby_get_a_new_lobby_version(
    before: TableSummary | None, after: TableSummary, expected: set[str] | None
) -> None:
    versions, changes = LobbyVersions(7), list[Set[str] | None]()
    versions.changed = changes.append
    versions.change(before, after)
    assert changes == [expected]
    grown = {person for person in ("ada", "ben", "cleo", "dora", "eve", None) if versions.of(person) > 7}
    assert grown == ({"ada", "ben", "cleo", "dora", "eve", None} if expected is None else expected)
    versions.change(after, after)
    assert changes == [expected], "a move that leaves all that a lobby shows as it was"


def test_people_evicted_from_the_cache_never_miss_a_lobby_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_versions, "MAX_PEOPLE", 2)
    versions = LobbyVersions(0)
    for name in ("ada", "ben", "cleo"):
        versions.change(None, TableSummary("open", (SeatSummary("person", name, name), SeatSummary("link")), host=name))
    ada, ben, cleo, dora = [versions.own(name) for name in ("ada", "ben", "cleo", "dora")]
    assert 0 < ada == dora <= min(ben, cleo)
    versions.change_all()
    (newest,) = {versions.of(name) for name in ("ada", "dora", None)}
    assert newest > max(ben, cleo)


def test_lobby_versions_do_not_reveal_changes_at_tables_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic_ns", lambda: 10**18)
    own_versions, in_company = LobbyVersions(0), LobbyVersions(0)
    for number in range(100):
        name = f"ben-{number % 2}"
        in_company.change(None, TableSummary("open", (SeatSummary("person", name), SeatSummary("link")), host=name))
    for versions in (own_versions, in_company):
        versions.change(None, BY_LINK)
    assert own_versions.of("ada") == in_company.of("ada") > 10**12
    assert in_company.of("ben-1") == own_versions.of("ada") + 49
    assert own_versions.of(None) == in_company.of(None) == 0
