"""Files that never change at their address."""

from typing import Final

from litestar import Response, get

from spieltisch.web.http.assets import IMMUTABLE
from spieltisch.web.pages.renderer import Renderer

HEADERS: Final = {"Cache-Control": IMMUTABLE}


@get("/static/{version:str}/{name:path}")
async def static(pages: Renderer, version: str, name: str) -> Response[bytes]:
    """Return a static file."""
    content, kind = pages.assets.read(version, name.lstrip("/"))
    return Response(content, media_type=kind, headers=HEADERS)


@get("/drawn/{name:str}")
async def drawn(pages: Renderer, name: str) -> Response[bytes]:
    """Return a drawing of a game."""
    content, kind = pages.drawn.read(name)
    return Response(content, media_type=kind, headers=HEADERS)
