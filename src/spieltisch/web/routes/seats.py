"""Seats: join and leave a table, bots for empty seats, rematch."""

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live.player_commands import Actor
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.bot_levels import STEPS
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.errors import refusal_response
from spieltisch.web.http.query_params import QueryParams, hot_seat_param, number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request, TableView, is_number, wants_json
from spieltisch.web.http.responses import page, redirect, to_confirm
from spieltisch.web.http.sessions import level_cookies
from spieltisch.web.http.sign_in import Newcomer, person_or_newcomer, require_person
from spieltisch.web.pages.perspectives import view_of
from spieltisch.web.pages.qr import qr_code
from spieltisch.web.pages.table_settings import describe, pace
from spieltisch.web.routes.games import cover_file


@post("/table/{table_id:str}/sit", open_to_spectators=True)
async def sit(request: Request, table_id: str) -> Redirect:
    """Take an open seat, or one reserved for a player on this device."""
    table = await request.live.tables.get(table_id)
    seat = _seat(request.fields) if request.fields.get("seat") else None
    person, cookies = await person_or_newcomer(
        request, request.fields, lambda newcomer: request.live.tables.require_can_sit(table, newcomer, seat)
    )
    await request.live.tables.sit(table_id, person, seat)
    return redirect(f"/table/{table_id}", cookies)


@get("/join/{link:str}")
async def invitation(request: Request, link: str) -> Response[Any] | Redirect:
    """Show the target of a link: a seat with a field for the name, or the table to watch.

    Raise any refusal of taking the seat now, before the visitor has typed a name in vain.
    """
    target = await request.live.invitations.read(link)
    table = target.table
    if target.is_for_spectator:
        return redirect(f"/table/{table.id}?link={link}")
    if request.visitor.person_id is not None and table.seat_of(request.visitor.person_id) is not None:
        return redirect(f"/table/{table.id}")
    if request.visitor.person_id is not None:
        await request.live.tables.require_first_time(table, request.visitor.person_id)
    person = request.visitor.person if request.visitor.person is not None and not request.visitor.is_unnamed else None
    newcomer = person or Newcomer("", request.visitor.person_id or "newcomer")
    try:
        tables.sit(table, newcomer, target.seat, by_link=not target.is_used)
    except TableRefusal as refusal:
        if refusal.code != RefusalCode.SEAT_TAKEN:
            raise
        return await _full_table(request, table, refusal)
    settings = table.opened.settings
    return page(
        request,
        "join.html",
        game=table.game,
        table=table,
        link=link,
        charter=describe(settings),
        pace=pace(settings),
        has_cover=cover_file(table.game).exists(),
    )


async def _full_table(request: Request, table: Table, refusal: TableRefusal) -> Response[Any]:
    """Return the refusal of a seat at a full table, and offer to watch if everyone may."""
    try:
        view = TableView(*await view_of(request.live, table, request.visitor.person_id))
    except TableRefusal:
        return refusal_response(request, refusal)
    request.scope["state"]["table_view"] = view
    return refusal_response(request, refusal, watch_url=f"/table/{table.id}")


@get("/join/{link:str}/qr")
async def invitation_qr(request: Request, link: str) -> Response[str]:
    """Return the URL of a link as a QR code."""
    await request.live.invitations.read(link)
    return Response(qr_code(f"{request.visitor.share_address.address}/join/{link}"), media_type="image/svg+xml")


@post("/join/{link:str}")
async def join(request: Request, link: str) -> Redirect:
    """Take a seat by a link."""
    target = await request.live.invitations.read(link)
    table, seat, gives_seat = target.table, target.seat, not target.is_used
    require_unchanged = partial(request.live.invitations.require_unchanged, link, target)
    if target.is_for_spectator:
        raise PageRefusal(422, "seat", message("This link is for spectators."))
    person, cookies = await person_or_newcomer(
        request,
        request.fields,
        lambda newcomer: request.live.tables.require_can_sit(table, newcomer, seat, by_link=gives_seat),
    )
    await request.live.tables.sit(table.id, person, seat, by_link=gives_seat, require=require_unchanged)
    return redirect(f"/table/{table.id}", cookies)


