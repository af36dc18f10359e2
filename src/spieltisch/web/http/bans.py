"""The check whether the operator has banned a visitor."""

from litestar.handlers.base import BaseRouteHandler

from spieltisch.core.words import message
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request


async def refuse_banned(request: Request, handler: BaseRouteHandler) -> None:
    """Refuse every request of a banned person or address, except for static files and links in mails.

    A guard of the whole site.
    """
    is_open = handler.opt.get("uncounted") or handler.opt.get("by_token")
    if is_open or not request.parts.is_banned(request.visitor.person_id, address_of(request)):
        return
    if request.site.contact:
        what = message(
            "The operator has banned you from this server. Questions: {contact}", contact=request.site.contact
        )
    else:
        what = message("The operator has banned you from this server.")
    raise PageRefusal(403, "banned", what)
