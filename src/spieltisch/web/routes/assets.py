"""Files that never change at their address."""

from typing import Final

from litestar import Response, get

from spieltisch.web.http.assets import IMMUTABLE, StaticFile
from spieltisch.web.http.content_encoding import accepts_gzip
from spieltisch.web.http.requests import Request

HEADERS: Final = {"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"}


@get("/static/{version:str}/{name:path}", uncounted=True)
async def static(request: Request, version: str, name: str) -> Response[bytes]:
    """Return a static file."""
    return _response(request, request.pages.assets.read(version, name.lstrip("/")))


@get("/drawn/{name:str}", uncounted=True)
async def drawn(request: Request, name: str) -> Response[bytes]:
    """Return a drawing of a game."""
    return _response(request, request.pages.drawn.read(name))


def _response(request: Request, file: StaticFile) -> Response[bytes]:
    if accepts_gzip(request.headers.get("accept-encoding", "")) and file.gzipped is not None:
        return Response(file.gzipped, media_type=file.media_type, headers=HEADERS | {"Content-Encoding": "gzip"})
    return Response(file.content, media_type=file.media_type, headers=HEADERS)
