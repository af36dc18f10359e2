"""Change a server's database directly."""

from __future__ import annotations

from sqlalchemy import text

from spieltisch.live import Live
from spieltisch.store.schema import REPLAYED_KEY
from tests.async_wait import wait


def change(live: Live, statement: str, **values: object) -> None:
    """Change the database of a server directly."""
    wait(live.store.write(lambda connection: connection.execute(text(statement), values)))


def other_rules(live: Live) -> None:
    """Mark the stored tables as replayed under other rules, as after an upgrade."""
    change(live, "UPDATE settings SET value = CAST('others' AS BLOB) WHERE name = :name", name=REPLAYED_KEY)
