"""The pages and forms of seasons. To anyone who is not a member of their group, none of their addresses exists."""

from typing import Final

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.response import Redirect
from msgspec.structs import replace

from spieltisch.core.words import message
from spieltisch.features.groups.rows import Defaults, Group
from spieltisch.features.groups.service import Groups, no_group, require_host
from spieltisch.features.seasons.pages import SeasonPages
from spieltisch.features.seasons.rows import JOINING, OVER, Rules
from spieltisch.features.seasons.service import Seasons, seats_of, tables_of_round
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.store import Person
from spieltisch.tables import TableRefusal, parse_settings
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.requests import Request, is_number
from spieltisch.web.http.responses import page, redirect

EACH: Final = range(1, 13)
"""The numbers of games for each member that can be chosen."""
DAYS: Final = range(1, 10)
"""The numbers of days of a round; bots take free seats before the server closes a table that waits."""
SEATS: Final = range(2, 7)
"""The numbers of players of a table that can be wanted."""


async def _member(request: Request, group_id: str) -> tuple[Person, Group]:
    """Return the visitor and their group. Raise `TableRefusal` `no-group`."""
    group = await request.live.service(Groups).find(request.visitor.person_id, group_id)
    person = request.visitor.person
    if person is None:
        raise no_group()
    return person, group


async def _show(request: Request, template: str, group_id: str, season_id: str) -> Response[str]:
    person, group = await _member(request, group_id)
    season = await request.live.service(Seasons).find(group.id, season_id)
    context = await request.fragments.part(SeasonPages).context(person.id, season, group)
    return page(request, template, **context)


def _number(request: Request, name: str, allowed: range) -> int:
    text = request.fields.get(name, "")
    if not is_number(text) or int(text) not in allowed:
        words = message(
            "“{text}” is not a number from {least} to {most}.", text=text[:20], least=allowed[0], most=allowed[-1]
        )
        raise TableRefusal(RefusalCode.SETTINGS, words)
    return int(text)


def _rules(request: Request, group: Group) -> Rules:
    """Return the rules that a form describes. Raise `TableRefusal` `settings`, or `game` without one."""
    fields = request.fields
    keys = tuple(key for key in game_modules() if f"game-{key}" in fields)
    if not keys:
        raise TableRefusal(RefusalCode.GAME, message("Choose a game."))
    defaults = {key: group.defaults.get(key, Defaults()) for key in keys}
    if fields.get("clock", ""):
        clock = {"clock": fields["clock"], "zone": fields.get("zone", "")}
        charter = parse_settings(clock, tuple(request.live.tables.bots))
        defaults = {key: replace(given, charter=charter) for key, given in defaults.items()}
    is_evening = fields.get("kind", "") == "evening"
    each, days = _number(request, "each", EACH), 1 if is_evening else _number(request, "days", DAYS)
    rules = Rules(keys, _number(request, "seats", SEATS), each, days, defaults, is_evening)
    if not seats_of(rules):
        raise TableRefusal(RefusalCode.SEATS, message("These games have no number of players in common."))
    return rules


@get("/group/{group_id:str}/seasons")
async def show_seasons(request: Request, group_id: str) -> Response[str]:
    """Show the seasons of a group, and to its host the form for a new one."""
    person, group = await _member(request, group_id)
    seasons = await request.live.service(Seasons).of_group(group)
    return page(
        request,
        "seasons/list.html",
        group=group,
        seasons=[(season, season.round == OVER) for season in seasons],
        is_host=group.host == person.id,
        games=[game_by_key(key) for key in game_modules()],
        choices={"each": EACH, "days": DAYS, "seats": SEATS},
    )


@post("/group/{group_id:str}/seasons")
async def create(request: Request, group_id: str) -> Redirect:
    """Create a season."""
    person, group = await _member(request, group_id)
    require_host(group, person.id)
    rules, name = _rules(request, group), request.fields.get("title", "")
    season_id = await request.live.service(Seasons).create(person.id, group.id, name, rules)
    return redirect(f"/group/{group.id}/season/{season_id}")


@get("/group/{group_id:str}/season/{season_id:str}")
async def show(request: Request, group_id: str, season_id: str) -> Response[str]:
    """Show a season."""
    return await _show(request, "seasons/page.html", group_id, season_id)


@get("/group/{group_id:str}/season/{season_id:str}/wall")
async def show_wall(request: Request, group_id: str, season_id: str) -> Response[str]:
    """Show the page for a wall."""
    return await _show(request, "seasons/wall.html", group_id, season_id)


@post("/group/{group_id:str}/season/{season_id:str}/{act:str}")
async def act_on_season(request: Request, group_id: str, season_id: str, act: str) -> Redirect:
    """Join or leave a season; begin it, begin the next round or end it, as the host of the group."""
    person, group = await _member(request, group_id)
    seasons, seen = request.live.service(Seasons), request.fields.get("round", "")
    season, address = await seasons.find(group.id, season_id), address_of(request)
    if act in ("begin", "next"):
        for _ in range(tables_of_round(season)):
            request.rate_limits.new_table(address)
    if act == "join":
        await seasons.join(person, group.id, season_id)
    elif act == "leave":
        await seasons.leave(person.id, group.id, season_id)
    elif act == "begin":
        await seasons.begin(person.id, group.id, season_id, address)
    elif act == "next":
        await seasons.next_round(person.id, group.id, season_id, int(seen) if is_number(seen) else JOINING)
    elif act == "end":
        await seasons.end(person.id, group.id, season_id)
        return redirect(f"/group/{group.id}/seasons")
    else:
        raise NotFoundException
    return redirect(f"/group/{group.id}/season/{season_id}")
