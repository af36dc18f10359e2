"""A start folds the tables that need work, once, and no others; and no clock, bot or plan waits for ever."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from spieltisch import tables
from spieltisch.bots import choose_turn
from spieltisch.live import Live, loaded_tables
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.rules_digest import rules_digest
from spieltisch.live.table_loading import load_table
from spieltisch.store import Person
from spieltisch.store.schema import REPLAYED_KEY
from spieltisch.tables import ClockPaused, NewTable, Table, TableSettings
from spieltisch.tables.events import TimeUp
from spieltisch.tables.table_settings import HOUR
from tests.async_wait import wait
from tests.live.live_fixture import PLAN, move, running
from tests.live.sample_moves import offered
from tests.live.test_bot_turns import until
from tests.live.test_timekeeper import Hands, go, open_running_table, seconds_left, serve

SHORT = TableSettings("live", turn_time=40)
ENOUGH = 10_001
"""More tables than were once looked at."""


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each table is folded from its events."""
    counted: Counter[str] = Counter()
    load = load_table

    async def counting(store: Any, library: Any, table_id: str) -> Table:
        counted[table_id] += 1
        return await load(store, library, table_id)

    monkeypatch.setattr(loaded_tables, "load_table", counting)
    return counted


def change(live: Live, statement: str, **values: object) -> None:
    """Change the file behind the server's back."""
    wait(live.store.write(lambda connection: connection.execute(text(statement), values)))


def other_rules(live: Live) -> None:
    """At the next start the rules are others than at this one."""
    change(live, "UPDATE settings SET value = CAST('others' AS BLOB) WHERE name = :name", name=REPLAYED_KEY)


async def to_the_bot(live: Live, table: Table) -> Table:
    while table.bot_to_move() is None:
        table = await move(live, table)
    return table


def test_a_start_folds_what_a_bot_a_plan_or_a_clock_needs_and_nothing_else(tmp_path: Path, folds: Counter[str]) -> None:
    hands, ids = Hands(), {}

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        for _ in range(3):
            await live.tables.open(ada, PLAN)
            table = await running(live, ada, ben)
            while table.bot_to_move() is not None:
                table = await move(live, table)
            await open_running_table(live, ada, ben)
        ids["bot"] = (await to_the_bot(live, await running(live, ada, ben))).id
        table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "open")))
        cleo, _ = await live.people.create("Cleo")
        for other in (ben, cleo):
            table = await live.tables.run(table.id, tables.sit, other)
        assert table.to_decide is not None
        after = table.seats[(table.to_decide + 1) % 3].person
        await live.plan_runner.add(table.id, after, offered(table, after)[:1])
        while table.summary().waiting_for != after:
            table = await move(live, table)
        ids["plan"] = table.id
        waiting = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "open")))
        for other in (ben, cleo):
            waiting = await live.tables.run(waiting.id, tables.sit, other)
        assert waiting.to_decide is not None
        later = waiting.seats[(waiting.to_decide + 1) % 3].person
        await live.plan_runner.add(waiting.id, later, offered(waiting, later)[:1])
        ids["late"] = (await open_running_table(live, ada, ben, SHORT)).id
        await live.timekeeper.run_due()
        hands.run(9)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        folds.clear()
        turns = BotTurns(live.tables, choose=choose_turn, pace=0)
        await turns.start()
        live.plan_runner.start()
        try:
            await live.timekeeper.run_due()
            assert turns._beginning is not None
            assert live.plan_runner._beginning is not None
            await asyncio.gather(turns._beginning, live.plan_runner._beginning)
            assert folds == {ids["bot"]: 1, ids["plan"]: 1}
            await until(live, await live.tables.get(ids["bot"]), lambda now: now.bot_to_move() is None)
            await live.plan_runner.wait_idle()
            assert [plan.outcome for plan in await _plans(live, ids["plan"])] != [None]
            await go(live, hands, 60)
            assert folds[ids["late"]] == 1
            assert any(isinstance(event.event, TimeUp) for event in (await live.tables.get(ids["late"])).events)
            assert set(folds) == set(ids.values())
        finally:
            await turns.stop()

    serve(tmp_path, hands, first)
    serve(tmp_path, hands, second)


async def _plans(live: Live, table_id: str) -> tuple[Any, ...]:
    table = await live.tables.get(table_id)
    return tuple([plan for seat in table.people for plan in await live.plan_runner.plans_of(table_id, seat.person)])


