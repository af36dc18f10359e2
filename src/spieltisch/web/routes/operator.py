"""Pages of the operator: the imprint, what is kept, and files for search engines and for people who find a hole."""

from datetime import UTC, datetime, timedelta
from typing import Final

from litestar import Response, get

from spieltisch.web import markdown
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page

PUBLIC_PATHS: Final = ("/$", "/games/", "/puzzles", "/imprint$", "/stored-data$", "/static/", "/drawn/", "/join/")
"""The pages that programs may read. All others belong to tables and people.

Invitations are for the previews of messengers; they say themselves that no search engine may index them.
"""
SECURITY_TEXT_DAYS: Final = 180
"""Days until `security.txt` expires; RFC 9116 recommends less than a year."""


@get("/robots.txt")
async def robots(request: Request) -> str:
    """Return which pages search engines may index (RFC 9309)."""
    root = request.site.path
    return "".join(("User-agent: *\n", *(f"Allow: {root}{path}\n" for path in PUBLIC_PATHS), f"Disallow: {root}/\n"))


@get("/.well-known/security.txt")
async def security_text(request: Request) -> str:
    """Return the address for reports of security holes (RFC 9116).

    Raise PageRefusal 404 if the operator gave no contact.
    """
    site = request.site
    if not site.contact:
        raise no_page()
    day = datetime.fromtimestamp(request.live.now(), UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    expires = (day + timedelta(days=SECURITY_TEXT_DAYS)).isoformat().replace("+00:00", "Z")
    canonical = f"Canonical: {site.origin(request)}/.well-known/security.txt\n" if site.public else ""
    return f"Contact: {site.contact}\nExpires: {expires}\n{canonical}"


@get("/imprint")
async def imprint(request: Request) -> Response[str]:
    """Show the operator's imprint. Raise PageRefusal 404 if there is none."""
    if not request.site.imprint:
        raise no_page()
    return page(request, "imprint.html", text=markdown.html(request.site.imprint))


@get("/stored-data")
async def stored_data(request: Request) -> Response[str]:
    """Show for how long the server keeps what people do there."""
    return page(request, "stored_data.html", days=request.live.retention)
