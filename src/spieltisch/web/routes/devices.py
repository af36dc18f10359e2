"""Log in on another device with a code typed there, which is valid once and for ten minutes; and log out."""

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import logged_in
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import (
    Site,
    Visitor,
    devices_cookie,
    devices_version,
    require_relying_party,
    session_cookie,
)
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import DEVICES, Fragments


def person_of(visitor: Visitor) -> Person:
    """Return the visitor's person. Raise PageRefusal 403 for a visitor without a name, who has no seats to keep."""
    if visitor.person is None:
        raise PageRefusal(403, "nobody", message("Nothing to move to another device yet. Join a table first."))
    return visitor.person


@get("/devices")
async def show(request: Request, visitor: Visitor, fragments: Fragments, site: Site) -> Response[str]:
    """Show the code, and the number of this person's devices."""
    person_of(visitor)
    live = Markup(fragments.devices(visitor))  # noqa: S704 (escaped where it was rendered)
    seen = devices_cookie(site, devices_version(visitor.sessions))
    return page(request, "devices.html", cookies=[seen], live=live)


@post("/devices")
async def issue_code(live: Live, visitor: Visitor) -> Redirect:
    """Issue a new code."""
    live.people.issue_device_code(person_of(visitor).id)
    return redirect("/devices")


@post("/devices/sign-out")
async def log_out_others(live: Live, visitor: Visitor, streams: Streams) -> Redirect:
    """End this person's sessions on all other devices, and revoke a pending code."""
    await live.people.log_out_others(person_of(visitor).id, visitor.session_key)
    streams.publish(DEVICES)
    return redirect("/devices")


@get("/device")
async def sign_in_page(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Show the page of the new device, on which the code is typed; no code is read from the URL."""
    return page(request, "device_sign_in.html", refusal=await _must_log_out(live, visitor))


@post("/device/passkey", status_code=200)
async def passkey_challenge(live: Live, visitor: Visitor) -> Response[str]:
    """Return the options with which this browser requests a passkey, as JSON."""
    return Response(
        live.people.passkeys.authentication_options(require_relying_party(visitor), visitor.session_key),
        media_type="application/json",
    )


@post("/device")
async def log_in(request: Request, live: Live, visitor: Visitor, form: Form, site: Site, streams: Streams) -> Redirect:
    """Become the person whose code or passkey this is, on this device.

    Nothing is merged: a person who owns anything here is refused before the code is checked.
    """
    if refusal := await _must_log_out(live, visitor):
        raise refusal
    person = await _authenticate(live, form, visitor, address_of(request))
    token = await live.people.log_in(person, session=visitor.session_key, current=visitor.person)
    streams.publish(DEVICES)
    seen = devices_version(await live.people.sessions(person.id))
    return redirect("/", [session_cookie(site, token), devices_cookie(site, seen)])


async def _must_log_out(live: Live, visitor: Visitor) -> TableRefusal | None:
    """Return why this browser cannot log in as another person; None if it has nothing to lose."""
    person = visitor.person
    return logged_in(person.name) if person is not None and await live.people.owns_anything(person) else None


@get("/me/log-out")
async def ask_log_out(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Show how to log in again before the person logs out."""
    made = await live.people.recovery.made(person_of(visitor).id)
    return page(request, "log_out.html", made=made, code="")


@post("/me/log-out/code", status_code=200)
async def show_code(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Issue a recovery code and show it, on this page only."""
    code = await live.people.recovery.give(person_of(visitor).id)
    return page(request, "log_out.html", made=None, code=code, back="/me/log-out")


@post("/me/log-out")
async def log_out(live: Live, visitor: Visitor, streams: Streams) -> Redirect:
    """End this browser's session if there is a recovery code."""
    if await live.people.recovery.made(person_of(visitor).id) is None:
        return redirect("/me/log-out")
    await live.people.log_out(visitor.session_key)
    streams.publish(DEVICES)
    return redirect("/device")


async def _authenticate(live: Live, form: Form, visitor: Visitor, address: str) -> Person:
    """Return the person proven by a code or passkey."""
    if answer := form.get("passkey"):
        return await live.people.by_passkey(
            answer, require_relying_party(visitor), visitor=visitor.session_key, address=address
        )
    return await live.people.by_code(form.get("code", "")[:60], visitor=visitor.session_key, address=address)
