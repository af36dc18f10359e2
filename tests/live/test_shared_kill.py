"""Check that two processes on one database send each alert once when they are killed by kill -9."""

from __future__ import annotations

import asyncio
import socket

import pytest

from spieltisch.store import outbox
from tests.live.fake_services import web_server
from tests.live.killed_children import kill_children
from tests.live.shared_process import resolve, sharing
from tests.postgres import Server


@pytest.mark.parametrize(
    "kills", [pytest.param(5, marks=pytest.mark.postgresql), pytest.param(30, marks=pytest.mark.crash)]
)
def test_each_alert_is_sent_once_whichever_process_dies(
    kills: int, toy: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    url = postgres.schema()
    with web_server() as web:
        processes = [
            kill_children(
                "tests.live.shared_process",
                url,
                web.address,
                kills=kills,
                seed=seed,
                most_done=3,
                written_names=("told",),
            )
            for seed in (3, 4)
        ]
        for _ in zip(*processes, strict=True):
            pass  # each has begun, and the earlier one is dead

        async def check_alerts() -> None:
            async with sharing(url) as live:
                while await outbox.due(live.store):
                    await asyncio.sleep(0.02)  # until the last ones are sent
                running_ids = {table.id for table in await live.store.tables("running")}
                ids: dict[tuple[str, int], set[str]] = {}
                for request in web.sent:
                    for turn in request.json["about"]:
                        ids.setdefault(tuple(turn), set()).add(request.json["id"])
                assert {table for table, _ in ids} == running_ids
                assert [len(repeated_ids) for repeated_ids in ids.values()] == [1] * len(running_ids), (
                    "a repeat bears the same id"
                )

        asyncio.run(check_alerts())
