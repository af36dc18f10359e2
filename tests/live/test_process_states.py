"""Check states that processes announce to each other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spieltisch.live.leases import Leases
from spieltisch.live.notices import Notices
from spieltisch.live.process_states import ProcessStates
from spieltisch.store import Store


def test_a_single_process_keeps_no_states_for_other_processes(tmp_path: Path) -> None:
    """Only other processes are told to remove states, so a single process would keep them forever."""

    async def main() -> None:
        store = await Store.open(tmp_path / "house.sqlite3")
        states = ProcessStates("viewers", Notices(store), Leases(store, is_shared=store.is_shared))
        states.say("a table", "two spectators")
        assert not states._own
        await store.close()

    asyncio.run(main())
