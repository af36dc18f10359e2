"""A simulated evening of one region on PostgreSQL: how busy its processes and its database are, and who waits how long.

    python -m bench.region --people 100000 --processes 2,4,8,16

A discrete-event simulation of the busiest minutes of a day. Each process serves one job after the other, like an event
loop; writes that wait in a process share a transaction, and transactions with notices are committed one at a time.
Costs are the measured ones of `Costs`. What follows from rates alone (bots, disk, traffic) is computed.
"""

from __future__ import annotations

import argparse
import heapq
import random
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Final, NamedTuple

from bench.click_times import percentile
from spieltisch.live.followed_tables import MAX_BYTES_IF_SHARED

HOURS: Final = (2, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5, 4, 4, 4, 5, 7, 9, 10, 10, 8, 5)
"""The part of the day's changes in each hour, in percent: the evening has a tenth in an hour."""
PEAK: Final = 2.0
"""The rate of the busiest minutes, in that of the busiest hour."""
BATCH: Final = 256
"""The number of writes that a process stores in one transaction at most."""

EASY_SECONDS: Final = 0.016
"""Processor time of a change by an easy bot (docs/performance.md, "Load": 31 % of a core for 20 a second)."""
EXPERT_SECONDS: Final = 1.9
"""The same of an expert bot (bench/NOTES.md, "The search")."""
EVENT_BYTES: Final = 243
"""Bytes of a stored change with its index: `pg_total_relation_size` of the events of `bench.load`, two processes."""
LOG_BYTES: Final = 3400
"""Bytes of write-ahead log for a change there, with that of its lease and of the lobby."""
PUSH_BYTES: Final = 4000
"""Bytes of a push, compressed (bench/NOTES.md, "Load")."""
PROCESSOR_TIMES: Final = ("check", "draw", "hear", "follow", "load", "page")
"""The costs that a slower machine multiplies."""


class Costs(NamedTuple):
    """Seconds and megabytes.

    Processor time is that of a quiet machine (docs/performance.md, "Load": 10 ms for a change at a table that two
    people watch), divided as the lab notebook found; PostgreSQL adds what `bench.appends` measures.
    """

    check: float = 0.0046
    """Processor time of the process that checks and writes a change, answer included: 4 ms, and 0.6 for PostgreSQL."""
    draw: float = 0.003
    """Processor time to draw a change for one person and send it."""
    hear: float = 0.0005
    """Processor time of each other process for a notice (docs/scaling.md)."""
    follow: float = 0.002
    """Processor time of another process to bring a table up to date that it has open (docs/scaling.md)."""
    load: float = 0.012
    """Processor time to load a table with a hundred moves, without its log."""
    page: float = 0.004
    """Processor time of a page (docs/performance.md, "Large folders": lobby and lists, 2 to 5 ms)."""
    notice: float = 0.0005
    """Time until a notice is heard."""
    statements: float = 0.001
    """Time of PostgreSQL for the statements of a write."""
    commit: float = 0.001
    """Time of a commit on the disk; 0.1 ms on a local one (`pg_test_fsync`)."""
    table_megabytes: float = 0.25
    """Size of a loaded table with a hundred moves and the log of one seat (`Table.estimated_bytes`)."""


class Region(NamedTuple):
    """The habits of people, and how many they are."""

    people: int = 100_000
    """People in a day."""
    changes: float = 50.0
    """Changes at tables for each of them, with those of the bots there."""
    bots: float = 0.5
    """The part of the changes that bots make."""
    seats: int = 2
    """People at a table, who have it open."""
    interval: float = 5.0
    """Seconds between two changes of a table at which people play at the moment."""
    pages: float = 20.0
    """Other pages of each of them."""

    @property
    def changes_per_second(self) -> float:
        """Changes a second in the busiest minutes."""
        return self.people * self.changes * max(HOURS) / sum(HOURS) * PEAK / 3600

    @property
    def played_tables(self) -> int:
        """Tables at which people play in the busiest minutes."""
        return max(1, round(self.changes_per_second * self.interval))


