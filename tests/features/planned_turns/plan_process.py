"""A process in which people plan their turns and play forever.

For each line of its input it forks a child that does so until the test kills it. The child prints `child PID`; then
`stands BEFORE MANY AFTER`: the number of moves that it found, the number of waiting plans that were then played, and
the number of moves after these; then `planned` and `moved` for everything stored on disk.
"""

from __future__ import annotations

import sys
from pathlib import Path

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import Live
from spieltisch.store import people
from spieltisch.tables import NewTable, Table
from tests.features.planned_turns.sample_moves import offered, trade
from tests.live.alert_process import running_table
from tests.live.killed_children import fork_children, say
from tests.live.live_fixture import ENDING
from tests.sentences import sentence_after

PLAYED = sentence_after("features/planned_turns/commands.py", "_PLAYED: Final =")


async def run(path: Path) -> None:
    live = await Live.open(path, features=FEATURES)
    table = await running_table(live) or await opened(live)
    person, before = decider(table), len(table.moves)
    waited = any(plan.outcome is None for plan in await live.service(Planner).plans_of(table.id, person))
    await live.start(live.service(Planner).running())
    plans = await live.service(Planner).plans_of(table.id, person)
    while any(plan.outcome is None for plan in plans):
        plans = await live.service(Planner).plans_of(table.id, person)
    await live.service(Planner).playing.wait_idle()
    table = await live.tables.get(table.id)
    has_played = waited and [str(plan.outcome) for plan in plans] == [PLAYED]
    say("stands", before, int(has_played), len(table.moves))
    while True:
        if table.status != "running":
            table = await opened(live)
        assert table.to_decide is not None
        after = table.seats[(table.to_decide + 1) % 3].person
        if not await live.service(Planner).plans_of(table.id, after):
            await live.service(Planner).add(table.id, after, offered(table, after)[:1])
            say("planned")
        await trade(live, table)
        say("moved")
        await live.service(Planner).playing.wait_idle()
        table = await live.tables.get(table.id)


def decider(table: Table) -> str:
    return "" if table.to_decide is None else table.seats[table.to_decide].person


async def opened(live: Live) -> Table:
    people_by_name = await people.all_people(live.store)
    for name in ("Ada", "Ben", "Cleo")[len(people_by_name) :]:
        await live.people.create(name)
    ada, ben, cleo = await people.all_people(live.store)
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "link", "link"), ENDING))
    for person in (ben, cleo):
        table = await live.tables.run(table.id, tables.sit, person, by_link=True)
    return table


if __name__ == "__main__":
    fork_children(lambda _: run(Path(sys.argv[1])))
