"""The page of administrators, the link that makes one, and their acts.

None of it exists for anyone else: see `is_admitted`, which is asked before a request gets here.
"""

import re
from ipaddress import ip_address
from typing import Final

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.core.words import message
from spieltisch.features.admin import pages, rows
from spieltisch.features.admin.links import PATH
from spieltisch.features.admin.rows import Administrator
from spieltisch.features.admin.service import TABLE_ACTS, Administration
from spieltisch.live.passkeys import no_passkey
from spieltisch.tables import Participant
from spieltisch.tables.names import clean_message
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.query_params import number as number_of
from spieltisch.web.http.rate_limits import address_of, network_of
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import require_relying_party
from spieltisch.web.http.sign_in import person_or_newcomer

HASH: Final = re.compile("[0-9a-f]{32}")
"""The form of the hash of an address."""
MAX_ANNOUNCEMENT: Final = 200
"""The length of an announcement."""
IRREVERSIBLE: Final = ("close", "remove")


async def is_admitted(request: Request) -> bool:
    """Return True if the visitor is an administrator, or was one not long ago, or follows a link that is valid."""
    administration = request.live.service(Administration)
    if request.url.path.startswith(PATH) and await administration.is_link(request.url.path.removeprefix(PATH)):
        return True
    session = request.cookies.get(request.site.cookie("session"), "")
    return await administration.administrator(session) is not None


async def _known(request: Request) -> Administrator:
    """Return the administrator of this session, whose time may be over."""
    found = await request.live.service(Administration).administrator(request.visitor.session_key)
    if found is None:
        raise no_page()
    return found


async def _actor(request: Request) -> str:
    """Return the administrator who acts. Raise PageRefusal 403 if their time is over, 400 for a bad query string."""
    found = await _known(request)
    _chosen(request)  # before anything is changed: `_page_again` reads it
    if not found.is_active:
        what = message("Your administrator session has ended. Reload the page to continue.")
        raise PageRefusal(403, "admin-over", what)
    return found.person


@get(f"{PATH}{{token:str}}")
async def confirm(request: Request, token: str) -> Response[str]:
    """Ask whoever follows a link whether they want to be an administrator; nothing is changed."""
    return page(request, "admin/enter.html", token=token)


@post(f"{PATH}{{token:str}}")
async def enter(request: Request, token: str) -> Redirect:
    """Use up a link: the session of its visitor is an administrator's."""
    administration = request.live.service(Administration)

    async def require_link(_: Participant | None = None) -> None:
        if not await administration.is_link(token):
            raise no_page()

    await require_link()
    person, cookies = await person_or_newcomer(request, request.fields, require_link)
    session = next((str(cookie.value) for cookie in cookies), request.visitor.session_key)
    if not await administration.use_link(token, session, person.id):
        raise no_page()
    return redirect("/admin", cookies)


@get("/admin")
async def show(request: Request) -> Response[str]:
    """Show the server; to an administrator whose time is over, how to go on."""
    found = await _known(request)
    if not found.is_active:
        return page(request, "admin/over.html")
    words = request.pages.words(request.visitor.language)
    shown = await pages.overview(request.live, words, _chosen(request), request.streams.owners())
    return page(request, "admin/page.html", until=found.until, me=found.person, **shown)


def _chosen(request: Request) -> pages.Choice:
    """Return what the query string chooses."""
    params = QueryParams(request)
    status = params.text("status")
    return pages.Choice(
        status if status in pages.STATUSES else "",
        params.text("search")[:60],
        params.number("tables") or 0,
        params.number("people") or 0,
    )


def _page_again(request: Request, section: str) -> Redirect:
    """Return to a section of the page with the same choice as before the act."""
    return redirect(f"/admin{_chosen(request).query()}#{section}-title")


