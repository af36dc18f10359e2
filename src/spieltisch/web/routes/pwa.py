"""The parts of an installed app: manifest, service worker, and the page shown without a connection."""

import json

from litestar import Response, get

from spieltisch.core.words import message
from spieltisch.store.lobby import MAX_OFFLINE_ROWS, unfinished_tables
from spieltisch.web.http.assets import MEDIA_TYPES, STATIC
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page
from spieltisch.web.pages.renderer import TITLE
from spieltisch.web.pages.site_paths import in_site
from spieltisch.web.routes.lobby import games

PAPER = "#f4ecd8"
"""The colour of the page, as in `base.css`."""


@get("/manifest.webmanifest")
async def manifest(request: Request) -> Response[dict[str, object]]:
    """Return the web manifest in the visitor's language."""
    language, path = request.visitor.language, request.site.path

    def icon(name: str) -> str:
        return in_site(path, request.pages.assets.address(name))

    content: dict[str, object] = {
        "id": f"{path}/",
        "start_url": f"{path}/",
        "scope": f"{path}/",
        "name": TITLE,
        "short_name": TITLE,
        "description": request.pages.words(language).say(
            message("Board games about the age of invention, to play online with friends or bots.")
        ),
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


@get("/service-worker.js")
async def service_worker(request: Request) -> Response[str]:
    """Return the service worker.

    It is at the root of the site, at one permanent URL, because its scope is the whole site.
    """
    icon = json.dumps(in_site(request.site.path, request.pages.assets.address("icon-192.png")))
    content = f"const ICON = {icon};\n{(STATIC / 'js' / 'service-worker.js').read_text()}"
    return Response(content, media_type=MEDIA_TYPES[".js"])


@get("/offline")
async def offline(request: Request) -> Response[str]:
    """Show the page that browsers store for when the server cannot be reached.

    It lists the person's tables in words, without their content.
    """
    person = request.visitor.person_id
    unfinished = (await unfinished_tables(request.live.store, person, rows=MAX_OFFLINE_ROWS)).tables if person else ()
    unfinished = tuple(table.seen_by(person) for table in unfinished) if person else ()
    titles = {game.key: game.title for game in games()}
    return page(
        request, "offline.html", tables=unfinished, titles=titles, person_id=person or "", now=request.live.now()
    )
