"""The loop that reads until when people have time, with clocks that the tests move; and servers that are killed."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import textwrap
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from spieltisch import bots, tables
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.table_loading import fold_events
from spieltisch.store import Person
from spieltisch.tables import ClockPaused, NewTable, Table, TableSettings
from spieltisch.tables.events import Moved, PlayerReturned, TimeUp
from spieltisch.tables.table_settings import HOUR, MINUTE
from tests.forked import Process
from tests.live.test_bot_turns import until

LIVE = TableSettings("live", time_bank=10 * MINUTE, turn_time=30, on_timeout="bot-plays", bot="random")
Job = Callable[[Live, Person, Person], Awaitable[None]]


class Hands:
    """Two clocks: the wall's, which people set, and one that only runs."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.steady = 50.0

    def run(self, seconds: float) -> None:
        """Time passes while the server is there, and looks at its clock all along."""
        self.wall += seconds
        self.steady += seconds


def serve(path: Path, hands: Hands, job: Job) -> None:
    """Run a job on a file, with Ada and Ben, from the start of a server to its stop."""

    async def main() -> None:
        live = await Live.open(path / "house.sqlite3", clock=lambda: hands.wall, steady=lambda: hands.steady)
        try:
            ada, _ = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            await asyncio.wait_for(job(live, ada, ben), 60)
        finally:
            await live.close()

    asyncio.run(main())


async def open_running_table(live: Live, ada: Person, ben: Person, charter: TableSettings = LIVE) -> Table:
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "here:Cleo"), charter=charter))
    table = await live.tables.run(table.id, tables.sit, ben)
    assert table.status == "running"
    return table


async def go(live: Live, hands: Hands, seconds: float) -> None:
    """Let this time pass; the timekeeper runs every few seconds."""
    while seconds > 0:
        step = min(seconds, 9.0)
        hands.run(step)
        seconds -= step
        await live.timekeeper.run_due()


async def seconds_left(live: Live, table: Table) -> tuple[float, Table]:
    """Return the seconds left by the list of deadlines, and the table."""
    now = await live.tables.get(table.id)
    listed = [until for table_id, until in await live.store.deadlines() if table_id == table.id]
    due = tables.deadline(now)
    assert [due.until] * (due is not None) == listed if due else listed == []
    return (due.until - live.clock() if due else 0.0), now


def test_when_time_is_up_it_happens_once_and_not_before(tmp_path: Path) -> None:
    hands = Hands()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await open_running_table(live, ada, ben)
        await go(live, hands, 629)
        assert (await seconds_left(live, table))[1].version == table.version
        await go(live, hands, 2)
        later = (await seconds_left(live, table))[1]
        assert [type(event.event) for event in later.events[table.version :]] == [TimeUp]
        assert later.bot_to_move() is not None
        await go(live, hands, 1000)
        assert (await seconds_left(live, table))[1].version == later.version

    serve(tmp_path, hands, job)


def test_no_time_is_lost_or_won_by_a_restart_by_sleep_or_by_a_clock_that_is_set(tmp_path: Path) -> None:
    hands = Hands()
    opened: list[Table] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        opened.append(await open_running_table(live, ada, ben))
        await go(live, hands, 100)
        hands.wall += 7 * HOUR  # asleep: the steady clock stands
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened[0]))[0] == pytest.approx(530, abs=0.1)
        hands.wall -= 3 * HOUR  # set back
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened[0]))[0] == pytest.approx(530, abs=0.1)
        hands.run(2 * HOUR)  # stopped, as by SIGSTOP
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened[0]))[0] == pytest.approx(530, abs=0.1)
        await go(live, hands, 30)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened[0]))[0] == pytest.approx(500, abs=0.1)
        await go(live, hands, 499)
        left, table = await seconds_left(live, opened[0])
        assert left == pytest.approx(1, abs=0.1)
        assert sum(isinstance(event.event, ClockPaused) for event in table.events) == 4
        await go(live, hands, 2)
        assert isinstance((await seconds_left(live, opened[0]))[1].events[-1].event, TimeUp)

    serve(tmp_path, hands, first)
    hands.wall += 40 * HOUR
    hands.steady = 3.0
    serve(tmp_path, hands, second)


