"""kill -9 between move, outbox and sending, many times: no alert is lost, none tells of what is not there."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from spieltisch.live import Live
from tests.live.alert_process import turns
from tests.live.fake_services import web_server

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.crash)])
def test_no_alert_is_lost_and_none_is_of_a_move_that_is_not_there(kills: int, toy: str, tmp_path: Path) -> None:
    path, chance = tmp_path / "house.sqlite3", random.Random(17)
    with web_server() as web:
        command = [sys.executable, "-m", "tests.live.alert_process", str(path), web.address]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": ROOT, "text": True, "bufsize": 1}
        stood = 0
        with subprocess.Popen(command, **pipes) as teller:  # type: ignore[call-overload]  # as many as it takes
            for _ in range(kills):
                teller.stdin.write("\n")
                child = int(teller.stdout.readline().split()[1])
                ready, table, version, person = teller.stdout.readline().split()
                assert ready == "stands"
                announced = [
                    tuple(turn) for sent in web.sent if sent.path == f"/{person}" for turn in sent.json["about"]
                ]
                assert version == "0" or (table, int(version)) in announced, "what came to disk with a move is told"
                stood += version != "0"
                for _ in range(chance.randint(0, 4)):
                    assert teller.stdout.readline() == "moved\n"
                killer = threading.Timer(chance.uniform(0.0, 0.03), os.kill, (child, signal.SIGKILL))
                killer.start()
                killer.join()
                while teller.stdout.readline() != "gone\n":
                    assert teller.poll() is None
            teller.stdin.close()
            teller.wait(timeout=60)

        async def look() -> None:
            live = await Live.open(path)
            turns_of_tables = {table.id: turns(await live.tables.get(table.id)) for table in await live.store.tables()}
            ids: dict[tuple[str, int], set[str]] = {}
            for sent in web.sent:
                for table, version in sent.json["about"]:
                    assert (version, sent.path.strip("/")) in turns_of_tables[table], "a turn that never was"
                    ids.setdefault((table, version), set()).add(sent.json["id"])
            assert all(len(same) == 1 for same in ids.values()), "one alert a turn, and a repeat bears its id"
            assert min(len(ids), stood) > kills / 10, (len(ids), stood)
            await live.close()

        asyncio.run(look())
