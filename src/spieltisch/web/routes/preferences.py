"""Language, theme and habits: kept with the person, or in cookies for visitors without a name."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.live import Live
from spieltisch.live.people import check_language, check_theme
from spieltisch.store import Preferences
from spieltisch.web.http.queries import Asked
from spieltisch.web.http.requests import Form, Request, inside
from spieltisch.web.http.responses import go, page
from spieltisch.web.http.sessions import Site, Visitor, look_cookies


@post("/preferences")
async def keep(live: Live, visitor: Visitor, form: Form, site: Site) -> Redirect:
    """Change what the form names, and go back to where it stood."""
    language = check_language(form.get("language", visitor.language))
    theme = check_theme(form.get("theme", visitor.theme))
    back = inside(form.get("back", ""))
    if visitor.person is not None:
        preferences = _preferences(form, msgspec.structs.replace(visitor.person.preferences, theme=theme))
        await live.people.change(visitor.person.id, name=form.get("name"), language=language, preferences=preferences)
    return go(back, look_cookies(site, language, theme))


def _preferences(form: Form, now: Preferences) -> Preferences:
    return msgspec.structs.replace(
        now,
        confirm=_switch(form, "confirm", now.confirm),
        pace=form.get("pace", now.pace),
        sound=_switch(form, "sound", now.sound),
        notify=_switch(form, "notify", now.notify),
        sounds=_switch(form, "sounds", now.sounds),
        ratings=_switch(form, "ratings", now.ratings),
    )


def _switch(form: Form, name: str, now: bool) -> bool:
    """A checkbox sends nothing when it is off, so its form also sends that it was there."""
    return form.get(name) == "on" if f"{name}-shown" in form else now


@get("/preferences")
async def show(request: Request) -> Response[str]:
    return page(request, "preferences.html", kept=Asked(request).has("kept"))


ROUTES = [keep, show]