class Outcome(NamedTuple):
    """Results of a simulation; times in seconds."""

    clicks: list[float]
    """From the arrival of a click to its answer."""
    pushes: list[float]
    """From the commit of a change until it is drawn for a person."""
    pages: list[float]
    """From the request of a page to its answer."""
    busy: float
    """Processors that the processes use, all together."""
    loads: float
    """Tables loaded for each change."""
    commits: float
    """Transactions a second."""
    committing: float
    """The part of the time in which something is being committed."""


class Simulation:
    """Processes that share a database; `memory` is the megabytes of tables that each keeps."""

    def __init__(self, region: Region, costs: Costs, processes: int, memory: float, seed: int) -> None:
        self.region, self.costs, self.processes = region, costs, processes
        self.chance = random.Random(seed)
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._free_at = [0.0] * processes
        self._busy = 0.0
        self._capacity = int(memory / costs.table_megabytes)
        self._loaded = [OrderedDict[int, None]() for _ in range(processes)]
        self._writes: list[deque[Callable[[], None]]] = [deque() for _ in range(processes)]
        self._is_writing = [False] * processes
        self._commit_free_at = 0.0
        self._counted: Counter[str] = Counter()
        self.seats = [
            [self.chance.randrange(processes) for _ in range(region.seats)] for _ in range(region.played_tables)
        ]
        """The process of the page of each person, for each table."""
        self._changed_in = [places[0] for places in self.seats]
        """The process in which each table was changed last: its bots move there."""
        for table, places in enumerate(self.seats):
            for process in places:
                self._load(process, table)
        self._counted.clear()
        self.clicks: list[float] = []
        self.pushes: list[float] = []
        self.pages: list[float] = []

    def at(self, time: float, happens: Callable[[], None]) -> None:
        """Let something happen at a time."""
        heapq.heappush(self._events, (time, next(self._numbers), happens))

    def run(self, seconds: float) -> Outcome:
        """Simulate so many seconds of arrivals, and what follows from them."""
        self._arrive(self.region.changes_per_second, seconds, self._change)
        self._arrive(self.region.changes_per_second * self.region.pages / self.region.changes, seconds, self._page)
        while self._events:
            self.now, _, happens = heapq.heappop(self._events)
            happens()
        counted = self._counted
        return Outcome(
            self.clicks,
            self.pushes,
            self.pages,
            self._busy / seconds,
            counted["loads"] / max(1, counted["changes"]),
            counted["commits"] / seconds,
            counted["commits"] * self.costs.commit / seconds,
        )

    def _arrive(self, rate: float, until: float, happens: Callable[[], None]) -> None:
        """Let something happen at random times: a Poisson process."""
        time = self.chance.expovariate(rate) if rate else until
        while time < until:
            self.at(time, happens)
            time += self.chance.expovariate(rate)

    def _serve(self, process: int, seconds: float) -> float:
        """Let a process work for about so long when it is free; return when it is done."""
        needed = self.chance.expovariate(1 / seconds) if seconds else 0.0
        self._busy += needed
        self._free_at[process] = max(self.now, self._free_at[process]) + needed
        return self._free_at[process]

    def _load(self, process: int, table: int) -> float:
        """Return the time to load a table, unless the process has it."""
        loaded = self._loaded[process]
        is_there = table in loaded
        loaded[table] = None
        loaded.move_to_end(table)
        if len(loaded) > self._capacity:
            loaded.popitem(last=False)
        if is_there:
            return 0.0
        self._counted["loads"] += 1
        return self.costs.load

    def _page(self) -> None:
        self.pages.append(self._serve(self.chance.randrange(self.processes), self.costs.page) - self.now)

    def _change(self) -> None:
        self._counted["changes"] += 1
        arrived, table = self.now, self.chance.randrange(len(self.seats))
        is_click = self.chance.random() >= self.region.bots
        process = self.chance.choice(self.seats[table]) if is_click else self._changed_in[table]
        self._changed_in[table] = process

        def check() -> None:
            self.at(self._serve(process, self.costs.check + self._load(process, table)), write)

        def write() -> None:
            self._write(process, tell)
            if not is_click:
                self._write(process, lambda: None)  # the end of the lease

        def tell() -> None:
            committed_at = self.now
            if is_click:  # the time of the answer is in `check`
                self.clicks.append(max(self.now, self._free_at[process]) - arrived)
            self._draw(process, table, committed_at)
            for other in {*range(self.processes)} - {process}:
                self.at(committed_at + self.costs.notice, partial(self._hear, other, table, committed_at))

        if is_click:
            check()
        else:  # a bot moves under a lease
            self._write(process, check)

    def _hear(self, process: int, table: int, committed_at: float) -> None:
        is_watched = process in self.seats[table]
        needed = self.costs.hear
        if is_watched or table in self._loaded[process]:
            needed += self.costs.follow
        if is_watched:
            needed += self._load(process, table)
        self._serve(process, needed)
        self._draw(process, table, committed_at)

    def _draw(self, process: int, table: int, committed_at: float) -> None:
        for place in self.seats[table]:
            if place == process:
                self.pushes.append(self._serve(process, self.costs.draw) - committed_at)

    def _write(self, process: int, committed: Callable[[], None]) -> None:
        self._writes[process].append(committed)
        if not self._is_writing[process]:
            self._begin_transaction(process)

    def _begin_transaction(self, process: int) -> None:
        self._is_writing[process] = True
        waiting = self._writes[process]
        batch = [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]
        self.at(self.now + len(batch) * self.costs.statements, lambda: self._commit(process, batch))

    def _commit(self, process: int, batch: list[Callable[[], None]]) -> None:
        self._counted["commits"] += 1
        self._commit_free_at = max(self.now, self._commit_free_at) + self.costs.commit

        def end() -> None:
            self._is_writing[process] = False
            if self._writes[process]:
                self._begin_transaction(process)
            for committed in batch:
                committed()

        self.at(self._commit_free_at, end)


