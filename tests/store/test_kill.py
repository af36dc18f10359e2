"""Check that acknowledged writes survive kill -9 at random moments."""

from __future__ import annotations

import random
import signal
import sys
from pathlib import Path

import pytest

from spieltisch.store import Store
from tests.async_wait import wait
from tests.forked import Process
from tests.store import append_process

APPENDING = "import sys; from tests.store.append_process import run; run(sys.argv[1])"


@pytest.mark.parametrize("kills", [1, pytest.param(50, marks=pytest.mark.crash)])
def test_no_acknowledged_write_is_lost_by_a_kill(kills: int, tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    chance = random.Random(20261121)  # moments of a test
    acknowledged_versions: dict[str, int] = dict.fromkeys(append_process.TABLES, 0)
    for _ in range(kills):
        process = Process([sys.executable, "-c", APPENDING, path])
        for _ in range(chance.choice((1, 2, 3, 5, 10, 20, 50, 100))):
            _note(acknowledged_versions, process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            _note(acknowledged_versions, line)
        process.wait()
        process.stdout.close()
        _check(path, acknowledged_versions)
    assert min(acknowledged_versions.values()) >= kills, acknowledged_versions


def _note(acknowledged_versions: dict[str, int], line: str) -> None:
    assert line.endswith("\n"), "the process ended by itself"
    table, version = line.split()
    assert int(version) == acknowledged_versions[table] + 1
    acknowledged_versions[table] = int(version)


def _check(path: Path, acknowledged_versions: dict[str, int]) -> None:
    store = Store(path)
    try:
        stored_versions = {table.id: table.version for table in wait(store.tables())}
        for table, version in acknowledged_versions.items():
            events = wait(store.events(table))
            assert [event.version for event in events] == list(range(1, len(events) + 1)), "no gap, no double"
            assert [event.data for event in events] == [b'{"n":%d}' % event.version for event in events]
            assert len(events) == stored_versions.get(table, 0)
            # The last append may have reached the disk without having been acknowledged any more.
            assert version <= len(events) <= version + 1
            acknowledged_versions[table] = len(events)
        assert wait(store.lost_events()) == (), "and nothing is missed that never was"
    finally:
        wait(store.close())
