"""kill -9 at random moments: what was acknowledged is there."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from spieltisch.store import Store
from tests.store import appender
from tests.waiting import wait

KILLS = 50
ROOT = Path(__file__).parents[2]


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    chance = random.Random(20261121)  # moments of a test
    acknowledged: dict[str, int] = dict.fromkeys(appender.TABLES, 0)
    for _ in range(KILLS):
        command = [sys.executable, "-m", "tests.store.appender", str(path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout is not None
        for _ in range(chance.choice((1, 2, 3, 5, 10, 20, 50, 100))):
            _note(acknowledged, process.stdout.readline())
        process.kill()
        for line in process.stdout:
            _note(acknowledged, line)
        process.wait()
        process.stdout.close()
        _check(path, acknowledged)
    assert min(acknowledged.values()) > KILLS


def _note(acknowledged: dict[str, int], line: bytes) -> None:
    assert line.endswith(b"\n"), "the process ended by itself"
    table, version = line.split()
    assert int(version) == acknowledged[table.decode()] + 1
    acknowledged[table.decode()] = int(version)


def _check(path: Path, acknowledged: dict[str, int]) -> None:
    store = Store(path)
    try:
        stored = {one.id: one.version for one in wait(store.tables())}
        for table, version in acknowledged.items():
            events = wait(store.events(table))
            assert [event.version for event in events] == list(range(1, len(events) + 1)), "no gap, no double"
            assert [event.data for event in events] == [b'{"n":%d}' % event.version for event in events]
            assert len(events) == stored.get(table, 0)
            # The last append may have reached the disk without having been acknowledged any more.
            assert version <= len(events) <= version + 1
            acknowledged[table] = len(events)
        assert wait(store.lost()) == (), "and nothing is missed that never was"
    finally:
        wait(store.close())
