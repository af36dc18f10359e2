"""The check whether a visitor may know of a table."""

from litestar.handlers.base import BaseRouteHandler

from spieltisch.tables import refusals
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.requests import Request, TableView
from spieltisch.web.pages.perspectives import view_of


async def require_table_access(request: Request, handler: BaseRouteHandler) -> None:
    """Refuse every request below a table that this visitor may not see, as if the table did not exist.

    A guard of the whole site that runs before anything else is checked. If it passes, it stores the table and the
    visitor's perspective on it: for the handler, and so that every error there can name the table's players and link
    to its rules and back to it. A spectator who sees the game with a delay may only use the forms of handlers with the
    option `open_to_spectators`: the response of any other one could depend on the game as it is now.
    """
    table_id = request.path_params.get("table_id")
    if table_id is None:
        return
    params = QueryParams(request)
    link, me = params.text("link"), params.hot_seat()
    if request.live.store.is_shared and request.method == "GET":
        await request.live.tables.get_newest(table_id)  # with what this visitor has just done at another process
    table = await request.live.tables.get(table_id)
    view = TableView(*await view_of(request.live, table, request.visitor.person_id, link, me))
    request.scope["state"]["table_view"] = view
    if view.perspective.is_delayed and request.method != "GET" and not handler.opt.get("open_to_spectators"):
        raise refusals.not_your_seat()
