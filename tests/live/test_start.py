"""Check that a start loads exactly the tables needed, and that no clock, bot or plan waits forever."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from spieltisch import tables
from spieltisch.bots import choose_turn
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import Live, loaded_tables
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.rules_digest import rules_digest
from spieltisch.live.table_loading import load_table
from spieltisch.store import Person
from spieltisch.tables import ClockPaused, NewTable, Table, TableSettings
from spieltisch.tables.events import TimeUp
from spieltisch.tables.table_settings import HOUR
from tests.features.planned_turns.sample_moves import offered
from tests.live.changed_database import change, other_rules
from tests.live.hand_set_clocks import Clocks, let_time_pass, open_running_table, seconds_left, serve
from tests.live.live_fixture import PLAN, move, running
from tests.live.running_bots import until

SHORT = TableSettings("live", turn_time=40)
ENOUGH = 10_001
"""More tables than were once looked at."""


@pytest.fixture
def fold_counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each table is folded from its events."""
    event_counts: Counter[str] = Counter()
    load = load_table

    async def counting(store: Any, library: Any, table_id: str) -> Table:
        event_counts[table_id] += 1
        return await load(store, library, table_id)

    monkeypatch.setattr(loaded_tables, "load_table", counting)
    return event_counts


async def to_the_bot(live: Live, table: Table) -> Table:
    while table.bot_to_move() is None:
        table = await move(live, table)
    return table


def test_a_start_loads_only_tables_needed_by_bots_plans_and_clocks(tmp_path: Path, fold_counts: Counter[str]) -> None:
    hands, ids = Clocks(), {}

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
        for other_player in (ben, cleo):
            table = await live.tables.run(table.id, tables.sit, other_player)
        assert table.to_decide is not None
        after = table.seats[(table.to_decide + 1) % 3].person
        await live.service(Planner).add(table.id, after, offered(table, after)[:1])
        while table.summary().waiting_for != after:
            table = await move(live, table)
        ids["plan"] = table.id
        waiting_table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "open")))
        for other_player in (ben, cleo):
            waiting_table = await live.tables.run(waiting_table.id, tables.sit, other_player)
        assert waiting_table.to_decide is not None
        later_person = waiting_table.seats[(waiting_table.to_decide + 1) % 3].person
        await live.service(Planner).add(waiting_table.id, later_person, offered(waiting_table, later_person)[:1])
        ids["late"] = (await open_running_table(live, ada, ben, SHORT)).id
        await live.timekeeper.run_due()
        hands.run(9)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        fold_counts.clear()
        bots_began = await live.start(BotTurns(live, choose=choose_turn, pace=0).running())
        plans_began = await live.start(live.service(Planner).running())
        await live.timekeeper.run_due()
        await asyncio.gather(bots_began, plans_began)
        assert fold_counts == {ids["bot"]: 1, ids["plan"]: 1}
        await until(live, await live.tables.get(ids["bot"]), lambda now: now.bot_to_move() is None)
        await live.service(Planner).playing.wait_idle()
        assert [plan.outcome for plan in await _plans(live, ids["plan"])] != [None]
        await let_time_pass(live, hands, 60)
        assert fold_counts[ids["late"]] == 1
        assert any(isinstance(event.event, TimeUp) for event in (await live.tables.get(ids["late"])).events)
        assert set(fold_counts) == set(ids.values())

    serve(tmp_path, hands, first)
    serve(tmp_path, hands, second)


async def _plans(live: Live, table_id: str) -> tuple[Any, ...]:
    table = await live.tables.get(table_id)
    planner = live.service(Planner)
    return tuple([plan for seat in table.people for plan in await planner.plans_of(table_id, seat.person)])