def times(values: list[float]) -> str:
    """Return the median and the time within which 99 of 100 are, in milliseconds."""
    ordered = sorted(values)
    return " and ".join(f"{1e3 * percentile(ordered, part):.0f}" for part in (0.5, 0.99)) + " ms" if values else "none"


def print_needs(region: Region) -> None:
    """Print what follows from rates alone."""
    rate, changes = region.changes_per_second, region.people * region.changes
    people = region.played_tables * region.seats
    print(f"{rate:.0f} changes a second at {region.played_tables} tables with {people} people")
    print(f"bots: {rate * region.bots * EASY_SECONDS:.1f} processors if easy, ", end="")
    print(f"{rate * region.bots * EXPERT_SECONDS:.0f} if expert")
    print(
        f"a day: {changes * EVENT_BYTES / 1e9:.1f} GB of events, {changes * LOG_BYTES / 1e9:.0f} GB of write-ahead log"
    )
    print(f"pushes: {8 * rate * region.seats * PUSH_BYTES / 1e6:.0f} Mbit/s")


def main() -> None:
    """Print what a day and its busiest minutes need, and the busiest minutes for each number of processes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=Region().people, help="people in a day")
    parser.add_argument("--processes", default="4,6,8,12,16", help="numbers of processes, separated by commas")
    parser.add_argument(
        "--megabytes", type=float, default=MAX_BYTES_IF_SHARED / 2**20, help="memory of each process for tables"
    )
    parser.add_argument("--slowness", type=float, default=1.0, help="processor time, in that of the quiet machine")
    parser.add_argument("--commit", type=float, default=1e3 * Costs().commit, help="milliseconds of a commit")
    parser.add_argument("--seconds", type=float, default=120.0, help="length of the simulation")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    region, costs = Region(people=arguments.people), Costs()
    slower = {name: arguments.slowness * getattr(costs, name) for name in PROCESSOR_TIMES}
    costs = costs._replace(commit=arguments.commit / 1e3, **slower)
    print_needs(region)
    print("| processes | busy | loaded for a change | click p50, p99 | push p50, p99 | commits a second | committing |")
    print("|---|---|---|---|---|---|---|")
    for processes in map(int, arguments.processes.split(",")):
        outcome = Simulation(region, costs, processes, arguments.megabytes, arguments.seed).run(arguments.seconds)
        waits = [times(outcome.clicks), times(outcome.pushes)] if outcome.busy < processes else ["too few"] * 2
        print(
            f"| {processes} | {outcome.busy:.1f} | {outcome.loads:.2f} | {waits[0]} | {waits[1]} "
            f"| {outcome.commits:.0f} | {100 * outcome.committing:.0f} % |",
            flush=True,
        )


if __name__ == "__main__":
    main()
