"""The removal of what is older than it has to be kept, once a day, by one of the processes of a server."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from typing import Final

import structlog

from spieltisch.live.disk_errors import await_write
from spieltisch.live.live import Live
from spieltisch.live.retention import advance, find_due
from spieltisch.live.services import repeat
from spieltisch.store import people, retention
from spieltisch.store.errors import StillNeeded
from spieltisch.store.leases import Lease

FIRST_SECONDS: Final = 3600.0
"""The time after a start before the first removal, in which a clock that was wrong then may be set."""
DAY_SECONDS: Final = 86_400.0
"""The time between two removals."""
REMOVAL: Final = Lease("removal")

_logger = structlog.get_logger()


async def remove_regularly(live: Live) -> None:
    """Remove what is old an hour after the start and then every day, until cancelled."""

    async def work() -> None:
        await asyncio.sleep(FIRST_SECONDS)
        await repeat(partial(remove_due, live), DAY_SECONDS)

    await live.leases.while_held(REMOVAL, work)


async def remove_due(live: Live) -> None:
    """Remove what is old, each in a transaction of its own; skip what has come into use meanwhile.

    Raise `TableRefusal` `not-written`.
    """
    store, history = live.store, live.game_history
    due = await find_due(store, live.retention, live.clock, await advance(store, live.clock()))
    counts = {"tables": 0, "chats": 0, "people": 0}
    for table_id, at in due.tables.items():
        async with history.lock:
            counts["tables"] += await _was_removed(
                live.tables.remove_over(table_id, retention.require_over(table_id, at))
            )
    history.look()
    for table_id, at in due.chats.items():
        with suppress(StillNeeded):  # another process has removed the table
            removed = await await_write(retention.remove_messages(store, table_id, at), table_id)
            for room, reader in sorted(removed):
                live.notices.announce("chat", table_id, room, reader)
            counts["chats"] += bool(removed)
    for person_id, at in due.people.items():
        person = await people.by_id(store, person_id)
        if person is not None and not live.presence.was_seen(person_id):
            is_unused = retention.require_unused(store, person_id, at)
            counts["people"] += await _was_removed(live.person_data.delete(person, is_unused))
    await await_write(retention.remove_log_entries(store, due.admin_log))
    _logger.info("what is old was removed", **counts, log_entries=len(due.admin_log))


async def _was_removed(removal: Awaitable[None]) -> bool:
    """Return False if what was to be removed has come into use, or another process has removed it."""
    try:
        await removal
    except StillNeeded:
        return False
    return True
