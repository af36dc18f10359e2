"""Check that the players of the load tests understand the pages that a server pushes."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.http_clicks import HttpPlayer

from tests.web.servers import running_server


def test_a_player_reads_status_and_legal_moves_from_the_stream(tmp_path: Path) -> None:
    async def first_decision(address: str) -> tuple[str, list[str]]:
        async with HttpPlayer(address, "Ada") as ada:
            await ada.fetch_form_token()
            table = await ada.open_table(["me", "bot:random", "bot:random"])
            async for state in ada.pushed_states(table):
                if state.moves:
                    return state.status, state.moves
        raise AssertionError("no decision was pushed")

    with running_server(tmp_path) as server:
        status, moves = asyncio.run(asyncio.wait_for(first_decision(server.address), 60))
    assert status == "running"
    assert all(move.split()[0] in ("trade", "build") for move in moves)
