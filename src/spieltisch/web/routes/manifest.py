"""What a phone needs to keep the tables among its apps."""

from __future__ import annotations

from litestar import Response, get

from spieltisch.core.words import message
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.templates import TITLE, Pages

PAPER = "#f4ecd8"
"""The colour of the page, as base.css has it."""


@get("/manifest.webmanifest")
async def manifest(pages: Pages, visitor: Visitor) -> Response[dict[str, object]]:
    """The web manifest in the visitor's language."""
    language, icon = visitor.language, pages.assets.address
    content: dict[str, object] = {
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "name": TITLE,
        "short_name": TITLE,
        "description": pages.words(language).say(message("A table for board games of the age of invention.")),
        "lang": language,
        "dir": "ltr",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [
            {"src": icon("icon.svg"), "type": "image/svg+xml", "sizes": "any"},
            *(
                {"src": icon(f"icon-{size}.png"), "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose}
                for size in (192, 512)
                for purpose in ("any", "maskable")
            ),
        ],
    }
    return Response(content, media_type="application/manifest+json")


ROUTES = [manifest]
