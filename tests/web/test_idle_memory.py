"""Check that Litestar's request caches do not keep the memory of dropped tables."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.tables import NewTable
from spieltisch.web.app import create_app
from spieltisch.web.http.idle_memory import IdleMemory
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_releasing_memory_empties_the_request_caches_of_litestar(tmp_path: Path) -> None:
    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        try:
            app = create_app(live, Streams(), Site())
            gc.unfreeze()  # what tests import is frozen once they are collected, and frozen objects are not listed
            memory = IdleMemory()
            ada, _ = await live.people.create("Ada")
            paths = [f"/table/{(await live.tables.open(ada, NewTable('paris-connection', ('me', 'open', 'open')))).id}"]
            paths += [f"/table/{number}" for number in range(20)]
            transport = httpx.ASGITransport(app=cast(Any, app))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                answers = [(await client.get(path)).status_code for path in paths]
                assert answers == [200, *[404] * 20]
                cache_sizes = [cached_function.cache_info().currsize for cached_function in memory.caches]
                assert sum(size >= len(paths) for size in cache_sizes) >= 2, "Litestar keeps every address"
                memory.give_back()
                assert {cached_function.cache_info().currsize for cached_function in memory.caches} == {0}
                assert (await client.get(paths[0])).status_code == 200
        finally:
            await live.close()

    asyncio.run(job())
