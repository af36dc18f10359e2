"""A process that closes tables and creates people forever, and removes them when they are old.

For each line of its input it forks a child that does so until the test kills it. The child prints `child PID`, then
`stands`, then `removed` for each removed table or person.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable
from math import inf
from pathlib import Path

import structlog

from spieltisch import tables
from spieltisch.features import FEATURES
from spieltisch.live import Live, daily_removal, retention
from spieltisch.live.limits import DAY
from spieltisch.live.retention import Retention
from tests.live.hand_set_clocks import Clocks
from tests.live.killed_children import fork_children, say
from tests.live.live_fixture import PLAN


async def play(path: Path, number: int) -> None:
    hands = Clocks()
    hands.run(number * 1000 * DAY)
    kept = Retention(finished_tables=1, unused_people=1)
    live = await Live.open(
        path, clock=lambda: hands.wall, steady=lambda: hands.steady, retention=kept, features=FEATURES
    )
    say("stands")
    while True:
        ada, _ = await live.people.create("Ada")
        for _ in range(3):
            table = await live.tables.open(ada, PLAN)
            await live.tables.run(table.id, tables.close)
        hands.run(2 * DAY)
        await daily_removal.remove_due(live)


async def reported(removal: Awaitable[None]) -> bool:
    await removal
    say("removed")
    return True


if __name__ == "__main__":
    retention.MAX_ADVANCE_SECONDS = inf  # type: ignore[misc]  # the children begin years after each other
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    daily_removal._was_removed = reported
    fork_children(lambda number: play(Path(sys.argv[1]), number))
