"""Log in on another device with a code typed there, which is valid once and for ten minutes; and log out."""

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.store.people import Credential
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import logged_in, signed_out
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import (
    SESSION_KEY,
    Site,
    Visitor,
    current_devices_cookies,
    devices_cookie,
    devices_version,
    new_session_key,
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
    live = Markup(await fragments.devices(visitor))  # noqa: S704 (escaped where it was rendered)
    seen = devices_cookie(site, devices_version(visitor.access))
    return page(request, "devices.html", cookies=[seen], live=live, next_session=new_session_key())


@post("/devices")
async def issue_code(live: Live, visitor: Visitor) -> Redirect:
    """Issue a new code."""
    await live.people.issue_device_code(person_of(visitor).id, visitor.session_key)
    return redirect("/devices")


@post("/devices/sign-out")
async def log_out_others(live: Live, visitor: Visitor, form: Form, site: Site, streams: Streams) -> Redirect:
    """End all sessions of this person, open streams too, and revoke a pending code; this browser gets a new session.

    The recovery code, passkeys and alert subscriptions end as well, except those that the page has shown and that the
    person has chosen to keep: what was added in the meantime may be somebody else's. The key of the session comes from
    the page, so that the same form can be sent again if the answer was lost.
    """
    key = form.get("next-session", "")
    if not SESSION_KEY.fullmatch(key):
        raise PageRefusal(400, "session", message("Invalid request. Reload the page and try again."))
    person = visitor.person or await live.people.by_token(key)
    if person is None:
        raise signed_out()
    shown = {name.removeprefix("shown-") for name in form if name.startswith("shown-")}
    kept = {each for each in shown if f"end-{each}" not in form}
    await live.people.log_out_others(person.id, visitor.session_key, key, kept)
    streams.end_of(person.id)
    return redirect("/devices", [session_cookie(site, key)])


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
    credential = await _authenticate(live, form, visitor, address_of(request))
    token = await live.people.log_in(credential, session=visitor.session_key, current=visitor.person)
    streams.publish(DEVICES, credential.person)
    seen = devices_version(await live.people.access(credential.person))
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
async def show_code(request: Request, live: Live, visitor: Visitor, site: Site, streams: Streams) -> Response[str]:
    """Issue a recovery code and show it, on this page only; the person's other devices are told."""
    person = person_of(visitor)
    code = await live.people.recovery.give(person.id, visitor.session_key)
    streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(live.people, site, visitor, "recovery_code")
    return page(request, "log_out.html", cookies=seen, made=None, code=code, back="/me/log-out")


@post("/me/log-out")
async def log_out(live: Live, visitor: Visitor, streams: Streams) -> Redirect:
    """End this browser's session if there is a recovery code."""
    person = person_of(visitor)
    if await live.people.recovery.made(person.id) is None:
        return redirect("/me/log-out")
    await live.people.log_out(visitor.session_key)
    streams.end_of(person.id)
    return redirect("/device")


async def _authenticate(live: Live, form: Form, visitor: Visitor, address: str) -> Credential:
    """Return the code or passkey that was sent, if it is valid."""
    if answer := form.get("passkey"):
        return await live.people.by_passkey(
            answer, require_relying_party(visitor), visitor=visitor.session_key, address=address
        )
    return await live.people.by_code(form.get("code", "")[:60], visitor=visitor.session_key, address=address)
