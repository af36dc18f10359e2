"""Check the chat of a table served by two processes on one PostgreSQL database."""

from __future__ import annotations

import asyncio

import pytest

from spieltisch.features.chat import rows
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live
from spieltisch.store import Person
from tests.live.live_fixture import running
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server

pytestmark = pytest.mark.postgresql
MESSAGES = 12


def test_concurrent_messages_to_two_processes_are_all_kept(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        reader = ChatReader(ada.id, 0, is_host=True, is_player=True)

        async def post_from(live: Live, process: str) -> None:
            for number in range(MESSAGES):
                await live.service(Chat).post(table, reader, "Ada", "table", f"{process} {number}")

        await asyncio.gather(post_from(first, "first"), post_from(second, "second"))
        messages = await rows.newest(first.store, table.id, ["table"], ada.id, 2 * MESSAGES)
        assert len({message.text for message in messages}) == 2 * MESSAGES

    run_in_two_servers(postgres.schema(), job)
