"""Moves, undo, hints, and questions that need consent."""

from typing import Any

from litestar import Response, post

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live import player_commands
from spieltisch.live.player_commands import Actor, ConsentToConfirm, MoveToConfirm
from spieltisch.tables import Table
from spieltisch.web.http.query_params import QueryParams, hot_seat_param, number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Request, is_htmx, wants_json
from spieltisch.web.http.responses import notice, redirect, state_fragment, to_confirm
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages import table_page


@post("/table/{table_id:str}/play", status_code=200)
async def play(request: Request, table_id: str) -> Response[Any]:
    """Play a move; see `player_commands.play`."""
    actor, move = _actor(request), request.fields.get("move", "")
    if not move:
        raise PageRefusal(422, "unknown-move", message("Choose a move first."))
    # A confirmation refers to the previewed version, even if the page has received a newer one since.
    confirmed = _confirmed_version(request)
    seen_version = _seen_version(request) if confirmed is None else confirmed
    is_confirmed = confirmed is not None or wants_json(request)
    outcome = await player_commands.play(
        request.live.tables, table_id, actor, move, seen_version, confirmed=is_confirmed
    )
    if isinstance(outcome, MoveToConfirm):
        return _preview(request, outcome, move, seen_version, actor.hot_seat)
    return await _respond_to_change(request, outcome, actor.hot_seat)


@post("/table/{table_id:str}/undo", status_code=200)
async def undo(request: Request, table_id: str) -> Response[Any]:
    """Undo the last move, as long as it was not final."""
    actor = _actor(request)
    table = await player_commands.undo(request.live.tables, table_id, actor, _seen_version(request))
    return await _respond_to_change(request, table, actor.hot_seat)


@post("/table/{table_id:str}/undo-turn", status_code=200)
async def undo_turn(request: Request, table_id: str) -> Response[Any]:
    """Undo all moves of the current turn."""
    actor = _actor(request)
    table = await player_commands.undo(request.live.tables, table_id, actor, _seen_version(request), turn=True)
    return await _respond_to_change(request, table, actor.hot_seat)


@post("/table/{table_id:str}/hint", status_code=200)
async def hint(request: Request, table_id: str) -> Response[Any]:
    """Show the moves that the best bot would consider; nothing changes."""
    actor, seen_version = _actor(request), _seen_version(request)
    table, hints = await request.live.advice.hints(table_id, actor, seen_version, address_of(request))
    marks = request.pages.marks(table.game, table.setup)
    context = {"table": table, "hints": hints, "seen": seen_version, "me": actor.hot_seat}
    return to_confirm(request, ("advice.html", "advice_page.html"), table, {**context, "marks": marks})


@post("/table/{table_id:str}/consent/{question:str}", status_code=200)
async def consent(request: Request, table_id: str, question: str) -> Response[Any]:
    """Ask for consent, or agree or refuse; see `player_commands.request_consent`."""
    if question not in tables.CONSENT_COMMANDS:
        raise no_page()
    actor, confirmed = _actor(request), _confirmed_version(request)
    is_confirmed = confirmed is not None or wants_json(request)
    outcome = await player_commands.request_consent(
        request.live.tables, table_id, actor, question, confirmed, confirmed=is_confirmed
    )
    if isinstance(outcome, ConsentToConfirm):
        action = f"/table/{table_id}/consent/{question}?confirmed={outcome.table.version}"
        context = {
            "table": outcome.table,
            "action": action,
            "first": outcome.effects,
            "me": actor.hot_seat,
            "is_final": question == "ask-abort",
        }
        return to_confirm(request, ("consent_confirm.html", "consent_confirm_page.html"), outcome.table, context)
    return await _respond_to_change(request, outcome, actor.hot_seat)


def _actor(request: Request) -> Actor:
    return Actor(require_person(request.visitor), hot_seat_param(request.fields.get("me", "")))


def _seen_version(request: Request) -> int:
    """Return the version of the table from which the form was made."""
    return number("version", request.fields.get("version", ""))


def _confirmed_version(request: Request) -> int | None:
    """Return the version of the table whose preview is confirmed now; None without one."""
    return QueryParams(request).number("confirmed")


def _preview(request: Request, confirmation: MoveToConfirm, move: str, seen_version: int, me: str) -> Response[Any]:
    """Show the effects of a move."""
    table = confirmation.table
    effects = table_page.move_effects(request.pages, table, move, confirmation.preview)
    context = {**effects, "seen": seen_version, "me": me}
    return to_confirm(request, ("move_preview.html", "move_confirm_page.html"), table, context)


async def _respond_to_change(request: Request, table: Table, me: str) -> Response[Any]:
    """Respond to a change: with the new state, which the stream may bring late; without a script, with a redirect.

    There the player of a hot seat stays the same, unless the decision has passed to another player on the device.
    """
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    if is_htmx(request):
        topic = f"{table.id}!{me}" if me else table.id
        state = await request.fragments.event(topic, -1, request.visitor)
        return notice(request, "empty_notice.html") if state is None else state_fragment(request, topic, *state)
    seat_numbers = {seat.hot_seat: seat.number for seat in table.seats_on_device(request.visitor.person_id)}
    stays = me in seat_numbers and (table.to_decide == seat_numbers[me] or table.to_decide not in seat_numbers.values())
    return redirect(f"/table/{table.id}?me={me}" if stays else f"/table/{table.id}")
