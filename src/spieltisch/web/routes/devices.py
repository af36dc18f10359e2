"""Log in on another device with a code typed there, which is valid once and for ten minutes; and log out the others."""

import secrets

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.words import message
from spieltisch.store.people import Credential
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusals import logged_in, signed_out
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, is_navigation
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import (
    SESSION_SEED,
    devices_cookie,
    devices_version,
    require_relying_party,
    session_cookie,
    version_at,
)
from spieltisch.web.http.sign_in import require_own_person
from spieltisch.web.pages.devices import DEVICES, DevicePages


@get("/devices")
async def show(request: Request) -> Response[str]:
    """Show the code, and the number of this person's devices."""
    require_own_person(request)
    live = Markup(await request.fragments.part(DevicePages).html(request.visitor))  # noqa: S704 (escaped where it was rendered)
    # A person has read the news only on a page that they have opened: other sites can load it, too.
    is_read = is_navigation(request)
    seen = [devices_cookie(request.site, devices_version(request.visitor.access))] if is_read else []
    return page(request, "devices.html", cookies=seen, live=live, next_session=secrets.token_urlsafe(32))


@post("/devices")
async def issue_code(request: Request) -> Redirect:
    """Issue a new code."""
    await request.live.people.issue_device_code(require_own_person(request).id, request.visitor.session_key)
    return redirect("/devices")


@post("/devices/sign-out")
async def log_out_others(request: Request) -> Redirect:
    """End all sessions of this person, open streams too, and revoke a pending code; this browser gets a new session.

    The recovery code, passkeys and alert subscriptions end as well, except those that the page has shown and that the
    person has chosen to keep: what was added in the meantime may be somebody else's. The key of the session is made
    from a seed in the page, so that the same form can be sent again if the answer was lost.
    """
    seed = request.fields.get("next-session", "")
    if not SESSION_SEED.fullmatch(seed):
        raise PageRefusal(400, "session", message("Invalid request. Reload the page and try again."))
    key = request.visitor.next_session_key(seed)
    person = request.visitor.person or await request.live.people.by_token(key)
    if person is None:
        raise signed_out()
    shown = {name.removeprefix("shown-") for name in request.fields if name.startswith("shown-")}
    kept = {each for each in shown if f"end-{each}" not in request.fields}
    await request.live.people.log_out_others(person.id, request.visitor.session_key, key, kept)
    request.streams.end_of(person.id)
    return redirect("/devices", [session_cookie(request.site, key)])


@get("/device")
async def sign_in_page(request: Request) -> Response[str]:
    """Show the page of the new device, on which the code is typed; no code is read from the URL."""
    return page(request, "device_sign_in.html", refusal=await _refusal_if_signed_in(request))


@post("/device/passkey", status_code=200)
async def passkey_challenge(request: Request) -> Response[str]:
    """Return the options with which this browser requests a passkey, as JSON."""
    return Response(
        request.live.people.passkeys.authentication_options(
            require_relying_party(request.visitor), request.visitor.session_key
        ),
        media_type="application/json",
    )


@post("/device")
async def log_in(request: Request) -> Redirect:
    """Become the person whose code or passkey this is, on this device.

    Nothing is merged: a person who owns anything here is refused before the code is checked. This browser reports what
    was added to the person's access after the code or passkey was made, in case no other one has.
    """
    if refusal := await _refusal_if_signed_in(request):
        raise refusal
    credential = await _authenticate(request)
    token = await request.live.people.log_in(
        credential, session=request.visitor.session_key, current=request.visitor.person
    )
    request.streams.publish(DEVICES, credential.person)
    cookies = [session_cookie(request.site, token)]
    if credential.person != request.visitor.person_id:
        access = await request.live.people.access(credential.person)
        added = max(access._replace(sessions=access.sessions[:-1]).times)
        shown = devices_version(access) if added <= credential.shown else version_at(credential.shown)
        cookies.append(devices_cookie(request.site, shown))
    return redirect("/", cookies)


async def _refusal_if_signed_in(request: Request) -> TableRefusal | None:
    """Return why this browser cannot log in as another person; None if it has nothing to lose."""
    person = request.visitor.person
    return logged_in(person.name) if person is not None and await request.live.people.owns_anything(person) else None


async def _authenticate(request: Request) -> Credential:
    """Return the code or passkey that was sent, if it is valid."""
    people, form, visitor, address = request.live.people, request.fields, request.visitor, address_of(request)
    if answer := form.get("passkey"):
        party = require_relying_party(visitor)
        return await people.by_passkey(answer, party, visitor=visitor.session_key, address=address)
    return await people.by_code(form.get("code", "")[:60], visitor=visitor.session_key, address=address)
