"""The chat of a table: read, write, remove, mute and react."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.live import Live
from spieltisch.live.chat import ALL_MESSAGES
from spieltisch.tables import Table
from spieltisch.tables.chat import ChatReader, writable_rooms
from spieltisch.web.http.query_params import number as number_of
from spieltisch.web.http.rate_limits import RateLimits
from spieltisch.web.http.requests import Form, Request, is_htmx, wants_json
from spieltisch.web.http.responses import notice, page, redirect
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages.chat import chat_reader
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.unplayable import game_of
from spieltisch.web.routes.table import table_view


@get("/table/{table_id:str}/chat")
async def show(
    request: Request, live: Live, visitor: Visitor, pages: Renderer, fragments: Fragments, table_id: str
) -> Response[Any]:
    """Show all messages that this visitor may read."""
    table, perspective = await table_view(request, live, visitor, table_id)
    reader = chat_reader(table, perspective, visitor.person_id)
    if wants_json(request):
        messages = await live.chat.messages(table, reader, ALL_MESSAGES)
        words = pages.words(visitor.language)
        rows = [
            {
                "number": chat_message.number_in_room,
                "room": chat_message.room,
                "name": words.say(chat_message.name),
                "text": chat_message.text,
            }
            for chat_message in messages
        ]
        return Response(rows, media_type="application/json")
    return page(
        request,
        "chat_page.html",
        game=game_of(table),
        table=table,
        perspective=perspective,
        words_version=live.chat.version(table, reader),
        words=Markup((await fragments.chat(table, perspective, visitor, ALL_MESSAGES))[0]),  # noqa: S704 (as on the table)
        rooms=writable_rooms(table, reader),
        topic=topic(table, perspective),
    )


@post("/table/{table_id:str}/chat", status_code=200)
async def post_message(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, form: Form, table_id: str
) -> Response[Any] | Redirect:
    """Post a message."""
    table, perspective, reader = await _writer(request, live, rate_limits, visitor, table_id)
    name = table.seats[reader.seat].name if reader.seat is not None else require_person(visitor).name
    await live.chat.post(table, reader, name, form.get("room", ""), form.get("text", ""))
    return _done(request, table, perspective)


@post("/table/{table_id:str}/chat/{room:str}/{number:str}/{deed:str}", status_code=200)
async def act_on_message(
    request: Request,
    live: Live,
    rate_limits: RateLimits,
    visitor: Visitor,
    table_id: str,
    room: str,
    number: str,
    deed: str,
) -> Response[Any] | Redirect:
    """Remove a message, mute its author, or react to it."""
    table, perspective, reader = await _writer(request, live, rate_limits, visitor, table_id)
    await live.chat.act_on(table, reader, room, number_of("number", number), deed)
    return _done(request, table, perspective)


async def _writer(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, table_id: str
) -> tuple[Table, Perspective, ChatReader]:
    """Return the table, and the perspective and permissions of a visitor who writes. Raise PageRefusal 429."""
    person = require_person(visitor)
    table, perspective = await table_view(request, live, visitor, table_id)
    rate_limits.message(person.id)
    return table, perspective, chat_reader(table, perspective, person.id)


def _done(request: Request, table: Table, perspective: Perspective) -> Response[Any] | Redirect:
    """Respond to a change: its effects arrive by the stream; a client without one is redirected to the chat page."""
    if is_htmx(request):
        return notice(request, "empty_notice.html")
    return redirect(perspective.url(f"/table/{table.id}/chat"))
