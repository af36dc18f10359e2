"""How much one server holds: tables with people and bots, and a thousand watchers at one of them.

    python -m bench.load --tables 100 --watchers 1000 --seconds 60

Starts a server of its own on data of its own, opens the tables, seats two people and two greedy bots at each, and
lets everybody play; the watchers sit in processes of their own. Prints the time from the moment a move is on disk to
the moment each watcher has the new board (a push), the time from a click to its answer, memory and processor time.

With `--lobbies 200` so many also have the lobby open, in which 100 tables wait: their hosts first, then people without
a name. With `--return`, the server is started anew when all that is over, and the streams of all people come back with
the boards that they have: what does that cost where nothing is new?
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

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
SEATS = ["me", "open", "bot:greedy", "bot:greedy"]
WAITING = 100
"""Tables in the lobby: as many as it shows."""


class Server(NamedTuple):
    """The server, where it listens, and the file in which it notes its changes."""

    process: subprocess.Popen[str]
    address: str
    notes: Path

    def memory(self, most: bool = False) -> float:
        """Resident MB of the process that serves, now or at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"{'VmHWM' if most else 'VmRSS'}:\s+(\d+)", status)
        return int(found.group(1)) / 1024 if found else 0.0

    def processor(self) -> float:
        """Seconds of processor time used until now by the process that serves."""
        return _seconds(self.process.pid)

    def thinking(self) -> float:
        """The same of the processes in which bots think."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return sum(_seconds(int(child)) for children in threads for child in children.read_text().split())


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def watchers(
    server: Server, topic: str, many: int, processes: int, languages: str, cookies: Sequence[str] = ()
) -> list[subprocess.Popen[str]]:
    """Processes that hold the watchers' streams; every watcher has the first state when this returns."""
    host, _, port = urlsplit(server.address).netloc.rpartition(":")
    watching = []
    for n in range(processes):
        part = many // processes + (n < many % processes)
        arguments = [host, port, topic, str(part), languages, json.dumps(cookies[n::processes])]
        command = [sys.executable, "-m", "bench.spectators", *arguments]
        watching.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT))
    for process in watching:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("the watchers lost their streams")
    return watching


def pushes(server: Server, table: str, found: list[dict[str, Any]], since: int) -> tuple[list[float], list[float]]:
    """Milliseconds from disk to watcher: of every arrival, and of the last arrival of each version.

    A watcher that is slow is sent the newest state and none between; versions that not all have seen are counted for
    those who have.
    """
    noted = {}
    for line in server.notes.read_text().splitlines():
        name, version, at = line.split()
        if name == table and int(at) >= since:
            noted[int(version)] = int(at)
    arrived: dict[int, list[int]] = defaultdict(list)
    for process in found:
        for version, times in process["arrivals"].items():
            arrived[int(version)] += times
    each = {version: [(at - begun) / 1e6 for at in arrived[version]] for version, begun in noted.items()}
    return [ms for times in each.values() for ms in times], [max(times) for times in each.values() if times]


async def seated(server: Server, tables: int) -> list[tuple[str, list[HttpPlayer]]]:
    """That many tables, two people at each."""
    made = []
    for n in range(tables):
        two = [HttpPlayer(server.address, f"{name} {n}") for name in ("Ada", "Ben")]
        for person in two:
            await person.fetch_form_token()
        path = await two[0].open_table(SEATS)
        await two[1].sit(path)
        made.append((path, two))
    return made


async def waiting(server: Server, tables: int) -> list[str]:
    """Open so many tables that wait for players; returns the cookies of their hosts."""
    hosts = [HttpPlayer(server.address, f"Cleo {n}") for n in range(tables)]
    for host in hosts:
        await host.fetch_form_token()
        await host.open_table(["me", "open", "open"])
        await host.leave()
    return [host.cookie for host in hosts]


async def quiet(server: Server) -> float:
    """Wait until the server has nothing to do; returns the seconds of processor time it has used until then."""
    used = -1.0
    while (now := server.processor()) > used:
        used = now
        await asyncio.sleep(2)
    return used


async def known(made: list[tuple[str, list[HttpPlayer]]]) -> list[tuple[str, str]]:
    """For each person at a table their cookie, and what they watch with the version they have."""
    found = []
    for path, two in made:
        version = json.loads(await two[0].ask(path, accept="application/json"))["version"]
        found += [(person.cookie, f"{path.removeprefix('/table/')}@{version}") for person in two]
    return found


async def come_back(server: Server, streams: list[tuple[str, str]]) -> None:
    """Open the streams, and say what that cost."""
    site = urlsplit(server.address).netloc
    host, _, port = site.rpartition(":")
    before, lines = await quiet(server), []
    for cookie, watch in streams:
        reader, writer = await asyncio.open_connection(host, int(port))
        request = f"GET /stream?watch={watch} HTTP/1.1\r\nHost: {site}\r\nCookie: {cookie}\r\n\r\n"
        writer.write(request.encode())
        lines.append((reader, writer))
    for reader, _ in lines:
        await reader.readuntil(b"event: beat")
    used = await quiet(server) - before
    for _, writer in lines:
        writer.close()
    a_stream = 1e3 * used / len(streams)
    print(f"{len(streams)} streams come back, nothing is new: {used:.2f} s of processor, {a_stream:.1f} ms a stream")


