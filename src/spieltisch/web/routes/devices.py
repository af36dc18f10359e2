"""My seat on another device: a code to type or to scan, good once and for ten minutes."""

from __future__ import annotations

from typing import Any, cast

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.words import message
from spieltisch.store import Person
from spieltisch.web.answers import Asked, fields, go, house_of, page, site_of, visit
from spieltisch.web.fragments import DEVICES, Fragments
from spieltisch.web.refusals import PageRefusal
from spieltisch.web.stream import Streams
from spieltisch.web.visits import devices_cookie, session_cookie


def person_of(request: Asked) -> Person:
    """Who asks. Raises PageRefusal 403 for a visitor without a name: they have nothing to take along."""
    person = visit(request).person
    if person is None:
        raise PageRefusal(403, "nobody", message("You sit at no table that you could take to another device."))
    return person


@get("/devices")
async def show(request: Asked) -> Response[str]:
    """The code, and on how many devices this person is."""
    person_of(request)
    fragments = cast(Fragments, request.app.state.fragments)
    origin = site_of(request).origin(request)
    live = Markup(fragments.devices(visit(request), origin))  # noqa: S704 (escaped where it was rendered)
    seen = devices_cookie(site_of(request), fragments.sessions_version(visit(request)))
    return page(request, "devices.html", cookies=[seen], live=live)


@post("/devices")
async def give(request: Asked) -> Redirect:
    """A new code."""
    house_of(request).give_code(person_of(request).id)
    return go("/devices")


@post("/devices/sign-out")
async def sign_out_others(request: Asked) -> Redirect:
    """End this person's sessions on all other devices."""
    await house_of(request).sign_out_others(person_of(request).id, visit(request).key)
    cast(Streams, request.app.state.streams).announce(DEVICES)
    return go("/devices")


@get("/device")
async def enter(request: Asked) -> Response[str]:
    """On the new device: the code is typed here, or came with the address."""
    return page(request, "device.html", code=request.query_params.get("code", "")[:20])


@post("/device")
async def take(request: Asked) -> Redirect:
    """Become the person whose code this is, on this device."""
    form = await fields(request)
    house, site = house_of(request), site_of(request)
    person, token = await house.take_code(form.get("code", "")[:40])
    cast(Streams, request.app.state.streams).announce(DEVICES)
    seen = int(1000 * house.sessions(person.id)[-1])
    return go("/", [session_cookie(site, token), devices_cookie(site, seen)])


ROUTES: list[Any] = [show, give, sign_out_others, enter, take]
