"""Provide groups inside a server, what is refused there, and stored rows, for tests of groups and of their seasons."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest
from sqlalchemy import Table as SqlTable
from sqlalchemy import select

from spieltisch.features.groups.rows import Group
from spieltisch.features.groups.service import Groups
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode


async def group_of(live: Live, host: Person, *others: Person, name: str = "Thursday club") -> Group:
    """Create a group with these members."""
    groups = live.service(Groups)
    group = await groups.find(host.id, await groups.create(host.id, name))
    for other in others:
        await groups.join(other.id, groups.link(group))
    return await groups.find(host.id, group.id)


async def rows_in(live: Live, table: SqlTable) -> list[tuple[object, ...]]:
    """Return all rows of an SQL table."""
    return await live.store.read(lambda connection: [tuple(row) for row in connection.execute(select(table))])


async def refused(doing: Awaitable[object]) -> RefusalCode:
    """Return the code with which something is refused."""
    with pytest.raises(TableRefusal) as refusal:
        await doing
    return refusal.value.code
