"""Check that kill -9 between move, outbox and sending loses no alert and sends none for an unsaved move."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from tests.live.alert_process import turns
from tests.live.fake_services import web_server
from tests.live.killed_children import kill_children


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.crash)])
def test_a_killed_server_loses_no_alert_and_sends_none_for_an_unsaved_move(
    kills: int, toy: str, tmp_path: Path
) -> None:
    path, stood = tmp_path / "house.sqlite3", 0
    with web_server() as web:
        children = kill_children(
            "tests.live.alert_process", path, web.address, kills=kills, seed=17, most_done=4, written_names=("moved",)
        )
        for table, version, person in children:
            announced = [
                tuple(turn) for request in web.sent if request.path == f"/{person}" for turn in request.json["about"]
            ]
            assert version == "0" or (table, int(version)) in announced, "what came to disk with a move is told"
            stood += version != "0"

        async def check_alerts() -> None:
            live = await Live.open(path, features=FEATURES)
            turns_of_tables = {table.id: turns(await live.tables.get(table.id)) for table in await live.store.tables()}
            ids: dict[tuple[str, int], set[str]] = {}
            for request in web.sent:
                for table, version in request.json["about"]:
                    assert (version, request.path.strip("/")) in turns_of_tables[table], "a turn that never was"
                    ids.setdefault((table, version), set()).add(request.json["id"])
            assert all(len(repeated_ids) == 1 for repeated_ids in ids.values()), (
                "one alert a turn, and a repeat bears its id"
            )
            assert min(len(ids), stood) > kills / 10, (len(ids), stood)
            await live.close()

        asyncio.run(check_alerts())
