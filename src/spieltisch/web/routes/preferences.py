"""Language, theme and habits: kept with the person, or in cookies for visitors without a name."""

from __future__ import annotations

import re

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.core.words import LANGUAGES, message
from spieltisch.web.answers import Asked, fields, go, house_of, page, site_of, visit
from spieltisch.web.arrivals import name_of
from spieltisch.web.refusals import PageRefusal
from spieltisch.web.visits import THEMES, look_cookies

_HERE = re.compile(r"/(?![/\\])[^\\\x00-\x1f]*")


@post("/preferences")
async def keep(request: Asked) -> Redirect:
    """Change what the form names, and go back to where it stood."""
    form, who = await fields(request), visit(request)
    language = form.get("language", who.language)
    theme = form.get("theme", who.theme)
    if language not in LANGUAGES:
        raise PageRefusal(422, "language", message("There are no pages in this language."))
    if theme not in THEMES:
        raise PageRefusal(422, "theme", message("There is no such theme."))
    back = form.get("back", "/")
    if not _HERE.fullmatch(back):
        back = "/"
    if who.person is not None:
        wanted = who.person.preferences
        preferences = msgspec.structs.replace(
            wanted,
            theme=theme,
            confirm=_switch(form, "confirm", wanted.confirm),
            pace=form.get("pace", wanted.pace),
            sound=_switch(form, "sound", wanted.sound),
            notify=_switch(form, "notify", wanted.notify),
        )
        name = form.get("name", who.person.name)
        if name != who.person.name:  # a name from before the limit was drawn may stay
            name_of(request, name)
        await house_of(request).change(who.person.id, name=name, language=language, preferences=preferences)
    return go(back, look_cookies(site_of(request), language, theme))


def _switch(form: dict[str, str], name: str, now: bool) -> bool:
    """A checkbox sends nothing when it is off, so its form also sends that it was there."""
    return form.get(name) == "on" if f"{name}-shown" in form else now


@get("/preferences")
async def show(request: Asked) -> Response[str]:
    return page(request, "preferences.html", kept="kept" in request.query_params)


ROUTES = [keep, show]
