"""Check two processes that serve the same tables on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable
from contextlib import suppress

import pytest

from spieltisch import tables
from spieltisch.live import Live
from spieltisch.store import Person, removal
from spieltisch.tables import Moved, NewTable, Table, TableRefusal
from tests.live.live_fixture import move, running
from tests.live.two_processes import end_listening, run_in_two_servers, until, until_in_memory
from tests.postgres import Server

MOVES = 24


def test_a_move_in_one_process_is_seen_and_answered_in_the_other_process(postgres: Server) -> None:
    """This test represents its file in the first tier."""

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        assert (await second.tables.get(table.id)).version == table.version
        seats_heard: list[int] = []
        second.tables.subscribe(table.id, lambda changed_table: seats_heard.append(changed_table.version))
        for sending_process, receiving_process in [(first, second), (second, first)] * 3:
            table = await move(sending_process, table)
            await until_in_memory(receiving_process, table.id, table.version)
        assert seats_heard[-1] == table.version
        assert (await second.tables.get(table.id)).events == table.events

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_concurrent_moves_in_two_processes_are_all_kept(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        ids = [(await running(first, ada, ben)).id for _ in range(2)]

        async def moves(live: Live, seed: int) -> int:
            chance, count = random.Random(seed), 0  # of a test
            while count < MOVES:
                table = await live.tables.get(chance.choice(ids))
                if table.is_over:
                    break
                with suppress(TableRefusal):  # another one was faster
                    await move(live, table)
                    count += 1
            return count

        counts = await asyncio.gather(*(moves(live, seed) for seed, live in enumerate((first, second, first, second))))
        assert all(counts)
        stored_events = [event for table_id in ids for event in await first.store.events(table_id)]
        assert sum(isinstance(tables.decode(event.data), Moved) for event in stored_events) == sum(counts)
        for table_id in ids:
            newest = len(await first.store.events(table_id))
            for live in (first, second):
                await until_in_memory(live, table_id, newest)
            assert (await second.tables.get(table_id)).events == (await first.tables.get(table_id)).events

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_a_process_that_shares_its_database_keeps_more_tables_in_memory(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spieltisch.live.followed_tables.MAX_BYTES_IN_MEMORY", 1)

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        earlier_table, later_table = [await running(first, ada, ben) for _ in range(2)]
        for table in (earlier_table, later_table):
            assert (await second.tables.get(table.id)).version == table.version
        assert {table.id for table in second.tables._tables.values()} == {earlier_table.id, later_table.id}

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_messages_sent_while_the_connection_was_lost_appear_when_it_is_restored(postgres: Server) -> None:
    url = postgres.schema()

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        await second.tables.get(table.id)
        end_listening(url)
        table = await move(first, table)
        await until_in_memory(second, table.id, table.version)

    run_in_two_servers(url, job)


@pytest.mark.postgresql
def test_a_command_on_an_outdated_state_is_retried_on_the_newest_state(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        await second.tables.get(table.id)
        monkeypatch.setattr(second.tables, "_follow", lambda *_: None)  # it hears nothing
        table_after_move = await move(first, table)
        assert await move(second, table_after_move)
        with pytest.raises(TableRefusal) as refusal:
            await move(first, table)
        assert refusal.value.code == "stale"

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_the_lobby_of_the_other_process_shows_players_who_sit_down_and_leave(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        async def is_told(seat_name: str | None, change: Awaitable[Table]) -> Table:
            before = second.tables.lobby.of(seat_name)
            table = await change
            await until(lambda: before < second.tables.lobby.of(seat_name) == first.tables.lobby.of(seat_name))
            return table

        table = await is_told(None, first.tables.open(ada, NewTable("paris-connection", ("me", "open", "open"))))
        table = await is_told(ben.id, first.tables.sit(table.id, ben, None))
        await is_told(ben.id, first.tables.run(table.id, tables.leave, ben.id))

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.postgresql
def test_a_table_removed_in_one_process_is_not_found_in_the_other_process(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        await second.tables.get(table.id)
        await removal.remove_table(first.store, table.id)
        await until(lambda: second.tables._tables.peek(table.id) is None)
        with pytest.raises(TableRefusal) as refusal:
            await second.tables.get(table.id)
        assert refusal.value.code == "no-table"

    run_in_two_servers(postgres.schema(), job)
