"""A process that plays a game of three people forever, each of whom is alerted of their turns by a webhook.

For each line of its input it forks a child that does so until the test kills it. The child prints `child PID`; then
`stands TABLE VERSION PERSON` when it has sent the alert of the turn that it found (version 0 if the person has moved
already); then `moved` for every move stored on disk.
"""

from __future__ import annotations

import asyncio
import random
import socket
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from spieltisch import tables
from spieltisch.alerts.channels import SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import people
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import Started
from tests.live.killed_children import fork_children, say
from tests.live.live_fixture import move

NAMES = ("Ada", "Ben", "Cleo")
PAUSE_SECONDS = 60.0
"""Longer than any pause between two alerts."""


async def play(path: Path, address: str, advance_seconds: float) -> None:
    """Send due alerts, then play forever, sometimes slowly enough for an alert before the turn passes.

    The clock is `ahead` by these seconds, so that pauses begun by earlier children are over.
    """
    live = await Live.open(
        path, guard=SsrfGuard(private=True), clock=lambda: time.time() + advance_seconds, features=FEATURES
    )
    table = await running_table(live) or await opened(live, address)
    await live.alert_sender.send_due()
    await live.alert_sender.sending.wait_idle()
    say("stands", table.id, turn_start_version(table), table.summary().waiting_for)
    await live.start(live.alert_sender.running())
    while True:
        if table.status != "running":
            table = await opened(live, "")
        table = await move(live, table)
        say("moved")
        if random.random() < 0.3:
            await live.alert_sender.sending.wait_idle()


async def warm_up(path: Path) -> None:
    """Play a few moves at another table, so that compiled code is loaded before children are forked."""
    live = await Live.open(path, features=FEATURES)
    table = await opened(live, "")
    for _ in range(4):
        table = await move(live, table)
    await live.alert_sender.send_due()
    await live.close()


async def running_table(live: Live) -> Table | None:
    for table_id in await live.store.table_ids("running"):
        return await live.tables.get(table_id)
    return None


async def opened(live: Live, address: str) -> Table:
    """Open a table of three people, each with a webhook if an address is given."""
    people_by_name = await people.all_people(live.store)
    for name in NAMES[len(people_by_name) :]:
        await live.people.create(name)
    ada, ben, cleo = await people.all_people(live.store)
    for person in (ada, ben, cleo):
        if address and not await live.subscriptions.of(person.id):
            hook = f"{address.replace('127.0.0.1', f'{person.name}.example.org')}/{person.id}"
            await live.subscriptions.add(person, SERVICE, {"address": hook})
    table = await live.tables.open(ada, NewTable("toy", ("me", "link", "link")))
    for person in (ben, cleo):
        table = await live.tables.run(table.id, tables.sit, person, by_link=True)
    return table


def turn_start_version(table: Table) -> int:
    """Return the version of the event that began the current turn, or 0 if its person has already moved in it."""
    version = turns(table)[-1][0]
    return 0 if table.moves and table.moves[-1].version > version else version


def turns(table: Table) -> list[tuple[int, str]]:
    """Return the version at which each turn began and its player, from the moves alone; empty before the game began."""
    versions = [event.version for event in table.events if isinstance(event.event, Started)]
    if not versions:
        return []
    deciding = [*(play.seat for play in table.moves), table.to_decide]
    turns_seen: list[tuple[int, str]] = []
    for version, seat in zip([*versions, *(play.version for play in table.moves)], deciding, strict=True):
        person = "" if seat is None else table.seats[seat].person
        if not turns_seen or turns_seen[-1][1] != person:
            turns_seen.append((version, person))
    return turns_seen


if __name__ == "__main__":
    # Each person has a host of their own, or they would wait for each other; all are this machine.
    here = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    socket.getaddrinfo = lambda host, port, *_, **__: [(*here, ("127.0.0.1", port))]
    with TemporaryDirectory() as scratch:
        asyncio.run(warm_up(Path(scratch) / "house.sqlite3"))
    fork_children(lambda number: play(Path(sys.argv[1]), sys.argv[2], number * PAUSE_SECONDS))
