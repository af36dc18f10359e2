"""The pages and forms of groups. To anyone who is not a member, none of their addresses exists."""

from typing import Any, Final

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.features.groups import service
from spieltisch.features.groups.pages import GroupPages
from spieltisch.features.groups.rows import Defaults, Group, Member
from spieltisch.features.groups.service import Groups
from spieltisch.games import game as game_by_key
from spieltisch.store import Person
from spieltisch.tables import Participant, parse_settings
from spieltisch.tables.opening import parse_options
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.requests import Request, is_number
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sign_in import person_or_newcomer, require_own_person
from spieltisch.web.pages.table_settings import describe

KEEP: Final = "keep"
"""The value of the field for a component file that leaves it as it is."""


async def _anyone(_: Participant) -> None:
    """Allow any newcomer: creating and joining a group has no conditions of its own."""


async def _member(request: Request, group_id: str) -> tuple[Person, Group]:
    """Return the visitor and their group. Raise `TableRefusal` `no-group`."""
    group = await request.live.service(Groups).find(request.visitor.person_id, group_id)
    person = request.visitor.person
    if person is None:
        raise service.no_group()
    return person, group


def _members(request: Request, person: Person, group: Group) -> dict[str, Member]:
    pages = request.fragments.part(GroupPages)
    return {pages.key(person.id, group, member.id): member for member in group.members}


@get("/groups")
async def show_groups(request: Request) -> Response[str]:
    """Show the visitor's groups, and the form for a new one."""
    person = require_own_person(request)
    return page(request, "groups/list.html", groups=await request.live.service(Groups).overview(person.id))


@post("/groups")
async def create(request: Request) -> Redirect:
    """Create a group."""
    person = require_own_person(request)
    session = request.visitor.session_key
    group_id = await request.live.service(Groups).create(person.id, request.fields.get("title", ""), session)
    return redirect(f"/group/{group_id}")


@get("/join-group/{link:str}")
async def show_link(request: Request, link: str) -> Response[Any] | Redirect:
    """Show the group of a link, by its name only; lead a member to its page."""
    group = await request.live.service(Groups).read_link(link)
    if group.member(request.visitor.person_id) is not None:
        return redirect(f"/group/{group.id}")
    return page(request, "groups/join.html", group=group, link=link)


@post("/join-group/{link:str}")
async def join(request: Request, link: str) -> Redirect:
    """Make the visitor a member."""
    groups = request.live.service(Groups)
    await groups.read_link(link)
    person, cookies = await person_or_newcomer(request, request.fields, _anyone)
    group = await groups.join(person.id, link)
    return redirect(f"/group/{group.id}", cookies)


@get("/group/{group_id:str}")
async def show(request: Request, group_id: str) -> Response[str]:
    """Show a group to a member."""
    person, group = await _member(request, group_id)
    context = await request.fragments.part(GroupPages).context(person.id, group)
    return page(request, "groups/page.html", share=request.visitor.share_address, **context)


@post("/group/{group_id:str}/open")
async def open_table(request: Request, group_id: str) -> Redirect:
    """Open a table of the group with seats for the chosen members."""
    person, group = await _member(request, group_id)
    fields, address = request.fields, address_of(request)
    game = game_by_key(fields.get("game", ""))
    keys = {name[5:] for name in fields if name.startswith("with-")}
    guests = service.chosen(_members(request, person, group), keys, person.id)
    seats = int(fields["seats"]) if is_number(fields.get("seats", "")) else 0
    seats = min(max(seats, game.seats[0]), game.seats[-1])
    request.rate_limits.new_table(address)
    request.rate_limits.invite(address, person.id)
    table = await request.live.service(Groups).open(person, group, game.key, guests, seats, address)
    return redirect(f"/table/{table.id}")


@post("/group/{group_id:str}/sit")
async def sit(request: Request, group_id: str) -> Redirect:
    """Take a free seat at a table of the group."""
    person, group = await _member(request, group_id)
    table = await request.live.service(Groups).sit(person, group, request.fields.get("table", ""))
    return redirect(f"/table/{table.id}")


async def _store_own_choices(request: Request, group_id: str) -> None:
    chosen = {"has_alerts": "alerts" in request.fields, "is_ranked": "ranked" in request.fields}
    await request.live.service(Groups).choose(request.visitor.person_id, group_id, **chosen)


@post("/group/{group_id:str}/choose")
async def choose(request: Request, group_id: str) -> Redirect:
    """Store whether the visitor wants alerts, and a place in the standings."""
    await _store_own_choices(request, group_id)
    return redirect(f"/group/{group_id}")


@post("/group/{group_id:str}/change")
async def change(request: Request, group_id: str) -> Redirect:
    """Store the name of a group and who may invite; with the field `own` also what `choose` stores."""
    person, group = await _member(request, group_id)
    service.require_host(group, person.id)
    name = request.live.quotas.clean_name(request.fields.get("title", ""))
    invite, groups = int("invite" in request.fields), request.live.service(Groups)
    await groups.change(person.id, group_id, name=name, members_invite=invite)
    if "own" in request.fields:
        await _store_own_choices(request, group_id)
    return redirect(f"/group/{group_id}")


@post("/group/{group_id:str}/reset-link")
async def reset_link(request: Request, group_id: str) -> Redirect:
    """Let the old link work no longer."""
    await request.live.service(Groups).reset_link(request.visitor.person_id, group_id)
    return redirect(f"/group/{group_id}")


@post("/group/{group_id:str}/remove")
async def remove(request: Request, group_id: str) -> Redirect:
    """Remove a member."""
    person, group = await _member(request, group_id)
    key = request.fields.get("member", "")
    (member,) = service.chosen(_members(request, person, group), {key}, "")
    await request.live.service(Groups).remove(person.id, group_id, member.id)
    return redirect(f"/group/{group_id}")


@post("/group/{group_id:str}/leave")
async def leave(request: Request, group_id: str) -> Redirect:
    """Leave a group."""
    await request.live.service(Groups).leave(request.visitor.person_id, group_id)
    return redirect("/groups")


@get("/group/{group_id:str}/defaults/{key:str}")
async def show_defaults(request: Request, group_id: str, key: str) -> Response[str]:
    """Show the form for the settings with which the tables of a game begin."""
    person, group = await _member(request, group_id)
    service.require_host(group, person.id)
    game = game_by_key(key)
    defaults = group.defaults.get(key, Defaults())
    return page(
        request,
        "groups/defaults.html",
        game=game,
        group=group,
        defaults=defaults,
        sets=await request.live.components.owned_by(person.id, key),
        keep=KEEP,
        charter=describe(defaults.charter),
    )


@post("/group/{group_id:str}/defaults/{key:str}")
async def set_defaults(request: Request, group_id: str, key: str) -> Redirect:
    """Store the settings with which the tables of a game begin."""
    person, group = await _member(request, group_id)
    service.require_host(group, person.id)
    game, fields = game_by_key(key), request.fields
    earlier, components = group.defaults.get(key, Defaults()), fields.get("components", "")
    if components == KEEP:
        components = earlier.components
    else:
        await request.live.components.find_own(person.id, key, components)
    options = {name.removeprefix("option-"): value for name, value in fields.items() if name.startswith("option-")}
    charter = parse_settings(fields, tuple(request.live.tables.bots))
    defaults = Defaults(parse_options(game, options), components, charter)
    await request.live.service(Groups).set_defaults(person.id, group_id, key, defaults)
    return redirect(f"/group/{group_id}")
