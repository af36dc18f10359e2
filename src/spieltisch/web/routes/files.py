"""Files that never change under their address."""

from __future__ import annotations

from typing import cast

from litestar import Response, get

from spieltisch.web.answers import Asked, pages_of
from spieltisch.web.assets import FOR_EVER, Assets


@get("/static/{version:str}/{name:path}")
async def static(request: Asked, version: str, name: str) -> Response[bytes]:
    content, kind = cast(Assets, request.app.state.assets).read(version, name.lstrip("/"))
    return Response(content, media_type=kind, headers={"Cache-Control": FOR_EVER})


@get("/drawn/{name:str}")
async def drawn(request: Asked, name: str) -> Response[bytes]:
    content, kind = pages_of(request).drawn.read(name)
    return Response(content, media_type=kind, headers={"Cache-Control": FOR_EVER})


ROUTES = [static, drawn]
