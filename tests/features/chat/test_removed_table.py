"""Check messages to a table that is removed while their request is handled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spieltisch.features.chat import rows
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.live.disk_errors import await_write
from spieltisch.store.removal import remove_table
from tests.live.conftest import House
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases


def test_a_message_to_a_table_that_was_just_removed_is_refused(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        table, store = await house.table(), house.live.store
        reader = ChatReader(house.ada.id, 0, is_host=True, is_player=True)
        await remove_table(store, table.id)
        with refused("no-table"):
            await house.live.service(Chat).post(table, reader, "Ada", "table", "Hello")
        with refused("no-table"):
            await await_write(rows.toggle(store, rows.MUTES, table.id, person=house.ada.id, muted=house.ben.id))
        assert not store._writer.is_failing

    house(job)
