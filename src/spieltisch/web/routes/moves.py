"""Moves, and taking them back."""

from __future__ import annotations

from typing import Any

from litestar import Response, post

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live import Live, player_commands
from spieltisch.live.player_commands import Actor, ConsentToConfirm, MoveToConfirm
from spieltisch.tables import Table
from spieltisch.web.http.query_params import QueryParams, hot_seat_param, number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Form, Request, is_htmx, wants_json
from spieltisch.web.http.responses import notice, redirect, to_confirm
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages import table_page
from spieltisch.web.pages.renderer import Renderer


@post("/table/{table_id:str}/play", status_code=200)
async def play(
    request: Request, live: Live, visitor: Visitor, form: Form, pages: Renderer, table_id: str
) -> Response[Any]:
    """Play a move; see `deciding.play`."""
    speaker, move = _actor(visitor, form), form.get("move", "")
    if not move:
        raise PageRefusal(422, "unknown-move", message("No move was chosen."))
    # Confirmed is what was shown, of the version that it was shown of, whatever the page knows by now.
    confirmed = _confirmed_version(request)
    seen = _seen_version(form) if confirmed is None else confirmed
    sure = confirmed is not None or wants_json(request)
    done = await player_commands.play(live.tables, table_id, speaker, move, seen, confirmed=sure)
    if isinstance(done, MoveToConfirm):
        return _preview(request, pages, done, move, seen, speaker.hot_seat)
    return _done(request, visitor, done, speaker.hot_seat)


@post("/table/{table_id:str}/undo", status_code=200)
async def undo(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """Take back the last move, as long as it was not final."""
    speaker = _actor(visitor, form)
    return _done(
        request,
        visitor,
        await player_commands.undo(live.tables, table_id, speaker, _seen_version(form)),
        speaker.hot_seat,
    )


@post("/table/{table_id:str}/undo-turn", status_code=200)
async def undo_turn(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """Take back all moves of the turn under way."""
    speaker = _actor(visitor, form)
    table = await player_commands.undo(live.tables, table_id, speaker, _seen_version(form), turn=True)
    return _done(request, visitor, table, speaker.hot_seat)


@post("/table/{table_id:str}/hint", status_code=200)
async def hint(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """The moves that the best bot would think of; nothing changes."""
    speaker, seen = _actor(visitor, form), _seen_version(form)
    table, hints = await live.advice.hints(table_id, speaker, seen, address_of(request))
    context = {"table": table, "hints": hints, "seen": seen, "me": speaker.hot_seat}
    return to_confirm(request, ("advice.html", "advice_page.html"), table, context)


@post("/table/{table_id:str}/consent/{question:str}", status_code=200)
async def consent(
    request: Request, live: Live, visitor: Visitor, form: Form, table_id: str, question: str
) -> Response[Any]:
    """Ask, or say yes or no; see `deciding.ask`."""
    if question not in tables.CONSENT_COMMANDS:
        raise no_page()
    speaker, confirmed = _actor(visitor, form), _confirmed_version(request)
    sure = confirmed is not None or wants_json(request)
    done = await player_commands.request_consent(live.tables, table_id, speaker, question, confirmed, confirmed=sure)
    if isinstance(done, ConsentToConfirm):
        action = f"/table/{table_id}/consent/{question}?confirmed={done.table.version}"
        context = {"table": done.table, "action": action, "first": done.effects, "me": speaker.hot_seat}
        return to_confirm(request, ("consent_confirm.html", "consent_confirm_page.html"), done.table, context)
    return _done(request, visitor, done, speaker.hot_seat)


def _actor(visitor: Visitor, form: Form) -> Actor:
    return Actor(require_person(visitor), hot_seat_param(form.get("me", "")))


def _seen_version(form: Form) -> int:
    """The version of the table that the form was made from."""
    return number("version", form.get("version", ""))


def _confirmed_version(request: Request) -> int | None:
    """The version of the table of which something was shown, that is confirmed now."""
    return QueryParams(request).number("confirmed")


def _preview(request: Request, pages: Renderer, shown: MoveToConfirm, move: str, seen: int, me: str) -> Response[Any]:
    """What a move would do."""
    table = shown.table
    context = {
        "table": table,
        "move": move,
        "words": table.position.words(move) if table.position is not None else (),
        "preview": shown.preview,
        "steps": table_page.turn_log(table, table.to_decide),
        "between": table.between_turns(len(table.moves)),
        "marks": pages.marks(table.game, table.setup),
        "seen": seen,
        "me": me,
    }
    return to_confirm(request, ("move_preview.html", "move_confirm_page.html"), table, context)


def _done(request: Request, visitor: Visitor, table: Table, me: str) -> Response[Any]:
    """What happened comes by the stream; who has none is sent back to the page. There they stay who they are, unless
    the decision has gone to somebody else on their device.
    """
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    if is_htmx(request):
        return notice(request, "empty_notice.html")
    here = {seat.hot_seat: seat.number for seat in table.seats_on_device(visitor.person_id)}
    stays = me in here and (table.to_decide == here[me] or table.to_decide not in here.values())
    return redirect(f"/table/{table.id}?me={me}" if stays else f"/table/{table.id}")


ROUTES: list[Any] = [play, undo, undo_turn, hint, consent]
