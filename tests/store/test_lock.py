"""Check that only one server at a time opens a database file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from spieltisch.store import Store, StoreInUse
from tests.async_wait import wait

HOLD = """
import sys
from pathlib import Path
from spieltisch.store import Store
store = Store(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
"""


def process_with_lock(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def test_a_second_server_is_refused_until_the_first_server_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    with process_with_lock(path) as first:
        with pytest.raises(StoreInUse, match=rf"process {first.pid}\) is using .*house.sqlite3"):
            Store(path)
        first.kill()
    wait(Store(path).close())


def test_one_process_cannot_open_a_database_twice(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    store = Store(path)
    with pytest.raises(StoreInUse):
        Store(path)
    other_store = Store(tmp_path / "other.sqlite3")
    wait(other_store.close())
    wait(store.close())
    wait(store.close())
    wait(Store(path).close())
