"""Measure what others notice while one address asks for costly pages: `python -m bench.attack`. Under a minute; Linux.

It starts a server with default limits on a folder with one finished game. From one address people play at a table, and
a visitor opens the lobby again and again from another. It prints how long a move and the lobby take, first when nobody
else is there, then while a third address asks for steps of the replay over 150 connections, for 20 such steps a second,
and for 20 pages about components a second.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from bench.click_times import percentile
from bench.http_clicks import HttpPlayer
from bench.load import ROOT, Server
from bench.local_server import CALL, GAME, SERVE, ClickError, server_process
from spieltisch.core.record import Record

SEATS: Final = ("me", "open", "open")
NAMES: Final = ("Ada", "Ben", "Cleo")
MOVE_PAUSE, LOBBY_PAUSE, IDLE = 0.1, 0.2, 0.02
"""The seconds between two moves and two lobby pages; the seconds of processor in half a second of a quiet server."""
PLAYERS, LOOKER, ATTACKERS = "127.0.0.5", "127.0.0.6", ("127.0.0.2", "127.0.0.3", "127.0.0.4")
"""The addresses of the players, of the visitor of the lobby, and of each attack."""
COMPONENT_PAGES: Final = tuple(
    f"/games/{game}/components" for game in ("era-of-inventions", "legendary-inventors", "paris-connection")
)


class Attack(NamedTuple):
    """An attack: its pages, over how many connections, and how many a second (0: as many as are answered)."""

    name: str
    pages: Sequence[str]
    connections: int
    per_second: int = 0


def attacks(table: str, moves: int) -> tuple[Attack, ...]:
    """Return the attacks; `table` is the path of a finished game with so many moves."""
    chance = random.Random(1889)
    steps = [f"{table}/replay?at={chance.randrange(moves)}&since={chance.randrange(moves)}" for _ in range(600)]
    return (
        Attack("600 steps, 150 connections", steps, 150),
        Attack("20 steps a second", steps, 8, 20),
        Attack("20 component pages a second", COMPONENT_PAGES * 200, 8, 20),
    )


async def send_attack(site: str, address: str, attack: Attack, seconds: float) -> None:
    """Ask for the pages until all are answered or the time is over; print the number of answers of each status."""
    host, _, port = site.rpartition(":")
    pages: Iterator[str] = iter(attack.pages)
    statuses: Counter[str] = Counter()
    start = perf_counter()

    async def ask(connection: int) -> None:
        reader, writer = await asyncio.open_connection(host, int(port), local_addr=(address, 0))
        for number, page in zip(itertools.count(), pages, strict=False):
            if attack.per_second:
                due = start + (number * attack.connections + connection) / attack.per_second
                await asyncio.sleep(due - perf_counter())
            status = "429"
            while status == "429":
                writer.write(f"GET {page} HTTP/1.1\r\nHost: {site}\r\nHX-Request: true\r\n\r\n".encode())
                header = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = re.search(r"content-length: (\d+)", header)
                await reader.readexactly(int(length[1]) if length else 0)
                status = header.split()[1]
                statuses[status] += 1

    asking = [asyncio.create_task(ask(connection)) for connection in range(attack.connections)]
    done, pending = await asyncio.wait(asking, timeout=seconds)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for task in done:
        task.result()
    answered = ", ".join(f"{count} of status {status}" for status, count in sorted(statuses.items()))
    print(f"  {answered or 'no answers'} in {perf_counter() - start:.1f} s")


async def time_moves(people: Sequence[HttpPlayer]) -> AsyncIterator[float]:
    """Play at random, at one table after the other, and yield the seconds that each move takes."""
    chance = random.Random(1889)
    path, state = "", dict[str, Any]()
    while True:
        if state.get("status") != "running":
            path = await people[0].open_table(SEATS)
            for person in people[1:]:
                await person.sit(path)
            state = json.loads(await people[0].ask(path, accept="application/json"))
        acting = people[state["to_decide"]]
        state = json.loads(await acting.ask(path, accept="application/json"))
        yield await acting.play(path, state["version"], chance.choice(state["moves"]))
        state = json.loads(await people[0].ask(path, accept="application/json"))


async def time_lobby(visitor: HttpPlayer) -> AsyncIterator[float]:
    """Open the lobby and yield the seconds that it takes."""
    while True:
        start = perf_counter()
        await visitor.ask("/")
        yield perf_counter() - start


async def collect_times(times: AsyncIterator[float], pause: float, is_over: Callable[[], bool]) -> list[float]:
    """Return times in milliseconds, with a pause after each; that of the last one may have begun before the end."""
    found = []
    async for seconds in times:
        found.append(1e3 * seconds)
        if is_over():
            break
        await asyncio.sleep(pause)
    return found


async def measure(
    server: Server, times: tuple[AsyncIterator[float], AsyncIterator[float]], name: str, is_over: Callable[[], bool]
) -> None:
    """Measure moves and lobby pages until it is over, and print the figures."""
    used, start = server.processor(), perf_counter()
    figures = await asyncio.gather(
        collect_times(times[0], MOVE_PAUSE, is_over), collect_times(times[1], LOBBY_PAUSE, is_over)
    )
    share = 100 * (server.processor() - used) / (perf_counter() - start)
    print(f"{name}; server {share:.0f} % of a core, load average {os.getloadavg()[0]:.1f}")
    for what, found in zip(("move", "lobby"), figures, strict=True):
        parts = ", ".join(f"p{part} {percentile(found, part / 100):.0f}" for part in (50, 95))
        print(f"  {what}, ms: {parts}, most {max(found):.0f}, of {len(found)}", flush=True)


async def wait_until_quiet(server: Server) -> None:
    """Wait until the server has answered what it was asked."""
    used = -1.0
    while (now := server.processor()) > used + IDLE:
        used = now
        await asyncio.sleep(0.5)


async def measure_all(server: Server, finished: str, length: int, seconds: float) -> None:
    """Play without an attack, then during each."""
    site = urlsplit(server.address).netloc
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(HttpPlayer(server.address, name, PLAYERS)) for name in NAMES]
        looker = await stack.enter_async_context(HttpPlayer(server.address, "", LOOKER))
        for person in people:
            await person.fetch_form_token()
        await looker.ask("/")
        times = time_moves(people), time_lobby(looker)
        end = perf_counter() + seconds
        await measure(server, times, "nobody else", lambda: perf_counter() > end)
        for address, attack in zip(ATTACKERS, attacks(finished, length), strict=True):
            await wait_until_quiet(server)
            attacking = asyncio.create_task(run_attack(site, address, attack, seconds))
            await measure(server, times, attack.name, attacking.done)
            await attacking


async def run_attack(site: str, address: str, attack: Attack, seconds: float) -> None:
    """Send an attack from a process of its own."""
    arguments = [site, address, json.dumps(attack), str(seconds)]
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.attack", "--send", *arguments, cwd=ROOT)
    if await process.wait():
        raise ClickError("the attack failed")


def finished_game(folder: Path) -> tuple[str, int]:
    """Make a data folder with a finished game; return its path and its number of moves."""
    records = folder / "records"
    call = [sys.executable, "-c", CALL]
    simulate = ["simulate", GAME, "--games", "1", "--seed", "7", "--records", str(records)]
    subprocess.run([*call, *simulate], check=True, stdout=subprocess.DEVNULL)
    (file,) = records.iterdir()
    load = ["import", str(file), "--data", str(folder / "data"), "--json"]
    output = subprocess.run([*call, *load], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(output)["tables"][0]["table"], len(Record.read(file).moves)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=9.0, help="the length of each part")
    parser.add_argument("--send", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.send:
        site, source, attack, seconds = arguments.send
        asyncio.run(send_attack(site, source, Attack(*json.loads(attack)), float(seconds)))
        return
    with tempfile.TemporaryDirectory() as folder:
        table, length = finished_game(Path(folder))
        command = [*SERVE, "--port", "0", "--data", f"{folder}/data"]
        with server_process(*command) as (process, address):
            asyncio.run(measure_all(Server(process, address, Path()), table, length, arguments.seconds))


if __name__ == "__main__":
    main()
