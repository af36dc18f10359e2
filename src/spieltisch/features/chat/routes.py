"""The chat of a table: read, write, remove, mute and react."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.features.chat.commands import GREETING, SPECTATOR, ChatReader, may_report_invitation, reportable_names
from spieltisch.features.chat.pages import ChatPages, chat_reader
from spieltisch.features.chat.reports import INVITATION, number_of_name
from spieltisch.features.chat.service import PAGE_MESSAGES, Chat
from spieltisch.tables import Participant, Table, refusals
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.query_params import number as number_of
from spieltisch.web.http.requests import Request, is_htmx, wants_json
from spieltisch.web.http.responses import notice, page, redirect
from spieltisch.web.http.sign_in import person_or_newcomer, require_person
from spieltisch.web.pages.unplayable import game_of


@get("/table/{table_id:str}/chat")
async def show(request: Request, table_id: str) -> Response[Any]:
    """Show the messages that this visitor may read, page by page; `from` is the number of newer ones."""
    table, perspective = request.table_view
    first = QueryParams(request).number("from") or 0
    reader, chat = chat_reader(table, perspective, request.visitor.person_id), request.live.service(Chat)
    if wants_json(request):
        words = request.pages.words(request.visitor.language)
        rows = [
            {"number": row.number_in_room, "room": row.room, "name": words.say(row.name or SPECTATOR), "text": row.text}
            for row in await chat.messages(table, reader, PAGE_MESSAGES, first)
        ]
        return Response(rows, media_type="application/json")
    following = first + PAGE_MESSAGES
    older = following if await chat.messages(table, reader, 1, following) else None
    context = await request.fragments.part(ChatPages).context(table, perspective, request.visitor, PAGE_MESSAGES, first)
    person = request.visitor.person_id or ""
    reported = await chat.reported(table, ChatReader(person, None, is_host=False, is_player=False))
    names = reportable_names(table, person) if person else {}
    context["names_to_report"] = {seat: name for seat, name in names.items() if number_of_name(seat) not in reported}
    context["has_invitation"] = may_report_invitation(table, person) and INVITATION not in reported
    return page(request, "chat/page.html", game=game_of(table), older=older, **context)


@post("/table/{table_id:str}/report", status_code=200, open_to_spectators=True)
async def report(request: Request, table_id: str) -> Response[Any] | Redirect:
    """Report the name in a seat, or the invitation to this table, to the administrators."""
    person, chat, table = require_person(request.visitor), request.live.service(Chat), request.table_view.table
    request.rate_limits.message(person.id)
    if "seat" in request.fields:
        await chat.report_name(table, person.id, number_of("seat", request.fields["seat"]))
    else:
        await chat.report_invitation(table, person.id)
    return _respond_to_change(request)


@post("/table/{table_id:str}/chat", status_code=200, open_to_spectators=True)
async def post_message(request: Request, table_id: str) -> Response[Any] | Redirect:
    """Add what was typed to a room; the name shown is that of the seat, or else the person's own.

    On a page that several people share, the form names the seat of the one who writes. A spectator without a name gives
    one with the first message, and gets the page of the table anew.
    """
    chat, room, text = request.live.service(Chat), request.fields.get("room", ""), request.fields.get("text", "")
    if request.visitor.person is None:
        return await _post_first_message(request, chat, room, text)
    table, reader = _writer(request)
    if request.table_view.perspective.is_shared_page:
        reader = _player_on_device(request)
    return await _post(request, chat, table, reader, room, text)


@post("/table/{table_id:str}/chat/greeting", status_code=200, open_to_spectators=True)
async def greet(request: Request, table_id: str) -> Response[Any] | Redirect:
    """Greet the players as a spectator, once and without words."""
    chat = request.live.service(Chat)
    if request.visitor.person is None:
        return await _post_first_message(request, chat, "table", GREETING)
    table, reader = _writer(request)
    return await _post(request, chat, table, reader, "table", GREETING)


async def _post(
    request: Request, chat: Chat, table: Table, reader: ChatReader, room: str, text: str
) -> Response[Any] | Redirect:
    name = table.seats[reader.seat].name if reader.seat is not None else require_person(request.visitor).name
    await chat.post(table, reader, name, room, text)
    return _respond_to_change(request)


async def _post_first_message(request: Request, chat: Chat, room: str, text: str) -> Redirect:
    """Post a message of a spectator whose name is in the form. A message that is refused creates no person."""
    table, perspective = request.table_view

    async def check(newcomer: Participant) -> None:
        chat.checked(table, chat_reader(table, perspective, newcomer.id), room, text)

    person, cookies = await person_or_newcomer(request, request.fields, check)
    await chat.post(table, chat_reader(table, perspective, person.id), person.name, room, text)
    return redirect(perspective.url(f"/table/{table.id}"), cookies)


def _player_on_device(request: Request) -> ChatReader:
    """Return the player on this device who writes, by the `seat` of the form. Raise TableRefusal not-your-seat."""
    table, perspective = request.table_view
    seat = number_of("seat", request.fields.get("seat", ""))
    if seat not in perspective.device_seats:
        raise refusals.not_your_seat()
    return ChatReader(table.seats[seat].person or "", seat, is_host=False, is_player=True)


@post("/table/{table_id:str}/chat/{room:str}/{number:str}/{action:str}", status_code=200, open_to_spectators=True)
async def act_on_message(
    request: Request, table_id: str, room: str, number: str, action: str
) -> Response[Any] | Redirect:
    """Remove a message, report it, mute its author, or react to it."""
    table, reader = _writer(request)
    await request.live.service(Chat).act_on(table, reader, room, number_of("number", number), action)
    return _respond_to_change(request)


def _writer(request: Request) -> tuple[Table, ChatReader]:
    """Return the table, and the permissions of a visitor who writes. Raise PageRefusal 429."""
    person = require_person(request.visitor)
    request.rate_limits.message(person.id)
    table, perspective = request.table_view
    return table, chat_reader(table, perspective, person.id)


def _respond_to_change(request: Request) -> Response[Any] | Redirect:
    """Respond to a change: its effects arrive by the stream; a client without one is redirected to the chat page."""
    if is_htmx(request):
        return notice(request, "empty_notice.html")
    table, perspective = request.table_view
    return redirect(perspective.url(f"/table/{table.id}/chat"))
