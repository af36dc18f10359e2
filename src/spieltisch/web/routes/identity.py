"""Identity without an account: passkeys, recovery code, data export, and deletion."""

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page
from spieltisch.web.http.responses import redirect as to
from spieltisch.web.http.sessions import Site, Visitor, current_devices_cookies, require_relying_party
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import DEVICES
from spieltisch.web.routes.history import require_own_person


@get("/me/recovery")
async def recovery(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Show whether there is a recovery code, and how to issue one."""
    return page(
        request, "recovery_code.html", made=await live.people.recovery.made(require_own_person(visitor).id), code=""
    )


@post("/me/recovery", status_code=200)
async def issue_recovery_code(
    request: Request, live: Live, visitor: Visitor, site: Site, streams: Streams
) -> Response[str]:
    """Issue a new recovery code and show it, on this page only; the person's other devices are told."""
    person = require_own_person(visitor)
    code = await live.people.recovery.give(person.id, visitor.session_key)
    streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(live.people, site, visitor, "recovery_code")
    return page(request, "recovery_code.html", cookies=seen, made=None, code=code, back="/me/recovery")


@get("/me/passkeys")
async def passkeys(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Show the person's passkeys."""
    return page(request, "passkeys.html", passkeys=await live.people.passkeys.of(require_own_person(visitor).id))


@post("/me/passkeys/offer", status_code=200)
async def passkey_options(live: Live, visitor: Visitor) -> Response[str]:
    """Return the options with which this browser creates a passkey, as JSON."""
    options = await live.people.passkeys.registration_options(
        require_own_person(visitor), require_relying_party(visitor), visitor.session_key
    )
    return Response(options, media_type="application/json")


@post("/me/passkeys")
async def add_passkey(live: Live, visitor: Visitor, form: Form, site: Site, streams: Streams) -> Redirect:
    """Store the passkey that this browser has created; the person's other devices are told."""
    person, party = require_own_person(visitor), require_relying_party(visitor)
    name, answer = form.get("name", ""), form.get("passkey", "")
    await live.people.passkeys.register(person, party, visitor.session_key, name, answer)
    streams.publish(DEVICES, person.id)
    return to("/me/passkeys", await current_devices_cookies(live.people, site, visitor, "passkey"))


@post("/me/passkeys/remove")
async def remove_passkey(live: Live, visitor: Visitor, form: Form) -> Redirect:
    """Remove a passkey, so that it no longer signs anyone in."""
    await live.people.passkeys.remove(require_own_person(visitor).id, form.get("passkey", ""))
    return to("/me/passkeys")


@get("/me/export")
async def export(live: Live, visitor: Visitor) -> Response[bytes]:
    """Download all data stored about this person as a file."""
    text = await live.person_data.export(require_own_person(visitor))
    headers = {"Content-Disposition": 'attachment; filename="spieltisch.json"'}
    return Response(text, media_type="application/json", headers=headers)


@get("/me/leave")
async def delete_page(request: Request, visitor: Visitor) -> Response[str]:
    """Explain what deletion means, and ask for confirmation."""
    require_own_person(visitor)
    return page(request, "delete_person.html")


@post("/me/leave", status_code=200)
async def delete_person(request: Request, live: Live, visitor: Visitor, form: Form, streams: Streams) -> Response[str]:
    """Delete all data of this person permanently."""
    person = require_own_person(visitor)
    if form.get("sure") != "on":
        raise PageRefusal(422, "sure", message("Tick the box to confirm. This can’t be undone."))
    await live.person_data.delete(person)
    streams.publish(DEVICES)
    request.scope["state"]["visitor"] = visitor.signed_out()
    return page(request, "person_deleted.html", back="/")
