"""Sitting down, getting up, bots for empty seats, and another game with the same people."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.web.answers import Asked, fields, go, house_of, page, visit
from spieltisch.web.arrivals import Neighbour, Newcomer, person_of, seated, speaking
from spieltisch.web.limits import gate_of
from spieltisch.web.refusals import PageRefusal


@post("/table/{table_id:str}/sit")
async def sit(request: Asked, table_id: str) -> Redirect:
    """Take an open seat, or one that is kept for who plays on this device."""
    form = await fields(request)
    table = await house_of(request).table(table_id)
    seat = _seat(form) if form.get("seat") else None
    await gate_of(request).seat(house_of(request), visit(request).person)
    person, cookies = await person_of(request, form, lambda newcomer: tables.sit(table, newcomer, seat))
    kept = next((one for one in table.kept_at(person.id) if one.number == seat), None)
    sitter = Neighbour(kept.name, kept.person) if kept is not None and kept.person != person.id else person
    await house_of(request).run(table_id, tables.sit, sitter, seat)
    return go(f"/table/{table_id}", cookies)


@get("/join/{link:str}")
async def invitation(request: Asked, link: str) -> Response[str] | Redirect:
    """What the link leads to: a seat and a field for one's name, or the table to watch. Raises what is against
    sitting down there, before anybody has typed their name for nothing.
    """
    found = await house_of(request).read_link(link)
    table, who = found.table, visit(request)
    if found.watch:
        return go(f"/table/{table.id}?link={link}")
    if who.person_id is not None and table.seat_of(who.person_id) is not None:
        return go(f"/table/{table.id}")
    tables.sit(table, who.person or Newcomer("?"), found.seat, by_link=True)
    return page(request, "join.html", game=table.game, table=table, link=link, seat=found.seat)


@post("/join/{link:str}")
async def join(request: Asked, link: str) -> Redirect:
    """Sit down by a link."""
    found = await house_of(request).read_link(link)
    if found.watch:
        raise PageRefusal(422, "seat", message("This link is for looking on."))
    await gate_of(request).seat(house_of(request), visit(request).person)
    person, cookies = await person_of(
        request,
        await fields(request),
        lambda newcomer: tables.sit(found.table, newcomer, found.seat, by_link=True),
    )
    await house_of(request).run(found.table.id, tables.sit, person, seat=found.seat, by_link=True)
    return go(f"/table/{found.table.id}", cookies)


@post("/table/{table_id:str}/leave")
async def leave(request: Asked, table_id: str) -> Redirect:
    """Get up; who plays on at the table on this device goes on looking at it."""
    form = await fields(request)
    person_id = seated(request, form)
    person_id = speaking(await house_of(request).table(table_id), person_id, form.get("me", ""))
    table = await house_of(request).run(table_id, tables.leave, person_id)
    return go(f"/table/{table_id}" if table.seats_at(visit(request).person_id) else "/")


@post("/table/{table_id:str}/replace/{seat:int}/{bot:str}")
async def replace(request: Asked, table_id: str, seat: int, bot: str) -> Redirect:
    """A bot takes a seat that somebody left."""
    await house_of(request).run(table_id, tables.replace, seated(request), seat, bot)
    return go(f"/table/{table_id}")


@post("/table/{table_id:str}/hand-out/{seat:int}")
async def hand_out(request: Asked, table_id: str, seat: int) -> Redirect:
    """The host takes back a seat whose person has lost their way in; its new link is on the page then."""
    await house_of(request).run(table_id, tables.hand_out, seated(request), seat)
    return go(f"/table/{table_id}")


@post("/table/{table_id:str}/renew/{seat:int}")
async def renew(request: Asked, table_id: str, seat: int) -> Redirect:
    """Make the links to a seat void and have a new one."""
    await house_of(request).run(table_id, tables.renew_links, seated(request), seat)
    return go(f"/table/{table_id}")


@post("/table/{table_id:str}/rematch")
async def rematch(request: Asked, table_id: str) -> Redirect:
    """Another game: the same seats, the same options."""
    person = visit(request).person
    if person is None:
        seated(request)
        raise AssertionError("seated() has refused")
    if not (await house_of(request).table(table_id)).rematch:
        await gate_of(request).table(house_of(request), person)
    table = await house_of(request).rematch(table_id, person)
    return go(f"/table/{table.id}")


def _seat(form: dict[str, str]) -> int:
    text = form.get("seat", "")
    if not text.isdecimal() or len(text) > 3:
        raise PageRefusal(422, "seat", message("There is no such seat at this table."))
    return int(text)


ROUTES = [sit, invitation, join, leave, replace, hand_out, renew, rematch]
