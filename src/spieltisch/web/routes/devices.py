"""My seat on another device: a code to type or to scan, good once and for ten minutes."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.web.http.queries import Asked
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import go, page
from spieltisch.web.http.sessions import Site, Visitor, devices_cookie, devices_version, party_of, session_cookie
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import DEVICES, Fragments


def person_of(visitor: Visitor) -> Person:
    """Who asks. Raises PageRefusal 403 for a visitor without a name: they have nothing to take along."""
    if visitor.person is None:
        raise PageRefusal(403, "nobody", message("You sit at no table that you could take to another device."))
    return visitor.person


@get("/devices")
async def show(request: Request, visitor: Visitor, fragments: Fragments, site: Site) -> Response[str]:
    """The code, and on how many devices this person is."""
    person_of(visitor)
    live = Markup(fragments.devices(visitor))  # noqa: S704 (escaped where it was rendered)
    seen = devices_cookie(site, devices_version(visitor.sessions))
    return page(request, "devices.html", cookies=[seen], live=live)


@post("/devices")
async def give(live: Live, visitor: Visitor) -> Redirect:
    """A new code."""
    live.people.give_code(person_of(visitor).id)
    return go("/devices")


@post("/devices/sign-out")
async def sign_out_others(live: Live, visitor: Visitor, streams: Streams) -> Redirect:
    """End this person's sessions on all other devices."""
    await live.people.sign_out_others(person_of(visitor).id, visitor.key)
    streams.announce(DEVICES)
    return go("/devices")


@get("/device")
async def enter(request: Request) -> Response[str]:
    """On the new device: the code is typed here, or came with the address. Raises PageRefusal 404 for a link that a
    mail of an earlier version brought.
    """
    asked = Asked(request)
    if asked.has("link"):
        raise no_page()
    return page(request, "device.html", code=asked.text("code")[:20])


@post("/device/passkey", status_code=200)
async def ask_passkey(live: Live, visitor: Visitor) -> Response[str]:
    """What this browser asks its person's devices for, as JSON."""
    return Response(live.people.passkeys.ask(party_of(visitor), visitor.key), media_type="application/json")


@post("/device")
async def take(request: Request, live: Live, visitor: Visitor, form: Form, site: Site, streams: Streams) -> Redirect:
    """Become the person whose code or passkey this is, on this device; who was somebody here brings along what
    they have.
    """
    person = await _proven(live, form, visitor, address_of(request))
    if visitor.person is not None and (person.id == visitor.person.id or form.get("merge") == "on"):
        if person.id != visitor.person.id:
            await live.selves.merge(person, visitor.person)
        token = visitor.key
    else:
        token = await live.people.one_more_device(person)
    streams.announce(DEVICES)
    seen = devices_version(await live.people.sessions(person.id))
    return go("/", [session_cookie(site, token), devices_cookie(site, seen)])


async def _proven(live: Live, form: Form, visitor: Visitor, address: str) -> Person:
    """Who somebody proves to be."""
    if answer := form.get("passkey"):
        return await live.people.by_passkey(answer, party_of(visitor), visitor=visitor.key, address=address)
    return await live.people.by_code(form.get("code", "")[:60], visitor=visitor.key, address=address)


ROUTES: list[Any] = [show, give, sign_out_others, enter, ask_passkey, take]
