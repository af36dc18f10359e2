"""The load that one server can carry: tables with people and bots, and a thousand watchers at one of them.

    python -m bench.load --tables 100 --watchers 1000 --seconds 60

Starts its own server with its own data, opens the tables, seats two people and two easy bots at each, and lets
everyone play; the watchers run in separate processes. It prints the time from the moment a move is on disk to the
moment each watcher has the new board (a push), the time from a click to its response, memory and processor time.

With `--lobbies 200` that many visitors also have the lobby open, in which 100 tables wait: first their hosts, then
visitors without a name. With `--return`, the server is restarted at the end, and the streams of all people come back
with the boards that they have, to measure the cost where nothing is new.

With `--database postgresql://...` it runs on that database, which must be empty, and with `--workers 2` in so many
processes, whose processor time and memory are added.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bench.click_times import percentile
from bench.http_clicks import HttpPlayer
from bench.local_server import ClickError, server_process
from tests.process_tree import children_of

ROOT = Path(__file__).parent.parent
CLOCK_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
"""The clock ticks a second of the system."""
SEATS = ["me", "open", "bot:easy", "bot:easy"]
"""The seats of a table."""
WAITING = 100
"""The number of tables in the lobby: as many as it shows."""


class Server(NamedTuple):
    """The server, its address, and the file in which it notes its changes."""

    process: subprocess.Popen[str]
    address: str
    notes: Path
    workers: int = 1

    @property
    def processes(self) -> list[int]:
        """The processes that serve, without the parent of several."""
        return [self.process.pid] if self.workers == 1 else children_of(self.process.pid)

    def memory(self, most: bool = False) -> float:
        """Return the resident MB of the server, now or at most."""
        return sum(_memory(process, most=most) for process in self.processes)

    def processor(self) -> float:
        """Return the seconds of processor time that the server has used so far."""
        return sum(map(_seconds, self.processes))

    def thinking(self) -> float:
        """Return the seconds of processor time that the processes of the bots have used so far."""
        return sum(_seconds(child) for process in self.processes for child in children_of(process))

    def changes(self, since: int) -> dict[tuple[str, int], int]:
        """Return the changes since a time: tables and versions, with the time at which they were noted first."""
        noted: dict[tuple[str, int], int] = {}
        for line in self.notes.read_text().splitlines():
            table, version, at = line.split()
            noted.setdefault((table, int(version)), int(at))
        return {change: at for change, at in noted.items() if at >= since}


def _memory(process: int, *, most: bool) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    match = re.search(rf"{'VmHWM' if most else 'VmRSS'}:\s+(\d+)", status)
    return int(match.group(1)) / 1024 if match else 0.0


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_PER_SECOND


def start_watchers(
    server: Server, topic: str, count: int, processes: int, languages: str, cookies: Sequence[str] = ()
) -> list[subprocess.Popen[str]]:
    """Start processes that hold the watchers' streams.

    Every watcher has the first state when this returns.
    """
    host, _, port = urlsplit(server.address).netloc.rpartition(":")
    watching = []
    for n in range(processes):
        part = count // processes + (n < count % processes)
        arguments = [host, port, topic, str(part), languages, json.dumps(cookies[n::processes])]
        command = [sys.executable, "-m", "bench.spectators", *arguments]
        watching.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT))
    for process in watching:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("the watchers lost their streams")
    return watching


def push_times(
    server: Server, table: str, results: list[dict[str, Any]], since: int
) -> tuple[list[float], list[float]]:
    """Return the milliseconds from disk to watcher: of every arrival, and of the last arrival of each version.

    A slow watcher is sent the newest state and none in between; a version that not all have seen counts for those who
    have.
    """
    noted = {version: at for (name, version), at in server.changes(since).items() if name == table}
    arrived: dict[int, list[int]] = defaultdict(list)
    for process in results:
        for version, times in process["arrivals"].items():
            arrived[int(version)] += times
    each = {version: [(at - begun) / 1e6 for at in arrived[version]] for version, begun in noted.items()}
    return [ms for times in each.values() for ms in times], [max(times) for times in each.values() if times]


async def seat_players(server: Server, tables: int) -> list[tuple[str, list[HttpPlayer]]]:
    """Open `tables` tables with two people at each."""
    made = []
    for n in range(tables):
        two = [HttpPlayer(server.address, f"{name} {n}") for name in ("Ada", "Ben")]
        for person in two:
            await person.fetch_form_token()
        path = await two[0].open_table(SEATS)
        await two[1].sit(path)
        made.append((path, two))
    return made


async def open_waiting_tables(server: Server, tables: int) -> list[str]:
    """Open `tables` tables that wait for players; return the cookies of their hosts."""
    hosts = [HttpPlayer(server.address, f"Cleo {n}") for n in range(tables)]
    for host in hosts:
        await host.fetch_form_token()
        await host.open_table(["me", "open", "open"])
        await host.leave()
    return [host.cookie for host in hosts]


async def wait_until_quiet(server: Server) -> float:
    """Wait until the server is idle; return the seconds of processor time that it has used so far."""
    used = -1.0
    while (now := server.processor()) > used:
        used = now
        await asyncio.sleep(2)
    return used


async def known(made: list[tuple[str, list[HttpPlayer]]]) -> list[tuple[str, str]]:
    """Return for each person at a table the cookie, and the table with the version that the person has."""
    watched = []
    for path, two in made:
        version = json.loads(await two[0].ask(path, accept="application/json"))["version"]
        watched += [(person.cookie, f"{path.removeprefix('/table/')}@{version}") for person in two]
    return watched


async def reconnect(server: Server, streams: list[tuple[str, str]]) -> None:
    """Open the streams, and print the cost."""
    site = urlsplit(server.address).netloc
    host, _, port = site.rpartition(":")
    before, lines = await wait_until_quiet(server), []
    for cookie, watch in streams:
        reader, writer = await asyncio.open_connection(host, int(port))
        request = f"GET /stream?watch={watch} HTTP/1.1\r\nHost: {site}\r\nCookie: {cookie}\r\n\r\n"
        writer.write(request.encode())
        lines.append((reader, writer))
    for reader, _ in lines:
        await reader.readuntil(b"event: heartbeat")
    used = await wait_until_quiet(server) - before
    for _, writer in lines:
        writer.close()
    a_stream = 1e3 * used / len(streams)
    print(f"{len(streams)} streams come back, nothing is new: {used:.2f} s of processor, {a_stream:.1f} ms a stream")


async def sits_at(
    person: HttpPlayer, table: str, think: float, clicks: list[tuple[float, float]], trouble: list[str]
) -> None:
    """Play until the game is over: wait for the turn, think for about `think` seconds, click.

    Adds the start and duration of each click to `clicks`, and each refusal to `trouble`.
    """
    chance = random.Random(f"{person.name} {table}")
    async for state in person.pushed_states(table):
        if state.status not in ("open", "running"):
            return
        if not state.moves:
            continue
        await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
        at = time.monotonic()
        try:
            clicks.append((at, await person.play(table, state.version, chance.choice(state.moves))))
        except ClickError as error:
            trouble.append(str(error))


async def run_load(arguments: argparse.Namespace, server: Server) -> list[tuple[str, str]]:
    """Let people play and others watch, and print the measurements; return what `known` does."""
    start = time.monotonic()
    empty = server.memory()
    seated_tables = await seat_players(server, arguments.tables)
    print(f"{arguments.tables} tables opened in {time.monotonic() - start:.1f} s")
    table = seated_tables[0][0].removeprefix("/table/")
    with_tables = server.memory()
    start = time.monotonic()
    watching = (
        start_watchers(server, table, arguments.watchers, arguments.processes, arguments.languages)
        if arguments.watchers
        else []
    )
    print(f"{arguments.watchers} watchers connected in {time.monotonic() - start:.1f} s")
    hosts = await open_waiting_tables(server, WAITING) if arguments.lobbies else []
    looking = (
        start_watchers(server, "lobby", arguments.lobbies, 1, arguments.languages, hosts) if arguments.lobbies else []
    )
    with_watchers = server.memory()
    clicks: list[tuple[float, float]] = []
    trouble: list[str] = []
    sitting = [
        asyncio.create_task(sits_at(person, path, arguments.think, clicks, trouble))
        for path, two in seated_tables
        for person in two
    ]
    await asyncio.sleep(arguments.settle)
    first, since = len(clicks), time.monotonic_ns()
    processor_seconds, bot_seconds, start = server.processor(), server.thinking(), time.monotonic()
    _, pending = await asyncio.wait(sitting, timeout=arguments.seconds)
    seconds = time.monotonic() - start
    processor_seconds, bot_seconds = server.processor() - processor_seconds, server.thinking() - bot_seconds
    for task in pending:
        task.cancel()
    results = await asyncio.gather(*sitting, return_exceptions=True)
    lobbies = [json.loads(process.communicate("")[0]) for process in looking]
    trouble += [repr(error) for error in results if isinstance(error, Exception)]
    outputs = [json.loads(process.communicate("")[0]) for process in watching]
    milliseconds = [1e3 * second for _, second in clicks[first:]]
    every, last = push_times(server, table, outputs, since)
    changes = len(server.changes(since))
    lost = sum(process["lost"] for process in outputs)
    print(f"load average {os.getloadavg()[0]:.1f}")
    print(
        f"{seconds:.0f} s: {changes / seconds:.1f} changes a second, {len(milliseconds) / seconds:.1f} of them clicks"
    )
    a_change = 1e3 * processor_seconds / max(changes, 1)
    print(
        f"server: {a_change:.1f} ms of processor a change, {100 * processor_seconds / seconds:.0f} % of a core; ",
        end="",
    )
    print(f"bots: {100 * bot_seconds / seconds:.0f} %")
    print(
        f"memory: {empty:.0f} MB empty, {with_tables:.0f} with the tables, {with_watchers:.0f} with the watchers, "
        f"{server.memory():.0f} at the end, {server.memory(most=True):.0f} at most"
    )
    if every:
        size = max(process["bytes"] for process in outputs)
        print(f"push to {arguments.watchers} watchers, {len(last)} pushes, {size / 1000:.1f} kB, {lost} lost, ms:")
        _print_times("  each watcher", every)
        _print_times("  the last one", last)
    for lobby in lobbies:
        came = sum(at >= since for times in lobby["arrivals"].values() for at in times)
        print(f"{arguments.lobbies} open lobbies: {came} pushes, {came / max(changes, 1):.1f} for each change")
    _print_times("click, ms", milliseconds)
    if trouble:
        print(f"{len(trouble)} refusals, such as: {trouble[0]}")
    await wait_until_quiet(server)  # bots play until people must decide
    streams = await known(seated_tables)
    for _, two in seated_tables:
        for person in two:
            await person.leave()
    return streams


def _print_times(what: str, values: list[float]) -> None:
    if values:
        parts = ", ".join(f"p{part:g} {percentile(values, part / 100):.1f}" for part in (50, 90, 99))
        print(f"{what}: least {min(values):.1f}, {parts}, most {max(values):.1f}, of {len(values)}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", default="", help="URL of an empty PostgreSQL database, in place of a file")
    parser.add_argument("--workers", type=int, default=1, help="number of processes of the server")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2, help="number of processes for the watchers")
    parser.add_argument("--languages", default="en", help="languages of the watchers, separated by commas")
    parser.add_argument("--lobbies", type=int, default=0, help="number of visitors who have the lobby open")
    parser.add_argument(
        "--return", dest="back", action="store_true", help="restart the server, and let the streams come back"
    )
    parser.add_argument("--think", type=float, default=4.0, help="seconds a person thinks, on average")
    parser.add_argument("--settle", type=float, default=5.0, help="seconds before anything is measured")
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        workers = [f"{arguments.workers}"] if arguments.workers > 1 else []
        command = ["-m", "bench.server", arguments.database or f"{folder}/data", f"{notes}", "0", *workers]
        with server_process(*command, folder=ROOT) as (process, address):
            streams = asyncio.run(run_load(arguments, Server(process, address, notes, arguments.workers)))
        if arguments.back:
            with server_process(*command, folder=ROOT) as (process, address):
                asyncio.run(reconnect(Server(process, address, notes, arguments.workers), streams))


if __name__ == "__main__":
    main()
