"""Check the server's log as JSON and the ids of requests in it."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest
from structlog.contextvars import get_contextvars

from spieltisch.store import ReadFailed, WriteFailed
from spieltisch.web.http.request_ids import add_request_ids
from spieltisch.web.log_output import name_outage
from tests.web.servers import running_server

if TYPE_CHECKING:
    from litestar.types import Receive, Scope, Send


def test_each_line_of_the_json_log_is_an_object_with_the_id_of_its_request(tmp_path: Path) -> None:
    with running_server(tmp_path / "data", "--log", "json") as started_server:
        from_another_address = {
            "Origin": "https://example.org",
            "Sec-Fetch-Site": "same-origin",
            "X-Request-ID": "chosen",
        }
        refusal = httpx.post(f"{started_server.address}/preferences", headers=from_another_address, verify=False)
        assert refusal.status_code == 403
        started_server.says(r"(?m)^\{.*\}$")
    (line,) = [json.loads(line) for line in started_server.log.splitlines() if line.startswith("{")]
    assert (line["level"], line["origin"]) == ("warning", "https://example.org")
    assert re.fullmatch("[0-9a-f]{12}", line["request"])
    assert {"timestamp", "event"} <= line.keys()


@pytest.mark.parametrize("failure", [ReadFailed, WriteFailed, RuntimeError])
def test_only_an_outage_of_the_database_is_logged_without_a_traceback(failure: type[Exception]) -> None:
    try:
        raise failure("away")
    except failure:
        line = name_outage(None, "error", {"event": "failed", "exc_info": True})
    expected = {"exc_info": True} if failure is RuntimeError else {"problem": "away"}
    assert line == {"event": "failed", **expected}


@pytest.mark.parametrize("status", [200, 503])
def test_only_responses_to_server_errors_contain_the_logged_request_id(status: int) -> None:
    logged_ids: list[str] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        logged_ids.append(get_contextvars()["request"])
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def get() -> httpx.Response:
        transport = httpx.ASGITransport(cast(Any, add_request_ids(application)))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get("/")

    response = asyncio.run(get())
    assert response.headers.get("X-Request-ID") == (logged_ids[0] if status == 503 else None)