def test_a_bot_sits_until_its_owner_is_back(tmp_path: Path) -> None:
    hands = Hands()
    charter = TableSettings("live", time_bank=MINUTE, turn_time=30, on_timeout="bot-sits", bot="random")

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await open_running_table(live, ada, ben, charter)
        seat = table.to_decide
        assert seat is not None
        turns = BotTurns(live.tables, choose=bots.choose_turn, pace=0)
        await turns.start()
        try:
            await go(live, hands, 91)
            table = await until(live, table, lambda now: now.to_decide != seat)
            table = await live.tables.run(table.id, tables.resume_play, table.seats[seat].person)
            while table.to_decide != seat:
                table = await _moves(live, table)
            assert table.bot_to_move() is None
            assert (await seconds_left(live, table))[0] > 0, "their time runs again"
        finally:
            await turns.stop()
        events = [event.event for event in table.events]
        assert sum(isinstance(event, TimeUp) for event in events) == 1
        assert [event.seat for event in events if isinstance(event, PlayerReturned)] in ([], [seat])

    serve(tmp_path, hands, job)


async def _moves(live: Live, table: Table) -> Table:
    assert table.position is not None
    assert table.to_decide is not None
    person = table.seats[table.to_decide].person
    return await live.tables.run(table.id, tables.play, person, str(table.position.legal_moves[0]), table.version)


KILLS = 12
SERVER = textwrap.dedent(
    """
    import asyncio, sys, time
    from pathlib import Path
    from spieltisch import tables
    from spieltisch.live import Live
    from spieltisch.tables import TableSettings, NewTable

    t0, m0 = time.time(), time.monotonic()
    FAST = 100  # seconds of its clocks in one of ours

    async def main():
        wall, steady = lambda: t0 + FAST * (time.monotonic() - m0), lambda: FAST * time.monotonic()
        live = await Live.open(Path(sys.argv[1]), clock=wall, steady=steady)
        known = await live.store.tables("running")
        if not known:
            ada, _ = await live.people.create("Ada")
            seats = ("me", "here:Ben", "here:Cleo")
            plan = NewTable("paris-connection", seats, charter=TableSettings("live", turn_time=5))
            await live.tables.open(ada, plan)
        print("up", flush=True)
        while True:
            await live.timekeeper.run_due()
            for stored in await live.store.tables("running"):
                table = await live.tables.get(stored.id)
                if table.clock and table.clock.has_timed_out:
                    move = str(table.position.legal_moves[0])
                    person = table.seats[table.to_decide].person
                    await live.tables.run(table.id, tables.play, person, move, table.version)
    asyncio.run(main())
    """
)


@pytest.mark.crash
def test_after_a_kill_at_any_moment_each_turn_was_up_once_and_time_is_right(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    for number in range(KILLS):
        server = Process([sys.executable, "-c", SERVER, path])
        assert server.stdout.readline() == "up\n"
        counted = _events(path)
        while _events(path) < counted + 3 + number % 4:  # sometimes while a turn's time runs, sometimes when it is up
            assert server.poll() is None, server.communicate()
        server.send_signal(signal.SIGKILL)
        server.communicate()

    async def look() -> None:
        live = await Live.open(path)
        try:
            (stored,) = await live.store.tables()
            table = await live.tables.get(stored.id)
            assert table.replay_difference is None
            assert table.frozen is None
            kinds = [type(event.event) for event in table.events if isinstance(event.event, TimeUp | Moved)]
            assert kinds.count(TimeUp) > 4
            assert (TimeUp, TimeUp) not in pairwise(kinds), "a turn is up once"
            assert any(isinstance(event.event, ClockPaused) for event in table.events)
            for number, event in enumerate(table.events):
                if isinstance(event.event, TimeUp):
                    before = tables.deadline(
                        await fold_events(live.store, live.components, table.id, table.events[:number])
                    )
                    assert before is not None
                    assert before.until <= event.at
        finally:
            await live.close()

    asyncio.run(look())


def _events(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
