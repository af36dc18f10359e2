"""The lobby, and a new table."""

from __future__ import annotations

from typing import Any, cast

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch import tables
from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.games import game as game_by_key
from spieltisch.games import modules
from spieltisch.store import Plan
from spieltisch.tables import TableRefusal
from spieltisch.web.answers import Asked, fields, go, house_of, page, visit
from spieltisch.web.arrivals import name_of, person_of
from spieltisch.web.fragments import Fragments
from spieltisch.web.limits import gate_of
from spieltisch.web.refusals import PageRefusal


def games() -> list[Game]:
    """Every game that can be played here."""
    return [game_by_key(key) for key in modules()]


@get("/")
async def lobby(request: Asked) -> Response[str]:
    """My tables and whose turn it is, open ones, finished ones."""
    html = await cast(Fragments, request.app.state.fragments).lobby(visit(request))
    return page(request, "lobby.html", live=Markup(html))  # noqa: S704 (escaped where it was rendered)


@get("/new")
async def new(request: Asked) -> Response[str]:
    """Which game?"""
    return page(request, "new.html", games=games())


@get("/new/{key:str}")
async def new_table(request: Asked, key: str) -> Response[str]:
    """Its seats, options and components."""
    return page(request, "new_table.html", game=game_by_key(key), **await _choices(request, key))


async def _choices(request: Asked, key: str) -> dict[str, Any]:
    who = visit(request)
    sets = await house_of(request).components(who.person_id, key) if who.person_id else ()
    return {"sets": sets, "kinds": ["me", "link", "open", "here", *(f"bot:{bot}" for bot in game_by_key(key).bots)]}


@post("/new/{key:str}")
async def open_table(request: Asked, key: str) -> Redirect:
    game = game_by_key(key)
    form = await fields(request)
    seats = tuple(
        f"here:{form.get(f'here-{number}', '')}" if kind == "here" else kind
        for number in range(game.seats.stop - 1)
        if (kind := form.get(f"seat-{number}", ""))
    )
    if len(seats) not in game.seats:
        words = message(
            "{game} is for {least} to {most} players.",
            game=game.title,
            least=game.seats.start,
            most=game.seats.stop - 1,
        )
        raise PageRefusal(422, "seats", words)
    for number in range(game.seats.stop - 1):
        if form.get(f"seat-{number}") == "here":
            _name_here(request, number, form.get(f"here-{number}", ""))
    plan = Plan(
        game=key,
        seats=seats,
        options={name.removeprefix("option-"): value for name, value in form.items() if name.startswith("option-")},
        watch=form.get("watch", "open"),
        components=form.get("components", ""),
    )
    components = await house_of(request).read_components(key, plan.components)
    await gate_of(request).table(house_of(request), visit(request).person)
    person, cookies = await person_of(
        request, form, lambda newcomer: tables.open_table(plan, game, components, newcomer, bytes(32))
    )
    table = await house_of(request).open_table(person, plan)
    return go(f"/table/{table.id}", cookies)


def _name_here(request: Asked, number: int, text: str) -> None:
    """Refuse what cannot be the name of somebody on the host's device, and say in which seat."""
    try:
        name_of(request, text)
    except (TableRefusal, PageRefusal) as refusal:
        words = message("Seat {number}: {problem}", number=number + 1, problem=refusal.message)
        raise PageRefusal(422, refusal.code, words) from refusal


ROUTES = [lobby, new, new_table, open_table]
