"""A process that plays a game of three people for ever, who are told of their turns by a webhook each. For each line it
reads a child of its own does, which the test kills. The child prints `child PID`; `stands TABLE VERSION PERSON` when it
has told of the turn that it has found (version 0: its person has moved already); and `moved` for every move that is on
disk.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from spieltisch import tables
from spieltisch.alerts.channels import SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.live import Live
from spieltisch.store import people
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import Started
from tests.live.live_fixture import move

NAMES = ("Ada", "Ben", "Cleo")
PAUSE_SECONDS = 60.0
"""Longer than any pause between two alerts."""


async def play(path: Path, address: str, ahead: float) -> None:
    """Tell of what stands, and then play for ever, sometimes so slowly that a turn is told of before it passes.

    Its clock is `ahead` by these seconds, so that pauses that earlier children began are over.
    """
    live = await Live.open(path, guard=SsrfGuard(private=True), clock=lambda: time.time() + ahead)
    table = await running_table(live) or await opened(live, address)
    await live.alert_sender.send_due()
    await live.alert_sender.wait_idle()
    say("stands", table.id, began(table), table.summary().waiting_for)
    live.alert_sender.start()
    while True:
        if table.status != "running":
            table = await opened(live, "")
        table = await move(live, table)
        say("moved")
        if random.random() < 0.3:
            await live.alert_sender.wait_idle()


async def rehearse(path: Path) -> None:
    """A few moves elsewhere, so that what is compiled when it is first asked for is ready in every child."""
    live = await Live.open(path)
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
    """A table of all three, who come, each with a webhook, where there is an address for it."""
    known = await people.all_people(live.store)
    for name in NAMES[len(known) :]:
        await live.people.create(name)
    ada, ben, cleo = await people.all_people(live.store)
    for person, host in ((ada, "127.0.0.1"), (ben, "localhost"), (cleo, "127.1")):  # or they would wait for each other
        if address and not await live.subscriptions.of(person.id):
            hook = f"{address.replace('127.0.0.1', host)}/{person.id}"
            await live.subscriptions.add(person, SERVICE, {"address": hook})
    table = await live.tables.open(ada, NewTable("toy", ("me", "link", "link")))
    for person in (ben, cleo):
        table = await live.tables.run(table.id, tables.sit, person, by_link=True)
    return table


def began(table: Table) -> int:
    """The version of the event with which the turn under way began; 0 when its person has moved in it."""
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


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        asyncio.run(rehearse(Path(scratch) / "house.sqlite3"))
    for number, _ in enumerate(sys.stdin, 1):
        child = os.fork()
        if not child:
            say("child", os.getpid())
            asyncio.run(play(Path(sys.argv[1]), sys.argv[2], number * PAUSE_SECONDS))
        os.waitpid(child, 0)
        say("gone")