def test_all_open_tables_are_replayed_once_if_the_rules_have_changed(tmp_path: Path, folds: Counter[str]) -> None:
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        for _ in range(3):
            ids.extend([(await live.tables.open(ada, PLAN)).id, (await running(live, ada, ben)).id])
        other_rules(live)

    async def stopped(live: Live, ada: Person, ben: Person) -> None:
        """It stops while it replays."""
        await asyncio.wait([live.tables.replaying])
        assert live.tables.replaying.cancelled()

    async def replays(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert folds == dict.fromkeys(ids, 1)

    async def nothing(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert not folds

    serve(tmp_path, Hands(), first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loaded_tables, "load_table", never)
        serve(tmp_path, Hands(), stopped)
    folds.clear()
    serve(tmp_path, Hands(), replays)
    folds.clear()
    serve(tmp_path, Hands(), nothing)


async def never(store: Any, library: Any, table_id: str) -> Table:
    """A table that takes for ever to load: who waits for it is cancelled."""
    raise asyncio.CancelledError(table_id)


def test_the_digest_is_that_of_the_rules_and_components(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "stones"
    package.mkdir()
    rules, components, drawing = (package / name for name in ("__init__.py", "components.toml", "board.svg"))
    for file in (rules, components, drawing):
        file.write_text("1", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    known = rules_digest()
    with monkeypatch.context() as patch:
        patch.setattr("spieltisch.live.rules_digest.game_modules", lambda: {"stones": "stones"})
        digests = [rules_digest()]
        for file in (rules, components, drawing):
            file.write_text("2", encoding="utf-8")
            digests.append(rules_digest())
        patch.setattr("spieltisch.live.rules_digest.game_modules", lambda: {"stones": "missing.stones"})
        digests.append(rules_digest())
    assert digests[2] == digests[3], "a drawing is no rule"
    assert len({known, *digests}) == 5
    assert rules_digest() == known


def test_a_summary_that_an_earlier_version_has_stored_keeps_no_bot_waiting(tmp_path: Path) -> None:
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_bot(live, await running(live, ada, ben))
        ids.append(table.id)
        change(live, "UPDATE tables SET summary = CAST(json_remove(CAST(summary AS TEXT), '$.to_decide') AS BLOB)")
        assert await live.store.bot_tables() == ()
        other_rules(live)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        turns = BotTurns(live.tables, choose=choose_turn, pace=0)
        await turns.start()
        try:
            await until(live, await live.tables.get(ids[0]), lambda now: now.bot_to_move() is None)
        finally:
            await turns.stop()

    serve(tmp_path, Hands(), first)
    serve(tmp_path, Hands(), second)


def test_no_table_is_left_out_however_many_there_are(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_bot(live, await running(live, ada, ben))
        change(
            live,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count) "
            "INSERT INTO tables (id, game, host, created, changed, version, status, summary, deadline, free_seats) "
            "SELECT id || i, game, host, created, changed, version, status, summary, 5.0, free_seats FROM tables, n "
            "WHERE id = :id",
            id=table.id,
            count=ENOUGH,
        )
        assert len(await live.tables.with_bot_to_move()) == ENOUGH + 1
        assert len(await live.store.table_ids("open", "running")) == ENOUGH + 1
        assert len(await live.store.tables("running")) == ENOUGH + 1
        assert len(await live.store.deadlines(5.0)) == ENOUGH

    serve(tmp_path, Hands(), job)


def test_a_clock_that_nobody_looks_at_loses_and_wins_no_time_over_restarts(tmp_path: Path, folds: Counter[str]) -> None:
    hands = Hands()
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        ids.append((await open_running_table(live, ada, ben)).id)
        await go(live, hands, 100)
        folds.clear()

    async def another(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        await go(live, hands, 50)
        assert not folds, "nobody looks at it, and its time is not up"

    async def asleep(live: Live, ada: Person, ben: Person) -> None:
        await another(live, ada, ben)
        hands.wall += 60
        await another(live, ada, ben)

    async def last(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        table = await live.tables.get(ids[0])
        left, table = await seconds_left(live, table)
        assert left == pytest.approx(630 - 100 - 4 * 50, abs=0.1)
        assert sum(isinstance(event.event, ClockPaused) for event in table.events) == 5
        await go(live, hands, left - 1)
        assert not isinstance((await seconds_left(live, table))[1].events[-1].event, TimeUp)
        await go(live, hands, 2)
        assert isinstance((await seconds_left(live, table))[1].events[-1].event, TimeUp)

    serve(tmp_path, hands, first)
    for job in (another, asleep, another):
        hands.wall += 60
        hands.steady = 3.0
        serve(tmp_path, hands, job)
    hands.wall += 60
    serve(tmp_path, hands, last)


def test_a_listed_deadline_is_right_after_a_moment(tmp_path: Path) -> None:
    hands = Hands()

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await open_running_table(live, ada, ben)
        await live.timekeeper.run_due()

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        (listed,) = await live.store.tables("running")
        assert listed.summary.deadline is not None
        changed = asyncio.get_running_loop().create_future()
        live.tables.subscribe(listed.id, changed.set_result)
        tasks = set(live.tables._tasks)
        live.tables.update_deadlines([listed])
        live.tables.update_deadlines([listed])
        assert len(live.tables._tasks - tasks) == 1, "it is being loaded already"
        assert (await changed).summary().deadline == pytest.approx(listed.summary.deadline + 60, abs=0.1)
        while live.tables._updating:
            await asyncio.wait(live.tables._tasks)
        (listed,) = await live.store.tables("running")
        tasks = set(live.tables._tasks)
        live.tables.update_deadlines([listed])
        assert live.tables._tasks == tasks, "nothing is left to do"

    serve(tmp_path, hands, first)
    hands.wall += 60
    serve(tmp_path, hands, second)


def test_a_clock_that_was_set_back_while_the_server_did_not_run_costs_no_time(tmp_path: Path) -> None:
    hands = Hands()
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        ids.append((await open_running_table(live, ada, ben)).id)
        await go(live, hands, 100)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, await live.tables.get(ids[0])))[0] == pytest.approx(530, abs=0.1)
        await go(live, hands, 100)

    async def third(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, await live.tables.get(ids[0])))[0] == pytest.approx(430, abs=0.1)

    serve(tmp_path, hands, first)
    hands.wall -= 3 * HOUR
    serve(tmp_path, hands, second)
    hands.wall += 60
    serve(tmp_path, hands, third)
