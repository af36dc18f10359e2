"""Language, theme and preferences: stored with the person, or in cookies for visitors without a name."""

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.core.words import base_language
from spieltisch.live.people import require_language, require_theme
from spieltisch.store import Preferences
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.requests import Form, Request, safe_path
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import appearance_cookies


@post("/preferences")
async def save(request: Request) -> Redirect:
    """Change the preferences that the form names, and go back to the page of the form."""
    visitor, form = request.visitor, request.fields
    language = require_language(form.get("language", base_language(visitor.language)))
    theme, back = require_theme(form.get("theme", visitor.theme)), safe_path(form.get("back", ""))
    if visitor.person is not None:
        preferences = _preferences(form, msgspec.structs.replace(visitor.person.preferences, theme=theme))
        await request.live.people.update(
            visitor.person.id, name=form.get("name"), language=language, preferences=preferences
        )
    return redirect(back, appearance_cookies(request.site, language, theme))


def _preferences(form: Form, current: Preferences) -> Preferences:
    return msgspec.structs.replace(
        current,
        confirm_moves=_checkbox(form, "confirm", current.confirm_moves),
        animation_speed=form.get("pace", current.animation_speed),
        turn_sound=_checkbox(form, "sound", current.turn_sound),
        turn_notification=_checkbox(form, "notify", current.turn_notification),
        piece_sounds=_checkbox(form, "sounds", current.piece_sounds),
        bot_lines=_checkbox(form, "lines", current.bot_lines),
        ratings=_checkbox(form, "ratings", current.ratings),
    )


def _checkbox(form: Form, name: str, current: bool) -> bool:
    """Return the value of a checkbox. An unchecked one sends nothing, so its form also sends that it was shown."""
    return form.get(name) == "on" if f"{name}-shown" in form else current


@get("/preferences")
async def show(request: Request) -> Response[str]:
    """Show the preferences."""
    return page(request, "preferences.html", saved=QueryParams(request).has("saved"))
