"""The lobby, and a new table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.bots.search import native_library
from spieltisch.core.game import Game
from spieltisch.core.words import Message, message
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.live import Live
from spieltisch.store.alert_subscriptions import GONE
from spieltisch.tables import MOST_TABLES, NewTable, TableRefusal, parse_settings, parse_table_count
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import person_or_newcomer
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.renderer import Renderer

QUICK_SEATS = 4
"""Seats of a table that is set up with one click, if the game has so many."""


def games() -> list[Game]:
    """Every game that can be played here."""
    return [game_by_key(key) for key in game_modules()]


@get("/")
async def lobby(request: Request, live: Live, fragments: Fragments, visitor: Visitor) -> Response[str]:
    """My tables and whose turn it is, open ones, finished ones; and which of my alerts have ended."""
    html = Markup(await fragments.lobby.page(visitor))  # noqa: S704 (escaped where it was rendered)
    ways = await live.subscriptions.of(visitor.person_id) if visitor.person_id else ()
    return page(request, "lobby.html", live=html, closed=[way for way in ways if way.state == GONE])


@get("/new")
async def choose_game(request: Request, pages: Renderer) -> Response[str]:
    """Which game?"""
    found = games()
    return page(request, "choose_game.html", games=found, plates={one.key: pages.cover(one) for one in found})


@get("/new/{key:str}")
async def table_form(request: Request, live: Live, visitor: Visitor, key: str) -> Response[str]:
    """Its seats, options and components."""
    game = game_by_key(key)
    sets = await live.components.owned_by(visitor.person_id, key) if visitor.person_id else ()
    kinds = ["me", "link", "open", "here", *(f"bot:{bot}" for bot in live.tables.bots)]
    compiled = await asyncio.to_thread(native_library.find, game) is not None
    how = "here" if QueryParams(request).text("how") == "here" else "link"
    return page(
        request,
        "new_table.html",
        game=game,
        sets=sets,
        kinds=kinds,
        compiled=compiled,
        how=how,
        most_tables=MOST_TABLES,
    )


@post("/new/{key:str}")
async def open_table(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Renderer, form: Form, key: str
) -> Redirect:
    plan = _parse_new_table(live, pages.words(visitor.language).say, game_by_key(key), form)
    address, many = address_of(request), parse_table_count(form.get("tables", "1"))
    for _ in range(many):
        rate_limits.new_table(address)
    person, cookies = await person_or_newcomer(
        request, form, lambda newcomer: live.tables.require_can_open(newcomer, plan, address, many)
    )
    if many > 1:
        return redirect(f"/duplicate/{await live.tables.open_duplicate(person, plan, many, address)}", cookies)
    table = await live.tables.open(person, plan, address)
    return redirect(f"/table/{table.id}", cookies)


@post("/new/{key:str}/now")
async def play_now(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Renderer, form: Form, key: str
) -> Redirect:
    """A table against bots, that begins at once; who has no name yet is a guest."""
    game, address = game_by_key(key), address_of(request)
    rate_limits.new_table(address)
    seats = min(QUICK_SEATS, game.seats.stop - 1)
    plan = NewTable(game=game.key, seats=("me", *[f"bot:{form.get('bot', '')}"] * (seats - 1)))
    named = {"name": pages.words(visitor.language).say(message("Guest"))} | form
    person, cookies = await person_or_newcomer(
        request, named, lambda newcomer: live.tables.require_can_open(newcomer, plan, address)
    )
    table = await live.tables.open(person, plan, address)
    return redirect(f"/table/{table.id}", cookies)


def _parse_new_table(live: Live, say: Callable[[Message], str], game: Game, form: Form) -> NewTable:
    """The table that a form describes: so many `players`, in one of the two presets, but for the seats it fills one by
    one, and nobody beyond them; without that number, as many as it fills. Raises `TableRefusal` name for who cannot be
    called that, and says where.
    """
    players = form.get("players", "")
    sitting = int(players) if players in map(str, game.seats) else 0
    seats: list[str] = []
    for number in range(sitting if players else game.seats.stop - 1):
        kind, called = form.get(f"seat-{number}", ""), form.get(f"here-{number}", "")
        if not kind and players:
            kind = form.get("how", "link") if number else "me"
            called = form.get(f"player-{number}", "") or say(message("Player {number}", number=number + 1))
        if kind == "here":
            seats.append(f"here:{_check_names(live, number, called)}")
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


ROUTES: list[Any] = [lobby, choose_game, table_form, open_table, play_now]
