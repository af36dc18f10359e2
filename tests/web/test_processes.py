"""Check a server of several processes on one port, whose parent replaces dead processes."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from spieltisch.web.processes import StopSignals, run_processes
from tests.postgres import Server as Postgres
from tests.process_tree import children_of, wait_for_end
from tests.web.servers import SERVE, SERVE_DATABASE, Server, ServerEnded
from tests.web.visitors import Visitor, table_of_three

TOKEN = "correct horse"  # noqa: S105  # of a test
SEVERAL = ("--workers", "2", "--metrics-token", TOKEN)
IMPATIENT = [
    sys.executable,
    "-c",
    "from spieltisch.web import processes; processes.STOP_SECONDS = 0.2; from spieltisch.cli import app; app()",
    *SERVE_DATABASE[1:],
]
"""The command of a server that soon kills processes that do not stop."""


def process_of(visitor: Visitor) -> str:
    """Return the process that serves a visitor with an open connection."""
    answer = visitor.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    (name,) = set(re.findall(r'process="([^"]+)"', answer.text))
    return str(name)


def visitors_of_both(server: Server, stack: ExitStack) -> Iterator[Visitor]:
    """Yield a visitor of each process."""
    known: set[str] = set()
    while len(known) < 2:
        visitor = stack.enter_context(Visitor(server))
        if (name := process_of(visitor)) not in known:
            known.add(name)
            yield visitor


def test_two_processes_serve_one_port_and_a_dead_process_is_replaced(postgres: Postgres) -> None:
    """This test represents its file in the first tier."""
    server = Server(postgres.schema(), *SEVERAL, command=SERVE_DATABASE)
    with ExitStack() as stack:
        ada, ben = visitors_of_both(server, stack)
        path, people = table_of_three(ada, ben, stack.enter_context(Visitor(server)))
        mover = people[ada.state(path)["to_decide"]]
        assert mover.play(path, mover.state(path)["moves"][0]).is_success
        state = ada.state(path)
        before = children_of(server.process.pid)
        os.kill(before[0], signal.SIGKILL)
        wait_for_end(before[0])
        for _ in range(20):
            with Visitor(server) as stranger:
                assert stranger.get("/ready").json() == {"ready": True, "why": ""}
        with Visitor(server) as again:
            again.cookies.update(ada.cookies)
            assert again.state(path) == state
        server.says(rf"a process ended +code=-9 .*process={before[0]}\b")
        server.says(r"(?s)a process ended.*a process is ready")
        now = children_of(server.process.pid)
        assert len(now) == 2
        assert before[1] in now
        list(visitors_of_both(server, stack))
    assert server.stop(signal.SIGHUP) == 0, server.log
    for process in now:
        wait_for_end(process)


@pytest.mark.postgresql
def test_server_processes_end_with_their_parent(postgres: Postgres) -> None:
    server = Server(postgres.schema(), *SEVERAL, command=SERVE_DATABASE)
    processes = children_of(server.process.pid)
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    for process in processes:
        wait_for_end(process)


@pytest.mark.postgresql
def test_a_suspended_process_leaves_its_visitors_to_the_other_and_is_killed_at_the_end(postgres: Postgres) -> None:
    server = Server(postgres.schema(), *SEVERAL, command=IMPATIENT)
    stopped, _ = children_of(server.process.pid)
    os.kill(stopped, signal.SIGSTOP)
    for _ in range(20):
        with Visitor(server) as visitor:
            assert visitor.get("/ready").status_code == 200
    assert server.stop() == 0, server.log
    assert str(stopped) in server.log
    wait_for_end(stopped)


@pytest.mark.parametrize("options", [("--data", "{folder}"), ("--database", "postgresql://localhost:1/games")])
def test_a_failed_start_ends_all_processes_and_prints_the_reason_once(options: tuple[str, str], tmp_path: Path) -> None:
    words = [word.format(folder=tmp_path / "data") for word in options]
    with pytest.raises(ServerEnded) as ended:
        Server(words[1], *SEVERAL, command=[*SERVE[:-1], words[0]])
    (line,) = str(ended.value).splitlines()
    assert line.startswith("spieltisch: ")
    assert ("PostgreSQL" if "--data" in options else "localhost:1/games") in line
    assert not (tmp_path / "data").exists()


class Unreadable:
    """A value that can be pickled, but not unpickled."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("no number",)


class WithoutPickle(Exception):
    """An error with a value that cannot be unpickled, like some errors of libraries.

    An `__init__` that its own arguments do not fit is not enough: after a test with Dask, which installs tblib's way
    to pickle errors, it is no longer called.
    """

    def __init__(self, name: str, number: int) -> None:
        super().__init__(f"{name} {number}")
        self.value = Unreadable()


def test_an_error_of_a_process_that_cannot_be_unpickled_is_described() -> None:
    def run(ready: Callable[[], None]) -> None:
        raise WithoutPickle("module", 7)

    with pytest.raises(OSError, match=re.escape("WithoutPickle('module 7')")):
        run_processes(2, run, StopSignals(), lambda: None)
