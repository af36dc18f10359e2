"""Measure what a large folder costs: `python -m bench.large_folder [--finished 20000] [--running 5000] [--rest 600]`.

It fills a folder with tables, copies of one finished and one running game under new ids and with new people, and starts
a server on it. It prints the processor time of the start, the resident memory after the start, after a visitor has
viewed many finished tables, and after a rest, and the processor time of the lobby and "My games". Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import httpx
from sqlalchemy import Connection, text

from bench.local_server import SERVE, UNLIMITED, server_process
from spieltisch import tables
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable, Table, TableSettings

GAME: Final = "paris-connection"
SEATS: Final = ("me", "link", "link", "link")
CLOCK: Final = TableSettings("days", turn_time=14 * 86_400)
"""The settings of every second running table."""
RUNNING_MOVES: Final = 43
"""The number of moves of the running games."""
OWN_GAMES: Final = 20
"""The number of finished games, and of running ones, of the person whose pages are measured."""
REQUESTS: Final = 40
"""The number of requests over which the processor time of a page is averaged."""
BURST: Final = 600
"""The number of finished tables viewed in a burst."""
QUIET_SECONDS: Final = 2.0
"""A server is quiet if it uses at most a twentieth of this much time."""
TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

COPIES: Final = (
    "INSERT INTO tables (id, game, host, created, changed, version, status, summary, deadline, free_seats) "
    "SELECT id || '-' || i, game, {host}, created, changed, version, status, {summary}, deadline, free_seats "
    "FROM tables, copies WHERE id = :id",
    "INSERT INTO secrets SELECT table_id || '-' || i, secret FROM secrets, copies WHERE table_id = :id",
    "INSERT INTO events SELECT table_id || '-' || i, version, at, {data} FROM events, copies WHERE table_id = :id",
    "INSERT INTO seat_holders SELECT table_id || '-' || i, seat, {person} FROM seat_holders, copies "
    "WHERE table_id = :id",
    "INSERT INTO lobby_entries SELECT {person}, section, recency, table_id || '-' || i FROM lobby_entries, copies "
    "WHERE table_id = :id",
    "INSERT INTO results SELECT table_id || '-' || i, game, seats, {result} FROM results, copies WHERE table_id = :id",
    "INSERT INTO played_games SELECT {person}, at, table_id || '-' || i FROM played_games, copies WHERE table_id = :id",
)
"""The statements that copy a table; in the first `:own` copies the people are the same, in the others they are new."""


class Folder(NamedTuple):
    """A folder to measure: the session of a person, and the id of the finished table of which there are copies."""

    session: str
    finished: str


async def fill(path: Path, finished: int, running: int) -> Folder:
    """Fill a database with this many tables."""
    live = await Live.open(path)
    try:
        people, session = [], ""
        for name in ("Ada", "Ben", "Cleo", "Dora"):
            person, token = await live.people.create(name)
            people.append(person)
            session = session or token
        over = await _played(live, people, TableSettings(), 10_000)
        await live.game_history.add_result(over.id)
        plain, clock = [await _played(live, people, charter, RUNNING_MOVES) for charter in (TableSettings(), CLOCK)]
        ids = [person.id for person in people]
        for table, count in ((over, finished), (plain, running // 2), (clock, running - running // 2)):
            await live.store.write(partial(_copy, table_id=table.id, count=count, people=ids))
        await live.game_history.ratings(ids[0], [(GAME, len(SEATS))])  # a folder that grew has stored them, and totals
        await live.game_history.of(ids[0], 0, 1)
        return Folder(session, over.id)
    finally:
        await live.close()


async def _played(live: Live, people: list[Person], charter: TableSettings, moves: int) -> Table:
    """Open a table and play this many random moves."""
    table = await live.tables.open(people[0], NewTable(GAME, SEATS, charter=charter))
    for person in people[1:]:
        table = await live.tables.run(table.id, tables.sit, person, by_link=True)
    chance = random.Random(1)
    while not table.is_over and len(table.moves) < moves:
        assert table.position is not None
        assert table.to_decide is not None
        move, person_id = str(chance.choice(table.position.legal_moves)), table.seats[table.to_decide].person
        table = await live.tables.run(table.id, tables.play, person_id, move, table.version)
    return table


def _copy(connection: Connection, table_id: str, count: int, people: list[str]) -> None:
    connection.execute(text("CREATE TEMP TABLE IF NOT EXISTS copies (i INTEGER)"))
    connection.execute(text("DELETE FROM copies"))
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count) SELECT i FROM n"
    connection.execute(text(f"INSERT INTO copies {numbers}"), {"count": count - 1})

    def renamed(column: str) -> str:
        """Return the SQL of a text with the people's ids, in most copies those of others."""
        changed = column
        for person in people:
            changed = f"replace({changed}, '{person}', '{person}' || i)"
        return f"CASE WHEN i < {OWN_GAMES} THEN {column} ELSE {changed} END"

    def renamed_json(column: str) -> str:
        return f"CAST({renamed(f'CAST({column} AS TEXT)')} AS BLOB)"

    for statement in COPIES:
        sql = statement.format(
            host=renamed("host"),
            person=renamed("person"),
            summary=renamed_json("summary"),
            data=renamed_json("data"),
            result=renamed_json("data"),
        )
        connection.execute(text(sql), {"id": table_id})


