"""Check two processes in play while one dies or sleeps, or the database is cut off or restarted."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, TypeVar

import httpx
import psycopg
import pytest

from tests.postgres import Server as Postgres
from tests.process_tree import children_of
from tests.web.servers import QUICK, Server
from tests.web.visitors import Visitor

MANY = int(os.environ.get("SPIELTISCH_KILLS", "10"))
"""Faults; more are asked for by hand."""
SILENCE_SECONDS = 3.0
"""The time after which a page connects again: it may be that of a process that sleeps."""
NAMES = ("Ada", "Grace", "Mary")
Play = tuple[int, str]
"""A seat and a move."""
Fault = Callable[[], object]
T = TypeVar("T")


class Player(threading.Thread):
    """Plays for one person until stopped, records acknowledged moves, and counts uncertain moves."""

    def __init__(self, visitor: Visitor, path: str, chance: random.Random, counted: threading.Semaphore) -> None:
        super().__init__()
        self._visitor, self._path, self._chance, self._counted = visitor, path, chance, counted
        self.stopped = threading.Event()
        self.is_over = False
        """True as soon as the game is over."""
        self.acknowledged: list[Play] = []
        self.doubts: list[Play] = []

    def run(self) -> None:
        headers = {"Accept": "application/json"}
        while not self.stopped.is_set():
            sent: Play | None = None
            try:
                answer = self._visitor.get(self._path, headers=headers)
                state: dict[str, Any] = (
                    answer.json() if answer.status_code == 200 else {"status": "running", "moves": []}
                )
                if state["status"] != "running":
                    self.is_over = True
                    self._counted.release()
                    return
                if not state["moves"]:
                    continue
                token = self._visitor.token()
                move = self._chance.choice(state["moves"])
                fields = {"token": token, "move": move, "version": str(state["version"])}
                sent = state["seat"], move
                answer = self._visitor.post(f"{self._path}/play", data=fields, headers=headers)
                if answer.status_code == 200:
                    self.acknowledged.append((state["seat"], move))
                    self._counted.release()
                elif answer.status_code >= 500:
                    self.doubts.append((state["seat"], move))
            except (httpx.TransportError, AssertionError):  # a process died, or a page without a token said so
                self.doubts += [sent] if sent else []


class Watcher(threading.Thread):
    """A page that follows a table and reconnects; `version` is the newest version that it was sent."""

    def __init__(self, server: Server, path: str) -> None:
        super().__init__()
        self._server, self._topic = server, path.rpartition("/")[2]
        self.version = 0
        self.caught_up = threading.Condition()
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set():
            with Visitor(self._server) as visitor, suppress(httpx.TransportError):
                watch = {"watch": f"{self._topic}@{self.version}"}
                with visitor.stream("GET", "/stream", params=watch, timeout=SILENCE_SECONDS) as answer:
                    for line in answer.iter_lines():
                        if line.startswith(f"id: {self._topic}@"):
                            with self.caught_up:
                                self.version = int(line.rpartition("@")[2])
                                self.caught_up.notify()
                        if self.stopped.is_set():
                            return


def events(url: str, path: str) -> list[tuple[int, dict[str, Any]]]:
    """Return versions and events of a table as stored in the database."""
    with psycopg.connect(url) as connection:
        query = "SELECT version, data FROM events WHERE table_id = %s ORDER BY version"
        return [(version, json.loads(data)) for version, data in connection.execute(query, (path.rpartition("/")[2],))]


def kill_one(server: Server, chance: random.Random) -> None:
    os.kill(chance.choice(children_of(server.process.pid)), signal.SIGKILL)


def cut(postgres: Postgres, url: str) -> None:
    """End all connections of the server."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'spieltisch'"
        )


def restart(postgres: Postgres, url: str) -> None:
    postgres.kill()
    postgres.start()


def delay(postgres: Postgres, url: str) -> None:
    """Lock the tables of the database for two seconds."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE tables, events, people, sessions, settings, leases")
        connection.execute("SELECT pg_sleep(2)")


class Sleep:
    """Suspends a process at one fault and resumes it at the next."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self._server, self._chance = server, chance
        self._asleep = 0

    def __call__(self) -> None:
        if self._asleep:
            os.kill(self._asleep, signal.SIGCONT)
            self._asleep = 0
        else:
            self._asleep = self._chance.choice(children_of(self._server.process.pid))
            os.kill(self._asleep, signal.SIGSTOP)