@post("/table/{table_id:str}/leave", status_code=200, open_to_spectators=True)
async def leave(request: Request, table_id: str) -> Response[Any]:
    """Leave the table, or decline the seats that are kept for this person: all they can do without a seat.

    The player is first shown what happens to the seat, and again if that changes before they confirm. If others play on
    at the table on this device, they return to it.
    """
    person, me = require_person(request.visitor), hot_seat_param(request.fields.get("me", ""))
    table = await request.live.tables.get(table_id)
    leaver = Actor(person, me).id_at(table)
    known_outcome = QueryParams(request).text("outcome")
    declines = known_outcome == "declines" or "decline" in request.fields
    outcome, consequence = tables.leaving(table, leaver, declines=declines)
    if not wants_json(request) and known_outcome != outcome:
        name = next((seat.name for seat in table.people if seat.person == leaver), "")
        question = message("Leave the table as {name}?", name=name) if me and name else message("Leave the table?")
        verb = message("Leave the table")
        if outcome == "declines":
            question, verb = message("Give up this seat?"), message("Give up this seat")
        action = f"/table/{table_id}/leave?outcome={outcome}"
        context = {
            "table": table,
            "action": action,
            "first": (consequence,),
            "me": me,
            "title": question,
            "form": "seat-form",
            "is_final": True,
        }
        context["verb"] = verb
        return to_confirm(request, ("consent_confirm.html", "consent_confirm_page.html"), table, context)
    table = await request.live.tables.run(table_id, tables.decline if declines else tables.leave, leaver)
    return redirect(f"/table/{table_id}" if table.seats_on_device(person.id) else "/")


@post("/table/{table_id:str}/replace/{seat:str}/{bot:str}", open_to_spectators=True)
async def seat_bot(request: Request, table_id: str, seat: str, bot: str) -> Redirect:
    """Put a bot into a seat that a player has left."""
    await request.live.tables.run(
        table_id,
        tables.replace_with_bot,
        require_person(request.visitor).id,
        number("seat", seat),
        bot,
        request.live.tables.bots,
    )
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/reclaim/{seat:str}", open_to_spectators=True)
async def reclaim(request: Request, table_id: str, seat: str) -> Redirect:
    """Reclaim a seat, as the host, whose player no longer has access; its new link is then on the page.

    A player who is present is asked first.
    """
    is_here = request.live.presence.is_present
    await request.live.tables.run(
        table_id, tables.reclaim_seat, require_person(request.visitor).id, number("seat", seat), is_here
    )
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/reclaim/{seat:str}/cancel", open_to_spectators=True)
async def cancel_reclaim(request: Request, table_id: str, seat: str) -> Redirect:
    """Withdraw the request for a seat, as the host."""
    await request.live.tables.run(
        table_id, tables.cancel_reclaim, require_person(request.visitor).id, number("seat", seat)
    )
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/renew/{seat:str}", open_to_spectators=True)
async def renew_seat_link(request: Request, table_id: str, seat: str) -> Redirect:
    """Revoke the links to a seat and create a new one."""
    await request.live.tables.run(
        table_id, tables.renew_links, require_person(request.visitor).id, number("seat", seat)
    )
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/renew-table-link", open_to_spectators=True)
async def renew_table_link(request: Request, table_id: str) -> Redirect:
    """Revoke the links to the table and create a new one."""
    await request.live.tables.run(table_id, tables.renew_table_links, require_person(request.visitor).id)
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/renew-spectators", open_to_spectators=True)
async def renew_spectator_link(request: Request, table_id: str) -> Redirect:
    """Revoke the links for spectators and create a new one."""
    await request.live.tables.run(table_id, tables.renew_spectator_links, require_person(request.visitor).id)
    return redirect(f"/table/{table_id}")


@post("/table/{table_id:str}/rematch")
async def rematch(request: Request, table_id: str) -> Redirect:
    """Open a table with the same seats and options; the form may ask for weaker or stronger bots."""
    person, address, bots = require_person(request.visitor), address_of(request), request.fields.get("bots", "")
    if bots not in STEPS:
        raise PageRefusal(422, "bots", message("“{word}” is not a setting for bots.", word=bots[:40]))
    request.rate_limits.new_table(address)
    table = await request.live.tables.rematch(table_id, person, address, STEPS[bots])
    return redirect(f"/table/{table.id}", level_cookies(request.visitor.site, table))


def _seat(form: Form) -> int:
    text = form.get("seat", "")
    if not is_number(text):
        raise refusals.no_seat()
    return int(text)
