"""Identity without an account: passkeys, recovery code, log-out, data export, and deletion."""

from dataclasses import replace

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.core.words import message
from spieltisch.store import Person
from spieltisch.store.sessions import leave_session
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import current_devices_cookies, require_relying_party
from spieltisch.web.http.sign_in import require_own_person
from spieltisch.web.pages.devices import DEVICES


@get("/me/recovery")
async def recovery(request: Request) -> Response[str]:
    """Show whether there is a recovery code, and how to issue one."""
    made = await request.live.people.recovery.made(require_own_person(request).id)
    return page(request, "recovery_code.html", made=made, code="")


@post("/me/recovery", status_code=200)
async def issue_recovery_code(request: Request) -> Response[str]:
    """Issue a recovery code and show it."""
    return await _issue_code(request, "recovery_code.html", "/me/recovery")


async def _issue_code(request: Request, template: str, back: str) -> Response[str]:
    """Issue a recovery code and show it, on this page only; the person's other devices are told."""
    person = require_own_person(request)
    code = await request.live.people.recovery.give(person.id, request.visitor.session_key)
    request.streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(request.live.people, request.site, request.visitor, code.made)
    if not seen:
        await _report_additions(request, person)
    last_added = max(code.made, *request.visitor.access.times)
    return page(request, template, cookies=seen, made=None, code=code.text, back=back, last_added=last_added)


async def _report_additions(request: Request, person: Person) -> None:
    """Let the response report what was added until now: who signs in by a new code or passkey is told what is newer."""
    access = await request.live.people.access(person.id)
    request.scope["state"]["visitor"] = replace(request.visitor, access=access)


@get("/me/log-out")
async def ask_log_out(request: Request) -> Response[str]:
    """Show how to log in again before the person logs out."""
    made = await request.live.people.recovery.made(require_own_person(request).id)
    return page(request, "log_out.html", made=made, code="", last_added=max(request.visitor.access.times))


@post("/me/log-out/code", status_code=200)
async def show_code(request: Request) -> Response[str]:
    """Issue a recovery code and show it, before the person logs out."""
    return await _issue_code(request, "log_out.html", "/me/log-out")


@post("/me/log-out")
async def log_out(request: Request) -> Redirect:
    """End this browser's session if there is a recovery code, and the page has shown all that others have added."""
    person = require_own_person(request)
    if not await request.live.people.log_out(request.visitor.session_key, request.fields.get("last-added", "")):
        return redirect("/me/log-out")
    request.streams.end_of(person.id)
    return redirect("/device")


@get("/me/passkeys")
async def passkeys(request: Request) -> Response[str]:
    """Show the person's passkeys."""
    return await _passkeys_page(request, require_own_person(request))


async def _passkeys_page(request: Request, person: Person) -> Response[str]:
    return page(request, "passkeys.html", passkeys=await request.live.people.passkeys.of(person.id))


@post("/me/passkeys/offer", status_code=200)
async def passkey_options(request: Request) -> Response[str]:
    """Return the options with which this browser creates a passkey, as JSON."""
    options = await request.live.people.passkeys.registration_options(
        require_own_person(request), require_relying_party(request.visitor), request.visitor.session_key
    )
    return Response(options, media_type="application/json")


@post("/me/passkeys")
async def add_passkey(request: Request) -> Redirect | Response[str]:
    """Store the passkey that this browser has created; the person's other devices are told.

    If this one is to be told of something, too, the response does so: no one can end the session before that.
    """
    person, party = require_own_person(request), require_relying_party(request.visitor)
    name, answer = request.fields.get("name", ""), request.fields.get("passkey", "")
    passkey = await request.live.people.passkeys.register(person, party, request.visitor.session_key, name, answer)
    request.streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(request.live.people, request.site, request.visitor, passkey.added)
    if seen:
        return redirect("/me/passkeys", seen)
    await _report_additions(request, person)
    return await _passkeys_page(request, person)


@post("/me/passkeys/remove")
async def remove_passkey(request: Request) -> Redirect:
    """Remove a passkey, so that it no longer signs anyone in."""
    await request.live.people.passkeys.remove(require_own_person(request).id, request.fields.get("passkey", ""))
    return redirect("/me/passkeys")


@get("/me/export")
async def export(request: Request) -> Response[bytes]:
    """Download all data stored about this person as a file."""
    text = await request.live.person_data.export(require_own_person(request))
    headers = {"Content-Disposition": 'attachment; filename="spieltisch.json"'}
    return Response(text, media_type="application/json", headers=headers)


@get("/me/leave")
async def delete_page(request: Request) -> Response[str]:
    """Explain what deletion means, and ask for confirmation."""
    require_own_person(request)
    return page(request, "delete_person.html")


@post("/me/leave", status_code=200)
async def delete_person(request: Request) -> Response[str]:
    """Delete all data of this person permanently."""
    person = require_own_person(request)
    if request.fields.get("sure") != "on":
        raise PageRefusal(422, "sure", message("Tick the box to confirm. This can’t be undone."))
    await request.live.person_data.delete(person)
    leave_session()
    request.streams.publish(DEVICES)
    request.scope["state"]["visitor"] = request.visitor.signed_out()
    return page(request, "person_deleted.html", back="/")