@post("/admin/renew")
async def renew(request: Request) -> Redirect:
    """Begin another time by a passkey that the person had before this one was over: a later one may be a thief's."""
    found, session = await _known(request), request.visitor.session_key
    party, answer = require_relying_party(request.visitor), request.fields.get("passkey", "")
    credential = await request.live.people.by_passkey(answer, party, visitor=session, address=address_of(request))
    is_known = credential.person == found.person and credential.shown <= found.until
    if not (is_known and await request.live.service(Administration).renew(session, credential)):
        raise no_passkey()
    return redirect("/admin")


@post("/admin/end")
async def end(request: Request) -> Redirect:
    """End what this session may do as an administrator's."""
    found = await _known(request)
    await request.live.service(Administration).end(request.visitor.session_key, found.person)
    return redirect("/")


@post("/admin/tables/{subject:str}/{act:str}")
async def act_on_table(request: Request, subject: str, act: str) -> Redirect:
    """Freeze, thaw, close or remove a table."""
    actor = await _actor(request)
    if act not in (*TABLE_ACTS, "remove"):
        raise no_page()
    if act in IRREVERSIBLE and request.fields.get("sure") != "on":
        raise PageRefusal(422, "sure", message("Tick the box to confirm. This can’t be undone."))
    await request.live.service(Administration).act_on_table(actor, subject, act)
    return _page_again(request, "tables")


@post("/admin/bans")
async def ban(request: Request) -> Redirect:
    """Ban a person, or an address, which is typed or named by its hash."""
    actor, live = await _actor(request), request.live
    if person := request.fields.get("person", ""):
        if person == actor:
            raise _own_ban()
        if not await rows.names(live.store, {person}):
            raise no_page()
        await live.service(Administration).ban(actor, person, None)
        return _page_again(request, "bans")
    hashed = request.fields.get("hash", "")
    address = bytes.fromhex(hashed) if HASH.fullmatch(hashed) else _typed_address(request)
    if address == live.quotas.hash_address(address_of(request)):
        raise _own_ban()
    await live.service(Administration).ban(actor, None, address)
    return _page_again(request, "bans")


def _typed_address(request: Request) -> bytes:
    """Return the hash of the address in a form."""
    typed = request.fields.get("address", "").strip()
    try:
        ip_address(typed)
    except ValueError as error:
        raise PageRefusal(422, "address", message("This is not a valid IP address.")) from error
    return request.live.quotas.hash_address(network_of(typed)) or b""


def _own_ban() -> PageRefusal:
    return PageRefusal(409, "own-ban", message("You can’t ban yourself."))


@post("/admin/bans/end")
async def unban(request: Request) -> Redirect:
    """End a ban."""
    actor = await _actor(request)
    await request.live.service(Administration).unban(actor, request.fields.get("ban", ""))
    return _page_again(request, "bans")


@post("/admin/reports")
async def settle_reports(request: Request) -> Redirect:
    """Delete the reports of a message, which an administrator has dealt with, and the message if wanted.

    The number of a name or an invitation is below zero; its author gets the name of a guest if wanted.
    """
    actor, fields = await _actor(request), request.fields
    typed = fields.get("number", "")
    number = number_of("number", typed.removeprefix("-")) * (-1 if typed.startswith("-") else 1)
    administration, table_id = request.live.service(Administration), fields.get("table", "")
    choice = fields.get("message")
    if choice == "rename":
        await administration.rename(actor, table_id, number)
    else:
        is_removed = choice == "remove" and number >= 0
        await administration.settle_reports(actor, table_id, number, removes_message=is_removed)
    return _page_again(request, "reports")


@post("/admin/announcement")
async def announce(request: Request) -> Redirect:
    """Show a text on all pages, or end that."""
    actor, text = await _actor(request), request.fields.get("text", "")
    cleaned = clean_message(text, MAX_ANNOUNCEMENT) if text.strip() else ""
    await request.live.service(Administration).announce(actor, cleaned)
    return _page_again(request, "announcement")
