"""Create administrators of a server that runs inside the test."""

from __future__ import annotations

from spieltisch.features.admin import rows
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences


async def administrator(live: Live, name: str) -> tuple[str, str]:
    """Create an administrator and return their id and session."""
    person, session = await live.people.create(name, "en", Preferences())
    await live.store.write(lambda connection: rows.add_link(connection, f"a link for {name}"))
    assert await live.service(Administration).use_link(f"a link for {name}", session, person.id)
    return person.id, session
