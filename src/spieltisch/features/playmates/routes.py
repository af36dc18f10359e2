"""The page of the people with whom a person plays: invite, mute or block them."""

from typing import Final

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.features.playmates.service import MARKS, Playmates
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.tables import NewTable
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request, is_number
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sign_in import require_own_person

BOT: Final = "easy"
"""The bot that takes the seats of the bots of an earlier game."""


@get("/people")
async def show(request: Request) -> Response[str]:
    """Show the people; `table` is a finished game whose players are chosen already."""
    person, playmates = require_own_person(request), request.live.service(Playmates)
    chosen, bots = await playmates.of_table(person.id, QueryParams(request).text("table"))
    return page(
        request,
        "playmates/page.html",
        people=await playmates.of(person.id),
        chosen=chosen,
        bots=bots,
        games={key: game_by_key(key) for key in game_modules()},
    )


@post("/people/invite")
async def invite(request: Request) -> Redirect:
    """Open a table that keeps seats for the chosen people, or for the one whose button was pressed."""
    person, playmates, fields = require_own_person(request), request.live.service(Playmates), request.fields
    address, single = address_of(request), fields.get("invite", "")
    keys = [single] if single else [name[5:] for name in fields if name.startswith("with-")]
    request.rate_limits.new_table(address)
    request.rate_limits.invite(address, person.id)
    guests = await playmates.find(person.id, keys)
    last = guests[0].game if single and guests[0].game in game_modules() else fields.get("game", "")
    game = game_by_key(last)
    bots = int(fields["bots"]) if not single and is_number(fields.get("bots", "")) else 0
    seats = ["me", *["reserved"] * len(guests), *[f"bot:{BOT}"] * min(bots, game.seats[-1])]
    seats += ["link"] * (game.seats[0] - len(seats))
    table = await playmates.invite(person, guests, NewTable(game.key, tuple(seats), watch="link"), address)
    return redirect(f"/table/{table.id}")


@post("/people/mark")
async def mark(request: Request) -> Redirect:
    """Mute or block someone, or neither."""
    person = require_own_person(request)
    word = next((word for word in MARKS if word in request.fields), None)
    if word is None:
        raise no_page()
    key = request.fields[word]
    await request.live.service(Playmates).mark(person.id, key, word, request.visitor.session_key)
    return redirect("/people")
