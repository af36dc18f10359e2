"""The check whether a visitor may know of a table."""

from typing import Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from spieltisch.live import Live
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.sessions import visitor_of
from spieltisch.web.pages.perspectives import perspective_of


async def require_table_access(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse every request below a table that this visitor may not see, as if the table did not exist.

    A guard of the whole site that runs before anything else is checked. If it passes, it stores the table, so that
    every error there can name its players and link to its rules and back to it.
    """
    table_id = connection.path_params.get("table_id")
    if not isinstance(connection, Request) or table_id is None:
        return
    live = cast(Live, connection.app.state.live)
    link = QueryParams(connection).text("link")
    table = await live.tables.get(table_id)
    await perspective_of(live, table, visitor_of(connection).person_id, link)
    connection.scope["state"]["table"] = table
