"""kill -9 at random moments of a running game: every acknowledged move is there, bots go on, a browser
reconnects.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import QUICK, Server, Visitor, comes_true

MANY = int(os.environ.get("SPIELTISCH_KILLS", "25"))
"""Kills; more are asked for by hand."""

Play = tuple[int, str]
"""A seat and a move."""


class Player(threading.Thread):
    """Plays for one person as fast as the server answers, until the line is cut; keeps what was acknowledged."""

    def __init__(self, visitor: Visitor, path: str, chance: random.Random, counted: threading.Semaphore) -> None:
        super().__init__()
        self._visitor, self._path, self._chance, self._counted = visitor, path, chance, counted
        self.acknowledged: list[Play] = []

    def run(self) -> None:
        try:
            token = self._visitor.token()
            while (state := self._visitor.state(self._path))["status"] == "running":
                if not state["moves"]:
                    continue
                move = self._chance.choice(state["moves"])
                answer = self._visitor.post(
                    f"{self._path}/play",
                    data={"token": token, "move": move, "version": str(state["version"])},
                    headers={"Accept": "application/json"},
                )
                if answer.status_code == 200:
                    self.acknowledged.append((state["seat"], move))
                    self._counted.release()
        except httpx.TransportError:
            return  # the server was killed


def events(file: Path, path: str) -> list[tuple[int, dict[str, Any]]]:
    """Versions and events of a table as they stand in the file."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(
            "select version, data from events where table_id = ? order by version", (path.rpartition("/")[2],)
        ).fetchall()
    return [(version, json.loads(data)) for version, data in rows]


def moves(file: Path, path: str) -> list[Play]:
    return [(event["seat"], event["move"]) for _, event in events(file, path) if "move" in event]


def among(part: list[Play], whole: list[Play]) -> bool:
    """Return True if the plays of one list are in the other in the same order."""
    rest = iter(whole)
    return all(play in rest for play in part)


@pytest.mark.browser
@pytest.mark.parametrize("kills", [3, pytest.param(MANY, marks=pytest.mark.crash)])
def test_killed_at_random_moments(kills: int, own_server: Callable[..., Server], chromium: Browser) -> None:
    chance = random.Random(11)
    server = own_server(command=QUICK)
    port = server.address.rpartition(":")[2]
    names = ("Ada", "Grace", "Mary")
    visitors = [Visitor(server) for _ in names]

    def table() -> str:
        path = visitors[0].table("me", "open", "open", "bot:easy", name=names[0])
        for visitor, name in zip(visitors[1:], names[1:], strict=True):
            assert visitor.sit(path, name).status_code == 303
        return path

    paths = [table()]
    page = chromium.new_page()
    page.goto(f"{server.address}{paths[0]}")
    acknowledged: dict[str, list[Play]] = {}
    for _ in range(kills):
        path = paths[-1]
        counted = threading.Semaphore(0)
        players = [Player(visitor, path, random.Random(chance.random()), counted) for visitor in visitors]
        for player in players:
            player.start()
        for _ in range(chance.randint(0, 8)):  # so many moves are acknowledged, and then at a random moment ...
            counted.acquire(timeout=10)
        killer = threading.Timer(chance.uniform(0.0, 0.05), server.process.send_signal, (signal.SIGKILL,))
        killer.start()
        for thread in (killer, *players):
            thread.join()
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL

        stored = moves(server.file, path)
        for player in players:
            assert among(player.acknowledged, stored), "an acknowledged move is lost"
            acknowledged.setdefault(path, []).extend(player.acknowledged)
        versions = [version for version, _ in events(server.file, path)]
        assert versions == list(range(1, len(versions) + 1))

        server = own_server("--port", port, command=QUICK)
        state = visitors[0].state(path)
        assert state["version"] >= len(versions)
        if state["status"] == "finished":
            paths.append(table())
    total = sum(len(plays) for plays in acknowledged.values())
    assert total > 2 * kills, total

    path = paths[-1]
    if len(paths) > 1:
        page.goto(f"{server.address}{path}")
    while (state := visitors[0].state(path))["to_decide"] == 3:
        pass  # the bot goes on by itself
    if state["status"] == "running":
        mover = visitors[state["to_decide"]]
        mover.play(path, mover.state(path)["moves"][0])
    shown = visitors[0].state(path)["version"]
    comes_true(page, "least => Number(document.getElementById('live').dataset.version) >= least", shown)
    expect(page.locator("#line")).to_be_hidden()
    page.close()
    for visitor in visitors:
        visitor.close()
    assert server.stop() == 0, server.log
    for path in paths:
        stored = moves(server.file, path)
        for seat in range(len(names)):
            own_plays = [play for play in acknowledged.get(path, []) if play[0] == seat]
            assert among(own_plays, stored)