class Process:
    """A running server as the system sees it."""

    def __init__(self, pid: int) -> None:
        self._folder = Path("/proc") / str(pid)

    @property
    def cpu(self) -> float:
        """The seconds of processor that it has used."""
        fields = (self._folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def memory(self) -> int:
        """Its resident memory in MB."""
        lines = (self._folder / "status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024

    def wait_quiet(self) -> float:
        """Wait until it does nothing but look at its clock; return the seconds of processor used until then."""
        while True:
            before = self.cpu
            time.sleep(QUIET_SECONDS)
            if self.cpu - before <= QUIET_SECONDS / 20:
                return before


def measure(folder: Path, filled: Folder, burst: int, rest: float) -> None:
    """Start a server on the folder and print the figures."""
    with server_process(*SERVE, "--port", "0", *UNLIMITED, "--data", str(folder)) as (process, address):
        server = Process(process.pid)
        with httpx.Client(base_url=address, timeout=60, trust_env=False) as nobody:
            while nobody.get("/ready").status_code != 200:
                time.sleep(0.1)
            print(f"start: {server.wait_quiet():.1f} s of processor, {server.memory} MB", flush=True)
            pages = [("lobby, nobody", "/", {}), ("lobby, a player", "/", {"session": filled.session})]
            pages += [
                ("my games", "/me/history", {"session": filled.session}),
                ("one of my games", f"/me/history/{filled.finished}", {"session": filled.session}),
            ]
            for name, path, cookies in pages:
                with httpx.Client(base_url=address, timeout=60, trust_env=False, cookies=cookies) as client:
                    first, cost, size = _cost(client, path, server)
                print(f"{name}: {cost:.1f} ms of processor, the first {first:.0f} ms, {size // 1000} kB", flush=True)
            for number in range(1, burst + 1):
                nobody.get(f"/table/{filled.finished}-{number}").raise_for_status()
            print(f"after {burst} finished tables: {server.memory} MB", flush=True)
        time.sleep(rest)
        print(f"after {rest / 60:.0f} minutes of rest: {server.memory} MB", flush=True)


def _cost(client: httpx.Client, path: str, server: Process) -> tuple[float, float, int]:
    """Return the processor time of the first request and of the following ones, in ms, and the size of the page.

    That of the first includes what it causes in the background: listed tables with clocks record that no server ran.
    """
    before = server.cpu
    size = len(client.get(path).raise_for_status().content)
    first = server.wait_quiet() - before
    before = server.cpu
    for _ in range(REQUESTS):
        client.get(path).raise_for_status()
    return 1000 * first, 1000 * (server.cpu - before) / REQUESTS, size


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finished", type=int, default=20_000)
    parser.add_argument("--running", type=int, default=5_000)
    parser.add_argument("--rest", type=float, default=600.0, help="seconds of rest after the burst")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        data = Path(temporary)
        made = asyncio.run(fill(data / DATABASE, arguments.finished, arguments.running))
        measure(data, made, min(BURST, arguments.finished - 1), arguments.rest)