def test_all_open_tables_are_replayed_once_after_a_change_of_rules(tmp_path: Path, fold_counts: Counter[str]) -> None:
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        for _ in range(3):
            ids.extend([(await live.tables.open(ada, PLAN)).id, (await running(live, ada, ben)).id])
        other_rules(live)

    async def stopped(live: Live, ada: Person, ben: Person) -> None:
        """Stop the server while it replays tables."""
        await asyncio.wait([live.tables.replaying])
        assert live.tables.replaying.cancelled()

    async def replays(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert fold_counts == dict.fromkeys(ids, 1)

    async def do_nothing(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert not fold_counts

    serve(tmp_path, Clocks(), first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loaded_tables, "load_table", never)
        serve(tmp_path, Clocks(), stopped)
    fold_counts.clear()
    serve(tmp_path, Clocks(), replays)
    fold_counts.clear()
    serve(tmp_path, Clocks(), do_nothing)


async def never(store: Any, library: Any, table_id: str) -> Table:
    """Raise CancelledError instead of loading a table, as when the server stops."""
    raise asyncio.CancelledError(table_id)


def test_the_digest_of_the_rules_covers_rules_and_components(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "stones"
    package.mkdir()
    rules, components, drawing = (package / name for name in ("__init__.py", "components.toml", "board.svg"))
    for file in (rules, components, drawing):
        file.write_text("1", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    digest_before = rules_digest()
    with monkeypatch.context() as patch:
        patch.setattr("spieltisch.live.rules_digest.game_modules", lambda: {"stones": "stones"})
        digests = [rules_digest()]
        for file in (rules, components, drawing):
            file.write_text("2", encoding="utf-8")
            digests.append(rules_digest())
        patch.setattr("spieltisch.live.rules_digest.game_modules", lambda: {"stones": "missing.stones"})
        digests.append(rules_digest())
    assert digests[2] == digests[3], "a drawing is no rule"
    assert len({digest_before, *digests}) == 5
    assert rules_digest() == digest_before


def test_a_table_summary_without_the_deciding_seat_is_recomputed_so_that_bots_move(tmp_path: Path) -> None:
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_bot(live, await running(live, ada, ben))
        ids.append(table.id)
        change(live, "UPDATE tables SET summary = CAST(json_remove(CAST(summary AS TEXT), '$.to_decide') AS BLOB)")
        assert await live.store.bot_tables() == ()
        other_rules(live)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.start(BotTurns(live, choose=choose_turn, pace=0).running())
        await until(live, await live.tables.get(ids[0]), lambda now: now.bot_to_move() is None)

    serve(tmp_path, Clocks(), first)
    serve(tmp_path, Clocks(), second)


def test_a_start_finds_all_tables_however_many_there_are(tmp_path: Path) -> None:
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

    serve(tmp_path, Clocks(), job)


def test_a_game_clock_of_a_table_that_is_not_viewed_is_exact_after_restarts(
    tmp_path: Path, fold_counts: Counter[str]
) -> None:
    hands = Clocks()
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        ids.append((await open_running_table(live, ada, ben)).id)
        await let_time_pass(live, hands, 100)
        fold_counts.clear()

    async def play_at_another_table(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        await let_time_pass(live, hands, 50)
        assert not fold_counts, "nobody looks at it, and its time is not up"

    async def asleep(live: Live, ada: Person, ben: Person) -> None:
        await play_at_another_table(live, ada, ben)
        hands.wall += 60
        await play_at_another_table(live, ada, ben)

    async def play_last_turn(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        table = await live.tables.get(ids[0])
        remaining_seconds, table = await seconds_left(live, table)
        assert remaining_seconds == pytest.approx(630 - 100 - 4 * 50, abs=0.1)
        assert sum(isinstance(event.event, ClockPaused) for event in table.events) == 5
        await let_time_pass(live, hands, remaining_seconds - 1)
        assert not isinstance((await seconds_left(live, table))[1].events[-1].event, TimeUp)
        await let_time_pass(live, hands, 2)
        assert isinstance((await seconds_left(live, table))[1].events[-1].event, TimeUp)

    serve(tmp_path, hands, first)
    for job in (play_at_another_table, asleep, play_at_another_table):
        hands.wall += 60
        hands.steady = 3.0
        serve(tmp_path, hands, job)
    hands.wall += 60
    serve(tmp_path, hands, play_last_turn)


def test_a_listed_deadline_is_corrected_shortly_after_a_restart(tmp_path: Path) -> None:
    hands = Clocks()

    async def first(live: Live, ada: Person, ben: Person) -> None:
        await open_running_table(live, ada, ben)
        await live.timekeeper.run_due()

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        (listed_table,) = await live.store.tables("running")
        assert listed_table.summary.deadline is not None
        has_changed = asyncio.get_running_loop().create_future()
        live.tables.subscribe(listed_table.id, has_changed.set_result)
        tasks = set(live.tables._tasks._tasks)
        live.tables.update_deadlines([listed_table])
        live.tables.update_deadlines([listed_table])
        assert len(live.tables._tasks._tasks - tasks) == 1, "it is being loaded already"
        assert (await has_changed).summary().deadline == pytest.approx(listed_table.summary.deadline + 60, abs=0.1)
        while live.tables._updating:
            await asyncio.wait(live.tables._tasks._tasks)
        (listed_table,) = await live.store.tables("running")
        tasks = set(live.tables._tasks._tasks)
        live.tables.update_deadlines([listed_table])
        assert live.tables._tasks._tasks == tasks, "nothing is left to do"

    serve(tmp_path, hands, first)
    hands.wall += 60
    serve(tmp_path, hands, second)


def test_a_clock_set_back_while_no_server_runs_costs_no_thinking_time(tmp_path: Path) -> None:
    hands = Clocks()
    ids: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        ids.append((await open_running_table(live, ada, ben)).id)
        await let_time_pass(live, hands, 100)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, await live.tables.get(ids[0])))[0] == pytest.approx(530, abs=0.1)
        await let_time_pass(live, hands, 100)

    async def third(live: Live, ada: Person, ben: Person) -> None:
        await live.timekeeper.run_due()
        assert (await seconds_left(live, await live.tables.get(ids[0])))[0] == pytest.approx(430, abs=0.1)

    serve(tmp_path, hands, first)
    hands.wall -= 3 * HOUR
    serve(tmp_path, hands, second)
    hands.wall += 60
    serve(tmp_path, hands, third)
