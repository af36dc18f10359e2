"""Pages under their earlier addresses, which bookmarks and sent links still name."""

from __future__ import annotations

from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from spieltisch.web.http.requests import Request

RENAMED: Final = {
    "/me": "/me/alerts",
    "/deal/{deal_id:str}": "/duplicate/{deal_id}",
    "/table/{table_id:str}/deal": "/table/{table_id}/fairness",
    "/table/{table_id:str}/words": "/table/{table_id}/chat",
    "/table/{table_id:str}/time": "/table/{table_id}/clock",
}
"""Earlier paths, with the present ones. Forms are still accepted at their earlier paths, too, for one version: a page
left open over an upgrade sends them.
"""


def _redirect(earlier: str, present: str) -> HTTPRouteHandler:
    async def redirect(request: Request) -> Redirect:
        path = present.format(**request.path_params)
        return Redirect(f"{path}?{request.url.query}" if request.url.query else path, status_code=301)

    return get(earlier, status_code=301)(redirect)


ROUTES: Final = [_redirect(earlier, present) for earlier, present in RENAMED.items()]
