"""Check routes that exist only for some visitors."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from spieltisch.live.limits import UNLIMITED
from spieltisch.store import ReadFailed, StoreClosed
from spieltisch.web.http.hidden_routes import hide
from spieltisch.web.http.rate_limits import RateLimits, count_request
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request

ALLOWED = 3


def test_requests_to_hidden_routes_over_the_limit_do_not_reach_the_database() -> None:
    """Each request counts once towards the limit, as on other routes, even if the database cannot be read."""
    parts = SimpleNamespace(rate_limits=RateLimits(replace(UNLIMITED, requests_per_minute=ALLOWED)))
    litestar_app = SimpleNamespace(state=SimpleNamespace(parts=parts))
    results: list[bool | Exception] = [False, ReadFailed("away"), StoreClosed("stopped"), True, True]
    was_refused: list[bool] = []

    async def admits(request: Request) -> bool:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            count_request(Request(scope))
        except PageRefusal:
            was_refused.append(True)
        else:
            was_refused.append(False)

    async def hidden(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    async def send_requests() -> None:
        shown: Any = hide(app, hidden, "/admin", admits)
        for _ in range(ALLOWED + 2):
            client = ("192.0.2.1", 40000)
            scope = {"type": "http", "path": "/admin", "headers": [], "client": client, "state": {}}
            await shown({**scope, "litestar_app": litestar_app}, None, None)

    asyncio.run(send_requests())
    assert was_refused == [False] * ALLOWED + [True, True]
    assert results == [True, True]