def ask_again(ask: Callable[[], T]) -> T:
    """Retry a request until a fault is over, at most for a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(httpx.TransportError, AssertionError):
            return ask()
    return ask()


def play_through(server: Server, url: str, fault: Fault, faults: int, chance: random.Random) -> None:
    """Play while faults occur, and check after each that no acknowledged move is lost or repeated."""
    with ExitStack() as stack:
        visitors = [stack.enter_context(Visitor(server)) for _ in NAMES]
        for visitor in visitors:
            visitor.timeout = httpx.Timeout(5)  # of a process that sleeps

        def table() -> str:
            path = visitors[0].table("me", "open", "open", "bot:random", name=NAMES[0], watch="open")
            for visitor, name in zip(visitors[1:], NAMES[1:], strict=True):
                assert visitor.sit(path, name).status_code == 303
            return path

        paths = [ask_again(table)]
        acknowledged: dict[str, list[Play]] = {}
        doubts: dict[str, int] = {}
        watching: list[Watcher] = []
        for _ in range(faults):
            path, counted = paths[-1], threading.Semaphore(0)
            watcher = Watcher(server, path)
            watcher.start()
            stack.callback(watcher.stopped.set)
            players = [Player(visitor, path, random.Random(chance.random()), counted) for visitor in visitors]
            for player in players:
                player.start()
                stack.callback(player.join)  # before its visitor closes, if this fails
                stack.callback(player.stopped.set)
            for _ in range(chance.randint(1, 8)):
                counted.acquire(timeout=10)
            threading.Event().wait(chance.uniform(0.0, 0.05))  # a random moment of the next move
            fault()
            before = sum(len(player.acknowledged) for player in players)
            while not any(player.is_over for player in players) and before + 3 > sum(
                len(player.acknowledged) for player in players
            ):
                assert counted.acquire(timeout=60), f"no move for a minute after a fault\n{server.log}"
            for player in players:
                player.stopped.set()
            for player in players:
                player.join()
                acknowledged.setdefault(path, []).extend(player.acknowledged)
                doubts[path] = doubts.get(path, 0) + len(player.doubts)
            state = ask_again(partial(visitors[0].state, path))
            with watcher.caught_up:
                assert watcher.caught_up.wait_for(lambda: watcher.version >= state["version"], timeout=60)  # noqa: B023  # called at once
            watcher.stopped.set()
            watching.append(watcher)
            if state["status"] != "running":
                paths.append(ask_again(table))
        for watcher in watching:
            watcher.join()
        for path, plays in acknowledged.items():
            stored = events(url, path)
            assert [version for version, _ in stored] == [*range(1, len(stored) + 1)]
            moves = [(event["seat"], event["move"]) for _, event in stored if "move" in event]
            for seat in range(len(NAMES)):
                own, rest = [play for play in plays if play[0] == seat], iter(play for play in moves if play[0] == seat)
                assert all(play in rest for play in own), "an acknowledged move is lost"
            assert sum(seat < len(NAMES) for seat, _ in moves) <= len(plays) + doubts[path], "a move is there twice"
        assert sum(map(len, acknowledged.values())) > 2 * faults


def start(url: str) -> Server:
    return Server(url, "--workers", "2", command=[*QUICK[:-1], "--database"])


@pytest.mark.crash
def test_acknowledged_moves_survive_the_death_of_processes(postgres: Postgres) -> None:
    chance, url = random.Random(12), postgres.schema()
    server = start(url)
    play_through(server, url, lambda: kill_one(server, chance), MANY, chance)
    assert server.stop() == 0, server.log


@pytest.mark.crash
def test_acknowledged_moves_survive_a_suspended_process(postgres: Postgres) -> None:
    chance, url = random.Random(13), postgres.schema()
    server = start(url)
    play_through(server, url, Sleep(server, chance), MANY - MANY % 2, chance)
    assert server.stop() == 0, server.log


@pytest.mark.crash
@pytest.mark.parametrize("fault", [cut, restart, delay])
def test_acknowledged_moves_survive_outages_and_restarts_of_the_database(
    private_server: Postgres, fault: Callable[[Postgres, str], None]
) -> None:
    chance, url = random.Random(14), private_server.schema()
    server = start(url)
    play_through(server, url, lambda: fault(private_server, url), MANY, chance)
    with Visitor(server) as visitor:
        while not visitor.get("/ready").json()["ready"]:
            pass  # until it is asked for again
    assert server.stop() == 0, server.log
