"""Check that acknowledged moves survive kill -9 at random moments, and that bots and browsers continue."""

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

from tests.web.conftest import wait_for_true
from tests.web.servers import QUICK, Server
from tests.web.visitors import Visitor

MANY = int(os.environ.get("SPIELTISCH_KILLS", "25"))
"""Kills; more are asked for by hand."""

Play = tuple[int, str]
"""A seat and a move."""


class Player(threading.Thread):
    """Plays for one person until the connection is cut, and records acknowledged moves."""

    def __init__(self, visitor: Visitor, path: str, chance: random.Random, move_count: threading.Semaphore) -> None:
        super().__init__()
        self._visitor, self._path, self._chance, self._counted = visitor, path, chance, move_count
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
    """Return versions and events of a table as stored in the file."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(
            "select version, data from events where table_id = ? order by version", (path.rpartition("/")[2],)
        ).fetchall()
    return [(version, json.loads(data)) for version, data in rows]


def moves(file: Path, path: str) -> list[Play]:
    return [(event["seat"], event["move"]) for _, event in events(file, path) if "move" in event]


def among(part: list[Play], whole_play: list[Play]) -> bool:
    """Return True if the plays of one list are in the other in the same order."""
    remaining_plays = iter(whole_play)
    return all(play in remaining_plays for play in part)


@pytest.mark.browser
@pytest.mark.parametrize("kills", [3, pytest.param(MANY, marks=pytest.mark.crash)])
def test_acknowledged_moves_survive_kills_at_random_moments(
    kills: int, own_server: Callable[..., Server], chromium: Browser
) -> None:
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
    acknowledged_plays: dict[str, list[Play]] = {}
    for _ in range(kills):
        path = paths[-1]
        move_count = threading.Semaphore(0)
        players = [Player(visitor, path, random.Random(chance.random()), move_count) for visitor in visitors]
        for player in players:
            player.start()
        for _ in range(chance.randint(0, 8)):  # so many moves are acknowledged, and then at a random moment ...
            move_count.acquire(timeout=10)
        killer = threading.Timer(chance.uniform(0.0, 0.05), server.process.send_signal, (signal.SIGKILL,))
        killer.start()
        for thread in (killer, *players):
            thread.join()
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL

        stored_moves = moves(server.file, path)
        for player in players:
            assert among(player.acknowledged, stored_moves), "an acknowledged move is lost"
            acknowledged_plays.setdefault(path, []).extend(player.acknowledged)
        versions = [version for version, _ in events(server.file, path)]
        assert versions == list(range(1, len(versions) + 1))

        server = own_server("--port", port, command=QUICK)
        state = visitors[0].state(path)
        assert state["version"] >= len(versions)
        if state["status"] == "finished":
            paths.append(table())
    total = sum(len(plays) for plays in acknowledged_plays.values())
    assert total > 2 * kills, total

    path = paths[-1]
    if len(paths) > 1:
        page.goto(f"{server.address}{path}")
    while (state := visitors[0].state(path))["to_decide"] == 3:
        pass  # the bot goes on by itself
    if state["status"] == "running":
        mover = visitors[state["to_decide"]]
        mover.play(path, mover.state(path)["moves"][0])
    shown_version = visitors[0].state(path)["version"]
    wait_for_true(page, "least => Number(document.getElementById('live-part').dataset.version) >= least", shown_version)
    expect(page.locator("#connection-notice")).to_be_hidden()
    page.close()
    for visitor in visitors:
        visitor.close()
    assert server.stop() == 0, server.log
    for path in paths:
        stored_moves = moves(server.file, path)
        for seat in range(len(names)):
            own_plays = [play for play in acknowledged_plays.get(path, []) if play[0] == seat]
            assert among(own_plays, stored_moves)
