"""A process in which people plan their turns and play for ever. For each line it reads a child of its own does, which
the test kills. The child prints `child PID`; `stands BEFORE MANY AFTER`: how many moves it has found, how many plans
that waited for who decides were played then, and how many moves there were after that; then `planned` and `moved` for
what is on disk.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.store import people
from spieltisch.tables import NewTable, Table
from tests.live.alert_process import running_table, say
from tests.live.live_fixture import ENDING
from tests.live.sample_moves import offered, trade


async def run(path: Path) -> None:
    live = await Live.open(path)
    table = await running_table(live) or await opened(live)
    person, before = decider(table), len(table.moves)
    waited = any(plan.outcome is None for plan in await live.plan_runner.plans_of(table.id, person))
    live.plan_runner.start()
    plans = await live.plan_runner.plans_of(table.id, person)
    while any(plan.outcome is None for plan in plans):
        plans = await live.plan_runner.plans_of(table.id, person)
    await live.plan_runner.wait_idle()
    table = await live.tables.get(table.id)
    played = waited and [str(plan.outcome) for plan in plans] == ["Your plan was played."]
    say("stands", before, int(played), len(table.moves))
    while True:
        if table.status != "running":
            table = await opened(live)
        assert table.to_decide is not None
        after = table.seats[(table.to_decide + 1) % 3].person
        if not await live.plan_runner.plans_of(table.id, after):
            await live.plan_runner.add(table.id, after, offered(table, after)[:1])
            say("planned")
        await trade(live, table)
        say("moved")
        await live.plan_runner.wait_idle()
        table = await live.tables.get(table.id)


def decider(table: Table) -> str:
    return "" if table.to_decide is None else table.seats[table.to_decide].person


async def opened(live: Live) -> Table:
    known = await people.all_people(live.store)
    for name in ("Ada", "Ben", "Cleo")[len(known) :]:
        await live.people.create(name)
    ada, ben, cleo = await people.all_people(live.store)
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "link"), ENDING))
    for person in (ben, cleo):
        table = await live.tables.run(table.id, tables.sit, person, by_link=True)
    return table


if __name__ == "__main__":
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            say("child", os.getpid())
            asyncio.run(run(Path(sys.argv[1])))
        os.waitpid(child, 0)
        say("gone")
