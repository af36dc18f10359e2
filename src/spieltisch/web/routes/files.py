"""Files that never change under their address."""

from __future__ import annotations

from typing import Final

from litestar import Response, get

from spieltisch.web.http.assets import FOR_EVER
from spieltisch.web.pages.templates import Pages

HEADERS: Final = {"Cache-Control": FOR_EVER}


@get("/static/{version:str}/{name:path}")
async def static(pages: Pages, version: str, name: str) -> Response[bytes]:
    content, kind = pages.assets.read(version, name.lstrip("/"))
    return Response(content, media_type=kind, headers=HEADERS)


@get("/drawn/{name:str}")
async def drawn(pages: Pages, name: str) -> Response[bytes]:
    content, kind = pages.drawn.read(name)
    return Response(content, media_type=kind, headers=HEADERS)


ROUTES = [static, drawn]
