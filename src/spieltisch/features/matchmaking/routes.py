"""Seeking players for a kind of game."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from msgspec.structs import replace

from spieltisch.features.matchmaking.commands import BOT_MINUTES, CLOCKS, parse_kind
from spieltisch.features.matchmaking.pages import SeekPages
from spieltisch.features.matchmaking.service import BOT, Matchmaking
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.tables import NewTable
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sign_in import person_or_newcomer, require_person


@get("/seek")
async def show(request: Request) -> Response[Any] | Redirect:
    """Show the form, and what the visitor seeks; lead to the table that was found for them."""
    matchmaking, games = request.live.service(Matchmaking), [game_by_key(key) for key in game_modules()]
    if table_id := matchmaking.found(request.visitor.person_id):
        return redirect(f"/table/{table_id}")
    return page(
        request,
        "matchmaking/page.html",
        games=games,
        numbers=range(min(game.seats[0] for game in games), max(game.seats[-1] for game in games) + 1),
        clocks=CLOCKS,
        bot_minutes=BOT_MINUTES,
        **request.fragments.part(SeekPages).context(request.visitor),
    )


@post("/seek")
async def seek(request: Request) -> Redirect:
    """Let the visitor wait for a kind of game."""
    game, visitor = game_by_key(request.fields.get("game", "")), request.visitor
    address = address_of(request)
    origin = request.live.quotas.hash_address(address) or b""
    kind = replace(parse_kind(game, request.fields), origin=origin)
    request.rate_limits.new_table(address)
    sample = NewTable(game.key, ("me", *[f"bot:{BOT}"] * (kind.fewest - 1)))
    person, cookies = await person_or_newcomer(
        request, request.fields, lambda newcomer: request.live.tables.require_can_open(newcomer, sample, address)
    )
    session = visitor.session_key if visitor.person is not None else None
    await request.live.service(Matchmaking).add(person.id, kind, session)
    return redirect("/", cookies)


@post("/seek/cancel")
async def cancel(request: Request) -> Redirect:
    """Let the visitor wait no longer."""
    await request.live.service(Matchmaking).cancel(require_person(request.visitor).id)
    return redirect("/")
