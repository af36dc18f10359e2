"""Check the lists of the lobby: pages, order, and the same cost beside many finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spieltisch.store import Store, lobby
from spieltisch.store.lobby import MAX_ROWS, TablePage
from spieltisch.store.removal import remove_table
from spieltisch.tables import SeatSummary, TableSummary
from tests.store.counting import instructions
from tests.store.store_fixture import OVER, on_store, seats

pytestmark = pytest.mark.both_databases

FEW, MANY = 30, 600


MINE_OVER = TableSummary("finished", seats("ada", "ben"), winners=(0,), host="ada")
FREE = TableSummary("open", (*seats("ben"), SeatSummary("open")), host="ben")
IMPORTED = TableSummary("finished", (SeatSummary("left", name="A"), SeatSummary("left", name="B")), winners=(0,))


def running(to_decide: int, host: str = "ben") -> TableSummary:
    return TableSummary("running", seats("ada", "ben"), to_decide=to_decide, host=host)


async def add(store: Store, name: str, count: int, summary: TableSummary, at: float = 1.0) -> list[str]:
    ids = [f"{name}-{number:04}" for number in range(count)]
    await asyncio.gather(
        *(store.create(table, "toy", bytes(32), [(at + number, b"1")], summary) for number, table in enumerate(ids))
    )
    return ids


async def walk(page: Callable[[int], Awaitable[TablePage]]) -> list[str]:
    """Return the ids on all pages of a list."""
    table_ids: list[str] = []
    first: int | None = 0
    while first is not None:
        tables = await page(first)
        assert len(tables.tables) <= MAX_ROWS
        table_ids += [table.id for table in tables.tables]
        first = tables.following
    return table_ids


def test_every_table_is_on_exactly_one_page_of_its_list(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        free_table = await add(store, "free", 4 * MAX_ROWS + 1, FREE)
        finished_ids = await add(store, "over", MAX_ROWS, MINE_OVER)
        imported_table = await add(store, "imported", MAX_ROWS + 1, IMPORTED)
        await add(store, "brought", 3, IMPORTED, at=900.0)
        assert await walk(lambda first: lobby.open_tables(store, first)) == free_table[::-1], "the 101st is found"
        assert await walk(lambda first: lobby.finished_tables(store, "ada", first)) == finished_ids[::-1]
        assert await walk(lambda first: lobby.imported_tables(store, first)) == imported_table[::-1]
        assert await walk(lambda first: lobby.unfinished_tables(store, "ben", first)) == free_table[::-1]
        assert (await lobby.finished_tables(store, "nobody", 0)).tables == ()

    on_store(tmp_path, job)


def test_tables_waiting_for_the_person_are_listed_first(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        other_tables = await add(store, "others", MAX_ROWS + 1, running(1), at=900.0)
        own_tables = await add(store, "mine", MAX_ROWS + 1, running(0))
        listed_tables = await lobby.own_tables(store, "ada")
        assert listed_tables.turns == len(own_tables)
        assert [table.id for table in listed_tables.unfinished.tables] == own_tables[:0:-1]
        assert (
            await walk(lambda first: lobby.unfinished_tables(store, "ada", first))
            == own_tables[::-1] + other_tables[::-1]
        )
        await store.append(own_tables[3], 1, [(999.0, b"2")], running(1))
        assert await lobby.count_turns(store, "ada") == len(own_tables) - 1
        assert await lobby.count_turns(store, "ben") == len(other_tables) + 1
        frozen_summary = TableSummary("frozen", seats("ada", "ben"), host="ben")
        await store.append(own_tables[4], 1, [(1000.0, b"2")], frozen_summary)
        await remove_table(store, own_tables[5])
        unfinished = await walk(lambda first: lobby.unfinished_tables(store, "ada", first))
        assert len(unfinished) == len(own_tables) + len(other_tables) - 1
        assert unfinished.index(own_tables[4]) == len(own_tables) - 3, "the first of those where it is not her turn"

    on_store(tmp_path, job)


def test_summaries_are_found_for_more_ids_than_a_query_takes(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        added = await add(store, "mine", 2, MINE_OVER)
        many = [added[0], *(f"gone-{number}" for number in range(70_000)), added[1]]
        assert set(await lobby.summaries(store, many)) == set(added)

    on_store(tmp_path, job)


def test_no_private_table_displaces_a_public_one_from_the_running_games(tmp_path: Path) -> None:
    """Otherwise anyone who keeps one at the end of the list sees that people play elsewhere."""

    async def job(store: Store) -> None:
        (public,) = await add(store, "public", 1, msgspec.structs.replace(running(0), is_public=True))
        withheld = msgspec.structs.replace(running(0), is_public=True, is_withheld=True)
        for name, hidden in (("private", running(0)), ("withheld", withheld)):
            await add(store, name, 250, hidden, at=9.0)
        assert [table.id for table in await lobby.running_tables(store)] == [public]

    on_store(tmp_path, job)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("imported_summary", [IMPORTED, OVER, MINE_OVER])
def test_finished_games_do_not_slow_down_the_queries_of_the_lobby(
    tmp_path: Path, imported_summary: TableSummary
) -> None:
    async def job(store: Store) -> None:
        await add(store, "free", 2 * MAX_ROWS, FREE)
        await add(store, "mine", 2 * MAX_ROWS, running(0))
        await add(store, "mine-over", 2 * MAX_ROWS, MINE_OVER)
        await add(store, "imported", 2 * MAX_ROWS, IMPORTED)
        await add(store, "few", FEW, imported_summary)
        queries: list[Callable[[], Coroutine[Any, Any, object]]] = [
            lambda: lobby.public_tables(store),
            lambda: lobby.own_tables(store, "ada"),
            lambda: lobby.own_tables(store, "nobody"),
            lambda: store.tables(table_id="few-0001"),
        ]
        for run_query in queries:  # the first question of a connection also reads the schema
            await run_query()
        before = [await instructions(store, run_query) for run_query in queries]
        await add(store, "many", MANY, imported_summary)
        after = [await instructions(store, run_query) for run_query in queries]
        assert min(before) > 0
        assert [late_count - early_count for early_count, late_count in zip(before, after, strict=True)] == [0] * len(
            queries
        )

    on_store(tmp_path, job)
