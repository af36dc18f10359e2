"""Whether a visitor may know of the table in an address at all."""

from __future__ import annotations

from typing import Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from spieltisch.live import Live
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.sessions import visitor_of
from spieltisch.web.pages.perspectives import perspective_of


async def require_table_access(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard of the whole site: whatever is asked for below the address of a table that this visitor may not see is
    refused as if there were none, before anything else is looked at. Otherwise the table is remembered, so that every
    error there can name its players, lead to its rules, and knows the way back to it.
    """
    table_id = connection.path_params.get("table_id")
    if not isinstance(connection, Request) or table_id is None:
        return
    live = cast(Live, connection.app.state.live)
    link = QueryParams(connection).text("link")
    table = await live.tables.get(table_id)
    await perspective_of(live, table, visitor_of(connection).person_id, link)
    connection.scope["state"]["table"] = table
