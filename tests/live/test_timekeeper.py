"""Check the loop that reads deadlines, with manual clocks and killed servers."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import textwrap
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from spieltisch import bots, tables
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.table_loading import fold_events
from spieltisch.store import Person
from spieltisch.tables import ClockPaused, Table, TableSettings
from spieltisch.tables.events import Moved, PlayerReturned, TimeUp
from spieltisch.tables.table_settings import HOUR, MINUTE
from tests.forked import Process
from tests.live.hand_set_clocks import Clocks, let_time_pass, open_running_table, seconds_left, serve
from tests.live.running_bots import until

pytestmark = pytest.mark.both_databases


def test_a_player_times_out_once_and_not_early(tmp_path: Path) -> None:
    hands = Clocks()

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await open_running_table(live, ada, ben)
        await let_time_pass(live, hands, 629)
        assert (await seconds_left(live, table))[1].version == table.version
        await let_time_pass(live, hands, 2)
        seconds_later = (await seconds_left(live, table))[1]
        assert [type(event.event) for event in seconds_later.events[table.version :]] == [TimeUp]
        assert seconds_later.bot_to_move() is not None
        await let_time_pass(live, hands, 1000)
        assert (await seconds_left(live, table))[1].version == seconds_later.version

    serve(tmp_path, hands, job)


def test_a_restart_a_suspension_or_a_clock_change_alters_no_thinking_time(tmp_path: Path) -> None:
    hands = Clocks()
    opened_tables: list[Table] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        opened_tables.append(await open_running_table(live, ada, ben))
        await let_time_pass(live, hands, 100)
        hands.wall += 7 * HOUR  # asleep: the steady clock stands
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened_tables[0]))[0] == pytest.approx(530, abs=0.1)
        hands.wall -= 3 * HOUR  # set back
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened_tables[0]))[0] == pytest.approx(530, abs=0.1)
        hands.run(2 * HOUR)  # stopped, as by SIGSTOP
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened_tables[0]))[0] == pytest.approx(530, abs=0.1)
        await let_time_pass(live, hands, 30)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, opened_tables[0]))[0] == pytest.approx(500, abs=0.1)
        await let_time_pass(live, hands, 499)
        remaining_seconds, table = await seconds_left(live, opened_tables[0])
        assert remaining_seconds == pytest.approx(1, abs=0.1)
        assert sum(isinstance(event.event, ClockPaused) for event in table.events) == 4
        await let_time_pass(live, hands, 2)
        assert isinstance((await seconds_left(live, opened_tables[0]))[1].events[-1].event, TimeUp)

    serve(tmp_path, hands, first)
    hands.wall += 40 * HOUR
    hands.steady = 3.0
    serve(tmp_path, hands, second)


def test_a_bot_plays_for_a_timed_out_player_until_they_return(tmp_path: Path) -> None:
    hands = Clocks()
    charter = TableSettings("live", time_bank=MINUTE, turn_time=30, on_timeout="bot-sits", bot="random")

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await open_running_table(live, ada, ben, charter)
        seat = table.to_decide
        assert seat is not None
        async with BotTurns(live, choose=bots.choose_turn, pace=0).running():
            await let_time_pass(live, hands, 91)
            table = await until(live, table, lambda now: now.to_decide != seat)
            table = await live.tables.run(table.id, tables.resume_play, table.seats[seat].person)
            while table.to_decide != seat:
                table = await _moves(live, table)
            assert table.bot_to_move() is None
            assert (await seconds_left(live, table))[0] > 0, "their time runs again"
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
    from spieltisch.features import FEATURES
    from spieltisch.live import Live
    from spieltisch.tables import TableSettings, NewTable

    path, started_at, speed = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    m0 = time.monotonic()

    async def main():
        wall, steady = lambda: started_at + speed * (time.monotonic() - m0), lambda: speed * time.monotonic()
        live = await Live.open(path, clock=wall, steady=steady, features=FEATURES)
        known = await live.store.tables("running")
        if not known:
            ada, _ = await live.people.create("Ada")
            seats = ("me", "here:Ben", "here:Cleo")
            plan = NewTable("paris-connection", seats, charter=TableSettings("live", turn_time=5))
            await live.tables.open(ada, plan)
        print("up", flush=True)
        is_turn_announced = False
        while True:
            await live.timekeeper.run_due()
            for stored in await live.store.tables("running"):
                table = await live.tables.get(stored.id)
                if table.clock and table.clock.has_timed_out:
                    move = str(table.position.legal_moves[0])
                    person = table.seats[table.to_decide].person
                    await live.tables.run(table.id, tables.play, person, move, table.version)
                elif table.clock and not is_turn_announced:
                    is_turn_announced = True
                    print("a turn's time runs", flush=True)
    asyncio.run(main())
    """
)


@pytest.mark.crash
@pytest.mark.sqlite_only
def test_each_turn_times_out_once_at_the_right_time_despite_kills_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    for number in range(KILLS):
        is_slow = number % 2 == 1  # a turn's time of 5 s cannot be up before the kill, on the slowest machine
        started_at = _last_event(path) + 60 if number else time.time()
        server = Process([sys.executable, "-c", SERVER, path, str(started_at), "1" if is_slow else "100"])
        assert server.stdout.readline() == "up\n"
        if is_slow:
            assert server.stdout.readline() == "a turn's time runs\n"
        else:  # killed while a turn's time runs, or when it is up
            recorded_events = _events(path)
            while _events(path) < recorded_events + 6 + number % 3:
                assert server.poll() is None, server.communicate()
        server.send_signal(signal.SIGKILL)
        server.communicate()

    async def check_clock() -> None:
        live = await Live.open(path, features=FEATURES)
        try:
            (stored_table,) = await live.store.tables()
            table = await live.tables.get(stored_table.id)
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

    asyncio.run(check_clock())


def _events(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def _last_event(path: Path) -> float:
    """Return when the last event was recorded."""
    with closing(sqlite3.connect(path)) as connection:
        return float(connection.execute("SELECT max(at) FROM events").fetchone()[0])
