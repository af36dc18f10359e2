"""Redirects from earlier URLs, which bookmarks and sent links still contain."""

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
"""Earlier paths with the current ones.

For one version, forms are also accepted at their earlier paths: pages left open during an upgrade send them there.
"""


def _redirect(earlier: str, present: str) -> HTTPRouteHandler:
    async def redirect(request: Request) -> Redirect:
        path = present.format(**request.path_params)
        return Redirect(f"{path}?{request.url.query}" if request.url.query else path, status_code=301)

    return get(earlier, status_code=301)(redirect)


ROUTES: Final = [_redirect(earlier, present) for earlier, present in RENAMED.items()]