async def sits_at(
    person: HttpPlayer, table: str, think: float, clicks: list[tuple[float, float]], trouble: list[str]
) -> None:
    """Play until the game is over: wait for one's turn, think, about so long, click.

    Adds to `clicks` when each was made and how long it took, to `trouble` what was refused.
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


async def drive(chosen: argparse.Namespace, server: Server) -> list[tuple[str, str]]:
    """Let people play and others watch, and say what was measured; returns what `known` does."""
    begun = time.monotonic()
    empty = server.memory()
    made = await seated(server, chosen.tables)
    print(f"{chosen.tables} tables opened in {time.monotonic() - begun:.1f} s")
    table = made[0][0].removeprefix("/table/")
    with_tables = server.memory()
    begun = time.monotonic()
    watching = watchers(server, table, chosen.watchers, chosen.processes, chosen.languages) if chosen.watchers else []
    print(f"{chosen.watchers} watchers connected in {time.monotonic() - begun:.1f} s")
    hosts = await waiting(server, WAITING) if chosen.lobbies else []
    looking = watchers(server, "lobby", chosen.lobbies, 1, chosen.languages, hosts) if chosen.lobbies else []
    with_watchers = server.memory()
    clicks: list[tuple[float, float]] = []
    trouble: list[str] = []
    sitting = [
        asyncio.create_task(sits_at(person, path, chosen.think, clicks, trouble))
        for path, two in made
        for person in two
    ]
    await asyncio.sleep(chosen.settle)
    first, since = len(clicks), time.monotonic_ns()
    used, thought, begun = server.processor(), server.thinking(), time.monotonic()
    _, pending = await asyncio.wait(sitting, timeout=chosen.seconds)
    seconds = time.monotonic() - begun
    used, thought = server.processor() - used, server.thinking() - thought
    for task in pending:
        task.cancel()
    ended = await asyncio.gather(*sitting, return_exceptions=True)
    lobbies = [json.loads(process.communicate("")[0]) for process in looking]
    trouble += [repr(problem) for problem in ended if isinstance(problem, Exception)]
    found = [json.loads(process.communicate("")[0]) for process in watching]
    took = [1e3 * second for _, second in clicks[first:]]
    every, last = pushes(server, table, found, since)
    changes = sum(int(line.split()[2]) >= since for line in server.notes.read_text().splitlines())
    lost = sum(process["lost"] for process in found)
    print(f"load average {os.getloadavg()[0]:.1f}")
    print(f"{seconds:.0f} s: {changes / seconds:.1f} changes a second, {len(took) / seconds:.1f} of them clicks")
    a_change = 1e3 * used / max(changes, 1)
    print(f"server: {a_change:.1f} ms of processor a change, {100 * used / seconds:.0f} % of a core; ", end="")
    print(f"bots: {100 * thought / seconds:.0f} %")
    print(
        f"memory: {empty:.0f} MB empty, {with_tables:.0f} with the tables, {with_watchers:.0f} with the watchers, "
        f"{server.memory():.0f} at the end, {server.memory(most=True):.0f} at most"
    )
    if every:
        size = max(process["bytes"] for process in found)
        print(f"push to {chosen.watchers} watchers, {len(last)} pushes, {size / 1000:.1f} kB, {lost} lost, ms:")
        _say("  each watcher", every)
        _say("  the last one", last)
    for lobby in lobbies:
        came = sum(at >= since for times in lobby["arrivals"].values() for at in times)
        print(f"{chosen.lobbies} open lobbies: {came} pushes, {came / max(changes, 1):.1f} for each change")
    _say("click, ms", took)
    if trouble:
        print(f"{len(trouble)} refusals, such as: {trouble[0]}")
    await quiet(server)  # bots play on until people are to decide
    streams = await known(made)
    for _, two in made:
        for person in two:
            await person.leave()
    return streams


def _say(what: str, values: list[float]) -> None:
    if values:
        parts = ", ".join(f"p{part:g} {percentile(values, part / 100):.1f}" for part in (50, 90, 99))
        print(f"{what}: least {min(values):.1f}, {parts}, most {max(values):.1f}, of {len(values)}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--watchers", type=int, default=1000)
    asked.add_argument("--processes", type=int, default=2, help="in which the watchers sit")
    asked.add_argument("--languages", default="en", help="of the watchers, with commas")
    asked.add_argument("--lobbies", type=int, default=0, help="how many have the lobby open")
    asked.add_argument("--return", dest="back", action="store_true", help="start anew, and let streams come back")
    asked.add_argument("--think", type=float, default=4.0, help="seconds a person thinks, on average")
    asked.add_argument("--settle", type=float, default=5.0, help="seconds before anything is measured")
    asked.add_argument("--seconds", type=float, default=60.0)
    chosen = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        command = ["-m", "bench.server", f"{folder}/data", f"{notes}", "0"]
        with server_process(*command, folder=ROOT) as (process, address):
            streams = asyncio.run(drive(chosen, Server(process, address, notes)))
        if chosen.back:
            with server_process(*command, folder=ROOT) as (process, address):
                asyncio.run(come_back(Server(process, address, notes), streams))


if __name__ == "__main__":
    main()
