"""The lobby, and new tables."""

import asyncio
from collections.abc import Callable

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.bots.search import native_library
from spieltisch.core.game import Game
from spieltisch.core.words import GUEST, Message, message
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.live import Live
from spieltisch.store.alert_subscriptions import GONE
from spieltisch.tables import MAX_TABLES, NewTable, TableRefusal, parse_settings, parse_table_count
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import bot_level, level_cookies
from spieltisch.web.http.sign_in import person_or_newcomer
from spieltisch.web.pages.lobby import LISTS, quick_opponents


def games() -> list[Game]:
    """Return all playable games."""
    return [game_by_key(key) for key in game_modules()]


@get("/")
async def lobby(request: Request) -> Response[str]:
    """Show own tables and turns, open tables, finished ones, and alert subscriptions that have ended."""
    levels = {key: bot_level(request, key) for key in game_modules()}
    person = request.visitor.person_id
    records = await request.live.game_history.level_records(person) if person else {}
    sections = await request.fragments.lobby_sections(request.visitor, address_of(request))
    html = Markup(await request.fragments.lobby.page(request.visitor, levels, records, sections))  # noqa: S704 (escaped where it was rendered)
    subscriptions = await request.live.subscriptions.of(person) if person else ()
    return page(
        request,
        "lobby.html",
        live=html,
        closed=[subscription for subscription in subscriptions if subscription.state == GONE],
    )


@get("/tables/{name:str}")
async def further_tables(request: Request, name: str) -> Response[str]:
    """Show a further page of a list of the lobby; `from` is the number of its first table."""
    if name not in LISTS:
        raise no_page()
    first = QueryParams(request).number("from") or 0
    rows, following = await request.fragments.lobby.further(name, first, request.visitor)
    return page(request, "table_list.html", name=name, rows=rows, following=following)


@get("/new")
async def choose_game(request: Request) -> Response[str]:
    """Show the games to choose from."""
    return page(request, "choose_game.html", games=games())


@get("/new/{key:str}")
async def table_form(request: Request, key: str) -> Response[str]:
    """Show the form for seats, options and components of a new table."""
    game = game_by_key(key)
    component_sets = (
        await request.live.components.owned_by(request.visitor.person_id, key) if request.visitor.person_id else ()
    )
    kinds = ["me", "link", "open", "here", *(f"bot:{bot}" for bot in request.live.tables.bots)]
    compiled = await asyncio.to_thread(native_library.find, game) is not None
    preset = "here" if QueryParams(request).text("how") == "here" else "link"
    return page(
        request,
        "new_table.html",
        game=game,
        sets=component_sets,
        kinds=kinds,
        compiled=compiled,
        how=preset,
        most_tables=MAX_TABLES,
    )


@post("/new/{key:str}")
async def open_table(request: Request, key: str) -> Redirect:
    """Open a table, or several duplicate tables."""
    new_table = _parse_new_table(
        request.live, request.pages.words(request.visitor.language).say, game_by_key(key), request.fields
    )
    await request.live.components.find_own(request.visitor.person_id, key, new_table.components)
    address, count = address_of(request), parse_table_count(request.fields.get("tables", "1"))
    for _ in range(count):
        request.rate_limits.new_table(address)
    person, cookies = await person_or_newcomer(
        request,
        request.fields,
        lambda newcomer: request.live.tables.require_can_open(newcomer, new_table, address, count),
    )
    if count > 1:
        return redirect(
            f"/duplicate/{await request.live.tables.open_duplicate(person, new_table, count, address)}", cookies
        )
    table = await request.live.tables.open(person, new_table, address)
    return redirect(f"/table/{table.id}", [*cookies, *level_cookies(request.visitor.site, table)])


@post("/new/{key:str}/now")
async def play_now(request: Request, key: str) -> Redirect:
    """Open a table against bots that starts immediately; a visitor without a name becomes a guest.

    The bots are those of this browser's last game of the kind, unless the form names others.
    """
    game, address = game_by_key(key), address_of(request)
    request.rate_limits.new_table(address)
    bot = request.fields.get("bot") or bot_level(request, game.key)
    new_table = NewTable(game=game.key, seats=("me", *[f"bot:{bot}"] * quick_opponents(game)))
    guest_form = {"name": request.pages.words(request.visitor.language).say(GUEST)} | request.fields
    person, cookies = await person_or_newcomer(
        request, guest_form, lambda newcomer: request.live.tables.require_can_open(newcomer, new_table, address)
    )
    table = await request.live.tables.open(person, new_table, address)
    return redirect(f"/table/{table.id}", [*cookies, *level_cookies(request.visitor.site, table)])


def _parse_new_table(live: Live, say: Callable[[Message], str], game: Game, form: Form) -> NewTable:
    """Return the table that a form describes.

    It has `players` seats, in one of the two presets except for seats filled individually; without that number, as many
    as are filled. Raise TableRefusal name for an invalid name, with the number of its seat.
    """
    players = form.get("players", "")
    player_count = int(players) if players in map(str, game.seats) else 0
    seats: list[str] = []
    for number in range(player_count if players else game.seats.stop - 1):
        kind, name = form.get(f"seat-{number}", ""), form.get(f"here-{number}", "")
        if not kind and players:
            kind = form.get("how", "link") if number else "me"
            name = form.get(f"player-{number}", "") or say(message("Player {number}", number=number + 1))
        if kind == "here":
            seats.append(f"here:{_check_names(live, number, name)}")
        elif kind:
            seats.append(kind)
    return NewTable(
        game=game.key,
        seats=tuple(seats),
        options={name.removeprefix("option-"): value for name, value in form.items() if name.startswith("option-")},
        watch=form.get("watch", "open"),
        components=form.get("components", ""),
        charter=parse_settings(form, tuple(live.tables.bots)),
    )


def _check_names(live: Live, number: int, text: str) -> str:
    try:
        return live.quotas.clean_name(text)
    except TableRefusal as refusal:
        words = message("Seat {number}: {problem}", number=number + 1, problem=refusal.message)
        raise TableRefusal(RefusalCode.NAME, words) from refusal
